package workspace

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"orbweaver"
	"orbweaver/crawl"
	"orbweaver/internal/order"
)

// MaxFile is the maximum size of a crawl file, an ontology or another file that is written into a workspace, in bytes.
const MaxFile = 16 << 20

// name is what a crawl or file may be called, but for its length: repeated a hundred times, the classes of characters would take megabytes.
var name = regexp.MustCompile(`^[\pL\pN][\pL\pN ._-]*$`)

// isName reports whether a crawl or file may be called so.
func isName(text string) bool { return utf8.RuneCountInString(text) <= 100 && name.MatchString(text) }

// checkName returns an error that wraps orbweaver.ErrInput if a crawl cannot have an id.
func checkName(id string) error {
	if !isName(id) || strings.HasSuffix(id, ".") || id == crawlsFolder {
		return fmt.Errorf("%q: a name has letters, digits, blanks, dots, hyphens and underscores, at most 100, and begins with a letter or digit (%w)", id, orbweaver.ErrInput)
	}
	return nil
}

// Validate checks the text of a crawl file, YAML or JSON, as if it were in the workspace. Errors are those of crawl.Validate.
func (w *Workspace) Validate(id string, text []byte) error {
	j := *w.opts.Job
	return crawl.Validate(id+".yaml", w.dir, text, crawl.On(&j))
}

// Create writes the crawl file of a new crawl. It does not begin. The error wraps orbweaver.ErrForeign if there is one of this name,
// and is otherwise as of Validate.
func (w *Workspace) Create(ctx context.Context, id string, text []byte) (Crawl, error) {
	if err := checkName(id); err != nil {
		return Crawl{}, err
	}
	if err := w.Validate(id, text); err != nil {
		return Crawl{}, err
	}
	w.mu.Lock()
	_, taken := w.crawls[id]
	w.mu.Unlock()
	path := filepath.Join(w.dir, id+".yaml")
	if taken || exists(path) || exists(filepath.Join(w.dir, crawlsFolder, id)) {
		return Crawl{}, fmt.Errorf("crawl %s: there is one of this name (%w)", id, orbweaver.ErrForeign)
	}
	if err := replace(path, text); err != nil {
		return Crawl{}, err
	}
	view, err := w.Crawl(ctx, id)
	w.mu.Lock()
	w.change()
	w.mu.Unlock()
	return view, err
}

// Text returns the crawl file of a crawl, or what the crawl folder has of it.
func (w *Workspace) Text(id string) ([]byte, error) {
	w.mu.Lock()
	m, err := w.find(id)
	w.mu.Unlock()
	if err != nil {
		return nil, err
	}
	path := m.file
	if path == "" {
		path = filepath.Join(m.folder, runFile)
	}
	return os.ReadFile(path)
}

// Save replaces the crawl file of a crawl that has not begun, or whose running session does not mind: a session reads it at its start.
// The error is as of Validate, and wraps orbweaver.ErrInput if the crawl has no crawl file in the workspace.
func (w *Workspace) Save(id string, text []byte) error {
	w.mu.Lock()
	m, err := w.find(id)
	w.mu.Unlock()
	if err != nil {
		return err
	}
	if m.file == "" {
		return fmt.Errorf("crawl %s: the workspace has its folder alone, and no crawl file (%w)", id, orbweaver.ErrInput)
	}
	if err := w.Validate(id, text); err != nil {
		return err
	}
	return replace(m.file, text)
}

// A Thrown crawl is in the trash.
type Thrown struct {
	ID    string    `json:"id"`    // in the trash
	Crawl string    `json:"crawl"` // the crawl's id
	At    time.Time `json:"at"`
	Bytes int64     `json:"bytes"`

	File   string `json:"file,omitempty"`   // where they were, relative to the workspace
	Folder string `json:"folder,omitempty"` //

	Rating  string `json:"rating,omitempty"`  // it is this rating of the crawl alone
	Ratings string `json:"ratings,omitempty"` // where the ratings of the crawl were
}

// thrownID is the id in the trash of what is thrown away now.
func thrownID(now time.Time, name string) string {
	return now.Format("20060102T150405.000000000") + "-" + name
}

// places are where the parts of what was thrown away were, relative to the workspace, by their names in the trash.
func (t Thrown) places() map[string]string {
	return map[string]string{"folder": t.Folder, "file": t.File, "ratings": t.Ratings}
}

// Delete moves a crawl into the trash: its crawl file and its folder. The error wraps orbweaver.ErrBusy if it runs: stop it first.
func (w *Workspace) Delete(ctx context.Context, id string) (Thrown, error) {
	view, err := w.Crawl(ctx, id)
	if err != nil {
		return Thrown{}, err
	}
	if view.State == Running || view.Elsewhere || view.State == Paused && view.Status != nil && view.Status.PID != 0 {
		return Thrown{}, fmt.Errorf("crawl %s: it runs: stop it first (%w)", id, orbweaver.ErrBusy)
	}
	w.mu.Lock()
	m, err := w.find(id)
	w.mu.Unlock()
	if err != nil {
		return Thrown{}, err
	}
	defer w.claim(m)()
	w.mu.Lock()
	defer w.mu.Unlock()
	switch now, err := w.find(id); {
	case err != nil:
		return Thrown{}, err
	case now != m || m.session != nil:
		return Thrown{}, fmt.Errorf("crawl %s: it runs: stop it first (%w)", id, orbweaver.ErrBusy)
	}
	now := time.Now().UTC()
	t := Thrown{ID: thrownID(now, id), Crawl: id, At: now, Bytes: view.Bytes, File: view.File, Folder: view.Folder, Ratings: w.relative(filepath.Join(w.dir, ratingsFolder, id))}
	if err := w.throw(t); err != nil {
		return Thrown{}, err
	}
	delete(w.crawls, id)
	w.queue = slices.DeleteFunc(w.queue, func(q string) bool { return q == id })
	w.change()
	return t, w.remember()
}

// throw moves the files of a crawl into the trash. The note is written first, so that whatever is there can be restored.
func (w *Workspace) throw(t Thrown) error {
	to := filepath.Join(w.dir, ownFolder, trashFolder, t.ID)
	if err := os.MkdirAll(to, 0o700); err != nil {
		return fmt.Errorf("trash: %w", err)
	}
	note, err := json.Marshal(t)
	if err == nil {
		err = replace(filepath.Join(to, "thrown.json"), note)
	}
	if err != nil {
		return err
	}
	for kept, from := range t.places() {
		if from == "" || !exists(filepath.Join(w.dir, from)) {
			continue
		}
		if err := os.Rename(filepath.Join(w.dir, from), filepath.Join(to, kept)); err != nil {
			return fmt.Errorf("trash: %w", err)
		}
	}
	return nil
}

// Trash lists what was deleted, the latest first.
func (w *Workspace) Trash() ([]Thrown, error) {
	all := []Thrown{}
	entries, err := os.ReadDir(filepath.Join(w.dir, ownFolder, trashFolder))
	if err != nil {
		return nil, fmt.Errorf("trash: %w", err)
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(w.dir, ownFolder, trashFolder, e.Name(), "thrown.json"))
		var t Thrown
		if err == nil && json.Unmarshal(text, &t) == nil && t.ID == e.Name() {
			all = append(all, t)
		}
	}
	order.By(all, func(a, b Thrown) int { return b.At.Compare(a.At) })
	return all, nil
}

// thrown finds something in the trash.
func (w *Workspace) thrown(id string) (t Thrown, folder string, err error) {
	all, err := w.Trash()
	if err != nil {
		return t, "", err
	}
	i := slices.IndexFunc(all, func(t Thrown) bool { return t.ID == id })
	if i < 0 {
		return t, "", fmt.Errorf("trash: it has no %q: %w", id, ErrUnknown)
	}
	return all[i], filepath.Join(w.dir, ownFolder, trashFolder, id), nil
}

// Restore takes a crawl out of the trash. The error wraps ErrUnknown if it is not there, and orbweaver.ErrForeign if its place is taken.
func (w *Workspace) Restore(ctx context.Context, id string) (Crawl, error) {
	t, from, err := w.thrown(id)
	if err != nil {
		return Crawl{}, err
	}
	if t.Rating != "" {
		if _, err := w.Crawl(ctx, t.Crawl); err != nil {
			return Crawl{}, fmt.Errorf("rating %s: restore its crawl first: %w", t.Rating, err)
		}
	}
	places := t.places()
	for kept, to := range places {
		if to == "" || !exists(filepath.Join(from, kept)) {
			continue
		}
		if path, err := w.inside(filepath.FromSlash(to)); err != nil {
			return Crawl{}, err
		} else if exists(path) {
			return Crawl{}, fmt.Errorf("%s: something else is there now (%w)", to, orbweaver.ErrForeign)
		}
	}
	for _, kept := range []string{"folder", "ratings", "file"} {
		path := filepath.Join(w.dir, filepath.FromSlash(places[kept]))
		if places[kept] == "" || !exists(filepath.Join(from, kept)) {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return Crawl{}, fmt.Errorf("trash: %w", err)
		}
		if err := os.Rename(filepath.Join(from, kept), path); err != nil {
			return Crawl{}, fmt.Errorf("trash: %w", err)
		}
	}
	if err := os.RemoveAll(from); err != nil {
		return Crawl{}, fmt.Errorf("trash: %w", err)
	}
	return w.Crawl(ctx, t.Crawl)
}

// Forget removes something from the trash for good.
func (w *Workspace) Forget(id string) error {
	_, folder, err := w.thrown(id)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(folder); err != nil {
		return fmt.Errorf("trash: %w", err)
	}
	return nil
}
