package endpointtest

import (
	"net/http"
	"slices"
	"sync"
	"time"
)

// Figures are how politely an endpoint was asked. Robots.txt counts, as any request.
type Figures struct {
	Requests   int           // in all
	Queries    int           // of them to the endpoint's path, or the one that it moved to, with a query
	Concurrent int           // being answered at once, at most
	PerSecond  int           // begun within a second, at most
	MinGap     time.Duration // between two that began one after the other; 0 for less than two
}

// manners notes when requests begin and end.
type manners struct {
	mu       sync.Mutex
	started  []time.Time
	asked    []string
	flying   int
	together int
}

// enter notes that a request begins, and returns what notes that it ends.
func (m *manners) enter() (leave func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.started = append(m.started, time.Now())
	m.flying++
	m.together = max(m.together, m.flying)
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.flying--
	}
}

// ask notes a query.
func (m *manners) ask(query string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked = append(m.asked, query)
}

// figures returns what was noted so far.
func (m *manners) figures() Figures {
	m.mu.Lock()
	defer m.mu.Unlock()
	f := Figures{Requests: len(m.started), Queries: len(m.asked), Concurrent: m.together}
	first := 0
	for i, at := range m.started {
		for at.Sub(m.started[first]) >= time.Second {
			first++
		}
		f.PerSecond = max(f.PerSecond, i-first+1)
		if i > 0 {
			if gap := at.Sub(m.started[i-1]); i == 1 || gap < f.MinGap {
				f.MinGap = gap
			}
		}
	}
	return f
}

// begun returns when requests began, in order.
func (m *manners) begun() []time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.started)
}

// queries returns the texts of queries in the order in which they came.
func (m *manners) queries() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.asked)
}

// watched has each request to next noted.
func (m *manners) watched(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer m.enter()()
		next.ServeHTTP(w, r)
	})
}
