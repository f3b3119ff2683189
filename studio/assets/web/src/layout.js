// A worker that places the nodes of a graph: it gets the elements, and answers with places by id. The same graph has the same places.
import cytoscape from "cytoscape";
import fcose from "cytoscape-fcose";

cytoscape.use(fcose);

const room = 120; // the width of the place of a node
let state = 1;
Math.random = () => ((state = (state * 48271) % 2147483647) - 1) / 2147483646;

self.onmessage = ({ data }) => {
  const cy = cytoscape({ headless: true, styleEnabled: true, elements: data, style: [{ selector: "node", style: { width: "data(width)", height: "data(width)" } }] });
  const fixed = data.filter((one) => one.fixed).map((one) => ({ nodeId: one.data.id, position: one.fixed }));
  cy.one("layoutstop", () => {
    const { w, h } = cy.nodes().boundingBox(), by = fixed.length ? 1 : Math.max(1, (room * Math.sqrt(cy.nodes().length)) / Math.sqrt(w * h + 1)); // apart, if they are close
    const places = {};
    cy.nodes().forEach((node) => void (places[node.id()] = { x: by * node.position("x"), y: by * node.position("y") }));
    self.postMessage(places);
  });
  const many = data.length > 3000;
  cy.layout({ name: "fcose", animate: false, quality: many ? "draft" : "default", randomize: true, nodeSeparation: 90, idealEdgeLength: 110, nodeRepulsion: 9000, numIter: many ? 500 : 2500, packComponents: fixed.length === 0, fit: false, ...(fixed.length ? { fixedNodeConstraint: fixed, randomize: true } : {}) }).run();
};
