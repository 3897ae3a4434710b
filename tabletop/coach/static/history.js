/** History: all that was done, to look at, to put right, or to ask "what if". */

import { get, logAddress } from "./api.js";
import { button, el, headed, section } from "./dom.js";
import { sceneView } from "./scene.js";
import { say } from "./words.js";

let known = { key: "", things: [], lost: {} };
const MARKED = 0.03; // a loss of so much, beyond its interval, is marked
const sum = (numbers) => numbers.reduce((all, one) => all + one, 0);

/** The screen; the list is fetched whenever the game has changed. */
export function historyScreen(app) {
  const state = app.state;
  const key = `${app.id} ${state.branch} ${state.rev} ${app.kept.lang} ${app.kept[`seat ${app.id}`] ?? ""}`;
  if (known.key !== key) fetched(app, key);
  const clocks = new Map();
  for (const thing of known.things) clocks.set(thing.clock, [...(clocks.get(thing.clock) ?? []), thing]);
  const folds = [...clocks].reverse();
  return [
    section(say("history"),
      known.things.length === 0 && el("p", {}, say("nothing_yet")),
      folds.map(([clock, things], i) => el("details", { "data-key": `clock${clock}`, open: i === 0 },
        el("summary", {}, `${state.clock.name} ${clock ?? "?"} `, lostThen(things)),
        el("ol", { class: "plain things", reversed: true }, [...things].reverse().map((thing) => line(app, thing)))))),
    Object.keys(state.branches).length > 0 && section(say("what_ifs"), el("ul", { class: "plain" },
      Object.entries(state.branches).map(([branch, name]) => el("li", {}, button(name || `${say("what_if")} ${branch}`, () => {
        app.follow(branch);
        app.go("table");
      }))))),
    el("p", {}, el("a", { href: logAddress(app.id), download: `${app.id}.json` }, say("download"))),
  ];
}

async function fetched(app, key) {
  known = { key, ...(known.key.split(" ")[0] === app.id ? { things: known.things, lost: known.lost } : { things: [], lost: {} }) };
  try {
    const told = await get(`/games/${app.id}/history`);
    if (known.key === key) known = { key, things: told.things, lost: told.lost };
  } catch (error) {
    app.notice(error.message);
  }
  app.draw();
}

function line(app, thing) {
  const entries = thing.entries.map((entry) => el("p", {},
    entry.kind === "act" ? [headed(entry.who, entry.prompt), " ", el("strong", {}, entry.noticed || say("hidden"))]
      : say("put_right"),
    entry.was !== null && el("small", {}, say("corrected"))));
  const told = thing.deeds.length ? [thing.deeds.map((deed) => el("p", {}, deed)),
    el("details", { "data-key": `all${thing.thing}` }, el("summary", {}, say("choices_n", { n: entries.length })), entries)] : entries;
  return el("li", {}, told, lost(known.lost[thing.thing]),
    el("p", { class: "row" },
      thing.by && el("small", {}, thing.by),
      button(say("open"), () => opened(app, thing), { "data-key": `h${thing.thing}`,
        "aria-label": `${say("open")}: ${thing.entries.map((entry) => entry.noticed).join(" · ")}` })));
}

/** What a thing lost against the best that was known then, in points of the chance to win. */
function lost(less) {
  if (!less) return null;
  const [points, low, high] = less.map((share) => Math.round(share * 100));
  return el("p", { class: marked(less) ? "marked small" : "small" },
    points > 0 ? say("lost", { points, low, high }) : say("best_known"));
}

const marked = (less) => less[1] >= MARKED;

/** What was lost in a month, as far as it is known; the intervals of the choices are independent of one another. */
function lostThen(things) {
  const some = things.map((thing) => known.lost[thing.thing]).filter(Boolean);
  if (!some.length) return null;
  const points = sum(some.map((less) => less[0]));
  const side = (end) => Math.sqrt(sum(some.map((less) => (less[end] - less[0]) ** 2)));
  const [n, low, high] = [points, points - side(1), points + side(2)].map((share) => Math.round(share * 100));
  return el("small", { class: some.some(marked) && "marked" },
    say("lost_then", { points: n, low, high, n: some.length }));
}

/** What can be done with a thing of the past. */
function opened(app, thing) {
  const act = thing.entries.filter((entry) => entry.kind === "act" && entry.said);
  const goes = (words, at) => el("li", {}, button(words, async () => {
    box.close();
    if (await app.change("goto", { at })) app.go("table");
  }));
  const box = app.dialog(
    (thing.deeds.length ? thing.deeds : thing.entries.map((entry) => entry.noticed)).join(" · ") || say("put_right"),
    el("ul", { class: "plain" },
      el("li", {}, button(say("look"), () => look(app, thing.last))),
      act.map((entry) => el("li", {}, button(say("correct", { said: entry.said }), () => correct(app, entry)))),
      el("li", {}, button(say("start_what_if"), async () => {
        const state = await app.change("branch", { at: thing.last, name: thing.entries.at(-1).said ?? "" });
        box.close();
        if (state) {
          app.follow(state.new);
          app.go("table");
        }
      })),
      goes(say("go_here"), thing.last),
      thing.entries.flatMap((entry) => entry.others ?? []).map((other) =>
        goes(say("go_over", { said: other.said || say("put_right") }), other.n))),
  );
}

async function look(app, at) {
  try {
    const then = await get(`/games/${app.id}`, { at });
    app.dialog(say("looked"), sceneView(app, then), el("pre", {}, then.describe), el("p", {}, then.question));
  } catch (error) {
    app.notice(error.message);
  }
}

async function correct(app, entry) {
  try {
    const told = await get(`/games/${app.id}/choices`, { at: entry.n });
    const box = app.dialog(say("really"), el("p", {}, told.question), el("ul", { class: "plain options" },
      told.options.map((option) => el("li", {}, button(option.words, async () => {
        box.close();
        if (await app.change("fix", { at: told.n, answer: option.action })) app.go("table");
      }, { "aria-current": option.action === told.answer ? "true" : null })))));
  } catch (error) {
    app.notice(error.message);
  }
}
