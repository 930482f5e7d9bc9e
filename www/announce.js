// The only live region of the page. Screens mark what to announce with `data-said`; its text is repeated
// here when it changes. A modal dialog hides the rest of the page, so the region moves into it.
(() => {
  const region = document.getElementById("said");
  if (!region) return;

  function announce(text) {
    const open = document.querySelectorAll("dialog[open]");
    const home = open.length ? open[open.length - 1] : document.body;
    if (region.parentNode !== home) home.append(region);
    region.textContent = text;
  }

  new MutationObserver((changes) => {
    const said = new Set();
    for (const { target, addedNodes } of changes) {
      const element = target instanceof Element ? target : target.parentElement;
      const own = element?.closest("[data-said]");
      if (own) said.add(own);
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue;
        if (node.matches("[data-said]")) said.add(node);
        for (const inner of node.querySelectorAll("[data-said]")) said.add(inner);
      }
    }
    const texts = [...said].map((element) => element.textContent.trim());
    const text = texts.filter(Boolean).join(" ");
    if (text) announce(text);
  }).observe(document.body, { childList: true, characterData: true, subtree: true });
})();
