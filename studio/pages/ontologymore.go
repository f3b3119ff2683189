package pages

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"orbweaver"
	"orbweaver/kb/editing"
	"orbweaver/studio/workspace"
)

// countsView is what counts for a target.
type countsView struct {
	Frame
	File, Target, Name string
	By                 editing.Counting
	Sets, Discounts    []string
	Rows               []countRow
	Total, First       int
	Next, Before       string
	Query              string // of the relevance set in the API
	Problem            string
	CSS                string
}

// A countRow is an entity with what it counts.
type countRow struct {
	editing.Counted
	Href string
}

// At is the path of the editor at an entity.
func (v countsView) At(iri string) string { return ontologyPath(v.File, iri) }

// counts shows the relevance set of a target.
func (h *Handler) counts(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	v := countsView{
		Frame: h.frame(r, "What counts"), File: q.Get("file"), Target: q.Get("target"), CSS: h.Asset("ontology.css"),
		Sets: []string{"total", "relational", "taxonomic", "single"}, Discounts: []string{"exponential", "linear", "logarithmic"},
	}
	f, err := h.Workspace.Ontology(v.File)
	if err != nil {
		return err
	}
	base, _ := strconv.ParseFloat(q.Get("base"), 64)
	if !(base > 0 && base < 1) {
		base = 0.5
	}
	v.By = editing.Counting{Set: q.Get("set"), Discount: q.Get("discount"), Base: base}
	if v.Target == "" {
		return h.show(w, http.StatusOK, "ontologycounts", v)
	}
	if v.Target, err = h.named(v.File, v.Target); err == nil {
		err = v.count(f, q)
	}
	if err = workspace.ErrorOf(err); err != nil {
		v.Problem = err.Error()
	}
	return h.show(w, http.StatusOK, "ontologycounts", v)
}

// count reads the relevance set.
func (v *countsView) count(f *editing.File, q url.Values) (err error) {
	v.First, _ = strconv.Atoi(q.Get("skip"))
	v.First = max(v.First, 0)
	var all []editing.Counted
	f.Look(func(d *editing.Draft) {
		all, v.Total, err = d.Relevance(v.Target, v.By, v.First+treeRows)
		if form, failed := d.Form(v.Target); failed == nil {
			v.Name = form.Name
		}
	})
	if err != nil {
		return err
	}
	for _, c := range all[min(v.First, len(all)):] {
		v.Rows = append(v.Rows, countRow{c, v.At(c.IRI)})
	}
	asked := url.Values{"file": {v.File}, "target": {v.Target}, "base": {fmt.Sprint(v.By.Base)}}
	for name, value := range map[string]string{"set": v.By.Set, "discount": v.By.Discount} {
		if value != "" {
			asked.Set(name, value)
		}
	}
	v.Query = asked.Encode()
	page := func(skip int) string {
		asked.Set("skip", strconv.Itoa(skip))
		return "/ontology/counts?" + asked.Encode()
	}
	if v.First+treeRows < v.Total {
		v.Next = page(v.First + treeRows)
	}
	if v.First > 0 {
		v.Before = page(max(0, v.First-treeRows))
	}
	return nil
}

// historyView lists the steps of a draft.
type historyView struct {
	Frame
	File         string
	Done, Undone []editing.Step
	CSS          string
}

// history shows the steps of a draft, the last first.
func (h *Handler) history(w http.ResponseWriter, r *http.Request) error {
	v := historyView{Frame: h.frame(r, "History of the draft"), File: r.URL.Query().Get("file"), CSS: h.Asset("ontology.css")}
	f, err := h.Workspace.Ontology(v.File)
	if err != nil {
		return err
	}
	f.Look(func(d *editing.Draft) {
		done, undone := d.Steps()
		v.Done = slices.Clone(done[max(0, len(done)-500):])
		v.Undone = slices.Clone(undone[:min(500, len(undone))])
	})
	slices.Reverse(v.Done)
	return h.show(w, http.StatusOK, "ontologyhistory", v)
}

// importView asks what of another ontology is taken over.
type importView struct {
	Frame
	File, From string
	Files      []workspace.File
	Modules    []editing.Module
	More       int
	CSS        string
}

// shownModules is the number of modules that a page lists.
const shownModules = 200

// askImport asks which ontology is taken over, then what of it.
func (h *Handler) askImport(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	v := importView{Frame: h.frame(r, "Import into the ontology"), File: q.Get("file"), From: q.Get("from"), CSS: h.Asset("ontology.css")}
	if _, err := h.Workspace.Ontology(v.File); err != nil {
		return err
	}
	all, err := h.Workspace.Files()
	if err != nil {
		return err
	}
	for _, f := range all {
		if f.Kind == "ontology" && f.Name != v.File {
			v.Files = append(v.Files, f)
		}
	}
	if v.From != "" {
		f, err := h.Workspace.Ontology(v.From)
		if err != nil {
			return err
		}
		f.Look(func(d *editing.Draft) { v.Modules = d.Modules() })
		v.More = max(0, len(v.Modules)-shownModules)
		v.Modules = v.Modules[:min(len(v.Modules), shownModules)]
	}
	return h.show(w, http.StatusOK, "ontologyimport", v)
}

// takeIn takes a file into the workspace, to import from it.
func (h *Handler) takeIn(w http.ResponseWriter, r *http.Request) error {
	if err := r.ParseMultipartForm(1 << 20); err != nil {
		return fmt.Errorf("the form: %w (%w)", err, orbweaver.ErrInput)
	}
	defer func() { _ = r.MultipartForm.RemoveAll() }() // what is left is removed with the temporary folder
	back := url.Values{"file": {r.PostForm.Get("into")}}
	names, err := h.taken(r, "ontologies")
	if err != nil {
		leave(w, r, "/ontology/import?"+back.Encode(), Flash{Text: err.Error(), Bad: true})
		return nil
	}
	back.Set("from", names[0])
	leave(w, r, "/ontology/import?"+back.Encode(), Flash{Text: names[0] + " is here. Choose what of it is taken over."})
	return nil
}

// importModules takes modules of an ontology over into another.
func (h *Handler) importModules(r *http.Request) (string, Flash, error) {
	file, from := r.PostForm.Get("file"), r.PostForm.Get("from")
	back := "/ontology/import?" + url.Values{"file": {file}, "from": {from}}.Encode()
	roots := r.PostForm["module"]
	if r.PostForm.Get("all") != "" {
		roots = nil
	} else if len(roots) == 0 {
		return back, Flash{}, fmt.Errorf("choose what is taken over (%w)", orbweaver.ErrInput)
	}
	steps, err := h.Workspace.ImportOntology(file, from, whoOf(r), roots...)
	if err != nil {
		return back, Flash{}, err
	}
	return ontologyPath(file, ""), Flash{Text: steps[0].Says, Undo: "/ontology/undo", Fields: []Field{{"file", file}}}, nil
}
