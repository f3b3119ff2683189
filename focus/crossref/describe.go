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

// The vocabulary of the context graph, beside that of kb/labels. docs/vocabulary.ttl explains it.
const (
	Learned      = semxdm + "learned"      // the named graph of Quads
	LookedFor    = semxdm + "lookedFor"    // Learned → the item that is looked for
	ModelVersion = semxdm + "modelVersion" // Learned → how often labels, rules and hierarchy had changed
	ModelDigest  = semxdm + "modelDigest"  // Learned → that of the model
	ClassLayer   = semxdm + "Layer"        // of layers
	InLayer      = semxdm + "inLayer"      // Item → layer
	Number       = semxdm + "number"       // layer → its number, from 0
	Members      = semxdm + "members"      // layer → how many items, the one looked for among them

	semxdm  = "http://orbweaver.example/semxdm#"
	label   = "http://www.w3.org/2000/01/rdf-schema#label"
	typ     = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
	integer = "http://www.w3.org/2001/XMLSchema#integer"
)

// LayerIRI names a layer, by its number.
func LayerIRI(i int) string { return "urn:semxdm:layer:" + strconv.Itoa(i) }

// Quads are all that is known, in RDF and in the graph Learned, which says of itself by which version of the model: labels,
// their hierarchy and rules, the layers, and of the item that is looked for and each kept one its terms, its labels as
// of now and the layer that it is a member of. Terms, of items or of rules, have an rdfs:label.
func (f *Focus) Quads() iter.Seq[rdf.Quad] {
	return func(yield func(rdf.Quad) bool) {
		d := &description{
			focus: f, yield: yield, graph: rdf.NewIRI(Learned), has: rdf.NewIRI(label), is: rdf.NewIRI(typ), term: rdf.NewIRI(labels.ClassTerm),
			named: map[string]bool{},
		}
		_ = d.version() && d.model() && d.layers() && d.items()
	}
}

// A description yields the quads about a focus. Its methods report whether the consumer wants more.
type description struct {
	focus *Focus
	yield func(rdf.Quad) bool
	graph rdf.Term
	named map[string]bool // IRIs of terms whose label was emitted

	has, is, term rdf.Term
}

func (d *description) say(q rdf.Quad) bool {
	q.G = d.graph
	return d.yield(q)
}

// version names the algorithm behind the rest.
func (d *description) version() bool {
	m := d.focus.model
	about := func(p string, o rdf.Term) bool { return d.say(rdf.Quad{S: d.graph, P: rdf.NewIRI(p), O: o}) }
	return about(LookedFor, itemIRI(d.focus.opts.Item.URL)) &&
		about(ModelVersion, rdf.NewTyped(strconv.FormatUint(m.Labels.Version(), 10), integer)) &&
		about(ModelDigest, rdf.NewString(m.Digest()))
}

func (d *description) model() bool {
	for q := range d.focus.model.Quads() {
		if q.P == d.has {
			d.named[q.S.Value] = true
		}
		if !d.say(q) {
			return false
		}
	}
	return true
}

func (d *description) layers() bool {
	number := func(n int) rdf.Term { return rdf.NewTyped(strconv.Itoa(n), integer) }
	for i, l := range d.focus.layers {
		layer := rdf.NewIRI(LayerIRI(i))
		if !d.say(rdf.Quad{S: layer, P: d.is, O: rdf.NewIRI(ClassLayer)}) ||
			!d.say(rdf.Quad{S: layer, P: rdf.NewIRI(Number), O: number(i)}) ||
			!d.say(rdf.Quad{S: layer, P: rdf.NewIRI(Members), O: number(l.members)}) {
			return false
		}
	}
	return true
}

// items are the one that is looked for, which is of layer 0 whether it was met or not, and all others.
func (d *description) items() bool {
	f, own := d.focus, d.focus.opts.Item.URL
	if !d.item(own, f.model.Terms.Weigh(f.query.draft).Terms, 0) {
		return false
	}
	for i := range f.known.items {
		k := &f.known.items[i]
		if k.url != own && !d.item(k.url, k.main, int(k.member)) {
			return false
		}
	}
	return true
}

// item describes an item and the labels of its terms.
func (d *description) item(url string, main []item.Term, layer int) bool {
	f, subject := d.focus, itemIRI(url)
	it := f.model.Item(url, time.Time{}, main)
	for q := range f.model.Labels.ItemQuads(subject.Value, it, !f.opts.NoLabels) {
		if !d.say(q) {
			return false
		}
	}
	for _, t := range it.Terms {
		if !d.name(t.Text) {
			return false
		}
	}
	return layer == outside || d.say(rdf.Quad{S: subject, P: rdf.NewIRI(InLayer), O: rdf.NewIRI(LayerIRI(layer))})
}

// name says how a term is shown, once.
func (d *description) name(key string) bool {
	name := labels.TermIRI(key)
	if d.named[name] {
		return true
	}
	d.named[name] = true
	term := rdf.NewIRI(name)
	return d.say(rdf.Quad{S: term, P: d.is, O: d.term}) && d.say(rdf.Quad{S: term, P: d.has, O: rdf.NewString(d.focus.model.Show(key))})
}

// itemIRI names an item as the crawl names its page.
func itemIRI(url string) rdf.Term { return rdf.NewIRI(iri.Encode(url)) }
