// Package step holds the types that engine, ledger and frontier share for one step of a crawl: the
// permission to request a host, the host's reply, and the batch that the ledger commits. No focus needs
// them.
package step

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/rdf"
)

// A Waiting is a proposal with the number that the ledger gave its request. Ahead marks a redirect's
// target, which precedes all other requests of its host.
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

// last is what puts a score below all others.
const last = 2

// Last returns the score of a waiting request of a kind that does not answer: below the scores of all others, and in their
// order.
func Last(score float64) float64 { return score - last }

// IsLast reports whether a score is one that Last returned.
func IsLast(score float64) bool { return score < 0 }

// Plain returns the score that Last was given; other scores stay as they are.
func Plain(score float64) float64 {
	if IsLast(score) {
		return score + last
	}
	return score
}

// Progress holds the cumulative figures of a crawl.
type Progress struct {
	Requests int64         `json:"requests"` // outcomes: pages, failures and redirects
	Pages    int64         `json:"pages"`    // distinct URLs that answered 2xx
	Accepted int64         `json:"accepted"`
	Bytes    int64         `json:"bytes"` // of payload, as received
	Rounds   int           `json:"rounds,omitempty"`
	Active   time.Duration `json:"active"` // time spent crawling, over all sessions

	// Threshold is the score from which pages are accepted now; 0 if the focus does not calibrate.
	// Accepted counts the verdicts at the time of judgement.
	Threshold float64 `json:"threshold,omitempty"`

	Ended string `json:"ended,omitempty"` // why the crawl ended; empty before

	Requisites Requisites `json:"requisites,omitzero"` // of accepted pages; they count in no other figure

	LoginCosts LoginCosts `json:"login_costs,omitzero"` // beside Requests
}

// Asked is the number of requests that count against the crawl's limit: each outcome, each login, and each request whose answer came to nothing
// as the login was lost.
func (p *Progress) Asked() int64 { return p.Requests + p.LoginCosts.Tries + p.LoginCosts.Again }

// LoginCosts are what logins cost over all sessions.
type LoginCosts struct {
	Tries     int64 `json:"tries"`             // to log in, and looks whether the crawl still is
	Exchanges int64 `json:"exchanges"`         // that these took
	Again     int64 `json:"again,omitempty"`   // requests to be made again, since their answers showed that the login was lost
	Refused   int64 `json:"refused,omitempty"` // requests that are not made again, since the login was lost after them too often
}

// Text says them in one line; empty: there were none.
func (c LoginCosts) Text() string {
	if c.Tries == 0 {
		return ""
	}
	text := fmt.Sprintf("%d, with %d requests", c.Tries, c.Exchanges)
	if lost := c.Again + c.Refused; lost > 0 {
		text += fmt.Sprintf("; the session was gone after %d requests", lost)
	}
	if c.Refused > 0 {
		text += fmt.Sprintf(", and %d that end it are not made again", c.Refused)
	}
	return text
}

// A Batch is the set of changes of one step of a crawl. The ledger commits it atomically.
type Batch struct {
	Done      uint64             // request that Outcome belongs to; 0: none
	Data      Staged             // of the outcome's page, as the ledger took it in before; nil: the ledger reads the page
	Outcome   *orbweaver.Outcome // nil for seeds, the end of a round and the end of the crawl
	Links     []orbweaver.Link   // of an outcome without a page that leads on: a source
	Waiting   []Waiting          // new waiting requests, and those reached by another link
	Opinions  []Opinion          // of waiting requests
	Facts     []rdf.Quad
	Model     []byte              // snapshot of the focus as of this batch; nil: unchanged
	Ended     *EndedRound         // the round that ends with this batch, if it has no Model and the focus can replay it
	Chances   []byte              // evidence for chances as of this batch, in its own encoding; nil: unchanged
	Round     []uint64            // requests of a round just begun
	Drawn     []uint64            // those of Round that were drawn at random
	Decision  *orbweaver.Decision // a person's decision; applied before the rest of the batch
	Refused   []uint64            // waiting requests forbidden by a newly known robots.txt
	Elsewhere []Numbered          // requests that never waited here: another worker asked them
	Visits    []Visit             // what is kept of them
	Needs     []Requisite         // that wait from now on
	Met       []Met               // that waited before
	Have      []string            // URLs archived beside the page: requisites of these are met
	Refusals  []Refusal           // links that are not followed
	Away      []Parcel            // proposals of requests that other workers own
	Inherited []Delivery          // up to which message those of other workers were taken, as the owner of a partition before knew it
	Received  *Delivery           // of the parcels that the batch is made of, if another worker sent them
	Accounts  []Account
	Outage    *Outage // of the own network, just over
	Progress  Progress
	Archive   []byte // mark of the archive, in its own encoding
}

// ErrSource is the reason for which the outcome of a source of links has no page: see sources in the crawl file.
const ErrSource orbweaver.Failure = "source"

// Failed reports whether an outcome is a failure: a source of links is none, although it has no page.
func Failed(o *orbweaver.Outcome) bool {
	return o.Err != nil && orbweaver.FailureOf(o.Err) != ErrSource
}

// A Visit is what a watch keeps of the visits of a page, in its own encoding, under the number of its request; nil: nothing any more. Number 0
// is for the watch itself.
type Visit struct {
	ID   uint64
	Kept []byte
}

// A Numbered is a request with the number that the ledger gave it.
type Numbered struct {
	ID uint64
	orbweaver.Request
}

// An EndedRound is a round that ended after the last snapshot of the focus.
type EndedRound struct {
	N     int    // as in Round
	After int64  // outcomes committed before its end; the ledger sets it
	Note  []byte // with which the focus ends it again
}

// An Outage is a time in which the crawl's own network was down. What failed in it counts for nothing, and was asked
// again.
type Outage struct {
	From     time.Time `json:"from"`               // the first failure
	To       time.Time `json:"to,omitzero"`        // the first answer; zero while it lasts
	Hosts    int       `json:"hosts"`              // that could not be reached
	Requests []uint64  `json:"requests,omitempty"` // that failed, by number; at most 1000
}

// A Login is one that a crawl tries in vain.
type Login struct {
	Number int       `json:"number"`          // from 0, in the order of the crawl file
	Name   string    `json:"name"`            // the URL of the page with the form, or by which the crawl sees whether it is logged in
	Hosts  []string  `json:"hosts"`           // that wait for it
	Since  time.Time `json:"since"`           // the first try that failed
	Why    string    `json:"why"`             // the latest did
	Tries  int       `json:"tries"`           // that failed in a row
	Next   time.Time `json:"next,omitzero"`   // the next try; zero: none
	Stuck  bool      `json:"stuck,omitempty"` // it waits for a person, who resumes the crawl
}

// States of a login.
const (
	LoginUnused   = "unused"   // no request wanted it yet
	LoginEntering = "entering" // the crawl is logging in, or looks whether it still is
	LoginIn       = "in"
	LoginLost     = "lost"  // a try failed; the next one comes by itself
	LoginStuck    = "stuck" // all tries failed: a person is waited for
)

// A LoginState is a login of a session as it is now.
type LoginState struct {
	Login
	State   string    `json:"state"`            // see the constants
	Entered time.Time `json:"entered,omitzero"` // when the crawl logged in last, or first saw that it is logged in
}

// Staged is the data of a page that a ledger took in ahead of the page's batch. Release frees it; what a batch took stays.
type Staged interface{ Release() }

// Reasons for not following a link.
const (
	RefusedScope    = string(orbweaver.ErrScope)
	RefusedRobots   = string(orbweaver.ErrRobots)
	RefusedTrap     = string(orbweaver.ErrTrap)
	RefusedLogout   = string(ErrLogsOut) // by its URL or text
	RefusedDepth    = "too-deep"         // beyond the crawl file's limits.depth
	RefusedDropped  = "dropped"          // by the focus
	RefusedNoFollow = "nofollow"         // by a directive of its page
)

// A Refusal is a link that is not followed. Rule is the scope's pattern, the line of robots.txt or the
// heaviest reason of a focus; empty if there is none.
type Refusal struct {
	Reason, Rule, Evidence, URL, Parent string
	Score                               float64 // predicted, 0..1; 0: none
}

// Refused counts the links not followed for one reason, over all sessions, with a sample.
type Refused struct {
	Reason   string   `json:"reason"`
	Links    int64    `json:"links"`              // counted at each occurrence
	Rules    []Tally  `json:"rules,omitempty"`    // most frequent first
	Hosts    []Tally  `json:"hosts,omitempty"`    // link targets; estimated and rounded if the sample is incomplete
	Examples []string `json:"examples,omitempty"` // a random sample of URLs
	Best     float64  `json:"best,omitempty"`     // the best prediction among the links, 0..1
	BestURL  string   `json:"best_url,omitempty"` // of the link that had it first
}

// Cuts reports whether the links are a loss: beyond a limit, or, of those out of scope or forbidden by robots.txt, one was predicted
// as a page that the crawl would accept. threshold is the score of acceptance; 0: none, so that nothing tells.
func (r *Refused) Cuts(threshold float64) bool {
	switch r.Reason {
	case RefusedDepth, RefusedTrap:
		return true
	case RefusedScope, RefusedRobots:
		return threshold > 0 && r.Best >= threshold
	}
	return false
}

// Remedy says how such links would be followed; empty: by no key of the crawl file.
func (r *Refused) Remedy() string {
	switch r.Reason {
	case RefusedDepth:
		return "raise limits.depth"
	case RefusedTrap:
		return "traps: off follows them"
	case RefusedScope:
		return "widen scope"
	}
	return ""
}

// A Tally is the number of links under a name.
type Tally struct {
	Name  string `json:"name"` // empty: links without a rule, or with rules beyond the bound
	Links int64  `json:"links"`
}

// BestWords says how good the best of the links was predicted, and what would follow it; empty: neither is known.
func (r *Refused) BestWords() string {
	words := r.Remedy()
	if r.Best > 0 {
		best := fmt.Sprintf("the best predicted %.3f", r.Best)
		if r.BestURL != "" {
			best += ": " + r.BestURL
		}
		if words != "" {
			best += " (" + words + ")"
		}
		return best
	}
	return words
}

// RuleWords says in words what one of the rules is for which links were not followed; most say it by their name.
func (r *Refused) RuleWords(rule string) string {
	_, own, part := strings.Cut(rule, "/")
	switch {
	case r.Reason != RefusedDropped:
		return cmp.Or(rule, "no rule")
	case rule == "":
		return "the focus gives no reason"
	case rule == "unnamed", part && own == "unnamed":
		return rule + ": no term speaks for it, nor for the 3 links before"
	}
	return rule
}
