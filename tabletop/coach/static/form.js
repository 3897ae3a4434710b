/** A form made of shapes: steppers, chips, lists to choose from, rows. What people have put stays, right or wrong. */

import { button, el } from "./dom.js";
import { say } from "./words.js";

const FEW = 6; // so many choices are chips
const STEPPERS = 8; // so many keys of a table of numbers have a stepper each

/** Where a form stands: what is put right there, what is wrong by path, and how it is drawn anew. */
export const formOf = (values, draw) => ({ values, wrong: new Map(), draw });

/** What a value of a shape begins with. */
export function blank(shape) {
  if (shape.kind === "number") return within(shape, 1);
  if (shape.kind === "flag") return false;
  if (shape.kind === "choice" || shape.kind === "sort") return shape.choices[0].value;
  if (shape.kind === "list") return Array.from({ length: shape.least ?? 0 }, () => blank(shape.of));
  if (shape.kind === "record") return filled(shape.fields);
  if (shape.kind === "kinds") return { [shape.tag]: shape.kinds[0].value, ...filled(shape.kinds[0].fields) };
  return shape.kind === "table" ? {} : "";
}

/** The fields of a record: what it had before, as far as it fits; else what they begin with. */
export function filled(fields, had = {}) {
  const found = {};
  for (const { name, shape, needed, default: usual } of fields) {
    if (name in had && fits(shape, had[name])) found[name] = had[name];
    else if (needed) found[name] = blank(shape);
    else if (usual !== null) found[name] = structuredClone(usual);
  }
  return found;
}

const within = ({ low = -Infinity, high = Infinity }, n) => Math.max(low, Math.min(high, n));
const chosen = (shape, value) => (shape.choices ?? []).some((one) => one.value === value);

function fits(shape, value) {
  if (shape.kind === "number") return chosen(shape, value) || (Number.isInteger(value) && within(shape, value) === value);
  if (shape.kind === "flag") return typeof value === "boolean";
  if (shape.kind === "table" && value?.constructor === Object) {
    return Object.entries(value).every(([key, one]) => fits(shape.keys, key) && fits(shape.of, one));
  }
  return shape.kind === "choice" && chosen(shape, value);
}

/** Whether what a value is put right with takes no more than a few lines. */
export const simple = (shape) => ["number", "flag", "choice", "sort", "text"].includes(shape.kind);

/**
 * What a value is put right with.
 * @param holder what holds it, by `key`; it is changed in place.
 * @param path where it stands in the card, as problems name it.
 * @param label what it is called, in full.
 */
export function editor(form, shape, holder, key, path, label) {
  const make = { number, flag, choice, sort: choice, text, list, table, record, kinds }[shape.kind] ?? any;
  const problem = form.wrong.get(path);
  return [make(form, shape, holder, key, path, label), problem && el("p", { class: "warn", id: wrongId(path) }, problem)];
}

const wrongId = (path) => `wrong-${path.replaceAll(" ", "_")}`;

/** What every control has: its name, whether it is wrong, and a key that keeps the focus. */
function marks(form, path, label, more = "") {
  const wrong = form.wrong.has(path);
  return { "aria-label": label, "aria-invalid": wrong && "true", "aria-describedby": wrong && wrongId(path),
    "data-key": `${path}${more}` };
}

function put(form, holder, key, value) {
  if (value === undefined) delete holder[key];
  else holder[key] = value;
  form.draw();
}

function number(form, shape, holder, key, path, label) {
  if (!shape.choices) return stepper(form, shape, holder, key, path, label);
  const word = chosen(shape, holder[key]);
  const choices = [{ value: "", words: say("a_number") }, ...shape.choices];
  return [
    chips(form, choices, word ? holder[key] : "", path, label, (to) => put(form, holder, key, to === "" ? within(shape, 1) : to)),
    !word && stepper(form, shape, holder, key, path, label),
  ];
}

/** A number with − and +; with `least`, what is not there counts so much, and so much is not there. */
function stepper(form, shape, holder, key, path, label, least) {
  const { low = -Infinity, high = Infinity } = shape;
  const now = () => (Number.isInteger(holder[key]) ? holder[key] : holder[key] === undefined ? least : low > 0 ? low : 0);
  const set = (n) => put(form, holder, key, n === least ? undefined : n);
  const typed = (event) => {
    const told = event.target.value.trim();
    if (least !== undefined && told === String(least)) delete holder[key];
    else holder[key] = /^-?\d{1,9}$/.test(told) ? Number(told) : told;
  };
  return el("div", { class: "number", role: "group", "aria-label": label },
    button("−", () => set(now() === low ? least : now() - 1), { "aria-label": say("less", { label }), "data-key": `${path}-`,
      disabled: now() <= (least ?? low) }),
    el("input", { type: "text", inputmode: "numeric", value: String(holder[key] ?? least ?? ""), oninput: typed,
      ...marks(form, path, label) }),
    button("+", () => set(Math.max(low, now() + 1)), { "aria-label": say("more", { label }), "data-key": `${path}+`,
      disabled: now() >= high }));
}

function flag(form, shape, holder, key, path, label) {
  return el("label", { class: "check" }, el("input", { type: "checkbox", checked: holder[key] === true,
    onchange: (event) => put(form, holder, key, event.target.checked), ...marks(form, path, label) }), label.split(" · ").at(-1));
}

/** One of some; `optional`: or none. */
function choice(form, shape, holder, key, path, label, optional = false) {
  const choices = optional ? [{ value: "", words: say("not_said") }, ...shape.choices] : shape.choices;
  const set = (to) => put(form, holder, key, to === "" ? undefined : to);
  const now = holder[key] ?? "";
  if (choices.length <= FEW) return chips(form, choices, now, path, label, set);
  return select(choices, now, { ...marks(form, path, label), onchange: (event) => set(event.target.value) });
}

const select = (choices, now, properties) => el("select", properties,
  choices.map(({ value, words }) => el("option", { value, selected: value === now }, words)));

function chips(form, choices, now, path, label, set) {
  return el("div", { class: "chips", role: "radiogroup", "aria-label": label }, choices.map(({ value, words }) =>
    el("label", { class: "chip" }, el("input", { type: "radio", name: path, value, checked: value === now,
      "data-key": `${path}=${value}`, onchange: () => set(value) }), el("span", {}, words))));
}

function text(form, shape, holder, key, path, label) {
  return el("input", { type: "text", value: holder[key], oninput: (event) => { holder[key] = event.target.value; },
    ...marks(form, path, label) });
}

/** Whatever has no better shape, as JSON; what is none is kept as it was typed. */
function any(form, shape, holder, key, path, label) {
  const typed = (event) => {
    try {
      holder[key] = JSON.parse(event.target.value);
    } catch {
      holder[key] = event.target.value;
    }
  };
  return el("textarea", { rows: 3, value: JSON.stringify(holder[key]), oninput: typed, ...marks(form, path, label) });
}

function list(form, shape, holder, key, path, label) {
  const items = holder[key];
  const row = (item, i) => {
    const name = `${label} ${i + 1}`;
    const up = () => {
      items.splice(i - 1, 0, ...items.splice(i, 1));
      form.draw();
    };
    const remove = () => {
      items.splice(i, 1);
      form.draw();
    };
    return el("li", { class: itemClass(shape.of) }, editor(form, shape.of, items, i, `${path}[${i}]`, name),
      el("p", { class: "row" },
        i > 0 && button("↑", up, { "aria-label": say("up", { label: name }), "data-key": `${path}[${i}]up` }),
        button(say("remove"), remove, { "aria-label": say("remove_it", { label: name }), "data-key": `${path}[${i}]x` })));
  };
  const add = () => {
    items.push(blank(shape.of));
    form.draw();
  };
  return [el("ol", { class: "plain items" }, items.map(row)),
    button(say("add"), add, { "aria-label": say("add_to", { label }), "data-key": `${path} add`, disabled: items.length >= shape.most })];
}

function table(form, shape, holder, key, path, label) {
  const rows = holder[key];
  if (shape.keys.kind !== "choice") return any(form, shape, holder, key, path, label);
  const { choices } = shape.keys;
  if (shape.of.kind === "number" && choices.length <= STEPPERS) {
    return choices.map(({ value, words }) => named(words,
      stepper(form, shape.of, rows, value, `${path}.${value}`, `${label} · ${words}`, 0), form.wrong.get(`${path}.${value}`), "line"));
  }
  const free = choices.filter(({ value }) => !(value in rows));
  const renamed = (was, to) => {
    holder[key] = Object.fromEntries(Object.entries(rows).map(([name, one]) => [name === was ? to : name, one]));
    form.draw();
  };
  const row = (name) => {
    const words = choices.find(({ value }) => value === name)?.words ?? name;
    const mine = choices.filter(({ value }) => value === name || !(value in rows));
    return el("li", { class: itemClass(shape.of) },
      select(mine, name, { "aria-label": `${label} · ${words}`, "data-key": `${path}.${name}=`,
        onchange: (event) => renamed(name, event.target.value) }),
      editor(form, shape.of, rows, name, `${path}.${name}`, `${label} · ${words}`),
      el("p", { class: "row" }, button(say("remove"), () => put(form, rows, name, undefined),
        { "aria-label": say("remove_it", { label: `${label} · ${words}` }), "data-key": `${path}.${name}x` })));
  };
  return [el("ul", { class: "plain items" }, Object.keys(rows).map(row)),
    free.length > 0 && button(say("add"), () => put(form, rows, free[0].value, blank(shape.of)),
      { "aria-label": say("add_to", { label }), "data-key": `${path} add`, disabled: Object.keys(rows).length >= shape.most })];
}

const named = (label, control, problem, more = "") => el("div", { class: `named ${more}` }, el("span", {}, label),
  el("div", {}, control), problem && el("p", { class: "warn" }, problem));
const itemClass = (shape) => (simple(shape) ? "item short" : "item");

function record(form, shape, holder, key, path, label) {
  return parts(form, shape.fields, holder[key], path, label);
}

/** The fields of a record, one under the other. */
function parts(form, fields, values, path, label) {
  return fields.map(({ name, label: own, shape, needed }) => {
    const full = `${label} · ${own}`;
    const inside = `${path}.${name}`;
    if (!needed && shape.kind === "choice") {
      return named(own, choice(form, shape, values, name, inside, full, true), form.wrong.get(inside));
    }
    if (name in values) return shape.kind === "flag" ? editor(form, shape, values, name, inside, full)
      : named(own, editor(form, shape, values, name, inside, full));
    return button(say("add_it", { label: own }), () => put(form, values, name, blank(shape)), { "data-key": `${inside} add` });
  });
}

/** A record that may be of several kinds: of another one it keeps what fits. */
function kinds(form, shape, holder, key, path, label) {
  const values = holder[key];
  const of = (kind) => shape.kinds.find(({ value }) => value === kind);
  const become = (event) => put(form, holder, key,
    { [shape.tag]: event.target.value, ...filled(of(event.target.value).fields, values) });
  return [
    select(shape.kinds, values[shape.tag], { ...marks(form, `${path}.${shape.tag}`, label), onchange: become }),
    parts(form, of(values[shape.tag]).fields, values, path, label),
  ];
}
