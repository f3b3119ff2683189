// Keys for the buttons of a form: the one whose aria-keyshortcuts is the key is pressed, unless somebody types.
export default function rate(form) {
  const buttons = [...form.querySelectorAll("button[aria-keyshortcuts]")];
  let sent = false; // a form is sent once: the next key is for the next page
  form.addEventListener("submit", (event) => (sent ? event.preventDefault() : (sent = true)));
  addEventListener("pageshow", () => (sent = false)); // back by the browser's own button
  document.addEventListener("keydown", (event) => {
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select, [contenteditable]")) return;
    const button = buttons.find((b) => b.getAttribute("aria-keyshortcuts") === event.key.toLowerCase());
    if (!button) return;
    event.preventDefault();
    button.click();
  });
  form.dataset.ready = "true";
}
