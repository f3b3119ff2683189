package crossref

import (
	"iter"
	"strconv"
	"time"

	"orbweaver/rdf"
)

// The vocabulary of the context graph, beside that of kb/labels.
const (
	InLayer  = "http://orbweaver.example/semxdm#inLayer"  // Item → layer
	NumberOf = "http://orbweaver.example/semxdm#number"   // layer → its number, from 0
	Members  = "http://orbweaver.example/semxdm#members"  // layer → how many items, the one looked for among them
	ClassOf  = "http://orbweaver.example/semxdm#Layer"    // of layers
	layerIRI = "http://orbweaver.example/semxdm#layer-"   // and a number
	integer  = "http://www.w3.org/2001/XMLSchema#integer" // of both
)

// Quads are all that is known, in RDF and in the default graph: labels, their hierarchy and rules, the layers,
// and of each kept item its terms, its labels as of now and the layer that it is a member of.
func (f *Focus) Quads() iter.Seq[rdf.Quad] {
	return func(yield func(rdf.Quad) bool) {
		for q := range f.model.Quads() {
			if !yield(q) {
				return
			}
		}
		for i, l := range f.layers {
			for _, q := range layerQuads(i, l.members) {
				if !yield(q) {
					return
				}
			}
		}
		for i := range f.known.items {
			if !f.describe(&f.known.items[i], yield) {
				return
			}
		}
	}
}

func layerQuads(i, members int) []rdf.Quad {
	layer := rdf.NewIRI(layerIRI + strconv.Itoa(i))
	number := func(n int) rdf.Term { return rdf.Term{Kind: rdf.Literal, Value: strconv.Itoa(n), Datatype: integer} }
	return []rdf.Quad{
		{S: layer, P: rdf.NewIRI("http://www.w3.org/1999/02/22-rdf-syntax-ns#type"), O: rdf.NewIRI(ClassOf)},
		{S: layer, P: rdf.NewIRI(NumberOf), O: number(i)},
		{S: layer, P: rdf.NewIRI(Members), O: number(members)},
	}
}

func (f *Focus) describe(k *kept, yield func(rdf.Quad) bool) bool {
	it := f.model.Item(k.url, time.Time{}, k.main)
	for q := range f.model.Labels.ItemQuads(k.url, it, !f.opts.NoLabels) {
		if !yield(q) {
			return false
		}
	}
	if k.member == outside {
		return true
	}
	return yield(rdf.Quad{S: rdf.NewIRI(k.url), P: rdf.NewIRI(InLayer), O: rdf.NewIRI(layerIRI + strconv.Itoa(int(k.member)))})
}
