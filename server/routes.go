package server

import (
	"context"
	"fmt"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/internal/order"
)

// A Route is an endpoint of the control socket: a pattern of net/http with a method ("GET /explain") and
// its handler. Request bodies are bounded before the handler sees them; Answer and Fail write what the
// Client reads.
type Route struct {
	Pattern string
	Handler http.Handler
}

// About is the response to `GET /`: the program and its routes.
type About struct {
	Version string   `json:"orbweaver"` // of the program
	Routes  []string `json:"routes"`    // patterns, in order of their paths
}

// newHandler joins the routes of a crawl and others.
func newHandler(c Crawl, more []Route) http.Handler {
	routes := append(routesOf(c), more...)
	about := About{Version: Version(), Routes: []string{"GET /"}}
	mux := http.NewServeMux()
	for _, r := range routes {
		mux.Handle(r.Pattern, r.Handler)
		about.Routes = append(about.Routes, r.Pattern)
	}
	order.Stably(about.Routes, func(a, b string) int { return strings.Compare(path(a), path(b)) })
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) { Answer(w, about) })
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { noRoute(w, r, about.Routes) })
	return recovering(mux)
}

// routesOf returns the routes that all crawls have.
func routesOf(c Crawl) []Route {
	return []Route{
		{"GET /status", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			status, err := c.Status(r.Context())
			reply(w, status, err)
		})},
		{"POST /pause", command(c.Pause)},
		{"POST /resume", command(c.Resume)},
		{"POST /stop", command(c.Stop)},
		{"POST /add", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { add(w, r, c) })},
	}
}

// command handles a method without a result: 204 when it is done.
func command(do func(context.Context) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := do(r.Context()); err != nil {
			Fail(w, err)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	})
}

// offer is the body of POST /add.
type offer struct {
	URL string `json:"url"`
}

func add(w http.ResponseWriter, r *http.Request, c Crawl) {
	var o offer
	if err := Decode(r, &o); err != nil {
		Fail(w, err)
		return
	}
	if o.URL == "" {
		Fail(w, fmt.Errorf("the request's body has no url: %w", orbweaver.ErrInput))
		return
	}
	added, err := c.Add(r.Context(), o.URL)
	reply(w, added, err)
}

// reply writes a value or an error.
func reply(w http.ResponseWriter, value any, err error) {
	if err != nil {
		Fail(w, err)
		return
	}
	Answer(w, value)
}

// noRoute answers a request that no route matches with the list of routes.
func noRoute(w http.ResponseWriter, r *http.Request, routes []string) {
	status := http.StatusNotFound
	if slices.ContainsFunc(routes, func(route string) bool { return path(route) == r.URL.Path }) {
		status = http.StatusMethodNotAllowed
	}
	write(w, status, noSuchRoute{
		failure: failed(fmt.Errorf("this crawl's program (orbweaver %s) has no %s %s; it has %s",
			Version(), r.Method, r.URL.Path, strings.Join(routes, ", "))),
		Routes: routes,
	})
}

// A noSuchRoute is the response to a request that no route matches.
type noSuchRoute struct {
	failure
	Routes []string `json:"routes"`
}

// path is a pattern without its method.
func path(pattern string) string {
	if _, path, found := strings.Cut(pattern, " "); found {
		return path
	}
	return pattern
}

// recovering turns a handler's panic into an error response, so that the crawl goes on.
func recovering(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			switch crash := recover(); crash {
			case nil:
			case http.ErrAbortHandler:
				panic(crash)
			default:
				Fail(w, fmt.Errorf("%s %s crashed: %v", r.Method, r.URL.Path, crash))
			}
		}()
		next.ServeHTTP(w, r)
	})
}

// Version is the program's version at build time.
func Version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
