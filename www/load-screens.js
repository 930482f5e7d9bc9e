// Loads the module of the further screens on first use. The single-file page contains it as a script
// and as base64 in `spillgateModules`.
(() => {
  const base = document.currentScript.src || document.baseURI;
  let module;

  async function loaded() {
    const inlined = globalThis.spillgateModules?.["screens_bg.wasm"];
    if (inlined) {
      const bytes = Uint8Array.from(atob(inlined), (c) => c.charCodeAt(0));
      await spillgateScreensModule({ module_or_path: bytes });
      return spillgateScreensModule;
    }
    const screens = await import(new URL("./screens.js", base));
    await screens.default({ module_or_path: new URL("./screens_bg.wasm", base) });
    return screens;
  }

  let ready;
  globalThis.spillgateScreens = {
    // A failed attempt can be repeated.
    load: () => (module ??= loaded().then((screens) => (ready = screens)).catch((error) => {
      module = undefined;
      throw error;
    })),
    show: (...values) => ready.show(...values),
    close: (element) => ready.close(element),
  };
})();
