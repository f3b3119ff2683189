package server

import (
	"context"
	"fmt"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"

	"orbweaver"
)

// A Route is one thing that a crawl can be asked: a pattern of net/http with a method ("GET
// /explain") and what answers. Bodies are bounded before the handler sees them; Answer and Fail
// write as the client reads.
type Route struct {
	Pattern string
	Handler http.Handler
}

// About is the answer to `GET /`: who answers, and what can be asked.
type About struct {
	Version string   `json:"orbweaver"` // of the program
	Routes  []string `json:"routes"`    // patterns, in order of their paths
}

// newHandler joins the routes of a crawl and others.
func newHandler(c Crawl, more []Route) http.Handler {
	routes := append(routesOf(c), more...)
	about := About{Version: version(), Routes: []string{"GET /"}}
	mux := http.NewServeMux()
	for _, r := range routes {
		mux.Handle(r.Pattern, r.Handler)
		about.Routes = append(about.Routes, r.Pattern)
	}
	slices.SortStableFunc(about.Routes, func(a, b string) int { return strings.Compare(path(a), path(b)) })
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) { Answer(w, about) })
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { noRoute(w, r, about.Routes) })
	return recovering(mux)
}

// routesOf are the routes that all crawls have.
func routesOf(c Crawl) []Route {
	return []Route{
		{"GET /status", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			status, err := c.Status(r.Context())
			reply(w, status, err)
		})},
		{"POST /pause", telling(c.Pause)},
		{"POST /resume", telling(c.Resume)},
		{"POST /stop", telling(c.Stop)},
		{"POST /add", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { add(w, r, c) })},
	}
}

// telling answers for what a crawl is told: nothing, when it was done.
func telling(do func(context.Context) error) http.Handler {
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

// reply answers with a value, or an error.
func reply(w http.ResponseWriter, value any, err error) {
	if err != nil {
		Fail(w, err)
		return
	}
	Answer(w, value)
}

// noRoute says what can be asked.
func noRoute(w http.ResponseWriter, r *http.Request, routes []string) {
	status := http.StatusNotFound
	if slices.ContainsFunc(routes, func(route string) bool { return path(route) == r.URL.Path }) {
		status = http.StatusMethodNotAllowed
	}
	write(w, status, noSuchRoute{
		failure: failed(fmt.Errorf("this crawl's program (orbweaver %s) has no %s %s; it has %s",
			version(), r.Method, r.URL.Path, strings.Join(routes, ", "))),
		Routes: routes,
	})
}

// A noSuchRoute is the answer to what cannot be asked.
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

// recovering makes an answer of a handler's crash: the crawl is not to suffer from who looks at it.
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

// version is that of the program, as it was built.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
