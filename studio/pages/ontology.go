package pages

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"orbweaver"
	"orbweaver/kb/editing"
	"orbweaver/studio/workspace"
	"orbweaver/text"
)

// treeRows is the number of entities of a branch that a page has.
const treeRows = 50

// ontologyView is the editor of an ontology file.
type ontologyView struct {
	Frame
	File      string
	Standing  editing.Standing
	Counts    []kindCount
	Uses      []workspace.Use // that have begun
	Namespace string
	Kind      string // whose roots are shown
	Branch    branch
	Words     string
	Found     []editing.Found
	Entity    *entityView
	CSS       string
	Says      string // the step that undoing takes back
	Relations []string
	Kinds     []string
}

// A kindCount is a kind of entities with their number.
type kindCount struct {
	Kind, Plural string
	N            int
	Here         bool
	Path         string
}

// A branch of the tree, in parts.
type branch struct {
	Under    string // name of the entity that it is below; empty: the roots
	Items    []entityLink
	Total    int
	Next     string // path of the next part
	Previous string
}

// An entityLink is an entity with the path of its page.
type entityLink struct {
	editing.Item
	Path string
}

// entityView is the form of an entity.
type entityView struct {
	editing.Form
	view *ontologyView
	Near string // path of the neighbourhood in the API
}

// plurals are the kinds as headings.
var plurals = map[string]string{editing.Class: "Classes", editing.Concept: "Concepts", editing.Property: "Properties", editing.Individual: "Individuals"}

// ontologyPath is the path of the editor of a file, at an entity if one is given.
func ontologyPath(file, entity string) string {
	q := url.Values{"file": {file}}
	if entity != "" {
		q.Set("entity", entity)
	}
	return "/ontology?" + q.Encode()
}

// At is the path of the editor at an entity.
func (v *ontologyView) At(iri string) string { return ontologyPath(v.File, iri) }

// Page is the path of another page about the file, with parameters by name and value.
func (v *ontologyView) Page(name string, more ...string) string {
	q := url.Values{"file": {v.File}}
	for i := 0; i+1 < len(more); i += 2 {
		q.Set(more[i], more[i+1])
	}
	return "/ontology/" + name + "?" + q.Encode()
}

// Spoken is the language of the entity's name.
func (e *entityView) Spoken() string {
	if len(e.Labels) == 0 {
		return ""
	}
	return e.Labels[0].Language
}

// Links are entities with the paths of their pages.
func (e *entityView) Links(items []editing.Item) (all []entityLink) { return e.view.links(items) }

func (v *ontologyView) links(items []editing.Item) (all []entityLink) {
	for _, i := range items {
		all = append(all, entityLink{i, v.At(i.IRI)})
	}
	return all
}

// Do is a button that does an edit of the entity.
func (v *ontologyView) Do(label string, fields ...string) Button {
	b := v.Button("/ontology/edit", label, "small").With("file", v.File)
	for i := 0; i+1 < len(fields); i += 2 {
		b = b.With(fields[i], fields[i+1])
	}
	return b
}

// Turn is a button that undoes or does again, and comes back to the entity.
func (v *ontologyView) Turn(action, label string) Button {
	b := v.Button(action, label, "small").With("file", v.File)
	if v.Entity != nil {
		b = b.With("entity", v.Entity.IRI)
	}
	return b
}

// ontology shows the editor of an ontology file.
func (h *Handler) ontology(w http.ResponseWriter, r *http.Request) error {
	v, err := h.ontologyView(r)
	if err != nil {
		return err
	}
	return h.show(w, http.StatusOK, "ontology", v)
}

// ontologyView reads what the editor shows.
func (h *Handler) ontologyView(r *http.Request) (*ontologyView, error) {
	q := r.URL.Query()
	v := &ontologyView{Frame: h.frame(r, q.Get("file")), File: q.Get("file"), Words: q.Get("q"), CSS: h.Asset("ontology.css"), Kinds: editing.Kinds()}
	f, err := h.Workspace.Ontology(v.File)
	if err != nil {
		return nil, err
	}
	v.Standing = f.Standing()
	for _, u := range h.Workspace.Uses(v.File) {
		if u.Begun {
			v.Uses = append(v.Uses, u)
		}
	}
	v.Says = v.Standing.Last.Says
	for word := range editing.Words() {
		v.Relations = append(v.Relations, word)
	}
	slices.Sort(v.Relations)
	skip, _ := strconv.Atoi(q.Get("skip"))
	f.Look(func(d *editing.Draft) { err = v.read(d, q, skip) })
	return v, workspace.ErrorOf(err)
}

// read takes what is shown from a draft.
func (v *ontologyView) read(d *editing.Draft, q url.Values, skip int) error {
	v.Namespace = d.Namespace()
	counts := d.Counts()
	v.Kind = q.Get("kind")
	if entity := q.Get("entity"); entity != "" {
		f, err := d.Form(entity)
		if err != nil {
			return err
		}
		v.Entity = &entityView{Form: f, view: v}
		v.Kind = f.Kind
	}
	for _, k := range editing.Kinds() {
		if n := counts[k]; n > 0 {
			if v.Kind == "" {
				v.Kind = k
			}
			v.Counts = append(v.Counts, kindCount{k, plurals[k], n, k == v.Kind, "/ontology?" + url.Values{"file": {v.File}, "kind": {k}}.Encode()})
		}
	}
	var items []editing.Item
	under := ""
	if v.Entity != nil && v.Entity.Below > 0 {
		under = v.Entity.IRI
		v.Branch.Under = v.Entity.Name
		items, v.Branch.Total = d.Children(under, skip, treeRows)
	} else {
		items, v.Branch.Total = d.Roots(v.Kind, skip, treeRows)
	}
	v.Branch.Items = v.links(items)
	page := func(skip int) string {
		q := url.Values{"file": {v.File}, "kind": {v.Kind}, "skip": {strconv.Itoa(skip)}}
		if under != "" {
			q.Set("entity", under)
		}
		return "/ontology?" + q.Encode()
	}
	if skip+treeRows < v.Branch.Total {
		v.Branch.Next = page(skip + treeRows)
	}
	if skip > 0 {
		v.Branch.Previous = page(max(0, skip-treeRows))
	}
	if v.Words != "" {
		v.Found = d.Search(v.Words, treeRows)
	}
	return nil
}

// editOntology does an edit that a form has.
func (h *Handler) editOntology(r *http.Request) (string, Flash, error) {
	f := r.PostForm
	file := f.Get("file")
	e := editing.Edit{
		Do: f.Get("do"), Entity: f.Get("entity"), Kind: f.Get("kind"), Text: f.Get("text"), Language: strings.TrimSpace(f.Get("language")),
		Old: f.Get("old"), OldLanguage: f.Get("old_language"), As: strings.TrimSpace(f.Get("as")), From: f.Get("from"), To: strings.TrimSpace(f.Get("to")),
		Under: f.Get("under"), IRI: strings.TrimSpace(f.Get("iri")), Lift: f.Get("lift") != "",
	}
	back := ontologyPath(file, e.Entity)
	var err error
	for _, name := range []*string{&e.To, &e.From, &e.Under} {
		if *name, err = h.named(file, *name); err != nil {
			return back, Flash{}, err
		}
	}
	if e.Do == editing.DoRetract {
		if e, err = h.retracted(file, e, f); err != nil {
			return back, Flash{}, err
		}
	}
	steps, err := h.Workspace.EditOntology(file, whoOf(r), e)
	if err != nil {
		return back, Flash{}, err
	}
	switch e.Do {
	case editing.DoCreate:
		back = ontologyPath(file, editing.Made(steps))
	case editing.DoRename:
		if e.IRI != "" {
			back = ontologyPath(file, e.IRI)
		}
	case editing.DoMerge:
		back = ontologyPath(file, e.To)
	case editing.DoDelete:
		back = ontologyPath(file, "")
	}
	return back, Flash{Text: steps[len(steps)-1].Says, Undo: "/ontology/undo", Fields: []Field{{"file", file}, {"entity", e.Entity}}}, nil
}

// retracted finds the statements that a form takes away: a class without a name, or another value.
func (h *Handler) retracted(name string, e editing.Edit, f url.Values) (editing.Edit, error) {
	o, err := h.Workspace.Ontology(name)
	if err != nil {
		return e, err
	}
	o.Look(func(d *editing.Draft) {
		if node := f.Get("node"); node != "" {
			e.Remove, e.Says = d.Below(e.Entity, node), "a class without a name removed"
			return
		}
		value := editing.Other{As: editing.Item{IRI: e.As}, Value: f.Get("value"), Language: f.Get("language"), Datatype: f.Get("datatype"), Link: f.Get("link") != ""}
		if t, ok := d.Value(e.Entity, value); ok {
			e.Remove = append(e.Remove, t)
			e.Says = "a statement removed"
		}
	})
	return e, nil
}

// named returns the IRI of an entity that a person names by its label, its local name or its IRI.
func (h *Handler) named(file, words string) (iri string, err error) {
	words = strings.TrimSpace(words)
	if words == "" || strings.Contains(words, "://") || strings.HasPrefix(words, "urn:") {
		return words, nil
	}
	f, err := h.Workspace.Ontology(file)
	if err != nil {
		return "", err
	}
	var found []editing.Found
	f.Look(func(d *editing.Draft) { found = d.Search(words, 2) })
	switch {
	case len(found) == 0:
		return "", fmt.Errorf("%q names nothing in %s: write a label, a local name or an IRI (%w)", cut(words, 100), file, orbweaver.ErrInput)
	case text.Key(found[0].Label) != text.Key(words):
		return "", fmt.Errorf("%q names nothing in %s: did you mean %q? (%w)", cut(words, 100), file, found[0].Name, orbweaver.ErrInput)
	case len(found) > 1 && text.Key(found[1].Label) == text.Key(words):
		return "", fmt.Errorf("%q names several entities of %s, as %s and %s: write the IRI (%w)", cut(words, 100), file, found[0].IRI, found[1].IRI, orbweaver.ErrInput)
	}
	return found[0].IRI, nil
}

// turnOntology undoes or does again a step.
func (h *Handler) turnOntology(do func(*editing.File) (editing.Step, bool, error), says, undo string) deed {
	return func(r *http.Request) (string, Flash, error) {
		file, entity := r.PostForm.Get("file"), r.PostForm.Get("entity")
		f, err := h.Workspace.Ontology(file)
		if err != nil {
			return "", Flash{}, err
		}
		s, ok, err := do(f)
		if err != nil || !ok {
			return ontologyPath(file, ""), Flash{Text: "There is no such step."}, err
		}
		f.Look(func(d *editing.Draft) {
			if _, err := d.Form(entity); err != nil {
				entity = ""
			}
		})
		return ontologyPath(file, entity), Flash{Text: says + ": " + s.Says, Undo: undo, Fields: []Field{{"file", file}, {"entity", entity}}}, nil
	}
}

// discardOntology forgets a draft.
func (h *Handler) discardOntology(r *http.Request) (string, Flash, error) {
	file := r.PostForm.Get("file")
	f, err := h.Workspace.Ontology(file)
	if err != nil {
		return "", Flash{}, err
	}
	return ontologyPath(file, ""), Flash{Text: "The draft is discarded: this is the file as it is on the disk."}, f.Discard()
}

// saveView shows what saving changes.
type saveView struct {
	Frame
	File, Diff, Digest string
	Problem            string
	Lines              []diffLine
	CSS                string
}

// A diffLine is a line of the changes.
type diffLine struct{ Class, Text string }

// shownDiff bounds the lines of changes that a page shows.
const shownDiff = 2000

// lookAtSave shows what saving would change in the file.
func (h *Handler) lookAtSave(w http.ResponseWriter, r *http.Request) error {
	v := saveView{Frame: h.frame(r, "Save the ontology"), File: r.URL.Query().Get("file"), CSS: h.Asset("ontology.css")}
	f, err := h.Workspace.Ontology(v.File)
	if err != nil {
		return err
	}
	was, next, err := f.Next()
	if err != nil {
		v.Problem = err.Error()
		return h.show(w, http.StatusConflict, "ontologysave", v)
	}
	v.Digest = workspace.Digest(was)
	for i, line := range strings.Split(editing.Diff(v.File, was, next), "\n") {
		if i == shownDiff {
			v.Lines = append(v.Lines, diffLine{"", "…"})
			break
		}
		class := ""
		switch {
		case strings.HasPrefix(line, "+"):
			class = "added"
		case strings.HasPrefix(line, "-"):
			class = "removed"
		}
		if line != "" {
			v.Lines = append(v.Lines, diffLine{class, line})
		}
	}
	return h.show(w, http.StatusOK, "ontologysave", v)
}

// saveOntology writes a draft to its file.
func (h *Handler) saveOntology(r *http.Request) (string, Flash, error) {
	file := r.PostForm.Get("file")
	back := "/ontology/save?" + url.Values{"file": {file}}.Encode()
	if err := h.Workspace.SaveOntology(file, r.PostForm.Get("digest")); err != nil {
		return back, Flash{}, err
	}
	return ontologyPath(file, ""), Flash{Text: file + " is saved."}, nil
}

// checkView shows what an author may want to look at.
type checkView struct {
	Frame
	File     string
	Findings []editing.Finding
	Total    int
	CSS      string
}

// At is the path of the editor at an entity.
func (v checkView) At(iri string) string { return ontologyPath(v.File, iri) }

// checkOntology shows what orbweaver ontology check says of the draft.
func (h *Handler) checkOntology(w http.ResponseWriter, r *http.Request) error {
	v := checkView{Frame: h.frame(r, "Check the ontology"), File: r.URL.Query().Get("file"), CSS: h.Asset("ontology.css")}
	f, err := h.Workspace.Ontology(v.File)
	if err != nil {
		return err
	}
	f.Look(func(d *editing.Draft) { v.Findings = d.Check() })
	v.Total = len(v.Findings)
	v.Findings = v.Findings[:min(v.Total, 200)]
	return h.show(w, http.StatusOK, "ontologycheck", v)
}

// deleteView asks before an entity is deleted.
type deleteView struct {
	Frame
	File, IRI, Name string
	editing.Dependents
	CSS string
}

// Back is the path of the entity.
func (v deleteView) Back() string { return ontologyPath(v.File, v.IRI) }

// askDelete shows what depends on an entity.
func (h *Handler) askDelete(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	v := deleteView{Frame: h.frame(r, "Delete from the ontology"), File: q.Get("file"), IRI: q.Get("entity"), CSS: h.Asset("ontology.css")}
	f, err := h.Workspace.Ontology(v.File)
	if err != nil {
		return err
	}
	f.Look(func(d *editing.Draft) {
		var form editing.Form
		if form, err = d.Form(v.IRI); err == nil {
			v.Name = form.Name
			v.Dependents, err = d.Dependents(v.IRI)
		}
	})
	if err != nil {
		return workspace.ErrorOf(err)
	}
	return h.show(w, http.StatusOK, "ontologydelete", v)
}

// ontologiesView lists the ontologies of the workspace.
type ontologiesView struct {
	Frame
	Files     []ontologyRow
	Templates []workspace.Template
	Crawls    []string // that may have learned something
	CSS       string
}

// An ontologyRow is a file of the list.
type ontologyRow struct {
	workspace.OntologyFile
	Path string
}

// ontologies lists the ontologies of the workspace, and begins new ones.
func (h *Handler) ontologies(w http.ResponseWriter, r *http.Request) error {
	v := ontologiesView{Frame: h.frame(r, "Ontologies"), CSS: h.Asset("ontology.css"), Templates: workspace.Templates()}
	all, err := h.Workspace.Ontologies()
	if err != nil {
		return err
	}
	for _, f := range all {
		v.Files = append(v.Files, ontologyRow{f, ontologyPath(f.Name, "")})
	}
	crawls, err := h.Workspace.Crawls(r.Context())
	if err != nil {
		return err
	}
	for _, c := range crawls {
		if c.Status != nil {
			v.Crawls = append(v.Crawls, c.ID)
		}
	}
	return h.show(w, http.StatusOK, "ontologies", v)
}

// newOntology makes an ontology of a template.
func (h *Handler) newOntology(r *http.Request) (string, Flash, error) {
	f, err := h.Workspace.NewOntology(r.PostForm.Get("name"), r.PostForm.Get("template"), r.PostForm.Get("space"))
	if err != nil {
		return "/ontologies", Flash{}, err
	}
	return ontologyPath(f.Name, ""), Flash{Text: f.Name + " is new."}, nil
}

// learnedOntology makes an ontology of what a crawl has learned.
func (h *Handler) learnedOntology(r *http.Request) (string, Flash, error) {
	f, err := h.Workspace.LearnedOntology(r.Context(), strings.TrimSpace(r.PostForm.Get("name")), r.PostForm.Get("from"))
	if err != nil {
		return "/ontologies", Flash{}, err
	}
	return ontologyPath(f.Name, ""), Flash{Text: f.Name + " is new. Look through it: what was learned is a beginning."}, nil
}

// importOntology takes files into the workspace.
func (h *Handler) importOntology(w http.ResponseWriter, r *http.Request) error {
	if err := r.ParseMultipartForm(1 << 20); err != nil {
		return fmt.Errorf("the form: %w (%w)", err, orbweaver.ErrInput)
	}
	defer func() { _ = r.MultipartForm.RemoveAll() }() // what is left is removed with the temporary folder
	names, err := h.taken(r, "ontologies")
	if err != nil {
		leave(w, r, "/ontologies", Flash{Text: err.Error(), Bad: true})
		return nil
	}
	leave(w, r, ontologyPath(names[0], ""), Flash{Text: strings.Join(names, ", ") + " is here."})
	return nil
}

// convertOntology writes the Turtle of a file beside it.
func (h *Handler) convertOntology(r *http.Request) (string, Flash, error) {
	file := r.PostForm.Get("file")
	f, err := h.Workspace.ConvertOntology(file)
	if err != nil {
		return ontologyPath(file, ""), Flash{}, err
	}
	return ontologyPath(f.Name, ""), Flash{Text: f.Name + " has the same statements as " + file + ", as Turtle. Crawl files that name the other file still do."}, nil
}
