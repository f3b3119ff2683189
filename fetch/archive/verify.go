package archive

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha1"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"orbweaver"
)

// A Fault is something in an archive that is not as it was written. Derived says that other files of the archive have all
// that is lost, so that Reindex mends it.
type Fault struct {
	File    string // name within the archive's folder
	What    string // what is wrong, and what is lost
	Derived bool
}

// A Held is an answer of an archive, as its records have it.
type Held struct {
	Ref    orbweaver.Ref
	URL    string
	Digest string // of the payload; of a revisit that of the payload elsewhere
}

// Verified is the result of Verify.
type Verified struct {
	Records int // of all kinds
	Faults  []Fault

	Unsorted string // the name of the sorted index, if there is none: of a crawl that is under way or was killed

	Away map[string]Away // files that were moved to another place: what is said of their records is not looked at

	answers map[string]map[int64]*cdxLine // by file and offset
	order   []orbweaver.Ref
}

// Answer returns the answer at a place; false if no readable record begins there, or one of another length does.
func (v *Verified) Answer(ref orbweaver.Ref) (Held, bool) {
	line, ok := v.answers[ref.File][ref.Offset]
	if !ok || line.Length != strconv.FormatInt(ref.Length, 10) {
		return Held{}, false
	}
	return Held{ref, line.URL, line.Digest}, true
}

// Answers returns how many answers the records hold.
func (v *Verified) Answers() int { return len(v.order) }

// End returns the end of the last readable record of a file; 0 if there is none.
func (v *Verified) End(file string) (end int64) {
	for _, ref := range v.order {
		if ref.File == file {
			end = max(end, ref.Offset+ref.Length)
		}
	}
	return end
}

func (v *Verified) fault(file string, derived bool, format string, args ...any) {
	v.Faults = append(v.Faults, Fault{file, fmt.Sprintf(format, args...), derived})
}

// Verify reads the archive of a Writer in a folder whole, and changes nothing: every record of every WARC file, with the
// checksum of its gzip member, the lengths it states and its digests of payload or block; every line of the index against its
// record and every record against its line; the payloads of revisits. Up to a mark everything must be there; what lies behind it
// may be cut off, as a killed process leaves it. It holds a line of the index for each answer in memory, some 300 bytes. The error
// wraps ErrAbsent if the folder does not exist, or is that of the context.
func Verify(ctx context.Context, dir string, mark Mark) (*Verified, error) {
	v := &Verified{answers: map[string]map[int64]*cdxLine{}}
	if _, err := os.Stat(dir); err != nil {
		return nil, fmt.Errorf("archive %s: %w", dir, errors.Join(orbweaver.ErrAbsent, err))
	}
	var err error
	if v.Away, err = AwayFrom(dir); err != nil {
		return nil, err
	}
	names, err := filepath.Glob(filepath.Join(globbed(dir), "*.warc.gz"))
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	for _, name := range names {
		if err := v.file(ctx, name, mark); err != nil {
			return nil, err
		}
	}
	v.missing(dir, mark)
	v.revisits()
	if err := v.part(ctx, dir, mark); err != nil {
		return nil, err
	}
	return v, v.sorted(dir)
}

// missing notes WARC files that the mark has and the folder has not.
func (v *Verified) missing(dir string, mark Mark) {
	if mark.File == "" {
		return
	}
	prefix := mark.File[:max(0, len(mark.File)-len("-00000.warc.gz"))]
	for n := range mark.Seq + 1 {
		name := fmt.Sprintf("%s-%05d.warc.gz", prefix, n)
		info, err := os.Stat(filepath.Join(dir, name))
		switch {
		case v.isAway(name):
		case err != nil:
			v.fault(name, false, "the file is missing: all pages in it are lost")
		case n == mark.Seq && info.Size() < mark.Length:
			v.fault(name, false, "the file has %d bytes of the %d that were written: the pages in the rest are lost", info.Size(), mark.Length)
		}
	}
}

// isAway reports whether a file was moved to another place.
func (v *Verified) isAway(name string) bool {
	_, is := v.Away[name]
	return is
}

// file reads one WARC file.
func (v *Verified) file(ctx context.Context, path string, mark Mark) error {
	name := filepath.Base(path)
	v.answers[name] = map[int64]*cdxLine{}
	s, err := openSource(path)
	if err != nil {
		v.fault(name, false, "the file is empty or cannot be read: all pages in it are lost")
		return nil
	}
	defer s.close()
	in := &verifier{Verified: v, ctx: ctx, file: name}
	found, err := scan(s, newRecord(), in)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		v.fault(name, false, "no record of it can be read: all pages in it are lost")
		return nil
	}
	behind := func(offset int64) bool { return mark.File == name && offset >= mark.Length }
	for _, g := range found.gaps {
		if !behind(g.from) {
			v.fault(name, false, "bytes %d to %d hold no record that can be read (%v): the pages there are lost", g.from, g.to, g.err)
		}
	}
	if found.truncated >= 0 && !behind(found.truncated) {
		v.fault(name, false, "the record at byte %d is cut off: its page is lost", found.truncated)
	}
	return nil
}

// A verifier checks the records of one file.
type verifier struct {
	*Verified
	ctx  context.Context
	file string
	line *cdxLine // of the record begun; nil: no answer
	at   int64
	odd  string // what is wrong with it
}

// begin implements visitor. It reads the whole block.
func (v *verifier) begin(r *record, offset int64) error {
	if err := v.ctx.Err(); err != nil {
		return &os.PathError{Op: "read", Path: v.file, Err: err}
	}
	v.Records++
	v.line, v.at, v.odd = nil, offset, ""
	h := &r.header
	block := sha1.New()
	in := io.TeeReader(r, block)
	if h.kind == "response" || h.kind == "revisit" {
		line, payload, err := answerLine(h, r, block)
		if err != nil {
			return err
		}
		v.line = line
		if sum, stated := parseDigest(h.digest); stated && h.kind == "response" && sum != payload {
			v.odd = "its payload has not the digest that it states"
		}
	} else if _, err := io.Copy(io.Discard, in); err != nil {
		return err
	}
	if sum, stated := parseDigest(h.block); stated && v.odd == "" && sum != [sha1.Size]byte(block.Sum(nil)) {
		v.odd = "its block has not the digest that it states"
	}
	return nil
}

// answerLine reads an answer, and makes its line of the index. It adds the block's bytes to a hash.
func answerLine(h *header, r *record, block io.Writer) (*cdxLine, [sha1.Size]byte, error) {
	var sum [sha1.Size]byte
	start, whole, err := r.peek()
	if err != nil {
		return nil, sum, err
	}
	head, err := splitHead(start, whole)
	if err != nil {
		return nil, sum, err
	}
	_, _ = block.Write(start[:head.size]) // a hash never fails
	line := &cdxLine{
		key: SURT(h.target), timestamp: h.date.UTC().Format("20060102150405"), URL: h.target,
		Mime: head.mediaType(), Status: strconv.Itoa(head.status), Digest: h.digest,
	}
	if h.kind == "revisit" {
		line.Mime, line.Elsewhere = mimeRevisit, h.elsewhere.line()
	}
	if err := r.skip(int64(head.size)); err != nil {
		return nil, sum, err
	}
	payload := sha1.New()
	if _, err := io.Copy(io.MultiWriter(payload, block), r); err != nil {
		return nil, sum, err
	}
	return line, [sha1.Size]byte(payload.Sum(nil)), nil
}

// end implements visitor.
func (v *verifier) end(length int64) {
	if v.odd != "" {
		v.fault(v.file, false, "the record at byte %d: %s: its page is not what was fetched", v.at, v.odd)
	}
	if v.line != nil {
		ref := orbweaver.Ref{File: v.file, Offset: v.at, Length: length}
		v.line.Offset, v.line.Length, v.line.Filename = strconv.FormatInt(v.at, 10), strconv.FormatInt(length, 10), v.file
		v.answers[v.file][v.at] = v.line
		v.order = append(v.order, ref)
	}
}

// revisits checks that each revisit's payload is in the archive.
func (v *Verified) revisits() {
	payloads := map[string]bool{emptyDigest: true}
	for _, ref := range v.order {
		if line := v.answers[ref.File][ref.Offset]; line.Mime != mimeRevisit {
			payloads[line.Digest] = true
		}
	}
	for _, ref := range v.order {
		if line := v.answers[ref.File][ref.Offset]; line.Mime == mimeRevisit && line.Elsewhere == "" && len(v.Away) == 0 && !payloads[line.Digest] && line.Status != strconv.Itoa(http.StatusNotModified) {
			v.fault(ref.File, false, "the record at byte %d repeats a payload that no readable record has: %s is lost", ref.Offset, line.URL)
		}
	}
}

// part compares index.cdxj.part with the records, line by line.
func (v *Verified) part(ctx context.Context, dir string, mark Mark) error {
	file, err := os.Open(filepath.Join(dir, partName))
	if errors.Is(err, fs.ErrNotExist) {
		if len(v.order) > 0 {
			v.fault(partName, true, "the file is missing")
		}
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	in, at, next := bufio.NewReader(file), int64(0), 0
	for n := 1; ctx.Err() == nil; n++ {
		text, err := in.ReadBytes('\n')
		switch {
		case err != nil && at < mark.Index:
			v.fault(partName, true, "line %d is cut off: the file has %d bytes of the %d that were written", n, at+int64(len(text)), mark.Index)
			return nil
		case err != nil && next < len(v.order) && before(v.order[next], mark):
			v.fault(partName, true, "%d records have no line", len(v.order)-next)
			return nil
		case err != nil:
			return nil
		}
		if wrong := v.compare(text, &next, at < mark.Index); wrong != "" {
			v.fault(partName, true, "line %d: %s", n, wrong)
			return nil
		}
		at += int64(len(text))
	}
	return ctx.Err()
}

// before reports whether a place lies before a mark.
func before(ref orbweaver.Ref, mark Mark) bool {
	return ref.File != mark.File || ref.Offset < mark.Length
}

// compare returns what is wrong with a line of the index, which should be that of the next record.
func (v *Verified) compare(text []byte, next *int, committed bool) string {
	line, ref, ok := parseLine(text)
	if !ok {
		return "no line of an index"
	}
	if held, readable := v.Answer(ref); !readable || held.URL != line.URL {
		if v.isAway(ref.File) || committed && v.damagedAt(ref) {
			return "" // the record is what is damaged, and reported
		}
		return "no such record"
	}
	for *next < len(v.order) && v.order[*next] != ref {
		*next++
		return "a record before it has no line"
	}
	*next++
	record := *v.answers[ref.File][ref.Offset]
	record.Purpose = line.Purpose
	if line.Purpose != "" && !isPurpose(line.Purpose) || !bytes.Equal(record.append(nil, ref), text) {
		return "it is not that of its record"
	}
	return ""
}

// damagedAt reports whether a fault of the file of a place is known, so that a record that is not there is explained.
func (v *Verified) damagedAt(ref orbweaver.Ref) bool {
	return slices.ContainsFunc(v.Faults, func(f Fault) bool { return f.File == ref.File })
}

// sorted checks that index.cdxj, where there is one, has the lines of index.cdxj.part, sorted.
func (v *Verified) sorted(dir string) error {
	index := filepath.Join(dir, indexName)
	_, err := os.Stat(index)
	if errors.Is(err, fs.ErrNotExist) {
		v.Unsorted = indexName
	}
	if v.Unsorted != "" || v.hasFault(partName) {
		return nil
	}
	temp, err := os.MkdirTemp("", "orbweaver-check-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	want := filepath.Join(temp, indexName)
	if err := SortLines(filepath.Join(dir, partName), want); err != nil {
		return err
	}
	same, err := sameFile(index, want)
	if err == nil && !same {
		v.fault(indexName, true, "it has not the lines of %s, sorted", partName)
	}
	return err
}

func (v *Verified) hasFault(file string) bool {
	return slices.ContainsFunc(v.Faults, func(f Fault) bool { return f.File == file })
}

// sameFile reports whether two files have the same bytes.
func sameFile(a, b string) (bool, error) {
	x, err := os.Open(a)
	if err != nil {
		return false, err
	}
	defer x.Close()
	y, err := os.Open(b)
	if err != nil {
		return false, err
	}
	defer y.Close()
	left, right := make([]byte, 64<<10), make([]byte, 64<<10)
	for {
		n, errX := io.ReadFull(x, left)
		m, errY := io.ReadFull(y, right)
		if !bytes.Equal(left[:n], right[:m]) {
			return false, nil
		}
		if errX != nil || errY != nil {
			return errX != nil && errY != nil, nil
		}
	}
}
