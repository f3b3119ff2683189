package blend

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"orbweaver"
	"orbweaver/internal/order"
)

// Suggestions lists those of all parts, best first. If several parts make some, an ID begins with the part's name.
func (f *Focus) Suggestions(ctx context.Context) (all []orbweaver.Suggestion, err error) {
	for i, part := range f.parts {
		if part.suggester == nil {
			continue
		}
		own, err := part.suggester.Suggestions(ctx)
		if err != nil {
			return nil, fmt.Errorf("part %s: %w", part.Name, err)
		}
		for _, s := range own {
			s.ID = f.Routed(i, s.ID)
			all = append(all, s)
		}
	}
	order.Stably(all, func(a, b orbweaver.Suggestion) int { return cmp.Compare(b.Score, a.Score) })
	return all, nil
}

// Routed returns the ID of the suggestion that a part makes under its own ID: the inverse of Concerned.
func (f *Focus) Routed(part int, own string) string {
	if f.deciders() > 1 {
		return f.parts[part].prefix + own
	}
	return own
}

// deciders counts the parts that take decisions.
func (f *Focus) deciders() (n int) {
	for _, part := range f.parts {
		if part.decider != nil {
			n++
		}
	}
	return n
}

// Decide hands a decision to the part that it concerns: the only one that takes decisions, or the one named in its ID. An
// error wraps orbweaver.ErrInput.
func (f *Focus) Decide(ctx context.Context, d orbweaver.Decision) (lesson orbweaver.Lesson, err error) {
	i, id := f.Concerned(d.ID)
	if i < 0 {
		return lesson, fmt.Errorf("blend: decision %s: no part takes it: only an ontology does, and of several the one whose name begins the ID: %w", d.Name(), orbweaver.ErrInput)
	}
	d.ID, f.judged = id, judged{}
	part := f.parts[i]
	if lesson, err = part.decider.Decide(ctx, d); err != nil {
		return lesson, fmt.Errorf("part %s: %w", part.Name, err)
	}
	lesson.Stale = part.stale(nil, lesson.Stale)
	return lesson, nil
}

// Relearn hands a person's verdict to each part that learns from it, with what the part says of the page.
func (f *Focus) Relearn(ctx context.Context, o orbweaver.Outcome, relevance float64) (orbweaver.Lesson, error) {
	all, err := f.judge(ctx, o.Page)
	if err != nil {
		return orbweaver.Lesson{}, err
	}
	return f.relearners(func(i int) (orbweaver.Lesson, error) {
		return f.parts[i].relearner.Relearn(ctx, f.outcome(o, all, i), relevance)
	})
}

// Unlearn has each part take back what it learned of a verdict.
func (f *Focus) Unlearn(ctx context.Context, url string) (orbweaver.Lesson, error) {
	return f.relearners(func(i int) (orbweaver.Lesson, error) { return f.parts[i].relearner.Unlearn(ctx, url) })
}

// Untaught is Judge: of a blend the parts are judged as they are now, with what they learned of verdicts.
func (f *Focus) Untaught(ctx context.Context, p *orbweaver.Page) (orbweaver.Judgement, error) {
	return f.Judge(ctx, p)
}

// relearners calls do for each part that learns from verdicts.
func (f *Focus) relearners(do func(part int) (orbweaver.Lesson, error)) (lesson orbweaver.Lesson, err error) {
	for i, part := range f.parts {
		if part.relearner == nil {
			continue
		}
		own, err := do(i)
		if err != nil {
			return lesson, fmt.Errorf("part %s: %w", part.Name, err)
		}
		lesson.Facts = append(lesson.Facts, own.Facts...)
		lesson.Stale = part.stale(lesson.Stale, own.Stale)
	}
	f.judged = judged{}
	return lesson, nil
}

// Concerned returns the number of the part that a suggestion's ID concerns, and the ID there; -1 if there is none.
func (f *Focus) Concerned(id string) (part int, own string) {
	several := f.deciders() > 1
	for i, p := range f.parts {
		own, named := strings.CutPrefix(id, p.prefix)
		if p.decider != nil && (named || !several) {
			return i, own
		}
	}
	return -1, id
}

// Evidence lists the spans of all parts, their rules under the parts' names.
func (f *Focus) Evidence(ctx context.Context, p *orbweaver.Page) (all []orbweaver.Span, err error) {
	judged, err := f.judge(ctx, p)
	if err != nil {
		return nil, err
	}
	for i, part := range f.parts {
		if part.evidencer == nil {
			continue
		}
		own, err := part.evidencer.Evidence(ctx, judged.views[i])
		if err != nil {
			return nil, fmt.Errorf("part %s: %w", part.Name, err)
		}
		for _, s := range own {
			s.Rule = part.prefix + s.Rule
			all = append(all, s)
		}
	}
	order.Stably(all, func(a, b orbweaver.Span) int {
		return cmp.Or(cmp.Compare(ordered(a), ordered(b)), cmp.Compare(a.Start, b.Start))
	})
	return all[:min(len(all), maxSpans)], nil
}

// maxSpans bounds the spans of a page.
const maxSpans = 1000

// ordered is the order of fields: title before text.
func ordered(s orbweaver.Span) int {
	if s.Field == orbweaver.InTitle {
		return 0
	}
	return 1
}
