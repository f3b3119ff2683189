package ontology

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/kind"
	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/document"
	"orbweaver/rdf/syntax/turtle/edit"
)

// Withdraw removes the statements of an accepted suggestion from the user's file.
func (in *instance) Withdraw(env *kind.Env, d orbweaver.Decision, held []orbweaver.Decision) (w kind.Decided, err error) {
	if other, ok := restsOn(d, held); ok {
		return w, fmt.Errorf("%q (%s) is %s of what %q (%s) added: withdraw that first (%w)",
			other.Text, other.ID, other.As, d.Text, d.ID, orbweaver.ErrInput)
	}
	files := in.section.Files
	if err := mayGrow(files[0]); err != nil {
		return w, err
	}
	kept, err := triplesOf(Files(env.File.Output, files))
	if err != nil {
		return w, err
	}
	w.Decision = orbweaver.Decision{ID: d.ID, Withdrawn: true, Text: d.Text}
	for _, q := range d.Added {
		others := slices.ContainsFunc(held, func(o orbweaver.Decision) bool { return slices.Contains(o.Added, q) })
		if !kept[rdf.Triple{S: q.S, P: q.P, O: q.O}] && !others {
			w.Decision.Removed = append(w.Decision.Removed, q)
		}
	}
	if w.File, _, err = edit.Append(files[0], nil); err != nil { // says which file grew
		return w, err
	}
	w.Removed, err = retract(w.File, Files(env.File.Output, files)[0], w.Decision.Removed)
	return w, err
}

// restsOn returns the first decision that adds to an entity which another created, or which that gave its name as a label.
func restsOn(d orbweaver.Decision, held []orbweaver.Decision) (orbweaver.Decision, bool) {
	if len(d.Added) < 2 {
		return orbweaver.Decision{}, false
	}
	made := d.Added[0].S.Value
	i := slices.IndexFunc(held, func(o orbweaver.Decision) bool { return o.Entity == made || o.Range == made })
	if i < 0 {
		return orbweaver.Decision{}, false
	}
	return held[i], true
}

// triplesOf returns the statements of files.
func triplesOf(files []string) (map[rdf.Triple]bool, error) {
	all := map[rdf.Triple]bool{}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err == nil && strings.HasSuffix(file, ".gz") {
			content, err = unpacked(content)
		}
		if err == nil {
			err = collect(all, strings.TrimSuffix(file, ".gz"), content)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	return all, nil
}

func unpacked(content []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// collect adds the statements of a file's content.
func collect(all map[rdf.Triple]bool, file string, content []byte) error {
	here := (&url.URL{Scheme: "file", Path: filepath.ToSlash(file)}).String()
	format := syntax.Detect(file, "", content[:min(len(content), 4096)])
	for t, err := range document.Read(bytes.NewReader(content), format, syntax.Options{Name: file, Base: here}) {
		if err != nil {
			return err
		}
		all[t] = true
	}
	return nil
}

// retract removes statements from a file. All else that it has stays, byte for byte. began is the file as the crawl began with it:
// when nothing is left of what was added, the file is that again, its end included. A companion of which nothing is left is removed.
func retract(file, began string, statements []rdf.Quad) (removed int, err error) {
	was, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil // a companion that is gone
	}
	if err != nil {
		return 0, err
	}
	have := map[rdf.Triple]bool{}
	if err := collect(have, file, was); err != nil {
		return 0, err
	}
	var gone []rdf.Triple
	for _, q := range statements {
		if t := (rdf.Triple{S: q.S, P: q.P, O: q.O}); have[t] {
			gone = append(gone, t)
		}
	}
	if len(gone) == 0 {
		return 0, nil
	}
	next, err := edit.Apply(file, was, edit.Change{Remove: gone})
	if err != nil {
		return 0, fmt.Errorf("withdraw what was added to %s: %w", console.Relative(file), err)
	}
	if first, err := os.ReadFile(began); err == nil && bytes.Equal(ended(first), ended(next)) {
		next = first
	}
	if len(ended(next)) == 0 && strings.HasSuffix(file, edit.Companion("")) {
		return len(gone), os.Remove(file)
	}
	return len(gone), edit.Save(file, was, next)
}

// ended is a text without the line ends at its end.
func ended(text []byte) []byte { return bytes.TrimRight(text, "\r\n") }
