/** Cards: what the coach believes of each, and what is really printed. A guess is never called printed. */

import { editionAddress, get, view } from "./api.js";
import { button, el, section } from "./dom.js";
import { editor, filled, formOf, simple } from "./form.js";
import { say } from "./words.js";

let known = { key: "", cards: [] };
let held = { key: "", id: null, seat: null, hands: [] };
let find = "";
let open = null; // the card that is looked at
let waiting = 0;

/** The screen. */
export function cardsScreen(app) {
  const key = `${app.id} ${app.state.rev} ${app.kept.lang} ${find}`;
  const handsKey = `${app.id} ${app.state.branch} ${app.state.rev} ${app.kept.lang} ${view.seat ?? ""}`;
  if (app.cards && known.key !== key) fetched(app, key);
  if (app.hands && held.key !== handsKey) dealt(app, handsKey);
  if (open) {
    if (open.lang !== app.kept.lang) reworded(app);
    return cardView(app);
  }
  const typed = (event) => {
    find = event.target.value;
    clearTimeout(waiting);
    waiting = setTimeout(app.draw, 150);
  };
  return [app.hands && handsView(app), app.cards && [
    el("p", {}, say("cards_intro")),
    el("label", {}, say("find"), el("input", { type: "search", value: find, oninput: typed, "data-key": "find card" })),
    el("ul", { class: "plain options" }, known.cards.slice(0, 60).map((card) => el("li", {},
      button(`${called(card)} · ${say(card.printed ? "as_printed" : "guessed")}`, () => look(app, card.id))))),
    app.editions && section(say("edition"),
      el("p", {}, say("edition_intro")),
      el("p", {}, el("a", { href: editionAddress(), download: true }, say("edition_download"))),
      el("label", {}, say("edition_upload"), el("input", { type: "file", accept: ".toml", "data-key": "edition",
        onchange: (event) => taken(app, event.target) }))),
  ]];
}

/** Who holds what, as far as this phone may see it, and who could play it now. */
function handsView(app) {
  return section(say("hands"), held.hands.map((hand) => el("details",
    { "data-key": `hand${hand.seat}`, open: hand.seat === (view.seat ?? app.state.to_act) && hand.cards !== null },
    el("summary", {}, el("b", {}, hand.who), ` ${say("cards_n", { n: hand.n })}`),
    hand.cards === null ? el("p", {}, say("hand_hidden")) : el("ul", { class: "plain" }, hand.cards.map((card, i) => el("li", { class: "held" },
      el("p", {}, el("b", {}, called(card)), ` ${card.text}`),
      el("p", { class: "small" }, card.by.length ? say("played_by", { who: card.by.join(say("comma")) }) : say("played_by_none")),
      app.cards && button(say("look_up"), () => look(app, card.id),
        { "aria-label": `${say("look_up")}: ${called(card)}`, "data-key": `held ${hand.seat} ${i}` })))))));
}

/** Another edition file: whatever is wrong with it, line by line, or the game goes on with it. */
async function taken(app, input) {
  const [file] = input.files;
  input.value = "";
  if (file && (await app.change("edition", { text: await file.text() }))) app.notice(say("edition_taken"));
}

const called = ({ id, title }) => (title.startsWith(id) ? title : `${id} ${title}`);
const guessed = (field) => field.provenance?.startsWith("reconstructed");
const ANY = { kind: "any" }; // of a field whose shape the game does not say
const equal = (one, other) => JSON.stringify(one) === JSON.stringify(other);

function cardView(app) {
  return [
    el("h2", {}, called(open)),
    el("pre", {}, open.text),
    !open.printed && el("p", { class: "warn" }, say("guessed_long")),
    !open.printed && button(say("is_printed"), () =>
      told(app, Object.fromEntries(open.fields.filter(guessed).map((field) => [field.name, field.value])))),
    section(say("differs"),
      open.problems.length > 0 && el("ul", { class: "plain warn", tabindex: "-1", "data-key": "problems" },
        open.problems.map((problem) => el("li", {}, problem))),
      fieldsNow().map((field) => fieldView(open.form, field)),
      button(say("save"), () => told(app, changed()), { class: "main" }),
      Object.keys(changed()).length > 0 && el("p", {}, button(say("as_it_was"), () => {
        begin(app, open);
        app.draw();
      }))),
    button(say("all_cards"), () => {
      open = null;
      app.draw();
    }),
  ];
}

/** A field of the card, folded where it is large. */
function fieldView(form, { name, label = name, shape = ANY, provenance = "" }) {
  const source = el("small", {}, guessed({ provenance }) ? say("guessed") : provenance);
  const control = editor(form, shape, form.values, name, name, label);
  if (simple(shape)) return el("div", { class: "named" }, el("span", {}, label, " ", source), el("div", {}, control));
  return el("details", { "data-key": `field ${name}`, class: "field", open: [...form.wrong.keys()].some((path) => path.startsWith(name)) },
    el("summary", {}, el("b", {}, label), " ", source), control);
}

/** The fields of the card as it is put right: of another kind of card other ones. */
function fieldsNow() {
  const sort = open.fields.find((field) => field.shape?.kind === "sort");
  const { values } = open.form;
  if (!sort || values[sort.name] === sort.value) return open.fields;
  const { fields } = sort.shape.choices.find((one) => one.value === values[sort.name]);
  for (const [name, value] of Object.entries(filled(fields, values))) values[name] ??= value;
  return [sort, ...fields];
}

/** What is not as it was believed; all of it where the card is of another kind. */
function changed() {
  const { values } = open.form;
  const fields = fieldsNow();
  const some = fields === open.fields ? fields.filter(({ name, value }) => !equal(values[name], value)) : fields;
  return Object.fromEntries(some.map(({ name }) => [name, values[name]]));
}

/** A card is looked at, as the coach believes it. */
function begin(app, card) {
  const values = Object.fromEntries(card.fields.map(({ name, value }) => [name, structuredClone(value)]));
  open = { ...card, lang: app.kept.lang, problems: [], form: formOf(values, app.draw) };
}

async function told(app, values) {
  if (!Object.keys(values).length) {
    app.notice(say("nothing_changed"));
    return;
  }
  if (!(await app.change("differs", { card: open.id, values }, (problem) => refused(app, problem)))) return;
  await look(app, open.id); // first: what is touched before the form is drawn anew would be lost
  app.notice(say("card_saved"));
}

/** Says what is wrong, line by line, and where: in "...SAM-016: banner[0].n: found 99, expected ..." after the card. */
function refused(app, problem) {
  open.form.wrong.clear();
  const lines = problem.split("\n");
  open.problems = lines.map((line) => {
    const [, path, what] = line.match(new RegExp(`${open.id}: ([^:]+): (.*)`)) ?? [];
    const field = path && fieldsNow().find(({ name }) => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`));
    if (!field) return line;
    open.form.wrong.set(path, what);
    return `${field.label ?? field.name}: ${what}`;
  });
  app.draw();
  document.querySelector("[data-key=problems]").focus();
}

async function look(app, card, values = {}) {
  try {
    begin(app, await get(`/cards/${card}`));
    Object.assign(open.form.values, values);
  } catch (error) {
    app.notice(error.message);
  }
  app.draw();
}

/** The card that is open in the language that people have just chosen; what they have put stays. */
function reworded(app) {
  open.lang = app.kept.lang;
  look(app, open.id, changed());
}

async function dealt(app, key) {
  held = { key, seat: view.seat, id: app.id, hands: held.id === app.id && held.seat === view.seat ? held.hands : [] };
  try {
    const { hands } = await get(`/games/${app.id}/hands`);
    if (held.key === key) held.hands = hands;
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
