package studio

import (
	"net"
	"net/http"
	"strings"
	"sync"

	"orbweaver/studio/api"
)

// maxCostly is the number of costly requests that are answered to one client at the same time: more than a browser has connections to one
// server, so that a person never meets it, and few enough that a program that repeats what was slow leaves room for others.
const maxCostly = 8

// busy counts the costly requests of clients, by address.
type busy struct {
	mu    sync.Mutex
	asked map[string]int
}

// enter takes a place for a costly request; false: the client has them all. leave gives it back.
func (b *busy) enter(r *http.Request) (leave func(), ok bool) {
	client, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		client = r.RemoteAddr
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.asked[client] == maxCostly {
		return nil, false
	}
	if b.asked == nil {
		b.asked = map[string]int{}
	}
	b.asked[client]++
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.asked[client]--; b.asked[client] == 0 {
			delete(b.asked, client)
		}
	}, true
}

// limit refuses costly requests of a client that has many under way.
func (b *busy) limit(s *Server, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if costly(r) {
			leave, ok := b.enter(r)
			if !ok {
				w.Header().Set("Retry-After", "1")
				s.refuse(w, r, http.StatusTooManyRequests, "eight searches, queries, exports and judgements are under way for this client: wait for one to end, then ask again")
				return
			}
			defer leave()
		}
		next.ServeHTTP(w, r)
	})
}

// costly reports whether a request may go through a whole crawl, run a query, or fetch pages.
func costly(r *http.Request) bool {
	what := r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
	if strings.HasPrefix(r.URL.Path, api.Base+"/") {
		switch what {
		case "search", "sparql", "export", "judge", "unsure", "teaching", "report", "removals", "proposals", "effect", "try-both":
			return true
		}
		return (what == "pages" || what == "facets") && reads(r)
	}
	return what == "results" && reads(r) || what == "removed" || what == "teach" || what == "proposals" || what == "effect" || what == "edit" && r.Method == http.MethodPost
}

// reads reports whether a list is of what pages say.
func reads(r *http.Request) bool {
	q := r.URL.Query()
	return q.Has("words") || q.Has("text") || q.Has("entity") || q.Has("lang") || q.Has("type")
}
