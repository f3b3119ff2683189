// Package external is the focus that leaves the judgement to a judge outside: a program or a service that reads
// pages as lines of JSON and answers each with a score (docs/howto/external.md).
//
// The package has the protocol (Question, Line), what becomes of an answer (Judge, Plan), and the budgets. How a
// judge is reached, and where its answers are recorded, is a Source's business.
//
// A page's score is the judge's. A page without an answer has score 0 and a reason that says why: RuleNoAnswer if
// the judge was asked, RuleNotAsked if it was not. A link has the score that the judge gave it. Without one it has
// half of its page's score (RulePage). A link of a page without an answer has half of the mean score of the pages
// answered before (RuleNeutral), so that it goes neither first nor last. A waiting request has the mean of the
// links to it (package inlinks).
//
// This package is not part of the stable API.
package external

import (
	"context"
	"fmt"
	"math"
	"time"

	"orbweaver"
	"orbweaver/focus/accept"
)

// A Source has the answers about pages. It is safe for concurrent use.
type Source interface {
	// Ask returns the answer about a page: the one that is recorded, or else the judge's, which it records, like the
	// lack of one, before it returns. An error is the context's, or one of the records: the judge's failures are
	// answers with a Lack.
	Ask(context.Context, *Question) (Answer, error)
	// Recorded returns the answer that is recorded under the key of a question; ok is false if there is none.
	Recorded(key string) (a Answer, ok bool, err error)
}

// A When says when the judge is asked.
type When uint8

// The values of When.
const (
	Ahead    When = iota // when a page is prepared: in parallel, and also about pages read ahead in vain
	InOrder              // when a page is judged: one after the other, in the order of the crawl
	WhenTold             // when a page is judged and JudgeIf says so; Judge always asks
)

// Budget bounds what a judge is asked for. Zero means no bound. A recorded answer counts like a new one, so that a
// crawl that is repeated from its records asks about the same pages. With a budget, a judge is never asked Ahead.
type Budget struct {
	Calls int64         // pages about which it is asked
	Time  time.Duration // that its answers took
	Cost  float64       // that its answers name, in units of the judge
}

// bounded reports whether there is a bound.
func (b Budget) bounded() bool { return b != Budget{} }

// Options are the settings of a focus.
type Options struct {
	Source Source
	When   When     // Ahead becomes InOrder with a Budget
	Accept *float64 // lowest score of an accepted page, where the judge gives no verdict; nil: calibrated (package accept)
	Links  bool     // whether the judge sees the links of pages
	Budget Budget
}

// A Focus judges pages by an outside judge. Prepare is safe for concurrent use; all other methods are not.
type Focus struct {
	opts  Options
	state state
	last  remembered
}

// state is what a Focus learns: a fold over outcomes.
type state struct {
	accept  *accept.Calibration
	tally   Tally
	sum     float64 // of the scores of pages with an answer
	breaker Breaker // of InOrder and WhenTold: there it goes by outcomes
}

// A Tally counts the judged pages of a crawl by what the judge said.
type Tally struct {
	Answered int64         `json:"answered"`            // pages with an answer
	Without  int64         `json:"without"`             // pages without one, although the judge was asked
	NotAsked int64         `json:"not_asked"`           // pages about which it was not asked
	Alone    int64         `json:"alone"`               // of these, as it had failed too often
	Took     time.Duration `json:"took"`                // time of the answers, in nanoseconds
	Cost     float64       `json:"cost"`                // that the answers name
	First    string        `json:"first,omitempty"`     // why the first page that the judge failed has no answer
	FirstURL string        `json:"first_url,omitempty"` // of that page
}

// remembered is the answer about the page judged last.
type remembered struct {
	key    string
	answer Answer
}

// New returns a focus. Options that make no sense wrap orbweaver.ErrInput.
func New(o Options) (*Focus, error) {
	switch {
	case o.Source == nil:
		return nil, fmt.Errorf("external focus: no judge (%w)", orbweaver.ErrInput)
	case o.Accept != nil && !(*o.Accept >= 0 && *o.Accept <= 1):
		return nil, fmt.Errorf("external focus: accept %v is not between 0 and 1 (%w)", *o.Accept, orbweaver.ErrInput)
	case o.Budget.Calls < 0, o.Budget.Time < 0, !(o.Budget.Cost >= 0), math.IsInf(o.Budget.Cost, 1):
		return nil, fmt.Errorf("external focus: budget %+v has a bound below 0, or none that is finite (%w)", o.Budget, orbweaver.ErrInput)
	}
	if o.When == Ahead && o.Budget.bounded() {
		o.When = InOrder
	}
	return &Focus{opts: o, state: state{accept: new(accept.Calibration)}}, nil
}

// AskWhenTold makes the focus ask the judge where JudgeIf says so, and nowhere else. Call it before the first page.
func (f *Focus) AskWhenTold() { f.opts.When = WhenTold }

// Tally returns the counts so far.
func (f *Focus) Tally() Tally { return f.state.tally }
