package inspect

import (
	"fmt"
	"time"

	"orbweaver"
	"orbweaver/fetch/robots"
	"orbweaver/internal/assembly"
	"orbweaver/internal/console"
	"orbweaver/internal/step"
)

// The kinds of explanations: what a crawl did about a URL.
const (
	KindPage       = "page"                  // fetched with status 2xx
	KindRedirect   = "redirect"              // redirects, and the redirect was followed
	KindUnfollowed = "redirect-not-followed" // redirects, and the redirect was not followed
	KindFailed     = "failed"
	KindSource     = "source"  // fetched for its links
	KindRemoved    = "removed" // by a person; nothing is kept of it
	KindWaiting    = "waiting"
	kindInFlight   = "in-flight" // being fetched
	KindScope      = step.RefusedScope
	KindRobots     = step.RefusedRobots
	KindDeep       = step.RefusedDepth
	KindNoFollow   = step.RefusedNoFollow
	KindDropped    = step.RefusedDropped
	kindLogout     = step.RefusedLogout
	kindNotTaken   = "not-taken" // nofollow or dropped; the stored data does not tell which
	KindUnlinked   = "unlinked"  // no fetched page links to it
)

// An Explanation says what a crawl did about a URL. docs/reference/formats.md describes its JSON.
type Explanation struct {
	URL     string       `json:"url"`
	Kind    string       `json:"kind"`
	Why     string       `json:"why"`            // one sentence
	Rule    string       `json:"rule,omitempty"` // of scope, robots.txt or the focus
	Outcome *OutcomeView `json:"outcome,omitempty"`
	Leads   *OutcomeView `json:"leads_to,omitempty"` // outcome of the redirect's target
	Waiting *WaitingView `json:"waiting,omitempty"`
	Chain   []HopView    `json:"chain,omitempty"` // from the seed to the URL, or to a page that links to it
	Links   *LinksView   `json:"links,omitempty"`
	Host    *HostView    `json:"host,omitempty"`

	Outages []step.Outage `json:"outages,omitempty"` // of the machine's network, in which a request of it failed and counted for nothing

	SameBytes  *earlier  `json:"same_bytes,omitempty"` // the first other URL with the same payload
	History    []earlier `json:"history,omitempty"`    // all outcomes, if a refresh made several
	Redirected []earlier `json:"redirected,omitempty"` // redirects to this URL that were not followed, at most 3
	Searched   int64     `json:"searched,omitempty"`   // bytes of pages.jsonl searched for these; 0: all
	Nearest    []string  `json:"nearest,omitempty"`    // known URLs, at most 3
	Seed       bool      `json:"seed,omitempty"`       // it is a seed of the crawl file
	Note       string    `json:"note,omitempty"`       // what could not be read

	links      []orbweaver.Outcome // pages that link here
	dropped    step.Refusal        // a link here that the focus dropped, if wasDropped
	wasDropped bool
	known      bool              // the ledger knows it
	unfollowed bool              // a link here was nofollow
	rules      *robots.Rules     // of the URL's host, if ruled
	ruled      bool              // a running crawl has the host's robots.txt in memory
	ended      string            // why the crawl ended
	outside    bool              // out of scope
	cut        assembly.CutLinks // links that the focus dropped anywhere
}

// An OutcomeView is an outcome with everything that the ledger keeps of it.
type OutcomeView struct {
	N         int64              `json:"n"`
	URL       string             `json:"url"`
	Status    int                `json:"status,omitempty"`
	Error     orbweaver.Failure  `json:"error,omitempty"`
	Message   string             `json:"message,omitempty"` // the error in words
	Redirect  string             `json:"redirect,omitempty"`
	At        time.Time          `json:"at,omitzero"`
	Type      string             `json:"type,omitempty"`
	Title     string             `json:"title,omitempty"`
	Lang      string             `json:"lang,omitempty"`
	Digest    string             `json:"digest,omitempty"`
	Bytes     int64              `json:"bytes,omitempty"`
	Predicted OpinionView        `json:"predicted"`
	Explored  string             `json:"explored,omitempty"` // why it was asked for, if not for its rank
	Score     float64            `json:"score"`
	Chance    float64            `json:"chance,omitempty"` // that the page is what the focus is for, as of its judgement; 0: unknown
	Accepted  bool               `json:"accepted"`
	Threshold float64            `json:"threshold,omitempty"` // minimum score of acceptance when the page was judged
	Now       *VerdictView       `json:"now,omitempty"`       // by the current threshold; nil if there is none
	Class     string             `json:"class,omitempty"`
	Reasons   []orbweaver.Reason `json:"reasons,omitempty"`
	Rendered  bool               `json:"rendered,omitempty"`  // the page is what its scripts made of it
	Rendering *step.Rendering    `json:"rendering,omitempty"` // what was decided about its scripts, and why; nil: nothing was
	Flaws     map[string]int     `json:"flaws,omitempty"`     // what was mended or left out of the page, by kind
	Verdict   *bool              `json:"verdict,omitempty"`   // a person's: relevant, at least in part, or not; nil: none holds
	Said      string             `json:"said,omitempty"`      // the same: teach.SaidAbout, SaidPart or SaidNot; empty: none holds
}

// A VerdictView is the verdict at a threshold.
type VerdictView struct {
	Accepted  bool    `json:"accepted"`
	Threshold float64 `json:"threshold"`
}

// An OpinionView is the focus's prediction before the fetch.
type OpinionView struct {
	Score   float64            `json:"score"`
	Chance  float64            `json:"chance,omitempty"` // that the link leads to an accepted page; 0: unknown
	Class   string             `json:"class,omitempty"`
	Reasons []orbweaver.Reason `json:"reasons,omitempty"`
}

// A WaitingView is a waiting request.
type WaitingView struct {
	OpinionView
	Rank  int  `json:"rank,omitempty"` // from 1; 0: not in the queue of this session
	Of    int  `json:"of,omitempty"`
	Here  int  `json:"rank_at_host,omitempty"`
	Ahead bool `json:"ahead,omitempty"`
	// Last: its kind of URL did not answer so far, so that it waits after all others.
	Last  bool `json:"last,omitempty"`
	Depth int  `json:"depth,omitempty"`
}

// A HopView is a request on the path from a seed.
type HopView struct {
	URL       string           `json:"url"`
	N         int64            `json:"n,omitempty"`      // number of its outcome; 0: none
	Origin    orbweaver.Origin `json:"origin,omitempty"` // where the link to it was found
	Anchor    string           `json:"anchor,omitempty"`
	Context   string           `json:"context,omitempty"`
	Rel       string           `json:"rel,omitempty"`
	Redirects []string         `json:"redirects,omitempty"` // between the link's target and the URL
	Depth     int              `json:"depth,omitempty"`
	Predicted float64          `json:"predicted"`
	Score     float64          `json:"score"`
	Accepted  bool             `json:"accepted,omitempty"`
}

// A LinksView counts the fetched pages that link to a URL, by the reason why the link was not followed.
type LinksView struct {
	Pages    int      `json:"pages"`
	Deep     int      `json:"too_deep,omitempty"`
	NoFollow int      `json:"nofollow,omitempty"`
	Open     int      `json:"unexplained,omitempty"` // dropped by the focus, or the reason is not stored
	Examples []string `json:"examples"`              // pages, at most 3
	More     bool     `json:"more,omitempty"`        // there are more pages than were read
}

// A HostView is the state of a host.
type HostView struct {
	State   string        `json:"state"` // see hostStates in docs/reference/formats.md
	Until   time.Time     `json:"until,omitzero"`
	Account *step.Account `json:"account,omitempty"`
}

// The states of hosts.
const (
	hostReady    = "ready"
	hostResting  = "resting"      // until a time
	hostBusy     = "busy"         // politeness.connections requests are in flight
	hostDown     = "down"         // it does not answer, and gets a request now and then
	hostSpent    = "budget-spent" // limits.per_host is reached
	hostAddress  = "address"      // its address is not resolved yet
	hostRobots   = "robots"       // its robots.txt is not fetched yet
	hostOutside  = "next-round"   // not part of the current round
	hostIdle     = "idle"         // no process runs the crawl
	hostUnlisted = "refresh"      // a refresh fetches accepted pages only
)

// An earlier is a line of pages.jsonl.
type earlier struct {
	N        int64             `json:"n"`
	URL      string            `json:"url"`
	Status   int               `json:"status,omitempty"`
	Error    orbweaver.Failure `json:"error,omitempty"`
	Digest   string            `json:"digest,omitempty"`
	Score    float64           `json:"score"`
	Accepted bool              `json:"accepted,omitempty"`
}

// viewOutcome returns the view of an outcome. now is the current threshold; 0: none.
func viewOutcome(o orbweaver.Outcome, now float64) *OutcomeView {
	v := &OutcomeView{
		N: o.N, URL: o.Request.URL, Status: o.Status, Redirect: o.Redirect, At: o.At,
		Error: orbweaver.FailureOf(o.Err), Predicted: viewOpinion(o.Predicted),
		Score: o.Actual.Score, Chance: o.Actual.Chance, Accepted: o.Actual.Accepted, Class: o.Actual.Class, Reasons: o.Actual.Reasons,
	}
	if o.Err != nil {
		v.Message = o.Err.Error()
	}
	if v.Threshold = step.ThresholdOf(o); now > 0 && o.Err == nil {
		v.Now = &VerdictView{step.AcceptedFrom(o.Actual, now), now}
	}
	if p := o.Page; p != nil {
		v.Type, v.Title, v.Lang, v.Digest, v.Bytes = p.MediaType, p.Title, p.Lang, p.Digest, p.Size
		v.Rendered, v.Flaws = p.Rendered, p.Flaws
		v.Rendering, _ = p.Rendering.(*step.Rendering)
	}
	return v
}

func viewOpinion(j orbweaver.Judgement) OpinionView {
	return OpinionView{Score: j.Score, Chance: j.Chance, Class: j.Class, Reasons: j.Reasons}
}

// Scripts says what became of the page's scripts; empty: they are no matter.
func (v *OutcomeView) Scripts() string {
	switch r := v.Rendering; {
	case r != nil:
		return r.String()
	case v.Rendered:
		return "the page is what its scripts made of it"
	}
	return ""
}

// answer formats status, media type and size on one line.
func (v *OutcomeView) answer() string {
	s := fmt.Sprint(v.Status)
	if v.Type != "" {
		s += ", " + console.Visible(v.Type, 80)
	}
	if v.Digest != "" {
		s += ", " + console.SizeOf(v.Bytes)
	}
	return s
}
