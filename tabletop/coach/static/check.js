/** Check: the board as the coach believes it, against the table; numbers can be put right. */

import { get } from "./api.js";
import { button, el, section } from "./dom.js";
import { say } from "./words.js";

const FEW = 12; // so many numbers are not folded
let known = { key: "", facts: [], fields: [] };
let changed = new Map(); // what people have put right and not yet saved

/** The screen; what is counted is fetched whenever the game has changed. */
export function checkScreen(app) {
  const state = app.state;
  const key = `${app.id} ${state.branch} ${state.rev} ${app.kept.lang} ${app.kept[`seat ${app.id}`] ?? ""}`;
  if (known.key !== key) fetched(app, key);
  const places = new Map(); // what people can put right comes first, in its order
  const at = (place) => places.get(place) ?? places.set(place, { facts: [], fields: [] }).get(place);
  known.fields.forEach((field, i) => at(field.zone).fields.push([field, i]));
  for (const fact of known.facts.filter((one) => one.number)) at(fact.place).facts.push(fact);
  return [
    el("p", {}, say("check_intro")),
    places.size > 0 && section(say("counted"),
      el("div", { class: "places" }, [...places].map(([place, here]) => placeView(app, place, here)))),
    places.size === 0 && el("pre", {}, state.describe),
    known.fields.length > 0 && section(say("fixing"), pools(),
      button(say("save"), () => save(app), { class: "main", disabled: changed.size === 0 })),
  ];
}

/** What lies at a place; it opens where it can be put right. */
function placeView(app, place, { facts, fields }) {
  const name = place || say("numbers");
  const lies = facts.map((fact) => `${fact.piece} ${fact.number}`).join(" · ");
  if (!fields.length) return el("div", { class: "place" }, el("h3", {}, name), el("p", {}, lies));
  const mark = fields.some(([, i]) => changed.has(i)) && el("b", { class: "changed" }, " ✎");
  return el("details", { class: "place", "data-key": `place ${place}`, open: known.fields.length <= FEW },
    el("summary", {}, el("b", {}, name), mark, lies && ` ${lies}`), fields.map(([field, i]) => stepper(app, field, i)));
}

const value = (field, i) => changed.get(i) ?? field.value;

function stepper(app, field, i) {
  const set = (to) => {
    const kept = Math.max(field.low, Math.min(field.high, to));
    if (kept === field.value) changed.delete(i);
    else changed.set(i, kept);
    app.draw();
  };
  const now = value(field, i);
  return el("div", { class: "stepper", role: "group", "aria-label": field.label },
    el("span", {}, field.label),
    button("−", () => set(now - 1),
      { "aria-label": say("less", { label: field.label }), "data-key": `less${i}`, disabled: now <= field.low }),
    el("output", { class: changed.has(i) && "changed" }, String(now)),
    button("+", () => set(now + 1),
      { "aria-label": say("more", { label: field.label }), "data-key": `more${i}`, disabled: now >= field.high }));
}

/** What is left of the pieces that were changed, and of those that are too many. */
function pools() {
  const used = new Map();
  known.fields.forEach((field, i) => {
    if (!field.pool) return;
    const { n = 0, touched = false } = used.get(field.pool) ?? {};
    used.set(field.pool, { total: field.total, n: n + value(field, i), touched: touched || changed.has(i) });
  });
  return [...used].filter(([, one]) => one.touched || one.n > one.total)
    .map(([pool, { total, n }]) => el("p", { class: n > total && "changed" }, say("left", { pool, n: total - n })));
}

async function save(app) {
  const position = [...changed].map(([i, to]) => ({ path: known.fields[i].path, value: to }));
  if (await app.change("fix", { position })) app.go("table");
}

async function fetched(app, key) {
  known = { ...known, key };
  changed = new Map();
  try {
    const told = await get(`/games/${app.id}/check`);
    if (known.key === key) known = { key, ...told };
  } catch (error) {
    app.notice(error.message);
  }
  app.draw();
}
