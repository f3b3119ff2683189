package results

import (
	"bufio"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"golang.org/x/net/html/charset"

	"orbweaver/rdf"
)

// An xmlReader reads an answer in XML. Names count, namespaces do not: old endpoints have their own.
type xmlReader struct {
	*source
	d     *xml.Decoder
	depth int
}

func readXML(s *source) (*Results, error) {
	r := &xmlReader{source: s, d: xml.NewDecoder(&legible{in: bufio.NewReader(s)})}
	r.d.CharsetReader = charset.NewReaderLabel
	// A bare ampersand is itself; &nbsp; is what it is in HTML.
	r.d.Strict, r.d.Entity = false, xml.HTMLEntity
	root, err := r.start()
	if err != nil {
		return nil, err
	}
	if root.Name.Local != "sparql" {
		return nil, fmt.Errorf("<%s>, where <sparql> should be", root.Name.Local)
	}
	var names []string
	for {
		child, err := r.child()
		if err != nil {
			return nil, err
		}
		if child == nil {
			return nil, errors.New("neither results nor a boolean")
		}
		switch child.Name.Local {
		case "head":
			if names, err = r.head(); err != nil {
				return nil, err
			}
		case "boolean":
			text, err := r.text()
			if err != nil {
				return nil, err
			}
			b := strings.TrimSpace(text) == "true" || strings.TrimSpace(text) == "1"
			return &Results{Vars: []string{}, Boolean: &b}, nil
		case "results":
			by, vars, err := newColumns(names)
			if err != nil {
				return nil, err
			}
			return &Results{Vars: vars, Rows: func(yield func(Row, error) bool) { r.rows(by, yield) }}, nil
		default:
			if err := r.skip(); err != nil {
				return nil, err
			}
		}
	}
}

// legible gives blanks for the control characters that XML does not have, written out or by reference.
type legible struct{ in *bufio.Reader }

// Read is for what turns another encoding into UTF-8.
func (l *legible) Read(p []byte) (int, error) {
	n, err := l.in.Read(p)
	for i, c := range p[:n] {
		p[i] = legibly(c)
	}
	return n, err
}

// ReadByte is for the decoder.
func (l *legible) ReadByte() (byte, error) {
	c, err := l.in.ReadByte()
	if c != '&' || err != nil {
		return legibly(c), err
	}
	ahead, _ := l.in.Peek(len("#x0001f;"))
	if m := controlRef.Find(ahead); m != nil {
		l.in.Discard(len(m))
		return ' ', nil
	}
	return c, nil
}

// controlRef is what follows an ampersand in a reference to a control, without tab and line ends.
var controlRef = regexp.MustCompile(`^#(0*([0-8]|1[124-9]|2[0-9]|3[01])|x0*([0-8bBcCeEfF]|1[0-9a-fA-F]));`)

func legibly(c byte) byte {
	if c < ' ' && c != '\t' && c != '\n' && c != '\r' {
		return ' '
	}
	return c
}

// token reads a token, and keeps count of depth.
func (r *xmlReader) token() (xml.Token, error) {
	r.complete()
	t, err := r.d.Token()
	if err == io.EOF && r.depth > 0 {
		err = io.ErrUnexpectedEOF
	}
	switch t.(type) {
	case xml.StartElement:
		if r.depth++; r.depth > maxDepth {
			return nil, fmt.Errorf("nested more than %d deep: %w", maxDepth, ErrLimit)
		}
	case xml.EndElement:
		r.depth--
	}
	return t, err
}

// start reads up to the first element.
func (r *xmlReader) start() (xml.StartElement, error) {
	for {
		t, err := r.token()
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return xml.StartElement{}, err
		}
		if e, ok := t.(xml.StartElement); ok {
			return e, nil
		}
	}
}

// child reads the next element within the one at hand; nil when that is over.
func (r *xmlReader) child() (*xml.StartElement, error) {
	for {
		t, err := r.token()
		if err != nil {
			return nil, err
		}
		switch t := t.(type) {
		case xml.StartElement:
			return &t, nil
		case xml.EndElement:
			return nil, nil
		}
	}
}

// skip reads the rest of an element.
func (r *xmlReader) skip() error {
	for depth := r.depth - 1; r.depth > depth; {
		if _, err := r.token(); err != nil {
			return err
		}
	}
	return nil
}

// text reads the rest of an element that has text alone.
func (r *xmlReader) text() (string, error) {
	var b strings.Builder
	for {
		t, err := r.token()
		if err != nil {
			return "", err
		}
		switch t := t.(type) {
		case xml.CharData:
			if b.Len()+len(t) > r.opts.MaxToken {
				return "", ErrLimit
			}
			b.Write(t)
		case xml.StartElement:
			return "", fmt.Errorf("<%s> where text should be", t.Name.Local)
		case xml.EndElement:
			return b.String(), nil
		}
	}
}

// head reads the names of the columns.
func (r *xmlReader) head() (names []string, err error) {
	for {
		e, err := r.child()
		if err != nil || e == nil {
			return names, err
		}
		if e.Name.Local == "variable" && len(names) <= maxVars {
			names = append(names, attribute(e, "name"))
		}
		if err := r.skip(); err != nil {
			return nil, err
		}
	}
}

// attribute returns an attribute's value, by its local name.
func attribute(e *xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// rows hands out the rows.
func (r *xmlReader) rows(by columns, yield func(Row, error) bool) {
	for {
		e, err := r.child()
		if err == nil && e == nil {
			break
		}
		var row Row
		switch {
		case err != nil:
		case e.Name.Local == "result":
			row, err = r.row(by)
		default:
			if err = r.skip(); err == nil {
				continue
			}
		}
		if !yield(row, err) || err != nil {
			return
		}
	}
	for r.depth > 0 {
		if _, err := r.token(); err != nil {
			yield(nil, err)
			return
		}
	}
}

// row reads one row.
func (r *xmlReader) row(by columns) (Row, error) {
	row := make(Row, len(by))
	for {
		e, err := r.child()
		if err != nil {
			return nil, err
		}
		if e == nil {
			return row, nil
		}
		name := attribute(e, "name")
		column, ok := by[name]
		if e.Name.Local != "binding" || !ok {
			return nil, fmt.Errorf("<%s> of ?%s, which the head does not list", e.Name.Local, name)
		}
		if row[column], err = r.binding(); err != nil {
			return nil, fmt.Errorf("?%s: %w", name, err)
		}
	}
}

// binding reads the term of a binding; the zero term if it is empty.
func (r *xmlReader) binding() (rdf.Term, error) { return r.term(0) }

// term reads the term within an element, which is within depth triple terms.
func (r *xmlReader) term(depth int) (t rdf.Term, err error) {
	for {
		e, err := r.child()
		if err != nil || e == nil {
			return t, err
		}
		if !t.IsZero() {
			return t, errors.New("two terms")
		}
		if e.Name.Local == "triple" {
			if t, err = r.triple(depth); err != nil {
				return t, err
			}
			continue
		}
		text, err := r.text()
		if err != nil {
			return t, err
		}
		switch e.Name.Local {
		case "uri":
			t = r.iri(text)
		case "bnode":
			t = blank(strings.TrimSpace(text))
		case "literal":
			t = r.literal(text, attribute(e, "datatype"), attribute(e, "lang"), attribute(e, "dir"))
		case "unbound":
		default:
			return t, fmt.Errorf("<%s> where a term should be", e.Name.Local)
		}
	}
}

// triple reads a triple term.
func (r *xmlReader) triple(depth int) (rdf.Term, error) {
	if depth >= rdf.MaxTripleDepth {
		return rdf.Term{}, errDeep
	}
	var out rdf.Triple
	for {
		e, err := r.child()
		if err != nil {
			return rdf.Term{}, err
		}
		if e == nil {
			return quote(out)
		}
		into := map[string]*rdf.Term{"subject": &out.S, "predicate": &out.P, "object": &out.O}[e.Name.Local]
		if into == nil || !into.IsZero() {
			return rdf.Term{}, fmt.Errorf("<%s> in a triple", e.Name.Local)
		}
		if *into, err = r.term(depth + 1); err != nil {
			return rdf.Term{}, err
		}
	}
}

const xmlStart = "<?xml version=\"1.0\"?>\n<sparql xmlns=\"http://www.w3.org/2005/sparql-results#\">\n"

// An xmlWriter writes rows in XML, one a line. Characters that XML has not become U+FFFD.
type xmlWriter struct {
	out   *bufio.Writer
	names []string // of columns, escaped
}

func newXMLWriter(out *bufio.Writer, vars []string) *xmlWriter {
	w := &xmlWriter{out: out}
	out.WriteString(xmlStart + "<head>")
	for _, name := range vars {
		var b strings.Builder
		xml.EscapeText(&b, []byte(name)) // a strings.Builder has no errors
		w.names = append(w.names, b.String())
		out.WriteString(`<variable name="` + b.String() + `"/>`)
	}
	out.WriteString("</head>\n<results>\n")
	return w
}

// Write writes a row.
func (w *xmlWriter) Write(row Row) error {
	w.out.WriteString("<result>")
	for i, name := range w.names {
		if i >= len(row) || row[i].IsZero() {
			continue
		}
		w.out.WriteString(`<binding name="`)
		w.out.WriteString(name)
		w.out.WriteString(`">`)
		w.term(row[i])
		w.out.WriteString("</binding>")
	}
	_, err := w.out.WriteString("</result>\n")
	return err
}

// term writes a term; errors stay with the writer below.
func (w *xmlWriter) term(t rdf.Term) {
	if triple, is := t.Triple(); is {
		w.out.WriteString("<triple><subject>")
		w.term(triple.S)
		w.out.WriteString("</subject><predicate>")
		w.term(triple.P)
		w.out.WriteString("</predicate><object>")
		w.term(triple.O)
		w.out.WriteString("</object></triple>")
		return
	}
	element := "literal"
	switch t.Kind {
	case rdf.IRI:
		element = "uri"
	case rdf.Blank:
		element = "bnode"
	}
	w.out.WriteString("<" + element)
	attribute := func(name, value string) {
		w.out.WriteString(" " + name + `="`)
		xml.EscapeText(w.out, []byte(value))
		w.out.WriteByte('"')
	}
	switch {
	case t.Lang != "":
		attribute("xml:lang", t.Lang)
		if t.Dir != rdf.Undirected {
			attribute("xmlns:its", "http://www.w3.org/2005/11/its")
			attribute("its:dir", t.Dir.String())
		}
	case t.Kind == rdf.Literal && t.Datatype != rdf.XSDString:
		attribute("datatype", t.Datatype)
	}
	w.out.WriteByte('>')
	xml.EscapeText(w.out, []byte(t.Value))
	w.out.WriteString("</" + element + ">")
}

// Close writes the end.
func (w *xmlWriter) Close() error {
	w.out.WriteString("</results>\n</sparql>\n")
	return w.out.Flush()
}
