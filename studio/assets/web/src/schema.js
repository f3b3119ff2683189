// Where a place in a YAML file is in a JSON Schema, and what may stand there.

// pathAt returns the keys above a place, outermost first, of block mappings and of those in braces, and the indentation of its line.
export function pathAt(lines, row, column) {
  const bare = (line) => line.replace(/^((?:\s*-\s+)+)/, (dash) => " ".repeat(dash.length));
  const indentOf = (line) => line.length - line.trimStart().length;
  const now = bare(lines[row].slice(0, column));
  const key = /^\s*(["']?)([^\s"'{}[\],:]+)\1\s*:\s(.*)$/.exec(now);
  const path = key ? [...flow(key[3], key[2])] : [];
  let indent = now.trim() === "" ? column : indentOf(now);
  for (let i = row - 1; i >= 0 && indent > 0; i--) {
    const line = bare(lines[i]);
    if (!line.trim() || line.trim().startsWith("#")) continue;
    const parent = /^\s*(["']?)([^\s"'{}[\],:]+)\1\s*:/.exec(line);
    if (indentOf(line) >= indent) continue;
    indent = indentOf(line);
    if (parent) path.unshift(parent[2]);
  }
  return path;
}

// flow returns the open keys of a text such as "{a: {b: 1, c: " that is the value of a key.
function flow(text, key) {
  const open = [key];
  let last = null;
  for (const [, word, mark] of text.matchAll(/([^\s"'{}[\],:]+)\s*:|([{},])/g)) {
    if (word) last = word;
    else if (mark === "{" && last) open.push(last);
    else if (mark === "}") open.pop();
    if (mark) last = null;
  }
  return last ? [...open, last] : open;
}

// at returns the schemas that hold for the value at a path.
export function at(schema, path) {
  let all = parts(schema, schema);
  for (const key of path) all = all.flatMap((s) => below(schema, s, key));
  return all;
}

// parts are a schema and all that it is made of: what it refers to, its alternatives, and the items of its lists.
function parts(root, schema, depth = 0) {
  if (typeof schema !== "object" || schema === null || depth > 12) return [];
  const all = [schema];
  if (schema.$ref) all.push(...parts(root, schema.$ref.slice(2).split("/").reduce((s, name) => s?.[name], root), depth + 1));
  for (const name of ["anyOf", "oneOf", "allOf"]) for (const s of schema[name] ?? []) all.push(...parts(root, s, depth + 1));
  if (schema.items) all.push(...parts(root, schema.items, depth + 1));
  return all;
}

function below(root, schema, key) {
  if (schema.properties?.[key]) return parts(root, schema.properties[key]);
  return parts(root, schema.additionalProperties);
}

// keys are the keys that may stand at a path, with their schemas.
export function keys(schema, path) {
  const found = new Map();
  for (const s of at(schema, path)) for (const [name, value] of Object.entries(s.properties ?? {})) if (!found.has(name)) found.set(name, value);
  return [...found];
}

// values are the values that are named for a path.
export function values(schema, path) {
  const all = at(schema, path).flatMap((s) => [...(s.enum ?? []), ...("const" in s ? [s.const] : []), ...([s.type].flat().includes("boolean") ? [true, false] : [])]);
  return [...new Set(all.map(String))];
}

// described is what a schema says of a path, and its default.
export function described(schema, path) {
  const all = at(schema, path);
  const text = all.find((s) => s.description)?.description ?? "";
  const usual = all.find((s) => "default" in s)?.default;
  return text && usual !== undefined ? `${text} Default: ${JSON.stringify(usual)}.` : text;
}
