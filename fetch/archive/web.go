package archive

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/weburl"
)

// WebOptions are the limits of a Web; the zero value has the defaults.
type WebOptions struct {
	MaxBody  int64  // of an entity body that Fetch returns; 0: 10 MB
	TempDir  string // for uncompressed copies; empty: the system's
	MaxSpill int64  // of such a copy; 0: 64 GB
	Excerpt  string // the folder of the archive that the files are copies from; empty: their own
}

// A Web answers requests from WARC, ARC and WACZ files. It is immutable and safe for concurrent use.
type Web struct {
	opts     WebOptions
	sources  []*source
	index    *index
	warnings []string
	unwarned int       // warnings over maxWarnings
	damaged  int       // records that cannot be read
	records  sync.Pool // of *record
}

// An Entry describes the capture of one URL.
type Entry struct {
	URL       string // canonical
	Status    int    // HTTP status; 200 for a resource record
	MediaType string // by the archived header, lower case, without parameters; may be empty
}

// OpenWeb reads WARC, ARC and WACZ files once, in the given order, and keeps an index of them in memory: 56 bytes and the URL
// for each URL, and 56 bytes more for each other form of it that Fetch may choose. A directory means its
// files whose names are those of WARC, ARC and WACZ files, in their order. Files that the process has read before, and that have not changed since by their size and
// time, are not read again.
//
// Files may be compressed by record (the usual way), not at all, or as a whole; the last are copied
// uncompressed to a temporary file that Close removes. A file without a single readable record is an error that
// names file and offset and wraps ErrInput; damaged records among others, and a truncated last one, are warnings.
func OpenWeb(paths []string, opts WebOptions) (*Web, error) {
	if opts.MaxBody <= 0 {
		opts.MaxBody = defaultMaxBody
	}
	if opts.MaxSpill <= 0 {
		opts.MaxSpill = defaultMaxSpill
	}
	w := &Web{opts: opts}
	w.records.New = func() any { return newRecord() }
	files, err := listFiles(paths)
	if err != nil {
		return nil, err
	}
	if w.recall(files) {
		return w, nil
	}
	began := time.Now()
	indexer := newIndexer()
	for _, path := range files {
		if err := w.add(indexer, path); err != nil {
			return nil, errors.Join(err, w.Close())
		}
	}
	if indexer.odd > 0 {
		w.warn("%d response records hold no HTTP answer that could be read; they are left out", indexer.odd)
	}
	if lost := indexer.resolve(); lost > 0 {
		w.warn("%d revisit records whose original is not in the archive are left out", lost)
	}
	w.index = indexer.index()
	w.remember(began)
	return w, nil
}

// listFiles replaces directories by their archive files.
func listFiles(paths []string) ([]string, error) {
	var files []string
	for _, path := range paths {
		stat, err := os.Stat(path)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", orbweaver.ErrInput, err)
		}
		if !stat.IsDir() {
			files = append(files, path)
			continue
		}
		entries, err := os.ReadDir(path) // sorted
		if err != nil {
			return nil, fmt.Errorf("%w: %w", orbweaver.ErrInput, err)
		}
		if err := Whole(path); err != nil {
			return nil, err
		}
		before := len(files)
		for _, e := range entries {
			if IsArchive(e.Name()) && e.Type().IsRegular() {
				files = append(files, filepath.Join(path, e.Name()))
			}
		}
		if len(files) == before {
			return nil, fmt.Errorf("%s: %w: no WARC, ARC or WACZ file in this directory", path, orbweaver.ErrInput)
		}
	}
	if len(files) > 1<<16 {
		return nil, fmt.Errorf("%w: %d WARC files are more than %d", orbweaver.ErrInput, len(files), 1<<16)
	}
	return files, nil
}

// add scans one file.
func (w *Web) add(indexer *indexer, path string) error {
	sources, err := openSources(path)
	if err != nil {
		return err
	}
	for i, s := range sources {
		if err = w.addSource(indexer, path, s); err != nil {
			for _, s := range sources[i+1:] {
				err = errors.Join(err, s.close())
			}
			return err
		}
	}
	return nil
}

// addSource scans one source of a file.
func (w *Web) addSource(x *indexer, path string, s *source) error {
	if len(w.sources) == 1<<16 {
		return errors.Join(fmt.Errorf("%s: %w: more than %d files of records", path, orbweaver.ErrInput, 1<<16), s.close())
	}
	r := w.records.Get().(*record)
	defer w.records.Put(r)
	x.file = uint16(len(w.sources))
	s.dir = cmp.Or(w.opts.Excerpt, s.dir)
	_, missing := os.Stat(filepath.Join(s.dir, elsewhereName))
	x.tabled = missing == nil
	s, found, err := x.add(s, r, w.opts)
	w.sources = append(w.sources, s)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for i, g := range found.gaps {
		if i == maxNamed {
			break
		}
		w.warn("%s: bytes %d to %d hold a record that cannot be read, which is left out: %v", path, g.from, g.to, g.err)
	}
	if found.damaged > maxNamed {
		w.warn("%s: %d records in all cannot be read, and are left out", path, found.damaged)
	}
	w.damaged += found.damaged
	if found.truncated >= 0 {
		w.warn("%s: the record at byte %d is cut off", path, found.truncated)
		w.damaged++
	}
	return nil
}

// maxNamed is the number of damaged records of a file that are named one by one.
const maxNamed = 5

// Damaged returns the number of records of the files that could not be read, those cut off at an end included.
func (w *Web) Damaged() int { return w.damaged }

func (w *Web) warn(format string, args ...any) {
	if len(w.warnings) >= maxWarnings {
		w.unwarned++
		return
	}
	w.warnings = append(w.warnings, fmt.Sprintf(format, args...))
}

// Warnings returns problems of the files that did not stop OpenWeb, as text.
func (w *Web) Warnings() []string {
	if w.unwarned == 0 {
		return w.warnings
	}
	return append(w.warnings[:len(w.warnings):len(w.warnings)], fmt.Sprintf("%d warnings more", w.unwarned))
}

// All returns an entry for each URL, in order of the URLs' bytes: the one that Fetch returns for a request
// without Accept.
func (w *Web) All() iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		for c := range w.index.usual() {
			e := Entry{string(w.index.urlOf(c)), int(c.status), w.index.media[c.media]}
			if !yield(e) {
				return
			}
		}
	}
}

// Close closes the files. Reading an open body then fails.
func (w *Web) Close() error {
	var errs []error
	for _, s := range w.sources {
		errs = append(errs, s.close())
	}
	w.sources = nil
	return errors.Join(errs...)
}

// Fetch answers a request by its URL, by its Query if it has one (see TargetURI) and by its Accept; it ignores
// all other fields. The answer is the latest 2xx one that the archive holds for the URL, or else the latest;
// redirects are returned, not followed.
//
// If the archive holds 2xx answers of several media types for one URL, or redirects (303) to several requests,
// Fetch returns the one that Accept prefers, and among equals the latest as above. An empty Accept means the
// client's default, which prefers HTML. Fetch does not distinguish content negotiation from a URL that changed
// its type over time.
//
// Errors wrap ErrAbsent if the archive has no answer, ErrTooLarge for a body over WebOptions.MaxBody,
// ErrMalformed for a record that cannot be read. A body of unknown length fails while it is read, with the same
// failures.
func (w *Web) Fetch(ctx context.Context, req orbweaver.Request) (*step.Response, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c, ok := w.find(req)
	if !ok {
		return nil, fmt.Errorf("fetch %s: %w", req.URL, orbweaver.ErrAbsent)
	}
	resp, err := w.read(c)
	if err != nil {
		return nil, fmt.Errorf("fetch %s: %w", req.URL, err)
	}
	w.withRendered(c, resp)
	resp.Request, resp.Redirect = req, redirectOf(req.URL, resp)
	if req.Query != "" { // it is an attribute of its own
		resp.Redirect = weburl.Unqueried(resp.Redirect)
	}
	return resp, nil
}

// redirectOf returns the canonical target of a 3xx, or "" without one.
func redirectOf(url string, resp *step.Response) string {
	if resp.Status/100 != 3 || resp.Status == http.StatusNotModified {
		return ""
	}
	return weburl.Target(url, resp.Header.Get("Location"))
}

func (w *Web) find(req orbweaver.Request) (capture, bool) {
	target := TargetURI(req)
	c, ok := w.index.find(target, req.Accept)
	if !ok {
		if url, err := canonical(target); err == nil && url != target {
			return w.index.find(url, req.Accept)
		}
	}
	return c, ok
}

// read reads a capture. A revisit has its own fields, if any, and its original's body.
func (w *Web) read(c capture) (*step.Response, error) {
	own, err := w.open(c)
	if err != nil {
		return nil, err
	}
	switch {
	case c.elsewhere:
		return own.revisitElsewhere(w.sources[c.file].dir)
	case c.origin == noOrigin:
		return own.response()
	}
	origin, err := w.open(w.index.origins[c.origin])
	if err != nil {
		own.close()
		return nil, err
	}
	return own.revisit(origin)
}

func (w *Web) open(c capture) (*answer, error) {
	r := w.records.Get().(*record)
	s := w.sources[c.file]
	a := &answer{record: r, limit: w.opts.MaxBody, ref: orbweaver.Ref{File: s.name, Offset: c.offset, Length: c.length}, failure: orbweaver.ErrMalformed}
	a.release = func() { w.records.Put(r) }
	if err := a.open(s, c.offset, c.length); err != nil {
		return nil, err
	}
	return a, nil
}
