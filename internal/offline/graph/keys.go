package graph

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"orbweaver"
	"orbweaver/rdf"
	"orbweaver/rdf/iri"
)

const (
	nsOWL = "http://www.w3.org/2002/07/owl#"
	nsRDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
)

var (
	sameAs  = rdf.NewIRI(nsOWL + "sameAs")
	rdfType = rdf.NewIRI(nsRDF + "type")
)

// key is a set of properties whose values together mean one entity.
type key struct {
	class      string // of the entities; empty: any
	properties []string
}

// keys are the keys of a graph.
type keys struct {
	all []key
	of  map[string]bool // properties of keys
}

func (k *keys) add(class string, properties []string) {
	if k.of == nil {
		k.of = map[string]bool{}
	}
	for _, p := range properties {
		k.of[p] = true
	}
	k.all = append(k.all, key{class, properties})
}

// parse adds the key of a flag: a property, or a class and the properties of its key, with spaces between.
func (k *keys) parse(text string, prefixes Namespace) error {
	words := strings.Fields(text)
	if len(words) == 0 || len(words) > 1+maxKey {
		return fmt.Errorf("--key: it is a property, or a class and up to %d properties, with spaces between (%w)", maxKey, orbweaver.ErrInput)
	}
	for i, word := range words {
		name, err := expand(word, prefixes)
		if err != nil {
			return err
		}
		words[i] = name
	}
	if len(words) == 1 {
		k.add("", words)
	} else {
		k.add(words[0], words[1:])
	}
	return nil
}

// expand returns an absolute IRI for an IRI or a prefixed name.
func expand(name string, prefixes Namespace) (string, error) {
	prefix, local, found := strings.Cut(name, ":")
	if found && !strings.HasPrefix(local, "//") {
		if namespace, known := prefixes(prefix); known {
			return namespace + local, nil
		}
	}
	if err := iri.Check(name); err != nil {
		return "", fmt.Errorf("--key %s: %w (%w)", name, err, orbweaver.ErrInput)
	}
	return name, nil
}

// maxKey bounds the properties of one key.
const maxKey = 8

// read adds the keys that statements declare: owl:InverseFunctionalProperty and owl:hasKey.
func (k *keys) read(triples []rdf.Triple) {
	next := map[rdf.Term][2]rdf.Term{}
	for _, t := range triples {
		cell := next[t.S]
		switch t.P.Value {
		case nsRDF + "first":
			cell[0] = t.O
			next[t.S] = cell
		case nsRDF + "rest":
			cell[1] = t.O
			next[t.S] = cell
		case rdfType.Value:
			if t.O == rdf.NewIRI(nsOWL+"InverseFunctionalProperty") && t.S.Kind == rdf.IRI {
				k.add("", []string{t.S.Value})
			}
		}
	}
	for _, t := range triples {
		if t.P.Value != nsOWL+"hasKey" || t.S.Kind != rdf.IRI {
			continue
		}
		var properties []string
		for cell := t.O; next[cell][0].Kind == rdf.IRI && len(properties) <= maxKey; cell = next[cell][1] {
			properties = append(properties, next[cell][0].Value)
		}
		if 0 < len(properties) && len(properties) <= maxKey {
			k.add(t.S.Value, properties)
		}
	}
}

// Limits of the keys of one page.
const (
	maxKeyed     = 1 << 16 // entities with values of keys
	maxKeyValues = 16      // of one property of one entity, and combinations of several
	maxKeyValue  = 1 << 12 // bytes of a value
)

// keyed is what a page says of entities that keys need.
type keyed struct {
	keys     *keys
	entities map[rdf.Term]map[string][]string // values by property, in which rdf:type stands for classes
}

// note takes a statement.
func (k *keyed) note(t rdf.Triple) {
	of := k.keys.of[t.P.Value]
	if !of && t.P != rdfType || t.S.Kind == rdf.Literal || len(k.keys.all) == 0 {
		return
	}
	value := keyValue(t.O)
	if value == "" || len(value) > maxKeyValue {
		return
	}
	values := k.entities[t.S]
	if values == nil {
		if len(k.entities) >= maxKeyed {
			return
		}
		values = map[string][]string{}
		k.entities[t.S] = values
	}
	if known := values[t.P.Value]; len(known) < maxKeyValues && !slices.Contains(known, value) {
		values[t.P.Value] = append(known, value)
	}
}

// keyValue returns what is compared of a value: its text, whether it is an IRI or a literal, and without mailto:. Blank nodes have
// none.
func keyValue(t rdf.Term) string {
	if t.Kind == rdf.Blank {
		return ""
	}
	return strings.TrimPrefix(strings.TrimSpace(t.Value), "mailto:")
}

// unite makes entities equal that have the same values of a key.
func (k *keyed) unite(c *classes) {
	for entity, values := range k.entities {
		for n, key := range k.keys.all {
			if key.class != "" && !slices.Contains(values[rdfType.Value], key.class) {
				continue
			}
			for _, combination := range combinations(key.properties, values) {
				if at := c.value(strconv.Itoa(n) + combination); at >= 0 {
					c.unite(c.entity(entity, true), at)
				}
			}
		}
	}
}

// combinations returns the combinations of the values of properties, at most maxKeyValues.
func combinations(properties []string, values map[string][]string) []string {
	out := []string{""}
	for _, p := range properties {
		var longer []string
		for _, before := range out {
			for _, v := range values[p] {
				if len(longer) < maxKeyValues {
					longer = append(longer, before+" "+strconv.Itoa(len(v))+v)
				}
			}
		}
		out = longer
	}
	return out
}
