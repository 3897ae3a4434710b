/** Keeps the pages, so that they open while the coach is away. Where it answers, what it says counts: nothing old is shown. */

const OWN = `coach ${VERSION}`; // VERSION and PAGES are put before this by the server

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(caches.open(OWN).then((kept) => kept.addAll(PAGES)));
});

addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name !== OWN) await caches.delete(name);
  await clients.claim();
})()));

addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== location.origin || !PAGES.includes(pathname)) return; // the API is never kept
  event.respondWith(fetch(event.request).catch(async () => (await (await caches.open(OWN)).match(pathname)) ?? Response.error()));
});
