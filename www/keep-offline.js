// Registers the service worker, which keeps the page usable without a network. The page works without it.
addEventListener("load", async () => {
  // The page in a single file needs no network. A page that follows a running Envoy is of no use without it.
  if (!navigator.serviceWorker || globalThis.spillgateModules || spillgateServer.isLive()) return;
  try {
    await navigator.serviceWorker.register("./service-worker.js");
  } catch {
    return;
  }
  // A visitor who only looks does not pay for the modules of all screens, nor does one who saves data.
  if (navigator.connection?.saveData) return;
  const storeAll = async () => (await navigator.serviceWorker.ready).active.postMessage("store all");
  for (const use of ["pointerdown", "keydown"]) addEventListener(use, storeAll, { once: true, capture: true });
});
