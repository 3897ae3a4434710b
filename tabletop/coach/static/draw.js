/** Draw: what did the box bring? By number, by text, or as it was told before. */

import { button, el, section } from "./dom.js";
import { say } from "./words.js";

const MANY = 12; // so many outcomes are searched and not only listed
const NUMBER = /^\d{3}$/;
let sought = "";
let asked = "";

/** The part of the table's screen where a draw is told. */
export function drawSection(app, state) {
  if (asked !== `${app.id} ${state.rev}`) sought = "";
  asked = `${app.id} ${state.rev}`;
  const told = (action) => app.change("do", { answers: [action] });
  const first = state.remembered.map((action) => state.options.find((one) => one.action === action)).filter(Boolean);
  const list = el("ul", { class: "plain options draws" });
  const fill = () => list.replaceChildren(...found(state.options).map((option, i) => el("li", {},
    button(option.words, () => told(option.action), { "data-key": `o${option.action}`,
      "data-number": app.kept.keys && state.options.length <= MANY && i < 9 && i + 1 }))));
  fill();
  const search = el("input", { type: "search", inputmode: "search", value: sought, "data-key": "find", oninput: (event) => {
    sought = event.target.value;
    fill();
    const some = found(state.options); // a printed number in full names one card: nothing is left to tap
    if (NUMBER.test(sought) && some.length === 1) told(some[0].action);
  }, onkeydown: (event) => {
    const some = found(state.options);
    if (event.key === "Enter" && some.length === 1) told(some[0].action);
  } });
  return section(
    say("drawn"),
    first.length > 0 && el("div", {}, el("p", {}, say("before_back")), el("p", { class: "row" },
      first.map((option) => button(option.words, () => told(option.action), { "data-key": `b${option.action}` })))),
    state.options.length > MANY && el("label", {}, say("find"), search),
    list,
    el("p", {}, button(say("coach_draws"), () => told(null))),
  );
}

function found(options) {
  const words = sought.toLowerCase().split(/\s+/).filter(Boolean);
  return options.filter((option) => {
    const text = [option.words, ...option.also].join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
