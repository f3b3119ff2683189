package baseline

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"orbweaver"
)

// Distances knows the number of links from every page to the nearest relevant page not yet fetched.
type Distances interface {
	// Distance returns 0 for a relevant page; false when no relevant page is reachable or the URL is unknown.
	Distance(url string) (int, bool)
	// Found marks a page as fetched: it is no longer a goal. It reports whether any distance changed.
	Found(url string) bool
}

// oracle reranks waiting requests whenever a relevant page was fetched, since distances to that page no
// longer count.
type oracle struct {
	truth Distances
	found []string // relevant pages fetched, in order
	links links
}

// NewOracle returns the focus that knows the ground truth, the upper bound of any comparison: relevant pages
// go first, then pages by distance to the nearest relevant page not yet fetched. A page d links away scores
// 1/(1+d), and 0 when none is reachable. It accepts the relevant pages.
func NewOracle(truth Distances) orbweaver.Focus { return &oracle{truth: truth} }

func (o *oracle) Judge(_ context.Context, p *orbweaver.Page) (orbweaver.Judgement, error) {
	j := o.known(p.URL)
	j.Accepted = j.Score == 1
	return j, nil
}

func (o *oracle) Plan(_ context.Context, p *orbweaver.Page, _ orbweaver.Judgement) ([]orbweaver.Proposal, error) {
	return o.links.each(p, func(l *orbweaver.Link) orbweaver.Judgement { return o.known(l.To) }), nil
}

// Rerank looks the distance up again.
func (o *oracle) Rerank(_ orbweaver.Known, p orbweaver.Proposal) orbweaver.Judgement {
	if p.Parent == "" {
		return p.Judgement // a seed
	}
	return o.known(p.URL)
}

// Learn removes a fetched relevant page from the goals.
func (o *oracle) Learn(_ context.Context, outcome orbweaver.Outcome) (orbweaver.Lesson, error) {
	if outcome.Page == nil || !o.truth.Found(outcome.Page.URL) {
		return orbweaver.Lesson{}, nil
	}
	o.found = append(o.found, outcome.Page.URL)
	return orbweaver.Lesson{Stale: []string{"*"}}, nil
}

// Snapshot writes the relevant pages fetched so far.
func (o *oracle) Snapshot(w io.Writer) error { return json.NewEncoder(w).Encode(o.found) }

// Restore marks the pages of a snapshot as fetched.
func (o *oracle) Restore(r io.Reader) error {
	o.found = nil
	if err := json.NewDecoder(r).Decode(&o.found); err != nil {
		return fmt.Errorf("oracle: snapshot: %w: %w", orbweaver.ErrDamaged, err)
	}
	for _, url := range o.found {
		o.truth.Found(url)
	}
	return nil
}

func (o *oracle) known(url string) orbweaver.Judgement {
	d, ok := o.truth.Distance(url)
	switch {
	case !ok || d < 0:
		return because(0, RuleDistance, "leads nowhere")
	case d == 0:
		return because(1, RuleDistance, "relevant")
	}
	return because(near(d), RuleDistance, fmt.Sprintf("%d links from a relevant page", d))
}
