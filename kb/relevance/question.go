package relevance

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"orbweaver/internal/order"
)

// A Question is whether a rejected class above terms belongs to T. A yes accepts it and what is below it.
type Question struct {
	Class  string   `json:"class"`  // its IRI
	Label  string   `json:"label"`  // its name, in English if there is one
	Chance float64  `json:"chance"` // that it belongs, as estimated: see weights
	Terms  []string `json:"terms"`  // of T that are directly below it
	Gain   int      `json:"gain"`   // the classes that a yes would accept, itself included
	Would  []string `json:"would"`  // some of them, sorted
}

// maxWould bounds the classes that a question names, maxAsked the questions that are compared.
const (
	maxWould = 10
	maxAsked = 64
)

// leastPromise is the lowest expected number of classes gained by a question that is worth a person's time.
const leastPromise = 0.5

// Question returns the question that promises most, of the candidates that are rejected, above a term and not answered; false if none
// promises enough. The promise is the chance of a yes times the share that a yes would add to what is accepted. Ties go by IRI. The
// candidates are those of Verdicts.
func (j *Judge) Question(candidates []Class) (best Question, found bool) {
	return j.question(candidates, weights())
}

// question is Question by weights.
func (j *Judge) question(candidates []Class, w weighing) (best Question, found bool) {
	all, at := j.judge(candidates)
	accepted := map[string]bool{}
	for i := range all {
		if all[i].score.score >= Accept {
			accepted[all[i].class.IRI] = true
		}
	}
	most := 0.0
	for _, i := range j.askable(all, w) {
		c := all[i].class
		q := Question{Class: c.IRI, Label: nameOf(c), Chance: w.chance(j.features(&all[i]))}
		q.Terms = distinct(slices.DeleteFunc(slices.Clone(c.Sub), func(iri string) bool { return !j.given[iri] }))
		q.gains(j.wouldAccept(c.IRI, all, at), accepted)
		promise := q.Chance * float64(q.Gain) / float64(len(j.given)+len(accepted)+q.Gain)
		if q.Chance*float64(q.Gain) >= leastPromise && promise > most {
			best, most, found = q, promise, true
		}
	}
	return best, found
}

// askable returns the positions of the candidates that may be asked about, by IRI: those of the highest chance if there are too many.
func (j *Judge) askable(all []candidate, w weighing) (places []int) {
	for i := range all {
		_, said := j.answers[all[i].class.IRI]
		if all[i].above && !said && !Top(all[i].class.IRI) && all[i].score.score < Accept {
			places = append(places, i)
		}
	}
	byIRI := func(a, b int) int { return cmp.Compare(all[a].class.IRI, all[b].class.IRI) }
	if len(places) > maxAsked {
		chance := map[int]float64{}
		for _, i := range places {
			chance[i] = w.chance(j.features(&all[i]))
		}
		order.By(places, func(a, b int) int { return cmp.Or(cmp.Compare(chance[b], chance[a]), byIRI(a, b)) })
		places = places[:maxAsked]
	}
	order.By(places, byIRI)
	return places
}

// wouldAccept returns the candidates that a yes to a class would accept, and its subclasses that are no candidates yet.
func (j *Judge) wouldAccept(iri string, all []candidate, at map[string]int) map[string]bool {
	j.answers[iri] = true
	then := slices.Clone(all)
	j.together(then, at)
	delete(j.answers, iri)
	would := map[string]bool{}
	for i := range then {
		if then[i].score.score >= Accept {
			would[then[i].class.IRI] = true
		}
	}
	for _, sub := range all[at[iri]].class.Sub {
		if _, known := at[sub]; !known && !j.given[sub] {
			would[sub] = true
		}
	}
	return would
}

// gains completes a question by what a yes would accept besides what is accepted.
func (q *Question) gains(would, accepted map[string]bool) {
	for _, iri := range slices.Sorted(maps.Keys(would)) {
		if accepted[iri] {
			continue
		}
		if q.Gain++; len(q.Would) < maxWould {
			q.Would = append(q.Would, iri)
		}
	}
}

// A weighing is a logistic regression on what tells whether a class above terms belongs.
type weighing [5]float64

// weights returns the values fitted on the domains of testdata; TestQuestions fits them anew.
func weights() weighing { return weighing{-0.28, 4.35, -1.10, 1.95, 1.00} }

// features returns what tells whether a class above terms belongs: a constant, its score, how many subclasses it has, how distinctive
// its name is, and how many terms are below it.
func (j *Judge) features(c *candidate) weighing {
	below := 0
	for _, iri := range c.class.Sub {
		if j.given[iri] {
			below++
		}
	}
	p := j.background.reader.profile(*c.class, j.given)
	_, name := j.distinctive(&p)
	return weighing{1, c.score.score, math.Log(float64(max(1, len(c.class.Sub)))), name, math.Log(float64(max(1, below)))}
}

// chance returns the probability by features.
func (w weighing) chance(features weighing) float64 {
	sum := 0.0
	for i := range w {
		sum += w[i] * features[i]
	}
	return 1 / (1 + math.Exp(-sum))
}

// nameOf returns a name of a class for people: a label in English or without a language, else another, else the local name.
func nameOf(c *Class) string {
	name := ""
	for _, l := range c.Labels {
		switch {
		case l.Lang == "" || l.Lang == "en":
			return l.Text
		case name == "":
			name = l.Text
		}
	}
	return cmp.Or(name, localName(c.IRI))
}
