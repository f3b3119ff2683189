package pages

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/internal/order"
	"orbweaver/kb/editing"
)

// mostEntities is the number of entities that a page is listed with: those that are most relevant, as in section 2 of Ehrig and Maedche.
const mostEntities = 10

// An entityShare is an entity that a page names, with its share of the page's relevance.
type entityShare struct {
	Name, Words string // Words are those that name it on the page
	Weight      float64
	Path        string // of the entity in the ontology; empty: the workspace does not have it
}

// entitiesOf returns the entities that the reasons of a judgement name, the most relevant first. id is the crawl, and linked says whether the
// workspace has its ontology.
func entitiesOf(id string, linked bool, reasons []orbweaver.Reason) (all []entityShare) {
	for _, r := range reasons {
		rule := r.Rule[strings.LastIndexByte(r.Rule, '/')+1:] // that of a blend begins with the part
		name, words, ok := strings.Cut(r.Evidence, ": ")
		if !ok || r.Weight <= 0 || rule != "entity" && rule != "data" {
			continue
		}
		i := slices.IndexFunc(all, func(e entityShare) bool { return e.Name == name })
		if i >= 0 {
			all[i].Weight += r.Weight
			all[i].Words += "; " + words
			continue
		}
		e := entityShare{Name: name, Words: words, Weight: r.Weight}
		if linked {
			e.Path = "/ontology/entity?" + url.Values{"crawl": {id}, "name": {name}}.Encode()
		}
		all = append(all, e)
	}
	order.Stably(all, func(a, b entityShare) int { return cmp.Compare(b.Weight, a.Weight) })
	return all[:min(len(all), mostEntities)]
}

// linked reports whether the workspace has the ontology of a crawl.
func (h *Handler) linked(id string) bool { return len(h.Workspace.OntologiesOf(id)) > 0 }

// entityOf leads from an entity that a page of a crawl names to the editor of the ontology that has it.
func (h *Handler) entityOf(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	files := h.Workspace.OntologiesOf(q.Get("crawl"))
	to := "/ontologies"
	for i, file := range files {
		f, err := h.Workspace.Ontology(file)
		if err != nil {
			continue
		}
		var found []editing.Found
		f.Look(func(d *editing.Draft) { found = d.Search(q.Get("name"), 1) })
		if len(found) == 1 && strings.EqualFold(found[0].Label, q.Get("name")) {
			to = ontologyPath(file, found[0].IRI)
			break
		}
		if i == 0 { // if none has it any longer, what is like it
			to = "/ontology?" + url.Values{"file": {file}, "q": {q.Get("name")}}.Encode()
		}
	}
	http.Redirect(w, r, to, http.StatusSeeOther)
	return nil
}

// Named is the path of the pages of a crawl that name the entity.
func (e *entityView) Named(crawl string) string {
	return "/crawls/" + url.PathEscape(crawl) + "/results?" + url.Values{"entity": {e.Name}}.Encode()
}
