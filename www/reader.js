// Reads pasted texts with the modules of readers, each loaded on first use, in a worker: a long text
// does not block the page. Each use has a worker of its own, which runs this script too. The single-file page contains the
// modules as base64 in `spillgateModules`, and its workers start from a copy of this function.
(function script() {
  // A mesh document names its kind. The module decides; this only avoids loading it in vain.
  const MESH =
    /\b(?:type|kind)"?\s*:\s*["']?(?:Mesh|Dataplane|ZoneIngress|ZoneEgress|DestinationRule|ServiceEntry|WorkloadEntry|VirtualService|Gateway|IstioOperator)/;
  const ENVOY_FILE = "reader.wasm";
  const MESH_FILE = "mesh.wasm";
  const FILES = {
    routes: "routes.wasm",
    simulation: "simulation.wasm",
    incident: "incident.wasm",
    comparison: "comparison.wasm",
  };
  // An instance with more memory is dropped after use, because memory never shrinks.
  const LARGE = 64 * 1024 * 1024;

  const instances = {};

  // The answer of one module; empty if it does not read such texts.
  function answerOf(file, module, texts) {
    try {
      const instance = (instances[file] ??= new WebAssembly.Instance(module));
      const { memory, text_place, read_texts, answer_place } = instance.exports;
      // Calls can grow the memory, which replaces its buffer.
      texts.forEach((text, number) => {
        const place = text_place(number, text.length);
        new Uint8Array(memory.buffer, place, text.length).set(text);
      });
      const length = read_texts();
      const answer = new Uint8Array(memory.buffer, answer_place(), length).slice();
      if (memory.buffer.byteLength > LARGE) delete instances[file];
      return answer;
    } catch (error) {
      // The memory of a module that stopped is not trustworthy.
      delete instances[file];
      throw error;
    }
  }

  // The modules for a use; the first one with an answer wins.
  function filesFor(use, texts) {
    if (FILES[use]) return [FILES[use]];
    const isMesh = MESH.test(new TextDecoder().decode(texts[0]));
    return isMesh ? [MESH_FILE, ENVOY_FILE] : [ENVOY_FILE];
  }

  // The `answer` to the texts, the file of a module that they `want`, or why a module `stopped`.
  function reply(use, modules, texts) {
    try {
      for (const file of filesFor(use, texts)) {
        if (!modules[file]) return { want: file };
        const answer = answerOf(file, modules[file], texts);
        if (answer.length) return { answer };
      }
      return { stopped: "no answer" };
    } catch (error) {
      return { stopped: String(error) };
    }
  }

  if (typeof document === "undefined") {
    onmessage = ({ data }) => postMessage(reply(data.use, data.modules, data.texts));
    return;
  }

  // An older text may delay the latest one for this many milliseconds; then its reading is stopped.
  const PATIENCE = 250;
  const base = document.currentScript.src || document.baseURI;
  const inlined = () => globalThis.spillgateModules;
  // A worker for one use.
  function exchange(use, first) {
    // The compiled modules, and the files that the last texts require.
    const modules = {};
    const wanted = new Set(first);

    async function load(file) {
      const text = inlined()?.[file];
      let bytes;
      if (text) {
        bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
      } else {
        const address = new URL(`./${file}`, base);
        const response = await fetch(address);
        if (!response.ok) throw new Error(`${address.pathname} returned HTTP ${response.status}`);
        bytes = await response.arrayBuffer();
      }
      modules[file] ??= await WebAssembly.compile(bytes);
    }

    let worker;
    // Whether a worker has answered; whether the browser refuses them, so that the page itself reads.
    let works = false;
    let refused = false;

    function newWorker() {
      if (!inlined()) return new Worker(new URL("./reader.js", base));
      const source = new Blob([`(${script})()`], { type: "text/javascript" });
      const address = URL.createObjectURL(source);
      const started = new Worker(address);
      started.addEventListener("message", () => URL.revokeObjectURL(address), { once: true });
      return started;
    }

    function inWorker(texts) {
      return new Promise((resolve) => {
        const failed = (event) => {
          event?.preventDefault?.();
          stop();
          refused = !works;
          resolve(works ? { stopped: event?.message ?? "unknown reason" } : reply(use, modules, texts));
        };
        try {
          worker ??= newWorker();
          worker.onmessage = ({ data }) => {
            works = true;
            if (data.stopped) stop();
            resolve(data);
          };
          worker.onerror = worker.onmessageerror = failed;
          worker.postMessage({ use, modules, texts });
        } catch (error) {
          failed();
        }
      });
    }

    function stop() {
      worker?.terminate();
      worker = undefined;
    }

    // The texts that are being read, and the latest ones, which wait.
    let running;
    let next;

    async function run() {
      const job = (running = next);
      next = undefined;
      const answer = await (refused ? reply(use, modules, job.texts) : inWorker(job.texts));
      if (running !== job) return;
      running = undefined;
      if (answer.want) wanted.add(answer.want);
      if (next) job.resolve("replaced");
      else if (answer.want) job.resolve("missing");
      else if (answer.stopped) job.reject(new Error(answer.stopped));
      else job.resolve(answer.answer);
      if (next) run();
    }

    function cancel() {
      if (!running) return;
      stop();
      running.resolve("replaced");
      running = undefined;
    }

    return {
      load: () => Promise.all([...wanted].map((file) => modules[file] ?? load(file))),
      // The answer; "missing" if `load` must be called first, or "replaced" by later texts or `cancel`.
      read: (...texts) =>
        new Promise((resolve, reject) => {
          next?.resolve("replaced");
          // The texts are in the memory of the page's module, which may change.
          next = { texts: texts.map((text) => text.slice()), resolve, reject };
          if (!running) return run();
          const older = running;
          setTimeout(() => {
            if (running !== older) return;
            cancel();
            run();
          }, PATIENCE);
        }),
      cancel: () => {
        next?.resolve("replaced");
        next = undefined;
        cancel();
      },
    };
  }

  globalThis.spillgateReader = exchange("import", [ENVOY_FILE]);
  const asked = {};
  for (const use of Object.keys(FILES)) asked[use] = exchange(use, [FILES[use]]);
  globalThis.spillgateAsk = async (use, ...texts) => {
    const copies = texts.map((text) => text.slice());
    await asked[use].load();
    return asked[use].read(...copies);
  };
  globalThis.spillgateCancel = (use) => asked[use].cancel();
})();
