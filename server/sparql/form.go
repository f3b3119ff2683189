package sparql

import (
	"io"
	"iter"
	"net/http"
	"strconv"
	"strings"

	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/algebra"
	"orbweaver/rdf/sparql/eval"
	"orbweaver/rdf/sparql/results"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/nquads"
	"orbweaver/rdf/syntax/trig"
	"orbweaver/rdf/syntax/turtle"
)

// A snapshot is a store at one moment.
type snapshot = quads.Reader

// A form is the syntax of an answer: rows or a graph.
type form struct {
	rows  results.Format
	graph syntax.Format
}

// formOf chooses a form by a query and an Accept header.
func formOf(q *algebra.Query, accept []string) (form, error) {
	wanted := strings.Join(accept, ",")
	if q.Form == algebra.ConstructForm || q.Form == algebra.DescribeForm {
		graph, err := graphForm(wanted)
		return form{graph: graph}, err
	}
	rows := results.Negotiate(wanted)
	if rows == results.Unknown {
		return form{}, faulty(http.StatusNotAcceptable, "rows and booleans are written as %s", strings.Join([]string{
			results.JSON.MediaType(), results.XML.MediaType(), results.CSV.MediaType(), results.TSV.MediaType()}, ", "))
	}
	return form{rows: rows}, nil
}

// graphForms are the output syntaxes of graphs, best first.
func graphForms() []syntax.Format {
	return []syntax.Format{syntax.Turtle, syntax.NTriples, syntax.TriG, syntax.NQuads, syntax.RDFXML}
}

// graphForm chooses a syntax for a graph by an Accept header; among equals the first of graphForms.
func graphForm(accept string) (syntax.Format, error) {
	if strings.TrimSpace(accept) == "" {
		return syntax.Turtle, nil
	}
	best, most := syntax.Unknown, 0.0
	for _, f := range graphForms() {
		if q := liking(accept, f.MediaType()); q > most {
			best, most = f, q
		}
	}
	if best == syntax.Unknown {
		return best, faulty(http.StatusNotAcceptable, "graphs are written as text/turtle, application/n-triples, application/trig, application/n-quads, application/rdf+xml")
	}
	return best, nil
}

// liking is the quality of a media type in an Accept header, 0 to 1: the most specific range counts.
func liking(accept, mediaType string) float64 {
	liked, most := 0.0, -1
	major, _, _ := strings.Cut(mediaType, "/")
	for part := range strings.SplitSeq(accept, ",") {
		name, params, _ := strings.Cut(strings.ToLower(part), ";")
		said := 0
		switch strings.TrimSpace(name) {
		case "*/*":
		case major + "/*":
			said = 1
		case mediaType:
			said = 2
		default:
			continue
		}
		if said > most {
			liked, most = quality(params), said
		}
	}
	return liked
}

// quality is the q parameter of a media type or coding; 1 if there is none.
func quality(params string) float64 {
	for param := range strings.SplitSeq(params, ";") {
		if value, ok := strings.CutPrefix(strings.ToLower(strings.TrimSpace(param)), "q="); ok {
			if q, err := strconv.ParseFloat(value, 64); err == nil && q >= 0 && q <= 1 {
				return q
			}
		}
	}
	return 1
}

// mediaType is that of the form.
func (f form) mediaType() string {
	if f.graph != syntax.Unknown {
		return graphType(f.graph)
	}
	if f.rows == results.CSV || f.rows == results.TSV {
		return f.rows.MediaType() + "; charset=utf-8"
	}
	return f.rows.MediaType()
}

// graphType is the media type of a graph.
func graphType(f syntax.Format) string {
	if f == syntax.Turtle {
		return f.MediaType() + "; charset=utf-8"
	}
	return f.MediaType()
}

// write writes an answer.
func (f form) write(w io.Writer, res *eval.Result, q *algebra.Query) error {
	switch {
	case f.graph != syntax.Unknown:
		return writeGraph(w, f.graph, q.Prefixes, res.Triples())
	case res.Form == algebra.AskForm:
		return results.WriteBoolean(w, f.rows, res.Boolean)
	}
	out := results.NewWriter(w, f.rows, res.Vars)
	for row, err := range res.Rows() {
		if err == nil {
			err = out.Write(row)
		}
		if err != nil {
			return err
		}
	}
	return out.Close()
}

// writeGraph writes triples. Without prefixes the writer chooses its own.
func writeGraph(w io.Writer, f syntax.Format, prefixes map[string]string, triples iter.Seq2[rdf.Triple, error]) error {
	opts := syntax.WriteOptions{}
	if len(prefixes) > 0 {
		opts.Prefixes = prefixes
	}
	var write func(rdf.Triple) error
	var end func() error
	switch f {
	case syntax.Turtle:
		out := turtle.NewWriter(w, opts)
		write, end = out.Write, out.Close
	case syntax.TriG:
		out := trig.NewWriter(w, opts)
		write, end = func(t rdf.Triple) error { return out.Write(rdf.Quad{S: t.S, P: t.P, O: t.O}) }, out.Close
	case syntax.RDFXML:
		out := newXMLWriter(w)
		write, end = out.Write, out.Close
	default:
		out := nquads.NewWriter(w)
		write, end = func(t rdf.Triple) error { return out.Write(rdf.Quad{S: t.S, P: t.P, O: t.O}) }, out.Close
	}
	for t, err := range triples {
		if err == nil {
			err = write(t)
		}
		if err != nil {
			return err
		}
	}
	return end()
}
