// Keys for the labelling pages, which work without: a key answers, and the form is sent when both
// questions have an answer (the first alone, where it says "skip", or where there is no second).
// The page of all raters has no form, but keys for its links.
const form = document.getElementById("answer");
const value = (name) => new FormData(form).get(name);
const asksBoth = form?.querySelector("[name=stated]") != null;

function save() {
  if (value("label")) form.requestSubmit(form.querySelector("[value=save]"));
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target.matches("input[type=text]");
  if (event.key === "Escape" && typing) event.target.blur();
  if (typing) return;
  if (event.key === "Enter" && form && !event.target.matches("a, button, summary")) {
    event.preventDefault();
    return save();
  }
  if (event.key === "u" && form) {
    event.preventDefault();
    const undo = form.querySelector("[value=undo]");
    if (!undo.disabled) form.requestSubmit(undo);
    return;
  }
  const chosen = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (!chosen || chosen.disabled) return;
  event.preventDefault();
  if (chosen.matches("a")) return chosen.click();
  if (chosen.matches("[type=text]")) return chosen.focus();
  chosen.checked = true;
  const label = value("label");
  if (label === "skip" || (label && (!asksBoth || value("stated")))) save();
});

const standing = document.getElementById("standing");
if (standing?.dataset.from) {
  fetch(standing.dataset.from)
    .then((answer) => (answer.ok ? answer.text() : ""))
    .then((html) => {
      const page = new DOMParser().parseFromString(html, "text/html");
      standing.replaceChildren(...(page.querySelector("#figures")?.childNodes ?? []));
    });
}
