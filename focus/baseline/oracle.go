package baseline

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"orbweaver"
)

// Distances knows how many links every page is away from the nearest relevant one that was not found
// yet.
type Distances interface {
	// Distance returns 0 for a relevant page; false when no relevant page can be reached or the URL
	// is unknown.
	Distance(url string) (int, bool)
	// Found says that a page was fetched: it is no goal any more. It reports whether that changes
	// any distance.
	Found(url string) bool
}

// oracle ranks what waits anew whenever a relevant page was found, since distances to it count no
// more.
type oracle struct {
	truth Distances
	found []string // relevant pages fetched, in order
	links links
}

// NewOracle returns the focus that knows the truth, the ceiling of any comparison: relevant pages go
// first, then pages by their distance to a relevant one that was not found yet. A page scores
// 1/(1+d), d links from it, and 0 when none can be reached. It accepts the relevant pages.
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

// Learn takes a relevant page that was fetched out of the goals.
func (o *oracle) Learn(_ context.Context, outcome orbweaver.Outcome) (orbweaver.Lesson, error) {
	if outcome.Page == nil || !o.truth.Found(outcome.Page.URL) {
		return orbweaver.Lesson{}, nil
	}
	o.found = append(o.found, outcome.Page.URL)
	return orbweaver.Lesson{Stale: []string{"*"}}, nil
}

// Snapshot writes which relevant pages were found.
func (o *oracle) Snapshot(w io.Writer) error { return json.NewEncoder(w).Encode(o.found) }

// Restore finds them again.
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
