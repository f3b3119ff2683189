package jsonld

import (
	"maps"
	"strings"
)

// pruneFrom is the least number of entries of a remote context that is worth pruning.
const pruneFrom = 64

// names are the strings of a document and of contexts that may be terms: whole, and up to their first colon.
// queue holds those still to be followed.
type names struct {
	known map[string]bool
	queue []string
}

func (n *names) add(s string) {
	for {
		if !n.known[s] {
			n.known[s] = true
			n.queue = append(n.queue, s)
		}
		i := strings.IndexByte(s, ':')
		if i <= 0 {
			return
		}
		s = s[:i]
	}
}

// addAll adds all strings of a value, keys included.
func (n *names) addAll(v any) {
	switch v := v.(type) {
	case string:
		n.add(v)
	case []any:
		for _, item := range v {
			n.addAll(item)
		}
	case map[string]any:
		for key, item := range v {
			n.add(key)
			n.addAll(item)
		}
	}
}

// pruned returns the part of a remote context that a document can use: the terms that it names, the terms
// that their definitions name, and all keywords. json-gold parses a context at every reference, and that of
// schema.org has thousands of terms. A context with scoped contexts is returned whole, since those may name
// any term.
//
// A mistake in an unused definition goes unnoticed.
func (l *loader) pruned(r *remote) any {
	if r.terms.entries < pruneFrom || len(r.terms.scoped) > 0 {
		return r.local
	}
	parts, isList := r.local.([]any)
	if !isList {
		parts = []any{r.local}
	}
	if l.names == nil {
		l.names = map[string]bool{}
		n := names{known: l.names}
		n.addAll(l.document)
	}
	n := names{known: maps.Clone(l.names)}
	for name := range n.known {
		n.queue = append(n.queue, name)
	}
	for _, other := range l.loaded {
		if other != r {
			n.addAll(other.local)
		}
	}
	kept := n.keep(parts)
	if !isList {
		return kept[0]
	}
	return kept
}

// keep copies the named entries of contexts.
func (n *names) keep(parts []any) []any {
	kept := make([]any, len(parts))
	for i, part := range parts {
		kept[i] = part
		table, ok := part.(map[string]any)
		if !ok {
			n.addAll(part)
			continue
		}
		some := map[string]any{}
		for _, name := range [...]string{
			"@base", "@direction", "@import", "@language", "@propagate", "@protected", "@type", "@version", "@vocab",
		} {
			if definition, ok := table[name]; ok {
				some[name] = definition
				n.addAll(definition)
			}
		}
		kept[i] = some
	}
	for len(n.queue) > 0 {
		name := n.queue[len(n.queue)-1]
		n.queue = n.queue[:len(n.queue)-1]
		for i, part := range parts {
			table, _ := part.(map[string]any)
			if definition, ok := table[name]; ok {
				kept[i].(map[string]any)[name] = definition
				n.addAll(definition)
			}
		}
	}
	return kept
}
