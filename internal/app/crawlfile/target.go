package crawlfile

import (
	"fmt"
	"strings"
	"sync"

	"orbweaver/kb/ontology"
)

// shownCandidates is how many entities of one name, or near one, a problem lists.
const shownCandidates = 5

// checkTargets spells out the targets of an ontology focus. One that is neither an IRI nor a prefixed name is
// looked up in the ontology, by local name or label.
func (d *decoding) checkTargets(o *Ontology, key string, prefixes map[string]string) {
	knowledge := sync.OnceValues(func() (*ontology.Ontology, error) { return ontology.Load(o.Files...) })
	for i, name := range o.Target {
		iri, msg, hint := "", "", ""
		if !d.look || !isPlainName(name, prefixes) {
			iri, msg, hint = expand(name, prefixes)
		} else if known, err := knowledge(); err == nil {
			iri, msg, hint = named(known, name)
		} else {
			continue // whoever builds the focus says what is wrong with the files, each by itself
		}
		if msg != "" {
			d.problem(d.item(join(key, "target"), i), msg, hint)
			continue
		}
		o.Target[i] = iri
	}
}

// isPlainName tells a local name or label from an IRI or prefixed name.
func isPlainName(name string, prefixes map[string]string) bool {
	prefix, local, found := strings.Cut(strings.TrimSpace(name), ":")
	_, known := prefixes[prefix]
	return !strings.HasPrefix(prefix, "<") && (!found || !known && strings.HasPrefix(local, " "))
}

// named is the IRI of the one entity of a name.
func named(o *ontology.Ontology, name string) (iri, msg, hint string) {
	found := o.Named(name)
	switch len(found) {
	case 1:
		return o.Entity(found[0]).IRI, "", ""
	case 0:
		return "", shorten(name) + " names nothing in the ontology", "near are " + strings.Join(o.Nearest(name, 3), ", ")
	}
	var iris []string
	for _, i := range found[:min(len(found), shownCandidates)] {
		iris = append(iris, o.Entity(i).IRI)
	}
	if more := len(found) - shownCandidates; more > 0 {
		iris = append(iris, fmt.Sprintf("%d more", more))
	}
	return "", shorten(name) + " names several entities: " + strings.Join(iris, ", "), "write the IRI of one"
}
