package archive

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"orbweaver"
)

// A Mark is how far an archive is written: between two records always. The zero Mark is that of a
// fresh archive.
type Mark struct {
	Seq    int    // number of the current WARC file, from 0
	File   string // its name; empty before the first record
	Length int64  // bytes of it
	Index  int64  // bytes of index.cdxj.part
}

// WriterOptions say how an archive is written; the zero value has the defaults.
type WriterOptions struct {
	MaxFile  int64  // bytes at which a new WARC file is begun; 0: 1 GB. A record is never divided
	Software string // who writes, in warcinfo and as User-Agent; empty: "orbweaver"
	Prefix   string // of file names, of letters, digits and "-_."; empty: "crawl"
}

const (
	partName  = "index.cdxj.part"
	indexName = "index.cdxj"
)

// A Writer appends to the archive of one crawl. Pack and Read may be called by any number of
// goroutines; Append, Mark, Sync and Close by one, that of the commits.
type Writer struct {
	dir  string
	opts WriterOptions

	mark Mark
	warc *os.File // nil before the first record
	part *os.File

	seen     map[uint64]int32 // first bytes of a payload's SHA-1 → its place
	places   []place
	mu       sync.RWMutex // guards seen and places, which Read asks while Append writes
	press    press
	records  sync.Pool // of *record
	appended []byte    // what Append writes, kept for its memory
}

// A place is where the response record of a payload stands.
type place struct {
	offset int64
	length int64
	seq    int32
}

// OpenWriter goes on at a mark: what was written after it is cut off, later files are removed, and
// so is index.cdxj, which Close writes anew. The directory is made if need be. An archive shorter
// than the mark is an error that wraps ErrDamaged, a mark of another prefix one that wraps ErrForeign.
func OpenWriter(dir string, mark Mark, opts WriterOptions) (*Writer, error) {
	opts, err := opts.filled()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	w := &Writer{dir: dir, opts: opts, mark: mark, seen: map[uint64]int32{}}
	w.press.ready()
	w.records.New = func() any { return newRecord() }
	if err := w.cutBack(); err != nil {
		return nil, errors.Join(fmt.Errorf("archive %s: %w", dir, err), w.closeFiles())
	}
	return w, nil
}

func (o WriterOptions) filled() (WriterOptions, error) {
	if o.MaxFile <= 0 {
		o.MaxFile = defaultMaxFile
	}
	o.Software = oneLine(o.Software)
	if o.Software == "" {
		o.Software = "orbweaver"
	}
	if o.Prefix == "" {
		o.Prefix = "crawl"
	}
	for _, c := range o.Prefix {
		if c > 'z' || !isToken([]byte{byte(c)}) || strings.ContainsRune("!#$%&'*+^`|~", c) {
			return o, fmt.Errorf("archive prefix %q: %w: letters, digits, '-', '_' and '.' only", o.Prefix, orbweaver.ErrInput)
		}
	}
	return o, nil
}

// fileName is the name of the n-th WARC file.
func (w *Writer) fileName(n int) string { return fmt.Sprintf("%s-%05d.warc.gz", w.opts.Prefix, n) }

func (w *Writer) path(name string) string { return filepath.Join(w.dir, name) }

// Mark tells how far the archive is written. It is worth committing at any time.
func (w *Writer) Mark() Mark { return w.mark }

// Append writes a request and its response, or a revisit record if the archive has the payload
// already, and returns the place of the response or revisit. The bytes are with the operating system
// when it returns. After an error the archive is as it was before.
func (w *Writer) Append(p *Packed) (orbweaver.Ref, error) {
	ref, err := w.append(p)
	if err != nil {
		return orbweaver.Ref{}, fmt.Errorf("archive %s: %w", p.target, err)
	}
	return ref, nil
}

func (w *Writer) append(p *Packed) (orbweaver.Ref, error) {
	response, line := p.response, p.line
	original, err := w.original(p)
	if err != nil {
		return orbweaver.Ref{}, err
	}
	if original != nil {
		response = w.packRevisit(p, original)
		line.Mime = mimeRevisit
	}
	next, file, err := w.room(p, int64(len(p.request)+len(response)))
	if err != nil {
		return orbweaver.Ref{}, err
	}
	w.appended = append(append(w.appended, p.request...), response...)
	ref := orbweaver.Ref{
		File:   next.File,
		Offset: next.Length + int64(len(w.appended)-len(response)),
		Length: int64(len(response)),
	}
	if err := w.write(file, &next, line, ref); err != nil {
		return orbweaver.Ref{}, errors.Join(err, w.abandon(file, next.File))
	}
	w.goOn(file)
	if original == nil && p.size > 0 {
		w.remember(p.sum, place{ref.Offset, ref.Length, int32(next.Seq)})
	}
	w.mark = next
	return ref, nil
}

// room returns the file for n bytes more: the current one, or a new one where that would grow over
// MaxFile. It puts what a new file starts with into w.appended.
func (w *Writer) room(p *Packed, n int64) (Mark, *os.File, error) {
	next := w.mark
	w.appended = w.appended[:0]
	if next.File != "" && next.Length+n <= w.opts.MaxFile {
		return next, w.warc, nil
	}
	if next.File != "" {
		next.Seq++
		// Sync will not see this file again.
		if err := errors.Join(w.warc.Truncate(w.mark.Length), w.warc.Sync()); err != nil {
			return next, nil, err
		}
	}
	next.File, next.Length = w.fileName(next.Seq), 0
	info := w.press.packInfo(w.opts.Software, next.File, p.date)
	file, err := os.OpenFile(w.path(next.File), os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return next, nil, err
	}
	w.appended = append(w.appended, info...)
	return next, file, syncDir(w.dir)
}

// abandon takes back a new file that could not be written to.
func (w *Writer) abandon(file *os.File, name string) error {
	if file == w.warc {
		return nil // what was written lies behind the mark and will be written over
	}
	return errors.Join(file.Close(), os.Remove(w.path(name)))
}

// goOn makes a file the current one.
func (w *Writer) goOn(file *os.File) {
	if w.warc != nil && w.warc != file {
		_ = w.warc.Close() // it is synced
	}
	w.warc = file
}

// syncDir makes the names of new files last.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// write puts w.appended and an index line behind the mark.
func (w *Writer) write(file *os.File, next *Mark, line cdxLine, ref orbweaver.Ref) error {
	text, err := line.text(ref)
	if err != nil {
		return err
	}
	if _, err := file.WriteAt(w.appended, next.Length); err != nil {
		return err
	}
	if _, err := w.part.WriteAt(text, next.Index); err != nil {
		return err
	}
	next.Length += int64(len(w.appended))
	next.Index += int64(len(text))
	return nil
}

func digestKey(sum [20]byte) uint64 { return binary.BigEndian.Uint64(sum[:8]) }

// remember keeps where a payload is; the first of two whose keys agree stays.
func (w *Writer) remember(sum [20]byte, at place) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, taken := w.seen[digestKey(sum)]; !taken {
		w.seen[digestKey(sum)] = int32(len(w.places))
		w.places = append(w.places, at)
	}
}

func (w *Writer) placeOf(sum [20]byte) (place, bool) {
	w.mu.RLock()
	defer w.mu.RUnlock()
	i, ok := w.seen[digestKey(sum)]
	if !ok {
		return place{}, false
	}
	return w.places[i], true
}

// original returns the header of the record that has a payload already, or nil.
func (w *Writer) original(p *Packed) (*header, error) {
	at, ok := w.placeOf(p.sum)
	if !ok || p.size == 0 {
		return nil, nil
	}
	a, err := w.open(orbweaver.Ref{File: w.fileName(int(at.seq)), Offset: at.offset, Length: at.length})
	if err != nil {
		return nil, err
	}
	defer a.close()
	h := a.record.header
	if h.digest != p.line.Digest {
		return nil, nil // only the keys agree
	}
	return &h, nil
}

// Sync puts all that was appended on disk.
func (w *Writer) Sync() error {
	var errs []error
	if w.warc != nil {
		errs = append(errs, w.warc.Sync())
	}
	return errors.Join(append(errs, w.part.Sync())...)
}

// Close syncs, writes the sorted index.cdxj and closes the files.
func (w *Writer) Close() error {
	var errs []error
	if w.warc != nil {
		errs = append(errs, w.warc.Truncate(w.mark.Length))
	}
	errs = append(errs, w.part.Truncate(w.mark.Index), w.Sync())
	if err := errors.Join(errs...); err != nil {
		return errors.Join(err, w.closeFiles())
	}
	return errors.Join(sortIndex(w.path(partName), w.path(indexName), sortRun), w.closeFiles())
}

func (w *Writer) closeFiles() error {
	var errs []error
	for _, f := range []*os.File{w.warc, w.part} {
		if f != nil {
			errs = append(errs, f.Close())
		}
	}
	w.warc, w.part = nil, nil
	return errors.Join(errs...)
}
