package relevance

import (
	"fmt"
	"math"
	"slices"

	"orbweaver/kb/terms"
)

// A Judge determines which classes are close to T. It uses the current state of its background and is not
// safe for concurrent use with it.
type Judge struct {
	background *Background
	support    support
	given      map[string]bool // IRIs of T
	members    []profile       // of T
	words      map[word][]use  // uses by members of T
	joined     map[string]bool // classes that a property joins to a member of T
	answers    map[string]bool // what a person said of classes: see Answer
}

// A word is a stem in a language: "art" differs between English and German. Words outside names have no
// language.
type word struct{ lang, stem string }

// use is the weight of a word in a member of T, from 0 to 1.
type use struct {
	member int
	name   float64 // in its name
	wide   float64 // in its name, its comment or the names around it
}

// The weights of words of T that are not in a name, or are inherited.
const (
	inherited = 0.3
	wideNear  = 0.5
	wideTold  = 0.25
)

// half is the weight of a member of T below the candidate.
const half = 0.5

// prior is the ratio of a word's frequency in T to that in general at which its share is one half.
const prior = 3

// NewJudge returns a judge for T, given whatever is known of its members; an IRI suffices. The error wraps
// ErrNoTerms if T is empty.
func NewJudge(b *Background, terms []Class) (*Judge, error) {
	if len(terms) == 0 {
		return nil, fmt.Errorf("relevance: %w", ErrNoTerms)
	}
	j := &Judge{background: b, support: supports(), given: map[string]bool{}, words: map[word][]use{}, joined: map[string]bool{}, answers: map[string]bool{}}
	for _, t := range terms {
		if !j.given[t.IRI] {
			j.given[t.IRI] = true
			j.members = append(j.members, b.reader.profile(t, nil))
			for _, iri := range t.Linked {
				j.joined[iri] = true
			}
		}
	}
	for i := range j.members {
		j.learn(i)
	}
	return j, nil
}

// Answer records what a person said of a class: that it belongs, and what is below it, or that it does not. A later answer
// replaces an earlier one; an answer about a member of T changes nothing.
func (j *Judge) Answer(iri string, yes bool) { j.answers[iri] = yes }

// learn adds the words of a member.
func (j *Judge) learn(i int) {
	p := &j.members[i]
	put := func(w word, name, wide float64) {
		uses := j.words[w]
		if n := len(uses); n > 0 && uses[n-1].member == i {
			uses[n-1].wide = max(uses[n-1].wide, wide)
			return
		}
		j.words[w] = append(uses, use{i, name, wide})
	}
	for lang, n := range p.names {
		for _, stem := range n.words {
			if slices.Contains(p.above, stem) {
				put(word{lang, stem}, inherited, inherited)
			} else {
				put(word{lang, stem}, 1, 1)
			}
		}
	}
	for _, stem := range p.around {
		put(word{"", stem}, 0, wideNear)
	}
	for _, stem := range p.comment {
		put(word{"", stem}, 0, wideTold)
	}
}

// part returns the weight of each member of T when judging a class: a member below the class inherits words
// from it.
func (j *Judge) part(p *profile) []float64 {
	part := make([]float64, len(j.members))
	for i := range j.members {
		part[i] = 1
		if slices.Contains(p.sub, j.members[i].iri) {
			part[i] = half
		}
	}
	return part
}

// tOf returns how specific a word is to T, 0 to 1, by its uses in T and its frequency in general.
func (j *Judge) tOf(uses []use, wide bool, part []float64, p float64) float64 {
	r := 0.0
	for _, u := range uses {
		if wide {
			r += u.wide * part[u.member]
		} else {
			r += u.name * part[u.member]
		}
	}
	r /= float64(len(j.members) + 1) // pseudo-count 1 without the word: few terms are weak evidence
	if r == 0 {
		return 0
	}
	return r / (r + prior*p)
}

// words are the stems of a text that is compared with T's names, comments and neighbours' names.
type words struct {
	of  []string
	how frequency
}

// unknown is the pseudo-count of an unseen word: a text of one word is weak evidence.
const unknown = 2

// cover returns the share of a text that is specific to T, weighted by rarity. report receives each word with
// its contribution.
func (j *Judge) cover(t words, part []float64, report func(stem string, adds float64)) float64 {
	covered, all := 0.0, float64(unknown)
	for _, w := range t.of {
		all += rarity(t.how(j.background, w))
	}
	for _, w := range t.of {
		uses, ok := j.words[word{"", w}]
		if !ok {
			continue
		}
		p := t.how(j.background, w)
		adds := rarity(p) * j.tOf(uses, true, part, p)
		covered += adds
		if report != nil && adds > 0 {
			report(w, adds/all)
		}
	}
	return covered / all
}

// distinctive returns the word of a name that is most specific to T, and its specificity from 0 to 1. Only
// words that a term has itself, and not just through its superclass, count.
func (j *Judge) distinctive(p *profile) (stem string, most float64) {
	part := j.part(p)
	for _, lang := range p.compared() {
		for _, w := range p.names[lang].words {
			uses := j.words[word{lang, w}]
			if !slices.ContainsFunc(uses, func(u use) bool { return u.name == 1 }) {
				continue
			}
			if far := j.tOf(uses, false, part, inNames(j.background, w)); far > most {
				stem, most = w, far
			}
		}
	}
	return stem, most
}

// kin returns the share of a class's subclasses, except one term, that are in T or have a word of T in their
// names that the class lacks; pseudo-count: one unknown subclass.
func (j *Judge) kin(c *Class, own []string) float64 {
	part := slices.Repeat([]float64{1}, len(j.members))
	sum := 0.0
	for _, iri := range c.Sub {
		if j.given[iri] {
			sum++
		}
	}
	looked, like := 0, 0.0
	for _, iri := range c.Sub {
		if looked == maxNeighbours {
			break
		}
		if j.given[iri] {
			continue
		}
		looked++
		best := 0.0
		for _, w := range j.background.reader.stems(split(localName(iri)), "", maxNameWords) {
			if uses, ok := j.words[word{"", w}]; ok && !slices.Contains(own, w) {
				best = max(best, j.tOf(uses, false, part, inNames(j.background, w)))
			}
		}
		like += best
	}
	if looked > 0 {
		sum += like / float64(looked) * (float64(len(c.Sub)) - sum) // those not examined count as the average of the others
	}
	// One term below it made it a candidate, and is no evidence: a class above nothing else has no support.
	return math.Min(1, max(sum-1, 0)/float64(len(c.Sub)))
}

// joins returns the contribution of subclasses that a property joins to a term: the square of their share of all but the terms, with one
// more that is not. A few of many are joined by chance.
func (j *Judge) joins(c *Class) float64 {
	n, of := 0, 1
	for _, iri := range c.Sub {
		if !j.given[iri] {
			of++
			if j.joined[iri] {
				n++
			}
		}
	}
	l := float64(n) / float64(of)
	return j.support.joined * l * l
}

// narrow returns the contribution of how little a class is above, besides what is below the terms: its subclasses and theirs, as far as
// below knows them. It is 0 for a class above one term alone, for one without a superclass, and for one that no vocabulary of a term
// below it declares: others may leave subclasses out.
func (j *Judge) narrow(c *Class, below func(iri string) int) float64 {
	own := func(iri string) bool { return j.given[iri] && terms.Namespace(iri) == terms.Namespace(c.IRI) }
	if len(c.Sub) < 2 || root(c) || !slices.ContainsFunc(c.Sub, own) {
		return 0
	}
	n := len(c.Sub) - 1
	for _, iri := range c.Sub {
		if !j.given[iri] {
			n += below(iri)
		}
	}
	return j.support.narrow * math.Exp(-float64(n)/j.support.fades)
}

// root reports whether a class has no superclass but those of everything.
func root(c *Class) bool {
	return !slices.ContainsFunc(c.Super, func(iri string) bool { return !Top(iri) })
}
