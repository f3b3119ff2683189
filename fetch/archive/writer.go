package archive

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"orbweaver"
	"orbweaver/fetch/scratch"
	"orbweaver/internal/step"
)

// A Mark is a committed length of an archive. It always lies between two records. The zero Mark is that of a
// new archive.
type Mark struct {
	Seq    int    // number of the current WARC file, from 0
	File   string // name of that file; empty before the first record
	Length int64  // its length in bytes
	Index  int64  // length of index.cdxj.part in bytes
}

// WriterOptions configure a Writer; the zero value has the defaults.
type WriterOptions struct {
	MaxFile  int64         // bytes at which a new WARC file is begun; 0: 1 GB. A record is never split
	Software string        // name in warcinfo and User-Agent; empty: "orbweaver"
	Effort   func() Effort // of the next record's compression; nil: Usual
	Prefix   string        // of file names, of letters, digits and "-_."; empty: "crawl"
}

const (
	partName  = "index.cdxj.part"
	indexName = "index.cdxj"
)

// A Writer appends to the archive of one crawl. Pack and Read are safe for concurrent use; Append, Flush, Mark,
// Sync and Close are called by one goroutine, the one that commits.
//
// Append buffers in memory: a killed process loses the records since the last Flush. A power failure loses
// records since the last Sync, entirely or in part, in any order. A WARC file is synced when the next is begun,
// as are the names of files, so that Sync syncs only the last file and the index. The caller must Flush before
// a commit of a Mark reaches the operating system, and Sync before it reaches the disk: then no committed
// record is lost, and OpenWriter truncates the rest. If a power failure kept a commit and lost its records,
// OpenWriter returns ErrDamaged.
//
// Disk errors are fail-stop: after the first, every call returns it and nothing is written, since the content
// of the files is unknown after a failed write or sync. Recovery is to open the archive at a committed mark.
type Writer struct {
	dir     string
	opts    WriterOptions
	disk    files
	press   press
	records sync.Pool // of *record

	mu     sync.Mutex // guards the fields below, which Read uses while Append changes them
	mark   Mark
	warc   tail
	part   tail
	failed error
	places scratch.Map   // first bytes of a payload's SHA-1 → its place
	spared []step.Spared // what other archives have

	known  *Known      // payloads of other archives; nil: none
	others []otherFile // files of other archives that revisits refer to; Append alone uses it
}

// A place is the position of a payload's response record.
type place struct {
	offset int64
	length int64
	seq    int32
}

// lengthBits are the bits of a record's length; the other 24 are the number of its file.
const lengthBits = 40

func (p place) value() scratch.Value {
	return scratch.Value{uint64(p.offset), uint64(p.seq)<<lengthBits | uint64(p.length)}
}

func placeOfValue(v scratch.Value) place {
	return place{offset: int64(v[0]), length: int64(v[1] & (1<<lengthBits - 1)), seq: int32(v[1] >> lengthBits)}
}

// OpenWriter continues at a mark: it truncates the archive to the mark, removes later files and index.cdxj,
// which Close writes anew. It makes the directory if necessary. An archive shorter than the mark is an error
// that wraps ErrDamaged, a mark of another prefix one that wraps ErrForeign, a mark before an unfinished Remove one that wraps
// ErrUnfinished.
func OpenWriter(dir string, mark Mark, opts WriterOptions) (*Writer, error) {
	return openOn(disk{}, dir, mark, opts)
}

func openOn(on files, dir string, mark Mark, opts WriterOptions) (*Writer, error) {
	if err := checkPlan(dir, mark); err != nil {
		return nil, fmt.Errorf("archive %s: %w", dir, err)
	}
	w, err := openFiles(on, dir, mark, opts)
	if err != nil {
		return nil, err
	}
	if w.others, err = readElsewhere(dir); err == nil {
		err = w.readPart()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("archive %s: %w", dir, err), w.closeFiles())
	}
	return w, nil
}

// Know has payloads that other archives have not stored again: their answers become revisits of the others' records, unless these would be larger.
// The writer's own records come first. It is called before the first Pack, and k is closed after the writer.
func (w *Writer) Know(k *Known) { w.known = k }

// openFiles is openOn without the table of payloads.
func openFiles(on files, dir string, mark Mark, opts WriterOptions) (*Writer, error) {
	opts, err := opts.filled()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	w := &Writer{dir: dir, opts: opts, disk: on, mark: mark, places: scratch.Map{Open: scratch.In(dir)}}
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
func (w *Writer) fileName(n int) string { return w.opts.Prefix + fileSuffix(n) }

func fileSuffix(n int) string { return fmt.Sprintf("-%05d.warc.gz", n) }

func (w *Writer) path(name string) string { return filepath.Join(w.dir, name) }

// Mark returns the archive's lengths including the buffer: call Flush before committing it.
func (w *Writer) Mark() Mark { return w.mark }

// Append adds a request and its response, or a revisit record if the archive already has the payload, and
// returns the position of the response or revisit. It buffers about 1 MiB, or one larger answer. After an error
// the archive is unchanged; after success p cannot be appended again.
func (w *Writer) Append(p *Packed) (orbweaver.Ref, error) {
	ref, err := w.append(p)
	if err != nil {
		return orbweaver.Ref{}, fmt.Errorf("archive %s: %w", p.target, err)
	}
	w.press.putBuffer(p.out)
	p.out = nil
	return ref, nil
}

func (w *Writer) append(p *Packed) (orbweaver.Ref, error) {
	if p.out == nil {
		return orbweaver.Ref{}, errors.New("appended before")
	}
	original, at, err := w.original(p)
	if err != nil {
		return orbweaver.Ref{}, err
	}
	switch {
	case original != nil:
		p.revisit(original, at)
	case p.twin != nil:
		if err := w.packElsewhere(p); err != nil {
			return orbweaver.Ref{}, err
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	ref, err := w.gather(p.date, p.out.Bytes()[p.head:], int64(p.request-p.head))
	if err != nil {
		return orbweaver.Ref{}, err
	}
	w.part.gathered = p.line.append(w.part.gathered, ref)
	w.mark.Index = w.part.end()
	if p.line.Elsewhere != "" {
		w.spared = spare(w.spared, w.others, p.line.Elsewhere)
	}
	if original == nil && p.line.Elsewhere == "" && p.size > 0 {
		if err := w.remember(p.sum, place{ref.Offset, ref.Length, int32(w.mark.Seq)}); err != nil {
			return orbweaver.Ref{}, w.fail(err)
		}
	}
	return ref, nil
}

// gather adds the members of a request, of asked bytes, and its answer to the buffer, and returns the answer's place.
func (w *Writer) gather(date string, members []byte, asked int64) (orbweaver.Ref, error) {
	if err := w.room(date, len(members)); err != nil {
		return orbweaver.Ref{}, err
	}
	ref := orbweaver.Ref{File: w.mark.File, Offset: w.mark.Length + asked, Length: int64(len(members)) - asked}
	w.warc.gathered = append(w.warc.gathered, members...)
	w.mark.Length = w.warc.end()
	return ref, nil
}

// room begins a new file if n more bytes would exceed MaxFile. date is that of its warcinfo record.
func (w *Writer) room(date string, n int) error {
	switch {
	case w.failed != nil:
		return w.failed
	case w.mark.File == "":
		return w.begin(0, date)
	case w.mark.Length+int64(n) > w.opts.MaxFile:
		if err := w.flush(); err != nil {
			return err
		}
		if err := w.warc.file.Sync(); err != nil { // later calls of Sync do not include this file
			return w.fail(err)
		}
		return w.begin(w.mark.Seq+1, date)
	case w.warc.isFull(n) || w.part.isFull(0):
		return w.flush()
	}
	return nil
}

// begin makes the n-th file the current one.
func (w *Writer) begin(n int, date string) error {
	name := w.fileName(n)
	file, err := w.disk.Open(w.path(name), os.O_CREATE|os.O_TRUNC)
	if err != nil {
		return w.fail(err)
	}
	info := packInfo(w.opts.Software, name, date)
	_, err = file.WriteAt(info, 0) // unbuffered: an empty file is not a valid WARC for concurrent readers
	if err == nil {
		err = w.disk.SyncFolder(w.dir)
	}
	if err != nil {
		return w.fail(errors.Join(err, file.Close()))
	}
	if w.warc.file != nil {
		_ = w.warc.file.Close() // it is synced
	}
	w.warc = tail{file: file, written: int64(len(info)), gathered: w.warc.gathered}
	w.mark.Seq, w.mark.File, w.mark.Length = n, name, w.warc.end()
	return nil
}

// fail keeps and returns the first disk error.
func (w *Writer) fail(err error) error {
	if w.failed == nil && err != nil {
		w.failed = fmt.Errorf("archive %s: %w", w.dir, err)
	}
	return w.failed
}

// flush is Flush with the lock held.
func (w *Writer) flush() error {
	if w.failed != nil {
		return w.failed
	}
	if err := w.warc.flush(); err != nil { // before the index lines that refer to it
		return w.fail(err)
	}
	return w.fail(w.part.flush())
}

// Flush writes the buffers to the operating system, one write per file, so that killing the process loses
// nothing.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.flush()
}

// Sync makes all appended records durable.
func (w *Writer) Sync() error {
	if err := w.Flush(); err != nil {
		return err
	}
	var err error // no lock during Sync: only this goroutine changes the files, and others may read
	if w.warc.file != nil {
		err = w.warc.file.Sync()
	}
	if err == nil { // no line of the index before what it refers to
		err = w.part.file.Sync()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.fail(err)
}

// Close syncs, writes the sorted index.cdxj and closes the files.
func (w *Writer) Close() error {
	err := w.Sync()
	if err == nil {
		err = sortIndex(w.disk, w.path(partName), w.path(indexName), sortRun)
	}
	return errors.Join(err, w.closeFiles())
}

func (w *Writer) closeFiles() error {
	var errs []error
	for _, t := range []*tail{&w.warc, &w.part} {
		if t.file != nil {
			errs = append(errs, t.file.Close())
		}
		t.file = nil
	}
	return errors.Join(append(errs, w.places.Close())...)
}
