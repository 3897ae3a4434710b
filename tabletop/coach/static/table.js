/** Table: what is asked, what to move, what may be chosen, and advice. */

import { button, el, headed, section } from "./dom.js";
import { drawSection } from "./draw.js";
import { sceneView } from "./scene.js";
import { openSheet } from "./sheet.js";
import { say } from "./words.js";

const LAST = "done"; // the group of choices that end something: apart from all others, and last
const CHANCE = -1;
const NOBODY = -2;
const MANY_TIMES = 4;
const COSTLY = 0.03; // of the chance to win: what ending the turn now costs is told beside it
const STEPS = 8; // of a plan; the others are folded
const LONGEST = 120; // seconds of a search that goes on until it is sure
const done = new Map(); // which things on the board are ticked off, by game and line

/** Options in the order in which they are listed and numbered. */
export function numbered(state) {
  return [...state.options].sort((a, b) => (a.group === LAST) - (b.group === LAST));
}

/** What is asked, and who is; at the end nobody is. */
export const heading = (state) => el("p", { class: "question" }, headed(state.to_act === NOBODY ? "" : state.who, state.question));

/** The screen. */
export function tableScreen(app) {
  const state = app.state;
  return [
    state.branch !== "game" && whatIf(app, state),
    heading(state),
    state.waits && el("p", {}, say("waits", { who: state.who })),
    todo(app, state),
    checkNow(app, state),
    offered(app, state),
    sceneView(app, state, (options) => pick(app, options)),
    app.advises && state.to_act >= 0 && state.options.length > 0 && advice(app, state),
    state.to_act === CHANCE ? state.options.length > 0 && drawSection(app, state) : options(app, state),
    el("p", { class: "row" },
      button(say("undo"), () => app.change("undo"), { disabled: !state.can_undo }),
      button(say("redo"), () => app.change("redo"), { disabled: !state.can_redo })),
    el("details", { "data-key": "describe" }, el("summary", {}, say("in_words")), el("pre", {}, state.describe)),
    seats(app, state),
  ];
}

function pick(app, options) {
  if (options.length === 1) app.change("do", { answers: [options[0].action] });
  else {
    const { rev } = app.state; // what is answered is what is asked now
    const box = app.dialog(say("choices"), el("ul", { class: "plain" }, options.map((option) => el("li", {},
      button(option.words, () => {
        box.close();
        app.change("do", { rev, answers: [option.action] });
      })))));
  }
}

function options(app, state) {
  if (!state.options.length) return null;
  const groups = new Map();
  for (const one of numbered(state)) groups.set(one.group, [...(groups.get(one.group) ?? []), one]);
  let number = 0;
  const list = ([name, some]) =>
    el("ul", { class: name === LAST ? "plain options last" : "plain options", "aria-label": name },
      some.map((option) => {
        number += 1;
        const cost = name === LAST && app.advice?.end?.less?.[0] >= COSTLY && el("small", { class: "warn" }, app.advice.ending);
        return el("li", { class: "row" }, button(option.words, () => app.change("do", { answers: [option.action] }),
          { "data-key": `o${option.action}`, "data-number": app.kept.keys && number < 10 && number }), again(app, option), cost);
      }));
  return section(say("choices"), state.sheet && el("p", {}, button(say("at_once"), () => openSheet(app))),
    [...groups].map(list));
}

/** The same several times, where the same is asked again: one tap for what is one thing on the table. */
function again(app, option) {
  const most = option.times;
  const counts = most > MANY_TIMES ? [2, 3, most] : Array.from({ length: most - 1 }, (_, i) => i + 2);
  return counts.map((n) => button(`×${n}`, () => app.change("do", { answers: Array(n).fill(option.action) }),
    { "data-key": `o${option.action}x${n}`, "aria-label": say("times", { words: option.words, n }), class: "times" }));
}

function todo(app, state) {
  if (!state.todo.length) return null;
  if (state.last.kind === "correct") return wasPutRight(state);
  const key = `${app.id} ${state.branch} ${state.last.n} ${state.at}`;
  if (!done.has(key)) done.set(key, new Set());
  const ticked = done.get(key);
  if (ticked.size === state.todo.length) return null;
  let stage = null;
  const items = state.todo.map((one, i) => {
    const headline = one.stage !== stage && one.stage ? el("li", { class: "stage" }, one.stage) : null;
    stage = one.stage;
    const box = el("input", { type: "checkbox", "data-key": `t${i}`, checked: ticked.has(i), onchange: () => {
      if (!ticked.delete(i)) ticked.add(i);
      app.draw();
    } });
    return [headline, el("li", {}, el("label", { class: "check" }, box, el("span", {}, one.text), !one.own && el("small", {}, say("by_itself"))))];
  });
  return section(
    say("do_board", { n: ticked.size, all: state.todo.length }),
    el("ul", { class: "plain todo", tabindex: state.todo.length > 6 && "0", "aria-label": say("do_board", { n: ticked.size, all: state.todo.length }) }, items),
    button(say("all_done"), () => {
      state.todo.forEach((one, i) => ticked.add(i));
      app.draw();
    }),
  );
}

/** What somebody has put right on the screen Check: it lies like that already. */
function wasPutRight(state) {
  return el("details", { class: "todo", "data-key": "put right" }, el("summary", {}, say("put_right")),
    el("ul", { class: "plain" }, state.todo.map((one) => el("li", {}, one.text))));
}

/** Where a new month or round has begun: people are asked to look whether all lies as it should. */
function checkNow(app, state) {
  const key = `clock ${app.id}`;
  const last = app.kept[key] ?? state.clock.value;
  if (last === state.clock.value && key in app.kept) return null;
  if (!(key in app.kept) || state.clock.value < last || state.branch !== "game") {
    if (state.branch === "game") app.keep({ [key]: state.clock.value });
    return null;
  }
  const seen = () => app.keep({ [key]: state.clock.value });
  return el("p", { class: "row" }, say("check_now", { name: state.clock.name }),
    button(say("check"), () => {
      seen();
      app.go("check");
    }, { "data-key": "check now" }),
    button(say("close"), () => {
      seen();
      app.draw();
    }, { "data-key": "not now" }));
}

function offered(app, state) {
  if (!state.offered.length) return null;
  const answers = state.offered.map((one) => one.action);
  return section(
    say("as_before"),
    el("p", {}, state.offered.map((one) => one.words).join(" · ")),
    el("p", { class: "row" },
      answers.length > 1 && button(say("enter_all", { n: answers.length }), () => app.change("do", { answers: answers.slice(0, 64) })),
      button(say("enter_one", { words: state.offered[0].words }), () => app.change("do", { answers: answers.slice(0, 1) }))),
  );
}

function whatIf(app, state) {
  return el("div", { class: "whatif" },
    el("p", {}, say("in_what_if", { name: state.branches[state.branch] || say("what_if") })),
    el("p", { class: "row" },
      button(say("to_game"), () => app.follow("game")),
      button(say("adopt"), () => app.change("adopt")),
      button(say("drop"), () => app.change("drop"))));
}

/** Asks what to do, for as long as this phone wishes. */
export function askAdvice(app) {
  const sure = app.kept.seconds === "sure";
  app.change("advice", { budget: sure ? LONGEST : Number(app.kept.seconds), until_sure: sure });
}

/** What the advisor has found so far: plans as lists of steps, best first, and what ending the turn now would cost. */
function advice(app, state) {
  const told = app.advice;
  const letter = (i) => String.fromCharCode(65 + i);
  const why = (reasons, key) => reasons.length > 0 && el("details", { "data-key": key },
    el("summary", {}, say("why_title")), el("ul", {}, reasons.map((one) => el("li", {}, one.text))));
  const steps = (words) => words.map((step) => el("li", {}, step));
  const inside = (one, i) => [
    el("ol", { class: "steps" }, steps(one.words.slice(0, STEPS))),
    one.words.length > STEPS && el("details", { "data-key": `steps${i}` },
      el("summary", {}, say("more_steps", { n: one.words.length - STEPS })),
      el("ol", { class: "steps", start: STEPS + 1 }, steps(one.words.slice(STEPS)))),
    why(one.why, `why${i}`),
    button(say("do_plan", { letter: letter(i) }), () => app.change("do", { answers: one.actions })),
  ];
  const title = (one, i) => [el("b", {}, say("plan", { letter: letter(i) })), " ", el("span", { class: "figure" }, one.text)];
  const plan = (one, i) => el("li", {}, i === 0 ? [el("p", {}, title(one, i)), inside(one, i)]
    : el("details", { "data-key": `plan${i}` }, el("summary", {}, title(one, i)), inside(one, i)));
  const budgets = [["1", say("seconds", { n: 1 })], ["5", say("seconds", { n: 5 })], ["30", say("seconds", { n: 30 })],
    ["sure", say("until_sure")]];
  const think = el("select", { "data-key": "seconds", onchange: (event) => app.keep({ seconds: event.target.value }) },
    budgets.map(([value, text]) => el("option", { value, selected: value === app.kept.seconds }, text)));
  return section(
    say("advice"),
    el("p", { class: "row asking" }, button(say("ask_advice"), () => askAdvice(app)), el("label", {}, el("span", { class: "unseen" }, say("think")), think),
      told && !told.done && el("span", { class: "small" }, say("thinking"))),
    told?.error && el("p", {}, told.error),
    told?.plans.length > 0 && [
      el("ol", { class: "plain plans" }, told.plans.map(plan)),
      told.ending && el("p", { class: "ending" }, told.ending),
      told.end && why(told.end.why, "why end"),
      el("p", { class: "small" }, told.basis),
      told.sure && el("p", { class: "small" }, say("sure")),
    ],
  );
}

function seats(app, state) {
  const now = app.kept[`seat ${app.id}`] ?? null;
  const choose = (event) => app.sit(event.target.value === "" ? null : Number(event.target.value));
  return el("label", {}, say("whose"), el("select", { onchange: choose, "data-key": "seat" },
    el("option", { value: "", selected: now === null }, say("the_table")),
    state.seats.map((name, seat) => el("option", { value: seat, selected: seat === now }, name))));
}
