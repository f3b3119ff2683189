package editing

import (
	"cmp"
	"strings"

	"orbweaver/internal/order"
	"orbweaver/kb/ontology"
	"orbweaver/rdf"
	"orbweaver/text"
)

// A Label is a text that a statement gives to an entity.
type Label struct {
	As       string   `json:"as"` // the property, an IRI
	Text     string   `json:"text"`
	Language string   `json:"language,omitempty"`
	Also     []string `json:"also,omitempty"` // IRIs of other entities that have the text as a label, at most five
}

// term is the label as a literal.
func (l Label) term() rdf.Term {
	if l.Language == "" {
		return rdf.NewString(l.Text)
	}
	return rdf.NewLang(l.Text, l.Language)
}

// foreign orders languages: none and English first.
func foreign(language string) string {
	if language == "" || strings.EqualFold(language, "en") {
		return ""
	}
	return strings.ToLower(language)
}

// labels returns the labels of an entity, the best name first.
func (g *graph) labels(iri string) (all []Label) {
	for _, l := range g.out[rdf.NewIRI(iri)] {
		if l.to.Kind == rdf.Literal && ontology.LabelRank(l.predicate) > 0 {
			all = append(all, Label{As: l.predicate, Text: l.to.Value, Language: l.to.Lang})
		}
	}
	order.By(all, func(a, b Label) int {
		return cmp.Or(cmp.Compare(ontology.LabelRank(a.As), ontology.LabelRank(b.As)), cmp.Compare(foreign(a.Language), foreign(b.Language)),
			cmp.Compare(a.Text, b.Text), cmp.Compare(a.Language, b.Language))
	})
	return all
}

// name returns the best name of an IRI in words.
func (g *graph) name(iri string) string {
	var best Label
	rank := 0
	for _, l := range g.out[rdf.NewIRI(iri)] {
		r := ontology.LabelRank(l.predicate)
		if r == 0 || l.to.Kind != rdf.Literal || strings.TrimSpace(l.to.Value) == "" {
			continue
		}
		if rank == 0 || cmp.Or(cmp.Compare(r, rank), cmp.Compare(foreign(l.to.Lang), foreign(best.Language)), cmp.Compare(l.to.Value, best.Text)) < 0 {
			best, rank = Label{Text: l.to.Value, Language: l.to.Lang}, r
		}
	}
	if rank > 0 {
		return strings.Join(strings.Fields(best.Text), " ")
	}
	return NameOf(iri)
}

// NameOf is the name of an IRI of which no label is known: the word for it, or its local name in words.
func NameOf(iri string) string {
	if ontology.Builtin(iri) {
		for word, known := range Words() {
			if known == iri {
				return word
			}
		}
	}
	return ontology.Words(iri)
}

// folded is a text as searches compare it.
func folded(label string) string { return strings.Join(strings.Fields(text.Key(label)), " ") }

// words returns all that an entity can be found by, a line each: its labels and its local name.
func (g *graph) words(iri string) string {
	var b strings.Builder
	for _, l := range g.out[rdf.NewIRI(iri)] {
		if l.to.Kind == rdf.Literal && ontology.LabelRank(l.predicate) > 0 {
			b.WriteString(folded(l.to.Value))
			b.WriteByte('\n')
		}
	}
	b.WriteString(folded(ontology.Words(iri)))
	return b.String()
}

// A Found entity is one whose label matches a search.
type Found struct {
	Item
	Label string `json:"label"` // that matches, in lower case
}

// Search returns up to n entities with words in a label, in the local name or in the IRI: whole labels first, then beginnings, then the
// shortest. Case does not count.
func (d *Draft) Search(words string, n int) []Found {
	words = folded(words)
	if words == "" || n <= 0 {
		return nil
	}
	type hit struct {
		iri, label string
		rank       int
	}
	var hits []hit
	for iri, text := range d.words {
		if label, rank := match(text, words); rank > 0 {
			hits = append(hits, hit{iri, label, rank})
		} else if strings.EqualFold(iri, words) || strings.Contains(words, "//") && strings.Contains(strings.ToLower(iri), words) {
			hits = append(hits, hit{iri, text[strings.LastIndexByte(text, '\n')+1:], 4})
		}
	}
	order.By(hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(len(a.label), len(b.label)), cmp.Compare(a.label, b.label), cmp.Compare(a.iri, b.iri))
	})
	var found []Found
	for _, h := range hits[:min(n, len(hits))] {
		found = append(found, Found{d.item(h.iri), h.label})
	}
	return found
}

// match returns the line of a text that matches words best, and how well: 1 is the whole line, 2 its beginning, 3 within; 0 is no match.
func match(text, words string) (line string, rank int) {
	if !strings.Contains(text, words) {
		return "", 0
	}
	for l := range strings.SplitSeq(text, "\n") {
		r := 0
		switch {
		case l == words:
			r = 1
		case strings.HasPrefix(l, words):
			r = 2
		case strings.Contains(l, words):
			r = 3
		}
		if r > 0 && (rank == 0 || r < rank) {
			line, rank = l, r
		}
	}
	return line, rank
}
