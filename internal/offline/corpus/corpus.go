// Package corpus yields documents, as title, language and text, from files, folders, archives and crawls,
// in a fixed order and each once. It also downloads the articles of a wiki into a folder. Documents that
// cannot be read are counted and reported, and do not end the sequence. Errors that the user can correct
// wrap orbweaver.ErrInput.
package corpus

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfolder"
	"orbweaver/ledger"
	"orbweaver/page"
)

// Document is one text of a corpus.
type Document struct {
	ID    string // unique in its corpus: a page's URL, or a file's slash-separated path below the named folder
	Title string // never empty
	Lang  string // as in orbweaver.Page; empty: unknown
	Text  string // blocks separated by blank lines; never empty
}

// Tally counts the pages and files of a corpus by outcome. Each page counts once, and so does each file
// that is not an archive.
type Tally struct {
	Documents int
	Silent    int // without text
	Failed    int // unreadable or beyond limits: each is reported
	Others    int // of a kind that is not read
	Twice     int // pages whose URL came before
}

// String returns the counts as a list.
func (t Tally) String() string {
	s := fmt.Sprintf("%d documents", t.Documents)
	for _, part := range []struct {
		n    int
		what string
	}{{t.Silent, "without text"}, {t.Failed, "not readable"}, {t.Others, "of other kinds"}, {t.Twice, "repeated"}} {
		if part.n > 0 {
			s += fmt.Sprintf(", %d %s", part.n, part.what)
		}
	}
	return s
}

// Corpus yields the documents of files, folders, archives and crawls. It is for one goroutine. Besides the
// current document it keeps eight bytes a document, and the index of an archive.
type Corpus struct {
	*console.Console
	paths    []string
	reader   *page.Reader
	limit    int64 // bytes of a file or of a page's payload
	seed     maphash.Seed
	seen     map[uint64]struct{} // hashes of IDs
	Tally    Tally
	reported int
	taken    []string // crawl folders of which it is said what is taken
}

// Bounds of a corpus.
const (
	maxCorpusBody    = 10 << 20 // bytes of one document, compressed or not
	maxCorpusDepth   = 64       // nested folders
	maxCorpusReports = 20       // problems that are reported one by one
)

// errCorpusEnd reports that the consumer wants no more documents.
var errCorpusEnd = errors.New("enough documents")

// Of returns the documents of files and folders, in the order named. A folder includes its subfolders, in
// order of names: HTML, plain text, Markdown, PDF, DOCX, ODT and EPUB files, and the pages of its WARC files together, in
// order of their URLs. A crawl's folder yields only the pages that the crawl accepted, in order of
// fetching. Of skips names that begin with a dot, and symbolic links within a folder.
//
// The error lists every missing path and wraps ErrInput.
func Of(con *console.Console, paths []string) (*Corpus, error) {
	var problems []error
	var named []string
	for _, path := range paths {
		path = filepath.Clean(path)
		if _, err := os.Stat(path); err != nil {
			problems = append(problems, fmt.Errorf("corpus: %w (%w)", err, orbweaver.ErrInput))
		}
		if !slices.Contains(named, path) {
			named = append(named, path)
		}
	}
	if len(named) == 0 {
		problems = append(problems, fmt.Errorf("corpus: no file or folder is named (%w)", orbweaver.ErrInput))
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	return &Corpus{
		Console: con, paths: named, limit: maxCorpusBody,
		reader: page.NewReader(page.Options{MaxBody: maxCorpusBody, MaxLinks: 1}),
	}, nil
}

// Documents ranges over the documents. It reports and skips what cannot be read. An error ends the
// sequence, and wraps ErrInput if there was no document at all. The tally is complete after the sequence
// ends. Documents can be called again.
func (c *Corpus) Documents(ctx context.Context) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		c.seed, c.seen, c.Tally, c.reported = maphash.MakeSeed(), map[uint64]struct{}{}, Tally{}, 0
		w := &corpusWalk{Corpus: c, ctx: ctx, yield: func(d Document) bool { return yield(d, nil) }}
		for _, path := range c.paths {
			if err := w.named(path); err != nil {
				if !errors.Is(err, errCorpusEnd) {
					yield(Document{}, err)
				}
				return
			}
		}
		if more := c.reported - maxCorpusReports; more > 0 {
			console.Say(c.Err, "warning: %d more could not be read", more)
		}
		if c.Tally.Documents == 0 {
			err := fmt.Errorf("%s: no document to learn from: %v (%w)", strings.Join(c.paths, ", "), c.Tally, orbweaver.ErrInput)
			yield(Document{}, err)
		}
	}
}

// corpusWalk is one pass over a corpus.
type corpusWalk struct {
	*Corpus
	ctx   context.Context
	yield func(Document) bool
	root  string // the folder that was named
}

// named reads the file or folder at a path that the user named.
func (w *corpusWalk) named(path string) error {
	stat, err := os.Stat(path)
	switch {
	case err != nil:
		return w.passOver(fmt.Errorf("%w (%w)", err, orbweaver.ErrInput))
	case stat.IsDir():
		w.root = path
		return w.folder(path, 0)
	case !stat.Mode().IsRegular():
		return w.passOver(fmt.Errorf("%s is not a file (%w)", path, orbweaver.ErrInput))
	}
	w.root = filepath.Dir(path)
	if archive.IsArchive(path) {
		return w.archives([]string{path})
	}
	return w.file(path, stat.Size())
}

// folder reads a folder and its subfolders.
func (w *corpusWalk) folder(dir string, depth int) error {
	if isCrawl(dir) {
		return w.crawl(dir)
	}
	entries, err := os.ReadDir(dir) // sorted by name
	if err != nil {
		return w.passOver(fmt.Errorf("%w (%w)", err, orbweaver.ErrInput))
	}
	if depth > maxCorpusDepth {
		return w.passOver(fmt.Errorf("%s: folders nested deeper than %d (%w)", dir, maxCorpusDepth, orbweaver.ErrInput))
	}
	archives := warcsOf(dir, entries)
	for _, e := range entries {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		path := filepath.Join(dir, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), "."):
		case e.IsDir():
			err = w.folder(path, depth+1)
		case !e.Type().IsRegular():
			w.Tally.Others++
		case archive.IsArchive(path): // all together, in place of the first
			err = w.archives(archives)
			archives = nil
		default:
			err = w.entry(path, e)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// entry reads a file of a folder if its kind is read.
func (w *corpusWalk) entry(path string, e fs.DirEntry) error {
	if corpusKind(path) == "" {
		w.Tally.Others++
		return nil
	}
	stat, err := e.Info()
	if err != nil {
		return w.passOver(fmt.Errorf("%w (%w)", err, orbweaver.ErrInput))
	}
	return w.file(path, stat.Size())
}

// isCrawl reports whether a folder is a crawl's.
func isCrawl(dir string) bool {
	_, ran := os.Stat(filepath.Join(dir, crawlfolder.RunFile))
	_, lines := os.Stat(filepath.Join(dir, ledger.JournalFile))
	return ran == nil && lines == nil
}

// warcsOf returns the archive files of a folder.
func warcsOf(dir string, entries []fs.DirEntry) (paths []string) {
	for _, e := range entries {
		if e.Type().IsRegular() && archive.IsArchive(e.Name()) && !strings.HasPrefix(e.Name(), ".") {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	return paths
}

// emit yields a document. It skips a page whose ID came before; a file whose ID came before gets the name
// of its folder before its ID.
func (w *corpusWalk) emit(d Document, file bool) error {
	if d.Text = strings.TrimSpace(d.Text); d.Text == "" {
		w.Tally.Silent++
		return nil
	}
	if file && w.known(d.ID) {
		d.ID = filepath.ToSlash(filepath.Join(w.root, filepath.FromSlash(d.ID)))
	}
	if w.known(d.ID) {
		w.Tally.Twice++
		return nil
	}
	w.seen[maphash.String(w.seed, d.ID)] = struct{}{}
	if d.Title = strings.TrimSpace(d.Title); d.Title == "" {
		d.Title = d.ID
	}
	w.Tally.Documents++
	if !w.yield(d) {
		return errCorpusEnd
	}
	return nil
}

func (w *corpusWalk) known(id string) bool {
	_, known := w.seen[maphash.String(w.seed, id)]
	return known
}

// passOver reports what could not be read. It returns only the context's error.
func (w *corpusWalk) passOver(err error) error {
	if w.ctx.Err() != nil {
		return w.ctx.Err()
	}
	w.Tally.Failed++
	if w.reported++; w.reported <= maxCorpusReports {
		console.Say(w.Err, "warning: skipped: %v", err)
	}
	return nil
}
