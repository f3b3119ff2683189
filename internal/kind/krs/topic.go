package krs

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/order"
)

// shownPageNouns is how many nouns of a page are told of.
const shownPageNouns = 15

// A topicView describes a page in terms of a KRS, independently of the rule.
type topicView struct {
	Nouns    int        `json:"nouns"`  // distinct ones
	Linked   int        `json:"linked"` // of those
	Known    int        `json:"known"`  // of the linked ones, how many the corpus has
	Mean     float64    `json:"mean"`   // their mean IDF
	Low      float64    `json:"low"`    // the range that rule: paper accepts
	High     float64    `json:"high"`
	InRange  bool       `json:"in_range"`
	Coverage float64    `json:"coverage"`
	Likeness float64    `json:"likeness"`
	Least    float64    `json:"least"` // the likeness from which rule: calibrated accepts
	Heaviest []pageNoun `json:"heaviest"`
}

// A pageNoun is one of a page's nouns.
type pageNoun struct {
	Lemma string   `json:"lemma"`
	IRI   string   `json:"iri,omitempty"`
	Times int      `json:"times"`
	IDF   *float64 `json:"idf,omitempty"` // nil: the corpus lacks it
	Adds  float64  `json:"adds"`          // to the likeness
}

// view describes a page, with the nouns of greatest weight for or against the topic.
func (k *instance) view(ctx context.Context, p *orbweaver.Page) (*topicView, error) {
	mentions, v, err := k.focus.Verdict(ctx, p)
	if err != nil {
		return nil, err
	}
	m, mean, deviation := k.focus.Measure(mentions)
	t := &topicView{
		Nouns: v.Nouns, Linked: m.Linked, Known: m.Known, Mean: m.Mean, Low: mean - deviation, High: mean + deviation,
		InRange: m.InRange, Coverage: v.Coverage, Likeness: v.Likeness, Least: k.focus.Least(),
	}
	for i, m := range mentions {
		n := pageNoun{Lemma: m.Lemma, IRI: m.IRI, Times: m.Times, Adds: v.Judged[i].Adds}
		if idf := v.Judged[i].IDF; idf >= 0 {
			n.IDF = &idf
		}
		t.Heaviest = append(t.Heaviest, n)
	}
	order.Stably(t.Heaviest, func(a, b pageNoun) int { return cmp.Compare(max(b.Adds, -b.Adds), max(a.Adds, -a.Adds)) })
	t.Heaviest = t.Heaviest[:min(len(t.Heaviest), shownPageNouns)]
	return t, nil
}

// Print writes it for people.
func (t *topicView) Print(w io.Writer) {
	within := "outside"
	if t.InRange {
		within = "within"
	}
	console.Fact(w, "nouns", fmt.Sprintf("%d, %d linked to entities, %d of these in the corpus", t.Nouns, t.Linked, t.Known), true)
	console.Fact(w, "mean IDF", fmt.Sprintf("%.2f, %s %.2f to %.2f (rule: paper)", t.Mean, within, t.Low, t.High), t.Known > 0)
	console.Fact(w, "coverage", fmt.Sprintf("%.1f %%", 100*t.Coverage), true)
	console.Fact(w, "likeness", fmt.Sprintf("%.3f, accepted from %.3f on (rule: calibrated)", t.Likeness, t.Least), true)
	if len(t.Heaviest) == 0 {
		return
	}
	console.Say(w, "\nThe nouns that say most:")
	console.Say(w, "%9s %6s %6s  noun", "likeness", "IDF", "times")
	for _, n := range t.Heaviest {
		idf, name := "-", n.Lemma
		if n.IDF != nil {
			idf = fmt.Sprintf("%.2f", *n.IDF)
		}
		if n.IRI != "" {
			name += "  " + n.IRI
		}
		console.Say(w, "%+9.4f %6s %6d  %s", n.Adds, idf, n.Times, console.Visible(name, 120))
	}
}
