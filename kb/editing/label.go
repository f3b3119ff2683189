package editing

import (
	"fmt"
	"strings"

	"orbweaver/kb/ontology"
	"orbweaver/rdf"
)

// Words are short names of the properties that edits are made of, for forms.
func Words() map[string]string {
	return map[string]string{
		"label": labelled, "name": preferred, "other name": alternative, "hidden name": skosNS + "hiddenLabel", "comment": commented,
		"definition": defined, "subclass of": subClassOf, "subproperty of": subPropertyOf, "broader": broader, "related": skosNS + "related",
		"instance of": typeOf, "domain": rdfsNS + "domain", "range": rdfsNS + "range", "equivalent class": owlNS + "equivalentClass",
		"equivalent property": owlNS + "equivalentProperty", "same as": owlNS + "sameAs", "disjoint with": owlNS + "disjointWith",
		"inverse of": owlNS + "inverseOf", "exact match": skosNS + "exactMatch", "close match": skosNS + "closeMatch",
	}
}

// property returns the IRI of a property that an edit names, or a usual one.
func property(as, usual string) (string, error) {
	switch iri, known := Words()[as]; {
	case as == "":
		return usual, nil
	case known:
		return iri, nil
	case ontology.Builtin(as):
		return as, nil
	}
	return as, checkIRI(as)
}

// literal returns a text as it is stated.
func literal(text, language string) (rdf.Term, error) {
	if language != "" && !tag(language) {
		return rdf.Term{}, fmt.Errorf("%q is no language tag, as en or pt-BR: %w", language, ErrEdit)
	}
	return Label{Text: text, Language: language}.term(), nil
}

// tag reports whether a text is formed as a language tag (RDF 1.1, section 3.3).
func tag(text string) bool {
	for i, part := range strings.Split(text, "-") {
		if len(part) < 1 || len(part) > 8 || strings.ContainsFunc(part, func(r rune) bool {
			return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || i > 0 && r >= '0' && r <= '9')
		}) {
			return false
		}
	}
	return true
}

func (d *Draft) label(e Edit) (Step, error) {
	n, err := d.entity(e.Entity)
	if err != nil {
		return Step{}, err
	}
	usual := labelled
	if n&isConcept != 0 {
		usual = alternative
		if len(d.g.labels(e.Entity)) == 0 {
			usual = preferred
		}
	}
	e.Text = strings.Join(strings.Fields(e.Text), " ")
	as, err := property(e.As, usual)
	if err == nil && ontology.LabelRank(as) == 0 {
		err = fmt.Errorf("%s gives no label: %w", as, ErrEdit)
	}
	if err != nil {
		return Step{}, err
	}
	return d.text(e, as, "label")
}

func (d *Draft) comment(e Edit) (Step, error) {
	n, err := d.entity(e.Entity)
	if err != nil {
		return Step{}, err
	}
	usual := commented
	if n&isConcept != 0 {
		usual = defined
	}
	as, err := property(e.As, usual)
	if err != nil {
		return Step{}, err
	}
	e.Text = strings.TrimSpace(e.Text)
	return d.text(e, as, "comment")
}

// text gives a text to an entity, takes one from it, or puts one in the place of another.
func (d *Draft) text(e Edit, as, what string) (s Step, err error) {
	now, err := literal(e.Text, e.Language)
	if err != nil {
		return s, err
	}
	if e.Old != "" {
		old := state(e.Entity, as, Label{Text: e.Old, Language: e.OldLanguage}.term())
		if !d.g.has(old) {
			old.O = d.meantBy(e, as)
		}
		if !d.g.has(old) {
			return s, fmt.Errorf("%s has no %s “%s”: it was changed meanwhile: %w", d.quoted(e.Entity), what, short(e.Old), ErrNothing)
		}
		s.Remove = []rdf.Triple{old}
	}
	name := d.quoted(e.Entity)
	switch {
	case e.Text != "":
		s.Add = []rdf.Triple{state(e.Entity, as, now)}
		s.Says = fmt.Sprintf("%s “%s” of %s", what, short(e.Text), name)
	case e.Old == "":
		return s, fmt.Errorf("a %s needs a text: %w", what, ErrEdit)
	default:
		s.Says = fmt.Sprintf("%s “%s” removed from %s", what, short(e.Old), name)
	}
	return s, nil
}

// meantBy returns the text of an entity that an edit means by its old text: one with a datatype, or with line ends that a form does not keep.
func (d *Draft) meantBy(e Edit, as string) (found rdf.Term) {
	lines := func(text string) string {
		return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	}
	for _, l := range d.g.out[rdf.NewIRI(e.Entity)] {
		same := l.predicate == as && l.to.Kind == rdf.Literal && l.to.Lang == e.OldLanguage
		if same && (l.to.Value == e.Old || found.IsZero() && lines(l.to.Value) == lines(e.Old)) {
			found = l.to
		}
	}
	return found
}

// short is the beginning of a text, on a line.
func short(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > 60 {
		return string(runes[:60]) + "…"
	}
	return text
}

func (d *Draft) rename(e Edit) (s Step, err error) {
	n, err := d.entity(e.Entity)
	if err != nil {
		return s, err
	}
	e.Text = strings.Join(strings.Fields(e.Text), " ")
	was := d.quoted(e.Entity)
	if e.IRI != "" && e.IRI != e.Entity && e.Text == clipped(d.g.name(e.Entity)) {
		e.Text = "" // it keeps its name
	}
	if e.Text != "" {
		if s, err = d.renamed(e, namedBy(n.kind())); err != nil {
			return s, err
		}
		s.Says = fmt.Sprintf("%s is named “%s”", was, short(e.Text))
	}
	if e.IRI == "" || e.IRI == e.Entity {
		return s, nil
	}
	if err := checkIRI(e.IRI); err != nil {
		return s, err
	}
	if len(d.g.about(rdf.NewIRI(e.IRI))) > 0 {
		return s, fmt.Errorf("%s: %w; merge the two, if they are the same", e.IRI, ErrTaken)
	}
	label := s
	all := d.g.about(rdf.NewIRI(e.Entity))
	s = Step{Says: fmt.Sprintf("%s has the IRI %s", was, e.IRI), Remove: all}
	gone := map[rdf.Triple]bool{}
	for _, t := range label.Remove {
		gone[t] = true
	}
	for _, t := range append(all, label.Add...) {
		if !gone[t] {
			s.Add = append(s.Add, replaced(t, e.Entity, e.IRI))
		}
	}
	return s, nil
}

// renamed puts a name in the place of the best one of an entity.
func (d *Draft) renamed(e Edit, as string) (s Step, err error) {
	language := e.Language
	if all := d.g.labels(e.Entity); len(all) > 0 {
		best := all[0]
		as = best.As
		if language == "" {
			language = best.Language
		}
		s.Remove = []rdf.Triple{state(e.Entity, as, best.term())}
	}
	now, err := literal(e.Text, language)
	s.Add = []rdf.Triple{state(e.Entity, as, now)}
	return s, err
}

// replaced is a statement with another IRI in the place of one.
func replaced(t rdf.Triple, from, to string) rdf.Triple {
	for _, term := range []*rdf.Term{&t.S, &t.P, &t.O} {
		if term.Kind == rdf.IRI && term.Value == from {
			term.Value = to
		}
	}
	return t
}
