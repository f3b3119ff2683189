package archive

import (
	"bufio"
	"bytes"
	"crypto/sha1"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"orbweaver"
	"orbweaver/internal/step"
)

// A payload that another archive has is not stored again (see Known): the answer becomes a revisit that says where the other archive has it. The
// paths of the other archives stand in a table beside the records, so that a record of a WARC file alone, which anybody may have written, opens no
// file, and so that who moves an archive can correct the table.

// ErrElsewhere is the error of whatever reads a revisit whose payload another archive had.
var ErrElsewhere = errors.New("its content was not stored again, and the archive that had it has it no more")

// elsewhereField is the field of a revisit whose payload another archive has: the number of its file in the table, the offset and the length of its
// record, and the length of the payload. It is no field of the standard.
const elsewhereField = "orbweaver-elsewhere"

// elsewhereName is the name of the table.
const elsewhereName = "elsewhere.json"

// An elsewhere is the place of a payload in another archive.
type elsewhere struct {
	file           int   // number in the table
	offset, length int64 // of the record
	size           int64 // of the payload
}

// field is the value of the field.
func (e elsewhere) field() string {
	return fmt.Sprintf("%d %d %d %d", e.file, e.offset, e.length, e.size)
}

// line is what the line of an index says of it.
func (e elsewhere) line() string {
	if e.length == 0 {
		return ""
	}
	return fmt.Sprintf("%d %d", e.file, e.size)
}

// parseElsewhere reads such a field; the zero value: it is none.
func parseElsewhere(value []byte) elsewhere {
	parts := strings.Split(string(value), " ")
	var n [4]int64
	if len(parts) != len(n) {
		return elsewhere{}
	}
	for i, part := range parts {
		var err error
		if n[i], err = strconv.ParseInt(part, 10, 64); err != nil || n[i] < 0 || i == 0 && n[i] > maxKnownFiles {
			return elsewhere{}
		}
	}
	if n[1]+n[2] < n[1] {
		return elsewhere{}
	}
	return elsewhere{int(n[0]), n[1], n[2], n[3]}
}

// An otherFile is a file of another archive. Its paths have slashes, and are relative to the folder in which the folder of the archive lies, if
// there is a way from there.
type otherFile struct {
	Path string `json:"path"`
	Of   string `json:"of"` // the archive that was named: the file itself, or a folder or index that leads to it
}

// maxElsewhere bounds the table that is read.
const maxElsewhere = 64 << 20

// readElsewhere reads the table of an archive's folder; nil: there is none.
func readElsewhere(dir string) ([]otherFile, error) {
	file, err := os.Open(filepath.Join(dir, elsewhereName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxElsewhere))
	var table struct {
		Files []otherFile `json:"files"`
	}
	if err == nil {
		err = json.Unmarshal(text, &table)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", file.Name(), orbweaver.ErrDamaged, err)
	}
	return table.Files, nil
}

// writeElsewhere replaces the table, durably.
func (w *Writer) writeElsewhere(files []otherFile) error {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(map[string]any{"files": files}); err != nil {
		return err
	}
	return writeWhole(w.disk, w.path(elsewhereName), func(out *bufio.Writer) error {
		_, err := text.WriteTo(out)
		return err
	})
}

// relativeTo returns a path as the table has it.
func relativeTo(dir, path string) string {
	base, err := filepath.Abs(filepath.Dir(filepath.Clean(dir)))
	if err == nil {
		if relative, err := filepath.Rel(base, path); err == nil {
			path = relative
		}
	}
	return filepath.ToSlash(path)
}

// resolved is the inverse of relativeTo.
func resolved(dir, path string) string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(filepath.Clean(dir)), path)
}

// number returns the number of another archive's file, which it adds to the table if it is not there. Only Append calls it.
func (w *Writer) number(path, of string) (int, error) {
	file := otherFile{Path: relativeTo(w.dir, path), Of: relativeTo(w.dir, of)}
	for i, f := range w.others {
		if f.Path == file.Path {
			return i, nil
		}
	}
	files := append(w.others[:len(w.others):len(w.others)], file)
	if err := w.writeElsewhere(files); err != nil {
		return 0, w.fail(err)
	}
	w.others = files
	return len(files) - 1, nil
}

// packElsewhere replaces the response by a revisit of one in another archive, unless the response is smaller.
func (w *Writer) packElsewhere(p *Packed) error {
	file, err := w.number(p.twin.file.path, p.twin.file.of)
	if err != nil {
		return err
	}
	at := elsewhere{file, p.twin.offset, p.twin.length, p.size}
	head := p.out.Bytes()[:p.head]
	b := p.appendFields(make([]byte, 0, 1024), "revisit", p.id, "application/http;msgtype=response", len(head))
	b = p.appendRendered(appendField(b, "WARC-Concurrent-To", p.requests))
	b = appendRefers(b, &p.twin.header)
	b = appendField(b, "Orbweaver-Elsewhere", at.field())
	b = appendField(b, "WARC-Payload-Digest", p.line.Digest)
	b = appendField(b, "WARC-Block-Digest", digestOf(sha1.Sum(head)))
	response := p.out.Len() - p.request
	if response > 0 && response <= len(b)+len(head) {
		p.twin = nil
		return nil
	}
	p.out.Truncate(p.request)
	store(p.out, b, lineEnd, head, recordEnd)
	p.line.Mime, p.line.Elsewhere = mimeRevisit, at.line()
	return nil
}

// revisitElsewhere is the response of a revisit whose payload another archive has. dir is the folder of the revisit's own archive. The
// error wraps ErrElsewhere and ErrAbsent, and names page and archive, if the payload is not there any more.
func (a *answer) revisitElsewhere(dir string) (*step.Response, error) {
	own, digest := a.record.header, a.record.header.digest
	origin, path, err := own.other(dir, a.limit)
	if err != nil {
		a.close()
		return nil, a.damaged(err)
	}
	resp, err := a.revisit(origin)
	if err != nil {
		return nil, own.gone(path, err)
	}
	resp.Body = &digested{ReadCloser: resp.Body, sum: sha1.New(), want: digest, gone: func(err error) error { return own.gone(path, err) }}
	return resp, nil
}

// gone says that the payload of a revisit is not there any more.
func (h *header) gone(path string, err error) error {
	return fmt.Errorf("%s: %w: %w: %s: %w", h.target, orbweaver.ErrAbsent, ErrElsewhere, path, err)
}

// isElsewhere reports whether a record is a revisit whose payload another archive has.
func (h *header) isElsewhere() bool { return h.kind == "revisit" && h.elsewhere.length > 0 }

// other opens the response to which a revisit refers in another archive.
func (h *header) other(dir string, limit int64) (a *answer, path string, err error) {
	files, err := readElsewhere(dir)
	if err != nil {
		return nil, "", err
	}
	at := h.elsewhere
	if at.file >= len(files) {
		return nil, "", h.gone(filepath.Join(dir, elsewhereName), errors.New("it does not say which archive that was"))
	}
	path = resolved(dir, files[at.file].Path)
	a, err = openElsewhere(path, at.offset, at.length, min(limit, at.size))
	if err != nil {
		return nil, path, h.gone(path, err)
	}
	if h.refersTo != "" && a.record.header.id != h.refersTo {
		a.close()
		return nil, path, h.gone(path, fmt.Errorf("another record is at byte %d", at.offset))
	}
	return a, path, nil
}

// openElsewhere opens one response of a file of another archive. A length of 0 is not known. Who calls it closes the answer, and thereby the file.
func openElsewhere(path string, offset, length, limit int64) (*answer, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is no regular file", path)
	}
	if err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if length == 0 {
		length = max(info.Size()-offset, 0)
	}
	var magic [2]byte
	_, err = file.ReadAt(magic[:], offset)
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("no record at byte %d", offset)
	}
	a := &answer{record: newRecord(), limit: limit, failure: orbweaver.ErrDamaged, release: func() { file.Close() },
		ref: orbweaver.Ref{File: filepath.Base(path), Offset: offset, Length: length}}
	s := &source{name: a.ref.File, file: file, size: info.Size(), compressed: magic == [2]byte{0x1f, 0x8b}}
	s.arc = s.beginsARC(offset)
	if err := a.open(s, offset, length); err != nil {
		return nil, err
	}
	if kind := a.record.header.kind; kind != "response" && kind != "resource" {
		a.close()
		return nil, a.damaged(fmt.Errorf("a %.20q record", kind))
	}
	return a, nil
}

// A digested body fails at its end if it has not the digest that it should have.
type digested struct {
	io.ReadCloser
	sum  hash.Hash
	want string
	gone func(error) error
}

func (d *digested) Read(p []byte) (int, error) {
	n, err := d.ReadCloser.Read(p)
	_, _ = d.sum.Write(p[:n]) // a hash never fails
	switch {
	case err == io.EOF && digestOf([sha1.Size]byte(d.sum.Sum(nil))) != d.want:
		return n, d.gone(errors.New("the record has other content"))
	case err != nil && err != io.EOF:
		err = d.gone(err)
	}
	return n, err
}

// spare counts an answer that was not stored again, by what its line says.
func spare(counts []step.Spared, files []otherFile, line string) []step.Spared {
	number, size, _ := strings.Cut(line, " ")
	n, err := strconv.Atoi(number)
	bytes, bad := strconv.ParseInt(size, 10, 64)
	if err != nil || bad != nil || n < 0 || n >= len(files) {
		return counts
	}
	for i := range counts {
		if counts[i].Of == files[n].Of {
			counts[i].Pages++
			counts[i].Bytes += bytes
			return counts
		}
	}
	return append(counts, step.Spared{Of: files[n].Of, Pages: 1, Bytes: bytes})
}

// Spared returns what was not stored again, by archive, in the order of their first use. It may be called beside Append.
func (w *Writer) Spared() []step.Spared {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]step.Spared(nil), w.spared...)
}

// SparedIn returns the same of an archive's folder, which it reads the index of. An index that cannot be read counts as far as it can be.
func SparedIn(dir string) []step.Spared {
	files, err := readElsewhere(dir)
	if err != nil || len(files) == 0 {
		return nil
	}
	known := map[string]int32{}
	names, _ := filepath.Glob(filepath.Join(globbed(dir), "*.warc.gz"))
	for i, name := range names {
		known[filepath.Base(name)] = int32(i)
	}
	var counts []step.Spared
	for line, err := range (parted{path: filepath.Join(dir, partName), files: known}).lines() {
		if err != nil {
			break
		}
		if line.Elsewhere != "" {
			counts = spare(counts, files, line.Elsewhere)
		}
	}
	return counts
}
