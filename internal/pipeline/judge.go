package pipeline

import (
	"context"
	"fmt"
	"slices"

	"orbweaver"
)

// Judge returns the focus's judgement of a prepared page, adjusted to the page's own wishes.
func (p *Pipeline) Judge(ctx context.Context, page *orbweaver.Page) (j orbweaver.Judgement, err error) {
	defer Catch(&err, "judge", page.Request.URL)
	if j, err = p.Focus.Judge(ctx, page); err != nil {
		return orbweaver.Judgement{}, failed("judge", page.Request, err)
	}
	return p.Adjust(page, j), nil
}

// Adjust returns the judgement of a page as it counts: a page that asks not to be indexed is not
// accepted, unless ListAll, and a page that has no text without its scripts says so.
func (p *Pipeline) Adjust(page *orbweaver.Page, j orbweaver.Judgement) orbweaver.Judgement {
	if page.NoIndex && !p.ListAll {
		j.Accepted = false
		j.Reasons = append(slices.Clip(j.Reasons), orbweaver.Reason{Rule: orbweaver.RuleNoIndex, Evidence: "the page asks not to be shown in results"})
	}
	if page.Scripted {
		j.Reasons = append(slices.Clip(j.Reasons), orbweaver.Reason{Rule: "needs-script", Evidence: "hardly any text before its scripts run"})
	}
	return j
}

// Plan returns what the focus proposes to request after a page, as far as the page lets its links be
// followed.
func (p *Pipeline) Plan(ctx context.Context, page *orbweaver.Page, j orbweaver.Judgement) (plan []orbweaver.Proposal, err error) {
	defer Catch(&err, "plan after", page.Request.URL)
	if plan, err = p.Focus.Plan(ctx, page, j); err != nil {
		return nil, failed("plan after", page.Request, err)
	}
	return Followable(page, plan), nil
}

// Followable returns the proposals of a plan that the page allows. It drops URLs to which all links of
// the page are nofollow and, on a page that is nofollow itself, everything but queries, wherever the
// focus found it. Queries are no links.
func Followable(p *orbweaver.Page, plan []orbweaver.Proposal) []orbweaver.Proposal {
	noFollow := noFollowTargets(p)
	if !p.NoFollow && len(noFollow) == 0 {
		return plan
	}
	kept := make([]orbweaver.Proposal, 0, len(plan))
	for _, proposal := range plan {
		if proposal.Query != "" || !p.NoFollow && !noFollow[proposal.URL] {
			kept = append(kept, proposal)
		}
	}
	return kept
}

// noFollowTargets are the URLs to which a page has nofollow links alone.
func noFollowTargets(p *orbweaver.Page) map[string]bool {
	var targets map[string]bool
	for i := range p.Links {
		if l := &p.Links[i]; l.Rel != "" && l.NoFollow() {
			if targets == nil {
				targets = map[string]bool{}
			}
			targets[l.To] = true
		}
	}
	for i := range p.Links {
		if l := &p.Links[i]; len(targets) > 0 && targets[l.To] && !l.NoFollow() {
			delete(targets, l.To)
		}
	}
	return targets
}

// A Crash is a panic of a parser, a browser or a focus. It fails the page, or the host, alone.
type Crash struct {
	Step  string // that panicked
	URL   string // of the page or host
	Cause any    // the panic's value
}

// Error says what panicked on which URL.
func (c *Crash) Error() string {
	return fmt.Sprintf("%s %s: %v: %v", c.Step, c.URL, orbweaver.ErrUnreadable, c.Cause)
}

// Unwrap is the Failure: the page counts as unreadable.
func (c *Crash) Unwrap() error { return orbweaver.ErrUnreadable }

// Catch, deferred, turns a panic into a *Crash.
func Catch(err *error, step, url string) {
	if cause := recover(); cause != nil {
		*err = &Crash{Step: step, URL: url, Cause: cause}
	}
}
