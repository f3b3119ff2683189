package metadata

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"orbweaver"
	"orbweaver/internal/order"
)

// RoundSize is 0: a round lasts until nothing of a stage waits.
func (f *Focus) RoundSize() int { return 0 }

// EndRound processes the findings of a stage and begins the next.
func (f *Focus) EndRound(ctx context.Context, r orbweaver.Round) ([]orbweaver.Proposal, orbweaver.Lesson, error) {
	if again := f.stranded(); len(again) > 0 {
		return again, orbweaver.Lesson{}, nil
	}
	before := f.state.Phase
	proposals, err := f.advance(ctx, r.Known)
	if err != nil || f.state.Phase != over || before == over {
		return proposals, orbweaver.Lesson{}, err
	}
	return proposals, orbweaver.Lesson{Facts: f.facts()}, nil
}

// FindingsGraph names the graph of the results, written when the search is complete.
const FindingsGraph = "http://orbweaver.example/terms#findings"

// stranded continues with datasets whose question was dropped within the round: robots.txt or scope excluded
// it, or it was redirected to a URL already requested.
func (f *Focus) stranded() (proposals []orbweaver.Proposal) {
	for _, place := range f.ranked() {
		d := &f.state.Datasets[place]
		if !d.Asking || len(d.Queue) == 0 {
			continue
		}
		f.failed(d, fmt.Errorf("not asked, by robots.txt, scope or a redirect: %w", orbweaver.ErrGaveUp))
		if q := f.next(d); q != nil {
			proposals = append(proposals, f.put(*q))
		}
	}
	return proposals
}

// advance ends the current phase and begins the next one.
func (f *Focus) advance(ctx context.Context, known orbweaver.Known) ([]orbweaver.Proposal, error) {
	switch s := &f.state; s.Phase {
	case describing:
		if err := f.readDescriptions(known); err != nil {
			return nil, err
		}
		return f.begin(f.opts.Terms[:min(len(f.opts.Terms), f.opts.Limits.Terms)]), nil
	case relating:
		found, err := f.gather(ctx, known)
		if err != nil {
			return nil, err
		}
		if !f.opts.Judged {
			return f.follow(found, func(string) float64 { return 0 }), nil
		}
		return f.candidates(known, found)
	case judging:
		return f.judge(known)
	}
	return nil, nil
}

// gather returns all findings of the stage: by term, then documents before datasets, then by item.
func (f *Focus) gather(_ context.Context, known orbweaver.Known) (found []Found, err error) {
	for _, t := range f.state.Current {
		more, err := f.look(known, t)
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	for place := range f.state.Datasets {
		d, name := &f.state.Datasets[place], f.opts.Datasets[place].Name
		for _, one := range d.Found {
			one.Step.Dataset = name
			found = append(found, one)
		}
		d.Found = nil
	}
	place := map[string]int{}
	for i, t := range f.state.Current {
		place[t] = i
	}
	order.Stably(found, func(a, b Found) int { return cmp.Compare(place[a.Term], place[b.Term]) })
	return found, nil
}

// follow truncates the findings per dataset and per term and begins the next stage with those that are new.
// Classes of a higher score go first.
func (f *Focus) follow(found []Found, score func(iri string) float64) []orbweaver.Proposal {
	s := &f.state
	var next []string
	if f.opts.Order == Prepended {
		next = f.followPrepended(found)
	} else {
		next = f.followSorted(found, score)
	}
	if s.Stage >= f.opts.Limits.Levels {
		next = f.overdue(next)
	}
	next = next[:max(0, min(len(next), f.opts.Limits.Terms-s.Processed))]
	if len(next) == 0 {
		s.Phase = over
		return nil
	}
	return f.begin(next)
}

// followSorted returns the new classes among the findings, truncated, in their order.
func (f *Focus) followSorted(found []Found, score func(iri string) float64) (next []string) {
	for of := range byTerm(found) {
		for _, one := range f.opts.Limits.truncate(of, score) {
			if f.reached(one) {
				next = append(next, one.Item)
			}
		}
	}
	return next
}

// truncate returns the findings to follow from one term: in the order of IRIs, the first PerDataset of each
// dataset, and of these the first PerTerm. A class counts once, however often it is stated; all its
// statements are kept.
func (l Limits) truncate(found []Found, score func(iri string) float64) []Found {
	found = slices.Clone(found)
	order.Stably(found, func(a, b Found) int {
		return cmp.Or(cmp.Compare(score(b.Item), score(a.Item)), cmp.Compare(a.Item, b.Item), cmp.Compare(a.Step.Dataset, b.Step.Dataset))
	})
	items, of := map[string]bool{}, map[string]map[string]bool{}
	return slices.DeleteFunc(found, func(one Found) bool {
		d := of[one.Step.Dataset]
		if d == nil {
			d = map[string]bool{}
			of[one.Step.Dataset] = d
		}
		if !d[one.Item] && len(d) >= l.PerDataset || !items[one.Item] && len(items) >= l.PerTerm {
			return true
		}
		d[one.Item], items[one.Item] = true, true
		return false
	})
}

// maxEdges bounds the statements kept per class that lead to it.
const maxEdges = 100

// reached records a finding and reports whether its class is new.
func (f *Focus) reached(one Found) (fresh bool) {
	s := &f.state
	t := s.Terms[one.Item]
	if t == nil {
		t = &term{Stage: s.Stage}
		if one.since > 0 {
			t.Stage = one.since
		}
		s.Terms[one.Item] = t
		s.Order = append(s.Order, one.Item)
		fresh = true
	}
	t.Found = true
	delete(s.Rejected, one.Item)
	for _, step := range one.steps() {
		if !slices.Contains(t.Edges, step) && len(t.Edges) < maxEdges {
			t.Edges = append(t.Edges, step)
		}
	}
	return fresh
}
