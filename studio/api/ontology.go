package api

import (
	"encoding/json"
	"fmt"
	"net/http"

	"orbweaver"
	"orbweaver/kb/editing"
	"orbweaver/studio/workspace"
)

// Bounds of answers about ontologies.
const (
	mostItems = 500 // entities of a list, and nodes of a graph
	mostEdits = 1000
)

func ontologyRoutes() []route {
	return []route{
		{"GET", "/ontologies", (*API).ontologies},
		{"POST", "/ontologies", (*API).newOntology},
		{"GET", "/ontology", (*API).ontology},
		{"GET", "/ontology/tree", (*API).tree},
		{"GET", "/ontology/search", (*API).searchOntology},
		{"GET", "/ontology/entity", (*API).entity},
		{"GET", "/ontology/dependents", (*API).dependents},
		{"GET", "/ontology/near", (*API).near},
		{"GET", "/ontology/check", (*API).checkOntology},
		{"GET", "/ontology/relevance", (*API).relevance},
		{"GET", "/ontology/steps", (*API).steps},
		{"GET", "/ontology/diff", (*API).diffOntology},
		{"GET", "/ontology/modules", (*API).modules},
		{"POST", "/ontology/import", (*API).importOntology},
		{"POST", "/ontology/edits", (*API).editOntology},
		{"POST", "/ontology/undo", (*API).undo},
		{"POST", "/ontology/redo", (*API).redo},
		{"POST", "/ontology/discard", (*API).discard},
		{"POST", "/ontology/save", (*API).saveOntology},
		{"POST", "/ontology/convert", (*API).convertOntology},
	}
}

// drafted answers with what do makes of the draft of the ontology file that a request names.
func (a *API) look(w http.ResponseWriter, r *http.Request, do func(q *query, d *editing.Draft) (any, error)) error {
	q := &query{r: r}
	f, err := a.ws.Ontology(q.text("file"))
	if err != nil {
		return err
	}
	var value any
	var text []byte
	f.Look(func(d *editing.Draft) {
		if value, err = do(q, d); err == nil {
			text, err = json.Marshal(value) // lists are the draft's
		}
	})
	if q.err != nil {
		return q.err
	}
	if err != nil {
		return workspace.ErrorOf(err)
	}
	return answer(w, http.StatusOK, json.RawMessage(text))
}

func (a *API) ontologies(w http.ResponseWriter, _ *http.Request) error {
	all, err := a.ws.Ontologies()
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, map[string]any{"ontologies": all})
}

func (a *API) ontology(w http.ResponseWriter, r *http.Request) error {
	name := r.URL.Query().Get("file")
	f, err := a.ws.Ontology(name)
	if err != nil {
		return err
	}
	var counts map[string]int
	var space string
	f.Look(func(d *editing.Draft) { counts, space = d.Counts(), d.Namespace() })
	uses := a.ws.Uses(name)
	if uses == nil {
		uses = []workspace.Use{}
	}
	return answer(w, http.StatusOK, map[string]any{"name": name, "namespace": space, "counts": counts, "standing": f.Standing(), "uses": uses})
}

// A part of a list of entities.
type itemList struct {
	Items []editing.Item `json:"items"`
	Total int            `json:"total"`
}

func (a *API) tree(w http.ResponseWriter, r *http.Request) error {
	return a.look(w, r, func(q *query, d *editing.Draft) (any, error) {
		skip, n := q.number("skip", 0, 0, 1<<30), q.number("limit", 50, 1, mostItems)
		if under := q.text("under"); under != "" {
			items, total := d.Children(under, skip, n)
			return itemList{items, total}, nil
		}
		items, total := d.Roots(q.text("kind"), skip, n)
		return itemList{items, total}, nil
	})
}

func (a *API) searchOntology(w http.ResponseWriter, r *http.Request) error {
	return a.look(w, r, func(q *query, d *editing.Draft) (any, error) {
		found := d.Search(q.text("words"), q.number("limit", 20, 1, mostItems))
		if found == nil {
			found = []editing.Found{}
		}
		return map[string]any{"found": found}, nil
	})
}

func (a *API) entity(w http.ResponseWriter, r *http.Request) error {
	return a.look(w, r, func(q *query, d *editing.Draft) (any, error) { return d.Form(q.text("iri")) })
}

func (a *API) dependents(w http.ResponseWriter, r *http.Request) error {
	return a.look(w, r, func(q *query, d *editing.Draft) (any, error) { return d.Dependents(q.text("iri")) })
}

func (a *API) near(w http.ResponseWriter, r *http.Request) error {
	return a.look(w, r, func(q *query, d *editing.Draft) (any, error) {
		around := q.r.URL.Query()["iri"]
		if len(around) > mostItems {
			return nil, fmt.Errorf("iri: at most %d (%w)", mostItems, orbweaver.ErrInput)
		}
		return d.Near(q.number("most", 60, 0, mostItems), around...), nil
	})
}

func (a *API) checkOntology(w http.ResponseWriter, r *http.Request) error {
	return a.look(w, r, func(q *query, d *editing.Draft) (any, error) {
		all := d.Check(q.r.URL.Query()["target"]...)
		return map[string]any{"findings": append([]editing.Finding{}, all[:min(len(all), mostItems)]...), "total": len(all)}, nil
	})
}

func (a *API) relevance(w http.ResponseWriter, r *http.Request) error {
	return a.look(w, r, func(q *query, d *editing.Draft) (any, error) {
		by := editing.Counting{Set: q.text("set"), Discount: q.text("discount"), Base: q.share("base")}
		all, total, err := d.Relevance(q.text("target"), by, q.number("limit", mostItems, 1, 10*mostItems))
		return map[string]any{"entities": append([]editing.Counted{}, all...), "total": total}, err
	})
}

func (a *API) steps(w http.ResponseWriter, r *http.Request) error {
	return a.look(w, r, func(_ *query, d *editing.Draft) (any, error) {
		done, undone := d.Steps()
		said := func(all []editing.Step) []stepSaid {
			out := []stepSaid{}
			for _, s := range all {
				out = append(out, stepSaid{s.Says, s.By, s.At.Format(http.TimeFormat), len(s.Remove), len(s.Add)})
			}
			return out
		}
		return map[string]any{"done": said(done[max(0, len(done)-mostItems):]), "undone": said(undone[:min(len(undone), mostItems)])}, nil
	})
}

// A stepSaid is a step for people.
type stepSaid struct {
	Says    string `json:"says"`
	By      string `json:"by"`
	At      string `json:"at"`
	Removed int    `json:"removed"`
	Added   int    `json:"added"`
}

func (a *API) diffOntology(w http.ResponseWriter, r *http.Request) error {
	name := r.URL.Query().Get("file")
	f, err := a.ws.Ontology(name)
	if err != nil {
		return err
	}
	was, next, err := f.Next()
	if err != nil {
		return workspace.ErrorOf(err)
	}
	return answer(w, http.StatusOK, map[string]any{"diff": editing.Diff(name, was, next), "digest": workspace.Digest(was)})
}

func (a *API) editOntology(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		File  string         `json:"file"`
		By    string         `json:"by"`
		Edits []editing.Edit `json:"edits"`
	}
	if err := body(r, &in); err != nil {
		return err
	}
	if len(in.Edits) == 0 || len(in.Edits) > mostEdits {
		return fmt.Errorf("edits: from 1 to %d, not %d (%w)", mostEdits, len(in.Edits), orbweaver.ErrInput)
	}
	steps, err := a.ws.EditOntology(in.File, in.By, in.Edits...)
	if err != nil {
		return err
	}
	said := []string{}
	for _, s := range steps {
		said = append(said, s.Says)
	}
	return answer(w, http.StatusOK, map[string]any{"steps": said, "entity": editing.Made(steps)})
}

// A fileNamed is a request about an ontology file.
type fileNamed struct {
	File   string `json:"file"`
	Digest string `json:"digest"` // of saving: of the content that the diff was made of; empty: any
}

// turn undoes or does again a step.
func (a *API) turn(w http.ResponseWriter, r *http.Request, do func(*editing.File) (editing.Step, bool, error)) error {
	var in fileNamed
	if err := body(r, &in); err != nil {
		return err
	}
	f, err := a.ws.Ontology(in.File)
	if err != nil {
		return err
	}
	s, ok, err := do(f)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, map[string]any{"done": ok, "says": s.Says})
}

func (a *API) undo(w http.ResponseWriter, r *http.Request) error {
	return a.turn(w, r, (*editing.File).Undo)
}

func (a *API) redo(w http.ResponseWriter, r *http.Request) error {
	return a.turn(w, r, (*editing.File).Redo)
}

func (a *API) discard(w http.ResponseWriter, r *http.Request) error {
	return a.turn(w, r, func(f *editing.File) (editing.Step, bool, error) { return editing.Step{}, true, f.Discard() })
}

func (a *API) saveOntology(w http.ResponseWriter, r *http.Request) error {
	var in fileNamed
	if err := body(r, &in); err != nil {
		return err
	}
	if err := a.ws.SaveOntology(in.File, in.Digest); err != nil {
		return err
	}
	f, err := a.ws.Ontology(in.File)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, f.Standing())
}

func (a *API) convertOntology(w http.ResponseWriter, r *http.Request) error {
	var in fileNamed
	if err := body(r, &in); err != nil {
		return err
	}
	f, err := a.ws.ConvertOntology(in.File)
	if err != nil {
		return err
	}
	return answer(w, http.StatusCreated, f)
}

func (a *API) newOntology(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		Name      string `json:"name"`
		Template  string `json:"template"`
		Namespace string `json:"namespace"`
		From      string `json:"from"`
	}
	if err := body(r, &in); err != nil {
		return err
	}
	var f workspace.File
	var err error
	if in.From != "" {
		f, err = a.ws.LearnedOntology(r.Context(), in.Name, in.From)
	} else {
		f, err = a.ws.NewOntology(in.Name, in.Template, in.Namespace)
	}
	if err != nil {
		return err
	}
	return answer(w, http.StatusCreated, f)
}

func (a *API) modules(w http.ResponseWriter, r *http.Request) error {
	return a.look(w, r, func(_ *query, d *editing.Draft) (any, error) {
		all := d.Modules()
		return map[string]any{"modules": append([]editing.Module{}, all[:min(len(all), mostItems)]...), "total": len(all)}, nil
	})
}

func (a *API) importOntology(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		File  string   `json:"file"`
		From  string   `json:"from"`
		By    string   `json:"by"`
		Roots []string `json:"roots"`
	}
	if err := body(r, &in); err != nil {
		return err
	}
	steps, err := a.ws.ImportOntology(in.File, in.From, in.By, in.Roots...)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, map[string]any{"steps": []string{steps[0].Says}, "entity": ""})
}
