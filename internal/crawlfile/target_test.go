package crawlfile_test

import (
	"fmt"
	"testing"
)

// TestTargetsByName: a target is given by its IRI, a prefixed name, its local name or its label. If several entities have
// the name, the error lists them.
func TestTargetsByName(t *testing.T) {
	dir := folder(t)
	write(t, dir, "planes.ttl", `@prefix o: <http://www.w3.org/2002/07/owl#> . @prefix r: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix a: <http://a.test/#> . @prefix b: <http://b.test/> .
a:Plane a o:Class . b:Plane a o:Class ; r:label "plane tree" . a:Glider a o:Class ; r:label "light: aircraft" .
a:Jet a o:Class ; r:label "Düsenflugzeug"@de .`)
	head := "seeds: https://a.test\nfocus:\n  ontology:\n    files: planes.ttl\n    target: "
	c := mustLoad(t, dir, head+"[Glider, 'plane tree', Düsenflugzeug, 'light: aircraft', jet, 'http://a.test/#Plane']\n")
	want := "[http://a.test/#Glider http://b.test/Plane http://a.test/#Jet http://a.test/#Glider http://a.test/#Jet http://a.test/#Plane]"
	if got := fmt.Sprint(keyOf(c.Focus, "Target")); got != want {
		t.Errorf("targets %s\nwant %s", got, want)
	}
	byIRI := mustLoad(t, dir, head+"'http://a.test/#Glider'\n")
	if byName := mustLoad(t, dir, head+"Glider\n"); len(byName.Differences(byIRI)) > 0 {
		t.Errorf("the same target by name is another crawl: %v", byName.Differences(byIRI))
	}
	got := problemsOf(t, dir, head+"[Plane, Glidr]\n", false)
	const problems = `f.yaml:5: focus.ontology.target[1]: "Plane" names several entities: http://a.test/#Plane, http://b.test/Plane (write the IRI of one)
f.yaml:5: focus.ontology.target[2]: "Glidr" names nothing in the ontology (near are http://a.test/#Glider, http://b.test/Plane, http://a.test/#Plane)`
	if got != problems {
		t.Errorf("got\n%s\nwant\n%s", got, problems)
	}
}
