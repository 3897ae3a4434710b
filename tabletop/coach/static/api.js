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
  if (!response.ok) throw new Refusal(response.status, body);
  return body;
}

/** What a path holds. */
export async function get(path, more) {
  return told(await fetch(address(path, more)));
}

/** Asks for a change. */
export async function post(path, body) {
  const headers = { "content-type": "application/json" };
  return told(await fetch(address(path), { method: "POST", headers, body: JSON.stringify(body) }));
}

/** The events of a game. */
export const listen = (id) => new EventSource(address(`/games/${id}/events`));

/** Where a game's log can be downloaded. */
export const logAddress = (id) => address(`/games/${id}/log`);
