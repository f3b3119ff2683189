package void

import (
	"fmt"
	"iter"
	"strconv"
	"strings"

	"orbweaver/internal/order"
	"orbweaver/rdf"
)

// The namespaces of a description.
const (
	NS      = "http://rdfs.org/ns/void#"
	dcterms = "http://purl.org/dc/terms/"
	rdfs    = "http://www.w3.org/2000/01/rdf-schema#"
)

// Describe returns the description of a dataset as triples: figures, vocabularies, a partition for each of
// the most used properties and classes, and a subset for each part, in order of first appearance. Partitions
// and subsets are blank nodes ("property1", "class1", "part1", …); the triples of one node are consecutive.
// An rdfs:comment marks estimates.
func (s *Statistics) Describe(dataset rdf.Term) iter.Seq[rdf.Triple] {
	return func(yield func(rdf.Triple) bool) {
		t := &teller{yield: yield}
		t.whole(s, dataset)
		for _, v := range s.vocabularies() {
			t.say(dataset, NS+"vocabulary", rdf.NewIRI(v.name))
		}
		t.partitions(s, dataset)
		for i, p := range s.parts {
			node := rdf.NewBlank("part" + strconv.Itoa(i+1))
			t.say(dataset, NS+"subset", node)
			t.say(node, rdfType, rdf.NewIRI(NS+"Dataset"))
			t.say(node, dcterms+"title", rdf.NewString(p.name))
			t.count(node, "triples", p.triples)
			t.count(node, "documents", p.documents)
			t.count(node, "properties", s.used.count(propertiesOf(i+1)))
			t.count(node, "classes", s.used.count(classesOf(i+1)))
		}
	}
}

// A teller yields triples until the consumer stops.
type teller struct {
	yield func(rdf.Triple) bool
	over  bool
}

func (t *teller) say(s rdf.Term, p string, o rdf.Term) {
	t.over = t.over || !t.yield(rdf.Triple{S: s, P: rdf.NewIRI(p), O: o})
}

// count yields a figure.
func (t *teller) count(node rdf.Term, property string, n int64) {
	t.say(node, NS+property, rdf.NewTyped(strconv.FormatInt(n, 10), rdf.XSDInteger))
}

// whole yields the figures of the whole dataset.
func (t *teller) whole(s *Statistics, dataset rdf.Term) {
	t.say(dataset, rdfType, rdf.NewIRI(NS+"Dataset"))
	t.count(dataset, "triples", s.triples)
	t.count(dataset, "documents", s.documents)
	for _, f := range []struct {
		name string
		from *distinct
	}{{"distinctSubjects", s.subjects}, {"distinctObjects", s.objects}} {
		t.count(dataset, f.name, f.from.count(0))
		if doubt := f.from.doubt(0); doubt > 0 {
			t.comment(dataset, fmt.Sprintf("void:%s is an estimate, with a standard error of %.1f %%.", f.name, 100*doubt))
		}
	}
	for _, f := range []struct {
		name string
		from *tally
	}{{"properties", s.properties}, {"classes", s.classes}} {
		t.count(dataset, f.name, int64(len(f.from.uses)))
		if f.from.full {
			t.comment(dataset, "void:"+f.name+" are those that came first: there are others.")
		}
	}
	if s.instances.level > 0 {
		t.comment(dataset, "void:entities of the class partitions are estimates.")
	}
	if s.used.level > 0 {
		t.comment(dataset, "void:properties and void:classes of the subsets are estimates.")
	}
	if len(s.parts) == s.limits.Parts {
		t.comment(dataset, fmt.Sprintf("Only the first %d subsets are described.", len(s.parts)))
	}
}

func (t *teller) comment(node rdf.Term, text string) {
	t.say(node, rdfs+"comment", rdf.NewString(text))
}

// partitions yields the most used properties and classes.
func (t *teller) partitions(s *Statistics, dataset rdf.Term) {
	for i, p := range most(s.properties.all(), s.limits.Told) {
		node := rdf.NewBlank("property" + strconv.Itoa(i+1))
		t.say(dataset, NS+"propertyPartition", node)
		t.say(node, NS+"property", rdf.NewIRI(p.name))
		t.count(node, "triples", p.uses)
	}
	for i, c := range most(s.classes.all(), s.limits.Told) {
		node := rdf.NewBlank("class" + strconv.Itoa(i+1))
		t.say(dataset, NS+"classPartition", node)
		t.say(node, NS+"class", rdf.NewIRI(c.name))
		t.count(node, "entities", s.instances.count(s.classes.places[c.name]))
	}
}

// vocabularies returns the most used namespaces of properties and classes, sorted by name.
func (s *Statistics) vocabularies() []share {
	uses := map[string]int64{}
	for _, t := range []*tally{s.properties, s.classes} {
		for name, n := range t.all() {
			if cut := strings.LastIndexAny(name, "#/") + 1; cut > 0 && !strings.HasSuffix(name[:cut], "//") {
				uses[name[:cut]] += n
			}
		}
	}
	found := most(uses, s.limits.Told)
	order.By(found, func(a, b share) int { return strings.Compare(a.name, b.name) })
	return found
}
