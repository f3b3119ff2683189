// The graph of an ontology in the notation of WebVOWL: classes are circles, external ones darker, datatypes boxes, properties labels on
// edges. It shows neighbourhoods, which grow where a person expands them, up to five hundred nodes.
import cytoscape from "cytoscape";
import edgehandles from "cytoscape-edgehandles";
import { colour, element, onTheme } from "./load.js";
import { placed, still } from "./graph.js";

cytoscape.use(edgehandles);

const most = 500; // nodes at once
const around = 60; // nodes of a neighbourhood
const named = 150; // edges up to which all have their names
const slice = 15; // elements that are added between two frames

// draw makes the graph in a place.
export async function draw(place, editor, api) {
  still();
  const { file } = editor;
  const canvas = element("div", { class: "graph-canvas", tabindex: "0", role: "application", "aria-label": "Graph of the neighbourhood. Arrow keys move it, plus and minus zoom, E expands what is selected." });
  const note = element("p", { role: "status", class: "meta" });
  const button = (text, label) => element("button", { type: "button", class: "button small", "aria-label": label }, text);
  const nearer = button("+", "Zoom in"), farther = button("−", "Zoom out"), fit = button("Fit", "Fit all nodes"), expand = button("Expand", "Expand the selected entity");
  const again = button("Only this", "Only this: the neighbourhood of the selected entity alone"), edge = button("Draw edges", "Draw edges by hand");
  edge.setAttribute("aria-pressed", "false");
  const tools = element("div", { class: "graph-tools" }, nearer, farther, fit, expand, again);
  if (editor.mayWrite) tools.append(edge);
  const names = { class: "class", external: "class of another file", concept: "concept", individual: "individual", datatype: "datatype", thing: "anything" };
  const legend = element("ul", { class: "legend", "aria-label": "Legend" });
  place.replaceChildren(element("h2", {}, "Neighbourhood"), tools, canvas, note, legend);
  const paint = () => legend.replaceChildren(...Object.entries(names).map(([name, says]) => {
    const dot = element("i");
    dot.style.background = colours()[name];
    if (name === "datatype") dot.style.borderRadius = "0";
    return element("li", {}, dot, says);
  }));
  paint();

  const cy = cytoscape({ container: canvas, style: style(), layout: { name: "preset" }, minZoom: 0.05, maxZoom: 5, wheelSensitivity: 0.3, boxSelectionEnabled: false });
  onTheme(canvas, () => { cy.style(style()); paint(); });
  let weights = new Map();

  const id = (e) => `${e.from} ${e.as} ${e.to} ${e.kind}`;
  // add adds what a picture has, places the new nodes, and leaves the others where they are: one picture after another.
  let last = Promise.resolve();
  const add = (picture, centre) => (last = last.then(() => append(picture, centre), () => append(picture, centre)));
  const append = async (picture, centre) => {
    const known = new Set(cy.nodes().map((n) => n.id()));
    const fresh = picture.nodes.filter((n) => !known.has(n.id)).slice(0, Math.max(0, most - known.size));
    for (const n of fresh) known.add(n.id);
    const edges = picture.edges.filter((e) => known.has(e.from) && known.has(e.to) && cy.getElementById(id(e)).empty());
    const nodes = fresh.map((n) => ({ group: "nodes", data: { ...n, short: shortened(n.name), look: look(n), width: n.kind === "class" || n.kind === "concept" ? 50 + Math.min(40, 4 * Math.sqrt(n.links)) : 40 } }));
    const lines = edges.map((e) => ({ group: "edges", data: { id: id(e), source: e.from, target: e.to, kind: e.kind, label: e.kind === "above" && e.label === "subclass of" ? "Subclass of" : e.label, as: e.as } }));
    if (nodes.length) {
      const old = cy.nodes().map((n) => ({ group: "nodes", data: { id: n.id(), width: n.data("width") }, fixed: n.position() }));
      const all = cy.edges().map((e) => ({ group: "edges", data: { id: e.id(), source: e.data("source"), target: e.data("target") } }));
      const places = await placed([...old, ...nodes, ...all, ...lines]);
      await bySlices(nodes.map((n) => ({ ...n, position: places[n.data.id] })));
    }
    await bySlices(lines);
    if (nodes.length + lines.length) simplify();
    if (weights.size) colourNodes();
    place.dataset.placed = cy.nodes().length;
    const left = picture.more ? ` ${picture.more} more of the neighbourhood are not drawn: the tree has them.` : "";
    note.textContent = cy.nodes().length >= most ? `${most} entities are drawn: no more. “Only this” begins anew.` : `${cy.nodes().length} nodes.${left}`;
    if (centre && nodes.length) {
      cy.fit(undefined, 30);
      if (cy.zoom() > 1.2) cy.zoom({ level: 1.2, renderedPosition: { x: cy.width() / 2, y: cy.height() / 2 } });
    }
  };
  // bySlices adds elements so that no frame is late.
  const bySlices = async (elements) => {
    for (let i = 0; i < elements.length; i += slice) {
      const part = elements.slice(i, i + slice).filter(({ data }) => cy.getElementById(data.id).empty() && (!data.source || (cy.getElementById(data.source).nonempty() && cy.getElementById(data.target).nonempty())));
      cy.add(part);
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  };
  // simplify draws the edges of a large graph without their names, but for those of the chosen entity.
  const simplify = () => cy.batch(() => {
    const large = cy.edges().length > named, beside = cy.nodes(".chosen").connectedEdges();
    cy.edges().forEach((e) => {
      const plain = large && !(beside.has(e) && beside.length <= named);
      if (plain !== e.hasClass("plain")) e.toggleClass("plain", plain);
    });
  });
  const mark = (iri) => {
    if (cy.getElementById(iri).hasClass("chosen")) return;
    cy.nodes(".chosen").removeClass("chosen");
    cy.getElementById(iri).addClass("chosen");
    simplify();
  };
  const near = (iris, n = around) => api("/near", { file, iri: iris, most: n });
  const show = async (iri) => {
    if (!iri) return;
    if (cy.getElementById(iri).empty() || cy.nodes().length < 3) {
      if (cy.nodes().length > most / 2) cy.elements().remove();
      const picture = await near(iri);
      const iris = picture.nodes.map((n) => n.iri).filter(Boolean);
      await add(picture.nodes.length < 8 ? await near([iri, ...iris], around / 2) : picture, true); // one that stands almost alone has its neighbours' neighbours
      mark(iri);
      return;
    }
    mark(iri);
    const node = cy.getElementById(iri);
    if (node.nonempty()) {
      const box = node.renderedBoundingBox();
      if (box.x1 < 0 || box.y1 < 0 || box.x2 > cy.width() || box.y2 > cy.height()) cy.animate({ center: { eles: node } }, { duration: 150 });
    }
  };
  // refresh draws again what is there after an edit.
  const refresh = async () => {
    const drawn = cy.nodes().filter((n) => n.data("iri")).map((n) => n.id());
    if (!drawn.length) return;
    const picture = await near(drawn.slice(0, most), 0);
    const nodes = new Map(picture.nodes.map((n) => [n.id, n])), edges = new Set(picture.edges.map(id));
    cy.nodes().filter((n) => n.data("iri") && !nodes.has(n.id())).remove();
    cy.edges().filter((e) => !edges.has(e.id()) && cy.getElementById(e.data("source")).data("iri") && cy.getElementById(e.data("target")).data("iri")).remove();
    cy.nodes().forEach((n) => {
      const now = nodes.get(n.id());
      if (now && (n.data("name") !== now.name || n.data("look") !== look(now))) n.data({ name: now.name, short: shortened(now.name), look: look(now) });
    });
    await add({ nodes: [], edges: picture.edges });
    const chosen = editor.selected();
    if (chosen) await add(await near(chosen), cy.getElementById(chosen).empty()); // what is new beside it
  };
  // weigh colours the nodes by weights from 0 to 1; without weights, as usual.
  const weigh = (map) => { weights = map; colourNodes(); };
  const colourNodes = () => cy.batch(() => cy.nodes().forEach((n) => {
    const weight = weights.get(n.data("iri"));
    if (weights.size === 0) n.removeData("weight"); else if (n.data("weight") !== (weight ?? 0)) n.data("weight", weight ?? 0);
  }));

  cy.on("tap", "node", ({ target }) => {
    if (target.data("iri")) editor.select(target.data("iri")).catch((error) => editor.tell(error.message));
  });
  cy.on("tap", "edge", ({ target }) => {
    const as = target.data("as");
    if (["property", "value"].includes(target.data("kind"))) editor.select(as).catch(() => {});
  });
  const grow = async (iri) => iri && add(await near(iri), true);
  cy.on("dbltap", "node", ({ target }) => grow(target.data("iri")).catch((error) => editor.tell(error.message)));
  expand.onclick = () => grow(editor.selected()).catch((error) => editor.tell(error.message));
  again.onclick = () => { cy.elements().remove(); show(editor.selected()); };
  const middle = () => ({ x: cy.width() / 2, y: cy.height() / 2 });
  const zoom = (by) => cy.zoom({ level: cy.zoom() * by, renderedPosition: middle() });
  nearer.onclick = () => zoom(1.3);
  farther.onclick = () => zoom(1 / 1.3);
  fit.onclick = () => cy.fit(undefined, 30);
  const keys = {
    "+": () => zoom(1.3), "=": () => zoom(1.3), "-": () => zoom(1 / 1.3), 0: () => cy.fit(undefined, 30), e: () => expand.click(),
    ArrowLeft: () => cy.panBy({ x: 60, y: 0 }), ArrowRight: () => cy.panBy({ x: -60, y: 0 }), ArrowUp: () => cy.panBy({ x: 0, y: 60 }), ArrowDown: () => cy.panBy({ x: 0, y: -60 }),
  };
  canvas.addEventListener("keydown", (event) => {
    const act = event.ctrlKey || event.metaKey || event.altKey ? null : keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  if (editor.mayWrite) byHand(cy, edge, editor);
  await show(editor.selected() || (await first(api, file)));
  return { show: (iri) => show(iri).catch((error) => editor.tell(error.message)), refresh, weigh, cy };
}

const shortened = (name) => (name.length > 40 ? `${name.slice(0, 40)}…` : name);

// first is the entity that a graph begins with where none is chosen: the root with the most below it.
async function first(api, file) {
  for (const kind of ["class", "concept", "property", "individual"]) {
    const { items } = await api("/tree", { file, kind });
    if (items.length) return items.reduce((a, b) => ((b.below ?? 0) > (a.below ?? 0) ? b : a)).iri;
  }
  return "";
}

// byHand lets a person draw an edge from a node to another, and asks what it means.
function byHand(cy, edge, editor) {
  const handles = cy.edgehandles({ snap: true, canConnect: (from, to) => !from.same(to) && from.data("iri") && to.data("iri"), edgeParams: () => ({ data: { kind: "new", label: "" } }) });
  edge.onclick = () => {
    const on = edge.getAttribute("aria-pressed") !== "true";
    edge.setAttribute("aria-pressed", on);
    if (on) handles.enableDrawMode(); else handles.disableDrawMode();
  };
  cy.on("ehcomplete", (event, from, to, drawn) => {
    drawn.remove();
    ask(from.data(), to.data(), editor);
  });
}

// ask asks what an edge between two entities means.
export function ask(from, to, editor) {
  const kinds = [["subclass of", "a kind of it"], ["instance of", "an instance of it"], ["related", "related to it (SKOS)"], ["broader", "narrower than it (SKOS)"], ["disjoint with", "never the same"], ["equivalent class", "the same class"]];
  const fits = kinds.filter(([as]) => (from.kind === "concept" ? ["related", "broader"].includes(as) : from.kind === "individual" ? as === "instance of" : !["related", "broader", "instance of"].includes(as)));
  const choose = element("select", { name: "as" }, ...fits.map(([as, says]) => element("option", { value: as }, says)));
  if (from.kind === "class" && to.kind === "class") choose.append(element("option", { value: "+" }, "a new property, which leads to it"));
  const other = element("input", { name: "other", list: "relations", "aria-label": "Or another property" });
  const text = element("input", { name: "text", "aria-label": "Name of the new property" });
  const yes = element("button", { class: "button primary", value: "yes" }, "Relate");
  const dialog = element("dialog", { class: "ask" },
    element("form", { method: "dialog" },
      element("p", {}, element("bdi", {}, from.name), " is … ", element("bdi", {}, to.name)),
      element("label", {}, "What ", choose), element("label", {}, "Or by this property ", other), element("label", {}, "Name, if it is new ", text),
      element("div", { class: "actions" }, yes, element("button", { class: "button", value: "" }, "Cancel"))));
  document.body.append(dialog);
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (dialog.returnValue !== "yes") return;
    const as = other.value.trim() || choose.value;
    const edit = as === "+" ? { do: "create", kind: "property", text: text.value, from: from.iri, to: to.iri } : { do: "relate", entity: from.iri, as, to: to.iri };
    editor.edit(edit, from.iri).catch((error) => editor.tell(error.message));
  });
  dialog.showModal();
}

// look is how a node is drawn.
function look({ kind, external, deprecated }) {
  if (deprecated) return "deprecated";
  return kind === "class" && external ? "external" : kind;
}

// colours are those of WebVOWL, with a dark variant.
function colours() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  return dark
    ? { class: "#37618f", external: "#16325c", concept: "#5b4a8a", individual: "#2c6e5a", datatype: "#7a6414", thing: "#2a3035", deprecated: "#555b60", property: "#1d4f7c" }
    : { class: "#aaccff", external: "#3366cc", concept: "#d6c8f5", individual: "#bfe8d6", datatype: "#ffcc33", thing: "#ffffff", deprecated: "#cccccc", property: "#aaccff" };
}

function style() {
  const [text, accent, quiet, card] = ["text", "accent", "quiet", "card"].map(colour);
  const by = colours();
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  return [
    { selector: "node", style: {
      label: "data(short)", width: "data(width)", height: "data(width)", color: text, "font-size": 11, "min-zoomed-font-size": 7, "text-valign": "center", "text-halign": "center",
      "text-wrap": "wrap", "text-max-width": 90, "text-outline-color": card, "text-outline-width": 2, "border-width": 1.5, "border-color": quiet, "background-color": by.class,
    } },
    ...["external", "concept", "individual", "deprecated", "thing", "datatype"].map((name) => ({ selector: `node[look = "${name}"]`, style: { "background-color": by[name] } })),
    { selector: 'node[look = "external"]', style: { color: dark ? text : "#ffffff", "text-outline-color": by.external } },
    { selector: 'node[look = "thing"]', style: { "border-style": "dashed" } },
    { selector: 'node[look = "datatype"]', style: { shape: "rectangle", width: 74, height: 24 } },
    { selector: 'node[look = "individual"]', style: { shape: "round-rectangle", width: 84, height: 28 } },
    { selector: 'node[kind = "property"]', style: { shape: "round-rectangle", width: 90, height: 26 } },
    { selector: "node[weight]", style: { "background-color": `mapData(weight, 0, 1, ${hex(card)}, ${hex(accent)})`, "text-outline-color": card, color: text } },
    { selector: "node.chosen", style: { "border-width": 4, "border-color": accent } },
    { selector: "edge", style: {
      width: 1.5, "line-color": quiet, "curve-style": "bezier", "target-arrow-shape": "triangle", "target-arrow-color": quiet, label: "data(label)", "font-size": 10, color: text,
      "min-zoomed-font-size": 7, "text-background-color": card, "text-background-opacity": 1, "text-background-padding": 2, "text-max-width": 110, "text-wrap": "ellipsis",
    } },
    { selector: 'edge[kind = "above"]', style: { "line-style": "dashed", "target-arrow-fill": "hollow" } },
    { selector: 'edge[kind = "type"]', style: { "line-style": "dotted" } },
    { selector: 'edge[kind = "property"]', style: { "text-background-color": by.property, "text-background-shape": "rectangle" } },
    { selector: 'edge[kind = "value"]', style: { "text-background-color": dark ? "#4d6b1f" : "#99cc66" } },
    { selector: 'edge[kind = "equal"], edge[kind = "related"]', style: { "target-arrow-shape": "none" } },
    { selector: 'edge[kind = "disjoint"]', style: { "line-style": "dashed", "target-arrow-shape": "none" } },
    { selector: "edge.plain", style: { label: "", "curve-style": "straight" } },
    { selector: ".eh-preview, .eh-ghost-edge", style: { "line-color": accent, "target-arrow-color": accent } },
    { selector: "node:active", style: { "overlay-color": accent, "overlay-opacity": 0.2 } },
  ];
}

// hex is a colour as the library's mapping reads it.
function hex(value) {
  const numbers = value.match(/[\d.]+/g).slice(0, 3).map(Number);
  return "#" + numbers.map((v) => Math.round(v).toString(16).padStart(2, "0")).join("");
}
