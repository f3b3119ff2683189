// Package verdicts corrects the judgements of any focus by a person's verdicts on pages.
//
// A verdict says more than the page: it says of the page's words whether they belong to the topic. A Model is a Bayesian
// logistic regression over words, with the focus's own judgement as its offset. The log odds that a page is relevant are
//
//	2·x + b + w·v
//
// where x are the log odds of the page's score, less those of the threshold that its judgement names, else at least on the
// side of 0 of the focus's verdict; v
// is the page's vector of tf·idf, of unit length, tf = 1 + ln(count); b and each weight of w have a normal prior around 0,
// of variance 1 and 40. Other pages of the crawl, with log odds 2·x of their own, count together like 20 verdicts that
// agree with the focus, so that a word that all pages have is not blamed. The weights are those of the highest posterior;
// words of fewer than two pages, or more than a third of them, have none. It is the usual model of relevance feedback with
// the crawl's own score as prior; 40, 1 and 20 were chosen on thirteen topics of an encyclopaedia, where the results vary
// little within a factor of four.
//
// A verdict that a part of a page is relevant counts as a relevance of 0.9: the page is accepted, and teaches its words a
// little less. Between ½ and 1 the number hardly matters (docs/explanation/measurements.md).
//
// The package neither reads pages nor selects those to ask a person about.
//
// This package is not part of the stable API.
package verdicts

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/internal/order"
	"orbweaver/text"
)

// The rules of the reason that a corrected judgement has; its weight is what the verdicts add to the log odds.
const (
	RuleVerdict  = "verdict"  // a person's verdict on the page itself
	RuleVerdicts = "verdicts" // those on other pages
)

const (
	sharp       = 2.0  // log odds of relevance for one of the score
	wordsVary   = 40.0 // prior variance of the weight of a word
	heightVary  = 1.0  // prior variance of b
	othersCount = 20.0 // verdicts that the other pages count for, together
	fewest      = 2    // pages that have a word
	widest      = 3    // a word is in at most one of so many pages
	rounds      = 30   // of the fit
	shown       = 5    // words that a reason names
	partly      = 0.9  // relevance of a page of which a person says that a part is relevant
	firm        = 2.0  // log odds, at least, of a page with a verdict of its own
	lean        = 0.5  // of one that is relevant in part
	beside      = 1e-6 // log odds below 0 of a page that a focus without a threshold does not accept
	most        = 6.9  // largest log odds of a score that count, either way: those of .999
)

// An Example is a page of the crawl as its focus judged it.
type Example struct {
	terms text.Terms
	judge orbweaver.Judgement // corrected or not: a correction is undone
}

// ExampleOf returns an Example of a page, which it does not keep.
func ExampleOf(p *orbweaver.Page, j orbweaver.Judgement) Example {
	var count text.Counter
	return Example{termsOf(&count, p), j}
}

func termsOf(count *text.Counter, p *orbweaver.Page) text.Terms {
	return count.Count(p.Lang, p.Title, p.Text)
}

// A Rated page is an Example with a person's verdict.
type Rated struct {
	URL      string
	Example  Example
	Relevant bool
	Part     bool // a part of the page is, or it is about a part of the topic; Relevant is true then
}

func (r Rated) target() float64 { return Relevance(r.Relevant, r.Part) }

// Relevance returns the relevance, from 0 to 1, that a verdict states.
func Relevance(relevant, part bool) float64 {
	switch {
	case part:
		return partly
	case relevant:
		return 1
	}
	return 0
}

// A Model corrects judgements. It is immutable, and safe for concurrent use.
type Model struct {
	rated         map[string]float64 // verdicts by URL, as targets
	yes, no, part int
	idf           map[string]float64
	weights       map[string]float64
	height        float64
	count         text.Counter
}

// Fit returns the model of verdicts on pages, the latest of each, among other pages of the crawl. The same pages in the
// same order give the same model. It takes time linear in the words of all pages.
func Fit(rated []Rated, others []Example) *Model {
	m := &Model{rated: map[string]float64{}, idf: map[string]float64{}, weights: map[string]float64{}}
	all := make([]Example, 0, len(rated)+len(others))
	for _, r := range rated {
		all = append(all, r.Example)
		switch m.rated[r.URL] = r.target(); {
		case r.Part:
			m.part++
		case r.Relevant:
			m.yes++
		default:
			m.no++
		}
	}
	all = append(all, others...)
	m.weigh(all)
	f := fit{alpha: make([]float64, len(all))}
	for i, e := range all {
		x := sharp * beyond(e.judge)
		p := point{vector: m.vector(e.terms), offset: x, target: logistic(x), count: othersCount / float64(max(1, len(others)))}
		if i < len(rated) {
			p.count, p.target = 1, rated[i].target()
		}
		f.points = append(f.points, p)
	}
	f.number()
	f.run()
	f.into(m)
	return m
}

// weigh computes the idf of all words that count.
func (m *Model) weigh(all []Example) {
	in := map[string]int{}
	for _, e := range all {
		for _, stem := range e.terms.Stems {
			in[stem]++
		}
	}
	for stem, n := range in {
		if n >= fewest && n*widest <= len(all) {
			m.idf[stem] = math.Log(float64(len(all)) / float64(n))
		}
	}
}

// A weighed is a word with its weight in a page.
type weighed struct {
	stem   string
	at     int
	weight float64
}

// vector returns the words of a page that count, in the order of their first occurrence.
func (m *Model) vector(t text.Terms) (v []weighed) {
	squares := 0.0
	for i, stem := range t.Stems {
		if idf := m.idf[stem]; idf > 0 {
			w := (1 + math.Log(float64(t.Counts[i]))) * idf
			v = append(v, weighed{stem: stem, weight: w})
			squares += float64(w * w)
		}
	}
	for i := range v {
		v[i].weight /= math.Sqrt(squares)
	}
	return v
}

// beyond returns the log odds of a score less those of its threshold, without what verdicts added before. Where the focus
// names no threshold, they are those of the score, on the side of 0 that the focus chose.
func beyond(j orbweaver.Judgement) float64 {
	x := odds(j.Score)
	named, corrected := false, false
	for _, r := range j.Reasons {
		switch r.Rule {
		case orbweaver.RuleThreshold:
			x, named = x-odds(r.Weight), true
		case RuleVerdict, RuleVerdicts:
			x, corrected = x-r.Weight/sharp, true
		}
	}
	switch {
	case named || corrected:
		return x
	case j.Accepted:
		return max(x, 0)
	}
	return min(x, -beside)
}

func odds(score float64) float64 {
	switch {
	case !(score > 0):
		return -most
	case score >= 1:
		return most
	}
	return min(most, max(-most, math.Log(score/(1-score))))
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// Correct corrects the focus's judgement of a page, and appends the reason. The score moves by half of what the verdicts
// add to the log odds; the page is accepted if these are not below 0. A page with a verdict of its own follows it, by log
// odds of 2 at least; one that is relevant in part is accepted, by log odds of ½ at least.
func (m *Model) Correct(p *orbweaver.Page, j *orbweaver.Judgement) {
	v := m.vector(termsOf(&m.count, p))
	more := m.height
	for i, w := range v {
		v[i].weight = float64(w.weight * m.weights[w.stem])
		more += v[i].weight
	}
	x := sharp*beyond(*j) + more
	why := orbweaver.Reason{Rule: RuleVerdicts, Evidence: m.because(v, more), Weight: more}
	if target, ok := m.rated[p.Request.URL]; ok {
		goal := own(x, target)
		x, more = goal, more+goal-x
		why = orbweaver.Reason{Rule: RuleVerdict, Evidence: saying(target), Weight: more}
	}
	j.Score = logistic(odds(j.Score) + more/sharp)
	j.Accepted = x >= 0
	j.Reasons = append(slices.Clip(j.Reasons), why)
}

// own returns the log odds of a page with a verdict of its own.
func own(x, target float64) float64 {
	switch target {
	case 1:
		return max(x, firm)
	case 0:
		return min(x, -firm)
	}
	return max(x, lean)
}

func saying(target float64) string {
	switch target {
	case 1:
		return "a person says: relevant"
	case 0:
		return "a person says: not relevant"
	}
	return "a person says: relevant in part"
}

// because names the words that moved a page most in the direction in which it moved.
func (m *Model) because(v []weighed, more float64) string {
	order.Stably(v, func(a, b weighed) int {
		if more < 0 {
			a, b = b, a
		}
		return cmp.Compare(b.weight, a.weight)
	})
	var names []string
	for _, w := range v[:min(shown, len(v))] {
		if float64(w.weight*more) > 0 {
			names = append(names, w.stem)
		}
	}
	from := fmt.Sprintf("from %d verdicts yes and %d no", m.yes, m.no)
	if m.part > 0 {
		from = fmt.Sprintf("from %d verdicts yes, %d no and %d in part", m.yes, m.no, m.part)
	}
	if len(names) == 0 {
		return from
	}
	return from + ", by " + strings.Join(names, ", ")
}
