package terms

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"orbweaver/rdf"
	"orbweaver/rdf/iri"
)

// The namespaces that descriptions use.
const (
	rdfNS     = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	rdfsNS    = "http://www.w3.org/2000/01/rdf-schema#"
	xsdNS     = "http://www.w3.org/2001/XMLSchema#"
	voidNS    = "http://rdfs.org/ns/void#"
	provNS    = "http://www.w3.org/ns/prov#"
	dctermsNS = "http://purl.org/dc/terms/"
	ownNS     = "http://orbweaver.example/terms#"
)

// A describer collects triples.
type describer struct {
	triples []rdf.Triple
	blanks  int
}

func (d *describer) add(s rdf.Term, property string, o rdf.Term) {
	d.triples = append(d.triples, rdf.Triple{S: s, P: rdf.NewIRI(property), O: o})
}

func (d *describer) blank() rdf.Term {
	d.blanks++
	return rdf.NewBlank("n" + strconv.Itoa(d.blanks))
}

func integer(n int64) rdf.Term  { return rdf.NewTyped(strconv.FormatInt(n, 10), xsdNS+"integer") }
func boolean(yes bool) rdf.Term { return rdf.NewTyped(strconv.FormatBool(yes), xsdNS+"boolean") }

// Describe returns the results of a crawl as RDF. A term is a prov:Entity with its stage. Each statement at
// the end of a shortest path is asserted, and reified as an rdf:Statement that is prov:wasDerivedFrom its
// dataset; the term is prov:wasDerivedFrom the previous one. A dataset is a void:Dataset, with a
// void:classPartition and void:entities for each class with instances. Deduced facts are reified statements
// prov:wasDerivedFrom their premises, and are not asserted.
func Describe(all []Term, datasets []Dataset) []rdf.Triple {
	d := &describer{}
	named := map[string]rdf.Term{}
	for _, one := range datasets {
		named[one.Name] = node(one)
		d.dataset(named[one.Name], one)
	}
	for _, t := range all {
		d.term(t, named)
	}
	return d.triples
}

// node returns the IRI of a dataset: its endpoint with #dataset, which distinguishes the endpoint from its
// data.
func node(d Dataset) rdf.Term {
	if isWeb(d.Endpoint) {
		return rdf.NewIRI(d.Endpoint + "#dataset")
	}
	return rdf.NewIRI(iri.Encode("dataset:" + d.Name))
}

func (d *describer) dataset(s rdf.Term, one Dataset) {
	d.add(s, rdfNS+"type", rdf.NewIRI(voidNS+"Dataset"))
	title := one.Title
	if title == "" {
		title = one.Name
	}
	d.add(s, dctermsNS+"title", rdf.NewString(title))
	d.add(s, dctermsNS+"identifier", rdf.NewString(one.Name))
	if isWeb(one.Endpoint) {
		d.add(s, voidNS+"sparqlEndpoint", rdf.NewIRI(one.Endpoint))
	}
	if isWeb(one.Dump) {
		d.add(s, voidNS+"dataDump", rdf.NewIRI(one.Dump))
	}
	for _, c := range one.Instances {
		if c.N == 0 {
			continue
		}
		part := d.blank()
		d.add(s, voidNS+"classPartition", part)
		d.add(part, voidNS+"class", rdf.NewIRI(c.Class))
		d.add(part, voidNS+"entities", integer(c.N))
		d.add(part, ownNS+"counted", rdf.NewString(c.How))
		if c.AtLeast {
			d.add(part, ownNS+"atLeast", boolean(true))
		}
		if c.Of != nil {
			d.add(part, dctermsNS+"date", rdf.NewTyped(c.Of.UTC().Format(time.DateOnly), xsdNS+"date"))
		}
	}
	if one.Reason != "" {
		d.add(s, ownNS+"noAnswer", rdf.NewString(one.Reason))
	}
}

// isWeb reports whether a URL is a Web address rather than a local name.
func isWeb(url string) bool {
	return (strings.HasPrefix(url, "http://") || strings.HasPrefix(url, "https://")) && iri.Check(url) == nil
}

func (d *describer) term(t Term, named map[string]rdf.Term) {
	s := rdf.NewIRI(t.IRI)
	d.add(s, rdfNS+"type", rdf.NewIRI(provNS+"Entity"))
	d.add(s, ownNS+"stage", integer(int64(t.Stage)))
	d.add(s, ownNS+"found", boolean(t.Found))
	if t.Label != "" {
		d.add(s, rdfsNS+"label", rdf.NewString(t.Label))
	}
	if t.Judged != nil {
		d.add(s, ownNS+"score", rdf.NewTyped(fmt.Sprintf("%.4f", t.Judged.Score), xsdNS+"decimal"))
	}
	for _, p := range t.Paths {
		if len(p) > 0 {
			d.step(p[len(p)-1], named)
		}
	}
	for _, f := range t.Deduced {
		d.deduced(f)
	}
}

// step states how a term was reached.
func (d *describer) step(s Step, named map[string]rdf.Term) {
	subject, object := rdf.NewIRI(s.From), rdf.NewIRI(s.To)
	d.add(object, provNS+"wasDerivedFrom", subject)
	if s.Inverse {
		subject, object = object, subject
	}
	d.add(subject, s.Property, object)
	source, known := named[s.Dataset]
	if !known {
		source = rdf.NewIRI(iri.Encode(s.Dataset))
	}
	d.add(d.statement(subject, s.Property, object), provNS+"wasDerivedFrom", source)
}

// statement adds a reified statement.
func (d *describer) statement(s rdf.Term, property string, o rdf.Term) rdf.Term {
	node := d.blank()
	d.add(node, rdfNS+"type", rdf.NewIRI(rdfNS+"Statement"))
	d.add(node, rdfNS+"subject", s)
	d.add(node, rdfNS+"predicate", rdf.NewIRI(property))
	d.add(node, rdfNS+"object", o)
	return node
}

func (d *describer) deduced(f Fact) {
	node := d.statement(rdf.NewIRI(f.Subject), f.Property, rdf.NewIRI(f.Object))
	for _, p := range f.Premises {
		s, o := rdf.NewIRI(p.From), rdf.NewIRI(p.To)
		if p.Inverse {
			s, o = o, s
		}
		d.add(node, provNS+"wasDerivedFrom", d.statement(s, p.Property, o))
	}
}
