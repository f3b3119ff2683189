package wacz

import (
	"archive/zip"
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path"
	"strconv"
	"time"

	"orbweaver/fetch/archive"
)

// WARCName is the name of the WARC file within a WACZ.
const WARCName = "data.warc.gz"

// An Info describes a collection.
type Info struct {
	Title       string
	Description string
	Software    string    // the program that wrote it
	Main        Page      // shown first; the zero Page: none
	Created     time.Time // zero: the time of the newest record
}

// A Page is an entry of the list of pages.
type Page struct {
	URL   string
	Title string // empty: not known
	At    time.Time
}

// A Writer writes one WACZ. The WARC file is written first; Index and AddPage may be called at any time before
// Close. It is not safe for concurrent use.
type Writer struct {
	zip       *zip.Writer
	resources []resource
	entry     *entry // the WARC file, until Close
	index     *scratch
	pages     *scratch
	newest    time.Time
}

// A resource is an entry of the package description.
type resource struct {
	Name  string `json:"name"`
	Path  string `json:"path"`
	Hash  string `json:"hash"`
	Bytes int64  `json:"bytes"`
}

// Create begins a WACZ on out. temp is the directory of temporary files; empty: the system's. A Writer must be
// closed or aborted.
func Create(out io.Writer, temp string) (*Writer, error) {
	w := &Writer{zip: zip.NewWriter(out)}
	var err error
	if w.index, err = newScratch(temp); err != nil {
		return nil, err
	}
	if w.pages, err = newScratch(temp); err == nil {
		w.pages.line(pagesHead{"json-pages-1.0", "pages", "All Pages"})
		w.entry, err = w.begin("archive/"+WARCName, zip.Store)
	}
	if err != nil {
		return nil, errors.Join(err, w.Abort())
	}
	return w, nil
}

// WARC returns the writer of the WARC file, gzipped by record. It is valid until Close.
func (w *Writer) WARC() io.Writer { return w.entry }

// Index adds a record of the WARC file, at its Ref, to the index.
func (w *Writer) Index(r archive.Copied) error {
	if r.At.After(w.newest) {
		w.newest = r.At
	}
	status := ""
	if r.Status != 0 {
		status = strconv.Itoa(r.Status)
	}
	w.index.text(SURT(r.URL) + " " + r.At.UTC().Format("20060102150405") + " ")
	w.index.line(cdx{
		r.URL, r.MediaType, status, r.Digest,
		strconv.FormatInt(r.Ref.Length, 10), strconv.FormatInt(r.Ref.Offset, 10), WARCName,
	})
	return w.index.err
}

// A cdx is the JSON of an index line.
type cdx struct {
	URL      string `json:"url"`
	Mime     string `json:"mime"`
	Status   string `json:"status,omitempty"`
	Digest   string `json:"digest,omitempty"`
	Length   string `json:"length"`
	Offset   string `json:"offset"`
	Filename string `json:"filename"`
}

// A pagesHead is the first line of the list of pages.
type pagesHead struct {
	Format string `json:"format"`
	ID     string `json:"id"`
	Title  string `json:"title"`
}

// AddPage adds a page to the list, in call order. The page's id is a function of its URL and time.
func (w *Writer) AddPage(p Page) error {
	ts := p.At.UTC().Format(time.RFC3339)
	sum := sha256.Sum256([]byte(ts + " " + p.URL))
	w.pages.line(struct {
		ID    string `json:"id"`
		URL   string `json:"url"`
		TS    string `json:"ts"`
		Title string `json:"title,omitempty"`
	}{hex.EncodeToString(sum[:10]), p.URL, ts, p.Title})
	return w.pages.err
}

// Close writes index, pages and description.
func (w *Writer) Close(info Info) error {
	if info.Created.IsZero() {
		info.Created = w.newest
	}
	w.end(w.entry)
	for _, write := range []func() error{
		w.writeIndex,
		w.writePages,
		func() error { return w.describe(info) },
		w.zip.Close,
	} {
		if err := write(); err != nil {
			return errors.Join(fmt.Errorf("wacz: %w", err), w.Abort())
		}
	}
	return w.Abort()
}

// Abort removes the temporary files. It may be called again, and after Close.
func (w *Writer) Abort() error {
	err := errors.Join(w.index.remove(), w.pages.remove())
	w.index, w.pages = nil, nil
	return err
}

// writePages copies the list of pages.
func (w *Writer) writePages() error {
	file, err := w.pages.reread()
	if err != nil {
		return err
	}
	e, err := w.begin("pages/pages.jsonl", zip.Deflate)
	if err != nil {
		return err
	}
	_, err = io.Copy(e, file)
	w.end(e)
	return err
}

// describe writes the package description and its digest.
func (w *Writer) describe(info Info) error {
	description := struct {
		Profile     string     `json:"profile"`
		WACZVersion string     `json:"wacz_version"`
		Title       string     `json:"title,omitempty"`
		Description string     `json:"description,omitempty"`
		Software    string     `json:"software,omitempty"`
		Created     string     `json:"created"`
		MainURL     string     `json:"mainPageUrl,omitempty"`
		MainDate    string     `json:"mainPageDate,omitempty"`
		Resources   []resource `json:"resources"`
	}{
		Profile: "data-package", WACZVersion: "1.1.1",
		Title: info.Title, Description: info.Description, Software: info.Software,
		Created: info.Created.UTC().Format(time.RFC3339), MainURL: info.Main.URL, Resources: w.resources,
	}
	if info.Main.URL != "" {
		description.MainDate = info.Main.At.UTC().Format(time.RFC3339)
	}
	text, err := json.MarshalIndent(description, "", "  ")
	if err != nil {
		return err
	}
	if err := w.put("datapackage.json", text); err != nil {
		return err
	}
	digest, err := json.MarshalIndent(struct {
		Path string `json:"path"`
		Hash string `json:"hash"`
	}{"datapackage.json", w.resources[len(w.resources)-1].Hash}, "", "  ")
	if err != nil {
		return err
	}
	return w.put("datapackage-digest.json", digest)
}

// put writes a small entry.
func (w *Writer) put(name string, content []byte) error {
	e, err := w.begin(name, zip.Deflate)
	if err != nil {
		return err
	}
	_, err = e.Write(content)
	w.end(e)
	return err
}

// An entry is a file within the ZIP that is being written.
type entry struct {
	name string
	to   io.Writer
	sum  hash.Hash
	n    int64
}

func (e *entry) Write(p []byte) (int, error) {
	n, err := e.to.Write(p)
	e.sum.Write(p[:n])
	e.n += int64(n)
	return n, err
}

func (w *Writer) begin(name string, method uint16) (*entry, error) {
	// 1980 is the earliest year of ZIP. Entries have no date of their own, so that output is reproducible.
	header := &zip.FileHeader{Name: name, Method: method, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)}
	to, err := w.zip.CreateHeader(header)
	return &entry{name: name, to: to, sum: sha256.New()}, err
}

// end makes an entry a resource.
func (w *Writer) end(e *entry) {
	name := path.Base(e.name)
	w.resources = append(w.resources, resource{name, e.name, "sha256:" + hex.EncodeToString(e.sum.Sum(nil)), e.n})
}

// A scratch is a temporary file of lines.
type scratch struct {
	file   *os.File
	out    *bufio.Writer
	encode *json.Encoder
	err    error // the first
}

func newScratch(dir string) (*scratch, error) {
	file, err := os.CreateTemp(dir, "orbweaver-*.wacz.tmp")
	if err != nil {
		return nil, err
	}
	s := &scratch{file: file, out: bufio.NewWriterSize(file, 64<<10)}
	s.encode = json.NewEncoder(s.out)
	s.encode.SetEscapeHTML(false)
	return s, nil
}

func (s *scratch) text(t string) {
	if _, err := s.out.WriteString(t); s.err == nil {
		s.err = err
	}
}

func (s *scratch) line(v any) {
	if err := s.encode.Encode(v); s.err == nil {
		s.err = err
	}
}

// reread rewinds to the start for reading.
func (s *scratch) reread() (*os.File, error) {
	err := errors.Join(s.err, s.out.Flush())
	if err == nil {
		_, err = s.file.Seek(0, io.SeekStart)
	}
	return s.file, err
}

func (s *scratch) remove() error {
	if s == nil {
		return nil
	}
	return errors.Join(s.file.Close(), os.Remove(s.file.Name()))
}
