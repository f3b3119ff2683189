// A queue is a list whose rows a person goes through by keys: j and k to the next row and the one before, and the key that a button of the row names.
const rows = () => [...document.querySelectorAll("[data-queued]")];
const current = () => document.activeElement?.closest("[data-queued]");

function go(to) {
  if (!to) return;
  to.focus({ preventScroll: true });
  to.scrollIntoView({ block: "nearest" });
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select, [contenteditable]")) return;
  const all = rows();
  if (all.length === 0) return;
  const row = current(), at = all.indexOf(row);
  if (event.key === "j") go(all[Math.min(at + 1, all.length - 1)]);
  else if (event.key === "k") go(all[Math.max(at - 1, 0)]);
  else {
    const button = [...(row?.querySelectorAll("[data-key]") ?? [])].find((b) => b.dataset.key === event.key);
    if (!button) return;
    button.click();
  }
  event.preventDefault();
});

// After a decision the browser is where it was: the row that has moved up is the next one.
export function resume() {
  const to = /^#p-\d+$/.test(location.hash) ? document.querySelector(location.hash) ?? rows().at(-1) : null;
  if (to?.matches("[data-queued]")) go(to);
}
