// Saves what is typed into a draft a moment after each change, so that nothing is lost when the browser is closed.

const WAIT = 700;
const form = document.querySelector("form.draft");
const status = document.getElementById("saved");
let timer = null;
let saving = null;
let isStopped = false;

async function save() {
  const sent = new URLSearchParams(new FormData(form));
  sent.set("do", "autosave");
  try {
    const answer = await fetch(form.getAttribute("action"), { method: "POST", body: sent, keepalive: true });
    const told = answer.headers.get("content-type")?.includes("json") ? await answer.json() : {};
    if (answer.ok) form.elements.draft_revision.value = told.revision;
    isStopped = answer.status === 409 || answer.status === 401 || answer.status === 403;
    status.textContent = answer.ok ? "Saved." : told.fault ?? "Not saved: your session may have ended. Keep this page open and sign in in another tab.";
  } catch {
    status.textContent = "Not saved: the server does not answer. It is tried again with the next change.";
  }
}

// One save after the other: each names the revision that the one before made.
function begin() {
  clearTimeout(timer);
  timer = null;
  saving = (saving ?? Promise.resolve()).then(save).finally(() => {
    saving = null;
  });
  return saving;
}

form.addEventListener("input", (event) => {
  if (!event.target.name?.startsWith("draft_") || isStopped) return;
  status.textContent = "Not saved yet …";
  clearTimeout(timer);
  timer = setTimeout(begin, WAIT);
});

// A button's own request saves, too; it must not overtake a save that is under way.
form.addEventListener("submit", (event) => {
  clearTimeout(timer);
  timer = null;
  if (!saving) return;
  event.preventDefault();
  saving.then(() => form.requestSubmit(event.submitter));
});

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "hidden" && timer) begin();
});
