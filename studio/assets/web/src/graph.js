// graph draws nodes and edges: {nodes: [{id, label, size, share, href}], edges: [{from, to, links}]}, or a crawl's map as of
// /api/v1/crawls/ID/map. A worker places the nodes, so that the page never waits.
import cytoscape from "cytoscape";
import { colour, element, onTheme, path } from "./load.js";

// start draws the map that data-src of an element answers with. data-kind says what its nodes are, hosts or pages; data-list and
// data-map are the addresses of a host's pages and of the map around a page, without the host and the URL.
export default async function start(place) {
  const answer = await fetch(place.dataset.src);
  if (!answer.ok) throw new Error(`the map: status ${answer.status}`);
  const map = await answer.json();
  const around = decodeURIComponent(place.dataset.around ?? "");
  const hosts = place.dataset.kind === "hosts";
  const nodes = (map.nodes ?? []).map((node) => ({
    id: node.id,
    label: (hosts ? node.id : node.title || node.id.replace(/^https?:\/\//, "")).slice(0, hosts ? 60 : 32),
    size: hosts ? node.pages : 1,
    share: hosts ? (node.pages ? (node.accepted ?? 0) / node.pages : 0) : (node.score ?? 0),
    faint: !node.known,
    strong: node.id === around,
    href: place.dataset[hosts ? "list" : "map"] + encodeURIComponent(node.id),
  }));
  return show(place, { nodes, edges: map.edges ?? [] });
}

// show draws a graph in an element.
export async function show(place, { nodes, edges }) {
  still();
  const canvas = element("div", { class: "graph-canvas", tabindex: "0", role: "application", "aria-label": `A graph of ${nodes.length} nodes and ${edges.length} links. Arrow keys move it, plus and minus zoom.` });
  const note = element("p", { role: "status", class: "meta" }, "The nodes are being placed …");
  const zoom = [["+", "Zoom in"], ["−", "Zoom out"], ["Fit", "Fit all nodes"]].map(([text, label]) => element("button", { type: "button", class: "button", "aria-label": label }, text));
  place.replaceChildren(element("div", { class: "actions" }, ...zoom), canvas, note);
  const elements = elementsOf(nodes, edges);
  const cy = cytoscape({
    container: canvas, style: style(nodes.length), layout: { name: "preset" },
    hideEdgesOnViewport: nodes.length > 1000, textureOnViewport: nodes.length > 1000, pixelRatio: nodes.length > 1000 ? 1 : "auto", minZoom: 0.02, maxZoom: 6,
  });
  steer(cy, canvas, zoom);
  cy.on("tap", "node", ({ target }) => target.data("href") && location.assign(target.data("href")));
  onTheme(canvas, () => cy.style(style(nodes.length)));
  const places = await placed(elements);
  view(cy, Object.values(places));
  for (let i = 0; i < elements.length; i += slice) {
    cy.add(elements.slice(i, i + slice).map((e) => (e.group === "nodes" ? { ...e, position: places[e.data.id] } : e)));
    await new Promise((resolve) => setTimeout(resolve));
  }
  cy.fit(undefined, 30);
  note.textContent = "";
  place.dataset.placed = nodes.length;
  return cy;
}

// slice is the number of elements that are added between two moments for the page.
const slice = 250;

// elementsOf are nodes and edges as the library takes them: nodes first.
function elementsOf(nodes, edges) {
  const known = new Set(nodes.map((node) => node.id));
  const most = Math.max(...nodes.map((node) => node.size ?? 1));
  const width = ({ size = 1 }) => (most > 1 ? 16 + 44 * Math.sqrt(size / most) : 22);
  return [
    ...nodes.map((node) => ({ group: "nodes", data: { ...node, width: width(node) } })),
    ...edges.filter(({ from, to }) => known.has(from) && known.has(to) && from !== to)
      .map(({ from, to, links, label }, i) => ({ group: "edges", data: { id: `edge ${i}`, source: from, target: to, label: label ?? "", width: Math.min(1 + Math.log2(links ?? 1) / 2, 6) } })),
  ];
}

// view shows the part of the plane that has places, before anything is there.
function view(cy, places) {
  const xs = places.map(({ x }) => x), ys = places.map(({ y }) => y);
  const least = (all) => all.reduce((a, b) => Math.min(a, b), Infinity), most = (all) => all.reduce((a, b) => Math.max(a, b), -Infinity);
  const level = Math.min(cy.width() / (most(xs) - least(xs) + 120), cy.height() / (most(ys) - least(ys) + 120), 2);
  cy.viewport({ zoom: level, pan: { x: cy.width() / 2 - (level * (least(xs) + most(xs))) / 2, y: cy.height() / 2 - (level * (least(ys) + most(ys))) / 2 } });
}

// still stands for the style element that the library would add: app.css has its rule.
export function still() {
  const id = "__________cytoscape_stylesheet";
  if (!document.getElementById(id)) document.head.append(element("meta", { id }));
}

// placed asks the worker for the places of nodes by id.
export function placed(elements) {
  const worker = new Worker(path("layout"), { type: "module" });
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = () => reject(new Error("the nodes could not be placed"));
    worker.postMessage(elements.map(({ group, data, fixed }) => ({ group, fixed, data: { id: data.id, source: data.source, target: data.target, width: data.width } })));
  }).finally(() => worker.terminate());
}

// steer lets keys and buttons move a graph.
function steer(cy, canvas, [nearer, farther, all]) {
  const middle = () => ({ x: cy.width() / 2, y: cy.height() / 2 });
  const zoom = (by) => cy.zoom({ level: cy.zoom() * by, renderedPosition: middle() });
  nearer.onclick = () => zoom(1.3);
  farther.onclick = () => zoom(1 / 1.3);
  all.onclick = () => cy.fit(undefined, 30);
  const keys = {
    "+": () => zoom(1.3), "=": () => zoom(1.3), "-": () => zoom(1 / 1.3), 0: () => cy.fit(undefined, 30),
    ArrowLeft: () => cy.panBy({ x: 60, y: 0 }), ArrowRight: () => cy.panBy({ x: -60, y: 0 }), ArrowUp: () => cy.panBy({ x: 0, y: 60 }), ArrowDown: () => cy.panBy({ x: 0, y: -60 }),
  };
  canvas.addEventListener("keydown", (event) => {
    const act = event.ctrlKey || event.metaKey || event.altKey ? null : keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}

function style(n) {
  const [text, line, accent, quiet, card] = ["text", "line", "accent", "quiet", "card"].map(colour);
  return [
    { selector: "node", style: {
      label: "data(label)", width: "data(width)", height: "data(width)", color: text, "font-size": 12, "min-zoomed-font-size": 9, "text-valign": "bottom", "text-margin-y": 3,
      "text-outline-color": card, "text-outline-width": 2, "background-color": `mapData(share, 0, 1, ${hex(quiet)}, ${hex(accent)})`, "border-width": 1, "border-color": quiet,
    } },
    { selector: "node[?faint]", style: { "background-color": card, "border-style": "dashed" } },
    { selector: "node[?strong]", style: { "border-width": 4, "border-color": text } },
    { selector: "edge", style: {
      width: "data(width)", "line-color": quiet, opacity: 0.45, "curve-style": n > 1000 ? "haystack" : "straight", "target-arrow-shape": "triangle", "target-arrow-color": quiet, "arrow-scale": 0.8,
      label: "data(label)", "font-size": 9, color: text, "min-zoomed-font-size": 8, "text-rotation": "autorotate",
    } },
    { selector: "node:active", style: { "overlay-color": line, "overlay-opacity": 0.4 } },
  ];
}

// hex is a colour as the library's mapping reads it.
function hex(value) {
  const numbers = value.match(/[\d.]+/g).slice(0, 3).map(Number);
  return "#" + numbers.map((v) => Math.round(v).toString(16).padStart(2, "0")).join("");
}
