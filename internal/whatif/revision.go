package whatif

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/crawlform"
	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/document"
	"orbweaver/rdf/syntax/ntriples"
)

// A Revision is knowledge that a crawl might have instead of its own.
type Revision struct {
	// Files are contents of ontology files in place of those on disk, by absolute path, as the crawl file resolves it. With any,
	// the other files count as they are on disk, too: what decisions added is in them.
	Files map[string][]byte
	// Keys are values of keys of the crawl file below focus, by path, as a form has them: "focus.ontology.base".
	Keys map[string]string
}

// maxRevised bounds the files of a revision, in bytes.
const maxRevised = 64 << 20

// An Order says what a crawl is judged with beside its own knowledge.
type Order struct {
	Text     string              `json:"text,omitempty"`     // of the crawl file, relative to the crawl folder; empty: as it is
	Files    bool                `json:"files,omitempty"`    // its ontology has the decisions already
	Decision *orbweaver.Decision `json:"decision,omitempty"` // is taken last
}

// Lay writes the files of a revision into a temporary folder, which clean removes, and orders a crawl file that names them. The
// error wraps orbweaver.ErrInput if the crawl in dir has no such file or key, or a file is not RDF, and orbweaver.ErrTooLarge.
func Lay(schema crawlfile.Schema, dir string, r Revision) (o Order, clean func() error, err error) {
	clean = func() error { return nil }
	text, err := os.ReadFile(filepath.Join(dir, crawlfolder.RunFile))
	if err != nil {
		return o, clean, err
	}
	values, err := crawlform.Values(schema, text)
	if err != nil {
		return o, clean, err
	}
	changed := map[string]string{}
	for key, value := range r.Keys {
		if !strings.HasPrefix(key, "focus.") {
			return o, clean, fmt.Errorf("key %s: only those below focus can be tried in place of the crawl's own (%w)", key, orbweaver.ErrInput)
		}
		changed[key], values[key] = value, value
	}
	if len(r.Files) > 0 {
		temporary, err := os.MkdirTemp("", "orbweaver-revision-*")
		if err != nil {
			return o, clean, err
		}
		clean = func() error { return os.RemoveAll(temporary) }
		if err := r.lay(temporary, dir, values, changed); err != nil {
			return o, clean, err
		}
		o.Files = true
	}
	next, err := crawlform.Set(schema, text, changed)
	o.Text = string(next)
	return o, clean, err
}

// lay writes the files, and changes the values that name them.
func (r Revision) lay(to, dir string, values, changed map[string]string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	size := 0
	var problems []error
	for i, path := range slices.Sorted(keysOf(r.Files)) {
		content := r.Files[path]
		if size += len(content); size > maxRevised {
			return fmt.Errorf("files of a revision: more than %d bytes: %w", maxRevised, orbweaver.ErrTooLarge)
		}
		name := filepath.Join(to, fmt.Sprintf("%02d-%s", i+1, special.ReplaceAllString(filepath.Base(path), "-")))
		spelled, err := spelledOut(path, content)
		if err != nil {
			problems = append(problems, fmt.Errorf("%w (%w)", err, orbweaver.ErrInput))
			continue
		}
		if spelled != nil {
			name, content = name+".nt", spelled
		}
		if err := os.WriteFile(name, content, 0o600); err != nil {
			return err
		}
		if !rename(path, name, dir, values, changed) {
			problems = append(problems, fmt.Errorf("%s: the crawl file names no such file below focus (%w)", path, orbweaver.ErrInput))
		}
	}
	return errors.Join(problems...)
}

func keysOf[V any](m map[string]V) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// special are characters that YAML might read otherwise.
var special = regexp.MustCompile(`[^A-Za-z0-9._-]`)

// rename puts another path, without characters that YAML quotes, in the place of a file's in all values below focus, and reports whether there was one.
func rename(path, to, dir string, values, changed map[string]string) (found bool) {
	for key, value := range values {
		if !strings.HasPrefix(key, "focus.") {
			continue
		}
		lines := strings.Split(value, "\n")
		for i, line := range lines {
			words := append([]string{line}, strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(`[]{}, "'`, r) })...)
			if rel, err := filepath.Rel(dir, path); err == nil { // its name may have blanks
				words = append(words, path, rel)
			}
			for _, word := range words {
				whole := regexp.MustCompile(`(^|[\s\[{,"'])` + regexp.QuoteMeta(word) + `($|[\s\]},"'])`)
				if word != "" && whole.MatchString(line) && same(word, path, dir) {
					lines[i], found = whole.ReplaceAllString(line, "${1}"+strings.ReplaceAll(to, "$", "$$")+"${2}"), true
					break
				}
			}
		}
		if next := strings.Join(lines, "\n"); next != value {
			values[key], changed[key] = next, next
		}
	}
	return found
}

// same reports whether a path in a crawl file, relative to a folder, is another one.
func same(word, path, dir string) bool {
	if !filepath.IsAbs(word) {
		word = filepath.Join(dir, word)
	}
	if filepath.Clean(word) == filepath.Clean(path) {
		return true
	}
	a, err := filepath.EvalSymlinks(word)
	b, problem := filepath.EvalSymlinks(path)
	return err == nil && problem == nil && a == b
}

// spelledOut returns the statements of a file as N-Triples, if they depend on where it is, else nil.
func spelledOut(file string, content []byte) (said []byte, err error) {
	here := (&url.URL{Scheme: "file", Path: filepath.ToSlash(file)}).String()
	depends := false
	format := syntax.Detect(file, "", content[:min(len(content), 4096)])
	for t, err := range document.Read(bytes.NewReader(content), format, syntax.Options{Name: file, Base: here}) {
		if err != nil {
			return nil, err
		}
		depends = depends || local(t.S) || local(t.P) || local(t.O)
		said = ntriples.AppendTriple(said, t)
	}
	if !depends {
		return nil, nil
	}
	return said, nil
}

// local reports whether a term names a file, as relative IRIs come to do.
func local(t rdf.Term) bool {
	return t.Kind == rdf.IRI && strings.HasPrefix(t.Value, "file:") || strings.HasPrefix(t.Datatype, "file:")
}
