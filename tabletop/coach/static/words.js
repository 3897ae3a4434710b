/** What the coach itself says. */

let texts = {};
let lang = "en";

/** Reads all texts. */
export async function load() {
  texts = await (await fetch("/static/words.json")).json();
}

/** The languages that there are. */
export const languages = () => Object.keys(texts);

/** From now on it says everything in another language. */
export function speak(chosen) {
  lang = chosen in texts ? chosen : "en";
  document.documentElement.lang = lang;
}

/** A text with its values. */
export function say(key, values = {}) {
  const text = texts[lang]?.[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (hole, name) => (name in values ? String(values[name]) : hole));
}
