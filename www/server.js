// What the page gets from its server on demand: the shipped filter, the custom element, and the state of a running
// Envoy. The page in a single file has no server.
(() => {
  const base = document.currentScript.src || document.baseURI;

  // A server with /live/ announces it in a header: a page without it must not send requests that fail.
  const announced = () =>
    performance.getEntriesByType("navigation")[0]?.serverTiming?.find(({ name }) => name === "spillgate-live");

  globalThis.spillgateServer = {
    runFilter: async (...values) => {
      if (globalThis.spillgateModules) throw new Error("the single-file page does not contain spillgate.wasm");
      return (await import(new URL("./filter.js", base))).run(...values);
    },
    embed: () => import(new URL("./embed.js", base)),
    isLive: () => announced() !== undefined,
    liveService: () => announced()?.description ?? "",
    read: async (path) => {
      const init = { cache: "no-store", credentials: "same-origin", redirect: "error", signal: AbortSignal.timeout(5000) };
      const response = await fetch(path, init);
      return [response.status, await response.text()];
    },
  };
})();
