package jsonld

import (
	"errors"
	"fmt"

	"github.com/piprate/json-gold/ld"

	"orbweaver/rdf/iri"
)

// An expansion is a document in expanded form (JSON-LD 1.1 API, section 5.1).
type expansion struct {
	nodes []any
	base  iri.Base // for names left relative; zero: those are dropped
	empty bool     // an empty name is a name, not a dropped one
}

// expand expands a document. json-gold resolves relative names as URLs, not as IRIs, and fails at names that
// are no URLs. It therefore gets no base, and the expansion's base resolves the rest, unless nested contexts
// change the base or expansion fails without one.
func expand(document any, l *loader) (expansion, error) {
	switch document.(type) {
	case map[string]any, []any:
	default:
		return expansion{}, unplaced(l.opts.Name, "the document is neither an object nor an array", nil)
	}
	settled, base := settle(document, l.base)
	if err := l.measure(settled); err != nil {
		return expansion{}, err
	}
	if !l.size.based {
		nodes, err := expandWith(settled, "", l)
		if err == nil && !l.size.based {
			return expansion{nodes, base, l.size.empty}, check(nodes, l.opts)
		}
		if err != nil && (l.err != nil || l.opts.Base == "") {
			return expansion{}, mistake(l, err)
		}
	}
	if err := l.measure(document); err != nil {
		return expansion{}, err
	}
	nodes, err := expandWith(document, l.opts.Base, l)
	if err != nil {
		return expansion{}, mistake(l, err)
	}
	return expansion{nodes, iri.Base{}, true}, check(nodes, l.opts)
}

// mistake returns the error that ends a document: the loader's error, if there is one.
func mistake(l *loader, expanding error) error {
	if l.err != nil {
		return unplaced(l.opts.Name, "remote context", l.err)
	}
	return unplaced(l.opts.Name, expanding.Error(), nil)
}

// expandWith calls json-gold and recovers from its panics on some invalid documents.
func expandWith(document any, base string, l *loader) (nodes []any, err error) {
	defer func() {
		if r := recover(); r != nil {
			nodes, err = nil, fmt.Errorf("cannot be expanded: %s", cut(fmt.Sprint(r)))
		}
	}()
	options := ld.NewJsonLdOptions(base)
	options.DocumentLoader = l
	nodes, err = ld.NewJsonLdProcessor().Expand(document, options)
	if err != nil {
		err = errors.New(cut(err.Error()))
	}
	return nodes, err
}

// check reports, in strict mode, invalid datatypes that json-gold accepts.
func check(v any, opts Options) error {
	if opts.Lenient {
		return nil
	}
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			if err := check(item, opts); err != nil {
				return err
			}
		}
	case map[string]any:
		datatype, typed := v["@type"]
		if _, value := v["@value"]; value {
			name, ok := datatype.(string)
			if typed && (!ok || iri.CheckRef(name) != nil) {
				return unplaced(opts.Name, "invalid typed value: "+cut(fmt.Sprint(datatype)), nil)
			}
			return nil
		}
		for _, item := range v {
			if err := check(item, opts); err != nil {
				return err
			}
		}
	}
	return nil
}
