package labelmodel

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"orbweaver/internal/console"
	"orbweaver/internal/order"
	"orbweaver/kb/stream"
	"orbweaver/text/item"
)

// shownConcept is a broad concept as printed.
type shownConcept struct {
	Concept int      `json:"concept"` // its number
	Name    string   `json:"name"`    // its strongest labels
	Broader int      `json:"broader,omitempty"`
	Items   int      `json:"items"` // of the sampled documents
	Share   float64  `json:"share"` // of the sampled documents
	Labels  []string `json:"labels"`
}

// shownMembers bounds the labels that are shown of a concept.
const shownMembers = 12

// shownConcepts returns all concepts, the most frequent first.
func shownConcepts(m *stream.Model) (shown []shownConcept) {
	all := m.Concepts()
	for _, c := range all {
		x := shownConcept{Concept: c.Number, Name: m.ShowAll(c.Name), Items: c.Items, Share: c.Share, Labels: []string{}}
		if c.Above >= 0 {
			x.Broader = all[c.Above].Number
		}
		for _, l := range first(c.Labels, shownMembers) {
			x.Labels = append(x.Labels, m.Show(l.Key))
		}
		shown = append(shown, x)
	}
	order.Stably(shown, func(a, b shownConcept) int { return cmp.Compare(b.Items, a.Items) })
	return shown
}

// narrowest returns the number of concepts without a narrower one.
func narrowest(all []stream.Concept) (n int) {
	for i := range all {
		if all[i].Leaf {
			n++
		}
	}
	return n
}

// printConcepts prints the most frequent concepts with their labels.
func printConcepts(w io.Writer, m *stream.Model, top int) {
	all := shownConcepts(m)
	if len(all) == 0 {
		return
	}
	console.Say(w, "\nThe broadest concepts, by their strongest labels:")
	console.Say(w, "%8s %7s  concept", "items", "share")
	for _, c := range first(all, top) {
		console.Say(w, "%8d %6.1f%%  %s", c.Items, 100*c.Share, console.Visible(strings.Join(c.Labels, ", "), 160))
	}
}

// conceptTree prints the tree of concepts, the most frequent first, each with the labels that are its own.
func conceptTree(w io.Writer, m *stream.Model) {
	all := m.Concepts()
	below := map[int][]int{}
	for i := range all {
		below[all[i].Above] = append(below[all[i].Above], i)
	}
	var write func(above, depth int)
	write = func(above, depth int) {
		places := below[above]
		order.Stably(places, func(a, b int) int { return cmp.Compare(all[b].Items, all[a].Items) })
		for _, i := range places {
			fmt.Fprintf(w, "%s%s (%.1f%%)%s\n", strings.Repeat("  ", depth), console.Visible(m.ShowAll(all[i].Name), 100), 100*all[i].Share, console.Visible(ownLabels(m, &all[i]), 200))
			write(i, depth+1)
		}
	}
	if len(all) > 0 {
		fmt.Fprintln(w, "Broad concepts:")
		write(-1, 1)
		fmt.Fprintln(w, "\nLabels:")
	}
}

// ownLabels lists the labels of a concept that are in no narrower one and not in its name.
func ownLabels(m *stream.Model, c *stream.Concept) string {
	var names []string
	for _, l := range c.Labels {
		if l.Own && len(names) < shownMembers && !slices.Contains(c.Name, l.Key) {
			names = append(names, m.Show(l.Key))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return ": " + strings.Join(names, ", ")
}

// heldConcept is a broad concept of a text and the reason.
type heldConcept struct {
	Concept int     `json:"concept"`
	Name    string  `json:"name"`
	Share   float64 `json:"share"`             // of the sampled documents
	Cosine  float64 `json:"cosine,omitempty"`  // of the text and the concept's rule; of the narrowest alone
	Because []adds  `json:"because,omitempty"` // terms that make the cosine, most first; of the narrowest alone
}

// adds is a term and what it adds to a cosine.
type adds struct {
	Term string  `json:"term"`
	Adds float64 `json:"adds"`
}

// conceptsOf returns the broad concepts of a text by its terms.
func conceptsOf(m *stream.Model, vector []item.Term) (all []heldConcept) {
	for i, h := range m.Held(vector) {
		c := heldConcept{Concept: h.Concept.Number, Name: m.ShowAll(h.Concept.Name), Share: h.Concept.Share}
		if i == 0 {
			c.Cosine = h.Cosine
		}
		for _, r := range h.Because {
			c.Because = append(c.Because, adds{m.Show(r.Key), r.Adds})
		}
		all = append(all, c)
	}
	return all
}

// print prints the narrowest concept with its reason, or one that is broader than the one before.
func (c heldConcept) print(w io.Writer) {
	name := console.Visible(c.Name, 100)
	if len(c.Because) == 0 {
		console.Say(w, "  broader: concept %s (%.1f%%)", name, 100*c.Share)
		return
	}
	var terms []string
	for _, a := range c.Because {
		terms = append(terms, fmt.Sprintf("%s %.3f", console.Visible(a.Term, 60), a.Adds))
	}
	console.Say(w, "\nconcept %s (%.1f%%)  %.2f\n  its rule has the highest cosine: %s", name, 100*c.Share, c.Cosine, strings.Join(terms, ", "))
}

// writeHome prints the concepts of a label, the broadest first.
func writeHome(w io.Writer, m *stream.Model, key string) {
	all := m.Concepts()
	for i := range all {
		if !slices.ContainsFunc(all[i].Labels, func(l stream.ConceptLabel) bool { return l.Key == key && l.Own }) {
			continue
		}
		var names []string
		for at := i; at >= 0; at = all[at].Above {
			names = append(names, console.Visible(m.ShowAll(all[at].Name), 100))
		}
		slices.Reverse(names)
		fmt.Fprintf(w, "concept: %s\n", strings.Join(names, " > "))
		return
	}
}
