// Package server controls a running crawl: HTTP over a Unix socket in its folder (control.sock), and the
// client that the command line uses.
//
// The process that owns a crawl folder serves; the ledger's lock says who owns it, not the socket. The
// socket is for its user alone (mode 0600 from the first moment), there is at most one in a folder, and
// the socket of a killed process is replaced. Requests are bounded in size, time and number. Errors keep
// their Failure across the socket. The meaning of the responses is up to the Crawl that is served.
//
// This package is not part of the stable API.
package server

import (
	"context"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/internal/recrawl"
	"orbweaver/internal/saturation"
	"orbweaver/internal/sinks"
	"orbweaver/internal/step"
)

// ErrNoCrawl means that no crawl runs in a folder, or that it ended before it responded.
const ErrNoCrawl orbweaver.Failure = "no-crawl"

// A Crawl is the control interface of a running crawl. Its methods may be called from any goroutine. They
// return when the work is done or the context ends; after the crawl has ended they fail at once, with an
// error that wraps ErrNoCrawl.
type Crawl interface {
	// Status returns the state of the crawl.
	Status(ctx context.Context) (Status, error)
	// Pause keeps the crawl from starting requests until Resume; those in flight go on. It is idempotent.
	Pause(ctx context.Context) error
	// Resume ends a pause. It is idempotent.
	Resume(ctx context.Context) error
	// Stop ends the session once requests in flight are done.
	Stop(ctx context.Context) error
	// Add offers a URL, as a person typed it, as a seed. The error wraps ErrBadURL if it is not a URL; a
	// refusal by the crawl's rules is a Result, not an error.
	Add(ctx context.Context, url string) (Added, error)
}

// Status is the state of a crawl.
type Status struct {
	Name     string                      `json:"name"`
	Folder   string                      `json:"folder"`           // absolute path
	PID      int                         `json:"pid,omitzero"`     // of the process that runs the crawl; 0: none
	Nodes    int                         `json:"nodes,omitzero"`   // of the cluster that runs the crawl; 0: none does
	Started  time.Time                   `json:"started,omitzero"` // when the session began; zero: no process runs it
	Paused   bool                        `json:"paused"`
	Progress step.Progress               `json:"progress"`
	End      string                      `json:"end,omitempty"`      // why the crawl ended, in one word: docs/reference/formats.md lists them
	Outage   *step.Outage                `json:"outage,omitempty"`   // of the machine's network, which lasts
	Logins   []step.Login                `json:"logins,omitempty"`   // that the crawl tries in vain; their hosts wait
	Waiting  int                         `json:"waiting"`            // requests
	InFlight int                         `json:"in_flight"`          // requests started and not decided
	Hosts    int                         `json:"hosts"`              // known ones
	Ready    int                         `json:"ready"`              // hosts that may get a request now
	Resting  int                         `json:"resting"`            // hosts with waiting requests, within a delay or back-off
	Down     int                         `json:"down"`               // hosts that do not answer: they get a request now and then
	Busiest  []step.Account              `json:"busiest,omitempty"`  // the ten hosts with the most requests, in descending order
	Failures map[orbweaver.Failure]int64 `json:"failures,omitempty"` // of outcomes, by reason
	Statuses map[int]int64               `json:"statuses,omitempty"` // of the failures for "status", by HTTP status; under 0, or missing: it is not known
	Refused  []step.Refused              `json:"refused,omitempty"`  // links not followed, the most frequent reason first
	Absence  time.Duration               `json:"absence,omitempty"`  // the longest of the goroutine that decides, in ns of its CPU time
	Rate     float64                     `json:"rate,omitempty"`     // pages a second now: over the last ten seconds or more, of this session
	Memory   int64                       `json:"memory,omitempty"`   // bytes that the process which runs it has of the machine, of all crawls that it runs
	Floods   int64                       `json:"floods,omitempty"`   // HTTP/2 connections closed because of frames that no request asked for
	Spared   []step.Spared               `json:"spared,omitempty"`   // what was not stored again, since another archive has it
	Watch    *Watch                      `json:"watch,omitempty"`    // of a session that visits the pages again; nil: it does not
	Schedule bool                        `json:"schedule,omitempty"` // no session runs, and a watch may go on with its schedule
	Sinks    []sinks.State               `json:"sinks,omitempty"`    // where accepted pages go, in the order of the crawl file
	Left     *saturation.Estimate        `json:"left,omitempty"`     // what a session would still accept; nil: none runs, or too little is known
}

// Failed returns the failures with the statuses of those that are answers.
func (s *Status) Failed() step.Failures {
	return step.Failures{Reasons: s.Failures, Statuses: s.Statuses}
}

// A Watch is the state of a watch: how up to date the crawl is, and when the next visit is due.
type Watch struct {
	recrawl.Figures
	Requests int       `json:"requests,omitempty"` // limit in 24 hours; 0: none
	Next     time.Time `json:"next"`               // no visit is due before
}

// An Upcoming is a page with its next visit.
type Upcoming struct {
	URL    string        `json:"url"`
	At     time.Time     `json:"at"`
	Last   time.Time     `json:"last"`            // the last visit
	Every  time.Duration `json:"every,omitempty"` // time between two visits, in ns; 0: by rounds
	Rate   float64       `json:"rate"`            // estimated changes a day
	Visits int           `json:"visits"`          // that the estimate rests on
	Worth  float64       `json:"worth"`
}

// Added is the result of Add.
type Added struct {
	URL    string `json:"url"`    // in canonical form
	Result string `json:"result"` // see the constants
}

// The results of Add. Those that end in a colon and a space are prefixes, followed by the rule that refused
// the URL, or by its state.
const (
	ResultAdded     = "added"
	ResultElsewhere = "another worker has it"
	ResultKnown     = "known: "        // "known: waits at rank 12", "known: fetched"
	ResultScope     = "out of scope: " // the scope's rule
	ResultRobots    = "robots: "       // the rule of robots.txt
)

// Refused reports whether the crawl's rules refused the URL.
func (a Added) Refused() bool {
	return strings.HasPrefix(a.Result, ResultScope) || strings.HasPrefix(a.Result, ResultRobots)
}
