// Package sparql answers queries and updates over HTTP: the SPARQL 1.1 Protocol, the SPARQL 1.1 Graph
// Store HTTP Protocol, a SPARQL 1.1 Service Description and a VoID description (W3C Recommendations
// of 21 March 2013, and Note of 3 March 2011), at these paths:
//
//	/sparql             queries and updates; the service description where there is neither
//	/graphs             the graph store: ?default, ?graph=IRI, and a new graph for POST without either
//	/graphs/…           a graph whose IRI is this very URL
//	/.well-known/void   what is in the store
//
// A query sees the store as it was when it began; an update is done as a whole or not at all. Every
// request is bounded in size, time, rows and memory, and so is their number. A browser's page that is
// not of this machine gets no answer, by its Origin, nor does one that has a name of its own point
// here, by its Host. Nothing is logged, and no document is fetched unless Options have what SERVICE and LOAD do it by.
//
// This package is not part of the stable API.
package sparql

import (
	"context"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/eval"
)

// A Store is what is asked.
type Store interface {
	// Snapshot returns the store as it is between two updates, and has the caller release it.
	Snapshot() (r quads.Reader, release func() error, err error)
}

// An Updater is a Store that can be changed.
type Updater interface {
	// Update calls change with the store, to be changed by it alone. What it did is kept, and seen by
	// later snapshots, if it returns nil; otherwise it is undone, and its error returned.
	Update(ctx context.Context, change func(eval.Store) error) error
}

// Options say what is offered. The zero value of each limit stands for the one in brackets.
type Options struct {
	Updates Updater // nil: the store is only read

	Time     time.Duration // of a request, its answer sent whole (30 s)
	MaxRows  int64         // rows or triples of an answer (1 000 000)
	MaxBytes int64         // that an evaluation may keep, or a graph that a request brings (512 MB)
	MaxBody  int64         // bytes of a request's body, packed or not (64 MB); a query or update of its own limit, 1 MB
	MaxQuads int64         // that the store may have after an update (50 000 000)
	AtOnce   int           // requests that are evaluated at once, and graphs that are read; more wait, as long as Time (4)

	Service eval.Service // that SERVICE is put to; nil: it is refused
	Loader  eval.Loader  // that LOAD reads by; nil: it is refused

	// Extend gives a query functions and predicates of its own, and has the caller end them; nil: none.
	Extend func(context.Context, quads.Reader, eval.Options) (eval.Options, func() error)

	Hosts   []string // names, besides localhost and addresses, by which the server may be asked for
	Origins []string // of pages that may ask, as in https://example.org, besides this machine's; "*": of any
}

// filled puts defaults where nothing was said.
func (o Options) filled() Options {
	if o.Time <= 0 {
		o.Time = 30 * time.Second
	}
	if o.MaxRows <= 0 {
		o.MaxRows = 1_000_000
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = 512 << 20
	}
	if o.MaxBody <= 0 {
		o.MaxBody = 64 << 20
	}
	if o.MaxQuads <= 0 {
		o.MaxQuads = 50_000_000
	}
	if o.AtOnce <= 0 {
		o.AtOnce = 4
	}
	return o
}

// maxAsked is how many requests to other endpoints a query or an operation of an update may make.
const maxAsked = 100

// limits are those of an evaluation.
func (o Options) limits() eval.Options {
	return eval.Options{MaxRows: o.MaxRows, MaxBytes: o.MaxBytes, Service: o.Service, MaxAsked: maxAsked}
}

// updating are the limits of an update.
func (o Options) updating() eval.UpdateOptions {
	return eval.UpdateOptions{Options: eval.Options{MaxBytes: o.MaxBytes, Service: o.Service, MaxAsked: maxAsked}, Loader: o.Loader}
}

// The paths.
const (
	endpointPath = "/sparql"
	graphsPath   = "/graphs"
	voidPath     = "/.well-known/void"
)

// A Handler answers for one store. Any number of goroutines may use it.
type Handler struct {
	store  Store
	opts   Options
	places chan struct{} // one for each request that may be evaluated
	bodies chan struct{} // one for each whose graph may be in memory: a slow one holds up no query
	routes *http.ServeMux
}

// New returns a handler.
func New(s Store, o Options) *Handler {
	h := &Handler{store: s, opts: o.filled(), routes: http.NewServeMux()}
	h.places, h.bodies = make(chan struct{}, h.opts.AtOnce), make(chan struct{}, h.opts.AtOnce)
	for path, answer := range map[string]func(http.ResponseWriter, *http.Request) error{
		endpointPath: h.protocol, endpointPath + "/{$}": h.protocol,
		graphsPath: h.graphs, graphsPath + "/": h.graphs,
		voidPath: h.void, "/{$}": h.front,
	} {
		h.routes.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) { h.serve(w, r, answer) })
	}
	return h
}

// ServeHTTP answers a request that may be made.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Vary", "Accept, Accept-Encoding, Origin")
	if !h.mayHost(r.Host) {
		tell(w, faulty(http.StatusMisdirectedRequest, "this server is not known as %q: it can be told to be", r.Host))
		return
	}
	if origin := r.Header.Get("Origin"); origin != "" {
		if !h.mayOrigin(origin, r.Host) {
			tell(w, faulty(http.StatusForbidden, "pages of %q may not ask here", origin))
			return
		}
		w.Header().Set("Access-Control-Allow-Origin", origin)
		w.Header().Set("Access-Control-Expose-Headers", "Location")
	}
	if r.Method == http.MethodOptions {
		w.Header().Set("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, DELETE")
		w.Header().Set("Access-Control-Allow-Headers", "Accept, Content-Encoding, Content-Type")
		w.Header().Set("Access-Control-Max-Age", "600")
		w.WriteHeader(http.StatusNoContent)
		return
	}
	h.routes.ServeHTTP(w, r)
}

// serve gives a request its time and its bounds, and tells what is wrong with it.
func (h *Handler) serve(w http.ResponseWriter, r *http.Request, answer func(http.ResponseWriter, *http.Request) error) {
	ctx, cancel := context.WithTimeout(r.Context(), h.opts.Time)
	defer cancel()
	control := http.NewResponseController(w)
	deadline := time.Now().Add(h.opts.Time + grace)
	_ = control.SetReadDeadline(deadline) // of a connection; tests have none
	_ = control.SetWriteDeadline(deadline)
	r = r.WithContext(ctx)
	body, err := h.body(w, r)
	if err == nil {
		r.Body = body
		err = answer(w, r)
	}
	if err != nil {
		_ = control.SetWriteDeadline(time.Now().Add(grace)) // undoing an update takes its time
		tell(w, err)
	}
}

// enter waits for a place.
func (h *Handler) enter(ctx context.Context, places chan struct{}) (leave func(), err error) {
	select {
	case places <- struct{}{}:
		return func() { <-places }, nil
	case <-ctx.Done():
		return nil, faulty(http.StatusServiceUnavailable, "busy with %d requests: try again", h.opts.AtOnce)
	}
}

// mayHost reports whether a Host header names this server: an address cannot be somebody else's name.
func (h *Handler) mayHost(host string) bool {
	name := hostname(host)
	if _, err := netip.ParseAddr(name); err == nil || name == "localhost" {
		return true
	}
	return slices.ContainsFunc(h.opts.Hosts, func(known string) bool { return strings.EqualFold(known, name) })
}

// mayOrigin reports whether a page may ask: one of this server, of this machine, or of an origin that
// was named.
func (h *Handler) mayOrigin(origin, host string) bool {
	if slices.Contains(h.opts.Origins, "*") || slices.Contains(h.opts.Origins, origin) {
		return true
	}
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" {
		return false
	}
	addr, err := netip.ParseAddr(hostname(u.Host))
	return u.Host == host || hostname(u.Host) == "localhost" || err == nil && addr.IsLoopback()
}

// hostname is a host without its port, in lower case.
func hostname(host string) string {
	u := url.URL{Host: host}
	return strings.ToLower(u.Hostname())
}

// here is a path of this server as a URL, by the name it was asked for.
func here(r *http.Request, path string) string {
	u := url.URL{Scheme: "http", Host: r.Host, Path: path}
	if r.TLS != nil {
		u.Scheme = "https"
	}
	return u.String()
}
