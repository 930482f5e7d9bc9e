// The custom element <spillgate-split>: a scenario of the playground in any page. docs/embedding.md is
// its manual.
//
// The element shows its children until the module is loaded, and whenever that fails. It starts when
// it becomes visible. All elements of a page share one module, and one fetch of it: a page with a sweep
// loads the larger module for all of them.

const HOME = new URL("./", import.meta.url);
// The module's side of this number is in playground/embed/src/exports.rs.
const INTERFACE = 1;
const NARROW = 420;
// Screen readers announce the result after a pause of the slider, in milliseconds.
const PAUSE = 500;
// The texts of the element itself. The module's sentences are English.
const LANGUAGES = {
  en: {
    table: "as table",
    open: "open in playground",
    reset: "reset",
    cluster: (name) => `Split of the cluster ${name}`,
    of: (value, most) => `${value} of ${most}`,
    error: (reason) => `Cannot show this scenario: ${reason}.`,
  },
};

const SHEET = `
:host {
  display: block;
  container-type: inline-size;
  margin: 1em 0;
  --text: var(--spillgate-text, #1c1f23);
  --muted: var(--spillgate-muted, #5f646b);
  --ground: var(--spillgate-background, #fffefb);
  --line: var(--spillgate-line, #d5d1c6);
  --accent: var(--spillgate-accent, #0b5c8f);
  --alarm: var(--spillgate-alarm, #9a3a06);
  --texture: #ffffff;
}
@supports (color: light-dark(#000, #fff)) {
  :host {
    --text: var(--spillgate-text, light-dark(#1c1f23, #eceae4));
    --muted: var(--spillgate-muted, light-dark(#5f646b, #a0a7ae));
    --ground: var(--spillgate-background, light-dark(#fffefb, #1b1f23));
    --line: var(--spillgate-line, light-dark(#d5d1c6, #3a4249));
    --accent: var(--spillgate-accent, light-dark(#0b5c8f, #6cb8e6));
    --alarm: var(--spillgate-alarm, light-dark(#9a3a06, #ffab6e));
  }
}
:host([hidden]) { display: none; }
:host([theme="light"]) { color-scheme: light; }
:host([theme="dark"]) { color-scheme: dark; }
*, ::before, ::after { box-sizing: border-box; }
.widget {
  padding: 12px 14px 8px;
  border: 1px solid var(--line);
  border-radius: 10px;
  background: var(--ground);
  color: var(--text);
  font: 14px/1.45 var(--spillgate-font, ui-sans-serif, system-ui, "Segoe UI", Roboto, sans-serif);
  font-variant-numeric: tabular-nums;
  text-align: start;
  break-inside: avoid;
}
p, ul, figure { margin: 0; padding: 0; }
ul { list-style: none; }
[hidden] { display: none; }
.said, .definitions, caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.headline { font-weight: 620; overflow-wrap: anywhere; }
.facts { color: var(--muted); font-size: 13px; overflow-wrap: anywhere; }
.facts .warning { color: var(--alarm); }
.p0 { --c: var(--spillgate-p0, #0072b2); --on: #ffffff; }
.p1 { --c: var(--spillgate-p1, #e69f00); --on: #111111; }
.p2 { --c: var(--spillgate-p2, #009e73); --on: #111111; }
.p3 { --c: var(--spillgate-p3, #d55e00); --on: #111111; }
.p4 { --c: var(--spillgate-p4, #cc79a7); --on: #111111; }
.p5 { --c: var(--spillgate-p5, #56b4e9); --on: #111111; }
.p6 { --c: var(--spillgate-p6, #f0e442); --on: #111111; }
.body { fill: var(--c); }
.texture { fill: var(--texture); opacity: .36; }
.p4 .texture, .p6 .texture { opacity: .5; }
.hatch-line { fill: var(--text); opacity: .34; }
svg { forced-color-adjust: none; print-color-adjust: exact; }
.bar, .sweep { display: block; margin: 8px 0 6px; border-radius: 6px; overflow: hidden; background: color-mix(in srgb, var(--text) 6%, transparent); }
.gap { fill: var(--ground); }
.sweep rect { stroke: var(--ground); stroke-width: 1; }
.sweep .effect { fill: var(--alarm); }
.cursor { stroke: var(--text); stroke-width: 2; stroke-dasharray: 3 3; }
text { font: 620 12.5px var(--spillgate-font, ui-sans-serif, system-ui, "Segoe UI", Roboto, sans-serif); text-anchor: middle; dominant-baseline: central; fill: var(--on, var(--text)); paint-order: stroke; stroke: var(--c, var(--ground)); stroke-width: 5px; stroke-linejoin: round; }
.ends { display: flex; justify-content: space-between; font-size: 12.5px; color: var(--muted); margin-top: -4px; }
.note { font-size: 13px; color: var(--muted); }
.effect-key { display: inline-block; width: 18px; height: 6px; margin-right: 8px; vertical-align: 2px; background: var(--alarm); }
.key { display: flex; flex-wrap: wrap; gap: 2px 14px; font-size: 13px; }
.swatch { margin-right: 6px; vertical-align: -2px; }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; margin: 6px 0; font-size: 13px; }
th, td { padding: 5px 6px; border-bottom: 1px solid var(--line); text-align: end; white-space: nowrap; font-weight: 400; }
thead th { color: var(--muted); white-space: normal; overflow-wrap: break-word; }
tbody th { font-weight: 600; }
tr > :first-child { text-align: start; white-space: normal; overflow-wrap: break-word; min-width: 8ch; }
.controls { display: grid; grid-template-columns: minmax(0, auto) minmax(80px, 1fr) 58px auto; gap: 4px 10px; margin-bottom: 6px; }
.control { display: grid; grid-column: 1 / -1; grid-template-columns: subgrid; align-items: center; font-size: 13px; }
.control label { overflow-wrap: anywhere; }
input { font: inherit; color: inherit; min-width: 0; margin: 0; }
input[type="range"] { width: 100%; height: 24px; accent-color: var(--accent); }
input[type="number"] { width: 100%; min-height: 26px; padding: 1px 4px; border: 1px solid color-mix(in srgb, var(--text) 52%, var(--ground)); border-radius: 6px; background: var(--ground); text-align: end; }
.most { color: var(--muted); }
.foot { display: flex; flex-wrap: wrap; gap: 0 16px; justify-content: space-between; align-items: center; margin-top: 4px; font-size: 13px; }
button, .foot a { display: inline-flex; align-items: center; min-height: 26px; padding: 0; border: 0; background: none; font: inherit; color: var(--accent); text-decoration: underline; text-underline-offset: 3px; cursor: pointer; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
@container (max-width: 340px) {
  th, td { padding-inline: 3px; }
  .controls { grid-template-columns: minmax(0, 1fr) 58px auto; }
  .control label { grid-column: 1 / -1; margin-bottom: -4px; }
}
@media (forced-colors: active) {
  :host { --text: CanvasText; --muted: CanvasText; --ground: Canvas; --line: CanvasText; --accent: LinkText; --alarm: CanvasText; --texture: Canvas; }
  .body { fill: CanvasText; opacity: .45; }
  .p0 .body { opacity: .75; }
  .texture { opacity: 1; }
  text { fill: CanvasText; stroke: Canvas; }
}
@media print {
  :host { color-scheme: light !important; }
  .controls, .foot { display: none; }
  .scroll, .scroll[hidden] { display: block; overflow: visible; }
}
`;

class Engine {
  #file;
  #module;
  #instance;

  constructor(file) {
    this.#file = file;
  }

  get isWanted() {
    return this.#module !== undefined;
  }

  get isReady() {
    return this.#instance !== undefined;
  }

  // A failed attempt can be repeated.
  load() {
    this.#module ??= fetched(this.#file).catch((error) => {
      this.#module = undefined;
      throw error;
    });
    return this.#module.then(async (module) => {
      this.#instance ??= await started(module);
    });
  }

  // The answer to a request, or undefined before `load`.
  answer(request) {
    if (!this.#instance) return undefined;
    try {
      const { memory, request_place, answer_request, answer_place } = this.#instance.exports;
      const bytes = new TextEncoder().encode(request);
      // Calls can grow the memory, which replaces its buffer.
      const place = request_place(bytes.length);
      new Uint8Array(memory.buffer, place, bytes.length).set(bytes);
      const length = answer_request();
      const answer = new Uint8Array(memory.buffer, answer_place(), length);
      return JSON.parse(new TextDecoder().decode(answer));
    } catch (error) {
      this.#instance = undefined;
      throw error;
    }
  }
}

async function fetched(file) {
  const address = new URL(file, HOME);
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address.pathname} returned HTTP ${response.status}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

async function started(module) {
  const instance = await WebAssembly.instantiate(module);
  if (instance.exports.interface?.() !== INTERFACE) {
    throw new Error("embed.js and its module are of different versions");
  }
  return instance;
}

const splits = new Engine("embed.wasm");
const sweeps = new Engine("embed-sweep.wasm");
let sheet;
let count = 0;

// Under a policy with trusted types, the page must allow the name.
const policy = globalThis.trustedTypes?.createPolicy("spillgate", { createHTML: (text) => text });

// Only markup of the module, which escapes all names in it.
function fill(element, markup) {
  element.innerHTML = policy ? policy.createHTML(markup) : markup;
}

function element(name, properties = {}, children = []) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

// The address of the playground, or nothing without a link to it. An address such as javascript: would run
// code of its author in the page with the element, and the query of an iframe is anyone's.
function addressOf(attribute) {
  if (attribute === null) return HOME.href;
  if (attribute === "" || !URL.canParse(attribute, document.baseURI)) return "";
  const address = new URL(attribute, document.baseURI);
  return /^https?:$/.test(address.protocol) ? address.href : "";
}

class SpillgateSplit extends HTMLElement {
  static observedAttributes = ["state", "view", "theme", "controls", "lang", "playground"];

  #root = this.attachShadow({ mode: "open" });
  #prefix = `sg${++count}-`;
  #edits = new Map();
  #parts;
  #wanted = false;
  #narrow;
  #pause;
  #isTableOpen = false;
  #visible = new IntersectionObserver((entries) => {
    if (entries.some((entry) => entry.isIntersecting)) this.#start();
  }, { rootMargin: "200px" });
  #sized = new ResizeObserver(() => {
    if (this.#parts && this.#narrow !== this.#isNarrow()) this.#render();
  });

  constructor() {
    super();
    if (!sheet) {
      sheet = new CSSStyleSheet();
      sheet.replaceSync(SHEET);
    }
    this.#root.adoptedStyleSheets = [sheet];
    this.#root.append(document.createElement("slot"));
  }

  connectedCallback() {
    this.#visible.observe(this);
    this.#sized.observe(this);
    addEventListener("beforeprint", this.#print);
  }

  disconnectedCallback() {
    this.#visible.disconnect();
    this.#sized.disconnect();
    removeEventListener("beforeprint", this.#print);
    clearTimeout(this.#pause);
  }

  attributeChangedCallback(name, before, now) {
    if (before === now || name === "theme") return;
    if (name === "state" || name === "view") this.#edits.clear();
    this.#parts = undefined;
    if (this.#wanted) this.#show();
  }

  #start() {
    this.#visible.disconnect();
    this.#wanted = true;
    this.#show();
  }

  #engine() {
    const isSweep = this.#view() === "sweep";
    const hasSweep = sweeps.isWanted || document.querySelector('spillgate-split[view="sweep"]');
    return isSweep || (hasSweep && !splits.isReady) ? sweeps : splits;
  }

  async #show() {
    const engine = this.#engine();
    try {
      if (!engine.isReady) await engine.load();
      this.#render();
    } catch (error) {
      this.#fail(String(error.message ?? error));
    }
  }

  // An element below the window is printed too, if the module is there in time.
  #print = () => {
    try {
      this.#render();
    } catch {
      // The children are printed.
    }
  };

  #isNarrow() {
    return this.clientWidth > 0 && this.clientWidth < NARROW;
  }

  #texts() {
    return LANGUAGES[this.lang.split("-")[0]] ?? LANGUAGES.en;
  }

  #view() {
    const view = this.getAttribute("view");
    return view === "table" || view === "sweep" ? view : "bars";
  }

  #render() {
    this.#narrow = this.#isNarrow();
    const lines = [
      `state ${(this.getAttribute("state") ?? "").replaceAll(/\s/g, "")}`,
      `view ${this.#view()}`,
      `size ${this.#narrow ? "narrow" : "wide"}`,
      `prefix ${this.#prefix}`,
    ];
    for (const [id, value] of this.#edits) lines.push(`edit ${id} ${value}`);
    let answer;
    try {
      answer = this.#engine().answer(lines.join("\n"));
    } catch (error) {
      this.#fail(String(error));
      return undefined;
    }
    if (!answer) return undefined;
    if (answer.error) {
      this.#fail(answer.error);
      return undefined;
    }
    this.#parts ??= this.#build(answer);
    this.#update(answer);
    return answer;
  }

  // The children, or the reason if the element has no children.
  #fail(reason) {
    this.#parts = undefined;
    const isEmpty = !this.firstElementChild && !this.textContent.trim();
    const shown = isEmpty
      ? element("p", { className: "widget", textContent: this.#texts().error(reason) })
      : element("slot");
    this.#root.replaceChildren(shown);
    this.dispatchEvent(new CustomEvent("spillgate-error", { bubbles: true, composed: true, detail: { reason } }));
  }

  #build(answer) {
    const texts = this.#texts();
    const id = (name) => this.#prefix + name;
    const isTable = this.#view() === "table";
    const parts = {
      definitions: element("div"),
      headline: element("p", { className: "headline" }),
      facts: element("ul", { className: "facts" }),
      picture: element("div", { hidden: isTable }),
      table: element("div", { className: "scroll", id: id("table"), tabIndex: 0, hidden: !isTable && !this.#isTableOpen }),
      said: element("p", { className: "said", role: "status" }),
      controls: new Map(),
      open: undefined,
    };
    fill(parts.definitions, answer.patterns.replaceAll(' id="', ` id="${this.#prefix}`));
    parts.table.setAttribute("role", "region");
    parts.table.setAttribute("aria-label", texts.table);
    const controls = element("div", { className: "controls" });
    for (const control of this.#chosen(answer.controls)) {
      controls.append(this.#control(control, id(control.id), parts));
    }
    controls.hidden = parts.controls.size === 0;
    const foot = element("div", { className: "foot" });
    if (!isTable) foot.append(this.#toggle(parts.table));
    const playground = addressOf(this.getAttribute("playground"));
    if (playground) {
      parts.open = element("a", { target: "_blank", rel: "noopener", textContent: texts.open });
      parts.playground = playground.split("#")[0];
      foot.append(parts.open);
    }
    const caption = element("figcaption", {}, [parts.headline, parts.facts]);
    const widget = element("div", { className: "widget", lang: "en", role: "group" }, [
      parts.definitions, controls, element("figure", {}, [caption, parts.picture]), parts.table, foot, parts.said,
    ]);
    widget.setAttribute("aria-label", texts.cluster(answer.cluster));
    this.#root.replaceChildren(widget);
    return parts;
  }

  // `controls` shows the first slider, `controls="all"` all of them.
  #chosen(controls) {
    if (!this.hasAttribute("controls")) return [];
    return this.getAttribute("controls") === "all" ? controls : controls.slice(0, 1);
  }

  #toggle(table) {
    const button = element("button", { type: "button", textContent: this.#texts().table });
    button.setAttribute("aria-expanded", String(!table.hidden));
    button.setAttribute("aria-controls", table.id);
    button.addEventListener("click", () => {
      this.#isTableOpen = table.hidden;
      table.hidden = !table.hidden;
      button.setAttribute("aria-expanded", String(!table.hidden));
    });
    return button;
  }

  #control({ id, label, value, most }, inputId, parts) {
    const slider = element("input", { type: "range", id: inputId, min: "0", max: String(most), value: String(value) });
    const number = element("input", { type: "number", min: "0", max: String(most), step: "1", value: String(value), inputMode: "numeric" });
    number.setAttribute("aria-label", label);
    const set = (text) => {
      const next = Number(text);
      if (text.trim() === "" || !Number.isInteger(next) || next < 0 || next > most) return;
      this.#edits.set(id, next);
      this.#change();
    };
    slider.addEventListener("input", () => set(slider.value));
    number.addEventListener("input", () => set(number.value));
    // An invalid number is reset when the field loses the focus.
    number.addEventListener("change", () => (number.value = slider.value));
    parts.controls.set(id, { slider, number });
    return element("div", { className: "control" }, [
      element("label", { htmlFor: inputId, textContent: label }),
      slider,
      number,
      element("span", { className: "most", textContent: `/ ${most}`, ariaHidden: "true" }),
    ]);
  }

  #change() {
    const answer = this.#render();
    if (!answer) return;
    const { state, shares, noHost } = answer;
    const detail = { state, shares, noHost };
    this.dispatchEvent(new CustomEvent("spillgate-change", { bubbles: true, composed: true, detail }));
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => {
      if (this.#parts) this.#parts.said.textContent = answer.headline;
    }, PAUSE);
  }

  #update(answer) {
    const parts = this.#parts;
    parts.headline.textContent = answer.headline;
    parts.facts.replaceChildren(
      ...answer.facts.map(({ tone, text }) => element("li", { className: tone, textContent: text })),
    );
    fill(parts.picture, answer.figure);
    fill(parts.table, answer.table);
    if (parts.open) parts.open.href = `${parts.playground}#${answer.state}`;
    for (const { id, value, most } of answer.controls) {
      const control = parts.controls.get(id);
      if (!control) continue;
      control.slider.value = String(value);
      control.slider.setAttribute("aria-valuetext", this.#texts().of(value, most));
      // The reader may be typing in the field.
      if (this.#root.activeElement !== control.number) control.number.value = String(value);
    }
  }
}

if (!customElements.get("spillgate-split")) customElements.define("spillgate-split", SpillgateSplit);
