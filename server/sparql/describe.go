package sparql

import (
	"fmt"
	"iter"
	"net/http"
	"strconv"
	"strings"

	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/void"
	"orbweaver/server/queue"
)

// The namespaces of a description.
const (
	nsRDF     = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	nsSD      = "http://www.w3.org/ns/sparql-service-description#"
	nsFormats = "http://www.w3.org/ns/formats/"
)

// listedGraphs is the maximum number of named graphs in a description.
const listedGraphs = 1000

// prefixes abbreviate descriptions.
func prefixes() map[string]string {
	return map[string]string{"rdf": nsRDF, "sd": nsSD, "formats": nsFormats, "void": void.NS}
}

// front lists the paths of the server.
func (h *Handler) front(w http.ResponseWriter, r *http.Request) error {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD, OPTIONS")
		return faulty(http.StatusMethodNotAllowed, "this path takes GET, not %s", r.Method)
	}
	a := newAnswer(w, r, "text/plain; charset=utf-8")
	_, err := fmt.Fprintf(a, "%s  SPARQL 1.1 Protocol\n%s  SPARQL 1.1 Graph Store HTTP Protocol: ?default, ?graph=IRI\n%s  what is in it\n",
		here(r, endpointPath), here(r, graphsPath), here(r, voidPath))
	return a.end(err)
}

// describe writes the service description.
func (h *Handler) describe(w http.ResponseWriter, r *http.Request) error {
	return h.answerGraph(w, r, func(slot *queue.Slot, s snapshot) ([]rdf.Triple, error) {
		d := &description{}
		service := rdf.NewBlank("service")
		d.of(service, nsRDF+"type", rdf.NewIRI(nsSD+"Service"))
		d.of(service, nsSD+"endpoint", rdf.NewIRI(here(r, r.URL.Path)))
		d.of(service, nsSD+"supportedLanguage", rdf.NewIRI(nsSD+"SPARQL11Query"))
		if h.opts.Updates != nil {
			d.of(service, nsSD+"supportedLanguage", rdf.NewIRI(nsSD+"SPARQL11Update"))
			for _, known := range readable() {
				d.of(service, nsSD+"inputFormat", rdf.NewIRI(nsFormats+known[0]))
			}
		}
		for _, name := range []string{"JSON", "XML", "CSV", "TSV"} {
			d.of(service, nsSD+"resultFormat", rdf.NewIRI(nsFormats+"SPARQL_Results_"+name))
		}
		for _, name := range []string{"Turtle", "N-Triples", "TriG", "N-Quads", "RDF_XML"} {
			d.of(service, nsSD+"resultFormat", rdf.NewIRI(nsFormats+name))
		}
		err := d.dataset(service, s)
		return d.facts, err
	})
}

// A description collects triples about subjects.
type description struct{ facts []rdf.Triple }

// of adds a triple.
func (d *description) of(s rdf.Term, p string, o rdf.Term) {
	d.facts = append(d.facts, rdf.Triple{S: s, P: rdf.NewIRI(p), O: o})
}

// dataset describes the graphs and their sizes.
func (d *description) dataset(service rdf.Term, s snapshot) error {
	dataset := rdf.NewBlank("dataset")
	d.of(service, nsSD+"defaultDataset", dataset)
	d.of(dataset, nsRDF+"type", rdf.NewIRI(nsSD+"Dataset"))
	d.of(dataset, nsSD+"defaultGraph", rdf.NewBlank("default"))
	if err := d.graph(rdf.NewBlank("default"), s, quads.Default); err != nil {
		return err
	}
	id, ok, err := s.NextGraph(quads.Default)
	for n := 1; ok && err == nil && n <= listedGraphs; n++ {
		name, err := s.Term(id)
		if err != nil {
			return err
		}
		if name.Kind == rdf.IRI {
			entry, graph := rdf.NewBlank("named"+strconv.Itoa(n)), rdf.NewBlank("graph"+strconv.Itoa(n))
			d.of(dataset, nsSD+"namedGraph", entry)
			d.of(entry, nsRDF+"type", rdf.NewIRI(nsSD+"NamedGraph"))
			d.of(entry, nsSD+"name", name)
			d.of(entry, nsSD+"graph", graph)
			if err := d.graph(graph, s, id); err != nil {
				return err
			}
		}
		if id, ok, err = s.NextGraph(id); err != nil {
			return err
		}
	}
	return err
}

// graph describes the size of a graph.
func (d *description) graph(node rdf.Term, s snapshot, id quads.ID) error {
	n, err := s.Count(quads.Pattern{S: quads.Any, P: quads.Any, O: quads.Any, G: id})
	d.of(node, nsRDF+"type", rdf.NewIRI(nsSD+"Graph"))
	d.of(node, void.NS+"triples", rdf.NewTyped(strconv.FormatInt(n, 10), rdf.XSDInteger))
	return err
}

// void writes a VoID description of the store, over all graphs.
func (h *Handler) void(w http.ResponseWriter, r *http.Request) error {
	return h.answerGraph(w, r, func(slot *queue.Slot, s snapshot) ([]rdf.Triple, error) {
		stats := void.New(void.Limits{})
		for t, err := range triplesOf(r.Context(), slot, s, quads.Any) {
			if err != nil {
				return nil, err
			}
			stats.Add(t)
		}
		d := &description{}
		dataset := rdf.NewIRI(here(r, voidPath) + "#dataset")
		for t := range stats.Describe(dataset) {
			if t.P.Value != void.NS+"documents" { // a store has no documents
				d.facts = append(d.facts, t)
			}
		}
		d.of(dataset, void.NS+"sparqlEndpoint", rdf.NewIRI(here(r, endpointPath)))
		return d.facts, nil
	})
}

// answerGraph answers with a graph that a function computes from the store.
func (h *Handler) answerGraph(w http.ResponseWriter, r *http.Request, facts func(*queue.Slot, snapshot) ([]rdf.Triple, error)) error {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD, OPTIONS")
		return faulty(http.StatusMethodNotAllowed, "a description takes GET, not %s", r.Method)
	}
	f, err := graphForm(strings.Join(r.Header.Values("Accept"), ","))
	if err != nil {
		return err
	}
	slot, err := h.enter(r, h.queries, 0)
	if err != nil {
		return err
	}
	defer slot.Leave()
	var triples []rdf.Triple
	if err := h.reading(func(s snapshot) (err error) {
		triples, err = facts(slot, s)
		return err
	}); err != nil {
		return err
	}
	a := newAnswer(&lending{w, slot}, r, graphType(f))
	if !a.head {
		err = writeGraph(a, f, prefixes(), sequence(triples))
	}
	return a.end(err)
}

// sequence iterates over triples.
func sequence(triples []rdf.Triple) iter.Seq2[rdf.Triple, error] {
	return func(yield func(rdf.Triple, error) bool) {
		for _, t := range triples {
			if !yield(t, nil) {
				return
			}
		}
	}
}
