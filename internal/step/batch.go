// Package step holds what engine, ledger and frontier share of one step of a crawl: whose turn it is, what the host
// answered, and the batch that the ledger commits. No focus needs any of it.
package step

import (
	"time"

	"orbweaver"
	"orbweaver/rdf"
)

// A Waiting is a proposal under the number that the ledger gave its request. Ahead marks a redirect's target, which
// precedes everything else of its host.
type Waiting struct {
	ID uint64
	orbweaver.Proposal
	Ahead bool
}

// An Opinion is the latest score of a waiting request, with the focus's Note.
type Opinion struct {
	ID    uint64
	Score float64
	Note  []byte
}

// Progress is how far a crawl has come.
type Progress struct {
	Requests int64         `json:"requests"` // outcomes: pages, failures and redirects
	Pages    int64         `json:"pages"`    // distinct URLs that answered 2xx
	Accepted int64         `json:"accepted"`
	Bytes    int64         `json:"bytes"` // of payload, as received
	Rounds   int           `json:"rounds,omitempty"`
	Active   time.Duration `json:"active"` // time spent crawling, over all sessions

	// Threshold is the score from which pages are accepted by now; 0 where the focus does not calibrate. Accepted
	// counts verdicts as they were when pages were judged.
	Threshold float64 `json:"threshold,omitempty"`

	Ended string `json:"ended,omitempty"` // why the crawl is over; empty while it is not
}

// A Batch is all changes of one step of a crawl. The ledger writes it whole or not at all.
type Batch struct {
	Done     uint64             // the request that Outcome is of; 0: none
	Outcome  *orbweaver.Outcome // nil for the seeds, for the end of a round and for the end of the crawl
	Waiting  []Waiting          // requests that begin to wait, or wait by another link now
	Opinions []Opinion          // of requests that wait
	Facts    []rdf.Quad
	Model    []byte              // a focus's snapshot, as of this batch; nil: the one before stands
	Round    []uint64            // the requests of a round just begun
	Decision *orbweaver.Decision // a person's; taken before anything else of the batch
	Refused  []uint64            // waiting requests that robots.txt, known now, forbids
	Refusals []Refusal           // links that are not followed
	Accounts []Account
	Progress Progress
	Archive  []byte // mark of the archive, in its own encoding
}

// The reasons for which a link is not followed.
const (
	RefusedScope    = string(orbweaver.ErrScope)
	RefusedRobots   = string(orbweaver.ErrRobots)
	RefusedTrap     = string(orbweaver.ErrTrap)
	RefusedDepth    = "too-deep" // beyond the crawl file's limits.depth
	RefusedDropped  = "dropped"  // by the focus
	RefusedNoFollow = "nofollow" // by wish of the page it stands on
)

// A Refusal is a link that is not followed. Rule is the scope's pattern, the line of robots.txt or the
// heaviest reason of a focus; empty where there is none.
type Refusal struct{ Reason, Rule, Evidence, URL, Parent string }

// Refused is how many links were not followed for one reason, over all sessions, with a sample.
type Refused struct {
	Reason   string   `json:"reason"`
	Links    int64    `json:"links"`              // each as often as it was met
	Rules    []Tally  `json:"rules,omitempty"`    // most frequent first
	Hosts    []Tally  `json:"hosts,omitempty"`    // that the links lead to, by the sample: rounded when the sample is not all
	Examples []string `json:"examples,omitempty"` // URLs, drawn by chance
}

// A Tally is the number of links under a name.
type Tally struct {
	Name  string `json:"name"` // empty: links without a rule, or of rules beyond the bound
	Links int64  `json:"links"`
}
