package microdata

import (
	"strings"

	"orbweaver/rdf/iri"
)

// A Vocabulary is an entry of a registry (3): the properties of types that start with its prefix are named by
// the prefix, regardless of the rest of the type.
type Vocabulary struct {
	Prefix     string // an absolute IRI
	Properties []Property
}

// A Property of a vocabulary implies others: each of its triples is repeated with their names.
type Property struct {
	Name               string // without the vocabulary's prefix
	SubPropertyOf      []string
	EquivalentProperty []string
}

// Registry returns a new copy of the Note's default registry (D), with the https form of schema.org added.
func Registry() []Vocabulary {
	properties := []Property{{Name: "additionalType", SubPropertyOf: []string{rdfType}}}
	return []Vocabulary{
		{Prefix: "http://schema.org/", Properties: properties},
		{Prefix: "https://schema.org/", Properties: properties},
		{Prefix: "http://microformats.org/profile/hcard"},
	}
}

// A vocabulary maps names to predicates.
type vocabulary struct {
	prefix     string // ends in "#" or "/"
	properties []Property
}

// vocabularyOf returns the vocabulary of a type: the registry's, or else the type up to its fragment or last
// path segment (6.3, step 6).
func (p *reader) vocabularyOf(typ string) *vocabulary {
	for _, v := range p.opts.Registry {
		if strings.HasPrefix(typ, v.Prefix) {
			return &vocabulary{prefix: ended(v.Prefix), properties: v.Properties}
		}
	}
	if before, _, found := strings.Cut(typ, "#"); found {
		return &vocabulary{prefix: before + "#"}
	}
	path, _, _ := strings.Cut(typ, "?")
	slash := strings.LastIndexByte(path, '/')
	if slash < 0 || strings.HasSuffix(path[:slash+1], "://") { // no path to cut
		return &vocabulary{prefix: ended(path)}
	}
	return &vocabulary{prefix: path[:slash+1]}
}

// ended returns a prefix with a final separator.
func ended(prefix string) string {
	if strings.HasSuffix(prefix, "/") || strings.HasSuffix(prefix, "#") {
		return prefix
	}
	return prefix + "#"
}

// predicate returns the IRI of a name (6.4); false if it needs a base and there is none. Names of items
// without a vocabulary are fragments of the page.
func (p *reader) predicate(name string, vocab *vocabulary) (string, bool) {
	switch {
	case iri.IsAbsolute(name):
		return encoded(name, ""), true
	case vocab != nil:
		return vocab.prefix + encoded(name, reserved), true
	case p.base.IsZero():
		return "", false
	}
	return p.base.String() + "#" + encoded(name, reserved), true
}

// implied returns the properties that a property implies.
func (v *vocabulary) implied(name, predicate string) []string {
	if iri.IsAbsolute(name) {
		name = strings.TrimPrefix(predicate, v.prefix)
	}
	for _, p := range v.properties {
		if p.Name == name {
			return append(p.SubPropertyOf[:len(p.SubPropertyOf):len(p.SubPropertyOf)], p.EquivalentProperty...)
		}
	}
	return nil
}
