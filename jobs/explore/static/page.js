// Comfort on top of pages that work without it.
"use strict";

// "/" goes to the search, j and k to the next and the previous fact; not while somebody types.
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, select, textarea");
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/") {
    const search = document.querySelector("#q, #text");
    if (search) {
      event.preventDefault();
      search.focus();
    }
  } else if (event.key === "j" || event.key === "k") {
    const facts = [...document.querySelectorAll("a.fact")];
    const place = facts.indexOf(document.activeElement) + (event.key === "j" ? 1 : -1);
    if (facts.length) facts[Math.max(0, Math.min(place, facts.length - 1))].focus();
  }
});

// Empty fields are left out of the address; a choice is shown at once.
for (const form of document.querySelectorAll('form[role="search"]')) {
  form.addEventListener("submit", () => {
    for (const field of form.elements) field.disabled = field.name !== "" && field.value === "";
  });
  for (const choice of form.querySelectorAll("select")) {
    choice.addEventListener("change", () => form.requestSubmit());
  }
}
// A page that is gone back to comes as it was left.
addEventListener("pageshow", () => {
  for (const field of document.querySelectorAll('form[role="search"] :disabled')) field.disabled = false;
});
