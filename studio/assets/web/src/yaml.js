// An editor of crawl files over a textarea, which keeps its value: completion and documentation from the crawl file's schema, and the
// problems that the server finds, as one types.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { forceLinting, linter, lintGutter, lintKeymap } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { element, nonce, token } from "./load.js";
import { described, keys, pathAt, values } from "./schema.js";

let schema; // asked for once

// start makes an editor of a textarea. data-name is the name of the crawl, for the paths in its file; data-check="off": any YAML.
export default async function start(area) {
  schema ??= fetch("/api/v1/schema").then((answer) => answer.json());
  const known = area.dataset.check === "off" ? {} : await schema;
  let own = false;
  const label = area.labels?.[0]?.textContent.trim() ?? area.getAttribute("aria-label") ?? "Crawl file";
  const view = new EditorView({
    doc: area.value,
    extensions: [
      EditorView.cspNonce.of(nonce()),
      lineNumbers(), history(), drawSelection(), indentOnInput(), bracketMatching(), closeBrackets(), highlightActiveLine(), indentUnit.of("  "),
      yaml(), syntaxHighlighting(colours), theme, EditorView.lineWrapping, EditorState.readOnly.of(area.readOnly),
      EditorView.contentAttributes.of({ "aria-label": label, "aria-multiline": "true", tabindex: "0" }),
      autocompletion({ override: [completion(known)] }), hoverTooltip(documentation(known)),
      ...(area.dataset.check === "off" ? [] : [lintGutter(), linter((v) => problems(v, area.dataset.name), { delay: 400 })]),
      keymap.of([...closeBracketsKeymap, ...completionKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap]), // Tab leaves the editor
      EditorView.updateListener.of((update) => {
        if (!update.docChanged || own) return;
        area.value = update.state.doc.toString();
        own = true;
        area.dispatchEvent(new Event("input", { bubbles: true }));
        own = false;
      }),
    ],
  });
  const take = () => {
    if (own || area.value === view.state.doc.toString()) return;
    own = true;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: area.value } });
    own = false;
    forceLinting(view);
  };
  for (const event of ["input", "refresh"]) area.addEventListener(event, take); // a script, or a form beside it, changed the text
  area.form?.addEventListener("reset", () => setTimeout(take));
  area.addEventListener("focus", () => view.focus());
  area.addEventListener("invalid", () => view.focus());
  area.classList.add("behind");
  area.tabIndex = -1;
  area.setAttribute("aria-hidden", "true");
  area.after(view.dom);
}

const place = (state, pos) => {
  const line = state.doc.lineAt(pos);
  return [state.doc.toString().split("\n"), line.number - 1, pos - line.from];
};

const completion = (schema) => (context) => {
  const word = context.matchBefore(/[\w.-]*/);
  if (word.from === word.to && !context.explicit) return null;
  const path = pathAt(...place(context.state, word.from));
  const line = context.state.doc.lineAt(word.from);
  const before = line.text.slice(0, word.from - line.from);
  const options = keys(schema, path).map(([name, value]) => ({ label: name, type: "property", apply: name + ": ", info: () => element("p", {}, described(schema, [...path, name]) || value.description || name) }));
  if (/[:[,-]\s*$/.test(before)) options.push(...values(schema, path).map((label) => ({ label, type: "enum" })));
  return options.length > 0 ? { from: word.from, options, validFor: /^[\w.-]*$/ } : null;
};

const documentation = (schema) => (view, pos) => {
  const line = view.state.doc.lineAt(pos);
  for (const found of line.text.matchAll(/([^\s"'{}[\],:]+)\s*:/g)) {
    const from = line.from + found.index, to = from + found[1].length;
    if (pos < from || pos > to) continue;
    const text = described(schema, [...pathAt(...place(view.state, from)), found[1]]);
    return text ? { pos: from, end: to, above: true, create: () => ({ dom: element("p", { class: "cm-documentation" }, text) }) } : null;
  }
  return null;
};

// problems asks the server for the problems of the text.
async function problems(view, name) {
  const doc = view.state.doc;
  const answer = await fetch("/api/v1/validate" + (name ? "?name=" + encodeURIComponent(name) : ""), {
    method: "POST", headers: { "Content-Type": "application/yaml", "X-CSRF-Token": token() }, body: doc.toString(),
  });
  if (!answer.ok) return [];
  return ((await answer.json()).problems ?? []).map((problem) => {
    const line = doc.line(Math.min(Math.max(problem.line ?? 1, 1), doc.lines));
    const from = Math.min(line.from + Math.max((problem.column ?? 1) - 1, 0), line.to);
    const word = /^[^\s:,{}[\]]+/.exec(doc.sliceString(from, line.to));
    const text = [problem.key, problem.message, problem.hint].filter(Boolean).join(": ");
    return { from, to: word ? from + word[0].length : line.to, severity: "error", message: text };
  });
}

const colours = HighlightStyle.define([
  { tag: [tags.definition(tags.propertyName), tags.propertyName], color: "var(--accent)", fontWeight: "600" },
  { tag: [tags.comment, tags.lineComment], color: "var(--quiet)", fontStyle: "italic" },
  { tag: [tags.string, tags.content], color: "var(--text)" },
  { tag: [tags.separator, tags.punctuation, tags.brace, tags.squareBracket], color: "var(--quiet)" },
]);

const theme = EditorView.theme({
  "&": { backgroundColor: "var(--card)", color: "var(--text)", border: "1px solid var(--quiet)", borderRadius: "6px", fontSize: ".9rem" },
  "&.cm-focused": { outline: "3px solid var(--accent)", outlineOffset: "2px" },
  ".cm-scroller": { fontFamily: "var(--mono)", minHeight: "12rem", maxHeight: "40rem", overflow: "auto" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--ground)", color: "var(--quiet)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--line) 35%, transparent)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--mark)" },
  ".cm-tooltip": { backgroundColor: "var(--card)", color: "var(--text)", border: "1px solid var(--line)", borderRadius: "6px", maxWidth: "min(36rem, 90vw)" },
  ".cm-tooltip p": { margin: ".4rem .6rem" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
});
