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
	KindPage       = "page"                  // it answered 2xx
	KindRedirect   = "redirect"              // it leads elsewhere, and was followed
	KindUnfollowed = "redirect-not-followed" // it leads elsewhere, and was not
	KindFailed     = "failed"
	KindWaiting    = "waiting"
	kindInFlight   = "in-flight" // it is asked for at this moment
	KindScope      = step.RefusedScope
	KindRobots     = step.RefusedRobots
	KindDeep       = step.RefusedDepth
	KindNoFollow   = step.RefusedNoFollow
	KindDropped    = step.RefusedDropped
	kindNotTaken   = "not-taken" // nofollow or dropped: what is kept does not tell which
	KindUnlinked   = "unlinked"  // no page that was fetched links to it
)

// An Explanation is what can be told of a URL. Its JSON is described in docs/formats.md.
type Explanation struct {
	URL     string       `json:"url"`
	Kind    string       `json:"kind"`
	Why     string       `json:"why"`            // one sentence
	Rule    string       `json:"rule,omitempty"` // of scope, robots.txt or the focus
	Outcome *OutcomeView `json:"outcome,omitempty"`
	Leads   *OutcomeView `json:"leads_to,omitempty"` // what is known of the target of a redirect
	Waiting *WaitingView `json:"waiting,omitempty"`
	Chain   []HopView    `json:"chain,omitempty"` // from the seed to the URL, or to a page that links to it
	Links   *LinksView   `json:"links,omitempty"`
	Host    *HostView    `json:"host,omitempty"`

	SameBytes  *earlier  `json:"same_bytes,omitempty"` // the first other URL with the same payload
	History    []earlier `json:"history,omitempty"`    // all outcomes, where a refresh made several
	Redirected []earlier `json:"redirected,omitempty"` // outcomes that led here, at most 3
	Searched   int64     `json:"searched,omitempty"`   // bytes of pages.jsonl looked at for these, where not all
	Nearest    []string  `json:"nearest,omitempty"`    // known URLs, at most 3
	Seed       bool      `json:"seed,omitempty"`       // the crawl file names it
	Note       string    `json:"note,omitempty"`       // what could not be looked at

	links      []orbweaver.Outcome // pages that link here
	dropped    step.Refusal        // a link here that the focus dropped, if wasDropped
	wasDropped bool
	known      bool              // it was offered
	unfollowed bool              // a link here was nofollow
	rules      *robots.Rules     // of the URL's host, if ruled
	ruled      bool              // by what a running crawl has in memory
	ended      string            // why the crawl is over
	outside    bool              // scope excludes it
	cut        assembly.CutLinks // where no page links to it
}

// An OutcomeView is an outcome with all that is kept of it.
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
	Score     float64            `json:"score"`
	Accepted  bool               `json:"accepted"`
	Threshold float64            `json:"threshold,omitempty"` // score from which the page was accepted then
	Now       *VerdictView       `json:"now,omitempty"`       // by the threshold as of now; nil where there is none
	Class     string             `json:"class,omitempty"`
	Reasons   []orbweaver.Reason `json:"reasons,omitempty"`
}

// A VerdictView is a verdict by a threshold.
type VerdictView struct {
	Accepted  bool    `json:"accepted"`
	Threshold float64 `json:"threshold"`
}

// An OpinionView is what was thought before.
type OpinionView struct {
	Score   float64            `json:"score"`
	Class   string             `json:"class,omitempty"`
	Reasons []orbweaver.Reason `json:"reasons,omitempty"`
}

// A WaitingView is a request that waits.
type WaitingView struct {
	OpinionView
	Rank  int  `json:"rank,omitempty"` // from 1; 0: not in the queue of this session
	Of    int  `json:"of,omitempty"`
	Here  int  `json:"rank_at_host,omitempty"`
	Ahead bool `json:"ahead,omitempty"`
	Depth int  `json:"depth,omitempty"`
}

// A HopView is a request on the way from a seed.
type HopView struct {
	URL       string           `json:"url"`
	N         int64            `json:"n,omitempty"`      // of its outcome; 0: there is none
	Origin    orbweaver.Origin `json:"origin,omitempty"` // where the link stood that led here
	Anchor    string           `json:"anchor,omitempty"`
	Context   string           `json:"context,omitempty"`
	Rel       string           `json:"rel,omitempty"`
	Redirects []string         `json:"redirects,omitempty"` // between the link's target and the URL
	Depth     int              `json:"depth,omitempty"`
	Predicted float64          `json:"predicted"`
	Score     float64          `json:"score"`
	Accepted  bool             `json:"accepted,omitempty"`
}

// A LinksView is how many fetched pages link to a URL, and why none of the links was followed.
type LinksView struct {
	Pages    int      `json:"pages"`
	Deep     int      `json:"too_deep,omitempty"`
	NoFollow int      `json:"nofollow,omitempty"`
	Open     int      `json:"unexplained,omitempty"` // the focus did not take them, or what tells is not kept
	Examples []string `json:"examples"`              // pages, at most 3
	More     bool     `json:"more,omitempty"`        // there are more pages than were looked at
}

// A HostView is how a host stands.
type HostView struct {
	State   string        `json:"state"` // see hostStates in docs/formats.md
	Until   time.Time     `json:"until,omitzero"`
	Account *step.Account `json:"account,omitempty"`
}

// The states of hosts.
const (
	hostReady    = "ready"
	hostResting  = "resting"      // until a time
	hostBusy     = "busy"         // it has as many requests in flight as it may have
	hostDown     = "down"         // asked no more in this session
	hostSpent    = "budget-spent" // limits.per_host
	hostAddress  = "address"      // is to be looked up first
	hostRobots   = "robots"       // robots.txt is to be known first
	hostOutside  = "next-round"   // another round is under way
	hostIdle     = "idle"         // no process runs the crawl
	hostUnlisted = "refresh"      // a refresh asks accepted pages alone
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

// viewOutcome shows an outcome, with its verdict of then and that of a threshold as of now; 0: there is none.
func viewOutcome(o orbweaver.Outcome, now float64) *OutcomeView {
	v := &OutcomeView{
		N: o.N, URL: o.Request.URL, Status: o.Status, Redirect: o.Redirect, At: o.At,
		Error: orbweaver.FailureOf(o.Err), Predicted: viewOpinion(o.Predicted),
		Score: o.Actual.Score, Accepted: o.Actual.Accepted, Class: o.Actual.Class, Reasons: o.Actual.Reasons,
	}
	if o.Err != nil {
		v.Message = o.Err.Error()
	}
	if v.Threshold = step.ThresholdOf(o); now > 0 && o.Err == nil {
		v.Now = &VerdictView{step.AcceptedFrom(o.Actual, now), now}
	}
	if p := o.Page; p != nil {
		v.Type, v.Title, v.Lang, v.Digest, v.Bytes = p.MediaType, p.Title, p.Lang, p.Digest, p.Size
	}
	return v
}

func viewOpinion(j orbweaver.Judgement) OpinionView {
	return OpinionView{Score: j.Score, Class: j.Class, Reasons: j.Reasons}
}

// answer is what a URL answered, on one line.
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
