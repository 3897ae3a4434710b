/** The table as a picture that can be touched: whatever is touched is also in a list. */

import { button, el } from "./dom.js";
import { say } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
const TOUCH = 44; // CSS pixels around a place
const SMALLEST = 12; // CSS pixels of a label
const SLACK = 0.06; // by which labels may reach into one another on each side, as a share of their size
const LIGHT = "#ffffff"; // ink on dark pieces
const CLOSEST = 8; // times larger than all of it, at most
const FIRST = 2.5; // and at first
let shown = null; // which part is shown, and of what question

/** Makes texts large enough to read, moves them into the picture, and hides those that would lie on another: what is
 * asked first, then the largest. */
function label(picture, scale, touchable, width) {
  const texts = [...picture.querySelectorAll("text")];
  const weight = (text) => (touchable.has(text.dataset.id) ? 100 : 0) + Number(text.dataset.size);
  const sizeOf = (text) => Math.max(Number(text.dataset.size), SMALLEST / scale);
  for (const text of texts) text.dataset.wide ??= text.getComputedTextLength() / text.dataset.size; // once for all
  for (const text of texts) {
    text.setAttribute("font-size", sizeOf(text));
    text.classList.toggle("grown", sizeOf(text) > text.dataset.size * 1.15 && text.getAttribute("fill") !== LIGHT);
  }
  const taken = [];
  for (const text of texts.sort((a, b) => weight(b) - weight(a))) {
    const [size, x, y] = [sizeOf(text), Number(text.dataset.x), Number(text.getAttribute("y"))];
    const wide = text.dataset.wide * size;
    const wanted = x - { start: 0, middle: wide / 2, end: wide }[text.getAttribute("text-anchor")];
    const left = Math.max(0, Math.min(wanted, width - wide));
    const box = [left + size * SLACK, y - size * 0.78, left + wide - size * SLACK, y + size * 0.08];
    const free = !taken.some((one) => one[0] < box[2] && box[0] < one[2] && one[1] < box[3] && box[1] < one[3]);
    text.setAttribute("x", x + left - wanted);
    text.setAttribute("visibility", free ? "visible" : "hidden");
    if (free) taken.push(box);
  }
}

/** CSS pixels of one unit of the scene. */
function scaleOf(picture) {
  const { width, height } = shown.part ?? { width: 1, height: 1 };
  return Math.min(picture.clientWidth / width, picture.clientHeight / height) || 1;
}

function svg(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null) made.setAttribute(key, value);
  }
  return made;
}

function drawn(item) {
  const paint = { fill: item.fill ?? "none", stroke: item.stroke, "stroke-width": item.width };
  const [[x, y], [right, bottom] = []] = item.points;
  const points = item.points.map((point) => point.join(",")).join(" ");
  if (item.form === "circle") return svg("circle", { cx: x, cy: y, r: item.radius, ...paint });
  if (item.form === "rect") {
    return svg("rect", { x: Math.min(x, right), y: Math.min(y, bottom), width: Math.abs(right - x),
      height: Math.abs(bottom - y), rx: item.radius, ...paint });
  }
  if (item.form === "polygon") return svg("polygon", { points, ...paint });
  if (item.form === "line") {
    return svg("polyline", { points, ...paint, fill: "none", "stroke-dasharray": item.dash?.join(" "),
      "stroke-linecap": "round", "stroke-linejoin": "round" });
  }
  const text = svg("text", { x, y, "font-size": item.size, "text-anchor": item.anchor ?? "start", fill: item.fill });
  text.dataset.size = item.size;
  text.dataset.x = x;
  text.textContent = item.text;
  return text;
}

/** Where each id lies: the corners of each of its items. */
function spots(scene) {
  const found = new Map();
  for (const layer of scene.layers) {
    for (const item of layer.items) {
      if (!item.id || item.form === "text") continue; // names are only beside what is touched
      const reach = item.form === "circle" ? item.radius ?? 0 : 0;
      const [xs, ys] = [0, 1].map((axis) => item.points.map((point) => point[axis]));
      const box = [Math.min(...xs) - reach, Math.min(...ys) - reach, Math.max(...xs) + reach, Math.max(...ys) + reach];
      found.set(item.id, [...(found.get(item.id) ?? []), box]);
    }
  }
  for (const layer of scene.layers) { // a text alone is touched where it begins
    for (const item of layer.items) {
      if (item.id && !found.has(item.id)) found.set(item.id, [[...item.points[0], ...item.points[0]]]);
    }
  }
  return found;
}

/** The part around what is asked about, in the shape of the picture; all of it if nothing is asked there. */
function first(scene, boxes, shape) {
  const all = { x: 0, y: 0, width: scene.width, height: scene.height };
  if (!boxes.length) return all;
  const margin = Math.max(scene.width, scene.height) / 12;
  const left = Math.min(...boxes.map((box) => box[0])) - margin;
  const top = Math.min(...boxes.map((box) => box[1])) - margin;
  const right = Math.max(...boxes.map((box) => box[2])) + margin;
  const bottom = Math.max(...boxes.map((box) => box[3])) + margin;
  const width = Math.min(scene.width, Math.max(right - left, (bottom - top) * shape, scene.width / FIRST));
  const height = Math.min(scene.height, width / shape);
  return within(scene, (left + right - width) / 2, (top + bottom - height) / 2, width, height);
}

/** The picture with its buttons; `pick` is told the options of the place that was touched. */
export function sceneView(app, state, pick = null) {
  const scene = state.scene;
  if (!scene) return null;
  const places = spots(scene);
  const options = pick ? state.options.filter((one) => places.has(one.place)) : [];
  const asked = `${app.id} ${state.branch} ${state.at} ${state.question}`;
  if (shown?.asked !== asked) shown = { asked, part: null, boxes: options.flatMap((one) => places.get(one.place)) };
  const picture = svg("svg", { role: "img", "aria-label": say("map"), class: "scene" });
  const touchable = new Set(options.map((one) => one.place));
  const texts = svg("g", {}); // above all else: they are made larger than their plates
  for (const layer of scene.layers) {
    const group = svg("g", { "data-layer": layer.id });
    for (const item of layer.items) {
      const made = drawn(item);
      if (item.id) made.dataset.id = item.id;
      if (touchable.has(item.id)) made.classList.add("touchable");
      (item.form === "text" ? texts : group).append(made);
    }
    picture.append(group);
  }
  picture.append(texts);
  const fit = () => {
    if (!picture.clientWidth) return;
    shown.part ??= first(scene, shown.boxes, picture.clientWidth / picture.clientHeight);
    const { x, y, width, height } = shown.part;
    picture.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    label(picture, scaleOf(picture), touchable, scene.width);
  };
  new ResizeObserver(fit).observe(picture);
  const zoom = (by) => {
    const { x, y, width, height } = shown.part;
    const wide = Math.min(scene.width, Math.max(scene.width / CLOSEST, width / by));
    const high = Math.min(scene.height, Math.max(scene.height / CLOSEST, height / by));
    shown.part = within(scene, x + (width - wide) / 2, y + (height - high) / 2, wide, high);
    fit();
  };
  moved(picture, scene, fit, zoom);
  if (options.length) {
    picture.addEventListener("click", (event) => {
      const place = nearest(picture, event, options.map((one) => one.place), places);
      if (place) pick(options.filter((one) => one.place === place));
    });
  }
  return el("div", { class: "map" }, picture, el("p", { class: "row zoom" },
    button("+", () => zoom(1.5), { "aria-label": say("zoom_in") }),
    button("−", () => zoom(1 / 1.5), { "aria-label": say("zoom_out") }),
    button(say("whole"), () => {
      shown.part = first(scene, [], 1);
      fit();
    })));
}

function within(scene, x, y, width, height) {
  return { x: Math.max(0, Math.min(x, scene.width - width)), y: Math.max(0, Math.min(y, scene.height - height)), width, height };
}

/** The place nearest to a touch, if it is near enough. */
function nearest(picture, event, ids, places) {
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
  const far = TOUCH / 2 / scaleOf(picture);
  let best = null;
  let least = far;
  for (const id of new Set(ids)) {
    for (const [left, top, right, bottom] of places.get(id)) {
      const away = Math.hypot(Math.max(left - at.x, 0, at.x - right), Math.max(top - at.y, 0, at.y - bottom));
      if (away < least || (away === least && best === null)) {
        best = id;
        least = away;
      }
    }
  }
  return best;
}

/** One finger moves the picture once it is enlarged, two pinch it. */
function moved(picture, scene, fit, zoom) {
  const fingers = new Map();
  let apart = 0;
  const distance = () => {
    const [a, b] = [...fingers.values()];
    return Math.hypot(a.x - b.x, a.y - b.y);
  };
  picture.addEventListener("pointerdown", (event) => {
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (fingers.size === 2) apart = distance();
  });
  picture.addEventListener("pointermove", (event) => {
    const last = fingers.get(event.pointerId);
    if (!last) return;
    const scale = scaleOf(picture);
    const { x, y, width, height } = shown.part;
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (fingers.size === 1) {
      shown.part = within(scene, x - (event.clientX - last.x) / scale, y - (event.clientY - last.y) / scale, width, height);
      fit();
    } else if (apart && Math.abs(distance() / apart - 1) > 0.1) {
      zoom(distance() / apart);
      apart = distance();
    }
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
    picture.addEventListener(end, (event) => fingers.delete(event.pointerId));
  }
}
