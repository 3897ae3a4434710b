/** Check: the board as the coach believes it, against the table; numbers can be put right. */

import { get } from "./api.js";
import { button, el, section } from "./dom.js";
import { say } from "./words.js";

let known = { key: "", facts: [], fields: [] };
let changed = new Map(); // what people have put right and not yet saved

/** The screen; what is counted is fetched whenever the game has changed. */
export function checkScreen(app) {
  const state = app.state;
  const key = `${app.id} ${state.branch} ${state.rev} ${app.kept.lang} ${app.kept[`seat ${app.id}`] ?? ""}`;
  if (known.key !== key) fetched(app, key);
  const zones = new Map();
  known.fields.forEach((field, i) => zones.set(field.zone, [...(zones.get(field.zone) ?? []), [field, i]]));
  const places = new Map();
  for (const fact of known.facts.filter((one) => one.number)) {
    places.set(fact.place, [...(places.get(fact.place) ?? []), fact]);
  }
  return [
    el("p", {}, say("check_intro")),
    places.size > 0 && section(say("counted"), [...places].map(([place, facts]) => el("div", { class: "place" },
      el("h3", {}, place || say("numbers")),
      el("ul", {}, facts.map((fact) => el("li", {}, `${fact.piece}: ${fact.number}`)))))),
    places.size === 0 && el("pre", {}, state.describe),
    known.fields.length > 0 && section(say("fixing"),
      [...zones].map(([zone, fields]) => el("fieldset", {}, el("legend", {}, zone),
        fields.map(([field, i]) => stepper(app, field, i)))),
      pools(),
      button(say("save"), () => save(app), { class: "main", disabled: changed.size === 0 })),
  ];
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

function pools() {
  const used = new Map();
  known.fields.forEach((field, i) => {
    if (field.pool) used.set(field.pool, { total: field.total, n: (used.get(field.pool)?.n ?? 0) + value(field, i) });
  });
  return [...used].map(([pool, { total, n }]) => el("p", {}, say("left", { pool, n: total - n })));
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
