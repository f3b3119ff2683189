package crossref

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver/internal/realdata"
	"orbweaver/kb/labels"
	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/turtle"
)

// described returns a focus that has learned labels, rules and a hierarchy, from items in layers.
func described(t *testing.T) *Focus {
	t.Helper()
	f, w := focus(t, nil), newWeb(1)
	for len(w.waiting) > 0 {
		w.step(t, f)
	}
	endRound(t, f, 99, w.known)
	return f
}

// objects returns the objects of a subject and predicate.
func objects(f *Focus, subject, predicate string) (all []string) {
	for q := range f.Quads() {
		if q.S.Value == subject && q.P.Value == predicate {
			all = append(all, q.O.Value)
		}
	}
	return all
}

func TestQuads(t *testing.T) {
	f := focus(t, nil)
	learn(t, f, page("http://p.test/twin|", "bee honey hive nectar pollen bee"), page("http://p.test/other", "chess rook"), f.opts.Item)
	endRound(t, f, 1, graphOf{"http://p.test/twin|": {"http://p.test/other"}})
	for subject, layer := range map[string]int{"http://p.test/item": 0, "http://p.test/twin%7C": 0, "http://p.test/other": 1} {
		if in := objects(f, subject, InLayer); len(in) != 1 || in[0] != LayerIRI(layer) {
			t.Errorf("%s is in %q, not in layer %d", subject, in, layer)
		}
	}
	if terms := objects(f, "http://p.test/twin%7C", labels.HasTerm); len(terms) != 5 {
		t.Errorf("%q", terms)
	}
	if at := objects(f, Learned, LookedFor); len(at) != 1 || at[0] != "http://p.test/item" {
		t.Errorf("%q is looked for", at)
	}
	all := 0
	for range f.Quads() {
		all++
	}
	for most := range all { // a consumer that stops gets no more quads
		n := 0
		for range f.Quads() {
			if n++; n > most {
				break
			}
		}
	}
}

// TestQuadsOfNow: all quads are in the graph, once; every term has a name; items have the labels that the
// current model gives them, and the graph names that model.
func TestQuadsOfNow(t *testing.T) {
	f := described(t)
	seen, named, held := map[rdf.Quad]bool{}, map[rdf.Term]int{}, map[rdf.Term]bool{}
	given := map[string]int{}
	for q := range f.Quads() {
		if q.G.Value != Learned || seen[q] {
			t.Errorf("%v: seen %v", q, seen[q])
		}
		seen[q] = true
		switch q.P.Value {
		case label:
			named[q.S]++
		case labels.HasTerm:
			held[q.O] = true
		case labels.IsClassified:
			given[q.S.Value]++
		}
	}
	for term := range held {
		if named[term] != 1 {
			t.Errorf("%v has %d names", term, named[term])
		}
	}
	classified := 0
	for i := range f.known.items {
		k := &f.known.items[i]
		want := len(f.classify(k.main).held)
		if classified += want; given[k.url] != want {
			t.Errorf("%s has %d labels, the model gives %d", k.url, given[k.url], want)
		}
	}
	if len(f.known.items) < 50 || classified < 50 || len(held) < 10 {
		t.Errorf("nothing to see: %d items, %d labels, %d terms", len(f.known.items), classified, len(held))
	}
	version, digest := objects(f, Learned, ModelVersion), objects(f, Learned, ModelDigest)
	if len(version) != 1 || len(digest) != 1 || digest[0] != f.model.Digest() {
		t.Fatalf("version %q, digest %q", version, digest)
	}
	learn(t, f, page("http://p.test/more", "drone comb wax"))
	if again := objects(f, Learned, ModelDigest); again[0] == digest[0] {
		t.Error("another model has the same digest")
	}
}

// TestVocabulary: docs/reference/vocabulary.ttl has every term used, with label and comment and, for properties, domain
// and range; and no others.
func TestVocabulary(t *testing.T) {
	used := map[string]bool{Learned: true}
	for q := range described(t).Quads() {
		for _, term := range []rdf.Term{q.S, q.P, q.O, q.G} {
			if term.Kind == rdf.IRI && strings.HasPrefix(term.Value, semxdm) {
				used[term.Value] = true
			}
		}
	}
	file, err := os.Open(filepath.Join(realdata.Root(t), "docs/reference/vocabulary.ttl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	known := map[string]map[string]string{}
	for triple, err := range turtle.Read(file, syntax.Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		if name := triple.S.Value; strings.HasPrefix(name, semxdm) {
			if known[name] == nil {
				known[name] = map[string]string{}
			}
			known[name][triple.P.Value] = triple.O.Value
		}
	}
	const rdfs = "http://www.w3.org/2000/01/rdf-schema#"
	for name := range used {
		said := known[name]
		if said[rdfs+"label"] == "" || said[rdfs+"comment"] == "" {
			t.Errorf("%s is used and has no label or comment in the vocabulary", name)
		}
		if strings.HasSuffix(said[typ], "Property") && (said[rdfs+"domain"] == "" || said[rdfs+"range"] == "") {
			t.Errorf("%s has no domain or range", name)
		}
	}
	for name := range known {
		if !used[name] {
			t.Errorf("%s is in the vocabulary and never used", name)
		}
	}
	if len(used) < 13 {
		t.Errorf("%d terms", len(used))
	}
}
