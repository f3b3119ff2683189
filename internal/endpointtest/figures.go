package endpointtest

import (
	"net/http"
	"slices"
	"sync"
	"time"
)

// Figures is the load that a client caused. It counts all requests, also for robots.txt.
type Figures struct {
	Requests   int           // all requests
	Queries    int           // queries to the endpoint's path, or to the one that it moved to
	Concurrent int           // maximum number of concurrent requests
	PerSecond  int           // maximum number of requests started within a second
	MinGap     time.Duration // minimum time between two starts; 0 for fewer than two
}

// load records the starts and ends of requests.
type load struct {
	mu       sync.Mutex
	started  []time.Time
	asked    []string
	flying   int
	together int
}

// enter records the start of a request, and returns the function that records its end.
func (l *load) enter() (leave func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.started = append(l.started, time.Now())
	l.flying++
	l.together = max(l.together, l.flying)
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.flying--
	}
}

// ask records a query.
func (l *load) ask(query string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asked = append(l.asked, query)
}

// figures returns the figures so far.
func (l *load) figures() Figures {
	l.mu.Lock()
	defer l.mu.Unlock()
	f := Figures{Requests: len(l.started), Queries: len(l.asked), Concurrent: l.together}
	first := 0
	for i, at := range l.started {
		for at.Sub(l.started[first]) >= time.Second {
			first++
		}
		f.PerSecond = max(f.PerSecond, i-first+1)
		if i > 0 {
			if gap := at.Sub(l.started[i-1]); i == 1 || gap < f.MinGap {
				f.MinGap = gap
			}
		}
	}
	return f
}

// begun returns the start times of requests, in order.
func (l *load) begun() []time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.started)
}

// queries returns the texts of queries in order of arrival.
func (l *load) queries() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.asked)
}

// watched records the requests to next.
func (l *load) watched(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer l.enter()()
		next.ServeHTTP(w, r)
	})
}
