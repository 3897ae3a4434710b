/** Check: the board as the coach believes it, against the table; numbers can be put right. */

import { get } from "./api.js";
import { button, el, section } from "./dom.js";
import { askAdvice } from "./table.js";
import { say } from "./words.js";

const FEW = 12; // so many numbers are not folded
const MANY = 30; // fields of one zone: only what differs from the first choice is listed, and what is looked for
let known = { key: "", table: "", facts: [], fields: [] };
let changed = new Map(); // what people have put right and not yet saved, by the fields' paths
let find = new Map(); // what is looked for in a long zone

/** The screen; what is counted is fetched whenever the game has changed. */
export function checkScreen(app) {
  const state = app.state;
  const table = `${app.id} ${state.branch} ${app.kept[`seat ${app.id}`] ?? ""}`;
  const key = `${table} ${state.rev} ${app.kept.lang}`;
  if (known.key !== key) fetched(app, key, table);
  const places = new Map(); // what people can put right comes first, in its order
  const at = (place) => places.get(place) ?? places.set(place, { facts: [], fields: [] }).get(place);
  known.fields.forEach((field, i) => at(field.zone).fields.push([field, i]));
  for (const fact of known.facts.filter((one) => one.number)) at(fact.place).facts.push(fact);
  const laid = state.laid && known.fields.length > 0; // nothing was done yet: people tell how it lies
  return [
    el("p", {}, say(laid ? "laid_intro" : "check_intro")),
    places.size > 0 && section(say("counted"),
      el("div", { class: "places" }, [...places].map(([place, here], i) => placeView(app, place, here, laid && i === 0)))),
    places.size === 0 && el("pre", {}, state.describe),
    known.fields.length > 0 && el("section", { class: "saving", "aria-label": say("fixing") }, pools(),
      laid ? button(say("save_laid"), () => told(app), { class: "main", "data-key": "save" })
        : button(say("save"), () => save(app), { class: "main", disabled: changed.size === 0, "data-key": "save" })),
  ];
}

/** What lies at a place; it opens where it can be put right. */
function placeView(app, place, { facts, fields }, opened) {
  const name = place || say("numbers");
  const lies = facts.map((fact) => `${fact.piece} ${fact.number}`).join(" · ");
  if (!fields.length) return el("div", { class: "place" }, el("h3", {}, name), el("p", {}, lies));
  const mark = fields.some(([field]) => isChanged(field)) && el("b", { class: "changed" }, " ✎");
  return el("details", { class: "place", "data-key": `place ${place}`, open: opened || known.fields.length <= FEW },
    el("summary", {}, el("b", {}, name), mark, lies && ` ${lies}`), shown(app, place, fields));
}

/** The fields of a place, or of many those that matter. */
function shown(app, place, fields) {
  const one = ([field, i]) => (field.choices.length ? select(app, field, i) : stepper(app, field, i));
  if (fields.length <= MANY || !fields.every(([field]) => field.choices.length)) return fields.map(one);
  const sought = (find.get(place) ?? "").toLowerCase();
  const matters = ([field]) => (sought ? field.label.toLowerCase().includes(sought)
    : isChanged(field) || field.value !== field.choices[0][0]);
  return [
    el("label", {}, say("find"), el("input", { type: "search", value: find.get(place) ?? "", "data-key": `find ${place}`,
      oninput: (event) => {
        find.set(place, event.target.value);
        app.draw();
      } })),
    fields.filter(matters).slice(0, MANY).map(one),
  ];
}

function select(app, field, i) {
  const now = value(field);
  return el("label", { class: isChanged(field) && "changed" }, field.label,
    el("select", { "data-key": `field${i}`, onchange: (event) => set(app, field, field.choices[event.target.value][0]) },
      field.choices.map(([to, label], n) => el("option", { value: n, selected: to === now }, label))));
}

function set(app, field, to) {
  if (to === field.value) changed.delete(path(field));
  else changed.set(path(field), to);
  app.draw();
}

const path = (field) => field.path.join("/");
const values = () => new Map(known.fields.map((field) => [path(field), field.value])); // as the game has them
const isChanged = (field) => changed.has(path(field));
const value = (field) => changed.get(path(field)) ?? field.value;

function stepper(app, field, i) {
  const now = value(field);
  const step = (by) => set(app, field, Math.max(field.low, Math.min(field.high, now + by)));
  return el("div", { class: "stepper", role: "group", "aria-label": field.label },
    el("span", {}, field.label),
    button("−", () => step(-1),
      { "aria-label": say("less", { label: field.label }), "data-key": `less${i}`, disabled: now <= field.low }),
    el("output", { class: isChanged(field) && "changed" }, String(now)),
    button("+", () => step(1),
      { "aria-label": say("more", { label: field.label }), "data-key": `more${i}`, disabled: now >= field.high }));
}

/** What is left of the pieces that were changed, and of those that are too many. */
function pools() {
  const used = new Map();
  known.fields.forEach((field) => {
    if (!field.pool) return;
    const { n = 0, touched = false } = used.get(field.pool) ?? {};
    used.set(field.pool, { total: field.total, n: n + value(field), touched: touched || isChanged(field) });
  });
  return [...used].filter(([, one]) => one.touched || one.n > one.total)
    .map(([pool, { total, n }]) => el("p", { class: n > total && "changed" }, say("left", { pool, n: total - n })));
}

async function save(app) {
  const position = known.fields.filter(isChanged).map((field) => ({ path: field.path, value: value(field) }));
  const state = await app.change("fix", { position });
  if (state) {
    changed = new Map();
    app.go("table");
  }
  return state;
}

/** How the table lies: then advice, without playing. */
async function told(app) {
  if (changed.size && !(await save(app))) return;
  app.go("table");
  if (app.advises && app.state.to_act >= 0) askAdvice(app);
}

async function fetched(app, key, table) {
  if (known.table !== table) {
    changed = new Map();
    find = new Map();
  }
  known = { ...known, key, table };
  try {
    const told = await get(`/games/${app.id}/check`);
    if (known.key !== key) return;
    const before = values();
    known = { key, table, ...told };
    if (overtaken(before)) app.notice(say("just_changed", { by: app.state.last.by || say("somebody") }));
  } catch (error) {
    app.notice(error.message);
  }
  app.draw();
}

/** Drops what was put right and not saved where the game says something else than it did; whether anything was lost. */
function overtaken(before) {
  let lost = false;
  const now = values();
  for (const [key, to] of [...changed]) {
    if (now.get(key) === before.get(key)) continue;
    changed.delete(key);
    lost ||= now.get(key) !== to; // another may have put it right as well
  }
  return lost;
}
