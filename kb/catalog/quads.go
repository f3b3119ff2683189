package catalog

import (
	"strconv"
	"time"

	"orbweaver/rdf"
	"orbweaver/rdf/iri"
)

const (
	xsdDateTime = "http://www.w3.org/2001/XMLSchema#dateTime"
	iana        = "https://www.iana.org/assignments/media-types/"
)

// Describe returns a dataset in VoID, which Quads reads back. The dataset's IRI is the first Web address of
// Same, else "urn:dataset:" followed by its name. Where VoID has no term, DCAT's are used (catalogues that
// list the dataset, keywords, media types of dumps), and those of service descriptions for default graphs.
// Sources, entity tags and versions of SPARQL are left out. Labels of blank nodes contain the dataset's Name,
// so those of datasets with different names are distinct.
func Describe(d Dataset) []rdf.Triple {
	w := &describing{name: d.Name, subject: rdf.NewIRI(subjectOf(d))}
	w.add(rdfType, rdf.NewIRI(nsVoid+"Dataset"))
	w.add(nsDCT+"identifier", rdf.NewString(d.Name))
	w.text(nsDCT+"title", d.Title)
	w.text(nsDCT+"description", d.Description)
	w.iri(nsFOAF+"homepage", d.Homepage)
	for _, s := range d.Same {
		if s != w.subject.Value {
			w.iri(sameAs, s)
		}
	}
	w.iris(nsVoid+"sparqlEndpoint", d.Endpoints)
	w.dumps(d.Dumps)
	w.iris(nsVoid+"vocabulary", d.Vocabulary)
	w.iris(nsVoid+"exampleResource", d.Examples)
	for _, s := range d.Spaces {
		w.text(nsVoid+"uriSpace", s)
	}
	for _, a := range d.Aliases {
		w.text(nsDCT+"alternative", a)
	}
	for _, k := range d.Keywords {
		w.text(nsDCAT+"keyword", k)
	}
	w.number(nsVoid+"triples", d.Triples)
	w.number(nsVoid+"entities", d.Entities)
	if !d.Modified.IsZero() {
		w.add(nsDCT+"modified", rdf.NewTyped(d.Modified.UTC().Format(time.RFC3339Nano), xsdDateTime))
	}
	w.partitions("class", d.Classes)
	w.partitions("property", d.Properties)
	w.service(d)
	for _, v := range d.Void {
		document := &describing{subject: rdf.NewIRI(iri.Encode(v))}
		document.add(rdfType, rdf.NewIRI(nsVoid+"DatasetDescription"))
		document.add(nsFOAF+"primaryTopic", w.subject)
		w.triples = append(w.triples, document.triples...)
	}
	return w.triples
}

// subjectOf returns a dataset's IRI.
func subjectOf(d Dataset) string {
	for _, s := range d.Same {
		if len(s) > 7 && (s[:7] == "http://" || s[:7] == "https:/") {
			return s
		}
	}
	return "urn:dataset:" + d.Name
}

// A describing collects the statements about a dataset.
type describing struct {
	name    string // of the dataset; prefix of blank node labels
	subject rdf.Term
	triples []rdf.Triple
	blanks  int
}

func (w *describing) add(p string, o rdf.Term) {
	w.triples = append(w.triples, rdf.Triple{S: w.subject, P: rdf.NewIRI(p), O: o})
}

func (w *describing) text(p, s string) {
	if s != "" {
		w.add(p, rdf.NewString(s))
	}
}

// iri states an IRI, or a Web address, which may contain characters not allowed in IRIs.
func (w *describing) iri(p, s string) {
	if !isAbsolute(s) {
		s = iri.Encode(s)
	}
	if isAbsolute(s) {
		w.add(p, rdf.NewIRI(s))
	}
}

func (w *describing) iris(p string, all []string) {
	for _, s := range all {
		w.iri(p, s)
	}
}

func (w *describing) number(p string, n int64) {
	if n > 0 {
		w.add(p, rdf.NewTyped(strconv.FormatInt(n, 10), rdf.XSDInteger))
	}
}

// blank makes statements about a new blank node, the object of the predicate.
func (w *describing) blank(p string, state func(*describing)) {
	inner := w.node()
	w.add(p, inner.subject)
	state(inner)
	w.triples, w.blanks = append(w.triples, inner.triples...), inner.blanks
}

// node returns a describing for a new blank node.
func (w *describing) node() *describing {
	w.blanks++
	return &describing{name: w.name, subject: rdf.NewBlank(w.name + "_" + strconv.Itoa(w.blanks)), blanks: w.blanks}
}

// dumps states dumps, those with a media type also as distributions. It omits paths, which are local to one
// machine.
func (w *describing) dumps(dumps []Dump) {
	for _, dump := range dumps {
		w.iri(nsVoid+"dataDump", dump.URL)
		if dump.MediaType != "" && isAbsolute(dump.URL) {
			w.blank(nsDCAT+"distribution", func(b *describing) {
				b.add(rdfType, rdf.NewIRI(nsDCAT+"Distribution"))
				b.iri(nsDCAT+"downloadURL", dump.URL)
				b.iri(nsDCAT+"mediaType", iana+dump.MediaType)
			})
		}
	}
}

func (w *describing) partitions(of string, all []Partition) {
	for _, p := range all {
		w.blank(nsVoid+of+"Partition", func(b *describing) {
			b.iri(nsVoid+of, p.IRI)
			b.number(nsVoid+"triples", p.Triples)
			b.number(nsVoid+"entities", p.Entities)
		})
	}
}

// service states which named graph of an endpoint holds the dataset.
func (w *describing) service(d Dataset) {
	if len(d.Graphs) == 0 || len(d.Endpoints) == 0 {
		return
	}
	dataset := w.subject
	service := w.node()
	service.add(rdfType, rdf.NewIRI(nsSD+"Service"))
	service.iris(nsSD+"endpoint", d.Endpoints)
	service.blank(nsSD+"availableGraphs", func(b *describing) {
		for _, g := range d.Graphs {
			b.blank(nsSD+"namedGraph", func(named *describing) {
				named.iri(nsSD+"name", g)
				named.add(nsSD+"graph", dataset)
			})
		}
	})
	w.triples = append(w.triples, service.triples...)
}
