package datasets

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"

	"orbweaver"
	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/document"
	"orbweaver/rdf/syntax/jsonld"
)

// sniffed is the number of bytes examined to detect a dump's syntax.
const sniffed = 4 << 10

// Source is a dump: RDF in any syntax, compressed with gzip or bzip2 or not.
type Source struct {
	Path string // file; empty if Open is set

	// Open opens a source other than a file. The fields below describe it.
	Open      func(context.Context) (io.ReadCloser, error)
	URL       string            // base of relative IRIs; its name indicates the syntax
	MediaType string            // as stated by a server; may be empty
	Version   orbweaver.Version // as stated by a server; may be empty
	Size      int64             // bytes; 0: unknown
}

// name returns the name of the source in errors.
func (s Source) name() string {
	if s.Open != nil {
		return s.URL
	}
	return s.Path
}

// dump is an open source.
type dump struct {
	Source
	file     io.Closer
	text     *bufio.Reader // decompressed
	modified time.Time
	base     string
}

// open opens a source and decompresses gzip or bzip2. Errors name it and wrap ErrInput. Reading ends with
// ctx, or after limit bytes.
func (s Source) open(ctx context.Context, limit int64) (d *dump, err error) {
	d = &dump{Source: s, base: s.URL}
	var in io.ReadCloser
	if s.Open != nil {
		in, err = s.Open(ctx)
	} else {
		in, err = d.openFile()
	}
	if err != nil {
		return nil, fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
	}
	d.file = in
	if err := d.unpack(&limited{ctx: ctx, in: in, left: limit, name: s.name()}, limit); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w (%w)", s.name(), err, orbweaver.ErrInput), d.Close())
	}
	return d, nil
}

// openFile opens the file and records its properties.
func (d *dump) openFile() (io.ReadCloser, error) {
	file, err := os.Open(d.Path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && info.IsDir() {
		err = fmt.Errorf("%s: is a folder", d.Path)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	if abs, err := filepath.Abs(d.Path); err == nil {
		d.Path = abs
	}
	d.Size, d.modified = info.Size(), info.ModTime().UTC()
	if d.base == "" {
		d.base = (&url.URL{Scheme: "file", Path: filepath.ToSlash(trimPacked(d.Path))}).String()
	}
	return file, nil
}

// unpack detects the compression by the first bytes.
func (d *dump) unpack(in *limited, limit int64) error {
	packed := bufio.NewReaderSize(in, 64<<10)
	magic, _ := packed.Peek(3)
	var unpacked io.Reader
	switch {
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(packed)
		if err != nil {
			return err
		}
		unpacked = z
	case string(magic) == "BZh":
		unpacked = bzip2.NewReader(packed)
	default:
		d.text = packed
		return nil
	}
	d.text = bufio.NewReaderSize(&limited{ctx: in.ctx, in: unpacked, left: limit, name: in.name}, 64<<10)
	return nil
}

// trimPacked removes the extension of compression from a name.
func trimPacked(name string) string {
	for _, extension := range []string{".gz", ".bz2"} {
		if len(name) > len(extension) && strings.EqualFold(name[len(name)-len(extension):], extension) {
			return name[:len(name)-len(extension)]
		}
	}
	return name
}

// Close closes the source.
func (d *dump) Close() error { return d.file.Close() }

// record returns the record of the dump before it is read.
func (d *dump) record(name string) Record {
	source := d.Path
	if d.Open != nil || source == "" {
		source = d.URL
	}
	return Record{Name: name, Source: source, Size: d.Size, Modified: d.modified, Version: d.Version}
}

// quads reads the statements.
func (d *dump) quads() iter.Seq2[rdf.Quad, error] {
	head, _ := d.text.Peek(sniffed) // a failing read fails again below
	opts := syntax.Options{Name: d.name(), Base: d.base}
	if isJSON(d.MediaType, trimPacked(d.name()), head) {
		return jsonld.Read(d.text, jsonld.Options{Options: opts})
	}
	format := syntax.Detect(trimPacked(d.name()), d.MediaType, head)
	if format == syntax.Unknown {
		return func(yield func(rdf.Quad, error) bool) {
			if _, err := d.text.Peek(1); err == io.EOF {
				return // an empty dataset
			}
			yield(rdf.Quad{}, fmt.Errorf("%s: not recognized as RDF by name or first bytes (%w)", d.name(), orbweaver.ErrInput))
		}
	}
	return document.Quads(d.text, format, opts)
}

// isJSON reports whether a dump is JSON-LD.
func isJSON(mediaType, name string, head []byte) bool {
	mediaType, _, _ = strings.Cut(mediaType, ";")
	switch strings.ToLower(strings.TrimSpace(mediaType)) {
	case "application/ld+json", "application/json":
		return true
	}
	if strings.HasSuffix(strings.ToLower(name), ".jsonld") {
		return true
	}
	head = bytes.TrimLeft(head, " \t\r\n")
	return len(head) > 1 && (head[0] == '{' || head[0] == '[' && bytes.HasPrefix(bytes.TrimLeft(head[1:], " \t\r\n"), []byte("{"))) &&
		bytes.Contains(head, []byte(`"@`))
}

// limited is a reader that ends with its context or at a limit.
type limited struct {
	ctx  context.Context
	in   io.Reader
	left int64
	name string
}

// Read reads. Errors of decompression name the dump.
func (l *limited) Read(p []byte) (int, error) {
	if err := l.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := l.in.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return 0, fmt.Errorf("%s: too many bytes: %w", l.name, orbweaver.ErrTooLarge)
	}
	if err != nil && err != io.EOF {
		err = fmt.Errorf("%s: %w (%w)", l.name, err, orbweaver.ErrInput)
	}
	return n, err
}
