/** The coach's page: which screen is shown, what the server tells, and what people answer. */

import { Refusal, get, listen, post, refusal, view, whole } from "./api.js";
import { cardsScreen } from "./cards.js";
import { checkScreen } from "./check.js";
import { button, el, show } from "./dom.js";
import { historyScreen } from "./history.js";
import { startScreen } from "./start.js";
import { heading, numbered, tableScreen } from "./table.js";
import { load, say, speak } from "./words.js";

const SCREENS = { table: tableScreen, cards: cardsScreen, history: historyScreen, check: checkScreen };
const at = (id) => document.getElementById(id);

/** What is known; screens read it, and change things by its functions alone. */
export const app = {
  id: null, screen: "start", state: null, here: [], advice: null, advises: false, cards: false, hands: false, editions: false, online: true,
  kept: { lang: navigator.language.startsWith("ja") ? "ja" : "en", by: "", keys: true, ahead: true, seconds: "5", ...stored() },

  /** Keeps a setting on this phone. */
  keep(changes) {
    Object.assign(app.kept, changes);
    try {
      localStorage.setItem("coach", JSON.stringify(app.kept));
    } catch { /* a phone may refuse to keep things */ }
    settle();
  },

  /** Goes to a screen. */
  go(screen, id = app.id) {
    location.hash = screen === "start" ? "#/" : `#/${id}/${screen}`;
  },

  /** Changes the game as it is shown: if something was entered meanwhile, that is shown and nothing is changed. What is
   * wrong is told to `refused`. */
  async change(name, body = {}, refused = notice) {
    if (!app.online) return null;
    const asked = shown(); // something else may be shown when the answer comes
    try {
      const state = await post(`/games/${app.id}/${name}`, { rev: app.state.rev, ...body });
      if (asked !== shown()) return null;
      take(state);
      return state;
    } catch (error) {
      if (asked !== shown()) return null;
      if (error.status === 409) {
        at("dialog").close(); // what it asked is asked no more
        take(error.told.state);
        notice(entered(error.told.state));
      } else refused(error.message);
      return null;
    }
  },

  /** Another branch is looked at; "game" is the game itself. */
  follow(branch) {
    view.branch = branch;
    connect();
  },

  /** Somebody's phone, or the table's (null). */
  sit(seat) {
    app.keep({ [`seat ${app.id}`]: seat });
    view.seat = seat;
    connect();
  },

  notice, draw, dialog,
};

/** Which game, branch and seat are shown. */
function shown() {
  return [app.id, view.branch, view.seat].join(" ");
}

function stored() {
  try {
    return JSON.parse(localStorage.getItem("coach")) ?? {};
  } catch {
    return {};
  }
}

function settle() {
  speak(app.kept.lang);
  view.lang = app.kept.lang;
  view.by = app.kept.by;
}

// What the server tells

let events = null;

function connect() {
  events?.close();
  events = null;
  if (!app.id) return;
  const mine = (events = listen(app.id, app.kept.ahead));
  mine.addEventListener("open", () => online(true));
  mine.addEventListener("error", async () => {
    if (mine !== events) return;
    online(false);
    if (mine.readyState !== EventSource.CLOSED) return notice(say("offline")); // in place of what was told meanwhile
    const why = await refusal(app.id);
    if (mine !== events) return;
    if (why) notice(why.status === 401 ? say("entrance") : why.message);
    else notice(say("offline"));
    setTimeout(() => mine === events && connect(), 2000);
  });
  mine.addEventListener("state", (event) => mine === events && take(whole(JSON.parse(event.data))));
  mine.addEventListener("advice", (event) => {
    if (mine !== events) return;
    app.advice = JSON.parse(event.data);
    draw();
    if (app.advice.done && app.advice.plans.length) live(say("advice_done"));
  });
  mine.addEventListener("here", (event) => {
    if (mine !== events) return;
    app.here = JSON.parse(event.data).here;
    top();
  });
}

function online(yes) {
  if (yes === app.online) return;
  app.online = yes;
  document.body.classList.toggle("away", !yes);
  at("main").inert = !yes;
  at("notice").classList.toggle("stays", !yes);
  if (yes) notice("");
  else notice(say("offline"));
  if (yes) learnAnew();
}

let later = 0;

/** The coach that answers may be another one, or the first that this page hears. */
async function learnAnew() {
  clearTimeout(later);
  try {
    await learn();
  } catch {
    later = setTimeout(() => app.online && learnAnew(), 2000);
    return;
  }
  draw();
}

/** What the coach that answers offers. */
async function learn() {
  ({ advises: app.advises, cards: app.cards, hands: app.hands, editions: app.editions } = await get("/games"));
}

/** Takes in a newer state. */
function take(state) {
  const old = app.state;
  if (old && old.branch === state.branch && state.rev < old.rev) return;
  if (!old || old.rev !== state.rev || old.branch !== state.branch) app.advice = null;
  if (old?.rev === state.rev && JSON.stringify(old) === JSON.stringify(state)) return; // told twice
  app.state = state;
  view.branch = state.branch;
  draw();
  at("main").dataset.rev = state.rev; // which line of the log is shown: tests wait for it
  const asks = heading(state).textContent;
  if (!old || asks !== heading(old).textContent) live(asks);
}

function entered(state) {
  const last = state.last;
  const by = last.by || say("somebody");
  return last.noticed ? say("just_entered", { by, said: last.noticed }) : say("just_changed", { by });
}

// The page

let waiting = 0;

function notice(text) {
  clearTimeout(waiting);
  if (at("notice").textContent !== text) at("notice").textContent = text; // said aloud once
  at("notice").hidden = !text;
  if (text && app.online) waiting = setTimeout(() => notice(""), 8000);
}

function live(text) {
  at("live").textContent = text;
}

function top() {
  const state = app.state;
  if (app.screen === "start" || !state) {
    show(at("top"), el("h1", {}, say("coach")));
    return;
  }
  const here = app.here.map((name) => name || say("somebody"));
  const many = here.length > 1; // who is alone knows that
  const names = [...new Set(here)].map((name) => {
    const n = here.filter((other) => other === name).length;
    return n > 1 ? `${name} ×${n}` : name;
  }).join(", ");
  show(
    at("top"),
    el("h1", {}, state.title || say("untitled")),
    el("p", {}, [state.clock.value > 0 && `${state.clock.name} ${state.clock.value}`, state.stage, many && say("here", { names })]
      .filter(Boolean).join(" · ")),
    state.goal && goal(state.goal),
  );
}

/** What wins: always in sight, in full when it is opened. */
function goal(text) {
  const [first, ...lines] = text.split("\n").map((line) => line.replace(/^\s*-\s*/, "").trim()).filter(Boolean);
  if (!lines.length) return el("p", { class: "goal" }, first);
  return el("details", { class: "goal", "data-key": "goal" },
    el("summary", {}, el("b", {}, say("goal")), ` ${lines.join(" · ")}`), el("p", {}, first));
}

function bar() {
  const screens = app.id ? ["table", ...(app.cards || app.hands ? ["cards"] : []), "history", "check", "start"] : [];
  at("bar").hidden = !screens.length;
  at("bar").setAttribute("aria-label", say("screens"));
  show(
    at("bar"),
    ...screens.map((screen) =>
      button(say(screen), () => app.go(screen), { "aria-current": screen === app.screen ? "page" : null })),
  );
}

/** Draws everything that is shown now. */
function draw() {
  document.title = app.state && app.id ? `${app.state.question} — ${say("coach")}` : say("coach");
  at("skip").textContent = say("skip");
  top();
  bar();
  if (app.screen === "start") return;
  if (!app.state) show(at("main"), el("p", {}, say("waiting")));
  else show(at("main"), SCREENS[app.screen](app));
}

/** A dialog with a title; it is closed with its button or Esc. */
function dialog(title, ...children) {
  const box = at("dialog");
  box.replaceChildren(
    el("h2", { id: "dialog-title" }, title), ...children.flat(9).filter(Boolean),
    button(say("close"), () => box.close()),
  );
  if (!box.open) box.showModal();
  return box;
}

async function route() {
  at("dialog").close();
  const [, id, screen] = location.hash.split("/");
  const next = id || null;
  app.screen = next ? (screen in SCREENS ? screen : "table") : "start";
  if (next !== app.id) {
    app.id = next;
    app.state = app.advice = null;
    view.branch = "game";
    view.seat = app.kept[`seat ${next}`] ?? null;
    online(true);
    connect();
  }
  draw();
  if (app.screen === "start") await startScreen(app, at("main"));
  at("main").focus({ preventScroll: true });
  scrollTo(0, 0);
}

function pressed(event) {
  const typing = event.target.closest("input:not([type=checkbox]), textarea, select, dialog");
  const held = event.repeat && !event.key.startsWith("Arrow"); // the next answer would be to another question
  if (!app.kept.keys || typing || held || event.ctrlKey || event.altKey || event.metaKey || !app.state) return;
  if (event.key === "?") dialog(say("keys"), el("p", {}, say("keys_help")));
  else if (event.key === "Escape" && app.screen !== "table") app.go("table");
  else if (app.screen !== "table") return;
  else if (event.key === "u" && app.state.can_undo) app.change("undo");
  else if (event.key === "r" && app.state.can_redo) app.change("redo");
  else if (/^[1-9]$/.test(event.key)) {
    const option = numbered(app.state)[Number(event.key) - 1];
    if (option) app.change("do", { answers: [option.action] });
  } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    const all = [...document.querySelectorAll(".options button")];
    if (!all.length) return;
    const next = all.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1);
    all[(next + all.length) % all.length].focus();
  } else return;
  event.preventDefault();
}

async function begin() {
  await load();
  settle();
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (token) {
    history.replaceState(null, "", "#/"); // so that nobody reads it off the screen, or bookmarks it
    try {
      await post("/enter", { token });
    } catch (error) {
      notice(error.message);
    }
  }
  if (isSecureContext) navigator.serviceWorker?.register("/worker.js", { updateViaCache: "none" }).catch(() => {}); // works without
  addEventListener("hashchange", route);
  at("skip").addEventListener("click", (event) => {
    event.preventDefault(); // what follows # names the screen
    at("main").focus();
  });
  addEventListener("keydown", pressed);
  try {
    await learn();
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) {
      top();
      show(at("main"), el("p", {}, say("entrance")));
      return;
    }
    later = setTimeout(learnAnew, 2000);
  }
  await route();
}

begin();
