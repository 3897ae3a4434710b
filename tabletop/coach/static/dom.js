/** Elements from names, properties and children. Text is always set as text. */

/** An element. Properties: `on...` are listeners, `data-...`, `aria-...` and other attributes are set as they are. */
export function el(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key === "value") made.value = value;
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat(9).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

/** A question, with who is asked before it where its own words do not begin with that. */
export const headed = (who, question) => (question.startsWith(who) ? [question] : [el("b", {}, who), " ", question]);

/** A button; `key` keeps the focus on it when the screen is drawn anew. */
export function button(text, click, properties = {}) {
  return el("button", { type: "button", onclick: click, "data-key": text, ...properties }, text);
}

/** A section with a heading that names it. */
export function section(title, ...children) {
  const id = `s-${Math.random().toString(36).slice(2)}`;
  return el("section", { "aria-labelledby": id }, el("h2", { id }, title), ...children);
}

/** Shows children in an element; the focus stays where it was if there is the like of it, and so does what is typed. */
export function show(where, ...children) {
  const focused = where.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  const { value, selectionStart, selectionEnd } = focused ? document.activeElement : {};
  const opened = new Set([...where.querySelectorAll("details[data-key][open]")].map((one) => one.dataset.key));
  where.replaceChildren(...children.flat(9).filter(Boolean));
  for (const one of where.querySelectorAll("details[data-key]")) if (opened.has(one.dataset.key)) one.open = true;
  if (focused === undefined) return;
  const same = [...where.querySelectorAll("[data-key]")].find((one) => one.dataset.key === focused);
  if (same) {
    same.focus({ preventScroll: true });
    if (same.matches("input[type=text]") && value) same.value = value; // what is looked for each screen knows itself
    if (same.matches("input[type=search], input[type=text]")) same.setSelectionRange(selectionStart, selectionEnd);
  } else where.focus({ preventScroll: true });
}
