/** Many choices at once: pieces are counted where they come to lie, and entered together. */

import { get } from "./api.js";
import { button, el } from "./dom.js";
import { say } from "./words.js";

/** Opens the sheet of what is asked. */
export async function openSheet(app) {
  let told;
  try {
    told = await get(`/games/${app.id}/sheet`);
  } catch (error) {
    app.notice(error.message);
    return;
  }
  let refused = "";
  const numbers = new Map(told.rows.map((row) => [row, 0]));
  const must = told.rows.filter((row) => !told.pools[row.pool].optional);
  const sum = (rows) => rows.reduce((n, row) => n + numbers.get(row), 0);
  /** How many more there may be of a row. */
  const free = (row) => {
    const pool = told.pools[row.pool];
    const left = pool.total - sum(told.rows.filter((other) => other.pool === row.pool));
    return pool.optional ? left : Math.min(left, told.n - sum(must));
  };
  const places = new Map();
  for (const row of told.rows) places.set(row.place, [...(places.get(row.place) ?? []), row]);
  const fill = (rows) => rows.filter((row) => must.includes(row)).forEach((row) => numbers.set(row, numbers.get(row) + free(row)));
  const enter = async () => {
    const given = Object.fromEntries([...numbers].filter(([, n]) => n).map(([row, n]) => [row.fact, n]));
    const state = await app.change("fill", { rev: told.rev, numbers: given }, (problem) => {
      refused = problem;
      draw();
    });
    if (state) document.getElementById("dialog").close();
  };
  const stepper = (row) => el("div", { class: "stepper" }, el("span", {}, row.piece),
    button("\u2212", () => step(row, -1), { disabled: numbers.get(row) === 0, "aria-label": say("less", { label: `${row.place} ${row.piece}` }), "data-key": `-${row.fact}` }),
    el("output", {}, String(numbers.get(row))),
    button("+", () => step(row, 1), { disabled: free(row) <= 0, "aria-label": say("more", { label: `${row.place} ${row.piece}` }), "data-key": `+${row.fact}` }));
  const step = (row, by) => {
    numbers.set(row, numbers.get(row) + by);
    refused = "";
    draw();
  };
  const draw = () => {
    const focused = document.activeElement?.dataset.key;
    const left = told.n - sum(must);
    app.dialog(say("at_once"),
      el("p", { role: "status" }, refused || (left ? say("still_left", { n: left }) : say("none_left"))),
      [...places].map(([place, rows]) => el("fieldset", { "aria-label": place }, el("div", { class: "place-name" }, place,
        rows.some((row) => must.includes(row)) && button(say("all_here"), () => {
          fill(rows);
          refused = "";
          draw();
        }, { "data-key": `all ${place}`, "aria-label": say("all_at", { place }), disabled: !rows.some((row) => must.includes(row) && free(row) > 0) })),
        rows.map(stepper))),
      el("p", {}, button(say("enter_sheet"), enter, { class: "main", disabled: sum(told.rows) === 0 })));
    if (focused) [...document.querySelectorAll("#dialog [data-key]")].find((one) => one.dataset.key === focused)?.focus();
  };
  draw();
}
