package metadata

import (
	"slices"
	"strings"

	"orbweaver/rdf"
)

// A dereference examines a term's own document.
type dereference struct {
	name     string
	patterns []pattern
}

// Dereference is the paper's first processor: it finds what the relations lead to in the document of a term's
// IRI.
func Dereference(relations ...Relation) Processor {
	return dereference{"dereference", patternsOf(relations)}
}

// Name is "dereference".
func (d dereference) Name() string { return d.name }

// most bounds the statements examined for one pattern.
const most = 10_000

// Look returns what the document relates to a term: pattern by pattern, each in the order of IRIs.
func (d dereference) Look(t string, match Matcher) (found []Found, err error) {
	for _, p := range d.patterns {
		more, err := p.look(t, match)
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	return found, nil
}

// look returns the matches of one pattern.
func (p pattern) look(t string, match Matcher) (found []Found, err error) {
	if !p.sibling {
		items, err := related(t, p.property, p.inverse, match)
		for _, item := range items {
			found = append(found, p.found(t, item, ""))
		}
		return found, err
	}
	above, err := related(t, p.property, false, match)
	for _, one := range above {
		items, err := related(one, p.property, true, match)
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

// related returns the classes that a property relates to a class, sorted.
func related(t, property string, inverse bool, match Matcher) (items []string, err error) {
	s, o := rdf.NewIRI(t), rdf.Term{}
	if inverse {
		s, o = o, s
	}
	n := 0
	for q, err := range match(s, rdf.NewIRI(property), o) {
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

// matches finds mappings between vocabularies, in documents and in datasets.
type matches struct {
	dereference
	property
}

// Matches is a processor beyond the paper: it follows rdfs:seeAlso and SKOS's mapping properties, in the
// documents of terms and in datasets. A seeAlso often names a page rather than a class: IRIs that end like an
// HTML page or a picture are left out.
func Matches() Processor {
	patterns := patternsOf(MatchRelations())
	return matches{dereference{"matches", patterns}, property{"matches", patterns}}
}

// Name is "matches".
func (m matches) Name() string { return m.dereference.name }

// Look finds related classes, without IRIs of pages.
func (m matches) Look(t string, match Matcher) ([]Found, error) {
	found, err := m.dereference.Look(t, match)
	return classesOnly(found), err
}

// Read parses an answer, without IRIs of pages.
func (m matches) Read(q Question, r *rdf.Results) (Reading, []Question) {
	read, more := m.property.Read(q, r)
	read.Found = classesOnly(read.Found)
	return read, more
}

// classesOnly removes IRIs that look like pages.
func classesOnly(found []Found) []Found {
	return slices.DeleteFunc(found, func(f Found) bool {
		name := strings.ToLower(f.Item[strings.LastIndexByte(f.Item, '/')+1:])
		for _, ending := range [...]string{".html", ".htm", ".php", ".pdf", ".docx", ".odt", ".epub", ".png", ".jpg", ".gif", ".svg", ".txt"} {
			if strings.HasSuffix(name, ending) {
				return true
			}
		}
		return false
	})
}
