/** The server: every question and every change goes through here. */

/** A server's refusal: its status, and what it told. */
export class Refusal extends Error {
  constructor(status, told) {
    super(told.error ?? String(status));
    this.status = status;
    this.told = told;
  }
}

/** Who asks: added to every address. */
export const view = { lang: "en", seat: null, branch: "game", by: "" };

const MOST_LAYERS = 64; // of pictures, that are kept
const layers = new Map(); // by their keys: each is sent once
let shown = []; // the keys of the last picture

/** A state with its whole picture: layers that were sent before are put in. */
export function whole(state) {
  if (!state?.scene) return state;
  for (const layer of state.scene.layers) {
    layer.items ??= layers.get(layer.key) ?? [];
    layers.delete(layer.key); // and to the end: what was used last is kept longest
    layers.set(layer.key, layer.items);
  }
  for (const key of layers.keys()) if (layers.size > MOST_LAYERS) layers.delete(key);
  shown = state.scene.layers.map((layer) => layer.key);
  return state;
}

function address(path, more = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...view, ...more })) {
    if (value !== null && value !== undefined && value !== "") query.set(name, value);
  }
  return `/api${path}?${query}`;
}

async function told(response) {
  let body;
  try {
    body = await response.json();
  } catch {
    body = { error: response.statusText };
  }
  whole(response.ok ? body : body.state);
  if (!response.ok) throw new Refusal(response.status, body);
  return body;
}

/** What a path holds. */
export async function get(path, more) {
  return told(await fetch(address(path, { have: shown.join(), ...more })));
}

/** Asks for a change. */
export async function post(path, body) {
  const headers = { "content-type": "application/json" };
  return told(await fetch(address(path, { have: shown.join() }), { method: "POST", headers, body: JSON.stringify(body) }));
}

/** The events of a game; `ahead`: the coach may think while nobody asks it. */
export const listen = (id, ahead) => new EventSource(address(`/games/${id}/events`, { ahead: ahead ? 1 : null }));

/** Why a game's events are refused; null if the server does not say so. */
export async function refusal(id) {
  const stop = new AbortController();
  try {
    const response = await fetch(address(`/games/${id}/events`), { signal: stop.signal });
    if (!response.ok) await told(response);
  } catch (error) {
    if (error instanceof Refusal) return error;
  } finally {
    stop.abort();
  }
  return null;
}

/** Where the owner's edition file can be downloaded. */
export const editionAddress = () => address("/edition");

/** Where a game's log can be downloaded. */
export const logAddress = (id) => address(`/games/${id}/log`);
