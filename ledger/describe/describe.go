// Package describe describes a crawl's documents in RDF: the outcome of each, its judgement with reasons, how it was
// reached, and the links between documents. The terms are those of docs/reference/vocabulary.ttl, with FOAF, Dublin Core, PROV-O
// and VoID.
//
// This package is not part of the stable API.
package describe

import (
	"fmt"
	"iter"
	"math"
	"strconv"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/rdf"
	"orbweaver/rdf/iri"
	"orbweaver/weburl"
)

// NS is the namespace of Orbweaver's own terms.
const NS = "http://orbweaver.example/terms#"

// Scope is the blank node scope of this package: see quads.Writer.Add.
const Scope = "described"

// Namespaces of other vocabularies.
const (
	nsRDF     = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	nsRDFS    = "http://www.w3.org/2000/01/rdf-schema#"
	nsXSD     = "http://www.w3.org/2001/XMLSchema#"
	nsDCTerms = "http://purl.org/dc/terms/"
	nsFOAF    = "http://xmlns.com/foaf/0.1/"
	nsPROV    = "http://www.w3.org/ns/prov#"
	nsVoID    = "http://rdfs.org/ns/void#"
)

// MediaTypes is the IRI prefix of media types in the IANA registry.
const MediaTypes = "https://www.iana.org/assignments/media-types/"

// Predicates between a document and its parts.
const (
	HasOutlink = NS + "hasOutlink"
	HasInlink  = NS + "hasInlink"
	Reason     = NS + "reason"
	Graph      = NS + "graph"
	Triples    = nsVoID + "triples"
	Type       = nsRDF + "type"

	GeneratedBy = nsPROV + "wasGeneratedBy" // a document's crawl
)

// OfDocuments returns the predicates that Document.Quads uses for a document.
func OfDocuments() []string {
	own := []string{
		"number", "status", "failure", "message", "redirectsTo", "canonical", "size", "digest", "duplicateOf", "nearDuplicateOf",
		"depth", "anchor", "predictedScore", "predictedChance", "predictedClass", "score", "chance", "accepted", "class", "reason", "hasOutlink", "graph",
	}
	for i := range own {
		own[i] = NS + own[i]
	}
	return append(own, nsRDF+"type", nsDCTerms+"title", nsDCTerms+"language", nsDCTerms+"format", nsPROV+"wasGeneratedBy", nsPROV+"generatedAtTime", nsPROV+"wasDerivedFrom")
}

// Classes returns the classes of documents.
func Classes() []string {
	return []string{NS + "Page", NS + "Redirect", NS + "Failure", nsFOAF + "Document", nsPROV + "Entity"}
}

// An Activity is a crawl.
type Activity struct {
	Node     rdf.Term // zero: the crawl is not described
	Name     string
	Software string // the program that runs it
}

// Quads describes the crawl.
func (a Activity) Quads() []rdf.Quad {
	if a.Node.IsZero() {
		return nil
	}
	node, agent := a.Node, rdf.NewBlank("agent")
	say := func(s rdf.Term, p string, o rdf.Term) rdf.Quad { return rdf.Quad{S: s, P: rdf.NewIRI(p), O: o} }
	return []rdf.Quad{
		say(node, nsRDF+"type", rdf.NewIRI(nsPROV+"Activity")),
		say(node, nsRDF+"type", rdf.NewIRI(NS+"Crawl")),
		say(node, nsRDFS+"label", text(a.Name)),
		say(node, nsPROV+"wasAssociatedWith", agent),
		say(agent, nsRDF+"type", rdf.NewIRI(nsPROV+"SoftwareAgent")),
		say(agent, nsRDFS+"label", text(a.Software)),
	}
}

// Node returns the node of a request's document: its URL as an IRI, including a query to an endpoint.
func Node(r orbweaver.Request) rdf.Term {
	return rdf.NewIRI(iri.Encode(weburl.Queried(r.URL, r.Query)))
}

// A Document is an outcome to be described.
type Document struct {
	Outcome orbweaver.Outcome // with the reasons to be described
	Links   iter.Seq[string]  // targets of the page's links, each once
	Crawl   rdf.Term          // zero: unknown
	Graph   rdf.Term          // of the page's own statements; zero: none
	Triples int64             // statements of the graph
}

// Quads describes the document, in the default graph. Equal outcomes have equal descriptions.
func (d Document) Quads() iter.Seq[rdf.Quad] {
	return func(yield func(rdf.Quad) bool) {
		t := &description{yield: yield, node: Node(d.Outcome.Request)}
		t.fate(&d.Outcome)
		t.way(&d.Outcome)
		t.say(nsPROV+"wasGeneratedBy", d.Crawl)
		if p := d.Outcome.Page; p != nil {
			t.page(p)
			t.judgement(&d.Outcome)
		}
		if !d.Graph.IsZero() {
			t.say(Graph, d.Graph)
			t.of(d.Graph, Triples, integer(d.Triples))
		}
		if d.Links != nil {
			t.links(d.Links)
		}
	}
}

// A description is a description in progress.
type description struct {
	yield func(rdf.Quad) bool
	node  rdf.Term
	over  bool
}

// of adds a statement, unless its object is zero.
func (t *description) of(s rdf.Term, p string, o rdf.Term) {
	if !o.IsZero() {
		t.over = t.over || !t.yield(rdf.Quad{S: s, P: rdf.NewIRI(p), O: o})
	}
}

// say adds a statement about the document.
func (t *description) say(p string, o rdf.Term) { t.of(t.node, p, o) }

// fate describes the outcome of a request.
func (t *description) fate(o *orbweaver.Outcome) {
	kind := "Page"
	switch {
	case o.Err != nil:
		kind = "Failure"
	case o.Page == nil:
		kind = "Redirect"
	}
	t.say(nsRDF+"type", rdf.NewIRI(NS+kind))
	t.say(NS+"number", integer(o.N))
	if o.Status != 0 {
		t.say(NS+"status", integer(int64(o.Status)))
	}
	if o.Err != nil {
		t.say(NS+"failure", rdf.NewString(string(orbweaver.FailureOf(o.Err))))
		t.say(NS+"message", text(o.Err.Error()))
	}
	if o.Redirect != "" {
		t.say(NS+"redirectsTo", address(o.Redirect))
	}
	if !o.At.IsZero() {
		t.say(nsPROV+"generatedAtTime", rdf.NewTyped(o.At.UTC().Truncate(time.Millisecond).Format(time.RFC3339Nano), nsXSD+"dateTime"))
	}
}

// way describes how a document was reached, and its prediction.
func (t *description) way(o *orbweaver.Outcome) {
	t.say(NS+"depth", integer(int64(o.Request.Depth)))
	if o.Request.Parent != "" {
		t.say(nsPROV+"wasDerivedFrom", address(o.Request.Parent))
	}
	if v := o.Request.Via; v != nil {
		t.say(NS+"anchor", text(v.Anchor))
	}
	t.say(NS+"predictedScore", number(o.Predicted.Score))
	t.chance("predictedChance", o.Predicted.Chance)
	t.say(NS+"predictedClass", text(o.Predicted.Class))
}

// chance states a chance, if it is known.
func (t *description) chance(name string, p float64) {
	if p > 0 {
		t.say(NS+name, number(p))
	}
}

// page describes a page.
func (t *description) page(p *orbweaver.Page) {
	t.say(nsRDF+"type", rdf.NewIRI(nsFOAF+"Document"))
	t.say(nsRDF+"type", rdf.NewIRI(nsPROV+"Entity"))
	t.say(nsDCTerms+"title", text(p.Title))
	t.say(nsDCTerms+"language", text(p.Lang))
	if p.MediaType != "" {
		t.say(nsDCTerms+"format", address(MediaTypes+p.MediaType))
	}
	if p.Canonical != "" {
		t.say(NS+"canonical", address(p.Canonical))
	}
	t.say(NS+"size", integer(p.Size))
	t.say(NS+"digest", text(p.Digest))
}

// judgement describes the judgement of a page, with reasons.
func (t *description) judgement(o *orbweaver.Outcome) {
	t.say(NS+"score", number(o.Actual.Score))
	t.chance("chance", o.Actual.Chance)
	t.say(NS+"accepted", rdf.NewTyped(strconv.FormatBool(o.Actual.Accepted), rdf.XSDBoolean))
	t.say(NS+"class", text(o.Actual.Class))
	for i, r := range o.Actual.Reasons {
		node := rdf.NewBlank(fmt.Sprintf("o%dr%d", o.N, i))
		t.say(Reason, node)
		t.of(node, NS+"rule", text(r.Rule))
		t.of(node, NS+"evidence", text(r.Evidence))
		t.of(node, NS+"weight", number(r.Weight))
	}
	switch {
	case o.Duplicate.URL == "":
	case o.Duplicate.Near:
		t.say(NS+"nearDuplicateOf", address(o.Duplicate.URL))
	default:
		t.say(NS+"duplicateOf", address(o.Duplicate.URL))
	}
}

// links describes the web graph, in both directions.
func (t *description) links(targets iter.Seq[string]) {
	for to := range targets {
		target := address(to)
		t.say(HasOutlink, target)
		t.of(target, HasInlink, t.node)
		if t.over {
			return
		}
	}
}

// address returns a URL as a term.
func address(url string) rdf.Term { return rdf.NewIRI(iri.Encode(url)) }

// text returns a string as a term; zero if it is empty.
func text(s string) rdf.Term {
	if s == "" {
		return rdf.Term{}
	}
	return rdf.NewString(strings.ToValidUTF8(s, "\uFFFD"))
}

func integer(n int64) rdf.Term { return rdf.NewTyped(strconv.FormatInt(n, 10), rdf.XSDInteger) }

// number returns a decimal of at most six digits, which the store inlines in an ID; zero if it is not a
// number.
func number(f float64) rdf.Term {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return rdf.Term{}
	}
	s := strconv.FormatFloat(f, 'f', 6, 64)
	s = strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
	if s == "-0" {
		s = "0"
	}
	return rdf.NewTyped(s, rdf.XSDDecimal)
}
