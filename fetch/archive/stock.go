package archive

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	"orbweaver"
	"orbweaver/internal/step"
)

// A Stock gives access to the single records of an archive, a crawl's own or any Web. It is immutable and safe
// for concurrent use, even while a crawl appends to the archive.
type Stock struct {
	sources []*source
	list    func(yield func(Listing, error) bool)
	close   func() error
	records sync.Pool // of *record
}

// A Holding is the position of one answer in a stock.
type Holding struct {
	own    span
	origin span  // for a revisit: the record that has the payload; length 0 for others
	before int64 // own archives: start of the bytes that may hold the request; -1: not known

	rendered span // of a Web: the rendered page; length 0: there is none
}

// A span is the position of a record.
type span struct {
	offset, length int64
	file           int32 // index of its source
}

// A Listing is the index entry of an answer.
type Listing struct {
	URL     string // as archived, or canonical
	Status  int    // HTTP status; 0: not known
	Digest  string // of the payload as archived; empty: not known
	Holding Holding
}

// Compare orders holdings by their position in the archive.
func (h Holding) Compare(o Holding) int {
	switch {
	case h.own.file != o.own.file:
		return int(h.own.file) - int(o.own.file)
	case h.own.offset < o.own.offset:
		return -1
	case h.own.offset > o.own.offset:
		return 1
	}
	return 0
}

// OpenStock opens the archive of a Writer in a folder by its index.cdxj.part, up to the last complete line: a
// record is always written before its line. A folder of WARC files without that index is opened as a Web with
// the limits of opts. The error wraps ErrAbsent if the folder has no archive, ErrAway if
// files of it were moved away, and ErrDamaged if the index cannot be read.
func OpenStock(dir string, opts WebOptions) (*Stock, error) {
	if err := Whole(dir); err != nil {
		return nil, err
	}
	part := filepath.Join(dir, partName)
	names, err := filepath.Glob(filepath.Join(globbed(dir), "*.warc.gz"))
	if err != nil || len(names) == 0 {
		return nil, fmt.Errorf("archive %s: %w", dir, errors.Join(orbweaver.ErrAbsent, err))
	}
	if _, err := os.Stat(part); errors.Is(err, fs.ErrNotExist) {
		web, err := OpenWeb([]string{dir}, opts)
		if err != nil {
			return nil, err
		}
		return web.Stock(), nil
	}
	s := &Stock{}
	s.records.New = func() any { return newRecord() }
	s.close = s.closeSources
	files := map[string]int32{}
	for _, name := range names { // sorted
		source, err := openSource(name)
		if err != nil {
			return nil, errors.Join(err, s.Close())
		}
		files[source.name] = int32(len(s.sources))
		s.sources = append(s.sources, source)
	}
	parted := parted{path: part, files: files}
	if parted.payloads, err = parted.revisited(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	s.list = parted.list
	return s, nil
}

// globbed escapes the special characters of a glob in a path.
func globbed(path string) string {
	var b []byte
	for i := range len(path) {
		switch path[i] {
		case '*', '?', '[', '\\':
			b = append(b, '\\')
		}
		b = append(b, path[i])
	}
	return string(b)
}

// Stock is the web as records, one for each URL: the one that Fetch returns for a request without Accept.
// Closing it closes the web.
func (w *Web) Stock() *Stock {
	s := &Stock{sources: w.sources, close: w.Close}
	s.records.New = func() any { return newRecord() }
	s.list = func(yield func(Listing, error) bool) {
		for c := range w.index.usual() {
			h := Holding{own: spanOf(c), before: -1, rendered: w.index.rendered[spot{c.file, c.offset}]}
			if c.origin != noOrigin {
				h.origin = spanOf(&w.index.origins[c.origin])
			}
			if !yield(Listing{URL: string(w.index.urlOf(c)), Status: int(c.status), Holding: h}, nil) {
				return
			}
		}
	}
	return s
}

func spanOf(c *capture) span { return span{c.offset, c.length, int32(c.file)} }

// All lists the answers: of a crawl's own archive all in the order of writing, of a Web one for each URL. An
// error is the last element; it wraps ErrDamaged.
func (s *Stock) All() iter.Seq2[Listing, error] { return s.list }

// Close closes the files.
func (s *Stock) Close() error { return s.close() }

func (s *Stock) closeSources() error {
	var errs []error
	for _, source := range s.sources {
		errs = append(errs, source.close())
	}
	s.sources = nil
	return errors.Join(errs...)
}

// Response reads an answer, a revisit with its original's payload, up to limit bytes. Its Request has only the
// URL. Errors wrap ErrDamaged, ErrTooLarge or ErrMalformed.
func (s *Stock) Response(h Holding, limit int64) (*step.Response, error) {
	own, err := s.open(h.own, limit)
	if err != nil {
		return nil, err
	}
	target := own.record.header.target
	var resp *step.Response
	switch {
	case h.origin.length == 0 && own.record.header.isElsewhere():
		resp, err = own.revisitElsewhere(s.sources[h.own.file].dir)
	case h.origin.length == 0:
		resp, err = own.response()
	default:
		var origin *answer
		if origin, err = s.open(h.origin, limit); err != nil {
			own.close()
			return nil, err
		}
		resp, err = own.revisit(origin)
	}
	if err != nil {
		return nil, err
	}
	resp.Request.URL = target
	return resp, nil
}

func (s *Stock) open(at span, limit int64) (*answer, error) {
	source := s.sources[at.file]
	r := s.records.Get().(*record)
	a := &answer{
		record: r, limit: limit, failure: orbweaver.ErrDamaged,
		ref: orbweaver.Ref{File: source.name, Offset: at.offset, Length: at.length},
	}
	a.release = func() { s.records.Put(r) }
	if err := a.open(source, at.offset, at.length); err != nil {
		return nil, err
	}
	return a, nil
}

// A parted is the index of an archive in the order of writing.
type parted struct {
	path     string
	files    map[string]int32 // index of a source by its name
	payloads map[uint64]span  // the first record of each digest that a revisit refers to
}

// revisited finds the originals of revisits.
func (p parted) revisited() (map[uint64]span, error) {
	wanted := map[uint64]span{}
	for line, err := range p.lines() {
		if err != nil {
			return nil, err
		}
		if sum, ok := parseDigest(line.Digest); ok && line.Mime == mimeRevisit {
			wanted[digestKey(sum)] = span{}
		}
	}
	for line, err := range p.lines() {
		if err != nil {
			return nil, err
		}
		sum, ok := parseDigest(line.Digest)
		if !ok || line.Mime == mimeRevisit {
			continue
		}
		if at, revisited := wanted[digestKey(sum)]; revisited && at.length == 0 {
			wanted[digestKey(sum)] = line.at
		}
	}
	return wanted, nil
}

// list lists the answers.
func (p parted) list(yield func(Listing, error) bool) {
	end := map[int32]int64{} // end of the last record of each file
	for line, err := range p.lines() {
		if err != nil {
			yield(Listing{}, err)
			return
		}
		status, _ := strconv.Atoi(line.Status)
		h := Holding{own: line.at, before: end[line.at.file]}
		end[line.at.file] = line.at.offset + line.at.length
		if sum, ok := parseDigest(line.Digest); ok && line.Mime == mimeRevisit {
			h.origin = p.payloads[digestKey(sum)]
		}
		if !yield(Listing{URL: line.URL, Status: status, Digest: line.Digest, Holding: h}, nil) {
			return
		}
	}
}

// An indexLine is a line of the index with its record's place.
type indexLine struct {
	cdxLine
	at span
}

// maxIndexLine bounds a line of the index, which has its URL twice.
const maxIndexLine = 4 * maxURL

// lines reads the index up to its last complete line.
func (p parted) lines() iter.Seq2[indexLine, error] {
	return func(yield func(indexLine, error) bool) {
		file, err := os.Open(p.path)
		if err != nil {
			yield(indexLine{}, err)
			return
		}
		defer file.Close()
		in := bufio.NewReaderSize(file, maxIndexLine)
		for n := 1; ; n++ {
			text, err := in.ReadSlice('\n')
			if err == io.EOF {
				return // the last line is still being written
			}
			line, ok := p.parse(text)
			if err != nil || !ok {
				yield(indexLine{}, fmt.Errorf("%s:%d: %w: no index line", p.path, n, orbweaver.ErrDamaged))
				return
			}
			if !yield(line, nil) {
				return
			}
		}
	}
}

func (p parted) parse(text []byte) (indexLine, bool) {
	line, ref, ok := parseLine(text)
	file, known := p.files[ref.File]
	sane := ref.Offset >= 0 && ref.Length > 0 && ref.Offset+ref.Length > 0
	return indexLine{line, span{ref.Offset, ref.Length, file}}, ok && known && sane
}
