// The editor of ontologies: a tree that loads its branches, a form that is exchanged without a new page, and a graph of neighbourhoods in the
// notation of WebVOWL. Without it the page shows and does the same.
import { element, plain, token } from "./load.js";
import { draw } from "./vowl.js";
import { propose } from "./propose.js";
import { grow } from "./twigs.js";
import { check } from "./check.js";

// api asks the studio's API about the file.
export async function api(path, parameters = {}, sent) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) for (const one of [value].flat()) query.append(name, one);
  const answer = await fetch(`/api/v1/ontology${path}?${query}`, sent && { method: "POST", headers: { "Content-Type": "application/json", "X-CSRF-Token": token() }, body: JSON.stringify(sent) });
  const value = await answer.json();
  if (!answer.ok) throw new Error(value.detail ?? `status ${answer.status}`);
  return value;
}

// start joins the parts of the editor at the place of the graph.
export default async function start(place) {
  const file = plain(place.dataset.file);
  suggest(file);
  if (place.dataset.weigh) return weighed(place, file);
  const parts = ["standing", "entity"];
  const editor = { file, mayWrite: place.dataset.write === "true", selected: () => plain(document.getElementById("entity").dataset.iri) };

  // take shows the parts of another page of the editor.
  const take = (page, url) => {
    const next = new DOMParser().parseFromString(page, "text/html");
    if (!parts.every((id) => next.getElementById(id))) return location.assign(url);
    for (const id of parts) document.getElementById(id).replaceWith(document.importNode(next.getElementById(id), true));
    const old = document.querySelector("main > .flash"), said = next.querySelector("main > .flash");
    old?.remove();
    if (said) document.querySelector("main h1").before(document.importNode(said, true));
    if (url !== location.pathname + location.search) history.pushState({}, "", url);
  };
  const visit = async (url) => {
    const answer = await fetch(url, { headers: { Accept: "text/html" } });
    take(await answer.text(), url);
  };
  editor.select = async (iri) => {
    if (iri === editor.selected()) return;
    await visit(`/ontology?${new URLSearchParams({ file, entity: iri })}`);
    tree.show(iri);
    graph.show(iri);
  };
  // edit does edits by the API, and shows what became of them.
  editor.edit = async (edits, at) => {
    const { entity } = await api("/edits", {}, { file, by: "", edits: [edits].flat() });
    await editor.changed(at ?? entity ?? editor.selected());
  };
  editor.changed = async (iri) => {
    checked();
    await visit(`/ontology?${new URLSearchParams(iri ? { file, entity: iri } : { file })}`);
    await Promise.all([tree.refresh(), graph.refresh()]);
    tree.show(editor.selected());
    graph.show(editor.selected());
  };
  editor.tell = (text) => {
    document.querySelector("main > .flash")?.remove();
    document.querySelector("main h1").before(element("div", { class: "flash bad", role: "alert" }, text));
  };

  const checked = check(document.getElementById("findings"), file, api);
  const tree = grow(document.getElementById("tree"), editor, api);
  const graph = await draw(place, editor, api);
  if (editor.selected()) tree.show(editor.selected());
  const proposals = document.getElementById("proposals");
  if (proposals && editor.mayWrite) propose(proposals, proposals.dataset.crawls.split(" ").map(plain), editor, graph);

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-entity]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    editor.select(plain(link.dataset.entity)).catch((error) => editor.tell(error.message));
  });
  document.addEventListener("submit", (event) => {
    const form = event.target.closest("form[action^='/ontology/']");
    if (!form || !/\/(edit|undo|redo|discard)$/.test(new URL(form.action).pathname)) return;
    event.preventDefault();
    const body = new URLSearchParams(new FormData(form, event.submitter));
    fetch(form.action, { method: "POST", body, headers: { Accept: "text/html" } }).then(async (answer) => {
      const url = new URL(answer.url);
      take(await answer.text(), url.pathname + url.search);
      checked();
      await Promise.all([tree.refresh(), graph.refresh()]);
      tree.show(editor.selected());
      graph.show(editor.selected());
      if (form.isConnected) form.reset();
    }).catch((error) => editor.tell(error.message));
  });
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, textarea, select");
    if (typing || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    const again = event.key === "y" || (event.key.toLowerCase() === "z" && event.shiftKey);
    if (!again && event.key !== "z") return;
    event.preventDefault();
    document.querySelector(`#standing form[action$="/${again ? "redo" : "undo"}"] button`)?.click();
  });
  window.addEventListener("popstate", () => location.reload());
}

// weighed draws the neighbourhood of a target in the colours of what counts for it, and follows the form.
async function weighed(place, file) {
  const table = () => document.querySelector(place.dataset.weigh);
  const editor = {
    file, mayWrite: false, selected: () => plain(table().dataset.target),
    select: (iri) => location.assign(`/ontology/counts?${new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(table().dataset.query)), target: iri })}`),
    tell: (text) => (place.dataset.failed = text),
  };
  const graph = await draw(place, editor, api);
  const follow = async () => {
    const { query } = table().dataset;
    if (!query) return;
    const { entities } = await api("/relevance", Object.fromEntries(new URLSearchParams(query)));
    await graph.show(editor.selected());
    graph.weigh(new Map(entities.map(({ iri, weight }) => [iri, weight])));
    place.dataset.weighed = query;
  };
  await follow();
  let was = table().dataset.query;
  new MutationObserver(() => {
    if (!table() || table().dataset.query === was) return;
    was = table().dataset.query;
    follow().catch((error) => editor.tell(error.message));
  }).observe(document.querySelector("main"), { childList: true, subtree: true });
}

// suggest offers the labels of the file where an entity is asked for.
function suggest(file) {
  const list = document.getElementById("labels");
  let waits, asked;
  document.addEventListener("input", ({ target }) => {
    if (target.getAttribute?.("list") !== "labels" && target.id !== "t-q") return;
    clearTimeout(waits);
    waits = setTimeout(async () => {
      const words = target.value.trim();
      if (!words || words === asked) return;
      asked = words;
      const { found } = await api("/search", { file, words, limit: 20 });
      if (target.id === "t-q") return hits(target, found);
      list.replaceChildren(...found.map(({ iri, name, kind }) => element("option", { value: iri, label: `${name} (${kind})` })));
    }, 120);
  });
}

// hits shows what a search found below its field.
function hits(field, found) {
  let list = document.getElementById("hits");
  if (!list) {
    list = element("ul", { id: "hits", class: "branch", "aria-live": "polite" });
    field.closest("form").after(list);
  }
  list.replaceChildren(...found.map(({ iri, name, kind, label }) => {
    const link = element("a", { href: `/ontology?${new URLSearchParams({ file: plain(document.getElementById("tree").dataset.file), entity: iri })}`, "data-entity": encodeURIComponent(iri) });
    link.append(element("bdi", {}, name));
    return element("li", {}, link, " ", element("span", { class: "meta" }, label === name.toLowerCase() ? kind : `${kind} · ${label}`));
  }));
  if (found.length === 0) list.append(element("li", { class: "empty" }, "Nothing is named so."));
}
