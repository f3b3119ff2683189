// Package server is how a running crawl is asked and told: HTTP over a Unix socket in its folder
// (control.sock), and the client that the verbs of the command line use.
//
// The process that owns a crawl folder serves; that it owns it is the ledger's lock, not the
// socket's. The socket is for its user alone (mode 0600 from the first moment), there is one in a
// folder at most, and what a killed process left is replaced. What comes in is bounded in size, time
// and number. Errors keep their Failure on the way: a client's caller can ask for it as if the crawl
// were its own. What the answers mean is the business of the Crawl that is served.
//
// This package is not part of the stable API.
package server

import (
	"context"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/internal/step"
)

// ErrNoCrawl says that no crawl runs in a folder, or that it ended before it answered.
const ErrNoCrawl orbweaver.Failure = "no-crawl"

// A Crawl is what a running crawl can be asked and told. Its methods may be called from any
// goroutine. They return when it was done, or the context ended; those of a crawl that is over fail
// at once, with an error that wraps ErrNoCrawl.
type Crawl interface {
	// Status says how far the crawl has come.
	Status(ctx context.Context) (Status, error)
	// Pause lets nothing new start until Resume; what is in hand goes on. Once more changes nothing.
	Pause(ctx context.Context) error
	// Resume ends a pause. Where there is none it changes nothing.
	Resume(ctx context.Context) error
	// Stop ends the session after what is in hand.
	Stop(ctx context.Context) error
	// Add offers a URL, as a person wrote it, as a seed. The error wraps ErrBadURL for what is none;
	// that the crawl must not go there is no error.
	Add(ctx context.Context, url string) (Added, error)
}

// Status is how a crawl stands.
type Status struct {
	Name     string                      `json:"name"`
	Folder   string                      `json:"folder"`           // absolute path
	PID      int                         `json:"pid,omitzero"`     // of the process that runs it; 0: none does
	Started  time.Time                   `json:"started,omitzero"` // when the session began; zero: no process runs it
	Paused   bool                        `json:"paused"`
	Progress step.Progress               `json:"progress"`
	Waiting  int                         `json:"waiting"`            // requests
	InFlight int                         `json:"in_flight"`          // requests begun and not decided
	Hosts    int                         `json:"hosts"`              // known ones
	Ready    int                         `json:"ready"`              // hosts that may be asked now
	Resting  int                         `json:"resting"`            // hosts with requests whose turn it is not yet
	Down     int                         `json:"down"`               // hosts asked no more in this session
	Busiest  []step.Account              `json:"busiest,omitempty"`  // the hosts asked most, ten at most, most asked first
	Failures map[orbweaver.Failure]int64 `json:"failures,omitempty"` // of outcomes, by reason
	Refused  []step.Refused              `json:"refused,omitempty"`  // links that were not followed, the most frequent reason first
}

// Added is what became of a URL that was offered.
type Added struct {
	URL    string `json:"url"`    // in canonical form
	Result string `json:"result"` // see the constants
}

// What can become of a URL that was offered. Those that end in a colon and a space are followed by
// words: the rule that keeps the crawl from it, or where it is.
const (
	ResultAdded  = "added"
	ResultKnown  = "known: "        // "known: waits at rank 12", "known: fetched"
	ResultScope  = "out of scope: " // the scope's rule
	ResultRobots = "robots: "       // the rule of robots.txt
)

// Refused reports whether the crawl must not ask for the URL.
func (a Added) Refused() bool {
	return strings.HasPrefix(a.Result, ResultScope) || strings.HasPrefix(a.Result, ResultRobots)
}
