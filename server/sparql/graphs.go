package sparql

import (
	"context"
	"crypto/rand"
	"iter"
	"net/http"
	"net/url"
	"strings"

	"orbweaver/rdf"
	"orbweaver/rdf/iri"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/eval"
	"orbweaver/server/queue"
)

// graphs answers a request of the Graph Store Protocol.
func (h *Handler) graphs(w http.ResponseWriter, r *http.Request) error {
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		return h.getGraph(w, r)
	case http.MethodPut, http.MethodPost, http.MethodDelete:
		if h.opts.Updates == nil {
			return faulty(http.StatusForbidden, "this store is read-only")
		}
		return h.changeGraph(w, r)
	}
	w.Header().Set("Allow", "GET, HEAD, PUT, POST, DELETE, OPTIONS")
	return faulty(http.StatusMethodNotAllowed, "a graph does not take %s", r.Method)
}

// graphOf is the graph that a request names; zero: the default graph. named is false if it names none.
func graphOf(r *http.Request) (graph rdf.Term, named bool, err error) {
	params, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return graph, false, faulty(http.StatusBadRequest, "the URL's query: %w", err)
	}
	direct := strings.HasPrefix(r.URL.Path, graphsPath+"/") && r.URL.Path != graphsPath+"/"
	said := len(params["graph"])
	if params.Has("default") {
		said++
	}
	switch {
	case said > 1, said == 1 && direct:
		return graph, false, faulty(http.StatusBadRequest, "name one graph: by the path, by ?graph=IRI or by ?default")
	case direct:
		u := *r.URL
		u.RawQuery, u.Fragment = "", ""
		graph = rdf.NewIRI(here(r, "") + u.EscapedPath())
	case params.Has("default"):
		return graph, true, nil
	case said == 0:
		return graph, false, nil
	default:
		graph = rdf.NewIRI(params.Get("graph"))
	}
	if err := iri.Check(graph.Value); err != nil {
		return graph, false, faulty(http.StatusBadRequest, "graph %q: %w", graph.Value, err)
	}
	return graph, true, nil
}

// lookUp looks up a graph in a snapshot, and whether it has a triple. It does not use the store's counts,
// which may be later than the snapshot.
func lookUp(s snapshot, graph rdf.Term) (id quads.ID, exists bool, err error) {
	if !graph.IsZero() {
		if id, exists, err = s.Lookup(graph); err != nil || !exists {
			return id, false, err
		}
	}
	c := s.Cursor()
	c.Seek(quads.Pattern{S: quads.Any, P: quads.Any, O: quads.Any, G: id})
	exists = c.Next()
	return id, exists, c.Close()
}

// getGraph writes a graph.
func (h *Handler) getGraph(w http.ResponseWriter, r *http.Request) error {
	graph, named, err := graphOf(r)
	if err == nil && !named {
		err = faulty(http.StatusBadRequest, "name a graph: by the path, by ?graph=IRI or by ?default")
	}
	if err != nil {
		return err
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
	return h.reading(func(s snapshot) error {
		id, exists, err := lookUp(s, graph)
		switch {
		case err != nil:
			return err
		case !exists && !graph.IsZero():
			return faulty(http.StatusNotFound, "no graph <%s>", graph.Value)
		}
		a := newAnswer(&lending{w, slot}, r, graphType(f))
		if !a.head {
			err = writeGraph(a, f, nil, triplesOf(r.Context(), slot, s, id))
		}
		return a.end(err)
	})
}

// triplesOf iterates over the triples of a graph, or of all graphs if it is quads.Any, and gives others their turn.
func triplesOf(ctx context.Context, slot *queue.Slot, s snapshot, graph quads.ID) iter.Seq2[rdf.Triple, error] {
	return func(yield func(rdf.Triple, error) bool) {
		c := s.Cursor()
		defer c.Close()
		c.Seek(quads.Pattern{S: quads.Any, P: quads.Any, O: quads.Any, G: graph})
		for n := 1; c.Next(); n++ {
			t, err := tripleOf(s, c.Quad())
			if n%1024 == 0 && err == nil {
				if err = slot.Pause(int64(n), 0); err == nil {
					err = ctx.Err()
				}
			}
			if !yield(t, err) || err != nil {
				return
			}
		}
		if err := c.Err(); err != nil {
			yield(rdf.Triple{}, err)
		}
	}
}

// tripleOf is the triple of a quad.
func tripleOf(s snapshot, q quads.Quad) (t rdf.Triple, err error) {
	if t.S, err = s.Term(q.S); err == nil {
		if t.P, err = s.Term(q.P); err == nil {
			t.O, err = s.Term(q.O)
		}
	}
	return t, err
}

// changeGraph handles PUT, POST and DELETE.
func (h *Handler) changeGraph(w http.ResponseWriter, r *http.Request) error {
	graph, named, err := graphOf(r)
	if err != nil {
		return err
	}
	if !named {
		if r.Method != http.MethodPost {
			return faulty(http.StatusBadRequest, "name a graph: by the path, by ?graph=IRI or by ?default")
		}
		graph = rdf.NewIRI(here(r, graphsPath+"/"+strings.ToLower(rand.Text())))
	}
	var triples []rdf.Triple
	if r.Method != http.MethodDelete {
		body, err := h.enter(r, h.bodies, 0)
		if err != nil {
			return err
		}
		defer body.Leave()
		if triples, err = h.document(r, graph); err != nil {
			return err
		}
	}
	slot, err := h.enter(r, h.changes, float64(len(triples)))
	if err != nil {
		return err
	}
	defer slot.Leave()
	existed := false
	err = h.updating(r.Context(), func(s eval.Store) (err error) {
		existed, err = change(r.Context(), s, r.Method, graph, triples)
		return err
	})
	switch {
	case err != nil:
		return err
	case r.Method == http.MethodPut && existed:
		w.WriteHeader(http.StatusNoContent)
	case r.Method == http.MethodDelete || existed:
		w.WriteHeader(http.StatusOK)
	default:
		if !named {
			w.Header().Set("Location", graph.Value)
		}
		w.WriteHeader(http.StatusCreated)
	}
	return nil
}

// change clears a graph, except for POST, and adds triples.
func change(ctx context.Context, s eval.Store, method string, graph rdf.Term, triples []rdf.Triple) (existed bool, err error) {
	before, release, err := s.View()
	if err != nil {
		return false, err
	}
	_, existed, err = lookUp(before, graph)
	if released := release(); err == nil {
		err = released
	}
	switch {
	case err != nil:
		return false, err
	case method == http.MethodDelete && !existed && !graph.IsZero():
		return false, faulty(http.StatusNotFound, "no graph <%s>", graph.Value)
	case method != http.MethodPost && existed:
		if err := s.Clear(graph); err != nil {
			return existed, err
		}
	}
	for i, t := range triples {
		if i%1024 == 0 && ctx.Err() != nil {
			return existed, ctx.Err()
		}
		if err := s.Add(rdf.Quad{S: t.S, P: t.P, O: t.O, G: graph}); err != nil {
			return existed, err
		}
	}
	return existed, nil
}
