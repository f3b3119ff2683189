// Builds the scripts that the studio serves: src/*.js to ../files, each whole by itself and gzipped, as the program keeps
// and sends them, with the licences of all that is in them.
import { build } from "esbuild";
import { gzipSync } from "node:zlib";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, "..", "files");

const { metafile, outputFiles } = await build({
  absWorkingDir: here,
  entryPoints: ["app", "chart", "graph", "layout", "yaml", "ask", "ontology", "rate"].map((name) => `src/${name}.js`),
  outdir: out,
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  legalComments: "none", // LICENSES.txt has them whole
  loader: { ".svg": "dataurl" },
  metafile: true,
  write: false,
  logLevel: "warning",
});
for (const { path, contents } of outputFiles) {
  if (path.endsWith(".js")) writeFileSync(join(out, `${basename(path)}.gz`), gzipSync(contents, { level: 9 }));
  else writeFileSync(join(out, basename(path)), contents);
}
writeFileSync(join(out, "LICENSES.txt"), licences(closure(metafile)));

// folderOf is the folder of a package as code in a folder imports it.
function folderOf(name, from) {
  for (let at = from; ; at = dirname(at)) {
    const folder = join(at, "node_modules", name);
    if (existsSync(join(folder, "package.json"))) return folder;
    if (at === here) throw new Error(`${name} is not installed`);
  }
}

// closure returns the packages in the bundles by folder, with all that they need: some are bundles themselves.
function closure({ inputs }) {
  const found = new Map();
  const add = (folder) => {
    if (found.has(folder)) return;
    const it = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    found.set(folder, it);
    for (const name of Object.keys(it.dependencies ?? {})) add(folderOf(name, folder));
  };
  for (const input of Object.keys(inputs)) {
    const folder = input.match(/^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//);
    if (folder) add(join(here, folder[1]));
  }
  return found;
}

// licences returns the licence texts of packages, each under the package's name and version. A package that brings no text, but
// names a licence whose text is the same for all, has that.
function licences(packages) {
  const named = /^(licen[cs]e|copying|notice)([-._].*)?$/i;
  const mit = readFileSync(join(here, "node_modules/uplot/LICENSE"), "utf8").replace(/^[^]*?(?=Permission is hereby granted)/, "");
  const sorted = [...packages].sort(([, a], [, b]) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1));
  let text = "";
  for (const [folder, { name, version, license, author }] of sorted) {
    const files = readdirSync(folder).filter((file) => named.test(file) && !file.endsWith("js")).sort();
    for (const file of files) text += `==== ${name} ${version}: ${file}\n\n${readFileSync(join(folder, file), "utf8").replaceAll("\r", "").trim()}\n\n`;
    if (files.length > 0) continue;
    const who = typeof author === "object" ? author.name : (author ?? "the authors");
    if (license === "MIT") text += `==== ${name} ${version}: package.json\n\nThe MIT licence, by ${who}\n\n${mit.trim()}\n\n`;
    else if (license === "CC0-1.0") text += `==== ${name} ${version}: package.json\n\nCC0 1.0: ${who} waives all rights.\n\n`;
    else throw new Error(`${name} ${version} has no licence text`);
  }
  return text;
}
