package ongoing

import (
	"context"
	"path/filepath"
	"sync"
	"time"

	"orbweaver/engine"
	"orbweaver/internal/saturation"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// States of an estimate.
const (
	Estimated = "estimated"
	TooFew    = "too-few"  // fewer than five accepted pages, or fifty requests
	Reading   = "reading"  // the lines of earlier sessions are read: ask again
	Revisits  = "revisits" // the session requests pages again: what it brings is not estimated
	NoPages   = "no-pages" // what the focus finds are no pages
)

// A Stopping is when a crawl ends: what is left to accept, what stop.saturation says of that, and the limits.
type Stopping struct {
	State      string                `json:"state"`                // see the constants
	Saturation float64               `json:"saturation,omitempty"` // stop.saturation of the crawl file: pages from 1 on, below 1 a share of those accepted; 0: nothing
	Test       *saturation.Test      `json:"test,omitempty"`       // what it compares now
	Met        bool                  `json:"met"`                  // by the estimate of now the crawl ends
	Now        *saturation.Estimate  `json:"now"`                  // nil: see State
	History    []saturation.Estimate `json:"history"`              // what was known at earlier numbers of requests, ascending; the last of now
	Limits     []Limit               `json:"limits"`
}

// A Limit is a limit of a session, and what counts against it.
type Limit struct {
	Name  string        `json:"name"` // key below limits of the crawl file
	Now   int64         `json:"now,omitempty"`
	Most  int64         `json:"most,omitempty"`
	Spent time.Duration `json:"spent,omitempty"` // of time, in ns
	Time  time.Duration `json:"time,omitempty"`
}

// LimitsOf returns the limits that there are.
func LimitsOf(l engine.Limits, now step.Progress) []Limit {
	all := []Limit{}
	for _, one := range []Limit{{Name: "requests", Now: now.Requests, Most: l.Requests}, {Name: "pages", Now: now.Pages, Most: l.Pages}, {Name: "bytes", Now: now.Bytes, Most: l.Bytes}, {Name: "time", Spent: now.Active, Time: l.Time}} {
		if one.Most > 0 || one.Time > 0 {
			all = append(all, one)
		}
	}
	return all
}

// Without returns a Stopping without an estimate.
func Without(state string) Stopping {
	return Stopping{State: state, History: []saturation.Estimate{}, Limits: []Limit{}}
}

// A Look keeps what was read of a crawl at rest.
type Look struct {
	mu    sync.Mutex
	curve *saturation.Curve
	of    int64 // requests
}

// Read returns the curve of the crawl in a folder after so many requests.
func (l *Look) Read(ctx context.Context, folder string, requests int64) (*saturation.Curve, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.curve != nil && l.of == requests {
		return l.curve, nil
	}
	l.curve = nil
	curve := &saturation.Curve{}
	for line, err := range ledger.Committed(filepath.Join(folder, ledger.JournalFile)) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		curve.Add(&line)
	}
	l.curve, l.of = curve, requests
	return curve, nil
}

// historyPoints is the number of estimates of a history.
const historyPoints = 16

// StoppingOf returns what a curve says. The threshold is that by which pages are accepted now, 0 if no score decides.
func StoppingOf(rule float64, curve *saturation.Curve, threshold float64, waiting int64) Stopping {
	s := Stopping{State: TooFew, Saturation: rule, History: []saturation.Estimate{}}
	if curve == nil {
		s.State = Reading
		return s
	}
	s.History = append(s.History, curve.History(historyPoints, waiting)...)
	e, ok := curve.Estimate(threshold, waiting)
	if !ok || curve.Requests() < saturation.FirstLook {
		return s
	}
	s.State, s.Now = Estimated, &e
	if rule > 0 {
		test := e.By(rule)
		s.Test, s.Met = &test, test.Met()
	}
	return s
}
