/** The table as a picture that can be touched: whatever is touched is also in a list. */

import { button, el } from "./dom.js";
import { say } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
const TOUCH = 44; // CSS pixels around a place
const SMALLEST = 12; // CSS pixels of a label
const PHONE = 700;
const CLOSEST = 8;
let shown = null; // which part is shown, and of what question

/** CSS pixels of one unit of the scene. */
function scaleOf(picture) {
  const { width, height } = shown.part;
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
  text.textContent = item.text;
  return text;
}

/** Where each id lies: the middle of all its points, and how far it reaches. */
function spots(scene) {
  const found = new Map();
  for (const layer of scene.layers) {
    for (const item of layer.items) {
      if (!item.id) continue;
      const reach = item.form === "circle" ? item.radius ?? 0 : 0;
      const box = found.get(item.id) ?? [Infinity, Infinity, -Infinity, -Infinity];
      for (const [x, y] of item.points) {
        box[0] = Math.min(box[0], x - reach);
        box[1] = Math.min(box[1], y - reach);
        box[2] = Math.max(box[2], x + reach);
        box[3] = Math.max(box[3], y + reach);
      }
      found.set(item.id, box);
    }
  }
  return found;
}

/** The part around what is asked about, on a phone; else all. */
function first(scene, boxes) {
  const all = { x: 0, y: 0, width: scene.width, height: scene.height };
  if (innerWidth >= PHONE || !boxes.length) return all;
  const margin = Math.max(scene.width, scene.height) / 12;
  const x = Math.max(0, Math.min(...boxes.map((box) => box[0])) - margin);
  const y = Math.max(0, Math.min(...boxes.map((box) => box[1])) - margin);
  const width = Math.min(scene.width, Math.max(...boxes.map((box) => box[2])) + margin) - x;
  const height = Math.min(scene.height, Math.max(...boxes.map((box) => box[3])) + margin) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : all;
}

/** The picture with its buttons; `pick` is told the options of the place that was touched. */
export function sceneView(app, state, pick = null) {
  const scene = state.scene;
  if (!scene) return null;
  const places = spots(scene);
  const options = pick ? state.options.filter((one) => places.has(one.place)) : [];
  const asked = `${app.id} ${state.branch} ${state.at} ${state.question}`;
  if (shown?.asked !== asked) shown = { asked, part: first(scene, options.map((one) => places.get(one.place))) };
  const picture = svg("svg", { role: "img", "aria-label": say("map"), class: "scene" });
  const touchable = new Set(options.map((one) => one.place));
  for (const layer of scene.layers) {
    const group = svg("g", { "data-layer": layer.id });
    for (const item of layer.items) {
      const made = drawn(item);
      if (item.id) made.dataset.id = item.id;
      if (touchable.has(item.id)) made.classList.add("touchable");
      group.append(made);
    }
    picture.append(group);
  }
  const fit = () => {
    const { x, y, width, height } = shown.part;
    picture.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    const scale = scaleOf(picture);
    for (const text of picture.querySelectorAll("text")) {
      text.setAttribute("font-size", Math.max(Number(text.dataset.size), SMALLEST / scale));
    }
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
  return el("div", { class: "map" }, picture, el("p", { class: "row" },
    button("+", () => zoom(1.5), { "aria-label": say("zoom_in") }),
    button("−", () => zoom(1 / 1.5), { "aria-label": say("zoom_out") }),
    button(say("whole"), () => {
      shown.part = { x: 0, y: 0, width: scene.width, height: scene.height };
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
    const [left, top, right, bottom] = places.get(id);
    const away = Math.hypot(Math.max(left - at.x, 0, at.x - right), Math.max(top - at.y, 0, at.y - bottom));
    if (away < least || (away === least && best === null)) {
      best = id;
      least = away;
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
