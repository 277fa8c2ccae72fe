// What scripts add to pages that work without them: live parts pause when nobody looks, or with the key r;
// n and p go from one claim with findings to the next.
"use strict";
(() => {
  let paused = false;
  const idle = () => paused || document.hidden || String(getSelection()) !== "";
  document.addEventListener("htmx:before:request", (event) => {
    if (event.target.closest("[data-live]") && idle()) event.preventDefault();
  });
  const step = (by) => {
    const found = [...document.querySelectorAll(".claim:has(.finding)")];
    const at = found.indexOf(document.activeElement?.closest(".claim"));
    const next = found[at < 0 ? (by > 0 ? 0 : found.length - 1) : at + by];
    next?.focus();
    next?.scrollIntoView({ block: "start" });
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea")) return;
    if (event.key === "n") step(1);
    if (event.key === "p") step(-1);
    if (event.key === "r") {
      paused = !paused;
      document.documentElement.toggleAttribute("data-paused", paused);
    }
  });
})();
