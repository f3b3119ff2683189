package jsonld

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// What json-gold does for a document is bounded by these.
const (
	maxWork   = MaxWork
	parseCost = 20        // of reading an entry
	rowCost   = 8         // of a context in a row of contexts
	loadCost  = 100       // of each time json-gold asks for a context
	maxGrowth = 256 << 20 // bytes that names can grow to by being expanded
)

// errTooMuch says that a document could cost more than is allowed to one.
var errTooMuch = errors.New("too much work")

// A survey measures a document and the contexts it uses before json-gold sees them: the library
// copies all terms in force at each context within a context, and makes each name as long as contexts
// have it. All figures are bounds from above: a document may be refused that would have done no
// harm, at sizes that no honest one has.
type survey struct {
	terms               // of all contexts
	values   int        // of the document: what there is to expand
	contexts int        // objects that have contexts
	links    int        // contexts in force at one place
	work     int        // so far
	empty    bool       // the document has an empty string
	lookup   lookupFunc // finds remote contexts
}

// lookupFunc returns the terms of a remote context with those it includes; none when it cannot be had.
type lookupFunc func(ref string) terms

// document measures a document. Numbers in its contexts become float64, as json-gold wants them.
func (s *survey) document(v any) error {
	if err := s.walk(v, 0, 0); err != nil {
		return err
	}
	return s.check()
}

// walk measures a value that stands where contexts of so many entries and links are in force.
func (s *survey) walk(v any, active, links int) error {
	s.values++
	switch v := v.(type) {
	case string:
		s.empty = s.empty || v == ""
	case []any:
		for _, item := range v {
			if err := s.walk(item, active, links); err != nil {
				return err
			}
		}
	case map[string]any:
		return s.object(v, active, links)
	}
	return nil
}

// object measures an object.
func (s *survey) object(v map[string]any, active, links int) error {
	if local, ok := v["@context"]; ok {
		own := terms{}
		if err := own.context(local, false, s.lookup); err != nil {
			return err
		}
		s.contexts++
		active += own.entries
		s.work += active + parseCost*own.entries
		links += linksOf(local)
		s.links = max(s.links, links)
		s.add(own)
		if err := s.check(); err != nil {
			return err
		}
	}
	s.work += s.scopedWork(v, active)
	for _, name := range slices.Sorted(maps.Keys(v)) { // in order: what is found first decides
		if name == "@context" {
			continue
		}
		s.values++
		s.empty = s.empty || name == ""
		if err := s.walk(v[name], active, links); err != nil {
			return err
		}
	}
	return nil
}

// scopedWork returns what the contexts of terms cost where an object uses those terms, as names of
// properties or types.
func (s *survey) scopedWork(v map[string]any, active int) (work int) {
	if len(s.scoped) == 0 && !s.bounded {
		return 0
	}
	use := func(name string) {
		if entries, ok := s.scoped[name]; ok {
			work += 2 * (active + parseCost*entries) // for the term, and again for the object it has
		}
	}
	work = active
	for name, value := range v {
		use(name)
		switch value := value.(type) {
		case string:
			use(value)
		case []any:
			for _, item := range value {
				if text, ok := item.(string); ok {
					use(text)
				}
			}
		case map[string]any: // whose names may be types
			for name := range value {
				use(name)
			}
		}
	}
	return work
}

// linksOf returns how many contexts one context is a row of.
func linksOf(local any) int {
	if list, ok := local.([]any); ok {
		return len(list)
	}
	return 1
}

// load adds what it costs that json-gold asks for a context. One that was not looked up before is
// that of a term, and could be in force anywhere.
func (s *survey) load(remote terms, known bool) error {
	s.work += loadCost
	if !known {
		s.add(remote)
		s.links++
		s.work += remote.entries * (parseCost + s.contexts)
		if len(s.scoped) > 0 || s.bounded {
			s.work += remote.entries * s.values
		}
	}
	return s.check()
}

// check reports whether the figures are within the limits.
func (s *survey) check() error {
	switch growth := float64(s.values) * float64(s.longest) * float64(s.links) * float64(max(s.chain, 1)); {
	case s.work > maxWork:
		return fmt.Errorf("%w: terms would be copied too often", errTooMuch)
	case growth > maxGrowth:
		return fmt.Errorf("%w: names would grow too long", errTooMuch)
	}
	return nil
}
