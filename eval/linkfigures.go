package eval

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
)

const (
	shownDomains = 30
	maxRules     = 64 // counted separately
	ruledClasses = 2  // whose rules are reported: R and HR
)

// A part is the counts of one domain, or of all.
type part struct {
	DomainLinks
	truly  [4]int    // links of a true class, whatever the prediction
	actual [4][4]int // by predicted and by true class
	rules  [ruledClasses][maxRules]LinkCounts
}

// add takes a request.
func (p *part) add(f followed, set uint64) {
	if f.is&isAsked != 0 {
		p.Requests++
	}
	if f.is&isAnswered != 0 {
		p.Documents++
	}
	if f.truth == classR {
		p.RDF++
	}
	if f.predicted == unmet || f.truth == moved || f.truth == refused {
		return
	}
	if f.truth <= classN {
		p.truly[f.truth-1]++
		p.actual[f.predicted-1][f.truth-1]++
	}
	c := LinkCounts{Predicted: 1}
	switch {
	case f.truth == f.predicted:
		c.Right = 1
	case f.truth == html && (f.predicted == classHR || f.predicted == classH):
		c.Open = 1
	case f.truth == absent:
		c.Absent = 1
	}
	p.Classes[f.predicted-1].add(c)
	if f.predicted > ruledClasses {
		return
	}
	for ; set != 0; set &= set - 1 {
		p.rules[f.predicted-1][bits.TrailingZeros64(set)].add(c)
	}
}

// pool adds the counts of a domain.
func (p *part) pool(d *part) {
	p.Requests += d.Requests
	p.Documents += d.Documents
	p.RDF += d.RDF
	for i := range p.Classes {
		p.Classes[i].add(d.Classes[i])
		p.truly[i] += d.truly[i]
		for j, n := range d.actual[i] {
			p.actual[i][j] += n
		}
	}
	for class := range p.rules {
		for bit := range p.rules[class] {
			p.rules[class][bit].add(d.rules[class][bit])
		}
	}
}

// shares are all ratios of a part, or sums of them, for one domain or for all.
type shares struct {
	precision, present  [4]Share
	recall              [4]Share
	discovery, foreseen Share
	rules               [ruledClasses][maxRules][3]Share // precision, recall and true recall
}

// each calls do with every share and its ratio in a part.
func (s *shares) each(p *part, rules int, do func(s *Share, of, whole int)) {
	for i, c := range p.Classes {
		do(&s.precision[i], c.Right, c.decided())
		do(&s.present[i], c.Right, c.decided()+c.Absent)
		do(&s.recall[i], c.Right, p.truly[i])
	}
	do(&s.discovery, p.RDF, p.Requests)
	do(&s.foreseen, p.Classes[classR-1].Right, p.Documents)
	for class := range s.rules {
		for bit := range rules {
			c := p.rules[class][bit]
			do(&s.rules[class][bit][0], c.Right, c.decided())
			do(&s.rules[class][bit][1], c.Right, p.Classes[class].Right)
			do(&s.rules[class][bit][2], c.Right, p.truly[class])
		}
	}
}

// figures returns the totals.
func (t *linkTally) figures() *LinkFigures {
	var all part
	var sums shares
	var top []DomainLinks
	for domain := range t.byDomain {
		all.pool(domain)
		sums.each(domain, len(t.ruled), func(s *Share, of, whole int) {
			if whole > 0 {
				s.Mean += ratio(of, whole)
				s.Domains++
			}
		})
		top = leading(top, domain.DomainLinks)
	}
	sums.each(&all, len(t.ruled), func(s *Share, of, whole int) {
		s.Pooled = ratio(of, whole)
		if s.Domains > 0 {
			s.Mean /= float64(s.Domains)
		}
	})
	return &LinkFigures{LinkOptions: t.LinkOptions, All: all.DomainLinks, Actual: all.actual, Precision: sums.precision, Present: sums.present, Recall: sums.recall, Discovery: sums.discovery, Foreseen: sums.foreseen,
		Rules: t.ruleLinks(&all, &sums), Domains: len(t.names), Top: top}
}

// byDomain yields the counts of each domain, in the order of first occurrence. A part is valid until the next.
func (t *linkTally) byDomain(yield func(*part) bool) {
	domain := func(at uint32) uint32 { return t.hosted[t.all[at].host].domain }
	order := make([]uint32, 0, len(t.all))
	for at := range t.all {
		if t.all[at].truth != unmet {
			order = append(order, uint32(at))
		}
	}
	slices.SortFunc(order, func(a, b uint32) int { return cmp.Compare(domain(a), domain(b)) })
	p := new(part)
	for len(order) > 0 {
		now := domain(order[0])
		*p = part{DomainLinks: DomainLinks{Domain: t.names[now]}}
		for len(order) > 0 && domain(order[0]) == now {
			p.add(t.all[order[0]], t.rulesOf(order[0]))
			order = order[1:]
		}
		if !yield(p) {
			return
		}
	}
}

// rulesOf returns the set of rules that predicted a request.
func (t *linkTally) rulesOf(at uint32) uint64 {
	f := t.all[at]
	if f.predicted == unmet || f.truth == moved {
		return 0
	}
	return t.setList[f.more]
}

// leading adds a domain to the shownDomains with most requests, equals by name.
func leading(top []DomainLinks, d DomainLinks) []DomainLinks {
	at, _ := slices.BinarySearchFunc(top, d, func(a, b DomainLinks) int {
		return cmp.Or(cmp.Compare(b.Requests, a.Requests), strings.Compare(a.Domain, b.Domain))
	})
	if at == shownDomains {
		return top
	}
	return slices.Insert(top, at, d)[:min(len(top)+1, shownDomains)]
}

// ruleLinks are the rules with predictions.
func (t *linkTally) ruleLinks(all *part, s *shares) []RuleLinks {
	var rows []RuleLinks
	for class := range all.rules {
		from := len(rows)
		for bit, rule := range t.ruled {
			if c := all.rules[class][bit]; c.Predicted > 0 {
				of := s.rules[class][bit]
				rows = append(rows, RuleLinks{LinkClasses()[class], rule, c, of[0], of[1], of[2]})
			}
		}
		slices.SortFunc(rows[from:], func(a, b RuleLinks) int {
			return cmp.Or(cmp.Compare(b.Predicted, a.Predicted), strings.Compare(a.Rule, b.Rule))
		})
	}
	return rows
}
