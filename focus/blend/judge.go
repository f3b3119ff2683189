package blend

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"orbweaver"
)

// RulePart is the rule of what a part says of a page or link. Its evidence begins with the part's name; its weight is the
// part's share of the score. The rules of a part's own reasons begin with its name, as in topic/anchor.
const RulePart = orbweaver.RulePart

// findings are what the parts found, in their order.
type findings struct{ of []any }

// Prepare has the parts prepare a page, one after the other: their error is that of the page.
func (f *Focus) Prepare(ctx context.Context, p *orbweaver.Page) (any, error) {
	found := &findings{make([]any, len(f.parts))}
	for i, part := range f.parts {
		if part.preparer == nil {
			continue
		}
		var err error
		if found.of[i], err = part.preparer.Prepare(ctx, f.view(p, found, note{}, i)); err != nil {
			return nil, fmt.Errorf("part %s: %w", part.Name, err)
		}
	}
	return found, nil
}

// ReadsData reports whether a part looks at the data of a page.
func (f *Focus) ReadsData(p *orbweaver.Page) bool {
	return slices.ContainsFunc(f.parts, func(part *part) bool { return part.reader != nil && part.reader.ReadsData(p) })
}

// view returns a page as a part sees it: with its own findings, and its own Note of the request.
func (f *Focus) view(p *orbweaver.Page, found *findings, n note, i int) *orbweaver.Page {
	v := *p
	v.Findings, v.Request.Note = found.of[i], nil
	if n.parts != nil {
		v.Request.Note = n.parts[i].note
	}
	return &v
}

// judged is the page judged last, as the parts see it and what they say of it.
type judged struct {
	page    *orbweaver.Page
	views   []*orbweaver.Page
	by      []orbweaver.Judgement
	chances []float64
	silent  []bool      // the part has no opinion
	ahead   [][]float64 // by part, the chances of the page's links; nil before Plan
}

// Judge combines what the parts say of a page.
func (f *Focus) Judge(ctx context.Context, p *orbweaver.Page) (orbweaver.Judgement, error) {
	all, err := f.judge(ctx, p)
	if err != nil {
		return orbweaver.Judgement{}, err
	}
	j := orbweaver.Judgement{}
	j.Score, _ = f.rule.strictly(all.chance)
	j.Accepted = j.Score >= half
	var shares float64
	for i, part := range f.parts {
		shares += part.share(all.chances[i])
	}
	for i, part := range f.parts {
		one := orbweaver.Reason{Rule: RulePart, Evidence: part.says(all, i)}
		if shares > 0 {
			one.Weight = j.Score * part.share(all.chances[i]) / shares
		}
		j.Reasons = append(j.Reasons, one)
	}
	for i, part := range f.parts {
		j.Reasons = part.prefixed(j.Reasons, all.by[i].Reasons)
		j.Class = part.classed(j.Class, all.by[i].Class)
	}
	return j, nil
}

// share is what a part's chance counts for among the reasons of a score.
func (p *part) share(chance float64) float64 { return p.Weight * chance }

// chance returns the chance of a part; false if the part has no opinion.
func (j *judged) chance(i int) (float64, bool) { return j.chances[i], !j.silent[i] }

// judge returns the parts' judgements of a page, from memory if it is the page judged last. Parts that are asked only where
// the others leave the verdict open come last.
func (f *Focus) judge(ctx context.Context, p *orbweaver.Page) (*judged, error) {
	if f.judged.page == p {
		return &f.judged, nil
	}
	found, ok := p.Findings.(*findings)
	if !ok {
		again, err := f.Prepare(ctx, p)
		if err != nil {
			return nil, err
		}
		found = again.(*findings)
	}
	n, _ := readNote(p.Request.Note, len(f.parts))
	k := len(f.parts)
	all := judged{page: p, views: make([]*orbweaver.Page, k), by: make([]orbweaver.Judgement, k), chances: make([]float64, k), silent: make([]bool, k)}
	for _, unsure := range [...]bool{false, true} {
		for i, part := range f.parts {
			if all.views[i] = f.view(p, found, n, i); part.Unsure != unsure {
				all.silent[i] = all.silent[i] || !unsure
				continue
			}
			if err := f.ask(ctx, &all, i); err != nil {
				return nil, fmt.Errorf("part %s: %w", part.Name, err)
			}
		}
	}
	f.judged = all
	return &f.judged, nil
}

// Bounds of the chance of a page by the other parts within which a part that costs something is asked.
const unsureFrom, unsureTo = 0.2, 0.8

// ask has one part judge a page.
func (f *Focus) ask(ctx context.Context, all *judged, i int) (err error) {
	part := f.parts[i]
	if part.Unsure {
		chance, known := f.rule.strictly(all.chance)
		all.by[i], err = part.asker.JudgeIf(ctx, all.views[i], !known || unsureFrom < chance && chance < unsureTo)
	} else {
		all.by[i], err = part.Focus.Judge(ctx, all.views[i])
	}
	j := all.by[i]
	all.silent[i] = part.abstainer != nil && part.abstainer.Abstains(j)
	if all.silent[i] {
		return err
	}
	all.chances[i] = part.pages.Chance(j)
	if j.Accepted {
		all.chances[i] = max(all.chances[i], half)
	} else if all.chances[i] >= half {
		all.chances[i] = justBelow
	}
	return err
}

// justBelow is the highest chance of a page that a part does not accept.
const justBelow = half - 1e-6

// says describes a part's judgement of a page.
func (p *part) says(all *judged, i int) string {
	if all.silent[i] {
		return p.Name + ": no opinion"
	}
	verdict := ": not accepted, chance "
	if all.by[i].Accepted {
		verdict = ": accepted, chance "
	}
	return p.Name + verdict + number(all.chances[i]) + ", score " + number(all.by[i].Score)
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }

// prefixed appends a part's reasons under rules that begin with its name.
func (p *part) prefixed(to, reasons []orbweaver.Reason) []orbweaver.Reason {
	for _, r := range reasons {
		rule, known := p.rules[r.Rule]
		if !known {
			if rule = p.prefix + r.Rule; len(p.rules) < maxRules {
				p.rules[r.Rule] = rule
			}
		}
		r.Rule = rule
		to = append(to, r)
	}
	return to
}

// maxRules bounds the rules of a part that are kept with their prefix.
const maxRules = 1000

// own returns the reasons of a blend that are a part's, as the part gave them.
func (p *part) own(reasons []orbweaver.Reason) (own []orbweaver.Reason) {
	for _, r := range reasons {
		if rule, ok := strings.CutPrefix(r.Rule, p.prefix); ok {
			r.Rule = rule
			own = append(own, r)
		}
	}
	return own
}

// classed adds a part's class to those of a blend, as in "rdf:R layers:near".
func (p *part) classed(all, class string) string {
	if class == "" {
		return all
	}
	if all != "" {
		all += " "
	}
	return all + p.Name + ":" + strings.ReplaceAll(class, " ", "_")
}

// class returns a part's class of those of a blend.
func (p *part) class(all string) string {
	for one := range strings.FieldsSeq(all) {
		if class, ok := strings.CutPrefix(one, p.Name+":"); ok {
			return strings.ReplaceAll(class, "_", " ")
		}
	}
	return ""
}
