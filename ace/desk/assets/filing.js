// On pages that show claims: whoever points at "the hook", or focuses it, sees what introduces it and every
// use light up, and a list of them. The left and right arrows go from one finding's words to the next.
"use strict";
(() => {
  const lit = () => document.querySelectorAll(".lit");
  const shown = document.createElement("div");
  shown.id = "uses";
  shown.hidden = true;
  document.querySelector("main").append(shown);

  const keyOf = (element) => {
    const piece = element.closest?.("[data-of], .intro, .mark");
    return piece?.dataset.of ?? (piece?.id.startsWith("intro-") ? piece.id : null);
  };
  const darken = () => {
    lit().forEach((one) => one.classList.remove("lit"));
    shown.hidden = true;
  };
  const light = (element) => {
    const key = keyOf(element);
    if (!key) return;
    darken();
    const place = document.getElementById(key);
    const words = place && (place.textContent ? place : place.nextElementSibling);
    words?.classList.add("lit");
    document.querySelectorAll(`[data-of="${CSS.escape(key)}"]`).forEach((one) => one.classList.add("lit"));
    const path = element.closest("[data-path]")?.dataset.path.split(" ") ?? [];
    for (const number of path) document.querySelector(`.tree a[href="#claim-${number}"]`)?.classList.add("lit");
    const uses = document.getElementById(`of-${key}`);
    if (!uses) return;
    shown.replaceChildren(...[...uses.childNodes].map((node) => node.cloneNode(true)));
    if (path.length > 1) shown.append(` (claims ${path.join(" → ")})`);
    shown.hidden = false;
  };
  document.addEventListener("mouseover", (event) => light(event.target));
  document.addEventListener("focusin", (event) => light(event.target));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
    if (event.key === "Escape") darken();
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    const marks = [...document.querySelectorAll(".mark[id^=words-]")];
    const at = marks.indexOf(document.activeElement);
    const next = marks[at < 0 ? (by > 0 ? 0 : marks.length - 1) : at + by];
    if (!next) return;
    event.preventDefault();
    next.focus();
    next.scrollIntoView({ block: "center" });
  });
})();
