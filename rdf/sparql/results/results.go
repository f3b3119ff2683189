// Package results reads and writes the results of SPARQL queries: the W3C's formats in JSON, XML, CSV and TSV,
// and result sets in RDF, which old test suites use. It also writes tables for terminals.
//
// Both directions stream, with one row in memory. Reading tolerates errors of endpoints that have a single
// interpretation, and bounds all memory. Graphs, the results of CONSTRUCT, are handled by packages of
// rdf/syntax.
package results

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"orbweaver/rdf"
	"orbweaver/rdf/iri"
)

// A Row is a solution, by column. The zero term is unbound.
type Row = []rdf.Term

// Results are an answer: a boolean, or rows.
type Results struct {
	Vars    []string              // the columns' names, without "?"
	Boolean *bool                 // of ASK; nil: there are rows
	Rows    iter.Seq2[Row, error] // can be ranged over once; the caller owns the rows; ends with the first error
}

// ErrLimit means that an answer exceeds Options. The part before was delivered.
var ErrLimit = errors.New("answer above the limit")

// ErrFormat means that a format does not exist or does not support such an answer.
var ErrFormat = errors.New("no format for this answer")

// Default limits.
const (
	DefaultMaxRows  = 10_000_000
	DefaultMaxBytes = 1 << 30
	DefaultMaxToken = 16 << 20 // bytes of one value or, in some formats, row
	maxDepth        = 64       // nesting depth of ignored content
	maxVars         = 1 << 15
)

// Options configure reading. The zero value has the default limits.
type Options struct {
	Name     string // name of the answer in errors; empty: Base, or "answer"
	Base     string // absolute IRI that relative ones are resolved against; empty: they stay relative
	MaxRows  int
	MaxBytes int64
	MaxToken int
}

// filled returns the options with defaults.
func (o Options) filled() Options {
	if o.Name == "" {
		o.Name = o.Base
	}
	if o.Name == "" {
		o.Name = "answer"
	}
	if o.MaxRows <= 0 {
		o.MaxRows = DefaultMaxRows
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = DefaultMaxBytes
	}
	if o.MaxToken <= 0 {
		o.MaxToken = DefaultMaxToken
	}
	return o
}

// Read reads an answer up to its first row; Rows reads the others. The error names the answer.
func Read(r io.Reader, f Format, opts Options) (*Results, error) {
	opts = opts.filled()
	in := &source{in: r, opts: opts, left: opts.MaxBytes, token: int64(opts.MaxToken)}
	var res *Results
	var err error
	switch f {
	case JSON:
		res, err = readJSON(in)
	case XML:
		res, err = readXML(in)
	case CSV, TSV:
		res, err = readLines(in, f)
	case RDF:
		res, err = readRDF(in)
	default:
		err = ErrFormat
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", opts.Name, err)
	}
	if res.Rows == nil {
		res.Rows = func(func(Row, error) bool) {}
	}
	return in.bounded(res), nil
}

// bounded limits the number of rows and adds the answer's name to errors.
func (s *source) bounded(res *Results) *Results {
	rows := res.Rows
	res.Rows = func(yield func(Row, error) bool) {
		n := 0
		for row, err := range rows {
			if n++; err == nil && n > s.opts.MaxRows {
				err = fmt.Errorf("more than %d rows: %w", s.opts.MaxRows, ErrLimit)
			}
			if err != nil {
				yield(nil, fmt.Errorf("%s: %w", s.opts.Name, err))
				return
			}
			if !yield(row, nil) {
				return
			}
		}
	}
	return res
}

// A source is the bounded input of an answer, with the parts common to all formats.
type source struct {
	in     io.Reader
	opts   Options
	left   int64 // bytes of the answer
	token  int64 // bytes left for the current value or row
	base   iri.Base
	parsed bool
}

// Read reads within the limits.
func (s *source) Read(p []byte) (int, error) {
	if s.left <= 0 || s.token <= 0 {
		return 0, ErrLimit
	}
	n, err := s.in.Read(p[:min(int64(len(p)), s.left, s.token)])
	s.left -= int64(n)
	s.token -= int64(n)
	return n, err
}

// complete marks the end of a value or row.
func (s *source) complete() { s.token = int64(s.opts.MaxToken) }

// iri returns an IRI, resolved if there is a base, with invalid characters percent-encoded.
func (s *source) iri(text string) rdf.Term {
	text = strings.TrimSpace(text)
	if !s.parsed {
		s.base, _ = iri.ParseBase(s.opts.Base) // an invalid base resolves nothing
		s.parsed = true
	}
	if !s.base.IsZero() && !iri.IsAbsolute(text) {
		if absolute, err := s.base.Resolve(text); err == nil {
			text = absolute
		}
	}
	return rdf.NewIRI(encoded(text))
}

// encoded percent-encodes the bytes that an IRI does not allow.
func encoded(text string) string {
	bad := 0
	for i := range len(text) {
		if !iri.Allowed(text[i]) {
			bad++
		}
	}
	if bad == 0 {
		return text
	}
	var b strings.Builder
	for i := range len(text) {
		if c := text[i]; iri.Allowed(c) {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// blank returns a blank node. Invalid labels of endpoints, such as "nodeID://b1", are mapped injectively to
// valid ones.
func blank(label string) rdf.Term {
	plain := label != "" && !strings.HasPrefix(label, "x_")
	for i := range len(label) {
		plain = plain && (isAlphanumeric(label[i]) || label[i] == '_' || label[i] == '-' && i > 0)
	}
	if plain {
		return rdf.NewBlank(label)
	}
	var b strings.Builder
	b.WriteString("x_")
	for i := range len(label) {
		if c := label[i]; isAlphanumeric(c) {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "_%02x", c)
		}
	}
	return rdf.NewBlank(b.String())
}

func isAlphanumeric(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// tag returns a language tag without invalid characters; "en_US" becomes "en-US".
func tag(lang string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '_':
			return '-'
		case r == '-', r < 0x80 && isAlphanumeric(byte(r)):
			return r
		}
		return -1
	}, lang)
}

// literal returns a literal. A language overrides the datatype; a direction that is none is ignored.
func (s *source) literal(value, datatype, lang, dir string) rdf.Term {
	if lang != "" {
		lang = tag(lang)
	}
	switch {
	case lang != "":
		d, _ := rdf.DirectionOf(dir)
		return rdf.NewDirLang(value, lang, d)
	case datatype == "", datatype == rdf.LangString, datatype == rdf.DirLangString:
		return rdf.NewString(value)
	}
	return rdf.NewTyped(value, s.iri(datatype).Value)
}

var (
	errDeep  = fmt.Errorf("triple terms nested more than %d deep: %w", rdf.MaxTripleDepth, ErrLimit)
	errParts = errors.New("a triple term without its three terms, or of others than RDF allows")
)

// quote makes a term of a triple.
func quote(t rdf.Triple) (rdf.Term, error) {
	if !t.IsValid() {
		return rdf.Term{}, errParts
	}
	return rdf.NewTripleTerm(t), nil
}

// columns maps names to columns.
type columns map[string]int

// newColumns returns the columns, and the distinct names.
func newColumns(names []string) (columns, []string, error) {
	if len(names) > maxVars {
		return nil, nil, fmt.Errorf("%d columns: %w", len(names), ErrLimit)
	}
	by := make(columns, len(names))
	kept := make([]string, 0, len(names))
	for _, name := range names {
		if _, again := by[name]; !again {
			by[name] = len(kept)
			kept = append(kept, name)
		}
	}
	return by, kept, nil
}

// A Writer writes rows. Missing values at the end of a row are unbound. After an error a Writer is unusable.
type Writer interface {
	Write(Row) error
	// Close completes the output. It does not close the underlying writer.
	Close() error
}

// NewWriter returns a writer of rows with the named columns, without "?". For a read-only format its methods
// return errors that wrap ErrFormat.
func NewWriter(w io.Writer, f Format, vars []string) Writer {
	out := bufio.NewWriterSize(w, 32<<10)
	switch f {
	case JSON:
		return newJSONWriter(out, vars)
	case XML:
		return newXMLWriter(out, vars)
	case CSV, TSV:
		return newLineWriter(out, f, vars)
	}
	return noWriter{f}
}

type noWriter struct{ f Format }

func (n noWriter) Write(Row) error { return fmt.Errorf("%v: %w", n.f, ErrFormat) }
func (n noWriter) Close() error    { return n.Write(nil) }

// WriteBoolean writes the answer of ASK. CSV and TSV do not define it; there it is the bare word.
func WriteBoolean(w io.Writer, f Format, b bool) error {
	var text string
	switch f {
	case JSON:
		text = fmt.Sprintf("{\"head\":{},\"boolean\":%t}\n", b)
	case XML:
		text = fmt.Sprintf("%s<head></head>\n<boolean>%t</boolean>\n</sparql>\n", xmlStart, b)
	case CSV:
		text = fmt.Sprintf("%t\r\n", b)
	case TSV:
		text = fmt.Sprintf("%t\n", b)
	default:
		return fmt.Errorf("%v: %w", f, ErrFormat)
	}
	_, err := io.WriteString(w, text)
	return err
}
