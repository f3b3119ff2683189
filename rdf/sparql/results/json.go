package results

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"orbweaver/rdf"
	"orbweaver/rdf/jsontext"
)

// A jsonValue is a string, or the object of a triple term. Numbers and booleans, which some endpoints send instead, are converted to text.
type jsonValue struct {
	text   string // of an object as it is
	object bool
}

// UnmarshalJSON reads a value.
func (v *jsonValue) UnmarshalJSON(data []byte) error {
	switch {
	case len(data) > 0 && data[0] == '"':
		return json.Unmarshal(data, &v.text)
	case string(data) == "null":
	case len(data) > 0 && data[0] == '[':
		return errors.New("a value that is no string")
	default:
		v.text, v.object = string(data), data[0] == '{'
	}
	return nil
}

// A jsonTerm is a term in JSON.
type jsonTerm struct {
	Type     string    `json:"type"`
	Value    jsonValue `json:"value"`
	Datatype string    `json:"datatype"`
	XMLLang  string    `json:"xml:lang"`
	Lang     string    `json:"lang"`
	Dir      string    `json:"its:dir"`
}

// A jsonTriple is the value of a triple term.
type jsonTriple struct {
	Subject   jsonTerm `json:"subject"`
	Predicate jsonTerm `json:"predicate"`
	Object    jsonTerm `json:"object"`
}

// A jsonReader reads an answer in JSON.
type jsonReader struct {
	*source
	d       *json.Decoder
	vars    []string
	hasHead bool
	boolean *bool
	early   []map[string]jsonTerm // rows before the head
	inRows  bool                  // the decoder is in the array of rows
}

func readJSON(s *source) (*Results, error) {
	in := bufio.NewReader(s)
	if start, _ := in.Peek(3); string(start) == "\ufeff" {
		in.Discard(3)
	}
	r := &jsonReader{source: s, d: json.NewDecoder(jsontext.NewReader(in))}
	if err := r.expect(json.Delim('{')); err != nil {
		return nil, err
	}
	err := r.members(func(key string) error {
		switch {
		case key == "head" && !r.hasHead:
			return r.head()
		case key == "boolean" && r.boolean == nil:
			return r.d.Decode(&r.boolean)
		case key == "results" && !r.inRows && r.early == nil:
			return r.results()
		}
		return r.skip()
	})
	if err != nil {
		return nil, err
	}
	switch {
	case r.boolean != nil:
		return &Results{Vars: []string{}, Boolean: r.boolean}, nil
	case !r.inRows && r.early == nil:
		return nil, errors.New("neither results nor a boolean")
	case !r.hasHead:
		r.vars = r.names()
	}
	by, vars, err := newColumns(r.vars)
	if err != nil {
		return nil, err
	}
	return &Results{Vars: vars, Rows: func(yield func(Row, error) bool) { r.rows(by, yield) }}, nil
}

// expect reads a delimiter.
func (r *jsonReader) expect(want json.Delim) error {
	r.complete()
	t, err := r.d.Token()
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if err == nil && t != want {
		err = fmt.Errorf("%v at byte %d, where %q should be", t, r.d.InputOffset(), rune(want))
	}
	return err
}

// members reads an object, which has been opened, and calls f at each value, until the rows are
// reached.
func (r *jsonReader) members(f func(key string) error) error {
	for r.d.More() {
		r.complete()
		key, err := r.d.Token()
		if err != nil {
			return err
		}
		if err := f(key.(string)); err != nil || r.inRows {
			return err
		}
	}
	return r.expect('}')
}

// skip skips a value.
func (r *jsonReader) skip() error {
	for depth := 0; ; {
		r.complete()
		t, err := r.d.Token()
		if err != nil {
			return err
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth > maxDepth {
			return fmt.Errorf("nested more than %d deep: %w", maxDepth, ErrLimit)
		}
		if depth == 0 {
			return nil
		}
	}
}

// head reads the names of the columns.
func (r *jsonReader) head() error {
	r.hasHead = true
	if err := r.expect('{'); err != nil {
		return err
	}
	return r.members(func(key string) error {
		if key != "vars" {
			return r.skip()
		}
		if err := r.expect('['); err != nil {
			return err
		}
		for r.d.More() && len(r.vars) <= maxVars {
			var name string
			if err := r.d.Decode(&name); err != nil {
				return err
			}
			r.vars = append(r.vars, name)
		}
		return r.expect(']')
	})
}

// results moves to the first row. Without a head it reads all rows, since the head may follow them.
func (r *jsonReader) results() error {
	if err := r.expect('{'); err != nil {
		return err
	}
	r.early = make([]map[string]jsonTerm, 0)
	return r.members(func(key string) error {
		if key != "bindings" {
			return r.skip()
		}
		if err := r.expect('['); err != nil {
			return err
		}
		if r.inRows = r.hasHead; r.inRows {
			return nil
		}
		for r.d.More() {
			row, err := r.row()
			if err != nil {
				return err
			}
			if r.early = append(r.early, row); len(r.early) > r.opts.MaxRows {
				return fmt.Errorf("more than %d rows: %w", r.opts.MaxRows, ErrLimit)
			}
		}
		return r.expect(']')
	})
}

// row reads one row.
func (r *jsonReader) row() (row map[string]jsonTerm, err error) {
	r.complete()
	return row, r.d.Decode(&row)
}

// names returns the sorted names in rows without a head.
func (r *jsonReader) names() (names []string) {
	seen := map[string]bool{}
	for _, row := range r.early {
		for name := range row {
			if !seen[name] {
				seen[name] = true
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// rows yields the rows.
func (r *jsonReader) rows(by columns, yield func(Row, error) bool) {
	for _, early := range r.early {
		if row, err := r.terms(early, by); !yield(row, err) || err != nil {
			return
		}
	}
	if !r.inRows {
		return
	}
	for r.d.More() {
		terms, err := r.row()
		var row Row
		if err == nil {
			row, err = r.terms(terms, by)
		}
		if !yield(row, err) || err != nil {
			return
		}
	}
	for range 3 { // ends of rows, results and answer
		if err := r.end(); err != nil {
			yield(nil, err)
			return
		}
	}
}

// end reads to the end of the current object or array.
func (r *jsonReader) end() error {
	for r.d.More() {
		if err := r.skip(); err != nil {
			return err
		}
	}
	r.complete()
	_, err := r.d.Token()
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// terms returns the terms of a row by column.
func (r *jsonReader) terms(in map[string]jsonTerm, by columns) (Row, error) {
	row := make(Row, len(by))
	for name, t := range in {
		column, ok := by[name]
		if !ok {
			return nil, fmt.Errorf("a value of ?%s, which the head does not list", name)
		}
		if t == (jsonTerm{}) { // {} or null is unbound
			continue
		}
		var err error
		if row[column], err = r.term(t, 0); err != nil {
			return nil, fmt.Errorf("?%s: %w", name, err)
		}
	}
	return row, nil
}

// term returns a term, which is within depth triple terms.
func (r *jsonReader) term(t jsonTerm, depth int) (rdf.Term, error) {
	if t.Value.object != (t.Type == "triple") {
		return rdf.Term{}, errors.New("a value that is no string, or a triple whose value is one")
	}
	switch t.Type {
	case "uri", "iri":
		return r.iri(t.Value.text), nil
	case "bnode":
		return blank(t.Value.text), nil
	case "literal", "typed-literal":
		return r.literal(t.Value.text, t.Datatype, t.XMLLang+t.Lang, t.Dir), nil
	case "triple":
		if depth >= rdf.MaxTripleDepth {
			return rdf.Term{}, errDeep
		}
		var in jsonTriple
		if err := json.Unmarshal([]byte(t.Value.text), &in); err != nil {
			return rdf.Term{}, err
		}
		var out rdf.Triple
		for _, part := range [...]struct {
			into *rdf.Term
			term jsonTerm
		}{{&out.S, in.Subject}, {&out.P, in.Predicate}, {&out.O, in.Object}} {
			var err error
			if *part.into, err = r.term(part.term, depth+1); err != nil {
				return rdf.Term{}, err
			}
		}
		return quote(out)
	case "":
		return rdf.Term{}, errors.New("a term without a type")
	}
	return rdf.Term{}, fmt.Errorf("a term of type %q", t.Type)
}

// A jsonWriter writes rows in JSON, one a line.
type jsonWriter struct {
	out   *bufio.Writer
	names [][]byte // of columns, quoted
	buf   []byte
	rows  int
}

func newJSONWriter(out *bufio.Writer, vars []string) *jsonWriter {
	w := &jsonWriter{out: out}
	out.WriteString(`{"head":{"vars":[`)
	for i, name := range vars {
		w.names = append(w.names, appendJSON(nil, name))
		if i > 0 {
			out.WriteByte(',')
		}
		out.Write(w.names[i])
	}
	out.WriteString("]},\"results\":{\"bindings\":[\n")
	return w
}

// Write writes a row.
func (w *jsonWriter) Write(row Row) error {
	b := w.buf[:0]
	if w.rows++; w.rows > 1 {
		b = append(b, ",\n"...)
	}
	b = append(b, '{')
	first := true
	for i, name := range w.names {
		if i >= len(row) || row[i].IsZero() {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(append(b, name...), ':')
		b = appendJSONTerm(b, row[i])
	}
	w.buf = append(b, '}')
	_, err := w.out.Write(w.buf)
	return err
}

func appendJSONTerm(b []byte, t rdf.Term) []byte {
	kind := "literal"
	switch t.Kind {
	case rdf.TripleTerm:
		triple, _ := t.Triple()
		b = appendJSONTerm(append(b, `{"type":"triple","value":{"subject":`...), triple.S)
		b = appendJSONTerm(append(b, `,"predicate":`...), triple.P)
		b = appendJSONTerm(append(b, `,"object":`...), triple.O)
		return append(b, "}}"...)
	case rdf.IRI:
		kind = "uri"
	case rdf.Blank:
		kind = "bnode"
	}
	b = append(append(b, `{"type":"`...), kind...)
	b = appendJSON(append(b, `","value":`...), t.Value)
	switch {
	case t.Lang != "":
		b = appendJSON(append(b, `,"xml:lang":`...), t.Lang)
		if t.Dir != rdf.Undirected {
			b = appendJSON(append(b, `,"its:dir":`...), t.Dir.String())
		}
	case t.Kind == rdf.Literal && t.Datatype != rdf.XSDString:
		b = appendJSON(append(b, `,"datatype":`...), t.Datatype)
	}
	return append(b, '}')
}

// Close writes the end.
func (w *jsonWriter) Close() error {
	w.out.WriteString("\n]}}\n")
	return w.out.Flush()
}

// appendJSON appends a quoted string.
func appendJSON(b []byte, s string) []byte {
	b = append(b, '"')
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '"', r == '\\':
			b = append(b, '\\', byte(r))
		case r < ' ', r == 0x7F, r == utf8.RuneError && size == 1:
			b = fmt.Appendf(b, `\u%04x`, r)
		default:
			b = append(b, s[i:i+size]...)
		}
		i += size
	}
	return append(b, '"')
}
