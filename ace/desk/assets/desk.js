// What scripts add to pages that work without them: live parts are fetched again when a hint says that something
// changed, or every few seconds without hints, and pause when nobody looks, or with the key r; n and p go from one
// claim with findings to the next; ? lists the keys. Times in UTC say the local one when they are pointed at.
"use strict";
(() => {
  let paused = false;
  let hinted = false; // the stream of hints is open
  let stale = true; // something may have changed since the last fetch
  const idle = () => paused || document.hidden || String(getSelection()) !== "";
  // data-live: "" while something is undecided, "settled" if only something new can change it, "always" if hints
  // do not tell of all that it shows.
  const current = (kind) => (hinted ? !stale && kind !== "always" : kind === "settled");
  document.addEventListener("htmx:before:request", (event) => {
    const live = event.target.closest?.("[data-live]");
    if (!live) return;
    if (idle() || current(live.dataset.live)) event.preventDefault();
    else stale = false;
  });
  document.addEventListener("filings", () => (stale = true));
  document.addEventListener("htmx:sse:after:connection", (event) => (hinted = event.detail.connection.status === 200));
  for (const name of ["htmx:sse:error", "htmx:sse:close"]) document.addEventListener(name, () => (hinted = false));
  const localTimes = () => {
    for (const time of document.querySelectorAll("time[datetime]")) time.title = new Date(time.dateTime).toLocaleString();
  };
  localTimes();
  document.addEventListener("htmx:after:swap", localTimes);
  const step = (by) => {
    const found = [...document.querySelectorAll(".claim:has(.finding)")];
    const at = found.indexOf(document.activeElement?.closest(".claim"));
    const next = found[at < 0 ? (by > 0 ? 0 : found.length - 1) : at + by];
    next?.focus();
    next?.scrollIntoView({ block: "start" });
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, textarea")) return;
    if (event.key === "n") step(1);
    if (event.key === "p") step(-1);
    if (event.key === "?") document.getElementById("keys")?.showModal();
    if (event.key === "r") {
      paused = !paused;
      document.documentElement.toggleAttribute("data-paused", paused);
    }
  });
})();
