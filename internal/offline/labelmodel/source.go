// Package labelmodel learns terms and labels from streams of documents into a folder (kb/stream), and
// prints such a model: its labels, their hierarchy, why a text has them, and when they changed. Errors
// that the user can correct wrap orbweaver.ErrInput.
package labelmodel

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/krsdb"
	"orbweaver/internal/offline/corpus"
)

// document is one document of a stream.
type document struct {
	ID    string    `json:"id"`
	Title string    `json:"title"`
	Text  string    `json:"text"`
	Lang  string    `json:"lang,omitempty"` // declared language, a BCP 47 tag; empty: detected from the text
	At    time.Time `json:"-"`
	long  bool      // the text or title was truncated
}

// Limits of a stream.
const (
	maxText = 1 << 20  // bytes of a document's text and of its title; longer ones are truncated
	maxLine = 16 << 20 // bytes of a line of a .jsonl file; a longer one is skipped
	maxTold = 20       // problems that are reported one by one
)

// errEnough reports that the consumer wants no more documents.
var errEnough = errors.New("enough documents")

// source yields documents in order. It is for one goroutine.
type source struct {
	*console.Console
	paths  []string
	failed int // number of documents and files that could not be read
}

// newSource returns the source of files and folders, in the order named. The error lists every missing
// path and wraps ErrInput.
func newSource(con *console.Console, paths []string) (*source, error) {
	var problems []error
	for _, path := range paths {
		if _, err := os.Stat(path); err != nil {
			problems = append(problems, fmt.Errorf("stream: %w (%w)", err, orbweaver.ErrInput))
		}
	}
	if len(paths) == 0 {
		problems = append(problems, fmt.Errorf("stream: no file or folder is named (%w)", orbweaver.ErrInput))
	}
	return &source{Console: con, paths: paths}, errors.Join(problems...)
}

// group is a list of paths that are read together.
type group struct {
	kind  kind
	paths []string
}

// kind is the format of a path.
type kind int

const (
	texts  kind = iota // files of text and HTML, folders, archives, crawls: see package corpus
	lines              // a JSON object a line
	news               // the SGML of Reuters-21578, or its JSON
	schema             // the documents of a KRS
)

// groups returns the paths in groups. Adjacent news files form one group, which is sorted by date.
func (s *source) groups() (all []group) {
	add := func(k kind, path string) {
		if last := len(all) - 1; last >= 0 && all[last].kind == k && k != lines && k != schema {
			all[last].paths = append(all[last].paths, path)
			return
		}
		all = append(all, group{k, []string{path}})
	}
	for _, path := range s.paths {
		if krsdb.Is(path) {
			add(schema, path)
			continue
		}
		if inside := dataIn(path); len(inside) > 0 {
			for _, file := range inside {
				add(kindOf(file), file)
			}
			continue
		}
		add(kindOf(path), path)
	}
	return all
}

// kindOf determines the format from a file's name.
func kindOf(path string) kind {
	name := strings.ToLower(filepath.Base(path))
	for _, end := range []string{".sgm", ".sgml", ".json", ".tar", ".tar.gz", ".tgz"} {
		if strings.HasSuffix(name, end) {
			return news
		}
	}
	if strings.HasSuffix(name, ".jsonl") || strings.HasSuffix(name, ".jsonl.gz") {
		return lines
	}
	return texts
}

// dataIn returns the .sgm and .jsonl files of a folder, by name. It returns none for a crawl's folder, a
// folder of texts, or a path that is not a folder.
func dataIn(path string) (files []string) {
	entries, err := os.ReadDir(path)
	if err != nil || !crawlfolder.IsFresh(path) {
		return nil
	}
	for _, e := range entries {
		name := strings.ToLower(e.Name())
		ours := strings.HasSuffix(name, ".sgm") || strings.HasSuffix(name, ".sgml") || strings.HasSuffix(name, ".jsonl.gz") ||
			strings.HasSuffix(name, ".jsonl") && name != "pages.jsonl" && name != "corpus.jsonl"
		if ours && e.Type().IsRegular() && !strings.HasPrefix(name, ".") {
			files = append(files, filepath.Join(path, e.Name()))
		}
	}
	return files
}

// documents ranges over all documents. It reports and skips what it cannot read; an error ends the
// sequence.
func (s *source) documents(ctx context.Context) iter.Seq2[document, error] {
	return func(yield func(document, error) bool) {
		s.failed = 0
		give := func(d document) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			if !yield(d, nil) {
				return errEnough
			}
			return nil
		}
		for _, g := range s.groups() {
			err := s.group(ctx, g, give)
			if errors.Is(err, errEnough) {
				return
			}
			if err != nil {
				yield(document{}, err)
				return
			}
		}
		if more := s.failed - maxTold; more > 0 {
			console.Say(s.Err, "warning: %d more could not be read", more)
		}
	}
}

func (s *source) group(ctx context.Context, g group, give func(document) error) error {
	switch g.kind {
	case news:
		return s.news(ctx, g.paths, give)
	case lines:
		return s.lines(g.paths[0], give)
	case schema:
		return s.schema(g.paths[0], give)
	}
	return s.texts(ctx, g.paths, give)
}

// texts reads files, folders and archives.
func (s *source) texts(ctx context.Context, paths []string, give func(document) error) error {
	c, err := corpus.Of(s.Console, paths)
	if err != nil {
		return err
	}
	defer func() { s.failed += c.Tally.Failed }()
	for d, err := range c.Documents(ctx) {
		if err != nil && c.Tally.Documents == 0 && ctx.Err() == nil {
			return nil // the tally of the whole stream reports it
		}
		if err == nil {
			err = give(document{ID: d.ID, Title: d.Title, Text: d.Text, Lang: d.Lang})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// passOver reports what could not be read.
func (s *source) passOver(err error) {
	if s.failed++; s.failed <= maxTold {
		console.Say(s.Err, "warning: skipped: %v", err)
	}
}

// cut truncates an overlong document between characters and replaces invalid UTF-8.
func (d *document) cut() {
	for _, part := range []*string{&d.Title, &d.Text} {
		if n := maxText; len(*part) > n {
			for n > 0 && !utf8.RuneStart((*part)[n]) {
				n--
			}
			*part, d.long = strings.Clone((*part)[:n]), true
		}
		*part = strings.ToValidUTF8(strings.TrimSpace(*part), "\uFFFD")
	}
}
