// Loads the module of the import dialog on first use, and the custom element. The single-file page contains
// the module as a script in `spillgateScripts` and as base64 in `spillgateModules`.
(() => {
  const base = document.currentScript.src || document.baseURI;
  const modules = {};
  const ready = {};

  async function loaded(name) {
    const inlined = globalThis.spillgateModules?.[`${name}_bg.wasm`];
    if (inlined) {
      const bytes = Uint8Array.from(atob(inlined), (c) => c.charCodeAt(0));
      const module = globalThis.spillgateScripts[`${name}.js`];
      await module({ module_or_path: bytes });
      return module;
    }
    const module = await import(new URL(`./${name}.js`, base));
    await module.default({ module_or_path: new URL(`./${name}_bg.wasm`, base) });
    return module;
  }

  // A failed attempt can be repeated.
  const load = (name) => (modules[name] ??= loaded(name).then((module) => (ready[name] = module)).catch((error) => {
    delete modules[name];
    throw error;
  }));

  // A server with /live/ announces it in a header: a page without it must not send requests that fail.
  const announced = () =>
    performance.getEntriesByType("navigation")[0]?.serverTiming?.find(({ name }) => name === "spillgate-live");

  globalThis.spillgateScreens = {
    load,
    runFilter: async (...values) => {
      if (globalThis.spillgateModules) throw new Error("the single-file page does not contain spillgate.wasm");
      return (await import(new URL("./filter.js", base))).run(...values);
    },
    embed: () => import(new URL("./embed.js", base)),
    show: (name, ...values) => ready[name].show(...values),
    isLive: () => announced() !== undefined,
    liveService: () => announced()?.description ?? "",
    read: async (path) => {
      const init = { cache: "no-store", credentials: "same-origin", redirect: "error", signal: AbortSignal.timeout(5000) };
      const response = await fetch(path, init);
      return [response.status, await response.text()];
    },
    close: (name, element) => ready[name]?.close(element),
  };
})();
