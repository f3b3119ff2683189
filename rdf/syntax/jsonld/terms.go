package jsonld

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

const (
	maxEntries = 100_000 // entries of a context
	maxName    = 4096    // bytes of a string in a context: a term, an IRI
	maxChain   = 32      // terms of one context that refer to each other
)

// terms are measures of contexts.
type terms struct {
	entries int            // at all levels
	longest int            // bytes of a string
	chain   int            // terms that refer to each other
	scoped  map[string]int // entries of scoped contexts, by term
	bounded bool           // a context ends with the node that has it
	based   bool           // relative names must be resolved during expansion
}

// add adds the measures of other contexts.
func (t *terms) add(other terms) {
	t.entries = min(t.entries+other.entries, maxWork)
	t.longest = max(t.longest, other.longest)
	t.chain = max(t.chain, other.chain)
	t.bounded = t.bounded || other.bounded
	t.based = t.based || other.based
	for term, entries := range other.scoped {
		t.scope(term, entries)
	}
}

// scope records that a term has a context.
func (t *terms) scope(term string, entries int) {
	if t.scoped == nil {
		t.scoped = map[string]int{}
	}
	t.scoped[term] = max(t.scoped[term], entries)
}

// context measures a context of the document or of a remote one. It looks up references unless lookup is nil.
func (t *terms) context(local any, remote bool, lookup lookupFunc) error {
	t.entries++
	switch c := local.(type) {
	case string:
		t.refer(c, lookup)
	case []any:
		t.entries += rowCost * len(c)
		for _, item := range c {
			if err := t.context(item, remote, lookup); err != nil {
				return err
			}
		}
	case map[string]any:
		if n, ok := c["@version"].(json.Number); ok {
			c["@version"], _ = n.Float64()
		}
		if ref, ok := c["@import"].(string); ok {
			t.refer(ref, lookup)
		}
		_, based := c["@base"]
		_, bounded := c["@propagate"]
		vocab, isVocab := c["@vocab"].(string)
		t.based = t.based || based && !remote || isVocab && !strings.Contains(vocab, ":")
		t.bounded = t.bounded || bounded
		if err := t.table(c, remote); err != nil {
			return err
		}
		return t.chains(c)
	}
	return nil
}

// refer adds a remote context.
func (t *terms) refer(ref string, lookup lookupFunc) {
	if lookup != nil {
		t.add(lookup(ref))
	}
}

// table measures the entries of a context.
func (t *terms) table(c map[string]any, remote bool) error {
	for _, name := range slices.Sorted(maps.Keys(c)) {
		if t.entries++; t.entries > maxEntries {
			return fmt.Errorf("%w: contexts of more than %d entries", errTooMuch, maxEntries)
		}
		m, ok := c[name].(map[string]any)
		if name == "" || name == "@context" || name == "@type" && ok && len(m) == 0 {
			return fmt.Errorf("invalid term definition: %q", name) // json-gold accepts it
		}
		if err := t.name(name); err != nil {
			return err
		}
		if text, ok := c[name].(string); ok {
			if err := t.name(text); err != nil {
				return err
			}
		}
		if err := t.definition(name, m, remote); err != nil {
			return err
		}
	}
	return nil
}

// definition measures a term definition.
func (t *terms) definition(term string, definition map[string]any, remote bool) error {
	for _, key := range slices.Sorted(maps.Keys(definition)) {
		value := definition[key]
		if text, ok := value.(string); ok && key != "@context" {
			if err := t.name(text); err != nil {
				return err
			}
		}
		if key == "@context" {
			before := t.entries
			if err := t.context(value, remote, nil); err != nil {
				return err
			}
			t.scope(term, t.entries-before)
		}
	}
	return nil
}

// name measures a string of a context.
func (t *terms) name(text string) error {
	if t.longest = max(t.longest, len(text)); len(text) > maxName {
		return fmt.Errorf("%w: %q in a context has more than %d bytes", errTooMuch, cut(text), maxName)
	}
	return nil
}

// chains measures the longest chain of terms that refer to each other. json-gold follows it by recursion.
func (t *terms) chains(c map[string]any) error {
	length := map[string]int{}
	for _, term := range slices.Sorted(maps.Keys(c)) {
		n := chain(c, term, length, 0)
		if t.chain = max(t.chain, n); n > maxChain {
			return fmt.Errorf("%w: the term %q is defined by more than %d others", errTooMuch, cut(term), maxChain)
		}
	}
	return nil
}

// chain returns the length of the chain of terms that starts with term. A cycle, which is an error that
// json-gold reports, counts the terms up to its end.
func chain(c map[string]any, term string, known map[string]int, depth int) int {
	value, ok := c[term]
	if !ok {
		return 0
	}
	if n, ok := known[term]; ok {
		return n
	}
	if depth > maxChain {
		return 1
	}
	known[term] = 1 // a cycle ends here
	longest := 0
	follow := func(name string) {
		prefix, _, compact := strings.Cut(name, ":")
		longest = max(longest, chain(c, name, known, depth+1))
		if compact {
			longest = max(longest, chain(c, prefix, known, depth+1))
		}
	}
	if prefix, _, compact := strings.Cut(term, ":"); compact {
		longest = chain(c, prefix, known, depth+1)
	}
	switch value := value.(type) {
	case string:
		follow(value)
	case map[string]any:
		for _, key := range []string{"@id", "@reverse", "@type"} {
			if name, ok := value[key].(string); ok {
				follow(name)
			}
		}
	}
	known[term] = longest + 1
	return longest + 1
}
