package labels

import (
	"fmt"
	"iter"
	"net/url"
	"slices"
	"strconv"

	"orbweaver/rdf"
)

// The vocabulary of a model in RDF: SKOS for labels, SWRL for rules, and the paper's classes and properties of items
// (its sections 3.1 to 3.3) under our own name.
const (
	semxdm = "http://orbweaver.example/semxdm#"
	skos   = "http://www.w3.org/2004/02/skos/core#"
	swrl   = "http://www.w3.org/2003/11/swrl#"
	owl    = "http://www.w3.org/2002/07/owl#"
	rdfs   = "http://www.w3.org/2000/01/rdf-schema#"
	rdfNS  = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	xsd    = "http://www.w3.org/2001/XMLSchema#"

	ClassItem    = semxdm + "Item"
	ClassTerm    = semxdm + "Term"
	ClassLabel   = semxdm + "Label"        // a subclass of Term
	HasTerm      = semxdm + "hasTerm"      // Item → Term
	IsClassified = semxdm + "isClassified" // Item → Label
	Scheme       = "urn:semxdm:scheme"     // the skos:ConceptScheme of all labels
)

// TermIRI returns the IRI of a term, and of the label that it may be.
func TermIRI(text string) string { return "urn:semxdm:term:" + url.PathEscape(text) }

// Rule IRIs.
func alphaIRI(label, term string) string {
	return "urn:semxdm:alpha:" + url.PathEscape(label) + ";" + url.PathEscape(term) // PathEscape escapes any other ;
}

func betaIRI(label string) string { return "urn:semxdm:beta:" + url.PathEscape(label) }

// itemVariable is the variable of all rules.
const itemVariable = "urn:semxdm:variable:item"

// A speaker yields quads until the consumer stops. It numbers blank nodes.
type speaker struct {
	yield func(rdf.Quad) bool
	over  bool
	blank int
}

func (s *speaker) state(subject rdf.Term, property string, object rdf.Term) {
	s.over = s.over || !s.yield(rdf.Quad{S: subject, P: rdf.NewIRI(property), O: object})
}

func (s *speaker) node() rdf.Term {
	s.blank++
	return rdf.NewBlank("b" + strconv.Itoa(s.blank))
}

// a states a type.
func (s *speaker) a(subject rdf.Term, class string) rdf.Term {
	s.state(subject, rdfNS+"type", rdf.NewIRI(class))
	return subject
}

// list makes an RDF list, with cells of a class unless that is empty.
func (s *speaker) list(class string, members []rdf.Term) rdf.Term {
	rest := rdf.NewIRI(rdfNS + "nil")
	for _, member := range slices.Backward(members) {
		cell := s.node()
		if class != "" {
			s.a(cell, class)
		}
		s.state(cell, rdfNS+"first", member)
		s.state(cell, rdfNS+"rest", rest)
		rest = cell
	}
	return rest
}

// Quads returns the model in RDF, in the default graph: every label as a skos:Concept with its nearest
// broader ones, and every rule as a swrl:Imp, in order. A rule of an Alpha set is
//
//	Item(?i), hasTerm(?i, term) → isClassified(?i, label)
//
// and that of a Beta set, one per label, is
//
//	Item(?i), (hasTerm min δ {term …})(?i) → isClassified(?i, label)
//
// whose second atom is of an OWL class, since SWRL cannot count; all terms are declared different. Two
// further rules state that a label that is a term of an item is one of its labels, and that broader labels
// are.
func (m *Model) Quads() iter.Seq[rdf.Quad] {
	return func(yield func(rdf.Quad) bool) {
		s := &speaker{yield: yield}
		s.stateScheme()
		for _, t := range m.labels() {
			m.stateLabel(s, t)
			if s.over {
				return
			}
		}
		rules := m.Rules()
		s.stateTerms(rules)
		for start, i := 0, 1; i <= len(rules) && !s.over; i++ {
			if i == len(rules) || rules[i].Label != rules[start].Label {
				m.stateRules(s, rules[start:i])
				start = i
			}
		}
	}
}

// stateScheme states the fixed part, independent of the model.
func (s *speaker) stateScheme() {
	s.a(rdf.NewIRI(Scheme), skos+"ConceptScheme")
	s.state(rdf.NewIRI(ClassLabel), rdfs+"subClassOf", rdf.NewIRI(ClassTerm))
	s.state(rdf.NewIRI(ClassLabel), rdfs+"subClassOf", rdf.NewIRI(skos+"Concept"))
	item := s.a(rdf.NewIRI(itemVariable), swrl+"Variable")
	term := s.a(rdf.NewIRI("urn:semxdm:variable:label"), swrl+"Variable")
	above := s.a(rdf.NewIRI("urn:semxdm:variable:broader"), swrl+"Variable")
	label := func() rdf.Term { return s.classAtom(rdf.NewIRI(ClassLabel), term) }
	s.imp("urn:semxdm:rule:term", IsClassified, item, term, s.atom(HasTerm, item, term), label())
	s.imp("urn:semxdm:rule:broader", IsClassified, item, above,
		s.atom(IsClassified, item, term), s.atom(skos+"broader", term, above))
}

// stateTerms states the types of the rules' terms, and that they differ.
func (s *speaker) stateTerms(rules []Rule) {
	texts := make([]string, 0, len(rules))
	for _, r := range rules {
		texts = append(texts, r.Term)
	}
	slices.Sort(texts)
	var different []rdf.Term
	for _, text := range slices.Compact(texts) {
		if s.over {
			return
		}
		t := s.a(rdf.NewIRI(TermIRI(text)), ClassTerm)
		s.state(t, rdfs+"label", rdf.NewString(text))
		different = append(different, t)
	}
	if len(different) > 1 {
		all := s.a(s.node(), owl+"AllDifferent")
		s.state(all, owl+"distinctMembers", s.list("", different))
	}
}

func (m *Model) stateLabel(s *speaker, t uint32) {
	text := m.terms.all[t].text
	c := s.a(rdf.NewIRI(TermIRI(text)), skos+"Concept")
	s.a(c, ClassLabel)
	s.state(c, skos+"prefLabel", rdf.NewString(text))
	s.state(c, skos+"inScheme", rdf.NewIRI(Scheme))
	for _, x := range m.nearest(t) {
		s.state(c, skos+"broader", rdf.NewIRI(TermIRI(m.terms.all[x].text)))
	}
}

// stateRules states the rules of one label.
func (m *Model) stateRules(s *speaker, rules []Rule) {
	item, label := rdf.NewIRI(itemVariable), rdf.NewIRI(TermIRI(rules[0].Label))
	isItem := func() rdf.Term { return s.classAtom(rdf.NewIRI(ClassItem), item) }
	var set []rdf.Term
	for _, r := range rules {
		t := rdf.NewIRI(TermIRI(r.Term))
		if !r.Alpha {
			set = append(set, t)
			continue
		}
		s.imp(alphaIRI(r.Label, r.Term), IsClassified, item, label, isItem(), s.atom(HasTerm, item, t))
	}
	if together := m.p.together(uint32(len(set))); len(set) >= together {
		s.imp(betaIRI(rules[0].Label), IsClassified, item, label, isItem(), s.classAtom(s.atLeast(together, set), item))
	}
}

// atLeast returns the class of things with at least number terms of a set.
func (s *speaker) atLeast(number int, set []rdf.Term) rdf.Term {
	one := s.a(s.node(), owl+"Class")
	s.state(one, owl+"oneOf", s.list("", set))
	class := s.a(s.node(), owl+"Restriction")
	s.state(class, owl+"onProperty", rdf.NewIRI(HasTerm))
	s.state(class, owl+"minQualifiedCardinality", rdf.NewTyped(strconv.Itoa(number), xsd+"nonNegativeInteger"))
	s.state(class, owl+"onClass", one)
	return class
}

// imp states a rule with a head of one atom.
func (s *speaker) imp(name, property string, subject, object rdf.Term, body ...rdf.Term) {
	rule := s.a(rdf.NewIRI(name), swrl+"Imp")
	s.state(rule, swrl+"body", s.list(swrl+"AtomList", body))
	s.state(rule, swrl+"head", s.list(swrl+"AtomList", []rdf.Term{s.atom(property, subject, object)}))
}

func (s *speaker) atom(property string, subject, object rdf.Term) rdf.Term {
	n := s.a(s.node(), swrl+"IndividualPropertyAtom")
	s.state(n, swrl+"propertyPredicate", rdf.NewIRI(property))
	s.state(n, swrl+"argument1", subject)
	s.state(n, swrl+"argument2", object)
	return n
}

func (s *speaker) classAtom(class, of rdf.Term) rdf.Term {
	n := s.a(s.node(), swrl+"ClassAtom")
	s.state(n, swrl+"classPredicate", class)
	s.state(n, swrl+"argument1", of)
	return n
}

// ItemQuads returns an item in RDF, under an IRI: its terms that count, and with classified also its current
// labels.
func (m *Model) ItemQuads(iri string, it Item, classified bool) iter.Seq[rdf.Quad] {
	return func(yield func(rdf.Quad) bool) {
		s := &speaker{yield: yield}
		subject := s.a(rdf.NewIRI(iri), ClassItem)
		for _, t := range it.terms(m.p.Terms) {
			if s.over {
				return
			}
			s.state(subject, HasTerm, rdf.NewIRI(TermIRI(t.Text)))
		}
		if !classified {
			return
		}
		for _, h := range m.Classify(it) {
			if s.over {
				return
			}
			s.state(subject, IsClassified, rdf.NewIRI(TermIRI(h.Label)))
		}
	}
}

// String returns the rule in readable form.
func (r Rule) String() string {
	if r.Alpha {
		return fmt.Sprintf("%s → %s (%.2f)", r.Term, r.Label, r.P)
	}
	return fmt.Sprintf("%s, … → %s (%.2f)", r.Term, r.Label, r.P)
}
