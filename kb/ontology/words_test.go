package ontology

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver/rdf/syntax"
)

func TestEntries(t *testing.T) {
	for _, tc := range []struct{ name, doc, want string }{
		{"labels", `ex:A a owl:Class ; rdfs:label "Plane"@en, "Flugzeug"@de .`, "Flugzeug@de Plane@en"},
		{"SKOS", `ex:A a skos:Concept ; skos:prefLabel "a" ; skos:altLabel "b" ; skos:hiddenLabel "c" .`, "a b c"},
		{"names", `ex:a a ex:A ; foaf:name "Ann" ; schema:name "Anna" ; <https://schema.org/name> "Anne" .`, "Ann Anna Anne"},
		{"white space", `ex:A a owl:Class ; rdfs:label "  jet \n engine " .`, "jet engine"},
		{"an empty label is none", `ex:JetEngine a owl:Class ; rdfs:label " " .`, "Jet Engine"},
		{"Ontolex by reference", `ex:A a owl:Class . ex:e a ontolex:LexicalEntry ; ontolex:sense [ ontolex:reference ex:A ] ;
			ontolex:canonicalForm [ ontolex:writtenRep "plane"@en ] ; ontolex:otherForm [ ontolex:writtenRep "planes"@en ] .`, "plane@en planes@en"},
		{"Ontolex by denotation", `ex:A a owl:Class ; ontolex:isDenotedBy ex:e . ex:e ontolex:lexicalForm ex:f . ex:f ontolex:writtenRep "plane" .`, "plane"},
		{"n:m", `ex:A a owl:Class ; rdfs:label "x", "y" . ex:B a owl:Class ; rdfs:label "x" .`, "x×2 y"},
	} {
		o := build(t, tc.doc)
		var got []string
		for _, e := range o.Entries() {
			s := e.Text
			if e.Lang != "" {
				s += "@" + e.Lang
			}
			if len(e.Entities) > 1 {
				s += fmt.Sprintf("×%d", len(e.Entities))
			}
			if !strings.HasSuffix(o.Entity(int(e.Entities[0])).IRI, "/ex:A-class") {
				got = append(got, s)
			}
		}
		if g := strings.TrimSuffix(strings.TrimPrefix(strings.Join(got, " "), "A "), " A"); g != tc.want {
			t.Errorf("%s: got %q, want %q", tc.name, g, tc.want)
		}
	}
}

func TestNames(t *testing.T) {
	o := build(t, `ex:A a owl:Class ; skos:altLabel "jet" ; rdfs:label "Plane"@en, "Avion"@fr ; skos:prefLabel "Flugzeug"@de .
		ex:B a owl:Class ; rdfs:label "Avion"@fr, "Plane"@en .`)
	for name, want := range map[string]string{"A": "Flugzeug", "B": "Plane"} {
		if got := o.Entity(find(t, o, name)).Name; got != want {
			t.Errorf("%s is called %q, want %q", name, got, want)
		}
	}
	if got := len(o.EntriesOf(find(t, o, "A"))); got != 4 {
		t.Errorf("A has %d entries, want 4", got)
	}
}

func TestLocalWords(t *testing.T) {
	for iri, want := range map[string]string{
		"http://e/a#PassengerPlane":  "Passenger Plane",
		"http://e/passenger_plane":   "passenger plane",
		"http://e/passenger-plane/":  "passenger plane",
		"http://e/passenger%20plane": "passenger plane",
		"http://e/HTTPServer":        "HTTP Server",
		"http://e/ownedBy":           "owned By",
		"http://e/A340":              "A340",
		"http://e/BOEING_747":        "BOEING 747",
		"urn:x:öffentlicherÖltank":   "öffentlicher Öltank",
		"http://e/%zz":               "zz",
		"#":                          "#",
	} {
		if got := localWords(iri); got != want {
			t.Errorf("%s: got %q, want %q", iri, got, want)
		}
	}
}

func TestCheck(t *testing.T) {
	o := build(t, `
		ex:A rdfs:subClassOf ex:B ; rdfs:label "a" . ex:B rdfs:subClassOf ex:C ; rdfs:label "x" . ex:C rdfs:subClassOf ex:A ; rdfs:label "x" .
		ex:D a owl:Class, owl:ObjectProperty ; rdfs:label "x" .
		ex:p a owl:ObjectProperty ; rdfs:domain ex:Undeclared ; rdfs:label "p" .
		ex:q rdfs:subPropertyOf ex:q ; rdfs:label "q" .`)
	var got []string
	for _, f := range o.Check(find(t, o, "A")) {
		got = append(got, f.Kind+" "+LocalName(f.Entity))
	}
	want := "hierarchy-cycle A; class-and-property D; undeclared Undeclared; no-entry Undeclared; ambiguous-entry x; " +
		"unreachable D; unreachable Undeclared; unreachable p; unreachable q"
	if g := strings.Join(got, "; "); g != want {
		t.Errorf("got  %s\nwant %s", g, want)
	}
	got = nil
	for _, f := range o.Check() {
		if f.Kind == FindingUnreachable {
			got = append(got, LocalName(f.Entity))
		}
	}
	if g := strings.Join(got, " "); g != "D q" {
		t.Errorf("without targets: %s", g)
	}
	if f := build(t, fig3).Check()[0]; f.Kind != FindingWordless {
		t.Errorf("Fig. 3 has %v", f)
	}
}

func TestDeepHierarchyAndLongCycle(t *testing.T) {
	var b strings.Builder
	const n = 20000
	for i := range n {
		fmt.Fprintf(&b, "ex:c%05d rdfs:subClassOf ex:c%05d .\n", i, (i+1)%n)
	}
	o := build(t, b.String())
	if f := o.cycles(); len(f) != 1 || !strings.Contains(f[0].Evidence, "and 19989 more") {
		t.Errorf("%d cycles", len(f))
	}
	if d := o.Distances(0)[n/2]; d != n/2 {
		t.Errorf("half way round is %d", d)
	}
}

func TestNearest(t *testing.T) {
	o := build(t, fig3)
	for _, tc := range []struct{ iri, want string }{
		{"http://example.org/Airplan", "Airplane"},
		{"http://other.org/aeroplane", "Airplane"},
		{"http://example.org/marc-ehrig", "MARC_EHRIG"},
		{"http://example.org/Passengers", "Passenger"},
	} {
		if got := o.Nearest(tc.iri, 1); len(got) != 1 || LocalName(got[0]) != tc.want {
			t.Errorf("%s: got %v, want %s", tc.iri, got, tc.want)
		}
	}
	if got := len(o.Nearest("x", 100)); got != o.Len() {
		t.Errorf("%d of %d", got, o.Len())
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	if _, err := Load(filepath.Join(dir, "none.ttl")); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "none.ttl") {
		t.Errorf("missing file: %v", err)
	}
	if _, err := Load(write("bad.ttl.gz", "no gzip")); err == nil || !strings.Contains(err.Error(), "bad.ttl.gz") {
		t.Errorf("no gzip: %v", err)
	}
	o, err := Load(write("a.ttl", prefixes+fig3), write("b.ttl", prefixes+`ex:Airplane rdfs:label "Avion"@fr .`))
	if err != nil {
		t.Fatal(err)
	}
	if got := len(o.EntriesOf(find(t, o, "Airplane"))); got != 4 {
		t.Errorf("%d entries from two files, want 4", got)
	}
	var wrong *syntax.Error
	if _, err = Load(write("bad.ttl", "<a:b> <a:c>\n  oops .")); !errors.As(err, &wrong) || wrong.Line != 2 || !strings.Contains(err.Error(), "bad.ttl:2:") {
		t.Errorf("bad syntax: %v", err)
	}
}
