// The page with examples: shows the last change, and gives the frame its height.
document.addEventListener("spillgate-change", ({ detail }) => {
  const shares = detail.shares.map(({ cluster, priority, load }) => `${cluster} P${priority}: ${load} %`);
  document.getElementById("change").textContent = shares.join(", ");
});

const frame = document.getElementById("frame");
addEventListener("message", ({ source, data }) => {
  if (source === frame.contentWindow && data?.type === "spillgate-height") {
    frame.style.height = `${Number(data.height)}px`;
  }
});
