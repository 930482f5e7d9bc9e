// The page for an <iframe>: the state is in its fragment, the other attributes are in its query. It
// sends its height and its changes to the page around it.
import "./embed.js";

const query = new URLSearchParams(location.search);
const widget = document.createElement("spillgate-split");
for (const name of ["view", "theme", "controls", "lang", "playground"]) {
  if (query.has(name)) widget.setAttribute(name, query.get(name));
}
document.documentElement.dataset.theme = query.get("theme") ?? "auto";

function follow() {
  widget.setAttribute("state", location.hash.slice(1));
}

// The receiver decides which senders it trusts; the content is not secret.
function send(message) {
  parent.postMessage(message, "*");
}

follow();
addEventListener("hashchange", follow);
widget.addEventListener("spillgate-change", (event) => send({ type: "spillgate-change", ...event.detail }));
new ResizeObserver(() => {
  const height = Math.ceil(document.body.getBoundingClientRect().height);
  // A frame without height would never become visible, and the widget would never start.
  if (height > 0) send({ type: "spillgate-height", height });
}).observe(document.body);
document.body.append(widget);
