// A SPARQL editor over the form of the page "Ask", and the answers as a table, a chart or a graph. It asks the crawl alone: the editor's
// completions from services of others are taken out.
import Yasqe from "@zazuko/yasqe";
import "@zazuko/yasqe/build/yasqe.min.css";
import { element, load } from "./load.js";
import { kindOf, read } from "./answer.js";

const mostRows = 1000; // that are shown

// start makes an editor of the form's textarea. data-endpoint is where it asks; data-prefixes are the prefixes, as JSON.
export default function start(form) {
  const area = form.querySelector("textarea");
  const prefixes = JSON.parse(form.dataset.prefixes);
  const host = element("div", { class: "editor" });
  area.after(host);
  const editor = edit(host, prefixes, area.value);
  area.classList.add("behind");
  area.tabIndex = -1;
  area.setAttribute("aria-hidden", "true");
  editor.getInputField().setAttribute("aria-label", area.labels[0].textContent.trim());
  editor.on("change", () => (area.value = editor.getValue()));
  const results = document.getElementById(form.dataset.results);
  let running = null;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    running?.abort();
    running = new AbortController();
    results.replaceChildren(element("p", { role: "status" }, "The query runs …"));
    try {
      await answer(results, await ask(form.dataset.endpoint, editor.getValue(), running.signal));
    } catch (error) {
      if (error.name !== "AbortError") results.replaceChildren(element("pre", { class: "flash bad", role: "alert" }, error.message));
    }
  });
  if (new URLSearchParams(location.search).has("query")) form.requestSubmit(); // for the other views of the answer
  for (const link of document.querySelectorAll("a[data-query]")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      editor.setValue(link.dataset.query);
      form.requestSubmit();
    });
  }
}

// edit makes the editor.
function edit(host, prefixes, value) {
  const own = Object.entries(prefixes).map(([name, iri]) => `${name}: <${iri}>`).sort();
  const usual = Yasqe.Autocompleters;
  Yasqe.Autocompleters = { variables: usual.variables, prefixes: { ...usual.prefixes, get: () => own, persistenceId: undefined } };
  for (const completer of Object.values(Yasqe.Autocompleters)) completer.persistenceId = undefined;
  Yasqe.defaults.autocompleters = Object.keys(Yasqe.Autocompleters);
  const editor = new Yasqe(host, {
    value, prefixCcApi: null, persistenceId: null, createShareableLink: null, consumeShareLink: null, showQueryButton: false, pluginButtons: undefined,
    resizeable: false, editorHeight: "auto", collapsePrefixesOnLoad: false, syntaxErrorCheck: true, lineNumbers: true,
    extraKeys: {
      ...Yasqe.defaults.extraKeys, Tab: false, "Shift-Tab": false, // Tab leaves the editor
      "Ctrl-Enter": () => host.closest("form").requestSubmit(), "Cmd-Enter": () => host.closest("form").requestSubmit(),
    },
  });
  return editor;
}

// ask sends a query.
async function ask(endpoint, query, signal) {
  const answer = await fetch(endpoint, {
    method: "POST", signal, headers: { Accept: "application/sparql-results+json, application/n-triples", "Content-Type": "application/sparql-query" }, body: query,
  });
  if (answer.ok) return read(answer.headers.get("Content-Type"), await answer.text());
  const problem = await answer.json().catch(() => ({}));
  throw new Error(problem.detail ?? `status ${answer.status}`);
}

// answer shows an answer: its table first.
async function answer(results, { columns, rows }) {
  const body = element("div");
  const views = { Table: () => table(body, columns, rows), Chart: () => chart(body, columns, rows), Graph: () => graph(body, columns, rows) };
  const can = { Table: true, Chart: kindOf(columns, rows).numbers.length > 0 && rows.length > 1, Graph: columns.length > 1 && rows.some((row) => [row[0], row.at(-1)].some((term) => term && term.type !== "literal")) };
  const buttons = Object.keys(views).filter((name) => can[name]).map((name) => {
    const button = element("button", { type: "button", class: "button", "aria-pressed": String(name === "Table") }, name);
    button.onclick = async () => {
      for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
      await views[name]();
    };
    return button;
  });
  const told = rows.length > mostRows ? `${rows.length} rows; the first ${mostRows} are shown.` : `${rows.length} rows.`;
  results.replaceChildren(element("p", { role: "status" }, told), element("div", { class: "actions", role: "group", "aria-label": "Show as" }, ...buttons), body);
  views.Table();
}

function table(body, columns, rows) {
  const head = element("tr", {}, ...columns.map((name) => element("th", { scope: "col" }, name)));
  const lines = rows.slice(0, mostRows).map((row) => element("tr", {}, ...row.map((term) => element("td", {}, shown(term)))));
  body.replaceChildren(element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Answer" }, element("table", {}, element("thead", {}, head), element("tbody", {}, ...lines))));
}

// shown is a term as text; an address of the Web leads to what the crawl knows of it.
function shown(term) {
  if (!term) return "";
  const text = element("bdi", {}, term.value.slice(0, 300).replace(/[\u202a-\u202e\u2066-\u2069]/g, "\ufffd"));
  if (term.type !== "uri" || !/^https?:\/\//.test(term.value)) return text;
  return element("a", { href: location.pathname.replace(/\/ask$/, "/page?url=") + encodeURIComponent(term.value) }, text);
}

// chart draws the numbers of the rows, over the first column of numbers if there are two, else over their order.
async function chart(body, columns, rows) {
  const { numbers } = kindOf(columns, rows);
  const { show } = await load("chart");
  const over = numbers.length > 1 ? numbers[0] : null;
  const value = (row, i) => Number(row[i].value);
  const sorted = over === null ? rows : rows.toSorted((a, b) => value(a, over) - value(b, over));
  const place = element("div", { class: "chart" });
  body.replaceChildren(place);
  show(place, {
    x: { label: over === null ? "row" : columns[over], values: sorted.map((row, i) => (over === null ? i + 1 : value(row, over))) },
    y: { label: "value" },
    series: numbers.filter((i) => i !== over).map((i) => ({ label: columns[i], values: sorted.map((row) => value(row, i)) })),
  });
}

// graph draws rows as links from the first term to the last, by what is between.
async function graph(body, columns, rows) {
  const { show } = await load("graph");
  const name = (value) => value.replace(/^https?:\/\//, "").slice(-50);
  const nodes = new Map();
  const node = (term) => {
    if (!nodes.has(term.value)) nodes.set(term.value, { id: term.value, label: name(term.value), size: 1, share: 0.5 });
    return term.value;
  };
  const edges = rows.slice(0, mostRows).filter((row) => row[0] && row.at(-1)).map((row) => ({ from: node(row[0]), to: node(row.at(-1)), label: row.length > 2 && row[1] ? row[1].value.replace(/^.*[#/]/, "").slice(0, 30) : "" }));
  const place = element("div", { class: "graph" });
  body.replaceChildren(place);
  await show(place, { nodes: [...nodes.values()], edges });
}
