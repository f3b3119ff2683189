package crossref

import (
	"iter"
	"strconv"
	"time"

	"orbweaver/kb/labels"
	"orbweaver/rdf"
	"orbweaver/rdf/iri"
	"orbweaver/text/item"
)

// The vocabulary of the context graph, in addition to that of kb/labels. docs/reference/vocabulary.ttl documents it.
const (
	Learned      = semxdm + "learned"      // the named graph of Quads
	LookedFor    = semxdm + "lookedFor"    // Learned → a target item
	ModelVersion = semxdm + "modelVersion" // Learned → number of changes of labels, rules and hierarchy so far
	ModelDigest  = semxdm + "modelDigest"  // Learned → digest of the model
	ClassLayer   = semxdm + "Layer"        // the class of layers
	InLayer      = semxdm + "inLayer"      // Item → layer
	Number       = semxdm + "number"       // layer → its number, from 0
	Members      = semxdm + "members"      // layer → number of its items, including the target item

	semxdm  = "http://orbweaver.example/semxdm#"
	label   = "http://www.w3.org/2000/01/rdf-schema#label"
	typ     = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
	integer = "http://www.w3.org/2001/XMLSchema#integer"
)

// LayerIRI returns the IRI of a layer, by its number.
func LayerIRI(i int) string { return "urn:semxdm:layer:" + strconv.Itoa(i) }

// Quads returns the focus's state as RDF in the graph Learned, which states the version of the model: the
// labels, their hierarchy and rules, the layers, and for the target item and each kept item its terms, its
// current labels and its layer. Terms of items and rules have an rdfs:label.
func (f *Focus) Quads() iter.Seq[rdf.Quad] {
	return func(yield func(rdf.Quad) bool) {
		d := &description{
			focus: f, yield: yield, graph: rdf.NewIRI(Learned), has: rdf.NewIRI(label), is: rdf.NewIRI(typ), term: rdf.NewIRI(labels.ClassTerm),
			named: map[string]bool{},
		}
		_ = d.version() && d.model() && d.layers() && d.items()
	}
}

// A description yields the quads about a focus. Its methods return false when the consumer wants no more.
type description struct {
	focus *Focus
	yield func(rdf.Quad) bool
	graph rdf.Term
	named map[string]bool // IRIs of terms whose label was emitted

	has, is, term rdf.Term
}

func (d *description) emit(q rdf.Quad) bool {
	q.G = d.graph
	return d.yield(q)
}

// version yields the version of the algorithm and of the model.
func (d *description) version() bool {
	m := d.focus.model
	about := func(p string, o rdf.Term) bool { return d.emit(rdf.Quad{S: d.graph, P: rdf.NewIRI(p), O: o}) }
	for i := range d.focus.query {
		if !about(LookedFor, itemIRI(d.focus.query[i].url)) {
			return false
		}
	}
	return about(ModelVersion, rdf.NewTyped(strconv.FormatUint(m.Labels.Version(), 10), integer)) &&
		about(ModelDigest, rdf.NewString(m.Digest()))
}

func (d *description) model() bool {
	for q := range d.focus.model.Quads() {
		if q.P == d.has {
			d.named[q.S.Value] = true
		}
		if !d.emit(q) {
			return false
		}
	}
	return true
}

func (d *description) layers() bool {
	number := func(n int) rdf.Term { return rdf.NewTyped(strconv.Itoa(n), integer) }
	for i, l := range d.focus.layers {
		layer := rdf.NewIRI(LayerIRI(i))
		if !d.emit(rdf.Quad{S: layer, P: d.is, O: rdf.NewIRI(ClassLayer)}) ||
			!d.emit(rdf.Quad{S: layer, P: rdf.NewIRI(Number), O: number(i)}) ||
			!d.emit(rdf.Quad{S: layer, P: rdf.NewIRI(Members), O: number(l.members)}) {
			return false
		}
	}
	return true
}

// items yields the target items, which are in layer 0 even if they were never fetched, and all others.
func (d *description) items() bool {
	f := d.focus
	for i := range f.query {
		if q := &f.query[i]; !d.item(q.url, f.model.Terms.Weigh(q.draft).Terms, 0) {
			return false
		}
	}
	for i := range f.known.items {
		k := &f.known.items[i]
		if !f.opts.isItem(k.url) && !d.item(k.url, k.main, int(k.member)) {
			return false
		}
	}
	return true
}

// item yields an item and the labels of its terms.
func (d *description) item(url string, main []item.Term, layer int) bool {
	f, subject := d.focus, itemIRI(url)
	it := f.model.Item(url, time.Time{}, main)
	for q := range f.model.Labels.ItemQuads(subject.Value, it, !f.opts.NoLabels) {
		if !d.emit(q) {
			return false
		}
	}
	for _, t := range it.Terms {
		if !d.name(t.Text) {
			return false
		}
	}
	return layer == outside || d.emit(rdf.Quad{S: subject, P: rdf.NewIRI(InLayer), O: rdf.NewIRI(LayerIRI(layer))})
}

// name yields the label of a term, once.
func (d *description) name(key string) bool {
	name := labels.TermIRI(key)
	if d.named[name] {
		return true
	}
	d.named[name] = true
	term := rdf.NewIRI(name)
	return d.emit(rdf.Quad{S: term, P: d.is, O: d.term}) && d.emit(rdf.Quad{S: term, P: d.has, O: rdf.NewString(d.focus.model.Show(key))})
}

// itemIRI returns the IRI of an item, the same as that of its page.
func itemIRI(url string) rdf.Term { return rdf.NewIRI(iri.Encode(url)) }
