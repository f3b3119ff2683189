package page

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"
	"iter"
	"path"
	"strconv"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/therootcompany/xz"

	"orbweaver"
	"orbweaver/internal/coding"
	"orbweaver/internal/step"
	"orbweaver/page/office"
	"orbweaver/rdf"
	"orbweaver/rdf/iri"
	"orbweaver/rdf/syntax"
	rdfdoc "orbweaver/rdf/syntax/document"
	"orbweaver/rdf/syntax/jsonld"
)

// Limits of a packed dump.
const (
	maxNested    = 4        // packings within one another: a .nt.gz in a .tar.gz has three
	maxMembers   = 10_000   // files of an archive; further ones are not looked at
	maxWindow    = 64 << 20 // bytes of the window of xz and zstd
	maxGrown     = 20       // times Options.MaxDump: bytes unpacked
	maxRatio     = 250      // bytes unpacked by byte received, beyond freeUnpacked
	freeUnpacked = 64 << 20 // bytes that any dump may have
)

// errEnough ends a walk whose consumer has seen enough.
var errEnough = errors.New("enough")

// A dump is data of RDF in an archive or compressed, or both. It is unpacked as it is read, and read anew each
// time: a walk holds one member's buffers, whatever the size.
type dump struct {
	body        []byte
	name        string // of the file, by its URL
	contentType string
	most        int64 // bytes unpacked, by all packings together
	base        syntax.Options
	reading     Options
}

// newDump returns the dump in a body; false if the body is not packed. limit is Options.MaxDump.
func newDump(body []byte, contentType string, request orbweaver.Request, limit int64) (*dump, bool) {
	if packingOf(body) == "" || bytes.HasPrefix(body, []byte("PK")) && (general(body, "") != "application/zip" || office.TypeOf(body) != "") {
		return nil, false // an office document is a ZIP file too
	}
	most := max(int64(len(body))*maxRatio, freeUnpacked)
	return &dump{
		body: body, name: documentName(request.URL), contentType: contentType, most: min(most, limit*maxGrown),
	}, true
}

// packingOf names what the first bytes of a file say that it is packed by; empty: nothing that is read. A tar file is
// recognized by the name of its format, as all but those of before 1988 have it.
func packingOf(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b, 8}):
		return "gzip"
	case bytes.HasPrefix(head, []byte("BZh")):
		return "bzip2"
	case bytes.HasPrefix(head, []byte("\xfd7zXZ\x00")):
		return "xz"
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return "zstd"
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return "zip"
	case len(head) > 262 && string(head[257:262]) == "ustar":
		return "tar"
	}
	return ""
}

// A member is a document of RDF in a dump.
type member struct {
	n         int // position, from 0
	name      string
	mediaType string
	alone     bool // the dump is this document, compressed
	r         io.Reader
}

// A walk is one pass over a dump.
type walk struct {
	p    *dump
	left int64 // bytes that may be unpacked yet
	seen int   // files
	n    int   // documents of RDF
	do   func(member) error
}

// each calls do for each document of RDF, in order. It returns do's error, or one that wraps ErrTooLarge for a dump
// that passes a limit. What is broken off counts as ended there.
func (p *dump) each(do func(member) error) error {
	w := &walk{p: p, left: p.most, do: do}
	return w.file(bytes.NewReader(p.body), p.name, p.contentType, 0)
}

// file reads a file, which may be packed itself.
func (w *walk) file(r io.Reader, name, contentType string, depth int) error {
	in := bufio.NewReaderSize(r, sniffed)
	head, err := in.Peek(sniffed)
	if errors.Is(err, orbweaver.ErrTooLarge) {
		return err
	}
	if depth < maxNested {
		switch packing := packingOf(head); packing {
		case "":
		case "zip":
			if depth > 0 {
				return nil // its directory is at its end: it cannot be streamed
			}
			return w.zip()
		case "tar":
			return w.tar(in, depth)
		default:
			return w.compressed(in, packing, name, contentType, depth)
		}
	}
	declared, ok := rdfInside(head, name, contentType)
	if !ok {
		return nil
	}
	m := member{n: w.n, name: name, mediaType: mediaType(head, declared), alone: w.seen == 0, r: in}
	w.n++
	return w.do(m)
}

// compressed reads the file in a compressed one. The name without its extension tells what is inside; without one, the
// name that gzip keeps.
func (w *walk) compressed(in io.Reader, packing, name, contentType string, depth int) error {
	var r io.Reader
	inner := trimPacked(name)
	switch packing {
	case "gzip":
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil
		}
		if r = z; inner == name && z.Name != "" {
			inner = trimPacked(z.Name)
		}
	case "bzip2":
		r = bzip2.NewReader(in)
	case "xz":
		z, err := xz.NewReader(in, maxWindow)
		if err != nil {
			return nil
		}
		r = z
	case "zstd":
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil
		}
		defer z.Close()
		r = z
	}
	return w.file(&counted{w: w, r: r}, inner, contentType, depth+1)
}

// tar reads the files of a tar file.
func (w *walk) tar(in io.Reader, depth int) error {
	for t := tar.NewReader(in); ; {
		header, err := t.Next()
		switch {
		case errors.Is(err, orbweaver.ErrTooLarge):
			return err
		case err != nil:
			return nil // its end, or where it is broken
		}
		if w.seen++; w.seen > maxMembers {
			return nil
		}
		if header.Typeflag != tar.TypeReg {
			continue
		}
		if err := w.file(t, path.Base(header.Name), "", depth+1); err != nil {
			return err
		}
	}
}

// zip reads the files of the ZIP file that the body is.
func (w *walk) zip() error {
	z, err := zip.NewReader(bytes.NewReader(w.p.body), int64(len(w.p.body)))
	if err != nil {
		return nil
	}
	for _, f := range z.File {
		if w.seen++; w.seen > maxMembers {
			return nil
		}
		if !f.Mode().IsRegular() {
			continue
		}
		r, err := f.Open()
		if err != nil {
			continue // an unknown method
		}
		err = w.file(&counted{w: w, r: r}, path.Base(f.Name), "", 1)
		_ = r.Close() // nothing is held but a buffer
		if err != nil {
			return err
		}
	}
	return nil
}

// A counted reader is charged for what it unpacks. It ends where the stream is broken.
type counted struct {
	w *walk
	r io.Reader
}

// Read reads; ErrTooLarge: the dump is over its limit.
func (c *counted) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	if c.w.left -= int64(n); c.w.left < 0 {
		p := c.w.p
		return 0, fmt.Errorf("dump of %d bytes unpacks to more than %d: %w", len(p.body), p.most, orbweaver.ErrTooLarge)
	}
	if err != nil {
		err = io.EOF
	}
	return n, err
}

// quads ranges over the statements of all members. An error of the dump is the last.
func (p *dump) quads(yield func(rdf.Quad, error) bool) {
	p.members(func(_ member, q rdf.Quad, err error) bool { return yield(q, err) })
}

// members is quads, with the member of each.
func (p *dump) members(yield func(member, rdf.Quad, error) bool) {
	err := p.each(func(m member) error {
		for q, err := range p.documentOf(m) {
			if errors.Is(err, orbweaver.ErrTooLarge) {
				return err
			}
			if err == nil && m.n > 0 {
				q.S, q.O, q.G = renamed(q.S, m.n), renamed(q.O, m.n), renamed(q.G, m.n)
			}
			if !yield(m, q, err) {
				return errEnough
			}
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		yield(member{}, rdf.Quad{}, err)
	}
}

// documentOf returns the statements of a member. JSON-LD is read with the contexts within it alone.
func (p *dump) documentOf(m member) iter.Seq2[rdf.Quad, error] {
	opts := p.base
	opts.Name += " (" + m.name + ")"
	if m.mediaType == typeLDJSON {
		opts.Lenient = false
		return jsonld.Read(m.r, jsonld.Options{Options: opts, MaxValues: maxValues, MaxContextBytes: maxContextBytes})
	}
	return p.reading.told(opts, func(o syntax.Options) iter.Seq2[rdf.Quad, error] { return rdfdoc.Quads(m.r, formatOf(m.mediaType), o) })
}

// renamed renames a blank node of a later member: the nodes of two documents are never the same.
func renamed(t rdf.Term, n int) rdf.Term {
	switch t.Kind {
	case rdf.Blank:
		t.Value = "d" + strconv.Itoa(n) + "." + t.Value
	case rdf.TripleTerm:
		return t.Map(func(part rdf.Term) rdf.Term { return renamed(part, n) })
	}
	return t
}

// readDump fills a page from a packed dump, and reports whether it is one: whether RDF is in it. The error wraps
// ErrTooLarge.
func (r *Reader) readDump(page *orbweaver.Page, p *dump) (ok bool, err error) {
	if _ = p.each(func(m member) error {
		packing := packingOf(p.body)
		ok = m.mediaType != typeLDJSON || !m.alone || packing != "gzip" && packing != "bzip2" // those are read with their contexts
		page.MediaType = m.mediaType
		return errEnough
	}); !ok {
		return false, nil // what is too large and no RDF, nobody wants
	}
	p.reading = r.opts
	p.base = syntax.Options{Name: page.URL, Base: iri.Encode(page.URL), Lenient: true}
	if page.MediaType == typeLDJSON {
		page.MediaType = typeNQuads // the data is read already: no context is fetched for a member
	}
	page.Body, page.Quads = p.body, p.quads
	g := newGraph(page, r.opts)
	mistakes := 0
	p.base.OnError = func(error) { mistakes++ }
	last, count, alone, failed := -1, rdf.Count{In: rdf.InArchive}, true, error(nil)
	p.members(func(m member, q rdf.Quad, err error) bool {
		if errors.Is(err, orbweaver.ErrTooLarge) {
			failed = err
			return false
		}
		if err != nil {
			mistakes++
			return true
		}
		g.add(q)
		if count.Triples++; m.n != last {
			last, alone = m.n, m.alone
			count.Documents++
		}
		return true
	})
	p.base.OnError = nil // Quads may be read by several goroutines
	flawed(page, flawRDF, mistakes)
	if failed != nil {
		page.Body, page.Quads = nil, nil
		return true, failed
	}
	g.finish()
	switch {
	case count.Documents == 1 && alone:
		page.Data = inDocument(count.Triples)
	case count.Documents > 0:
		page.Data = []rdf.Count{count}
	}
	return true, nil
}

// isDump reports whether the page of a response is read under Options.MaxDump.
func (r *Reader) isDump(resp *step.Response) bool { return r.opts.MaxDump > 0 && resp.Dump() }

// checkSize returns the error for a body over MaxBody that is no document of RDF in a syntax that is streamed.
func (r *Reader) checkSize(mediaType string, body []byte) error {
	if int64(len(body)) > r.opts.MaxBody && formatOf(mediaType) == syntax.Unknown {
		return coding.TooLarge(r.opts.MaxBody)
	}
	return nil
}
