package proposals

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
)

// maxBy bounds the name of who decides, in bytes.
const maxBy = 200

// Decide applies a verdict: first it changes the ontology file, then the crawl commits the decision. If the process is killed
// in between, the suggestion is as it was and can be decided again.
func (d *Desk) Decide(ctx context.Context, v kind.Verdict) (out kind.Decided, err error) {
	if err := checkVerdict(v); err != nil {
		return out, err
	}
	held, err := d.held()
	if err != nil {
		return out, err
	}
	at := slices.IndexFunc(held, func(o orbweaver.Decision) bool { return o.ID == v.ID })
	switch {
	case v.Withdrawn && at < 0:
		return out, fmt.Errorf("withdraw %s: no decision about it holds (%w)", v.ID, orbweaver.ErrInput)
	case v.Withdrawn:
		out, err = d.withdrawn(held[at], held)
	case at >= 0 && (!held[at].Later || v.Later):
		before := held[at]
		// the process may have been killed before it wrote the file
		return out, errors.Join(fmt.Errorf("%s was decided before, after %d requests: it is %s (%w)", v.ID, before.After, outcomeOf(before), orbweaver.ErrInput), d.Crawl.WriteDecisions())
	default:
		out, err = d.decided(ctx, v)
	}
	if err != nil {
		return out, err
	}
	out.Decision.By, out.Decision.At = strings.TrimSpace(v.By), time.Now().UTC().Truncate(time.Second)
	out.Decision.After = d.Session.Progress().Requests
	if err := d.Session.Decide(ctx, out.Decision); err != nil {
		return out, err
	}
	return out, d.Crawl.WriteDecisions()
}

func checkVerdict(v kind.Verdict) error {
	if (v.Accepted && v.Later) || v.Withdrawn && (v.Accepted || v.Later) {
		return fmt.Errorf("decide %s: it is one of accepted, later and withdrawn, or none: rejected (%w)", v.ID, orbweaver.ErrInput)
	}
	if len(v.By) > maxBy || console.Visible(v.By, maxBy+1) != v.By {
		return fmt.Errorf("by: the name of who decides is one line of at most %d bytes (%w)", maxBy, orbweaver.ErrInput)
	}
	return nil
}

// decided makes the decision about a suggestion, and then keeps the suggestion. Accepted, it is in the user's file.
func (d *Desk) decided(ctx context.Context, v kind.Verdict) (out kind.Decided, err error) {
	s, err := d.suggested(ctx, v.ID)
	if err != nil {
		return out, err
	}
	out.Decision = orbweaver.Decision{ID: v.ID, Later: v.Later, Text: s.Text}
	if v.Accepted {
		if out, err = d.Crawl.Focus.Accept(d.Crawl.Env, v, s.Suggestion); err != nil {
			return out, err
		}
	}
	return out, d.keep([]Kept{s})
}

// withdrawn makes the withdrawal of a decision. What an accepted suggestion added leaves the user's file.
func (d *Desk) withdrawn(before orbweaver.Decision, held []orbweaver.Decision) (out kind.Decided, err error) {
	out.Decision = orbweaver.Decision{ID: before.ID, Withdrawn: true, Text: before.Text}
	grower, ok := d.Crawl.Focus.(kind.Grower)
	if !before.Accepted || !ok {
		return out, nil
	}
	var others []orbweaver.Decision
	for _, o := range held {
		if o.Accepted && o.ID != before.ID {
			others = append(others, o)
		}
	}
	return grower.Withdraw(d.Crawl.Env, before, others)
}

// held returns the decisions about suggestions that hold, in order.
func (d *Desk) held() (held []orbweaver.Decision, err error) {
	for o, err := range d.Crawl.Ledger.Decisions() {
		if err != nil {
			return nil, err
		}
		if o.ID == "" {
			continue
		}
		held = slices.DeleteFunc(held, func(h orbweaver.Decision) bool { return h.ID == o.ID })
		if !o.Withdrawn {
			held = append(held, o)
		}
	}
	return held, nil
}

// suggested finds an undecided suggestion by its id: of the focus, or one that the crawl folder keeps.
func (d *Desk) suggested(ctx context.Context, id string) (s Kept, err error) {
	list, err := d.Suggestions(ctx)
	if err != nil {
		return s, err
	}
	kept, err := ReadKept(d.Crawl.File.Output)
	if err != nil {
		return s, err
	}
	for _, s := range list {
		if s.ID == id {
			return Kept{Suggestion: s, Own: true}, nil
		}
	}
	for _, s := range kept {
		if s.ID == id {
			return s, nil
		}
	}
	return s, fmt.Errorf("no suggestion %s among the %d of %s: see orbweaver suggestions %s (%w)", id, len(list)+len(kept), d.Crawl.File.Name(), console.Relative(d.Crawl.File.Output), orbweaver.ErrInput)
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
