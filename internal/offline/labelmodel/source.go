// Package labelmodel learns terms and labels from streams of documents into a folder (kb/stream), and tells what such a
// model knows: its labels, their hierarchy, why a text has them, and what changed when. Errors that are the user's to
// mend wrap orbweaver.ErrInput.
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
	"orbweaver/internal/offline/corpus"
)

// A document is one of a stream.
type document struct {
	ID    string    `json:"id"`
	Title string    `json:"title"`
	Text  string    `json:"text"`
	Lang  string    `json:"lang,omitempty"` // declared, a BCP 47 tag; empty: told by the text
	At    time.Time `json:"-"`
	long  bool      // something was cut off
}

// The bounds of a stream.
const (
	maxText = 1 << 20  // bytes of a document's text and of its title: what is behind is cut off
	maxLine = 16 << 20 // of a .jsonl file: a longer one is passed over
	maxTold = 20       // problems that are told one by one
)

// errEnough says that nobody wants more documents.
var errEnough = errors.New("enough documents")

// A source is documents in order. It is for one goroutine.
type source struct {
	*console.Console
	paths  []string
	failed int // what could not be read
}

// newSource is that of files and folders, in the order named. The error tells every path that is not there, and
// wraps ErrInput.
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

// A group is paths that are read together.
type group struct {
	kind  kind
	paths []string
}

// A kind is what a path is read as.
type kind int

const (
	texts kind = iota // files of text and HTML, folders, archives, crawls: see package corpus
	lines             // a JSON object a line
	news              // the SGML of Reuters-21578, or its JSON
)

// groups are the paths, files of news that follow each other as one, which is sorted by date.
func (s *source) groups() (all []group) {
	add := func(k kind, path string) {
		if last := len(all) - 1; last >= 0 && all[last].kind == k && k != lines {
			all[last].paths = append(all[last].paths, path)
			return
		}
		all = append(all, group{k, []string{path}})
	}
	for _, path := range s.paths {
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

// kindOf tells by a file's name what it is.
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

// dataIn are the .sgm and .jsonl files of a folder, by name; none: it is a crawl's folder, one of texts, or none at
// all.
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

// documents ranges over all. What cannot be read is told and passed over; an error ends the sequence.
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
			return nil // the tally of all says that there is nothing
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

// passOver tells what could not be read.
func (s *source) passOver(err error) {
	if s.failed++; s.failed <= maxTold {
		console.Say(s.Err, "warning: passed over: %v", err)
	}
}

// cut cuts what is too long off a document, between characters, and makes it UTF-8.
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
