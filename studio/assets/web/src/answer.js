// Answers of SPARQL as rows of terms {type: uri | literal | bnode, value}.

// read reads an answer: rows or a boolean as JSON, a graph as N-Triples.
export function read(kind, text) {
  if (!kind.includes("json")) return { columns: ["subject", "predicate", "object"], rows: text.split("\n").map(triple).filter(Boolean) };
  const { head, results, boolean } = JSON.parse(text);
  if (boolean !== undefined) return { columns: ["answer"], rows: [[{ type: "literal", value: String(boolean) }]] };
  const columns = head.vars ?? [];
  return { columns, rows: results.bindings.map((binding) => columns.map((name) => binding[name])) };
}

const term = /<([^>]*)>|(_:\S+)|"((?:[^"\\]|\\.)*)"(?:@[\w-]+|\^\^<[^>]*>)?/g;

function triple(line) {
  const terms = [...line.matchAll(term)].map(([, iri, blank, literal]) =>
    iri !== undefined ? { type: "uri", value: plain(iri) } : blank ? { type: "bnode", value: blank } : { type: "literal", value: plain(literal) });
  return terms.length === 3 ? terms : null;
}

const escapes = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

const plain = (text) => text.replace(/\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))/g, (_, short, long, mark) =>
  short || long ? String.fromCodePoint(parseInt(short ?? long, 16)) : (escapes[mark] ?? mark));

// kindOf says which columns have numbers alone.
export function kindOf(columns, rows) {
  const number = (term) => term?.type === "literal" && term.value.trim() !== "" && Number.isFinite(Number(term.value));
  return { numbers: columns.map((_, i) => i).filter((i) => rows.length > 0 && rows.every((row) => number(row[i]))) };
}
