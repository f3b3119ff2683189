// Package metrics exports a running crawl to Prometheus and, on request, to Go's profiler.
//
// It takes plain numbers and depends on no crawl. Events are counted as they happen (Score, Stage,
// Duplicate); the state of the crawl is read at each scrape (Options.Read), so that a crawl without
// scrapes pays nothing for it. docs/reference/metrics.md lists every metric; each exists from the start, at 0.
//
// This package is not part of the stable API.
package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// Figures are the state of a crawl at one moment. Counters never decrease.
type Figures struct {
	Requests, Pages, Accepted int64            // outcomes, those with a page, accepted pages
	Bytes                     int64            // of payload, as received
	Failures                  map[string]int64 // outcomes without a page, by reason
	Refused                   map[string]int64 // links not followed, by reason

	Waiting, InFlight    int64 // requests
	Known                int64 // requests that wait, were made or were refused
	Ready, Resting, Down int64 // hosts with waiting requests
	NetworkDown          int64 // 1: this machine's network is down
	LoginsLost           int64 // logins that are tried in vain
	SinkBehind           int64 // accepted pages that the sink lacks which lacks most
	SinksFailing         int64 // sinks whose last delivery failed
	SinkWaits            int64 // 1: the crawl waits for a sink
	Floods               int64 // HTTP/2 connections closed because of frames that no request asked for

	Absences Absences
	Watch    Watch
	Left     *Left // nil: too little is known

	Requisites        map[string]int64 // of accepted pages, by what became of them
	RequisiteBytes    int64            // of their payload, as received
	RequisitesWaiting int64
}

// Watch says how up to date a crawl is that is watched; zero if it is not.
type Watch struct {
	Pages, Spent    int64   // pages that are visited, and requests in the last 24 hours
	Fresh, Weighted float64 // expected share of pages that are up to date, and the same by worth
	Age             float64 // mean expected age of copies, in seconds
}

// Left is what a crawl would still accept, as estimated: on average, and from and to in nine of ten cases.
type Left struct{ All, Next [3]float64 } // if all went on, and of the next thousand requests

// Absences are those of the goroutine that decides: what it does between two looks at its channel, in seconds.
type Absences struct {
	Bounds  []float64 // of the classes, ascending
	Counts  []int64   // by class; the last one, which has no bound, is above all
	Sum     float64
	Longest float64
}

// Options configure the metrics of a crawl.
type Options struct {
	// Read returns the state of the crawl. It may be called from many goroutines, and should return within a
	// second.
	Read func() Figures
	// Failures and Refusals are the reasons that Figures may have. Unknown reasons are summed as "error" and
	// "other", so that they create no series.
	Failures, Refusals []string
	// Stages are the stages of a request. An unlisted one gets its series with its first observation: stages
	// are names of the program, not of the web.
	Stages []string
}

// Metrics are the metrics of one crawl. They are safe for concurrent use, and share no state with other
// Metrics.
type Metrics struct {
	registry   *prometheus.Registry
	score      prometheus.Histogram
	stage      *prometheus.HistogramVec
	stages     map[string]prometheus.Observer // children of stage; read-only after New
	duplicates *prometheus.CounterVec
	kinds      map[string]prometheus.Counter // children of duplicates; likewise
}

// New makes the metrics of a crawl.
func New(o Options) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		score: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "orbweaver_score", Help: "Scores of the pages that were judged, 0 to 1.",
			Buckets: []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1},
		}),
		stage: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "orbweaver_stage_seconds", Help: "Time that one step of the work on a request took, in seconds.",
			Buckets: stageBuckets(),
		}, []string{"stage"}),
		stages: map[string]prometheus.Observer{},
		duplicates: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "orbweaver_duplicates_total", Help: "Pages whose content an earlier page had.",
		}, []string{"kind"}),
		kinds: map[string]prometheus.Counter{},
	}
	for _, stage := range o.Stages {
		m.stages[stage] = m.stage.WithLabelValues(stage)
	}
	for _, kind := range []string{"exact", "near"} {
		m.kinds[kind] = m.duplicates.WithLabelValues(kind)
	}
	m.registry.MustRegister(newStanding(o), m.score, m.stage, m.duplicates,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// stageBuckets are upper bounds in seconds, from 10 µs to 10 s, each about three times the one before.
func stageBuckets() []float64 {
	return []float64{10e-6, 30e-6, 100e-6, 300e-6, 1e-3, 3e-3, 10e-3, 30e-3, 100e-3, 300e-3, 1, 3, 10}
}

// Score counts a judged page; score is 0 to 1.
func (m *Metrics) Score(score float64) { m.score.Observe(score) }

// Stage records the duration of a stage of a request.
func (m *Metrics) Stage(stage string, took time.Duration) {
	child, ok := m.stages[stage]
	if !ok {
		child = m.stage.WithLabelValues(stage)
	}
	child.Observe(took.Seconds())
}

// Duplicate counts a page whose content an earlier page had: kind "exact" or "near". Other kinds are
// ignored.
func (m *Metrics) Duplicate(kind string) {
	if child, ok := m.kinds[kind]; ok {
		child.Inc()
	}
}
