package metadata

import (
	"slices"
	"strings"

	"orbweaver/rdf"
)

// A dereference looks into a term's own document.
type dereference struct {
	name     string
	patterns []pattern
}

// Dereference is the paper's first processor: over the document of a term's IRI it asks for what relations
// lead to.
func Dereference(relations ...Relation) Processor {
	return dereference{"dereference", patternsOf(relations)}
}

// Name is "dereference".
func (d dereference) Name() string { return d.name }

// most is how many statements of one pattern are examined.
const most = 10_000

// Look returns what the document relates to a term, by patterns, each in the order of IRIs.
func (d dereference) Look(t string, said Matcher) (found []Found, err error) {
	for _, p := range d.patterns {
		more, err := p.look(t, said)
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	return found, nil
}

// look is what one pattern finds.
func (p pattern) look(t string, said Matcher) (found []Found, err error) {
	if !p.sibling {
		items, err := related(t, p.property, p.inverse, said)
		for _, item := range items {
			found = append(found, p.found(t, item, ""))
		}
		return found, err
	}
	above, err := related(t, p.property, false, said)
	for _, one := range above {
		items, err := related(one, p.property, true, said)
		if err != nil {
			return nil, err
		}
		for _, item := range items {
			if item != t {
				found = append(found, p.found(t, item, one))
			}
		}
	}
	return found, err
}

// related are the classes that one property relates to another class, in order.
func related(t, property string, inverse bool, said Matcher) (items []string, err error) {
	s, o := rdf.NewIRI(t), rdf.Term{}
	if inverse {
		s, o = o, s
	}
	n := 0
	for q, err := range said(s, rdf.NewIRI(property), o) {
		if err != nil {
			return nil, err
		}
		if n++; n > most {
			break
		}
		other := q.O
		if inverse {
			other = q.S
		}
		if other.Kind == rdf.IRI && isTerm(other.Value) && other.Value != t {
			items = append(items, other.Value)
		}
	}
	slices.Sort(items)
	return slices.Compact(items), nil
}

// matches finds what vocabularies say is like a term, in its document and in datasets.
type matches struct {
	dereference
	property
}

// Matches is a processor beyond the paper: rdfs:seeAlso and SKOS's mapping properties, in the documents of
// terms and in datasets. A seeAlso often names a page and no class: what ends like a file of a page or a
// picture is left out.
func Matches() Processor {
	patterns := patternsOf(MatchRelations())
	return matches{dereference{"matches", patterns}, property{"matches", patterns}}
}

// Name is "matches".
func (m matches) Name() string { return m.dereference.name }

// Look leaves pages out.
func (m matches) Look(t string, said Matcher) ([]Found, error) {
	found, err := m.dereference.Look(t, said)
	return classesOnly(found), err
}

// Read leaves pages out.
func (m matches) Read(q Question, r *rdf.Results) (Reading, []Question) {
	read, more := m.property.Read(q, r)
	read.Found = classesOnly(read.Found)
	return read, more
}

// classesOnly leaves out what is a page by its look.
func classesOnly(found []Found) []Found {
	return slices.DeleteFunc(found, func(f Found) bool {
		name := strings.ToLower(f.Item[strings.LastIndexByte(f.Item, '/')+1:])
		for _, ending := range [...]string{".html", ".htm", ".php", ".pdf", ".png", ".jpg", ".gif", ".svg", ".txt"} {
			if strings.HasSuffix(name, ending) {
				return true
			}
		}
		return false
	})
}
