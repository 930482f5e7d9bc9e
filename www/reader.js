// Loads the reader module on first use. The single-file page contains it as base64 in
// `spillgateReaderModule`.
(() => {
  const address = new URL("./reader.wasm", document.currentScript.src || document.baseURI);
  // An instance with more memory is dropped after use, because memory never shrinks.
  const LARGE = 64 * 1024 * 1024;
  let module;
  let instance;

  const bytes = async () => {
    const inlined = globalThis.spillgateReaderModule;
    if (inlined) return Uint8Array.from(atob(inlined), (c) => c.charCodeAt(0));
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${address.pathname} returned HTTP ${response.status}`);
    return response.arrayBuffer();
  };

  globalThis.spillgateReader = {
    load: async () => {
      module ??= await WebAssembly.compile(await bytes());
    },
    read: (...texts) => {
      try {
        instance ??= new WebAssembly.Instance(module);
        const { memory, text_place, read_texts, answer_place } = instance.exports;
        // Calls can grow the memory, which replaces its buffer.
        texts.forEach((text, number) => {
          const place = text_place(number, text.length);
          new Uint8Array(memory.buffer, place, text.length).set(text);
        });
        const length = read_texts();
        const answer = new Uint8Array(memory.buffer, answer_place(), length).slice();
        if (memory.buffer.byteLength > LARGE) instance = undefined;
        return answer;
      } catch (error) {
        instance = undefined;
        throw error;
      }
    },
  };
})();
