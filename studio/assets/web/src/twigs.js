// The tree of entities: branches load when they open, fifty at a time; keys as the ARIA practices have them.
import { element } from "./load.js";

const rows = 50;

// grow makes the tree in a place. It returns refresh, which reads again what is open, and show, which opens the way to an entity.
export function grow(place, editor, api) {
  const file = editor.file;
  let kind = place.dataset.kind;
  const top = element("ul", { role: "tree", "aria-label": "Entities" });
  place.replaceChildren(top);

  const leaf = (item) => {
    const link = element("a", { href: `/ontology?${new URLSearchParams({ file, entity: item.iri })}`, "data-entity": encodeURIComponent(item.iri), tabindex: "-1" });
    if (item.deprecated) link.className = "gone";
    link.append(element("bdi", {}, item.name.length > 80 ? `${item.name.slice(0, 80)}…` : item.name));
    const twig = element("div", { class: "twig" });
    const node = element("li", { role: "treeitem", tabindex: "-1", "aria-selected": "false" }, twig);
    node.dataset.iri = item.iri;
    if (item.below && kind !== "individual") {
      node.setAttribute("aria-expanded", "false");
      const toggle = element("button", { type: "button", tabindex: "-1", "aria-label": `What is below ${item.name}` }, "▸");
      toggle.onclick = () => (node.getAttribute("aria-expanded") === "true" ? close(node) : open(node));
      twig.append(toggle);
    } else twig.append(element("span", { class: "leaf" }));
    twig.append(link);
    if (editor.mayWrite) drag(node, twig, item);
    return node;
  };

  // fill adds a part of a branch to a list.
  const fill = async (list, under, skip = 0, limit = rows) => {
    const { items, total } = await api("/tree", under ? { file, under, skip, limit } : { file, kind, skip, limit });
    list.querySelector(":scope > .more")?.remove();
    list.append(...items.map(leaf));
    const have = skip + items.length;
    if (have < total) {
      const more = element("button", { type: "button", class: "button small" }, `${total - have} more`);
      more.onclick = () => fill(list, under, have).catch(fail);
      list.append(element("li", { class: "more", role: "none" }, more));
    }
    if (!top.querySelector('[tabindex="0"]')) top.querySelector('[role="treeitem"]')?.setAttribute("tabindex", "0");
  };
  const fail = (error) => editor.tell(error.message);

  const open = async (node, limit) => {
    if (node.getAttribute("aria-expanded") !== "false") return;
    node.setAttribute("aria-expanded", "true");
    node.querySelector(":scope > .twig > button").textContent = "▾";
    const list = element("ul", { role: "group" });
    node.append(list);
    await fill(list, node.dataset.iri, 0, limit);
  };
  const close = (node) => {
    if (node.getAttribute("aria-expanded") !== "true") return;
    node.setAttribute("aria-expanded", "false");
    node.querySelector(":scope > .twig > button").textContent = "▸";
    node.querySelector(":scope > [role=group]").remove();
  };
  const child = (list, iri) => [...list.children].find((node) => node.dataset.iri === iri);

  // show opens the way to an entity, and marks it.
  const show = async (iri) => {
    if (!iri) return;
    const form = await api("/entity", { file, iri });
    if (form.kind !== kind) {
      kind = form.kind;
      for (const link of document.querySelectorAll(".kinds a")) link.toggleAttribute("aria-current", link.dataset.kind === kind);
      top.replaceChildren();
      await fill(top);
    }
    let list = top, node;
    for (const { iri: at } of form.path) {
      if (!child(list, at)) { // beyond the part that is loaded: it is put before the rest
        const item = form.path.find((i) => i.iri === at);
        list.prepend(leaf(item));
      }
      node = child(list, at);
      if (at !== iri) await open(node);
      list = node.querySelector(":scope > [role=group]") ?? list;
    }
    for (const old of top.querySelectorAll('[aria-selected="true"]')) old.setAttribute("aria-selected", "false");
    node?.setAttribute("aria-selected", "true");
    if (node) focusable(node);
    node?.querySelector(":scope > .twig")?.scrollIntoView({ block: "nearest" });
  };
  const focusable = (node) => {
    for (const old of top.querySelectorAll('[role="treeitem"][tabindex="0"]')) old.setAttribute("tabindex", "-1");
    node.setAttribute("tabindex", "0");
  };

  // refresh reads again all branches that are open.
  const refresh = async () => {
    const opened = [...top.querySelectorAll('[aria-expanded="true"]')].map((node) => node.dataset.iri);
    const seen = Math.max(rows, top.querySelectorAll(":scope > [role=treeitem]").length);
    const fresh = document.createDocumentFragment();
    const list = element("ul");
    fresh.append(list);
    await fill(list, "", 0, Math.min(seen, 500));
    for (const iri of opened) {
      const node = [...list.querySelectorAll('[role="treeitem"]')].find((n) => n.dataset.iri === iri);
      if (node) await open(node);
    }
    const again = (old) => old && [...list.querySelectorAll('[role="treeitem"]')].find((n) => n.dataset.iri === old.dataset.iri);
    const focused = again(document.activeElement?.closest('[role="treeitem"]'));
    const stop = focused ?? again(top.querySelector('[role="treeitem"][tabindex="0"]')) ?? list.querySelector('[role="treeitem"]');
    again(top.querySelector('[aria-selected="true"]'))?.setAttribute("aria-selected", "true");
    top.replaceChildren(...list.children);
    if (stop) focusable(stop);
    focused?.focus();
  };

  // Reading again and showing wait for each other: an older answer never takes the place of a newer one.
  let last = Promise.resolve();
  const turn = (work) => (last = last.then(work, work));

  const visible = () => [...top.querySelectorAll('[role="treeitem"]')];
  top.addEventListener("keydown", (event) => {
    const node = event.target.closest('[role="treeitem"]');
    if (!node || event.ctrlKey || event.metaKey || event.altKey) return;
    const all = visible(), at = all.indexOf(node);
    const go = (to) => to && (focusable(to), to.focus());
    const keys = {
      ArrowDown: () => go(all[at + 1]), ArrowUp: () => go(all[at - 1]), Home: () => go(all[0]), End: () => go(all.at(-1)),
      ArrowRight: () => (node.getAttribute("aria-expanded") === "false" ? open(node).catch(fail) : go(node.querySelector('[role="treeitem"]'))),
      ArrowLeft: () => (node.getAttribute("aria-expanded") === "true" ? close(node) : go(node.parentElement.closest('[role="treeitem"]'))),
      Enter: () => editor.select(node.dataset.iri).then(() => child(node.parentElement, node.dataset.iri)?.focus(), fail),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
  });

  // drag lets a person move an entity below another, or give something to it that is dropped on it.
  function drag(node, twig, item) {
    twig.draggable = true;
    twig.addEventListener("dragstart", (event) => event.dataTransfer.setData("application/x-entity", item.iri));
    twig.addEventListener("dragover", (event) => event.dataTransfer.types.includes("application/x-entity") && event.preventDefault());
    twig.addEventListener("drop", (event) => {
      const moved = event.dataTransfer.getData("application/x-entity");
      if (!moved || moved === item.iri) return;
      event.preventDefault();
      editor.edit({ do: "move", entity: moved, to: item.iri }, moved).catch(fail);
    });
  }

  for (const link of document.querySelectorAll(".kinds a")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      kind = link.dataset.kind;
      for (const other of document.querySelectorAll(".kinds a")) other.toggleAttribute("aria-current", other === link);
      top.replaceChildren();
      fill(top).catch(fail);
    });
  }
  fill(top).catch(fail);
  return { refresh: () => turn(refresh), show: (iri) => turn(() => show(iri)).catch(fail) };
}
