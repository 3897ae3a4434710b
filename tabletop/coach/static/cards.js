/** Cards: what the coach believes of each, and what is really printed. A guess is never called printed. */

import { editionAddress, get } from "./api.js";
import { button, el, section } from "./dom.js";
import { say } from "./words.js";

let known = { key: "", cards: [] };
let find = "";
let open = null; // the card that is looked at
let waiting = 0;

/** The screen. */
export function cardsScreen(app) {
  const key = `${app.id} ${app.state.rev} ${app.kept.lang} ${find}`;
  if (known.key !== key) fetched(app, key);
  if (open) return cardView(app);
  const typed = (event) => {
    find = event.target.value;
    clearTimeout(waiting);
    waiting = setTimeout(app.draw, 150);
  };
  return [
    el("p", {}, say("cards_intro")),
    el("label", {}, say("find"), el("input", { type: "search", value: find, oninput: typed, "data-key": "find card" })),
    el("ul", { class: "plain options" }, known.cards.slice(0, 60).map((card) => el("li", {},
      button(`${card.id} ${card.title} · ${say(card.printed ? "as_printed" : "guessed")}`, () => look(app, card.id))))),
    app.editions && section(say("edition"),
      el("p", {}, say("edition_intro")),
      el("p", {}, el("a", { href: editionAddress(), download: true }, say("edition_download"))),
      el("label", {}, say("edition_upload"), el("input", { type: "file", accept: ".toml", "data-key": "edition",
        onchange: (event) => taken(app, event.target) }))),
  ];
}

/** Another edition file: whatever is wrong with it, line by line, or the game goes on with it. */
async function taken(app, input) {
  const [file] = input.files;
  input.value = "";
  if (file && (await app.change("edition", { text: await file.text() }))) app.notice(say("edition_taken"));
}

const guessed = (field) => field.provenance.startsWith("reconstructed");

function cardView(app) {
  const inputs = open.fields.map((field) =>
    el("input", { type: "text", value: JSON.stringify(field.value), "data-key": field.name, "aria-label": field.name }));
  const save = () => {
    const values = {};
    try {
      open.fields.forEach((field, i) => {
        if (inputs[i].value !== JSON.stringify(field.value)) values[field.name] = JSON.parse(inputs[i].value);
      });
    } catch (error) {
      app.notice(error.message);
      return;
    }
    told(app, values);
  };
  return [
    el("h2", {}, `${open.id} ${open.title}`),
    el("pre", {}, open.text),
    !open.printed && el("p", { class: "warn" }, say("guessed_long")),
    !open.printed && button(say("is_printed"), () =>
      told(app, Object.fromEntries(open.fields.filter(guessed).map((field) => [field.name, field.value])))),
    section(say("differs"),
      open.fields.map((field, i) => el("label", {}, field.name,
        el("small", {}, ` ${guessed(field) ? say("guessed") : field.provenance}`), inputs[i])),
      button(say("save"), save, { class: "main" })),
    button(say("all_cards"), () => {
      open = null;
      app.draw();
    }),
  ];
}

async function told(app, values) {
  if (!Object.keys(values).length || !(await app.change("differs", { card: open.id, values }))) return;
  app.notice(say("card_saved"));
  await look(app, open.id);
}

async function look(app, card) {
  try {
    open = await get(`/cards/${card}`);
  } catch (error) {
    app.notice(error.message);
  }
  app.draw();
}

async function fetched(app, key) {
  known = { ...known, key };
  try {
    const cards = await get("/cards", { find });
    if (known.key === key) known = { key, cards };
  } catch (error) {
    app.notice(error.message);
  }
  app.draw();
}
