// The way to the module that reads what is pasted. It is fetched when it is first needed; a page
// in a single file carries it as base64 in `spillgateReaderModule`.
(() => {
  const address = new URL("./reader.wasm", document.currentScript.src || document.baseURI);
  // What a large text has taken is given back by starting anew.
  const LARGE = 64 * 1024 * 1024;
  let module;
  let instance;

  const bytes = async () => {
    const carried = globalThis.spillgateReaderModule;
    if (carried) return Uint8Array.from(atob(carried), (c) => c.charCodeAt(0));
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${address.pathname} is answered with ${response.status}`);
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
        // The memory grows and moves, so every address is asked for just before its use.
        texts.forEach((text, number) => {
          const place = text_place(number, text.length);
          new Uint8Array(memory.buffer, place, text.length).set(text);
        });
        const length = read_texts();
        const said = new Uint8Array(memory.buffer, answer_place(), length).slice();
        if (memory.buffer.byteLength > LARGE) instance = undefined;
        return said;
      } catch (error) {
        instance = undefined;
        throw error;
      }
    },
  };
})();
