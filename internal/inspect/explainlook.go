package inspect

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"orbweaver"
	"orbweaver/frontier"
	"orbweaver/internal/assembly"
	"orbweaver/internal/judge"
	"orbweaver/internal/step"
	"orbweaver/internal/teach"
	"orbweaver/ledger"
	"orbweaver/weburl"
)

const (
	maxSteps  = 1000 // hops of a chain
	maxLinked = 500  // linking pages that are checked
	examples  = 3
)

// look collects what ledger and frontier know of a URL. It sets the kind if they suffice to decide it.
func (k *Knowledge) look(ctx context.Context, x *Explanation) error {
	x.ended = k.ledger.Progress().Ended
	x.Seed = slices.Contains(k.file.Seeds.URLs, x.URL)
	id, known := k.ledger.Find(x.URL)
	if known {
		var err error
		if x.Outages, err = k.outages(id); err != nil {
			return err
		}
		w, waits, err := k.ledger.Waits(id)
		switch {
		case err != nil:
			return err
		case waits:
			return k.lookWaiting(ctx, x, w)
		}
		if o, err := k.ledger.Outcome(x.URL); err == nil {
			return k.lookOutcome(x, o)
		} else if orbweaver.FailureOf(err) != orbweaver.ErrUnknown {
			return err
		}
	}
	x.known = known
	return k.lookLinks(ctx, x)
}

// outages returns the outages of the machine's network in which a request failed, the one that lasts too.
func (k *Knowledge) outages(id uint64) ([]step.Outage, error) {
	all, err := assembly.OutagesOf(k.ledger, id)
	if k.run != nil {
		if o, lasts := k.run.C.Outage(); lasts {
			o.Requests = nil
			all = append(all, o)
		}
	}
	return all, err
}

// viewOutcome returns the view of an outcome, with the verdict by the current threshold.
func (k *Knowledge) viewOutcome(o orbweaver.Outcome) *OutcomeView {
	v := viewOutcome(o, k.ledger.Progress().Threshold)
	if o.Explored {
		v.Explored = "drawn at random"
		if share := k.file.Explore.Part(); share > 0 {
			v.Explored += fmt.Sprintf(" (explore: %.4g%%)", 100*share)
		}
	}
	return v
}

// lookOutcome explains a URL with an outcome.
func (k *Knowledge) lookOutcome(x *Explanation, o orbweaver.Outcome) error {
	if orbweaver.FailureOf(o.Err) == orbweaver.ErrRemoved {
		x.Kind = KindRemoved
		return nil
	}
	x.Outcome, x.Chain = k.viewOutcome(o), k.chain(o.Request, &o, o.Predicted)
	switch {
	case o.Redirect != "" && o.Err == nil:
		x.Kind = KindRedirect
		if target, err := k.ledger.Outcome(o.Redirect); err == nil {
			x.Leads = k.viewOutcome(target)
		}
	case o.Redirect != "":
		x.Kind = KindUnfollowed
		_, x.Rule = k.scope.Allows(o.Redirect)
	case orbweaver.FailureOf(o.Err) == step.ErrSource:
		x.Kind = KindSource
	case o.Err != nil:
		x.Kind = KindFailed
		return k.lookHost(x, hostIdle)
	default:
		x.Kind = KindPage
		return k.lookVerdict(x)
	}
	return nil
}

// lookVerdict sets the verdict of a person that holds.
func (k *Knowledge) lookVerdict(x *Explanation) error {
	for d, err := range k.ledger.Decisions() {
		switch {
		case err != nil:
			return err
		case d.Page != x.URL:
		case d.Withdrawn:
			x.Outcome.Verdict, x.Outcome.Said = nil, ""
		default:
			x.Outcome.Verdict, x.Outcome.Said = &d.Accepted, teach.SaidOf(d)
		}
	}
	return nil
}

// lookWaiting explains a URL that waits or is in flight.
func (k *Knowledge) lookWaiting(ctx context.Context, x *Explanation, w step.Waiting) error {
	x.Kind, x.Chain = KindWaiting, k.chain(w.Request, nil, w.Judgement)
	x.Waiting = &WaitingView{OpinionView: viewOpinion(w.Judgement), Depth: w.Depth, Ahead: w.Ahead, Last: step.IsLast(w.Score)}
	x.Waiting.Score = step.Plain(w.Score)
	if w.Via != nil && w.Purpose == orbweaver.ForPage && w.Query == "" {
		evidence, err := judge.Evidence(k.ledger)
		if err != nil {
			return err
		}
		x.Waiting.Chance = evidence.Links.Chance(step.Plain(w.Score))
	}
	if k.run == nil {
		if err := k.count(ctx, x, w); err != nil {
			return err
		}
		return k.lookIdle(x, w)
	}
	standing, waits := k.run.Turns.Standing(w.ID, time.Now())
	switch {
	case waits:
		x.Waiting.Rank, x.Waiting.Of, x.Waiting.Here = standing.Rank, standing.Of, standing.Here
		x.Waiting.Ahead = standing.Ahead
		state, until := stateOfHost(standing)
		if err := k.lookHost(x, state); err != nil {
			return err
		}
		x.Host.Until = until
	case k.run.C.Refresh > 0 || k.run.C.Watching:
		return k.lookHost(x, hostUnlisted)
	default:
		x.Kind = kindInFlight
		return k.lookHost(x, hostBusy)
	}
	return nil
}

// stateOfHost returns the first condition that holds a request back, and its end if that is a time.
func stateOfHost(s frontier.Standing) (string, time.Time) {
	switch {
	case s.Down != "":
		return hostDown, s.Until
	case s.Spent:
		return hostSpent, time.Time{}
	case s.Outside:
		return hostOutside, time.Time{}
	case !s.Until.IsZero():
		return hostResting, s.Until
	case s.Address:
		return hostAddress, time.Time{}
	case s.Robots:
		return hostRobots, time.Time{}
	case s.Busy:
		return hostBusy, time.Time{}
	}
	return hostReady, time.Time{}
}

// count ranks a waiting request of a crawl that no process runs, in the order of the frontier.
func (k *Knowledge) count(ctx context.Context, x *Explanation, w step.Waiting) error {
	host := weburl.Host(w.URL)
	of, first, here, err := k.ledger.Place(ctx, host, func(q ledger.Queued) bool { return goesBefore(q, queued(w)) })
	x.Waiting.Of, x.Waiting.Rank, x.Waiting.Here = of, first+1, here+1
	return err
}

// goesBefore is the order of waiting requests: redirect targets first, then by score, then in the order of proposal.
func goesBefore(a, b ledger.Queued) bool {
	switch {
	case a.Ahead != b.Ahead:
		return a.Ahead
	case a.Score != b.Score:
		return a.Score > b.Score
	}
	return a.ID < b.ID
}

// queued returns what orders a waiting request.
func queued(w step.Waiting) ledger.Queued {
	return ledger.Queued{ID: w.ID, Score: w.Score, Ahead: w.Ahead}
}

// lookIdle sets the state of the host of a waiting request in a crawl that no process runs.
func (k *Knowledge) lookIdle(x *Explanation, w step.Waiting) error {
	state, limit, host := hostIdle, k.file.Limits.PerHost, weburl.Host(w.URL)
	if err := k.lookHost(x, state); err != nil || limit == 0 {
		return err
	}
	var pages int64
	if x.Host.Account != nil {
		pages = x.Host.Account.Pages
	} else {
		for o, err := range k.ledger.Outcomes(0) {
			if err != nil {
				return err
			}
			if o.Page != nil && weburl.Host(o.Request.URL) == host {
				pages++
			}
		}
	}
	if pages >= limit {
		x.Host.State = hostSpent
	}
	return nil
}

// lookHost sets the state and the account of the URL's host.
func (k *Knowledge) lookHost(x *Explanation, state string) error {
	host := weburl.Host(x.URL)
	x.Host = &HostView{State: state}
	if k.run != nil {
		if a, known := k.run.Turns.Account(host); known && k.file.Web == nil {
			x.Host.Account = &a
			if a.Down != "" {
				x.Host.State = hostDown
			}
		}
		return nil
	}
	a, known, err := k.ledger.Account(host)
	if known {
		x.Host.Account = &a
	}
	return err
}

// lookLinks collects the pages that link to a URL without an outcome that does not wait.
func (k *Knowledge) lookLinks(ctx context.Context, x *Explanation) error {
	for o, err := range k.ledger.Linking(x.URL) {
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		if len(x.links) == maxLinked {
			x.Links.More = true
			break
		}
		if x.Links == nil {
			x.Links = new(LinksView)
		}
		x.links = append(x.links, o)
		x.Links.Pages++
		if len(x.Links.Examples) < examples {
			x.Links.Examples = append(x.Links.Examples, o.Request.URL)
		}
	}
	if near, ok := shallowest(x.links); ok {
		x.Chain = k.chain(near.Request, &near, near.Predicted)
	}
	x.dropped, x.wasDropped = k.ledger.Refusal(KindDropped, x.URL)
	_, x.unfollowed = k.ledger.Refusal(KindNoFollow, x.URL)
	x.cut = assembly.LookCut(k.ledger, k.file.Seeds.URLs)
	if k.run != nil {
		x.rules, x.ruled = k.run.C.Gate.Rules(weburl.Host(x.URL))
	}
	return nil
}

// shallowest returns the page with the smallest depth; of equals the first.
func shallowest(pages []orbweaver.Outcome) (best orbweaver.Outcome, ok bool) {
	depth := math.MaxInt
	for _, o := range pages {
		if o.Request.Depth < depth {
			best, ok, depth = o, true, o.Request.Depth
		}
	}
	return best, ok
}

// chain returns the path from the seed to a request. o is the request's outcome; nil: none.
func (k *Knowledge) chain(r orbweaver.Request, o *orbweaver.Outcome, predicted orbweaver.Judgement) []HopView {
	var steps []HopView
	been := map[string]bool{}
	for len(steps) < maxSteps {
		s := HopView{URL: r.URL, Redirects: r.Redirects, Depth: r.Depth, Predicted: predicted.Score}
		if v := r.Via; v != nil {
			s.Origin, s.Anchor, s.Context, s.Rel = v.Origin, v.Anchor, v.Context, v.Rel
		}
		if o != nil {
			s.N, s.Score, s.Accepted = o.N, o.Actual.Score, o.Actual.Accepted
		}
		steps = append(steps, s)
		been[r.URL] = true
		if r.Parent == "" || been[r.Parent] {
			break
		}
		parent, err := k.ledger.Outcome(r.Parent)
		if err != nil { // a request of the focus itself, whose URL alone does not identify it
			steps = append(steps, HopView{URL: r.Parent})
			break
		}
		r, o, predicted = parent.Request, &parent, parent.Predicted
	}
	slices.Reverse(steps)
	return steps
}
