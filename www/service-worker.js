// Keeps the page usable without a network: it stores the files of one version, and answers with them. The
// build fills in the three constants. Only files with these hashes are stored, so that files of two versions
// never meet.
const VERSION = "";
const FIRST = [];
const FILES = {};

// Other copies of the page on this origin have caches of their own.
const PREFIX = `spillgate ${registration.scope} `;
const CACHE = PREFIX + VERSION;

const addressOf = (file) => new URL(file, registration.scope).href;

// The name of the file at an address; empty for addresses outside of the page's folder.
function fileOf(address) {
  const url = new URL(address);
  const path = url.origin + url.pathname;
  if (!path.startsWith(registration.scope)) return "";
  return path.slice(registration.scope.length) || "index.html";
}

const stored = (file) => caches.match(addressOf(file), { cacheName: CACHE });

async function hashOf(response) {
  const hash = await crypto.subtle.digest("SHA-256", await response.arrayBuffer());
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// The file as this version has it. A visit has just loaded many files, which the cache of the browser has.
async function fetched(file) {
  for (const cache of ["force-cache", "reload"]) {
    const response = await fetch(addressOf(file), { cache });
    if (response.ok && (await hashOf(response.clone())) === FILES[file]) return response;
  }
  throw new Error(`${file} is not of version ${VERSION}`);
}

// Stores files one after the other, because the page may need the network too.
async function store(files) {
  for (const file of files) {
    if (await stored(file)) continue;
    const response = await fetched(file);
    await (await caches.open(CACHE)).put(addressOf(file), response);
  }
}

async function dropOtherVersions() {
  const old = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
}

// The page itself comes from the network if possible. If the server has another version, the stored files
// do not fit it.
async function page(request) {
  let fresh;
  try {
    fresh = await fetch(request);
  } catch (error) {
    const known = await stored("index.html");
    if (known) return known;
    throw error;
  }
  if (fresh.ok) {
    const found = /name="spillgate-version" content="(\w+)"/.exec(await fresh.clone().text());
    if (found && found[1] !== VERSION) await caches.delete(CACHE);
  }
  return fresh;
}

// Pages that embed a scenario load their files from the network. The list has no worker that still loads its
// modules: `clients.get` would wait for its start, which waits for this file.
async function fileFor(client, file, request) {
  const asker = (await clients.matchAll()).find(({ id }) => id === client);
  const isOther = asker && fileOf(asker.url) !== "index.html";
  return (!isOther && (await stored(file))) || fetch(request);
}

addEventListener("install", (event) => event.waitUntil(store(FIRST)));

addEventListener("activate", (event) =>
  event.waitUntil(dropOtherVersions().then(() => clients.claim())));

// The page asks for all files when it is in use.
addEventListener("message", (event) => event.waitUntil(store(Object.keys(FILES))));

addEventListener("fetch", (event) => {
  const { request, clientId } = event;
  if (request.method !== "GET") return;
  const file = fileOf(request.url);
  if (!Object.hasOwn(FILES, file)) return;
  if (file !== "index.html") event.respondWith(fileFor(clientId, file, request));
  else if (request.mode === "navigate") event.respondWith(page(request));
});
