package stream

import (
	"strconv"
	"strings"

	"orbweaver/kb/concepts"
	"orbweaver/kb/labels"
	"orbweaver/text/item"
)

// A Concept is a broad concept: a group of labels that share documents (kb/concepts).
type Concept struct {
	Number int            // stays the same while it resembles itself
	Name   []string       // keys of its strongest labels, at most named
	Above  int            // place of the broader concept in Model.Concepts; -1: none
	Items  int            // sampled documents that have it
	Share  float64        // of the sampled documents, 0..1
	Labels []ConceptLabel // strongest first
	Leaf   bool           // no concept is narrower
}

// A ConceptLabel is a label of a concept.
type ConceptLabel struct {
	Key string
	P   float64 // share of the label's documents that have the concept
	Own bool    // it belongs to this concept, and not to one below it
}

// named is the number of labels that name a concept.
const named = 3

// IRI returns the IRI of a concept.
func (c *Concept) IRI() string { return "urn:semxdm:concept:" + strconv.Itoa(c.Number) }

func labelIRI(key string) string { return labels.TermIRI(key) }

// Concepts returns the broad concepts of the latest grouping, each before the one above it.
func (m *Model) Concepts() []Concept {
	var all []Concept
	for _, c := range m.Groups.Concepts() {
		all = append(all, m.concept(&c))
	}
	return all
}

func (m *Model) concept(c *concepts.Concept) Concept {
	x := Concept{Number: c.Number, Above: c.Above, Items: c.Items, Share: c.Share, Leaf: c.Leaf}
	for _, l := range c.Members {
		if key, ok := m.Terms.Key(l.Label); ok {
			x.Labels = append(x.Labels, ConceptLabel{key, float64(l.P), l.Own})
		}
	}
	for _, l := range x.Labels[:min(len(x.Labels), 4*named)] {
		if len(x.Name) < named && !within(l.Key, x.Name) {
			x.Name = append(x.Name, l.Key)
		}
	}
	if len(x.Name) == 0 { // no label is its own: its heaviest terms
		x.Name = m.heaviest(c.Rule)
	}
	return x
}

// within reports whether a label and one of a name have a word in common: crude oil says little beside oil.
func within(key string, name []string) bool {
	for _, other := range name {
		for _, w := range strings.Fields(other) {
			if strings.Contains(" "+key+" ", " "+w+" ") {
				return true
			}
		}
	}
	return false
}

// heaviest returns the keys of the heaviest terms of a rule, as many as name a concept.
func (m *Model) heaviest(rule []concepts.Weight) (keys []string) {
	taken := map[uint32]bool{}
	for len(keys) < named && len(taken) < len(rule) {
		best := concepts.Weight{Weight: -1}
		for _, w := range rule {
			if w.Weight > best.Weight && !taken[w.Term] {
				best = w
			}
		}
		taken[best.Term] = true
		if key, ok := m.Terms.Key(best.Term); ok {
			keys = append(keys, key)
		}
	}
	return keys
}

// group passes a document to the broad concepts, and describes what changed.
func (m *Model) group(x labels.Item, vector []item.Term) (changes []labels.Change) {
	isLabel := func(id uint32) bool {
		key, ok := m.Terms.Key(id)
		return ok && m.Labels.Is(key)
	}
	for _, c := range m.Groups.Learn(vector, isLabel) {
		shown := m.concept(&c.Concept)
		change := labels.Change{
			Item: m.Labels.Items(), ID: x.ID, At: x.At, Kind: labels.OfConcept, Subject: strings.Join(shown.Name, ", "),
			Object: strconv.Itoa(c.Concept.Number), P: c.Share, Before: c.Before,
		}
		switch {
		case c.Came:
			change.New = "concept"
		case c.Gone:
			change.Old = "concept"
		case c.Share > c.Before:
			change.Old, change.New = "concept", "more"
		default:
			change.Old, change.New = "concept", "less"
		}
		changes = append(changes, change)
	}
	return changes
}

// A ConceptHeld is a broad concept of a document, with the reason.
type ConceptHeld struct {
	Concept Concept
	Cosine  float64  // of document and concept, above 0; of a concept that follows from a narrower one, that of the narrower one
	Because []Reason // empty if it follows from the concept before, which is narrower
}

// A Reason is a term of a document and what it adds to the cosine with a concept.
type Reason struct {
	Key  string
	Adds float64
}

// Held returns the broad concepts of a document, the narrowest first, by the terms that Weigh returns as its vector.
func (m *Model) Held(vector []item.Term) (held []ConceptHeld) {
	h := m.Groups.Classify(vector)
	all := m.Groups.Concepts()
	for i, at := range h.Concepts {
		x := ConceptHeld{Concept: m.concept(&all[at]), Cosine: h.Cosine}
		if i == 0 {
			for _, w := range h.Because {
				if key, ok := m.Terms.Key(w.Term); ok {
					x.Because = append(x.Because, Reason{key, float64(w.Weight)})
				}
			}
		}
		held = append(held, x)
	}
	return held
}

// ShowAll returns keys as most documents write them, separated by commas.
func (m *Model) ShowAll(keys []string) string {
	names := make([]string, len(keys))
	for i := range keys {
		names[i] = m.Show(keys[i])
	}
	return strings.Join(names, ", ")
}

// ShowConcept describes a change of a concept in words.
func (m *Model) ShowConcept(c labels.Change) string {
	what := m.ShowAll(strings.Split(c.Subject, ", ")) + " (" + c.Object + ")"
	percent := func(x float64) string { return strconv.FormatFloat(100*x, 'f', 1, 64) + " %" }
	switch {
	case c.Old == "":
		return what + " comes, with " + percent(c.P) + " of documents"
	case c.New == "":
		return what + " goes, which had " + percent(c.Before)
	}
	return what + ": " + c.New + " than before, " + percent(c.P) + " of the latest documents after " + percent(c.Before)
}
