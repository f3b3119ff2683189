package relevance

import (
	"cmp"
	"slices"
	"strings"

	"orbweaver/internal/order"
	"orbweaver/kb/terms"
)

// The rules of reasons. The weight of a reason is its contribution to the score. The score is the largest of
// the superclass's, the equivalent's, the name's and, for a class above a term, the sum of the subclasses', the joined's, the
// narrow's, the comment's, the nearby's and the root's. An answer stands alone.
const (
	RuleName       = "relevance-name"       // words of its name are specific to T; the words
	RuleComment    = "relevance-comment"    // the same for its comment
	RuleNearby     = "relevance-nearby"     // the same for the names of its subclasses and equivalents
	RuleSuperclass = "relevance-superclass" // it is as close as its superclass; its IRI
	RuleEquivalent = "relevance-equivalent" // it is as close as an equivalent; its IRI
	RuleSubclasses = "relevance-subclasses" // it is above a term; the number of its subclasses that are like T
	RuleJoined     = "relevance-joined"     // it is above a term, and properties join its other subclasses to terms
	RuleNarrow     = "relevance-narrow"     // it is above a term, and above little else
	RuleAnswer     = "relevance-answer"     // a person said whether it belongs: yes or no
	RuleRoot       = "relevance-root"       // it has no superclass
)

// rounds bounds the iterations of judging candidates by each other: the length of a chain of subclasses.
const rounds = 32

// candidate is a class being judged.
type candidate struct {
	class   *Class
	reasons []terms.Reason // those independent of other candidates
	text    float64        // score by these reasons
	above   bool           // a term is below it
	score   closeness
	up      string  // the best superclass
	upScore float64 // its contribution to the score
	said    string  // what a person said of it: yes or no; empty: nothing
	same    string  // the best equivalent
	alike   float64
}

// closeness is the closeness of a class to T.
type closeness struct {
	score float64
	leads float64 // closeness passed on to classes below it: not by a word alone
}

// Known returns the score of a class judged before; false if it was not.
type Known func(iri string) (score float64, ok bool)

// Verdicts judges candidates together: each by its text and by its superclasses, subclasses and equivalents
// in T and among the candidates, independently of how it was reached. Verdicts have the order of the
// candidates and do not depend on it. A caller that judges in stages passes the candidates of earlier stages
// again: later evidence may raise them.
func (j *Judge) Verdicts(candidates []Class) []terms.Verdict {
	all, _ := j.judge(candidates)
	verdicts := make([]terms.Verdict, len(all))
	for i := range all {
		verdicts[i] = all[i].verdict()
	}
	return verdicts
}

// judge scores candidates together; at holds their positions by IRI.
func (j *Judge) judge(candidates []Class) (all []candidate, at map[string]int) {
	all, at = make([]candidate, len(candidates)), make(map[string]int, len(candidates))
	for i := range candidates {
		at[candidates[i].IRI] = i
	}
	below := func(iri string) int {
		if k, known := at[iri]; known {
			return len(candidates[k].Sub)
		}
		return 0
	}
	for i := range candidates {
		all[i] = j.candidate(&candidates[i], below)
	}
	j.together(all, at)
	return all, at
}

// together scores candidates; at holds their positions by IRI.
func (j *Judge) together(all []candidate, at map[string]int) {
	before := make([]closeness, len(all))
	known := func(iri string) closeness {
		if k, ok := at[iri]; ok {
			return before[k]
		}
		return closeness{}
	}
	for range rounds {
		changed := false
		for i := range all {
			j.relate(&all[i], known)
			changed = changed || all[i].score != before[i]
		}
		if !changed {
			return
		}
		for i := range all {
			before[i] = all[i].score
		}
	}
}

// candidate evaluates a class by itself; below returns the number of subclasses of another, 0 if it is unknown.
func (j *Judge) candidate(c *Class, below func(iri string) int) candidate {
	p := j.background.reader.profile(*c, j.given)
	one := candidate{class: c, above: slices.ContainsFunc(c.Sub, func(iri string) bool { return j.given[iri] })}
	switch {
	case Top(c.IRI):
	case one.above:
		j.supported(&one, &p, below)
	default:
		var stem string
		if stem, one.text = j.distinctive(&p); one.text > 0 {
			one.reasons = []terms.Reason{{Rule: RuleName, Evidence: stem, Weight: one.text}}
		}
	}
	return one
}

// supported scores a class above a term. A support s gives the score s/(s+need), like the share of a word.
func (j *Judge) supported(one *candidate, p *profile, below func(string) int) {
	part := j.part(p)
	comment, nearby := words{p.comment, inComments}, words{p.around, inNearby}
	all := []terms.Reason{
		{Rule: RuleSubclasses, Weight: j.kin(one.class, p.all())},
		{Rule: RuleJoined, Weight: j.joins(one.class)},
		{Rule: RuleNarrow, Weight: j.narrow(one.class, below)},
		{Rule: RuleComment, Evidence: j.telling(comment, part), Weight: j.support.text * j.cover(comment, part, nil)},
		{Rule: RuleNearby, Evidence: j.telling(nearby, part), Weight: j.support.text * j.cover(nearby, part, nil)},
	}
	if root(one.class) {
		all = append(all, terms.Reason{Rule: RuleRoot, Weight: -j.support.general})
	}
	sum := 0.0
	for _, r := range all {
		sum += r.Weight
	}
	if sum <= 0 {
		return
	}
	one.text = sum / (sum + j.support.need)
	for _, r := range all {
		if r.Weight *= one.text / sum; r.Weight != 0 {
			one.reasons = append(one.reasons, r)
		}
	}
}

// relate scores a candidate by its text and by the closeness of related classes.
func (j *Judge) relate(c *candidate, known func(iri string) closeness) {
	if Top(c.class.IRI) {
		return
	}
	if yes, said := j.answers[c.class.IRI]; said {
		c.answer(yes)
		return
	}
	best := func(iris []string, of func(closeness) float64) (iri string, most float64) {
		for _, i := range iris {
			if i == c.class.IRI || Top(i) {
				continue
			}
			yes, said := j.answers[i]
			far := 1.0
			switch {
			case j.given[i], said && yes:
			case said:
				far = 0
			default:
				far = of(known(i))
			}
			if far > most {
				iri, most = i, far
			}
		}
		return iri, most
	}
	score := func(c closeness) float64 { return c.score }
	leads := func(c closeness) float64 { return c.leads }
	c.up, c.upScore = best(c.class.Super, leads)
	c.same, c.alike = best(c.class.Equivalent, score)
	_, along := best(c.class.Equivalent, leads)
	c.score = closeness{max(c.text, c.upScore, c.alike), max(c.upScore, along)}
	if c.above {
		c.score.leads = max(c.score.leads, c.text)
	}
}

// answer scores a candidate by what a person said of it.
func (c *candidate) answer(yes bool) {
	c.up, c.upScore, c.same, c.alike = "", 0, "", 0
	c.said, c.score = "no", closeness{}
	if yes {
		c.said, c.score = "yes", closeness{1, 1}
	}
}

// Top reports whether a class is a superclass of everything, or nearly, which carries no information.
// Siblings through such a class are not candidates.
func Top(iri string) bool {
	switch iri {
	case "http://www.w3.org/2002/07/owl#Thing", "http://www.w3.org/2002/07/owl#Class",
		"http://www.w3.org/2000/01/rdf-schema#Resource", "http://www.w3.org/2000/01/rdf-schema#Class",
		"http://schema.org/Thing", "https://schema.org/Thing":
		return true
	}
	return false
}

// verdict converts a score to a verdict.
func (c *candidate) verdict() terms.Verdict {
	v := terms.Verdict{Score: c.score.score, Accepted: c.score.score >= Accept, Reasons: slices.Clone(c.reasons)}
	if c.said != "" {
		v.Reasons = []terms.Reason{{Rule: RuleAnswer, Evidence: c.said, Weight: v.Score}}
	}
	if c.upScore > 0 {
		v.Reasons = append(v.Reasons, terms.Reason{Rule: RuleSuperclass, Evidence: c.up, Weight: c.upScore})
	}
	if c.alike > 0 {
		v.Reasons = append(v.Reasons, terms.Reason{Rule: RuleEquivalent, Evidence: c.same, Weight: c.alike})
	}
	order.Stably(v.Reasons, func(a, b terms.Reason) int { return cmp.Compare(b.Weight, a.Weight) })
	return v
}

// maxTelling bounds the words that a reason names.
const maxTelling = 5

// telling is the stems that identify T's texts, the most informative first.
func (j *Judge) telling(t words, part []float64) string {
	type share struct {
		stem string
		adds float64
	}
	var shares []share
	j.cover(t, part, func(stem string, adds float64) { shares = append(shares, share{stem, adds}) })
	order.By(shares, func(a, b share) int {
		return cmp.Or(cmp.Compare(b.adds, a.adds), cmp.Compare(a.stem, b.stem))
	})
	var named []string
	for _, w := range shares[:min(len(shares), maxTelling)] {
		named = append(named, w.stem)
	}
	return strings.Join(named, " ")
}
