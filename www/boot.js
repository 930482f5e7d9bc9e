// Loads the module of the page, and reports a failure.
import init from "./playground.js";

init({ module_or_path: new URL("./playground_bg.wasm", import.meta.url) }).catch((error) => {
  const place = document.getElementById("loading");
  if (place) place.textContent = `Cannot load the page: ${error}. Reload to retry.`;
});
