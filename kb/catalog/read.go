package catalog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/klauspost/compress/gzip"

	"orbweaver/rdf"
	"orbweaver/rdf/jsontext"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/document"
	"orbweaver/rdf/syntax/jsonld"
)

// sniffed is the number of bytes of a document examined to determine its syntax.
const sniffed = 4 << 10

// Read reads a catalogue of any kind, possibly compressed by gzip. The format is determined by its bytes,
// then by media type and name. The error names an unreadable catalogue: it wraps ErrUnknown, ErrPage,
// ErrTooLarge or a read error. All other defects are Problems.
func Read(in io.Reader, o Options) (Catalogue, error) {
	o.Limits = o.Limits.filled()
	b, err := unpacked(in, o.Limits.Bytes)
	if err != nil {
		return Catalogue{}, fmt.Errorf("%s: %w", o.Name, err)
	}
	b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	kind, format, err := detect(b, o)
	if err != nil {
		return Catalogue{}, fmt.Errorf("%s: %w", o.Name, err)
	}
	r := newReading(kind, o)
	switch kind {
	case CKAN:
		r.ckan(r.mended(b))
	case LODCloud:
		r.lodCloud(r.mended(b))
	case List:
		r.list(b)
	default:
		r.rdf(r.statements(b, format, o))
	}
	return r.catalogue, nil
}

// mended returns JSON without what programs in other languages write into it. That it had such things is a problem.
func (r *reading) mended(b []byte) []byte {
	in := jsontext.NewReader(bytes.NewReader(b))
	out, _ := io.ReadAll(in) // has no errors
	n, first := in.Flaws()
	if n == 0 {
		return b
	}
	r.problem("", "mended: %s, and %d more flaws of its JSON", first, n-1)
	return out
}

// Quads reads DCAT, VoID and service descriptions from quads, ignoring their graphs. An error in the sequence
// becomes a problem.
func Quads(quads iter.Seq2[rdf.Quad, error], o Options) Catalogue {
	o.Limits = o.Limits.filled()
	r := newReading(RDF, o)
	r.rdf(quads)
	return r.catalogue
}

// unpacked reads all bytes, up to the limit, and decompresses gzip.
func unpacked(in io.Reader, limit int64) ([]byte, error) {
	b, err := upTo(in, limit)
	if err != nil || !bytes.HasPrefix(b, []byte{0x1f, 0x8b}) {
		return b, err
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	return upTo(z, limit)
}

func upTo(in io.Reader, limit int64) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(in, limit+1))
	if err == nil && int64(len(b)) > limit {
		err = fmt.Errorf("%w: more than %d bytes", ErrTooLarge, limit)
	}
	return b, err
}

// detect returns the kind of a catalogue, and for RDF the syntax; Unknown means JSON-LD.
func detect(b []byte, o Options) (Kind, syntax.Format, error) {
	start := bytes.TrimLeft(b, " \t\r\n")
	head := start[:min(len(start), sniffed)]
	switch {
	case len(start) == 0:
		return "", 0, fmt.Errorf("%w: it is empty", ErrUnknown)
	case isPage(head):
		return "", 0, fmt.Errorf("%w: of a CKAN, name its API, as in https://HOST/api/3/action/package_search", ErrPage)
	case isObject(start) || start[0] == '[' && !bytes.HasPrefix(bytes.TrimLeft(start[1:], " \t\r\n"), []byte("]")) && isList(start):
		kind := ofJSON(start)
		return kind, syntax.Unknown, nil
	}
	name := strings.TrimSuffix(strings.ToLower(o.Name), ".gz")
	mediaType := strings.ToLower(o.MediaType)
	if strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml") || strings.Contains(mediaType, "yaml") {
		return List, 0, nil
	}
	if format := syntax.Detect(o.Name, o.MediaType, head); format != syntax.Unknown {
		return RDF, format, nil
	}
	if bytes.HasPrefix(head, []byte("- ")) || bytes.HasPrefix(head, []byte("---")) || bytes.HasPrefix(head, []byte("-\n")) {
		return List, 0, nil
	}
	return "", 0, fmt.Errorf("%w: it is neither JSON of CKAN or the LOD cloud, nor RDF, nor a list in YAML", ErrUnknown)
}

// isPage reports whether a document starts as HTML does. XHTML starts with the same bytes as RDF/XML.
func isPage(head []byte) bool {
	lower := bytes.ToLower(head)
	for _, tag := range [...]string{"<!doctype html", "<html", "<head", "<body"} {
		if bytes.HasPrefix(lower, []byte(tag)) {
			return true
		}
	}
	return bytes.HasPrefix(lower, []byte("<?xml")) && bytes.Contains(lower, []byte("<html")) && !bytes.Contains(lower, []byte("<rdf:rdf"))
}

// isObject reports whether a document starts as a JSON object does; TriG also has braces.
func isObject(start []byte) bool {
	if start[0] != '{' {
		return false
	}
	next := bytes.TrimLeft(start[1:], " \t\r\n")
	return len(next) > 0 && (next[0] == '"' || next[0] == '}')
}

// isList reports whether a document starts as a JSON list does; Turtle also has brackets.
func isList(start []byte) bool {
	next := bytes.TrimLeft(start[1:], " \t\r\n")
	return len(next) > 0 && (next[0] == '"' || isObject(next))
}

// maxLooked bounds the JSON members examined to determine the kind.
const maxLooked = 32

// ofJSON determines the kind of a JSON document by its first characteristic members.
func ofJSON(b []byte) (kind Kind) {
	s := newScan(b)
	opened, err := s.opens()
	if err != nil {
		return CKAN
	}
	looked, stop := 0, errors.New("seen")
	if opened == '[' {
		_ = s.elements(func(_ int, raw json.RawMessage) error { // a truncated document still shows its kind
			kind = ofItem(raw)
			return stop
		})
		return kind
	}
	kind = CKAN
	_ = s.members(func(key string) error {
		switch key {
		case "@context", "@graph", "@id", "@type":
			kind = RDF
			return stop
		case "help", "success", "result", "error":
			return stop
		}
		raw, err := s.value()
		if looked++; err == nil && isLODEntry(raw) {
			kind = LODCloud
			err = stop
		}
		if looked >= maxLooked {
			err = stop
		}
		return err
	})
	return kind
}

// ofItem returns the kind by the first item of a list.
func ofItem(raw json.RawMessage) Kind {
	var item map[string]json.RawMessage
	if json.Unmarshal(raw, &item) != nil {
		return CKAN
	}
	for key := range item {
		if strings.HasPrefix(key, "@") {
			return RDF
		}
	}
	if _, ok := item["resources"]; ok {
		return CKAN
	}
	return List
}

// isLODEntry reports whether a value is a dataset of the LOD cloud.
func isLODEntry(raw json.RawMessage) bool {
	var entry map[string]json.RawMessage
	if json.Unmarshal(raw, &entry) != nil {
		return false
	}
	for _, key := range [...]string{"_id", "sparql", "full_download", "other_download"} {
		if _, ok := entry[key]; ok {
			return true
		}
	}
	return false
}

// statements parses a document in a syntax. Parse errors become problems.
func (r *reading) statements(b []byte, format syntax.Format, o Options) iter.Seq2[rdf.Quad, error] {
	opts := syntax.Options{Name: r.name, Base: o.Base, Lenient: true, OnError: func(err error) { r.problem("", "%w", err) }}
	if opts.Base == "" && isAbsolute(o.Name) {
		opts.Base = o.Name
	}
	if format == syntax.Unknown {
		return jsonld.Read(bytes.NewReader(b), jsonld.Options{Options: opts, MaxBody: int(r.limits.Bytes)})
	}
	return document.Quads(bytes.NewReader(b), format, opts)
}
