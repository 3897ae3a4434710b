/** Start: go on with a game, begin one, and the settings of this phone. */

import { get, post } from "./api.js";
import { button, el, section, show } from "./dom.js";
import { languages, say } from "./words.js";

const LANGUAGES = { en: "English", ja: "日本語" };

/** Shows the screen; the list of games is fetched. */
export async function startScreen(app, where) {
  let told;
  try {
    told = await get("/games");
  } catch (error) {
    show(where, el("p", {}, error.status ? error.message : say("offline")));
    return;
  }
  const [last, ...others] = told.games;
  show(
    where,
    last && el("p", {}, button(say("continue", { title: last.title || say("untitled") }), () => app.go("table", last.id),
      { class: "main" })),
    newGame(app, told),
    others.length > 0 && section(say("games"), el("ul", { class: "plain" }, others.map((one) => el("li", {},
      button(`${one.title || say("untitled")} · ${new Date(one.changed * 1000).toLocaleString(app.kept.lang)}`,
        () => app.go("table", one.id)))))),
    settings(app, where),
    location.protocol === "http:" && !["localhost", "127.0.0.1", "[::1]"].includes(location.hostname)
      && el("p", { class: "small" }, say("insecure")),
  );
}

function newGame(app, told) {
  const inputs = told.options.map((option) => [option, input(option)]);
  const title = el("input", { type: "text", maxlength: 80 });
  const box = el("input", { type: "checkbox", checked: true });
  let begins = false; // a second tap begins no second game
  const begin = async (event) => {
    event.preventDefault();
    if (begins) return;
    const laid = event.submitter?.name === "laid";
    const options = {};
    for (const [option, field] of inputs) {
      const value = read(option, field);
      if (value !== option.default) options[option.name] = value;
    }
    begins = true;
    try {
      const made = await post("/games", { options, title: title.value, box: box.checked, laid });
      app.go(laid ? "check" : "table", made.id);
    } catch (error) {
      begins = false;
      app.notice(error.message);
    }
  };
  const label = ([option, field]) => el("label", { class: typeof option.default === "boolean" ? "check option" : "option" }, option.label, field);
  return section(
    say("new_game"),
    el("form", { onsubmit: begin },
      inputs.filter(([option]) => option.choices.length).map(label),
      el("label", {}, say("title"), title),
      el("label", { class: "check" }, box, el("span", {}, say("box"))),
      el("details", {}, el("summary", {}, say("options")), inputs.filter(([option]) => !option.choices.length).map(label)),
      el("button", { type: "submit", class: "main" }, say("begin")),
      told.lays && el("p", {}, el("button", { type: "submit", name: "laid" }, say("begin_laid")))),
  );
}

function input(option) {
  if (option.choices.length) {
    return el("select", { "data-key": option.name }, option.choices.map(([value, label], i) =>
      el("option", { value: i, selected: value === option.default }, label)));
  }
  if (typeof option.default === "boolean") return el("input", { type: "checkbox", checked: option.default });
  const number = typeof option.default === "number";
  return el("input", { type: number ? "number" : "text", value: option.default ?? "" });
}

function read(option, field) {
  if (option.choices.length) return option.choices[field.value][0];
  if (typeof option.default === "boolean") return field.checked;
  if (field.value === "") return option.default;
  const number = typeof option.default === "number" || (option.default === null && /^-?\d+$/.test(field.value));
  return number ? Number(field.value) : field.value;
}

function settings(app, where) {
  const choose = (event) => {
    app.keep({ lang: event.target.value });
    app.draw();
    startScreen(app, where);
  };
  return section(
    say("settings"),
    el("label", {}, say("language"), el("select", { onchange: choose, "data-key": "language" },
      languages().map((lang) => el("option", { value: lang, selected: lang === app.kept.lang }, LANGUAGES[lang] ?? lang)))),
    el("label", {}, say("your_name"), el("input", { type: "text", maxlength: 40, value: app.kept.by, autocomplete: "nickname",
      onchange: (event) => app.keep({ by: event.target.value }) })),
    el("label", { class: "check" }, el("input", { type: "checkbox", checked: app.kept.keys,
      onchange: (event) => app.keep({ keys: event.target.checked }) }), el("span", {}, say("use_keys"))),
    app.advises && el("label", { class: "check" }, el("input", { type: "checkbox", checked: app.kept.ahead,
      onchange: (event) => app.keep({ ahead: event.target.checked }) }), el("span", {}, say("think_ahead"))),
  );
}
