package workspace

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"weak"

	"orbweaver"
	"orbweaver/crawl"
	"orbweaver/internal/order"
	"orbweaver/kb/editing"
)

const (
	draftsFolder = "drafts" // of .studio: a folder for each ontology file that is being edited
	maxOntology  = 64 << 20 // bytes of an ontology file that is edited
	maxOpen      = 6        // ontology files in memory
)

// An opened ontology file.
type opened struct {
	name string
	once func() (*editing.File, error)
}

// openOntologies are the ontology files in memory, used last first.
type openOntologies struct {
	mu     sync.Mutex
	all    []*opened
	living map[string]weak.Pointer[editing.File] // by name: files that a request may still hold, so that none is open twice
}

// open opens a file, or returns it where it is open still.
func (all *openOntologies) open(name, path, draft string) (*editing.File, error) {
	all.mu.Lock()
	f := all.living[name].Value()
	all.mu.Unlock()
	if f != nil {
		return f, nil
	}
	f, err := editing.OpenFile(path, draft)
	if err != nil {
		return nil, err
	}
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.living == nil {
		all.living = map[string]weak.Pointer[editing.File]{}
	}
	all.living[name] = weak.Make(f)
	return f, nil
}

// Ontology opens an ontology file of the workspace with its draft. The error wraps ErrUnknown, or orbweaver.ErrInput if the file cannot be read
// as RDF.
func (w *Workspace) Ontology(name string) (*editing.File, error) {
	path, err := w.inside(name)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && editing.Unsaved(w.draftOf(w.relative(path))):
		return nil, fmt.Errorf("%s is gone, and its draft is kept: when there is a file of this name again, the draft is there: %w", name, ErrUnknown)
	case err != nil || !info.Mode().IsRegular() || kindOf(path) != "ontology":
		return nil, fmt.Errorf("%s: the workspace has no ontology file of this name: %w", name, ErrUnknown)
	case info.Size() > maxOntology:
		return nil, fmt.Errorf("%s: files of more than %s are not edited here (%w)", name, bytesText(maxOntology), orbweaver.ErrTooLarge)
	}
	name = w.relative(path)
	w.edited.mu.Lock()
	i := slices.IndexFunc(w.edited.all, func(o *opened) bool { return o.name == name })
	var o *opened
	if i >= 0 {
		o = w.edited.all[i]
		w.edited.all = slices.Delete(w.edited.all, i, i+1)
	} else {
		o = &opened{name: name, once: sync.OnceValues(func() (*editing.File, error) { return w.edited.open(name, path, w.draftOf(name)) })}
	}
	w.edited.all = slices.Insert(w.edited.all, 0, o)
	w.edited.all = w.edited.all[:min(len(w.edited.all), maxOpen)]
	w.edited.mu.Unlock()
	f, err := o.once()
	if err != nil {
		w.forgetOntology(o)
		return nil, fmt.Errorf("%s: %w (%w)", name, err, orbweaver.ErrInput)
	}
	return f, nil
}

// forgetOntology drops a file from memory.
func (w *Workspace) forgetOntology(o *opened) {
	w.edited.mu.Lock()
	defer w.edited.mu.Unlock()
	w.edited.all = slices.DeleteFunc(w.edited.all, func(other *opened) bool { return other == o })
}

// draftOf is the folder of the draft of an ontology file.
func (w *Workspace) draftOf(name string) string {
	sum := sha256.Sum256([]byte(name))
	return filepath.Join(w.dir, ownFolder, draftsFolder, hex.EncodeToString(sum[:12]))
}

// ErrorOf gives an error of an ontology's draft the failure that tells of it: orbweaver.ErrInput, orbweaver.ErrForeign for what somebody else
// changed, or ErrUnknown.
func ErrorOf(err error) error {
	switch {
	case err == nil || orbweaver.FailureOf(err) != "error":
		return err
	case editing.IsUnknown(err):
		return fmt.Errorf("%w (%w)", err, ErrUnknown)
	case editing.IsForeign(err):
		return fmt.Errorf("%w (%w)", err, orbweaver.ErrForeign)
	}
	return fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
}

// EditOntology does edits of an ontology file in somebody's name, all or none, and returns the steps.
func (w *Workspace) EditOntology(name, by string, edits ...editing.Edit) ([]editing.Step, error) {
	f, err := w.Ontology(name)
	if err != nil {
		return nil, err
	}
	steps, err := f.DoAll(by, time.Now().UTC(), func(e editing.Edit) error {
		if e.Do == editing.DoRename && e.IRI != "" && e.IRI != e.Entity {
			return w.unused(name, e.Entity)
		}
		return nil
	}, edits...)
	return steps, ErrorOf(err)
}

// unused returns an error if something outside an ontology file uses an IRI of it: a crawl file, or another ontology.
func (w *Workspace) unused(name, iri string) error {
	var users []string
	for _, u := range w.Uses(name) {
		if slices.Contains(u.Targets, iri) || slices.ContainsFunc(u.Targets, func(t string) bool { return strings.HasSuffix(iri, "#"+t) || strings.HasSuffix(iri, "/"+t) }) {
			users = append(users, u.File)
		}
	}
	files, err := w.Files()
	if err != nil {
		return err
	}
	for _, f := range files {
		if f.Kind != "ontology" || f.Name == name || f.Bytes > MaxFile {
			continue
		}
		if text, err := os.ReadFile(filepath.Join(w.dir, filepath.FromSlash(f.Name))); err == nil && strings.Contains(string(text), iri) {
			users = append(users, f.Name)
		}
	}
	if len(users) > 0 {
		return fmt.Errorf("the IRI %s is used by %s: change its name alone (%w)", iri, strings.Join(users, ", "), orbweaver.ErrInput)
	}
	return nil
}

// A Use of an ontology file is a crawl of the workspace whose crawl file names it.
type Use struct {
	Crawl   string   `json:"crawl"`
	File    string   `json:"file"`    // the crawl file
	Begun   bool     `json:"begun"`   // it has pages, or may soon
	Targets []string `json:"targets"` // as written there
}

// Uses returns the crawls whose crawl files name an ontology file.
func (w *Workspace) Uses(name string) (all []Use) {
	w.mu.Lock()
	files, folders := map[string]string{}, map[string]string{}
	for id, m := range w.crawls {
		if m.file != "" {
			files[id], folders[id] = m.file, m.folder
		}
	}
	w.mu.Unlock()
	for id, file := range files {
		if named, targets := w.named(file); slices.Contains(named, name) {
			begun := folders[id] != "" && exists(filepath.Join(folders[id], runFile))
			all = append(all, Use{Crawl: id, File: w.relative(file), Begun: begun, Targets: targets})
		}
	}
	order.By(all, func(a, b Use) int { return strings.Compare(a.Crawl, b.Crawl) })
	return all
}

// named returns the ontology files that a crawl file names, and its targets.
func (w *Workspace) named(file string) (ontologies, targets []string) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, nil
	}
	values, err := crawl.FileValues(text)
	if err != nil {
		return nil, nil
	}
	for _, used := range strings.Split(values["focus.ontology.files"], "\n") {
		if path, err := filepath.Abs(filepath.Join(filepath.Dir(file), used)); used != "" && err == nil {
			ontologies = append(ontologies, w.relative(path))
		}
	}
	return ontologies, strings.Split(values["focus.ontology.target"], "\n")
}

// OntologiesOf returns the ontology files of the workspace that the crawl file of a crawl names.
func (w *Workspace) OntologiesOf(id string) (all []string) {
	w.mu.Lock()
	file := ""
	if m := w.crawls[id]; m != nil {
		file = m.file
	}
	w.mu.Unlock()
	if file == "" {
		return nil
	}
	named, _ := w.named(file)
	for _, name := range named {
		if path, err := w.inside(name); err == nil && kindOf(path) == "ontology" && exists(path) {
			all = append(all, name)
		}
	}
	return all
}

// ConvertOntology writes the Turtle of an ontology file of another syntax beside it, where there is none, so that it can be edited.
func (w *Workspace) ConvertOntology(name string) (File, error) {
	path, err := w.inside(name)
	if err != nil {
		return File{}, err
	}
	text, err := os.ReadFile(path)
	if err != nil || kindOf(path) != "ontology" {
		return File{}, fmt.Errorf("%s: the workspace has no ontology file of this name: %w", name, ErrUnknown)
	}
	turtle, err := editing.Convert(path, text)
	if err != nil {
		return File{}, fmt.Errorf("%s: %w (%w)", name, err, orbweaver.ErrInput)
	}
	to := strings.TrimSuffix(w.relative(path), ".gz")
	to = strings.TrimSuffix(to, filepath.Ext(to)) + ".ttl"
	return w.Put(to, turtle)
}

// Digest tells one content of a file from another.
func Digest(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// SaveOntology writes the draft of an ontology file to it. digest is that of the content that its changes were looked at beside; empty: any.
func (w *Workspace) SaveOntology(name, digest string) error {
	f, err := w.Ontology(name)
	if err != nil {
		return err
	}
	was, _, err := f.Next()
	if err != nil {
		return ErrorOf(err)
	}
	if digest != "" && Digest(was) != digest {
		return fmt.Errorf("%s was changed meanwhile: look at the changes again (%w)", name, orbweaver.ErrForeign)
	}
	return ErrorOf(f.Save(was))
}

// An OntologyFile is an ontology of the workspace.
type OntologyFile struct {
	File
	Draft bool  `json:"draft"` // it has a draft with changes that are not saved
	Uses  []Use `json:"uses"`  // crawls whose crawl files name it
}

// Ontologies lists the ontology files of the workspace.
func (w *Workspace) Ontologies() ([]OntologyFile, error) {
	files, err := w.Files()
	if err != nil {
		return nil, err
	}
	all := []OntologyFile{}
	for _, f := range files {
		if f.Kind == "ontology" {
			uses := w.Uses(f.Name)
			all = append(all, OntologyFile{File: f, Draft: editing.Unsaved(w.draftOf(f.Name)), Uses: append([]Use{}, uses...)})
		}
	}
	return all, nil
}

// ImportOntology adds modules of one ontology file to the draft of another; without roots, all of it. See editing.Draft.Part.
func (w *Workspace) ImportOntology(name, from, by string, roots ...string) ([]editing.Step, error) {
	f, err := w.Ontology(from)
	if err != nil {
		return nil, err
	}
	e := editing.Edit{Do: editing.DoAdd}
	f.Look(func(d *editing.Draft) { e.Add = editing.Apart(d.Part(roots...), "i"+Digest([]byte(from))[:8]) })
	e.Says = fmt.Sprintf("%d statements of %s", len(e.Add), from)
	return w.EditOntology(name, by, e)
}
