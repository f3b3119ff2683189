package relevance

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"orbweaver/kb/terms"
)

// The rules of reasons. The weight of a reason is what it adds to the log-odds of belonging.
const (
	RuleName        = "relevance-name"        // words of its name are T's; the words
	RuleComment     = "relevance-comment"     // of its comment
	RuleNearby      = "relevance-nearby"      // of the names of its subclasses and equivalents
	RuleSuperclass  = "relevance-superclass"  // how close its superclass is; its IRI
	RuleEquivalent  = "relevance-equivalent"  // how close an equivalent is; its IRI
	RuleSubclasses  = "relevance-subclasses"  // it is above a term; how many of its subclasses are like T
	RuleRoot        = "relevance-root"        // it is below nothing
	RuleExpectation = "relevance-expectation" // that most candidates do not belong
)

// rounds is how often candidates are judged by what the others were judged.
const rounds = 4

// sameness is how close a class is that is equivalent to a term, at least.
const sameness = 0.9

// logit is the log-odds of a probability.
func logit(p float64) float64 { return math.Log(p / (1 - p)) }

// candidate is a class on its way to a verdict.
type candidate struct {
	class   *Class
	profile profile
	text    evidence // what does not depend on other candidates
	all     evidence
	score   float64
	up      string  // the best superclass
	same    string  // the best equivalent
	alike   float64 // log-odds that it has by being equivalent to a term, beyond the rest
}

// Known says how close a class is that was judged before; false where it was not.
type Known func(iri string) (score float64, ok bool)

// Verdicts judges candidates together: each by its text and by those, of T and of the candidates, that it is
// a subclass or an equivalent of, or above. How a candidate was reached is in that. The order is that of the
// candidates, and no verdict depends on it. Whoever judges in stages gives the candidates of the stages
// before again: they may gain by what came since.
func (j *Judge) Verdicts(candidates []Class) []terms.Verdict {
	all := make([]candidate, len(candidates))
	at := make(map[string]int, len(candidates))
	for i := range candidates {
		all[i] = j.candidate(&candidates[i])
		at[candidates[i].IRI] = i
	}
	j.together(all, at)
	verdicts := make([]terms.Verdict, len(all))
	for i := range all {
		verdicts[i] = j.verdict(&all[i])
	}
	return verdicts
}

// together scores candidates, which are at these positions by IRI.
func (j *Judge) together(all []candidate, at map[string]int) {
	for i := range all {
		j.relate(&all[i], func(string) (float64, bool) { return 0, false })
	}
	scores := make([]float64, len(all))
	known := func(iri string) (float64, bool) {
		k, ok := at[iri]
		if !ok {
			return 0, false
		}
		return scores[k], true
	}
	for range rounds {
		for i := range all {
			scores[i] = all[i].score
		}
		for i := range all {
			j.relate(&all[i], known)
		}
	}
}

// Verdict judges one class by its text and by what is known of the classes that it is related to.
func (j *Judge) Verdict(c Class, known Known) terms.Verdict {
	one := j.candidate(&c)
	j.relate(&one, known)
	return j.verdict(&one)
}

func (j *Judge) candidate(c *Class) candidate {
	p := j.background.reader.profile(*c, j.given)
	e := j.text(&p)
	e[root] = 1
	for _, iri := range c.Super {
		if !Top(iri) {
			e[root] = 0
		}
	}
	if slices.ContainsFunc(c.Sub, func(iri string) bool { return j.given[iri] }) {
		e = evidence{
			above: 1, kin: math.Sqrt(j.kin(c, p.all())),
			aboveNamed: e[named], aboveTold: e[told], aboveNearby: e[nearby],
		}
	} else {
		e[always] = 1
	}
	return candidate{class: c, profile: p, text: e}
}

// relate scores a candidate by its text and by how close those are that it is related to.
func (j *Judge) relate(c *candidate, known Known) {
	c.all, c.up, c.same, c.alike = c.text, "", "", 0
	best := func(iris []string) (score float64, iri string) {
		for _, i := range iris {
			s, ok := 1.0, j.given[i]
			if !ok {
				s, ok = known(i)
			}
			if ok && !Top(i) && (iri == "" || s > score) {
				score, iri = s, i
			}
		}
		return score, iri
	}
	var s, t float64
	if s, c.up = best(c.class.Super); c.up != "" {
		if c.text[above] == 0 {
			c.all[hasUp], c.all[up] = 1, s
		}
	}
	if t, c.same = best(c.class.Equivalent); c.same != "" {
		c.all[hasSame], c.all[same] = 1, t
	}
	c.score = c.all.score(&j.weights)
	if slices.ContainsFunc(c.class.Equivalent, func(iri string) bool { return j.given[iri] }) {
		c.alike = max(0, logit(sameness)-logit(c.score))
		c.score = max(c.score, sameness)
	}
	if c.text[above] == 1 && c.up != "" {
		// A class above a term may be below what belongs: then it belongs by that, whatever it is called.
		below := evidence{always: 1, hasUp: 1, up: s, hasSame: c.all[hasSame], same: c.all[same]}
		if other := below.score(&j.weights); other > c.score {
			c.all, c.score, c.alike = below, other, 0
		}
	}
}

// Top reports whether everything is below a class, or nearly: to share it says nothing. Siblings by such a
// class are no candidates.
func Top(iri string) bool {
	switch iri {
	case "http://www.w3.org/2002/07/owl#Thing", "http://www.w3.org/2002/07/owl#Class",
		"http://www.w3.org/2000/01/rdf-schema#Resource", "http://www.w3.org/2000/01/rdf-schema#Class",
		"http://schema.org/Thing", "https://schema.org/Thing":
		return true
	}
	return false
}

// verdict puts a score into words.
func (j *Judge) verdict(c *candidate) terms.Verdict {
	v := terms.Verdict{Score: c.score, Accepted: c.score >= Accept}
	add := func(rule, evidence string, beside float64, of ...int) {
		sum := beside
		for _, i := range of {
			sum += c.all[i] * j.weights[i]
		}
		if sum != 0 {
			v.Reasons = append(v.Reasons, terms.Reason{Rule: rule, Evidence: evidence, Weight: sum})
		}
	}
	p := &c.profile
	add(RuleName, j.telling(j.bestName(p), p), 0, named, aboveNamed)
	add(RuleComment, j.telling(words{of: p.comment, wide: true, how: inComments}, p), 0, told, aboveTold)
	add(RuleNearby, j.telling(words{of: p.around, wide: true, how: inNearby}, p), 0, nearby, aboveNearby)
	add(RuleSuperclass, c.up, 0, hasUp, up)
	add(RuleEquivalent, c.same, c.alike, hasSame, same)
	add(RuleSubclasses, "", 0, kin)
	add(RuleRoot, "", 0, root)
	add(RuleExpectation, "", 0, always, above)
	slices.SortStableFunc(v.Reasons, func(a, b terms.Reason) int {
		return cmp.Compare(math.Abs(b.Weight), math.Abs(a.Weight))
	})
	return v
}

// bestName is the name, of those in several languages, that is T's most.
func (j *Judge) bestName(p *profile) (best words) {
	part, most := j.part(p), -1.0
	languages := make([]string, 0, len(p.names))
	for l := range p.names {
		languages = append(languages, l)
	}
	slices.Sort(languages)
	for _, l := range languages {
		w := words{p.names[l].words, false, inNames, p.above}
		if cover := j.cover(w, part, nil); cover > most {
			best, most = w, cover
		}
	}
	return best
}

// maxTelling is how many words a reason names.
const maxTelling = 5

// telling is the words, as stems, by which a text is T's, those that add most first.
func (j *Judge) telling(t words, p *profile) string {
	type word struct {
		word string
		adds float64
	}
	var told []word
	j.cover(t, j.part(p), func(w string, adds float64) { told = append(told, word{w, adds}) })
	slices.SortFunc(told, func(a, b word) int {
		return cmp.Or(cmp.Compare(b.adds, a.adds), cmp.Compare(a.word, b.word))
	})
	var named []string
	for _, w := range told[:min(len(told), maxTelling)] {
		named = append(named, w.word)
	}
	return strings.Join(named, " ")
}
