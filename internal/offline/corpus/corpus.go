// Package corpus gives documents, as title, language and text: of files, folders, archives and crawls, in
// a fixed order, each once; and makes a folder of them of the articles of a wiki. What cannot be read is
// counted and told, and ends nothing. Errors that are the user's to mend wrap orbweaver.ErrInput.
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
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfolder"
	"orbweaver/ledger"
	"orbweaver/page"
)

// A Document is one text of a corpus.
type Document struct {
	ID    string // unique in its corpus: a page's URL, or a file's path below the folder that was named, with slashes
	Title string // never empty
	Lang  string // as of a Page; empty: not known
	Text  string // blocks separated by blank lines; never empty
}

// A Tally is what became of all that a corpus was made of. A page, and a file that is none of an archive, counts once.
type Tally struct {
	Documents int
	Silent    int // without text
	Failed    int // could not be read, or not within limits: each is told
	Others    int // of a kind that is not read
	Twice     int // pages whose URL came before
}

// String tells a tally as a list.
func (t Tally) String() string {
	s := fmt.Sprintf("%d documents", t.Documents)
	for _, part := range []struct {
		n    int
		what string
	}{{t.Silent, "without text"}, {t.Failed, "not readable"}, {t.Others, "of other kinds"}, {t.Twice, "there twice"}} {
		if part.n > 0 {
			s += fmt.Sprintf(", %d %s", part.n, part.what)
		}
	}
	return s
}

// A Corpus is documents to learn from: of folders of files, of archives, of crawls. It is for one
// goroutine. Beside the document in hand it keeps eight bytes a document, and of an archive its index.
type Corpus struct {
	*console.Console
	paths  []string
	reader *page.Reader
	limit  int64 // bytes of a file or of a page's payload
	seed   maphash.Seed
	seen   map[uint64]struct{} // hashes of IDs
	Tally  Tally
	told   int
}

// The bounds of a corpus.
const (
	maxCorpusBody  = 10 << 20 // bytes of one document, unpacked or not
	maxCorpusDepth = 64       // folders within folders
	maxCorpusTold  = 20       // files that are told by name when they are passed over
)

// errCorpusEnd says that nobody wants more documents.
var errCorpusEnd = errors.New("enough documents")

// Of returns the documents of files and folders, in the order named. A folder stands for what is
// in it and in its folders, in order of names: HTML, plain text, Markdown and PDF files, the pages of
// its WARC files together, in order of their URLs, and where it is a crawl's folder the pages that the
// crawl accepted, in order of fetching, and nothing else. Names that begin with a dot, and symbolic
// links within a folder, are passed over.
//
// The error tells every path that is not there, and wraps ErrInput.
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

// Documents ranges over the documents. What cannot be read is told and passed over; an error ends the
// sequence, and wraps ErrInput where there was no document at all. The tally is whole when it has
// ended. It can be ranged over again.
func (c *Corpus) Documents(ctx context.Context) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		c.seed, c.seen, c.Tally, c.told = maphash.MakeSeed(), map[uint64]struct{}{}, Tally{}, 0
		w := &corpusWalk{Corpus: c, ctx: ctx, yield: func(d Document) bool { return yield(d, nil) }}
		for _, path := range c.paths {
			if err := w.named(path); err != nil {
				if !errors.Is(err, errCorpusEnd) {
					yield(Document{}, err)
				}
				return
			}
		}
		if more := c.told - maxCorpusTold; more > 0 {
			console.Say(c.Err, "warning: %d more could not be read", more)
		}
		if c.Tally.Documents == 0 {
			err := fmt.Errorf("%s: no document to learn from: %v (%w)", strings.Join(c.paths, ", "), c.Tally, orbweaver.ErrInput)
			yield(Document{}, err)
		}
	}
}

// A corpusWalk is one way through a corpus.
type corpusWalk struct {
	*Corpus
	ctx   context.Context
	yield func(Document) bool
	root  string // the folder that was named
}

// named reads what stands at a path that the user named.
func (w *corpusWalk) named(path string) error {
	stat, err := os.Stat(path)
	switch {
	case err != nil:
		return w.passOver(fmt.Errorf("%w (%w)", err, orbweaver.ErrInput))
	case stat.IsDir():
		w.root = path
		return w.folder(path, 0)
	case !stat.Mode().IsRegular():
		return w.passOver(fmt.Errorf("%s is no file (%w)", path, orbweaver.ErrInput))
	}
	w.root = filepath.Dir(path)
	if isWARC(path) {
		return w.archives([]string{path})
	}
	return w.file(path, stat.Size())
}

// folder reads a folder and those in it.
func (w *corpusWalk) folder(dir string, depth int) error {
	if isCrawl(dir) {
		return w.crawl(dir)
	}
	entries, err := os.ReadDir(dir) // sorted
	if err != nil {
		return w.passOver(fmt.Errorf("%w (%w)", err, orbweaver.ErrInput))
	}
	if depth > maxCorpusDepth {
		return w.passOver(fmt.Errorf("%s: more than %d folders within each other (%w)", dir, maxCorpusDepth, orbweaver.ErrInput))
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
		case isWARC(path): // all at the place of the first
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

// entry reads a file of a folder, if it is of a kind that is read.
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

// isCrawl reports whether a folder is one of a crawl.
func isCrawl(dir string) bool {
	_, ran := os.Stat(filepath.Join(dir, crawlfolder.RunFile))
	_, lines := os.Stat(filepath.Join(dir, ledger.JournalFile))
	return ran == nil && lines == nil
}

// isWARC reports whether a file is named as WARC files are.
func isWARC(path string) bool {
	name := strings.ToLower(filepath.Base(path))
	return strings.HasSuffix(name, ".warc.gz") || strings.HasSuffix(name, ".warc")
}

// warcsOf are the WARC files of a folder.
func warcsOf(dir string, entries []fs.DirEntry) (paths []string) {
	for _, e := range entries {
		if e.Type().IsRegular() && isWARC(e.Name()) && !strings.HasPrefix(e.Name(), ".") {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	return paths
}

// hand gives a document out. Of a page, one of an ID that came before is passed over; a file of another
// folder has that folder's name before its ID then.
func (w *corpusWalk) hand(d Document, file bool) error {
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

// passOver tells what could not be read. It returns the context's error alone.
func (w *corpusWalk) passOver(err error) error {
	if w.ctx.Err() != nil {
		return w.ctx.Err()
	}
	w.Tally.Failed++
	if w.told++; w.told <= maxCorpusTold {
		console.Say(w.Err, "warning: passed over: %v", err)
	}
	return nil
}
