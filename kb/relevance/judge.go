package relevance

import (
	"fmt"
	"math"
	"slices"
)

// A Judge says which classes are close to T. It looks at its background as that is when it is asked, and is
// for one goroutine, the background's.
type Judge struct {
	background *Background
	support    support
	given      map[string]bool // IRIs of T
	members    []profile       // of T
	words      map[word][]use  // by member
}

// A word is a stem in a language: "art" is one thing in English and another in German. What is not in names
// is of no language here.
type word struct{ lang, stem string }

// use is how much a member of T uses a word, from 0 to 1.
type use struct {
	member int
	name   float64 // in its name
	wide   float64 // there, or in its comment or the names about it
}

// What a word counts in T that is not a word of a name, or that is by inheritance.
const (
	inherited = 0.3
	wideNear  = 0.5
	wideTold  = 0.25
)

// half is what a member of T counts that is below the candidate.
const half = 0.5

// prior is how much more frequent a word has to be in T than at large for its share to be more than a half.
const prior = 3

// NewJudge returns a judge by T, whose members are as much as is known of them; an IRI is enough. The error
// wraps ErrNoTerms where there are none.
func NewJudge(b *Background, terms []Class) (*Judge, error) {
	if len(terms) == 0 {
		return nil, fmt.Errorf("relevance: %w", ErrNoTerms)
	}
	j := &Judge{background: b, support: supports(), given: map[string]bool{}, words: map[word][]use{}}
	for _, t := range terms {
		if !j.given[t.IRI] {
			j.given[t.IRI] = true
			j.members = append(j.members, b.reader.profile(t, nil))
		}
	}
	for i := range j.members {
		j.learn(i)
	}
	return j, nil
}

// learn takes up the words of a member.
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

// part is how much each member of T counts where a class is judged: one that is below the class has words of
// it by inheritance.
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

// tOf is how far a word is T's, 0 to 1, by the uses that T makes of it and by its frequency at large.
func (j *Judge) tOf(uses []use, wide bool, part []float64, p float64) float64 {
	r := 0.0
	for _, u := range uses {
		if wide {
			r += u.wide * part[u.member]
		} else {
			r += u.name * part[u.member]
		}
	}
	r /= float64(len(j.members) + 1) // one more that has it not: of few terms little is known
	if r == 0 {
		return 0
	}
	return r / (r + prior*p)
}

// words are a text, of stems, that is compared with T's names, comments and neighbours' names.
type words struct {
	of  []string
	how frequency
}

// unknown is the weight of a word that nothing has: of a text of one word less is known than of others.
const unknown = 2

// cover is the share of a text that is T's, rare words counting more. Each is reported with what it adds.
func (j *Judge) cover(t words, part []float64, tell func(stem string, adds float64)) float64 {
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
		if tell != nil && adds > 0 {
			tell(w, adds/all)
		}
	}
	return covered / all
}

// distinctive is the word of a name that is T's most, and how far it is, from 0 to 1. It is one that a term
// has by itself, not by its superclass alone.
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

// kin is the share of a class's subclasses, but for one term, that are in T or have a word of T in their names which
// the class has not; pseudo-count: one unknown subclass.
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
		sum += like / float64(looked) * (float64(len(c.Sub)) - sum) // those not examined are like those that were
	}
	// One term below it is why it is a candidate, and says nothing: who is above nothing else has no support.
	return math.Min(1, max(sum-1, 0)/float64(len(c.Sub)))
}
