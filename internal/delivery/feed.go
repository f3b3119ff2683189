package delivery

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"net/http"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/internal/takedown"
	"orbweaver/sink"
)

// A Ledger is what a feed reads of a crawl.
type Ledger interface {
	Outcomes(after int64) iter.Seq2[orbweaver.Outcome, error]
	Decisions() iter.Seq2[orbweaver.Decision, error]
	Outcome(url string) (orbweaver.Outcome, error)
	Progress() step.Progress
	Sync() error
}

// scanned is how many outcomes are looked at in one step at most.
const scanned = 2048

// A feed gives what a crawl has to deliver, in order: what follows from its outcomes, in the order of their commits, with the decisions of
// persons between them; pages that were removed from the crawl; when it is over, what its last threshold changes; and that it is over.
//
// Nothing is given that a loss of power could take back. All methods must be called between two steps of the crawl.
type feed struct {
	crawl  string // name
	ledger Ledger
	synced int64 // outcomes
	gone   []goner
}

// A goner is a page that was removed from the crawl when it had n outcomes, and that the sink may have.
type goner struct {
	n   int64
	url string
}

// remove notes pages that were removed from the crawl.
func (f *feed) remove(all []takedown.Withdrawal) {
	for _, w := range all {
		for _, url := range w.URLs {
			f.gone = append(f.gone, goner{w.N, url})
		}
	}
}

// An event is an item, with the outcome whose page it has.
type event struct {
	sink.Item
	page *orbweaver.Outcome // nil: no page
}

// next returns the events after a position, at most so many or a few more, and the position after them; the same one if there is nothing.
// It adds to held and removes from it what they accept and withdraw.
func (f *feed) next(at Position, held *urls, most int) (events []event, to Position, err error) {
	p := f.ledger.Progress()
	if at.Outcomes >= f.synced && f.synced != p.Requests {
		if err := f.ledger.Sync(); err != nil {
			return nil, at, err
		}
		f.synced = p.Requests
	}
	r := reading{feed: f, to: at, held: held, stand: map[string]bool{}}
	if err := r.decisions(); err != nil {
		return nil, at, err
	}
	upTo := f.synced
	if next := r.removed(most); next > 0 {
		upTo = min(upTo, next)
	}
	if err := r.outcomes(upTo, most); err != nil {
		return nil, at, err
	}
	if next := r.removed(most); next > 0 && next <= r.to.Outcomes {
		return r.events, r.to, nil
	}
	if r.to.Outcomes == p.Requests && len(r.events) < most {
		err = r.waitingDecisions()
	}
	if r.to.Outcomes == p.Requests && len(r.events) == 0 && p.Ended != "" && err == nil {
		err = r.settle(p, most)
	}
	return r.events, r.to, err
}

// A reading is one call of next.
type reading struct {
	*feed
	to     Position
	events []event
	held   *urls
	stand  map[string]bool // verdicts of persons that hold, by URL
	later  []orbweaver.Decision
}

// decisions reads the decisions: those that were delivered hold.
func (r *reading) decisions() error {
	n := int64(0)
	for d, err := range r.ledger.Decisions() {
		if err != nil {
			return err
		}
		if n++; n > r.to.Decisions {
			r.later = append(r.later, d)
		} else {
			r.hold(d)
		}
	}
	return nil
}

// hold applies a decision to the verdicts that hold.
func (r *reading) hold(d orbweaver.Decision) {
	switch {
	case d.Page == "":
	case d.Withdrawn:
		delete(r.stand, d.Page)
	default:
		r.stand[d.Page] = d.Accepted
	}
}

// outcomes reads outcomes, and the decisions between them.
func (r *reading) outcomes(upTo int64, most int) error {
	n := 0
	for o, err := range r.ledger.Outcomes(r.to.Outcomes) {
		if err != nil {
			return err
		}
		if n++; n > scanned || o.N > upTo {
			return nil
		}
		for len(r.later) > 0 && r.later[0].After < o.N {
			if err := r.decide(); err != nil {
				return err
			}
		}
		if len(r.events) >= most {
			return nil
		}
		r.outcome(o)
		r.to.Outcomes = o.N
	}
	return nil
}

// isPage reports whether an outcome is a page that can be accepted.
func isPage(o *orbweaver.Outcome) bool {
	return o.Request.URL != "" && o.Page != nil && o.Err == nil && o.Redirect == "" && o.Request.Purpose == orbweaver.ForPage && o.Request.Query == ""
}

// accepted reports whether a page is accepted, as the sink has it.
func (r *reading) accepted(o *orbweaver.Outcome) bool {
	if !isPage(o) {
		return false
	}
	if verdict, is := r.stand[o.Request.URL]; is {
		return verdict
	}
	if o.N <= r.to.Settled {
		return step.AcceptedFrom(o.Actual, r.to.Threshold)
	}
	return o.Actual.Accepted
}

// outcome adds what follows from an outcome.
func (r *reading) outcome(o orbweaver.Outcome) {
	url, held := o.Request.URL, r.held.has(o.Request.URL)
	why := ""
	switch {
	case held && o.Status == http.StatusNotModified && r.accepted(&o): // it has the page
	case r.accepted(&o):
		r.add("outcome", o.N, o.N, sink.Item{Kind: sink.Accepted, URL: url}, &o)
	case !held || o.Request.Query != "":
	case o.Redirect != "":
		why = string(orbweaver.Moved)
	case o.Status == http.StatusNotFound, o.Status == http.StatusGone:
		why = string(orbweaver.Gone)
	case isPage(&o):
		why = string(orbweaver.Changed)
	}
	if why != "" {
		r.add("outcome", o.N, o.N, sink.Item{Kind: sink.Withdrawn, URL: url, Why: why}, nil)
	}
}

// add adds an event that has its number among those of a cause.
func (r *reading) add(cause string, number, n int64, i sink.Item, page *orbweaver.Outcome) {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%s %d %d %s\n%s", r.crawl, cause, number, n, i.Kind, i.URL))
	i.ID, i.N = hex.EncodeToString(sum[:12]), n
	r.events = append(r.events, event{i, page})
	r.held.note(i)
}

// removed adds what was removed from the crawl up to where it is read, and returns the number of outcomes before the next of that; 0: there is none.
func (r *reading) removed(most int) int64 {
	for ; int(r.to.Withdrawn) < len(r.gone); r.to.Withdrawn++ {
		next := r.gone[r.to.Withdrawn]
		if next.n > r.to.Outcomes || len(r.events) >= most {
			return next.n
		}
		r.add("removal", next.n, next.n, sink.Item{Kind: sink.Withdrawn, URL: next.url, Why: "removed"}, nil)
		r.to.Ended = again
	}
	return 0
}

// waitingDecisions adds the decisions after the last outcome.
func (r *reading) waitingDecisions() error {
	for len(r.later) > 0 {
		if err := r.decide(); err != nil {
			return err
		}
	}
	return nil
}

// decide adds what follows from the next decision.
func (r *reading) decide() error {
	d := r.later[0]
	r.later = r.later[1:]
	r.to.Decisions++
	if d.Page == "" {
		return nil
	}
	o, err := r.ledger.Outcome(d.Page)
	if err != nil && !errors.Is(err, orbweaver.ErrUnknown) {
		return err
	}
	known := err == nil && o.N <= r.to.Outcomes // of a later one its own event tells
	was := known && r.accepted(&o)
	r.hold(d)
	told := sink.Item{Kind: sink.Verdict, URL: d.Page}
	if !d.Withdrawn {
		told.Relevant = &d.Accepted
	}
	r.add("decision", r.to.Decisions, r.to.Outcomes, told, nil)
	switch is := known && r.accepted(&o); {
	case is && !was:
		r.add("decision", r.to.Decisions, r.to.Outcomes, sink.Item{Kind: sink.Accepted, URL: d.Page}, &o)
	case was && !is:
		r.add("decision", r.to.Decisions, r.to.Outcomes, sink.Item{Kind: sink.Withdrawn, URL: d.Page, Why: "verdict"}, nil)
	}
	return nil
}

// settle adds, for a crawl that is over, what its last threshold changes, then that it is over.
func (r *reading) settle(p step.Progress, most int) error {
	if r.to.Ended == r.to.Outcomes {
		return nil
	}
	if r.to.Passing == nil && p.Threshold > 0 && (r.to.Settled < p.Requests || r.to.Threshold != p.Threshold) {
		r.to.Passing = &passing{Upto: p.Requests, Threshold: p.Threshold}
	}
	if r.to.Passing != nil {
		pass := *r.to.Passing
		r.to.Passing = &pass
		if done, err := r.pass(&pass, most); !done || err != nil {
			return err
		}
		r.to.Settled, r.to.Threshold, r.to.Passing = pass.Upto, pass.Threshold, nil
		if len(r.events) > 0 {
			return nil
		}
	}
	cause := "end"
	if r.to.Ended == again {
		cause = fmt.Sprintf("end after removal %d", r.to.Removal)
	}
	r.to.Ended = r.to.Outcomes
	r.add(cause, p.Requests, p.Requests, sink.Item{Kind: sink.End, Why: p.Ended, Pages: p.Pages, Total: p.Accepted}, nil)
	return nil
}

// pass goes on with a pass; done: it is over.
func (r *reading) pass(pass *passing, most int) (done bool, err error) {
	n := 0
	for o, err := range r.ledger.Outcomes(pass.At) {
		if err != nil {
			return false, err
		}
		if o.N > pass.Upto {
			return true, nil
		}
		if n++; n > scanned || len(r.events) >= most {
			return false, nil
		}
		pass.At = o.N
		if _, person := r.stand[o.Request.URL]; !isPage(&o) || person {
			continue
		}
		was, is := r.accepted(&o), step.AcceptedFrom(o.Actual, pass.Threshold)
		if was == is {
			continue
		}
		if last, err := r.ledger.Outcome(o.Request.URL); err != nil || last.N != o.N {
			continue // of an earlier version, or asked for in another form
		}
		if is {
			r.add("threshold", pass.Upto, pass.Upto, sink.Item{Kind: sink.Accepted, URL: o.Request.URL}, &o)
		} else {
			r.add("threshold", pass.Upto, pass.Upto, sink.Item{Kind: sink.Withdrawn, URL: o.Request.URL, Why: "threshold"}, nil)
		}
	}
	return true, nil
}

// survey returns how many pages a sink at a position lacks, and which ones it has, if anybody needs to know.
func (f *feed) survey(ctx context.Context, at Position, repeats bool) (lacks int64, held *urls, err error) {
	from := at.Outcomes
	if repeats {
		from, held = 0, &urls{}
	}
	for o, err := range f.ledger.Outcomes(from) {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return 0, nil, err
		}
		switch page := isPage(&o); {
		case o.N > at.Outcomes && page && o.Actual.Accepted:
			lacks++
		case o.N > at.Outcomes:
		case page && o.N <= at.Settled && step.AcceptedFrom(o.Actual, at.Threshold), page && o.N > at.Settled && o.Actual.Accepted:
			held.note(sink.Item{Kind: sink.Accepted, URL: o.Request.URL})
		case page, o.Redirect != "", o.Status == http.StatusNotFound, o.Status == http.StatusGone:
			held.note(sink.Item{Kind: sink.Withdrawn, URL: o.Request.URL})
		}
	}
	return lacks, held, nil
}
