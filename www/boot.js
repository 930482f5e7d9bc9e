// Loads the engine and says so when that fails; everything else is in the module.
import init from "./playground.js";

init({ module_or_path: new URL("./playground_bg.wasm", import.meta.url) }).catch((error) => {
  const place = document.getElementById("loading");
  if (place) place.textContent = `The engine could not be loaded: ${error}`;
});
