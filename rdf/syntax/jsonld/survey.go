package jsonld

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// These constants bound the work of json-gold for a document.
const (
	maxWork   = MaxWork
	parseCost = 20        // of parsing an entry
	rowCost   = 8         // of a context in an array of contexts
	loadCost  = 100       // of each request of json-gold for a context
	maxGrowth = 256 << 20 // bytes to which expansion may grow names
)

// errTooMuch reports a document whose expansion could exceed MaxWork.
var errTooMuch = errors.New("too much work")

// A survey measures a document and its contexts before json-gold processes them: the library copies all
// active terms at each nested context, and expands each name to the length that contexts define. All figures
// are upper bounds: a harmless document may be rejected, at sizes far beyond real ones.
type survey struct {
	terms               // of all contexts
	values   int        // of the document, to be expanded
	contexts int        // objects with a context
	links    int        // contexts active at one place
	work     int        // so far
	empty    bool       // the document has an empty string
	lookup   lookupFunc // finds remote contexts
}

// lookupFunc returns the terms of a remote context including those it includes; empty if it is unavailable.
type lookupFunc func(ref string) terms

// document measures a document. Numbers in its contexts become float64, as json-gold wants them.
func (s *survey) document(v any) error {
	if err := s.walk(v, 0, 0); err != nil {
		return err
	}
	return s.check()
}

// walk measures a value at a place where contexts with active entries and links are active.
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
	for _, name := range slices.Sorted(maps.Keys(v)) { // sorted: the first error found decides
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

// scopedWork returns the cost of term-scoped contexts in an object that uses those terms as properties or
// types.
func (s *survey) scopedWork(v map[string]any, active int) (work int) {
	if len(s.scoped) == 0 && !s.bounded {
		return 0
	}
	use := func(name string) {
		if entries, ok := s.scoped[name]; ok {
			work += 2 * (active + parseCost*entries) // for the term, and again for its object
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
		case map[string]any: // its names may be types
			for name := range value {
				use(name)
			}
		}
	}
	return work
}

// linksOf returns the number of contexts in an array of contexts, or 1.
func linksOf(local any) int {
	if list, ok := local.([]any); ok {
		return len(list)
	}
	return 1
}

// load adds the cost of a request of json-gold for a context. A context not looked up before is term-scoped
// and could be active anywhere.
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
