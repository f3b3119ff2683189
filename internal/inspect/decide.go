package inspect

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/kind"
	"orbweaver/internal/proposals"
)

// maxBy bounds the name of who decides, in bytes.
const maxBy = 200

// decide applies a verdict: first it changes the ontology file, then the crawl commits the decision. If the process is killed
// in between, the suggestion is as it was and can be decided again.
func (b *Bench) decide(ctx context.Context, v kind.Verdict) (d kind.Decided, err error) {
	if err := checkVerdict(v); err != nil {
		return d, err
	}
	held, err := b.held()
	if err != nil {
		return d, err
	}
	at := slices.IndexFunc(held, func(o orbweaver.Decision) bool { return o.ID == v.ID })
	switch {
	case v.Withdrawn && at < 0:
		return d, fmt.Errorf("withdraw %s: no decision about it holds (%w)", v.ID, orbweaver.ErrInput)
	case v.Withdrawn:
		d, err = b.withdrawn(held[at], held)
	case at >= 0 && (!held[at].Later || v.Later):
		before := held[at]
		// the process may have been killed before it wrote the file
		return d, errors.Join(fmt.Errorf("%s was decided before, after %d requests: it is %s (%w)", v.ID, before.After, outcomeOf(before), orbweaver.ErrInput), b.c.WriteDecisions())
	default:
		d, err = b.decided(ctx, v)
	}
	if err != nil {
		return d, err
	}
	d.Decision.By, d.Decision.At = strings.TrimSpace(v.By), time.Now().UTC().Truncate(time.Second)
	d.Decision.After = b.session.Progress().Requests
	if err := b.session.Decide(ctx, d.Decision); err != nil {
		return d, err
	}
	return d, b.c.WriteDecisions()
}

func checkVerdict(v kind.Verdict) error {
	if (v.Accepted && v.Later) || v.Withdrawn && (v.Accepted || v.Later) {
		return fmt.Errorf("decide %s: it is one of accepted, later and withdrawn, or none: rejected (%w)", v.ID, orbweaver.ErrInput)
	}
	if len(v.By) > maxBy || console.Visible(v.By, maxBy) != v.By {
		return fmt.Errorf("by: the name of who decides is one line of at most %d bytes (%w)", maxBy, orbweaver.ErrInput)
	}
	return nil
}

// decided makes the decision about a suggestion, and keeps the suggestion. Accepted, it is in the user's file.
func (b *Bench) decided(ctx context.Context, v kind.Verdict) (d kind.Decided, err error) {
	s, err := b.suggested(ctx, v.ID)
	if err != nil {
		return d, err
	}
	if err := b.keep([]proposals.Kept{s}); err != nil {
		return d, err
	}
	d.Decision = orbweaver.Decision{ID: v.ID, Later: v.Later, Text: s.Text}
	if v.Accepted {
		d, err = b.c.Focus.Accept(b.c.Env, v, s.Suggestion)
	}
	return d, err
}

// withdrawn makes the withdrawal of a decision. What an accepted suggestion added leaves the user's file.
func (b *Bench) withdrawn(before orbweaver.Decision, held []orbweaver.Decision) (d kind.Decided, err error) {
	d.Decision = orbweaver.Decision{ID: before.ID, Withdrawn: true, Text: before.Text}
	grower, ok := b.c.Focus.(kind.Grower)
	if !before.Accepted || !ok {
		return d, nil
	}
	var others []orbweaver.Decision
	for _, o := range held {
		if o.Accepted && o.ID != before.ID {
			others = append(others, o)
		}
	}
	return grower.Withdraw(b.c.Env, before, others)
}

// held returns the decisions about suggestions that hold, in order.
func (b *Bench) held() (held []orbweaver.Decision, err error) {
	for d, err := range b.c.Ledger.Decisions() {
		if err != nil {
			return nil, err
		}
		if d.ID == "" {
			continue
		}
		held = slices.DeleteFunc(held, func(o orbweaver.Decision) bool { return o.ID == d.ID })
		if !d.Withdrawn {
			held = append(held, d)
		}
	}
	return held, nil
}

// suggested finds an undecided suggestion by its id: of the focus, or one that the crawl folder keeps.
func (b *Bench) suggested(ctx context.Context, id string) (s proposals.Kept, err error) {
	list, err := b.Suggestions(ctx)
	if err != nil {
		return s, err
	}
	kept, err := proposals.ReadKept(b.c.File.Output)
	if err != nil {
		return s, err
	}
	for _, s := range list {
		if s.ID == id {
			return proposals.Kept{Suggestion: s, Own: true}, nil
		}
	}
	for _, s := range kept {
		if s.ID == id {
			return s, nil
		}
	}
	return s, fmt.Errorf("no suggestion %s among the %d of %s: see orbweaver suggestions %s (%w)", id, len(list)+len(kept), b.c.File.Name(), console.Relative(b.c.File.Output), orbweaver.ErrInput)
}

// outcomeOf describes a decision in a few words.
func outcomeOf(d orbweaver.Decision) string {
	switch {
	case d.Later:
		return "postponed"
	case !d.Accepted:
		return "refused"
	}
	return fmt.Sprintf("accepted as %s, %q", d.As, d.Text)
}
