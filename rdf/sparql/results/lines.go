package results

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"orbweaver/rdf"
	"orbweaver/rdf/iri"
	"orbweaver/rdf/syntax/ntriples"
)

// A lineReader reads CSV or TSV.
type lineReader struct {
	*source
	in     *bufio.Reader
	format Format
	line   int // from 1; the current one
}

func readLines(s *source, f Format) (*Results, error) {
	r := &lineReader{source: s, in: bufio.NewReader(s), format: f}
	if start, _ := r.in.Peek(3); string(start) == "\ufeff" {
		r.in.Discard(3)
	}
	fields, err := r.fields()
	if err == io.EOF {
		return nil, io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, err
	}
	names := make([]string, len(fields))
	for i, field := range fields {
		names[i] = strings.TrimLeft(strings.Trim(strings.TrimSpace(field), `"`), "?$")
	}
	if len(names) == 1 && names[0] == "" {
		names = nil
	}
	by, vars, err := newColumns(names)
	if err == nil && len(by) < len(names) {
		err = errors.New("two columns of one name")
	}
	return &Results{Vars: vars, Rows: func(yield func(Row, error) bool) { r.rows(len(vars), yield) }}, err
}

// rows yields the rows.
func (r *lineReader) rows(columns int, yield func(Row, error) bool) {
	for {
		fields, err := r.fields()
		if err == io.EOF {
			return
		}
		var row Row
		if err == nil {
			row, err = r.terms(fields, columns)
		}
		if err != nil {
			err = fmt.Errorf("line %d: %w", r.line, err)
		}
		if !yield(row, err) || err != nil {
			return
		}
	}
}

// fields reads a line, or in CSV as many as quotes span; io.EOF at the end. Invalid UTF-8 becomes U+FFFD.
func (r *lineReader) fields() (fields []string, err error) {
	r.complete()
	r.line++
	if r.format == CSV {
		fields, err = r.quotedFields()
	} else {
		fields, err = r.tabbedFields()
	}
	for i, field := range fields {
		fields[i] = strings.ToValidUTF8(field, "\uFFFD")
	}
	return fields, err
}

// tabbedFields reads a line of TSV.
func (r *lineReader) tabbedFields() (fields []string, err error) {
	line, err := r.in.ReadString('\n')
	if err == io.EOF && line != "" {
		err = nil
	}
	return strings.Split(strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"), "\t"), err
}

// quotedFields reads a record of CSV (RFC 4180).
func (r *lineReader) quotedFields() (fields []string, err error) {
	var field strings.Builder
	quoted, empty := false, true
	for {
		c, err := r.in.ReadByte()
		switch {
		case err == io.EOF && quoted:
			return nil, fmt.Errorf("a quote without end: %w", io.ErrUnexpectedEOF)
		case err == io.EOF && empty:
			return nil, io.EOF
		case err == io.EOF:
			return append(fields, field.String()), nil
		case err != nil:
			return nil, err
		}
		empty = false
		switch {
		case quoted && c == '"':
			if next, _ := r.in.Peek(1); len(next) == 1 && next[0] == '"' {
				r.in.Discard(1)
				field.WriteByte('"')
			} else {
				quoted = false
			}
		case quoted:
			field.WriteByte(c)
		case c == '"' && field.Len() == 0:
			quoted = true
		case c == ',':
			if fields = append(fields, field.String()); len(fields) > maxVars {
				return nil, ErrLimit
			}
			field.Reset()
		case c == '\n':
			return append(fields, strings.TrimSuffix(field.String(), "\r")), nil
		default:
			field.WriteByte(c)
		}
	}
}

// terms returns the terms of a row. An answer without columns has one empty field.
func (r *lineReader) terms(fields []string, columns int) (Row, error) {
	if columns == 0 && len(fields) == 1 && fields[0] == "" {
		return Row{}, nil
	}
	if len(fields) != columns {
		return nil, fmt.Errorf("%d values, not %d", len(fields), columns)
	}
	row := make(Row, columns)
	for i, field := range fields {
		var err error
		if r.format == CSV {
			row[i] = r.guess(field)
		} else if row[i], err = r.term(strings.Trim(field, " ")); err != nil {
			return nil, fmt.Errorf("value %d: %w", i+1, err)
		}
	}
	return row, nil
}

// guess returns the probable term of a CSV field, since the format has no types. An empty field is unbound,
// "_:" starts a blank node, and a URL or URN is an IRI; all else is a string.
func (r *lineReader) guess(field string) rdf.Term {
	if label, ok := strings.CutPrefix(field, "_:"); ok {
		return blank(label)
	}
	scheme, rest, _ := strings.Cut(field, ":")
	switch {
	case field == "":
		return rdf.Term{}
	case (strings.HasPrefix(rest, "//") || scheme == "urn" || scheme == "mailto") && iri.Check(field) == nil:
		return rdf.NewIRI(field)
	}
	return rdf.NewString(field)
}

// A lineWriter writes CSV or TSV.
type lineWriter struct {
	out     *bufio.Writer
	format  Format
	columns int
	buf     []byte
}

func newLineWriter(out *bufio.Writer, f Format, vars []string) *lineWriter {
	w := &lineWriter{out: out, format: f, columns: len(vars)}
	for i, name := range vars {
		if f == TSV {
			w.between(i, "\t?")
		} else {
			w.between(i, ",")
		}
		out.WriteString(name)
	}
	w.endLine()
	return w
}

// between writes the separator before a column, except the first.
func (w *lineWriter) between(column int, separator string) {
	if column == 0 {
		separator = separator[1:]
	}
	w.out.WriteString(separator)
}

func (w *lineWriter) endLine() error {
	if w.format == CSV {
		w.out.WriteByte('\r')
	}
	return w.out.WriteByte('\n')
}

// Write writes a row.
func (w *lineWriter) Write(row Row) error {
	for i := range w.columns {
		var t rdf.Term
		if i < len(row) {
			t = row[i]
		}
		if w.format == CSV {
			w.between(i, ",")
			w.plain(t)
			continue
		}
		w.between(i, "\t")
		w.buf = appendTerm(w.buf[:0], t)
		w.out.Write(w.buf)
	}
	return w.endLine()
}

// plain writes a CSV field, quoted if necessary.
func (w *lineWriter) plain(t rdf.Term) {
	text := t.Value
	switch t.Kind {
	case rdf.Blank:
		text = "_:" + text
	case rdf.TripleTerm:
		text = string(ntriples.AppendTerm(nil, t))
	}
	if strings.ContainsAny(text, "\",\r\n") {
		text = `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	}
	w.out.WriteString(text)
}

// Close flushes the writer.
func (w *lineWriter) Close() error { return w.out.Flush() }

// appendTerm appends a term in Turtle, on one line and without tabs; numbers without quotes.
func appendTerm(b []byte, t rdf.Term) []byte {
	if t.Kind == rdf.Literal && t.Datatype == numberType(t.Value) {
		return append(b, t.Value...)
	}
	start := len(b)
	b = ntriples.AppendTerm(b, t)
	if !strings.Contains(t.Value, "\t") {
		return b
	}
	return append(b[:start], strings.ReplaceAll(string(b[start:]), "\t", `\t`)...)
}

// numberType returns the datatype of a number that Turtle writes without quotes, or "".
func numberType(s string) string {
	if s != "" && (s[0] == '+' || s[0] == '-') {
		s = s[1:]
	}
	mantissa, exponent, isDouble := strings.Cut(strings.Replace(s, "E", "e", 1), "e")
	whole, fraction, isDecimal := strings.Cut(mantissa, ".")
	digits := func(s string) bool { return strings.Trim(s, "0123456789") == "" }
	switch {
	case s == "" || !digits(whole) || !digits(fraction) || whole+fraction == "":
		return ""
	case isDouble:
		exponent = strings.TrimPrefix(strings.TrimPrefix(exponent, "-"), "+")
		if exponent == "" || !digits(exponent) {
			return ""
		}
		return rdf.XSDDouble
	case isDecimal && fraction == "":
		return ""
	case isDecimal:
		return rdf.XSDDecimal
	}
	return rdf.XSDInteger
}
