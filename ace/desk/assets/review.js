// Keys of the page on which a claim is reviewed: 0 to 5 and u choose an answer, Enter keeps it, w takes the
// selected words, s skips the claim.
"use strict";
(() => {
  const form = document.querySelector(".answer");
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input:not([type=radio]), select, textarea, a, button")) return;
    const answers = [...form.querySelectorAll("[name=label]")];
    const chosen = event.key === "u" ? answers.at(-1) : /^[0-5]$/.test(event.key) ? answers[event.key] : null;
    if (chosen) {
      chosen.checked = true;
      chosen.focus();
    } else if (event.key === "Enter") {
      form.requestSubmit();
    } else if (event.key === "w") {
      const words = String(getSelection()).trim();
      if (words) form.elements.words.value = words;
      form.elements.words.focus();
    } else if (event.key === "s") {
      document.getElementById("skip").click();
    } else {
      return;
    }
    event.preventDefault();
  });
})();
