// The search: it loads mdBook's index when the reader uses the field for the first time. Then the list of versions.
// Pages need no script otherwise.
"use strict";

const search = document.querySelector(".search");
const field = search.querySelector("input");
const results = document.getElementById("search-results");
const { indexAddress, libraryAddress, root } = search.dataset;
const MOST = 20;
let index;

const loaded = (address) => new Promise((resolve, reject) => {
  const script = document.createElement("script");
  script.src = address;
  script.addEventListener("load", resolve);
  script.addEventListener("error", () => reject(new Error(`cannot load ${address}`)));
  document.head.append(script);
});

async function load() {
  window.search = {};
  await Promise.all([loaded(libraryAddress), loaded(indexAddress)]);
  const { doc_urls: addresses, index: stored, search_options: options } = window.search;
  return { addresses, options, library: elasticlunr.Index.load(stored) };
}

function said(text) {
  const paragraph = document.createElement("p");
  paragraph.textContent = text;
  return paragraph;
}

function shown({ ref, doc }, addresses) {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = root + addresses[ref];
  // The page and the heading, which can be the same.
  link.textContent = [...new Set((doc.breadcrumbs || doc.title).split(" » "))].join(": ");
  item.append(link);
  return item;
}

async function find() {
  const words = field.value.trim();
  index ??= load();
  const { library, options, addresses } = await index;
  if (words !== field.value.trim()) return;
  if (!words) return results.replaceChildren();
  const found = library.search(words, options).slice(0, MOST);
  if (!found.length) return results.replaceChildren(said(`No page contains “${words}”.`));
  const list = document.createElement("ul");
  list.append(...found.map((page) => shown(page, addresses)));
  results.replaceChildren(list);
}

search.hidden = false;
field.addEventListener("input", () => find().catch((error) => results.replaceChildren(said(error.message))));
addEventListener("keydown", (event) => {
  const isTyping = event.target instanceof HTMLInputElement;
  if (event.key === "Escape" && search.contains(event.target)) results.replaceChildren();
  if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  field.focus();
});
document.addEventListener("click", (event) => {
  if (!search.contains(event.target)) results.replaceChildren();
});

const version = document.querySelector(".version");

// A list of all versions. A page without it names its own.
async function versions() {
  const { versionsAddress, root: own } = version.dataset;
  const response = await fetch(versionsAddress);
  const all = response.ok ? await response.json() : [];
  if (all.length < 2) return;
  const list = document.createElement("select");
  list.setAttribute("aria-label", "Version");
  list.append(...all.map(({ name, folder }) => {
    const isOwn = name === version.textContent;
    return new Option(name, folder, isOwn, isOwn);
  }));
  list.addEventListener("change", () => {
    location.href = `${own}../${encodeURIComponent(list.value)}/index.html`;
  });
  version.replaceChildren(list);
}

versions().catch(() => {});
