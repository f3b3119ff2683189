// What an author may want to look at in the draft, as orbweaver ontology check finds it: it follows the edits.
import { element } from "./load.js";

const pause = 700; // ms without an edit before the draft is checked
const most = 20;

const words = { "hierarchy-cycle": "stands above itself", "class-and-property": "class and property", undeclared: "not declared", "no-entry": "no name", "ambiguous-entry": "name of many", unreachable: "out of reach" };

// check shows the findings in a place, now and some time after each call of the function that it returns.
export function check(place, file, api) {
  let waits, asked = 0;
  const look = async () => {
    const mine = ++asked;
    const { findings, total } = await api("/check", { file });
    if (mine !== asked) return;
    const rows = findings.slice(0, most).map(({ kind, entity, evidence }) => {
      const name = element("bdi", {}, entity.name);
      const what = entity.iri ? element("a", { href: `/ontology?${new URLSearchParams({ file, entity: entity.iri })}`, "data-entity": encodeURIComponent(entity.iri) }, name) : name;
      return element("li", {}, what, " ", element("span", { class: "meta" }, `${words[kind] ?? kind}: `, element("bdi", {}, evidence.slice(0, 200))));
    });
    if (total > most) rows.push(element("li", {}, element("a", { href: `/ontology/check?${new URLSearchParams({ file })}` }, `All ${total}`)));
    place.querySelector("summary").textContent = total === 0 ? "Check: nothing to look at" : total === 1 ? "Check: one thing to look at" : `Check: ${total} things to look at`;
    place.querySelector("ul").replaceChildren(...rows);
    place.hidden = false;
    place.dataset.checked = total;
  };
  const soon = () => {
    clearTimeout(waits);
    waits = setTimeout(() => look().catch(() => {}), pause); // the next edit asks again
  };
  soon();
  return soon;
}
