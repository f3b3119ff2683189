package labelmodel

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/offline/corpus"
	"orbweaver/internal/order"
	"orbweaver/kb/labels"
	"orbweaver/kb/stream"
	"orbweaver/page"
	"orbweaver/text/item"
)

// Text is a document to label.
type Text struct{ ID, Title, Lang, Text string }

// ReadText reads the text of a file, or of In for "-". The error wraps ErrInput.
func ReadText(ctx context.Context, con *console.Console, name string) (Text, error) {
	if name == "-" {
		if con.In == nil {
			return Text{}, fmt.Errorf("standard input: no text in it (%w)", orbweaver.ErrInput)
		}
		text, err := io.ReadAll(io.LimitReader(con.In, maxText))
		return Text{ID: "standard input", Text: string(text)}, err
	}
	c, err := corpus.Of(con, []string{name})
	if err != nil {
		return Text{}, err
	}
	for d, err := range c.Documents(ctx) {
		return Text(d), err
	}
	return Text{}, fmt.Errorf("%s: no text in it (%w)", name, orbweaver.ErrInput)
}

// Explanation gives the labels of an item and the reasons.
type Explanation struct {
	Item   string        `json:"item"`
	Terms  []weighed     `json:"terms"` // heaviest first
	Labels []heldBecause `json:"labels"`

	Concepts []heldConcept `json:"concepts,omitempty"` // the narrowest first; each is broader than the one before
}

// weighed is a term of the item with its weight.
type weighed struct {
	Term   string  `json:"term"`
	Weight float64 `json:"weight"`
	Items  float64 `json:"items"` // items with the term
}

// heldBecause is a label and its derivations.
type heldBecause struct {
	Label    string        `json:"label"`
	By       labels.Ground `json:"by"`
	Strength float64       `json:"strength"`
	Proofs   []because     `json:"proofs"`
}

// because is one derivation of a label.
type because struct {
	Own      bool      `json:"own,omitempty"`
	Alpha    []support `json:"alpha,omitempty"`
	Beta     []support `json:"beta,omitempty"`
	Together int       `json:"together,omitempty"` // minimum number of matching terms of the Beta set
	Of       int       `json:"of,omitempty"`       // size of the Beta set
	Chain    []string  `json:"chain"`              // from the label derived from terms to the explained one
}

// support is a term and the evidence of its rule.
type support struct {
	Term string  `json:"term"`
	P    float64 `json:"p"`    // share of the items with the term that also have the label
	Both float64 `json:"both"` // items with both
	Has  float64 `json:"has"`  // items with the term
}

// maxWays bounds the derivations shown per label.
const maxWays = 5

// Explain returns the labels that a model assigns to a text, and their derivations. The error wraps
// ErrInput if the model knows no term of the text.
func Explain(m *stream.Model, t Text) (*Explanation, error) {
	it, vector, err := itemOf(m, t)
	if err != nil {
		return nil, err
	}
	x := &Explanation{Item: t.ID, Labels: []heldBecause{}, Concepts: conceptsOf(m, vector)}
	for _, w := range it.Terms {
		x.Terms = append(x.Terms, weighed{m.Show(w.Text), w.Weight, m.Labels.Count(w.Text, w.Text)})
	}
	order.Stably(x.Terms, func(a, b weighed) int { return cmp.Compare(b.Weight, a.Weight) })
	for _, h := range m.Labels.Classify(it) {
		held := heldBecause{Label: m.Show(h.Label), By: h.By, Strength: h.Strength}
		for _, p := range first(m.Labels.Why(it, h.Label), maxWays) {
			held.Proofs = append(held.Proofs, proofOf(m, p))
		}
		x.Labels = append(x.Labels, held)
	}
	return x, nil
}

// itemOf converts a text into an item of the model, without learning from it; vector has the terms by which documents
// are compared.
func itemOf(m *stream.Model, t Text) (it labels.Item, vector []item.Term, err error) {
	d := document{ID: t.ID, Title: t.Title, Text: t.Text}
	d.cut()
	var reader item.Reader
	it, vector, lack := m.Weigh(t.ID, reader.Read(d.Text, d.Title, page.Language(t.Lang, d.Text)))
	if len(it.Terms) > 0 {
		return it, vector, nil
	}
	why := map[item.Lack]string{
		item.NoText: "there is no word in it", item.NoLetters: "it has numbers and single letters alone",
		item.StopWords: "it has stop words alone", item.Strange: "none of its words was in an item",
	}[lack]
	return it, nil, fmt.Errorf("%s has no usable terms: %s (%w)", t.ID, cmp.Or(why, "the model knows none"), orbweaver.ErrInput)
}

func proofOf(m *stream.Model, p labels.Proof) because {
	from := p.Chain[0]
	evidence := func(all []labels.Evidence) (shown []support) {
		for _, e := range all {
			shown = append(shown, support{m.Show(e.Term), e.P, m.Labels.Count(e.Term, from), m.Labels.Count(e.Term, e.Term)})
		}
		return shown
	}
	b := because{Own: p.Own, Alpha: evidence(p.Alpha)}
	if len(p.Beta) >= p.Together {
		b.Beta, b.Together, b.Of = evidence(p.Beta), p.Together, p.Of
	}
	for _, l := range p.Chain {
		b.Chain = append(b.Chain, m.Show(l))
	}
	return b
}

// Why prints the labels of a text and their derivations.
func Why(con *console.Console, m *stream.Model, t Text, asJSON bool) error {
	x, err := Explain(m, t)
	if err != nil {
		return err
	}
	return x.Print(con, asJSON)
}

// Print prints the labels and their derivations.
func (x *Explanation) Print(con *console.Console, asJSON bool) error {
	if asJSON {
		return console.WriteJSON(con.Out, x)
	}
	var terms []string
	for _, w := range x.Terms {
		terms = append(terms, fmt.Sprintf("%s %.1f", console.Visible(w.Term, 60), w.Weight))
	}
	console.Say(con.Out, "%s\nterms: %s", console.Visible(x.Item, 200), strings.Join(terms, ", "))
	if len(x.Labels) == 0 {
		console.Say(con.Out, "\nno labels")
	}
	for _, l := range x.Labels {
		console.Say(con.Out, "\n%s  %.2f", console.Visible(l.Label, 80), l.Strength)
		for _, p := range l.Proofs {
			p.print(con.Out)
		}
	}
	for _, c := range x.Concepts {
		c.print(con.Out)
	}
	return nil
}

// print prints a derivation of a label.
func (b because) print(w io.Writer) {
	chain := make([]string, len(b.Chain))
	for i, label := range b.Chain {
		chain[i] = console.Visible(label, 80)
	}
	if b.Own {
		console.Say(w, "  is one of its terms: %s", chain[0])
	}
	for _, e := range b.Alpha {
		console.Say(w, "  Alpha rule: %s → %s: %.0f items have the term, %.0f of them the label (%.2f)", console.Visible(e.Term, 80), chain[0], e.Has, e.Both, e.P)
	}
	if len(b.Beta) > 0 {
		console.Say(w, "  Beta set: %d of its %d terms, %d are needed, → %s:", len(b.Beta), b.Of, b.Together, chain[0])
		for _, e := range b.Beta {
			console.Say(w, "    %s: %.0f items have it, %.0f of them the label (%.2f)", console.Visible(e.Term, 80), e.Has, e.Both, e.P)
		}
	}
	if len(chain) > 1 {
		console.Say(w, "  broader: %s", strings.Join(chain, " < "))
	}
}

// Held returns the labels of a text, strongest first; none if the model knows no term of it.
func Held(m *stream.Model, t Text) []labels.Held {
	it, _, err := itemOf(m, t)
	if err != nil {
		return nil
	}
	return m.Labels.Classify(it)
}

// Named returns the keys of labels that words name, recognized like the terms of a text.
func Named(m *stream.Model, words string) map[string]bool {
	if m == nil {
		return nil
	}
	it, _, err := itemOf(m, Text{Text: words, Lang: "en"})
	if err != nil {
		return nil
	}
	named := map[string]bool{}
	for _, t := range it.Terms {
		named[t.Text] = true
	}
	return named
}
