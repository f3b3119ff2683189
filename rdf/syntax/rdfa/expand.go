package rdfa

import (
	"slices"

	"orbweaver/rdf"
)

// copyPatterns adds the triples that a subject copies by rdfa:copy and removes the patterns that were copied
// (HTML+RDFa, section 3.5).
func (o *output) copyPatterns() {
	pattern := rdf.Triple{P: rdf.NewIRI(rdfType), O: rdf.NewIRI(rdfaNS + "Pattern")}
	copies := rdf.NewIRI(rdfaNS + "copy")
	says := map[rdf.Term][]rdf.Triple{} // by pattern
	for _, t := range o.triples {
		if t.P == pattern.P && t.O == pattern.O {
			says[t.S] = nil
		}
	}
	if len(says) == 0 {
		return
	}
	used := map[rdf.Term]bool{}
	copied := map[rdf.Term][]rdf.Term{} // patterns by subject
	var order []rdf.Term
	for _, t := range o.triples {
		_, fromPattern := says[t.S]
		_, toPattern := says[t.O]
		switch {
		case t.P == copies && toPattern:
			used[t.O] = true
			if copied[t.S] == nil {
				order = append(order, t.S)
			}
			copied[t.S] = append(copied[t.S], t.O)
		case fromPattern && (t.P != pattern.P || t.O != pattern.O):
			says[t.S] = append(says[t.S], t)
		}
	}
	if len(used) == 0 {
		return
	}
	kept := o.triples[:0]
	for _, t := range o.triples {
		if _, toPattern := says[t.O]; !used[t.S] && !(t.P == copies && toPattern) {
			kept = append(kept, t)
		}
	}
	o.triples = kept
	for _, subject := range order {
		if !used[subject] && !o.full {
			o.copyAll(subject, copied, says)
		}
	}
}

// copyAll copies to a subject the triples of all patterns it reaches.
func (o *output) copyAll(subject rdf.Term, copied map[rdf.Term][]rdf.Term, says map[rdf.Term][]rdf.Triple) {
	seen := map[rdf.Term]bool{subject: true}
	for next := slices.Clone(copied[subject]); len(next) > 0; next = next[1:] {
		pattern := next[0]
		if seen[pattern] {
			continue
		}
		seen[pattern] = true
		if !o.charge() {
			return
		}
		for _, t := range says[pattern] {
			if o.emit(subject, t.P, t.O); o.full {
				return
			}
		}
		next = append(next, copied[pattern]...)
	}
}

const (
	maxVocabularies = 16   // vocabularies read for one page
	maxBroader      = 1000 // names implied by one name
)

// expand adds the triples that the page's vocabularies imply (section 10).
func (o *output) expand(vocabulary func(iri string) []rdf.Triple) {
	broader := map[rdf.Term][]rdf.Term{}
	asked := map[rdf.Term]bool{}
	for _, t := range o.triples {
		if t.P.Value != rdfaNS+"usesVocabulary" || asked[t.O] || len(asked) == maxVocabularies {
			continue
		}
		asked[t.O] = true
		for _, v := range vocabulary(t.O.Value) {
			switch v.P.Value {
			case owlNS + "equivalentProperty", owlNS + "equivalentClass":
				broader[v.O] = append(broader[v.O], v.S)
				fallthrough
			case rdfsNS + "subPropertyOf", rdfsNS + "subClassOf":
				broader[v.S] = append(broader[v.S], v.O)
			}
		}
	}
	if len(broader) == 0 {
		return
	}
	seen := make(map[rdf.Triple]bool, len(o.triples))
	for _, t := range o.triples {
		seen[t] = true
	}
	closed := map[rdf.Term][]rdf.Term{}
	for _, t := range o.triples { // triples of the page only: the closure is complete
		for _, p := range closure(t.P, broader, closed) {
			o.imply(rdf.Triple{S: t.S, P: p, O: t.O}, seen)
		}
		if t.P.Value == rdfType {
			for _, class := range closure(t.O, broader, closed) {
				o.imply(rdf.Triple{S: t.S, P: t.P, O: class}, seen)
			}
		}
	}
}

// imply adds a triple unless it is present.
func (o *output) imply(t rdf.Triple, seen map[rdf.Triple]bool) {
	if t.P.Kind == rdf.IRI && !seen[t] {
		seen[t] = true
		o.emit(t.S, t.P, t.O)
	}
}

// closure returns all names that a name implies, without itself.
func closure(name rdf.Term, broader, closed map[rdf.Term][]rdf.Term) []rdf.Term {
	if known, is := closed[name]; is {
		return known
	}
	seen := map[rdf.Term]bool{name: true}
	var out []rdf.Term
	for next := []rdf.Term{name}; len(next) > 0 && len(out) < maxBroader; next = next[1:] {
		for _, b := range broader[next[0]] {
			if !seen[b] && len(out) < maxBroader {
				seen[b] = true
				out, next = append(out, b), append(next, b)
			}
		}
	}
	closed[name] = out
	return out
}
