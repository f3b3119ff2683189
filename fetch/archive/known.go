package archive

import (
	"bytes"
	"context"
	"crypto/sha1"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"orbweaver"
	"orbweaver/fetch/scratch"
)

// Limits of what is known of other archives.
const (
	maxKnownFiles = 1<<24 - 1 // files of them
	maxChecked    = 4096      // payloads that were compared, of which the result is kept
	leastSpared   = 4096      // bytes of a payload from which on a revisit is smaller for sure
)

// A Known is the set of payloads that other archives have. It is safe for concurrent use, and takes bounded memory. What an archive says of itself is
// not believed: a payload is known if its record was read, and has the very bytes (their SHA-1).
type Known struct {
	mu       sync.Mutex
	places   scratch.Map // first bytes of a payload's SHA-1 → its place
	files    []knownFile
	numbers  map[string]int // of files, by path
	warnings []string
	unwarned int
	checked  map[[sha1.Size]byte]*twin // nil: no record has this payload
}

// A knownFile is a file of another archive, by absolute paths.
type knownFile struct{ path, of string }

// A twin is a response of another archive with the same payload.
type twin struct {
	file           knownFile
	offset, length int64
	header         header
}

// CheckKnown reports what is wrong with paths for OpenKnown, from the names and the first bytes of files, by their index. kept says whether the
// crawl keeps an archive, without which they mean nothing.
func CheckKnown(paths []string, kept bool, problem func(i int, message string)) {
	for i, path := range paths {
		if err := knowable(path); err != nil {
			problem(i, err.Error())
		}
	}
	if len(paths) > 0 && !kept {
		problem(0, "says what the crawl's own archive does not store again, and the crawl keeps none: write keep: on")
	}
}

func knowable(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		_, err := fileKind(path)
		return err
	}
	own, left, files, err := knownIn(path)
	if err == nil && own == "" && !left && len(files) == 0 {
		err = fmt.Errorf("%s holds neither a crawl's archive nor a WARC, WACZ, CDX or CDXJ file", path)
	}
	return err
}

// OpenKnown reads which payloads other archives have. A path is a crawl folder (or its folder archive), a folder of archives, a WARC or WACZ file, or a
// CDX or CDXJ index beside its WARC files. The archive of a crawl is read by its index.cdxj, which a session writes at its end: one that is under
// way, or was killed, is left out. WARC and WACZ files are read whole, once; those that are compressed as a whole are left out. Of an
// index only SHA-1 digests count. What cannot be read is left out with a warning. Keys beyond some memory go into temporary files in scratchIn.
// progress, which may be nil, is told the bytes read of a file and how many there are. The error is that of the disk, or of the context.
func OpenKnown(ctx context.Context, paths []string, scratchIn string, progress func(path string, done, total int64)) (*Known, error) {
	k := &Known{places: scratch.Map{Open: scratch.In(scratchIn)}, numbers: map[string]int{}, checked: map[[sha1.Size]byte]*twin{}}
	if progress == nil {
		progress = func(string, int64, int64) {}
	}
	r := &knownReader{Known: k, ctx: ctx, progress: progress}
	for _, path := range paths {
		if err := r.add(path); err != nil {
			return nil, errors.Join(err, k.Close())
		}
	}
	return k, nil
}

// Payloads returns how many payloads were read, those that several records have counted once.
func (k *Known) Payloads() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.places.Len()
}

// Warnings returns what was left out, as text.
func (k *Known) Warnings() []string {
	if k.unwarned == 0 {
		return k.warnings
	}
	return append(slices.Clip(k.warnings), fmt.Sprintf("%d warnings more", k.unwarned))
}

// Close closes the temporary files.
func (k *Known) Close() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.places.Close()
}

func (k *Known) warn(format string, args ...any) {
	if len(k.warnings) >= maxWarnings {
		k.unwarned++
		return
	}
	k.warnings = append(k.warnings, fmt.Sprintf(format, args...))
}

// find returns a record that has a payload, which it reads and compares at the first time; nil: there is none.
func (k *Known) find(sum [sha1.Size]byte, size int64) (*twin, error) {
	k.mu.Lock()
	v, known, err := k.places.Get(digestKey(sum))
	found, checked := k.checked[sum]
	k.mu.Unlock()
	if err != nil || !known || checked {
		return found, err
	}
	at := placeOfValue(v)
	found = compared(&twin{file: k.files[at.seq], offset: at.offset, length: at.length}, sum, size)
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.checked) >= maxChecked {
		clear(k.checked)
	}
	if found == nil || len(found.header.target) < 4096 { // what is kept has a bound
		k.checked[sum] = found
	}
	return found, nil
}

// compared reads a record, and returns it if it has a payload; nil if not.
func compared(t *twin, sum [sha1.Size]byte, size int64) *twin {
	a, err := openElsewhere(t.file.path, t.offset, t.length, size)
	if err != nil {
		return nil
	}
	t.header, t.length = a.record.header, a.ref.Length
	resp, err := a.response()
	if err != nil {
		return nil
	}
	defer resp.Body.Close()
	hash := sha1.New()
	n, err := io.Copy(hash, resp.Body)
	if err != nil || n != size || [sha1.Size]byte(hash.Sum(nil)) != sum || !t.header.referable() {
		return nil
	}
	return t
}

// referable makes a header fit to be referred to by a revisit, or reports that it is not.
func (h *header) referable() bool {
	if h.target == "" || len(h.target) > maxURL || strings.ContainsFunc(h.target, isControlOrSpace) || h.date.IsZero() {
		return false
	}
	id := h.id
	if len(id) < 3 || len(id) > 1024 || id[0] != '<' || id[len(id)-1] != '>' || strings.ContainsFunc(id, isControlOrSpace) {
		h.id = ""
	}
	return true
}

// A knownReader reads other archives.
type knownReader struct {
	*Known
	ctx      context.Context
	progress func(path string, done, total int64)
	of       string // the path that leads to what is read now
}

// add reads what a path leads to.
func (r *knownReader) add(path string) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	r.of = path
	info, err := os.Stat(path)
	switch {
	case err != nil:
		r.warn("%v: it is left out", err)
		return nil
	case !info.IsDir():
		return r.file(path)
	}
	own, left, files, err := knownIn(path)
	switch {
	case err != nil:
		r.warn("%v: it is left out", err)
	case left:
		r.warn("%s is a crawl that is under way, or was killed: what it has is stored again until it has ended", path)
	case own != "":
		return r.index(own)
	}
	for _, file := range files {
		if err := r.file(file); err != nil {
			return err
		}
	}
	return nil
}

// knownIn says what a folder holds: the index of a crawl's archive, which is left out if its crawl has not ended, or files.
func knownIn(dir string) (own string, left bool, files []string, err error) {
	for _, at := range []string{filepath.Join(dir, "archive"), dir} {
		if _, err := os.Stat(filepath.Join(at, partName)); err != nil {
			continue
		}
		own = filepath.Join(at, indexName)
		_, err := os.Stat(own)
		return own, err != nil, nil, nil
	}
	entries, err := os.ReadDir(dir) // sorted
	for _, e := range entries {
		name := strings.TrimSuffix(strings.ToLower(e.Name()), ".gz")
		switch filepath.Ext(name) {
		case ".warc", ".arc", ".wacz", ".cdx", ".cdxj":
			if path := filepath.Join(dir, e.Name()); isRegular(path) {
				files = append(files, path)
			}
		}
	}
	return "", false, files, err
}

func isRegular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// file reads one file.
func (r *knownReader) file(path string) error {
	kind, err := fileKind(path)
	switch {
	case err != nil:
		r.warn("%v: it is left out", err)
		return nil
	case kind == kindIndex:
		return r.index(path)
	case kind == kindWACZ:
		return r.wacz(path)
	}
	s, err := openSource(path)
	if err != nil {
		r.warn("%v: it is left out", err)
		return nil
	}
	defer s.close()
	return r.scan(s, path)
}

// The kinds of files that a Known reads.
const (
	kindWARC = iota
	kindWACZ
	kindIndex
)

// fileKind tells the kind of a file by its first bytes.
func fileKind(path string) (int, error) {
	if !isRegular(path) {
		return 0, fmt.Errorf("%s is no regular file", path)
	}
	in, closeIn, err := unpacked(path)
	if err != nil {
		return 0, err
	}
	defer closeIn()
	start, err := in.Peek(512)
	if len(start) == 0 {
		return 0, fmt.Errorf("%s is empty, or cannot be read (%w)", path, err)
	}
	first, _, _ := bytes.Cut(start, []byte("\n"))
	switch {
	case bytes.HasPrefix(start, []byte("PK\x03\x04")):
		return kindWACZ, nil
	case bytes.HasPrefix(start, []byte("WARC/")), bytes.HasPrefix(start, []byte("filedesc://")):
		return kindWARC, nil
	case isLegend(first), bytes.HasPrefix(start, []byte("!")), bytes.Contains(first, []byte(" {")), len(bytes.Fields(first)) >= 9:
		return kindIndex, nil
	}
	return 0, fmt.Errorf("%s is neither a WARC or WACZ file nor a CDX or CDXJ index (%w)", path, orbweaver.ErrInput)
}

// number returns the number of a file.
func (r *knownReader) number(path string) (int, bool) {
	n, ok := r.numbers[path]
	if !ok {
		if n = len(r.files); n > maxKnownFiles {
			return 0, false
		}
		r.files = append(r.files, knownFile{path, r.of})
		r.numbers[path] = n
	}
	return n, true
}

// put notes a payload's place; the first of a payload stays.
func (r *knownReader) put(sum [sha1.Size]byte, at place) error {
	if at.offset < 0 || at.length < 0 || at.length >= 1<<lengthBits || digestOf(sum) == emptyDigest {
		return nil
	}
	_, taken, err := r.places.Get(digestKey(sum))
	if err == nil && !taken {
		err = r.places.Put(digestKey(sum), at.value())
	}
	return err
}

// wacz reads the WARC files in a WACZ file that are stored as they are.
func (r *knownReader) wacz(path string) error {
	list, err := openSources(path)
	if err != nil {
		r.warn("%v: it is left out", err)
		return nil
	}
	for _, s := range list {
		err = errors.Join(err, r.scan(s, path), s.close())
	}
	return err
}

// scan reads the payloads of a WARC file.
func (r *knownReader) scan(s *source, path string) error {
	n, ok := r.number(path)
	if !ok {
		return nil
	}
	see := &payloads{reader: r, path: path, file: n, total: s.size - s.from, from: s.from}
	found, err := scan(s, newRecord(), see)
	switch {
	case see.err != nil:
		return see.err
	case r.ctx.Err() != nil:
		return r.ctx.Err()
	case errors.Is(err, errWhole):
		r.warn("%s is compressed as a whole, so that no record can be found in it: it is left out from byte %d on", path, see.at)
	case err != nil:
		r.warn("%v: it is left out", err)
	case found.damaged > 0:
		r.warn("%s: %d records cannot be read, and are left out", path, found.damaged)
	}
	return nil
}

// payloads is a visitor that notes the payloads of responses.
type payloads struct {
	reader      *knownReader
	path        string
	file        int
	from, total int64

	at  int64
	sum [sha1.Size]byte
	has bool
	err error // of the table
}

func (v *payloads) begin(r *record, offset int64) error {
	err := v.err
	if err == nil {
		err = v.reader.ctx.Err()
	}
	if err != nil {
		return &os.PathError{Op: "read", Path: v.path, Err: err}
	}
	v.reader.progress(v.path, offset-v.from, v.total)
	v.at, v.has = offset, false
	if kind := r.header.kind; kind != "response" && kind != "resource" {
		return nil
	}
	a := &answer{record: r, limit: noLimit, ref: orbweaver.Ref{File: v.path, Offset: offset}, failure: orbweaver.ErrDamaged}
	if a.readHead() != nil {
		return nil
	}
	hash := sha1.New()
	body, err := a.body(a.header)
	if err == nil {
		_, err = io.Copy(hash, body)
	}
	v.sum, v.has = [sha1.Size]byte(hash.Sum(nil)), err == nil
	return nil
}

func (v *payloads) end(length int64) {
	if v.has && v.err == nil {
		v.err = v.reader.put(v.sum, place{offset: v.at, length: length, seq: int32(v.file)})
	}
	v.has = false
}
