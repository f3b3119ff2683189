package blend

import (
	"context"
	"fmt"

	"orbweaver"
)

// Plan joins what the parts propose: a request that any of them would follow is proposed once.
func (f *Focus) Plan(ctx context.Context, p *orbweaver.Page, _ orbweaver.Judgement) ([]orbweaver.Proposal, error) {
	all, err := f.judge(ctx, p)
	if err != nil {
		return nil, err
	}
	plans := make([][]orbweaver.Proposal, len(f.parts))
	for i, part := range f.parts {
		if plans[i], err = part.Focus.Plan(ctx, all.views[i], all.by[i]); err != nil {
			return nil, fmt.Errorf("part %s: %w", part.Name, err)
		}
	}
	joined := f.join(plans)
	if all.ahead == nil {
		all.ahead = f.ahead(p, joined)
	}
	return joined, nil
}

// ahead returns, for each part, the chances of a page's links that they lead to a page that the part accepts.
func (f *Focus) ahead(p *orbweaver.Page, plan []orbweaver.Proposal) [][]float64 {
	chances := make([][]float64, len(f.parts))
	for _, q := range plan {
		n, ok := readNote(q.Note, len(f.parts))
		if !ok || q.URL == p.URL {
			continue
		}
		for i, part := range f.parts {
			chances[i] = append(chances[i], part.now.chance.Chance(n.parts[i].raw))
		}
	}
	return chances
}

// identity is what makes two requests the same.
type identity struct{ url, accept, query, state string }

// A joint is a request with what each part proposes of it.
type joint struct {
	of    []*orbweaver.Proposal // nil: the part does not propose it, or drops it
	first *orbweaver.Proposal
}

// join joins the proposals of the parts, each with the link of the part that gives it the best chance.
func (f *Focus) join(plans [][]orbweaver.Proposal) []orbweaver.Proposal {
	size := 0
	for _, plan := range plans {
		size = max(size, len(plan))
	}
	joints, at := make([]joint, 0, size), make(map[identity]int, size)
	for i, plan := range plans {
		for k := range plan {
			p := &plan[k]
			id := identity{p.URL, p.Accept, p.Query, p.State}
			n, known := at[id]
			if !known {
				n = len(joints)
				at[id] = n
				joints = append(joints, joint{of: make([]*orbweaver.Proposal, len(f.parts)), first: p})
			}
			if joints[n].of[i] == nil && !p.Drop {
				joints[n].of[i] = p
			}
		}
	}
	all := make([]orbweaver.Proposal, len(joints))
	for n, j := range joints {
		all[n] = f.joined(j)
	}
	return all
}

// joined returns the proposal of a blend for a request.
func (f *Focus) joined(j joint) orbweaver.Proposal {
	n, best, worth := note{parts: make([]standing, len(f.parts))}, j.first, -1.0
	var reasons []orbweaver.Reason
	var keys []string
	class := ""
	for i, part := range f.parts {
		p := j.of[i]
		if p == nil {
			continue
		}
		n.parts[i] = standing{ranked: true, raw: p.Score, note: p.Note}
		if c := part.now.reach.worth(p.Score); c > worth {
			best, worth = p, c
		}
		reasons, class = part.prefixed(reasons, p.Reasons), part.classed(class, p.Class)
		for _, key := range p.Keys {
			keys = append(keys, part.prefix+key)
		}
	}
	out := orbweaver.Proposal{Request: best.Request, Keys: keys}
	out.Class, out.Reasons = class, reasons
	if out.Drop = worth < 0; out.Drop {
		out.Reasons = f.parts[0].prefixed(nil, best.Reasons)
		return out
	}
	n.best = f.worth(n)
	out.Score, out.Note = n.best, n.append(nil)
	return out
}

// worth is what it is worth to follow a request, 0 to 1, by what the parts know of it.
func (f *Focus) worth(n note) float64 {
	worth, _ := f.rule.independently(func(i int) (float64, bool) { return f.parts[i].now.reach.worth(n.parts[i].raw), true })
	return worth
}

// Seeds joins the parts' seeds.
func (f *Focus) Seeds(ctx context.Context, known orbweaver.Known) ([]orbweaver.Proposal, error) {
	plans := make([][]orbweaver.Proposal, len(f.parts))
	for i, part := range f.parts {
		if part.seeder == nil {
			continue
		}
		var err error
		if plans[i], err = part.seeder.Seeds(ctx, known); err != nil {
			return nil, fmt.Errorf("part %s: %w", part.Name, err)
		}
	}
	return f.join(plans), nil
}

// Recover joins what the parts propose in place of a failed request.
func (f *Focus) Recover(ctx context.Context, o orbweaver.Outcome) ([]orbweaver.Proposal, error) {
	plans := make([][]orbweaver.Proposal, len(f.parts))
	for i, part := range f.parts {
		if part.recoverer == nil {
			continue
		}
		var err error
		if plans[i], err = part.recoverer.Recover(ctx, f.outcome(o, nil, i)); err != nil {
			return nil, fmt.Errorf("part %s: %w", part.Name, err)
		}
	}
	return f.join(plans), nil
}

// Rephrases reports whether a part has other words for a query.
func (f *Focus) Rephrases(r orbweaver.Request) bool {
	for i, part := range f.parts {
		if part.rephraser != nil && part.rephraser.Rephrases(f.request(r, i)) {
			return true
		}
	}
	return false
}

// request returns a request as a part proposed it.
func (f *Focus) request(r orbweaver.Request, i int) orbweaver.Request {
	n, ok := readNote(r.Note, len(f.parts))
	if r.Note = nil; ok {
		r.Note = n.parts[i].note
	}
	return r
}

// RoundSize is that of the part that works in rounds.
func (r *rounds) RoundSize() int { return r.of.rounder.RoundSize() }

// EndRound ends a round of that part.
func (r *rounds) EndRound(ctx context.Context, round orbweaver.Round) ([]orbweaver.Proposal, orbweaver.Lesson, error) {
	r.judged = judged{}
	plans := make([][]orbweaver.Proposal, len(r.parts))
	plan, lesson, err := r.of.rounder.EndRound(ctx, round)
	if err != nil {
		return nil, lesson, fmt.Errorf("part %s: %w", r.of.Name, err)
	}
	for i, part := range r.parts {
		if part == r.of {
			plans[i] = plan
		}
	}
	lesson.Stale = r.of.stale(nil, lesson.Stale)
	return r.join(plans), lesson, nil
}
