// Package sparql answers queries and updates over HTTP: the SPARQL 1.1 Protocol, the SPARQL 1.1 Graph
// Store HTTP Protocol, a SPARQL 1.1 Service Description and a VoID description (W3C Recommendations
// of 21 March 2013, and Note of 3 March 2011), at these paths:
//
//	/sparql             queries and updates; the service description if there is neither
//	/graphs             the graph store: ?default, ?graph=IRI, and a new graph for POST without either
//	/graphs/…           the graph whose IRI is this URL
//	/.well-known/void   the VoID description of the store
//
// A query sees the store at its start; an update is atomic. Every request is bounded in size, time, rows
// and memory, and their number is bounded: see server/queue for who is next. Pages of other origins get no answer (Origin), nor do pages
// whose host name was made to point here (Host). Nothing is logged, and no document is fetched unless
// Options has a Service or a Loader.
//
// This package is not part of the stable API.
package sparql

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/eval"
	"orbweaver/server/door"
	"orbweaver/server/queue"
)

// A Store answers queries.
type Store interface {
	// Snapshot returns the store between two updates. The caller releases it.
	Snapshot() (r quads.Reader, release func() error, err error)
}

// An Updater is a writable Store.
type Updater interface {
	// Update calls change with exclusive write access to the store. If change returns nil, later snapshots
	// see its changes; otherwise they are undone, and its error is returned.
	Update(ctx context.Context, change func(eval.Store) error) error
}

// Options configure a Handler. The zero value of a limit means its default, in brackets.
type Options struct {
	Updates Updater // nil: the store is read-only

	Time     time.Duration // of a request, to the last byte of its answer (30 s)
	MaxRows  int64         // rows or triples of an answer (1 000 000)
	MaxBytes int64         // of memory for an evaluation, or for a graph in a request (512 MB)
	MaxBody  int64         // bytes of a request's body, compressed or not (64 MB); a query or update has its own limit, 1 MB
	MaxQuads int64         // in the store after an update (50 000 000)
	AtOnce   int           // concurrent evaluations, of which a third is kept for short ones, and graphs being read; more wait, up to Time (6)

	Service eval.Service // answers SERVICE; nil: refused
	Loader  eval.Loader  // reads the documents of LOAD; nil: refused

	// Extend returns further functions and predicates for a query. The caller ends them. May be nil.
	Extend func(context.Context, quads.Reader, eval.Options) (eval.Options, func() error)

	Hosts   []string // names of the server besides localhost and IP addresses
	Origins []string // origins of pages that may query, such as https://example.org, besides this machine's; "*": all
}

// filled sets the defaults.
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
		o.AtOnce = 6
	}
	return o
}

// maxAsked bounds the requests to other endpoints of a query, or of an operation of an update.
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

// A Handler serves one store. It is safe for concurrent use.
type Handler struct {
	store   Store
	opts    Options
	queries *queue.Queue // of evaluations
	changes *queue.Queue // of updates, which run one at a time and delay no query
	bodies  *queue.Queue // of request graphs in memory: a slow upload delays no query
	routes  *http.ServeMux
	door    door.Options
}

// New returns a handler.
func New(s Store, o Options) *Handler {
	h := &Handler{store: s, opts: o.filled(), routes: http.NewServeMux(), door: door.Options{Hosts: o.Hosts, Origins: o.Origins}}
	h.queries = queue.New(queue.Options{Slots: h.opts.AtOnce, Memory: h.opts.MaxBytes})
	h.changes = queue.New(queue.Options{Slots: 1})
	h.bodies = queue.New(queue.Options{Slots: h.opts.AtOnce})
	for path, answer := range map[string]func(http.ResponseWriter, *http.Request) error{
		endpointPath: h.protocol, endpointPath + "/{$}": h.protocol,
		graphsPath: h.graphs, graphsPath + "/": h.graphs,
		voidPath: h.void, "/{$}": h.front,
	} {
		h.routes.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) { h.serve(w, r, answer) })
	}
	return h
}

// ServeHTTP answers a request, after checking its Host and Origin.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Vary", "Accept, Accept-Encoding, Origin")
	origin, refusal := h.door.Check(r)
	if refusal == nil && origin == "" && r.URL.RawQuery != "" && r.Header.Get("Sec-Fetch-Site") == "cross-site" {
		refusal = &door.Refusal{Status: http.StatusForbidden, Why: "links of other sites may not query this server"}
	}
	if refusal != nil {
		tell(w, faulty(refusal.Status, "%s: its options can let it in", refusal.Why))
		return
	}
	if origin != "" {
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

// serve applies the bounds of a request, runs it and answers with its error.
func (h *Handler) serve(w http.ResponseWriter, r *http.Request, answer func(http.ResponseWriter, *http.Request) error) {
	ctx, cancel := context.WithTimeout(r.Context(), h.opts.Time)
	defer cancel()
	control := http.NewResponseController(w)
	deadline := time.Now().Add(h.opts.Time + grace)
	_ = control.SetReadDeadline(deadline) // tests have no connection
	_ = control.SetWriteDeadline(deadline)
	r = r.WithContext(ctx)
	body, err := h.body(w, r)
	if err == nil {
		r.Body = body
		err = answer(w, r)
	}
	if err != nil {
		_ = control.SetWriteDeadline(time.Now().Add(grace)) // undoing an update takes time
		tell(w, err)
	}
}

// enter waits for a slot for a request of some cost: see queue.Enter.
func (h *Handler) enter(r *http.Request, slots *queue.Queue, cost float64) (*queue.Slot, error) {
	slot, err := slots.Enter(r.Context(), clientOf(r.RemoteAddr), cost)
	if errors.Is(err, queue.ErrBusy) {
		return nil, faulty(http.StatusServiceUnavailable, "busy with %d requests: try again", h.opts.AtOnce)
	}
	return slot, err
}

// clientOf is whose request comes from an address: the machine's, or the network's that a provider gives to one
// customer.
func clientOf(address string) string {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return address
	}
	ip := at.Addr().Unmap().WithZone("")
	if ip.Is6() {
		network, _ := ip.Prefix(64) // always valid
		return network.String()
	}
	return ip.String()
}

// here is the URL of a path of this server, by the request's Host.
func here(r *http.Request, path string) string {
	u := url.URL{Scheme: "http", Host: r.Host, Path: path}
	if r.TLS != nil {
		u.Scheme = "https"
	}
	return u.String()
}
