// Proposals beside the graph of an ontology: each is dragged onto an entity, of the graph or of the tree, or given to the selected one by keys.
import { element, token } from "./load.js";

// propose lists what crawls propose in a place.
export function propose(place, crawls, editor, graph) {
  const list = element("ul", { class: "proposals" });
  const note = element("p", { class: "meta", role: "status" });
  const choose = element("select", { "aria-label": "Crawl" }, ...crawls.map((id) => element("option", { value: id }, id)));
  place.replaceChildren(element("h2", {}, "Proposals"), element("p", { class: "hint" }, "Drag one onto an entity of the graph or of the tree. By keys: choose one, then E makes it a name of the selected entity, S a subclass, I an instance, R rejects it, L is for later."), ...(crawls.length > 1 ? [choose] : []), list, note);
  const base = () => `/api/v1/crawls/${encodeURIComponent(choose.value || crawls[0])}`;
  const ask = async (path, body) => {
    const answer = await fetch(base() + path, body && { method: "POST", headers: { "Content-Type": "application/json", "X-CSRF-Token": token() }, body: JSON.stringify(body) });
    const value = await answer.json();
    if (!answer.ok) throw new Error(value.detail ?? `status ${answer.status}`);
    return value;
  };
  const fail = (error) => editor.tell(error.message);

  // decide tells the crawl, and shows what became of the file.
  const decide = async (proposal, choice) => {
    await ask("/decisions", { id: proposal.id, ...choice });
    const done = choice.accepted ? `“${proposal.text}” is accepted` : choice.later ? `“${proposal.text}” waits for later` : `“${proposal.text}” is rejected`;
    const undo = element("button", { type: "button", class: "button small" }, "Undo");
    undo.onclick = () => ask("/decisions", { id: proposal.id, withdrawn: true }).then(() => Promise.all([show(), editor.changed(editor.selected())])).then(() => (note.textContent = `“${proposal.text}” is open again.`), fail);
    await Promise.all([show(), choice.accepted ? editor.changed(choice.entity) : undefined]);
    note.replaceChildren(`${done}. `, undo);
    place.dataset.decided = Number(place.dataset.decided ?? 0) + 1;
  };
  const accept = (proposal, as, entity, more = {}) => decide(proposal, { accepted: true, as, entity, ...more });

  const show = async () => {
    const { proposals, states } = await ask("/proposals?state=open&limit=20");
    list.replaceChildren(...proposals.map((p) => {
      const words = element("bdi", {}, p.text);
      const chip = element("button", { type: "button", class: "button small", draggable: "true", title: p.sentences?.[0]?.text?.slice(0, 300) ?? "" }, words);
      if (p.name) chip.append(element("span", { class: "meta" }, ` · ${p.name}`));
      chip.dataset.id = p.id;
      chip.addEventListener("dragstart", (event) => event.dataTransfer.setData("application/x-proposal", JSON.stringify(p)));
      chip.onclick = () => become(p, editor.selected() || p.entity);
      chip.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const to = editor.selected() || p.entity;
        const keys = { e: () => accept(p, "entry", to), s: () => (p.kind === "broader" ? accept(p, "broader", p.entity, { range: p.other }) : accept(p, "subclass", to)), i: () => accept(p, "instance", to), r: () => decide(p, {}), l: () => decide(p, { later: true }) };
        if (!keys[event.key]) return;
        event.preventDefault();
        keys[event.key]().catch(fail);
      });
      return element("li", {}, chip);
    }));
    place.dataset.open = states?.open ?? proposals.length;
    if (proposals.length === 0) note.textContent = "No proposal is open. They come while the crawl fetches pages.";
  };

  // become asks what a proposal becomes beside an entity.
  const become = (proposal, entity, name) => {
    const kind = element("select", { name: "as" }, ...[["entry", "one more name of it"], ["subclass", "a class below it"], ["instance", "an instance of it"], ["property", "a relation from it"], ["broader", "a place of it, below another class"]].map(([value, says]) => element("option", { value }, says)));
    kind.value = proposal.as || "entry";
    const edge = proposal.kind === "broader"; // between two entities: dropped onto a third, that is the broader one
    const text = element("input", { name: "text", value: proposal.text, "aria-label": "Words" });
    const range = element("input", { name: "range", list: "labels", "aria-label": "The class that a relation leads to, or that is above", value: (edge && entity !== proposal.entity && entity) || (proposal.other ?? "") });
    const at = element("input", { name: "entity", list: "labels", value: (edge ? proposal.entity : entity) ?? "", "aria-label": "Entity" });
    const answers = [["accept", "Accept", " primary"], ["reject", "Reject", ""], ["later", "Later", ""], ["", "Cancel", ""]].map(([value, label, more]) => element("button", { class: `button${more}`, value }, label));
    const dialog = element("dialog", { class: "ask" }, element("form", { method: "dialog" }, element("p", {}, "“", element("bdi", {}, proposal.text), "” becomes"),
      element("label", {}, "What ", kind), element("label", {}, "Of ", at), element("label", {}, "In the words ", text), element("label", {}, "A relation leads to, or below ", range),
      ...(proposal.sentences ?? []).slice(0, 2).map((s) => element("p", { class: "hint" }, s.text.slice(0, 300))), element("div", { class: "actions" }, ...answers)));
    if (name) at.setAttribute("title", name);
    document.body.append(dialog);
    dialog.addEventListener("close", () => {
      dialog.remove();
      const answer = dialog.returnValue;
      if (answer === "accept") accept(proposal, kind.value, at.value, { text: text.value, ...(["property", "broader"].includes(kind.value) ? { range: range.value } : {}) }).catch(fail);
      else if (answer) decide(proposal, answer === "later" ? { later: true } : {}).catch(fail);
    });
    dialog.showModal();
  };

  // drop takes what is dropped at a place of the page.
  const over = (event) => event.dataTransfer.types.includes("application/x-proposal") && event.preventDefault();
  const dropped = (event, entity) => {
    const text = event.dataTransfer.getData("application/x-proposal");
    if (!text || !entity) return;
    event.preventDefault();
    become(JSON.parse(text), entity.iri, entity.name);
  };
  const canvas = graph.cy.container();
  canvas.addEventListener("dragover", over);
  canvas.addEventListener("drop", (event) => {
    const box = canvas.getBoundingClientRect();
    const x = event.clientX - box.left, y = event.clientY - box.top;
    const hit = graph.cy.nodes().filter((n) => { const b = n.renderedBoundingBox(); return n.data("iri") && x >= b.x1 && x <= b.x2 && y >= b.y1 && y <= b.y2; });
    dropped(event, hit.nonempty() ? hit[0].data() : null);
  });
  const tree = document.getElementById("tree");
  tree.addEventListener("dragover", over);
  tree.addEventListener("drop", (event) => {
    const node = event.target.closest('[role="treeitem"]');
    dropped(event, node && { iri: node.dataset.iri });
  });
  choose.onchange = () => show().catch(fail);
  show().catch((error) => (note.textContent = error.message));
}
