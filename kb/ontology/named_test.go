package ontology

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestNamed: local names precede labels, exact matches those that differ in case.
func TestNamed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "o.ttl")
	text := `@prefix o: <http://www.w3.org/2002/07/owl#> . @prefix r: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix a: <http://a.test/#> . @prefix b: <http://b.test/> .
a:Plane a o:Class ; r:label "airplane"@en , "Flugzeug"@de . b:Plane a o:Class ; r:label "plane"@en .
a:Glider a o:Class ; r:label "sail plane"@en . b:US a o:Class ; r:label "United States" . b:us a o:Class ; r:label "we" .
a:Jet a o:Class ; r:label "airplane"@fr .`
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	o, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"http://a.test/#Glider": "[a.test/#Glider]", "Glider": "[a.test/#Glider]", "glider": "[a.test/#Glider]",
		"sail plane": "[a.test/#Glider]", "Sail-Plane": "[a.test/#Glider]", "Flugzeug": "[a.test/#Plane]", "flugzeug": "[a.test/#Plane]",
		"Plane": "[a.test/#Plane b.test/Plane]", "plane": "[b.test/Plane]", "PLANE": "[a.test/#Plane b.test/Plane]",
		"US": "[b.test/US]", "us": "[b.test/us]", "Us": "[b.test/US b.test/us]", "airplane": "[a.test/#Jet a.test/#Plane]",
		"": "[]", "balloon": "[]", " Jet ": "[a.test/#Jet]",
	} {
		var got []string
		for _, i := range o.Named(name) {
			got = append(got, o.Entity(i).IRI[len("http://"):])
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%q names %v, want %s", name, got, want)
		}
	}
}
