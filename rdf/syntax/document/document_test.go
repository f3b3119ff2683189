package document_test

import (
	"strings"
	"testing"

	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/document"
)

// The same triple in every syntax reads the same, by the format that is detected.
func TestRead(t *testing.T) {
	for _, in := range []string{
		"<u:s> <u:p> \"o\" .\n",
		"@prefix u: <u:> . u:s u:p 'o' .",
		"<u:s> <u:p> \"o\" <u:g> .\n",
		"GRAPH <u:g> { <u:s> <u:p> 'o' }",
		`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="u:s" xmlns:u="u:" u:p="o"/></rdf:RDF>`,
	} {
		format := syntax.Detect("", "", []byte(in))
		got := rdftest.Collect(t, document.Read(strings.NewReader(in), format, syntax.Options{}))
		if len(got) != 1 || got[0].S.Value+got[0].P.Value+got[0].O.Value != "u:su:po" {
			t.Errorf("%v: %v", format, got)
		}
		quads := rdftest.Collect(t, document.Quads(strings.NewReader(in), format, syntax.Options{}))
		if len(quads) != 1 || quads[0].O.Value != "o" || format.HasGraphs() != (quads[0].G.Value == "u:g") {
			t.Errorf("%v: %v", format, quads)
		}
	}
	if _, err := rdftest.All(document.Read(strings.NewReader(""), syntax.Unknown, syntax.Options{Name: "d"})); err == nil {
		t.Error("a format that is unknown reads")
	}
	if _, err := rdftest.All(document.Quads(strings.NewReader(""), syntax.Unknown, syntax.Options{Name: "d"})); err == nil {
		t.Error("quads of a format that is unknown read")
	}
}
