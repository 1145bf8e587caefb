// Keeps a run's page up to date while the run goes on: asks for the same page, and takes its live part.
"use strict";
(() => {
  const SOON = 2000;
  const LATEST = 30000;
  const note = document.getElementById("live-note");
  let wait = SOON;

  const lives = () => document.getElementById("live").dataset.lives === "yes";

  async function look() {
    try {
      const answer = await fetch(location.pathname, { headers: { Accept: "text/html" } });
      if (!answer.ok) throw new Error(String(answer.status));
      const found = new DOMParser().parseFromString(await answer.text(), "text/html");
      document.getElementById("live").replaceWith(found.getElementById("live"));
      note.textContent = found.getElementById("live-note").textContent;
      wait = SOON;
    } catch (error) {
      wait = Math.min(LATEST, wait * 2);
      note.textContent = `The server does not answer at the moment (${error.message}); the next try is in ${wait / 1000} s.`;
    }
    if (lives()) setTimeout(look, wait);
  }

  if (lives()) setTimeout(look, wait);
})();
