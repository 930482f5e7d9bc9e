// Loads the modules that read pasted texts, each on first use. The single-file page contains them as
// base64 in `spillgateModules`.
(() => {
  const base = document.currentScript.src || document.baseURI;
  // An instance with more memory is dropped after use, because memory never shrinks.
  const LARGE = 64 * 1024 * 1024;
  // A mesh document names its kind. The module decides; this only avoids loading it in vain.
  const MESH =
    /\b(?:type|kind)"?\s*:\s*["']?(?:Mesh|Dataplane|ZoneIngress|ZoneEgress|DestinationRule|ServiceEntry|WorkloadEntry|VirtualService|IstioOperator)/;

  class TextReader {
    #file;
    #module;
    #instance;
    wanted = false;

    constructor(file) {
      this.#file = file;
    }

    get isLoaded() {
      return this.#module !== undefined;
    }

    async load() {
      this.#module ??= await WebAssembly.compile(await this.#bytes());
    }

    // The answer to the texts; empty if this module does not read such texts.
    read(texts) {
      try {
        this.#instance ??= new WebAssembly.Instance(this.#module);
        const { memory, text_place, read_texts, answer_place } = this.#instance.exports;
        // Calls can grow the memory, which replaces its buffer.
        texts.forEach((text, number) => {
          const place = text_place(number, text.length);
          new Uint8Array(memory.buffer, place, text.length).set(text);
        });
        const length = read_texts();
        const answer = new Uint8Array(memory.buffer, answer_place(), length).slice();
        if (memory.buffer.byteLength > LARGE) this.#instance = undefined;
        return answer;
      } catch (error) {
        this.#instance = undefined;
        throw error;
      }
    }

    async #bytes() {
      const inlined = globalThis.spillgateModules?.[this.#file];
      if (inlined) return Uint8Array.from(atob(inlined), (c) => c.charCodeAt(0));
      const address = new URL(`./${this.#file}`, base);
      const response = await fetch(address);
      if (!response.ok) throw new Error(`${address.pathname} returned HTTP ${response.status}`);
      return response.arrayBuffer();
    }
  }

  const envoy = new TextReader("reader.wasm");
  const mesh = new TextReader("mesh.wasm");

  globalThis.spillgateReader = {
    load: async () => {
      await envoy.load();
      if (mesh.wanted) await mesh.load();
    },
    // The answer, or undefined if `load` must be called again for these texts.
    read: (...texts) => {
      mesh.wanted = MESH.test(new TextDecoder().decode(texts[0]));
      if (!mesh.wanted) return envoy.read(texts);
      if (!mesh.isLoaded) return undefined;
      const answer = mesh.read(texts);
      return answer.length ? answer : envoy.read(texts);
    },
  };
})();
