// What lives on every page of the studio. All that reads and acts works without it.
import "htmx.org";
import { answers } from "./answers.js";
import { live } from "./live.js";
import { load } from "./load.js";
import { resume } from "./queue.js";

const begun = new WeakSet();

// begin begins the islands of a part of a page: once each.
function begin(root) {
  for (const element of root.querySelectorAll("[data-island]")) {
    if (begun.has(element)) continue;
    begun.add(element);
    if (element.dataset.island === "live") live(element);
    else island(element);
  }
}

// island loads the script of an island, and gives the element to it.
async function island(element) {
  try {
    const { default: start } = await load(element.dataset.island);
    await start(element);
  } catch (error) {
    element.dataset.failed = error.message; // what the server wrote stays
  }
}

begin(document);
resume();
new MutationObserver(() => begin(document)).observe(document.body, { childList: true, subtree: true });

// "/" goes to the search, as elsewhere on the Web.
document.addEventListener("keydown", (event) => {
  const search = document.querySelector("input[type=search]");
  const typing = event.target.closest("input, textarea, select, [contenteditable]");
  if (event.key === "/" && search && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    search.focus();
  }
});

document.addEventListener("keydown", answers);

// A slider shows its number as it moves, before the page is asked.
document.addEventListener("input", (event) => {
  if (event.target.matches?.("input[type=range]")) {
    for (const shown of document.querySelectorAll(`output[for="${event.target.id}"]`)) shown.value = Number(event.target.value).toFixed(2);
  }
});
