package syntax_test

import (
	"testing"

	"orbweaver/rdf/syntax"
)

func TestDetect(t *testing.T) {
	const (
		xml   = `<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">`
		feed  = `<?xml version="1.0"?><rss version="2.0"><channel>`
		lines = "# made by hand\n<http://e.org/s> <http://e.org/p> \"o\" .\n"
		short = "@prefix e: <http://e.org/> .\ne:s a e:C ."
	)
	for _, tc := range []struct {
		name            string
		file, mediaType string
		head            string
		want            syntax.Format
	}{
		{"a media type decides", "", "text/turtle; charset=utf-8", "", syntax.Turtle},
		{"in whatever case", "", "Application/RDF+XML", "", syntax.RDFXML},
		{"N-Triples is Turtle too, if it says so", "", "text/turtle", lines, syntax.Turtle},
		{"a media type that cannot be is not believed", "", "application/rdf+xml", short, syntax.Turtle},
		{"nor the other way round", "", "text/turtle", xml, syntax.RDFXML},
		{"a name decides where the type says nothing", "http://e.org/a.ttl?x=1.rdf", "text/plain", "", syntax.Turtle},
		{"behind compression", "dbpedia.owl.gz", "", "", syntax.RDFXML},
		{"the type comes before the name", "a.rdf", "application/n-triples", "", syntax.NTriples},
		{"XML of RDF", "", "text/xml", xml, syntax.RDFXML},
		{"a document type, and entities", "a.xml", "text/xml", `<?xml version="1.0"?><!DOCTYPE rdf:RDF [<!ENTITY e "http://e.org/">`, syntax.RDFXML},
		{"XML of something else", "a.xml", "text/xml", feed, syntax.Unknown},
		{"a root element without declaration", "", "", `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">`, syntax.RDFXML},
		{"lines", "", "text/plain", lines, syntax.NTriples},
		{"a line that starts with a blank node", "", "", "_:a <http://e.org/p> _:b .\n", syntax.NTriples},
		{"a prefix", "", "text/plain", short, syntax.Turtle},
		{"a prefix as in SPARQL, behind a mark", "", "", "\ufeffPREFIX e: <http://e.org/>\n", syntax.Turtle},
		{"a statement of Turtle", "", "", "<http://e.org/s> a <http://e.org/C> ;\n", syntax.Turtle},
		{"a media type of quads", "", "application/n-quads", lines, syntax.NQuads},
		{"a name of quads", "dump.nq.gz", "", "", syntax.NQuads},
		{"a graph's name in the second line", "", "text/plain", lines + "_:s <http://e.org/p> \"a .\\\" \"@en <http://e.org/g> . # g\n", syntax.NQuads},
		{"four terms cannot be N-Triples", "a.nt", "", "<u:s> <u:p> <u:o> <u:g> .\n", syntax.NQuads},
		{"three terms can be N-Quads", "", "application/n-quads", "<u:s> <u:p> <u:o> .\n", syntax.NQuads},
		{"three terms, and one in a comment", "", "", "<u:s> <u:p> <u:o> . # <u:g> .\n", syntax.NTriples},
		{"five terms are nothing", "", "", "<u:s> <u:p> <u:o> <u:g> <u:h> .\n", syntax.NTriples},
		{"a media type of graphs", "", "application/trig", short, syntax.TriG},
		{"a name of graphs", "a.trig", "", short, syntax.TriG},
		{"a graph behind a prefix", "", "", "@prefix e: <http://e.org/> .\ne:g{ e:s", syntax.TriG},
		{"a graph behind a statement", "", "", short + "\n_:g { ", syntax.TriG},
		{"a graph behind SPARQL's prefix", "", "", "PREFIX e: <http://e.org/> BASE <u:b> graph e:g { ", syntax.TriG},
		{"a graph at the start", "", "", "<http://e.org/g> { <u:s> a 1 }", syntax.TriG},
		{"the default graph at the start", "", "", "{ <u:s> a 1 }", syntax.TriG},
		{"the word at the start", "", "", "GRAPH <u:g> {", syntax.TriG},
		{"braces in a string", "", "", short + "e:s e:p \"\"\" . e:g { \"\" \"\"\" .\n", syntax.Turtle},
		{"braces behind a predicate are Notation3's", "", "", short + "e:s e:p { e:s", syntax.Turtle},
		{"what says it is Turtle may be Notation3", "a.n3", "", short + "{ e:s a e:C } => { e:s a e:D } .", syntax.Turtle},
		{"a version, and lines", "", "", "VERSION \"1.2\"\n" + lines, syntax.NTriples},
		{"a version, and a graph", "", "", "@version '1.2' . <u:g> { <u:s> a 1 }", syntax.TriG},
		{"a version alone", "", "", "version \"1.2-basic\"\n", syntax.Turtle},
		{"a triple term, and a graph's name", "", "", "<u:s> <u:p> <<( <u:s> <u:p> <<(<u:s><u:p>\")>> .\")>> )>> <u:g> .\n", syntax.NQuads},
		{"a triple term", "", "", "<u:s> <u:p> <<( <u:s> <u:p> <u:o> )>> .\n", syntax.NTriples},
		{"a reified triple", "", "", "<< <u:s> <u:p> <u:o> >> <u:p> <u:o> .\n", syntax.Turtle},
		{"an annotation", "", "", "<u:s> <u:p> <u:o> {| <u:p> 1 |} .\n", syntax.Turtle},
		{"JSON", "", "", `{ "@context": {} }`, syntax.Unknown},
		{"a graph of another language", "", "", "graph g {", syntax.Unknown},
		{"HTML", "", "text/html", "<!DOCTYPE html><html><head>", syntax.Unknown},
		{"HTML without declaration", "", "", "<html><head><title>a</title>", syntax.Unknown},
		{"prose", "", "", "base rates are a prefix of: nothing\n", syntax.Unknown},
		{"nothing", "", "", "", syntax.Unknown},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := syntax.Detect(tc.file, tc.mediaType, []byte(tc.head)); got != tc.want {
				t.Errorf("Detect = %v, want %v", got, tc.want)
			}
		})
	}
}

func TestErrorNamesThePlace(t *testing.T) {
	e := &syntax.Error{Name: "a.ttl", Line: 3, Column: 7, Msg: `"." is missing`}
	if got, want := e.Error(), `a.ttl:3:7: "." is missing`; got != want {
		t.Errorf("Error() = %q, want %q", got, want)
	}
}

func FuzzDetect(f *testing.F) {
	f.Add([]byte("@prefix e: <u:e> . # c\nGRAPH e:g { e:s e:p 'o'^^e:t, \"\"\"a\\\"\"\"\"@en } "))
	f.Add([]byte("_:s <u:p> \"o\"^^<u:t> <u:g> .\n\""))
	f.Add([]byte("VERSION '1.2' <u:s> <u:p> <<( <u:s> <u:p> \"\" )>> <u:g> .\n"))
	f.Fuzz(func(t *testing.T, head []byte) {
		whole := syntax.Detect("", "", head)
		if declared := syntax.Detect("", "text/turtle", head); declared == syntax.Unknown || declared == syntax.TriG {
			t.Errorf("%v, declared as Turtle %v", whole, declared)
		}
	})
}
