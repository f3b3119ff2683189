package ontology

import (
	"fmt"
	"strings"
	"sync"

	"orbweaver/internal/crawlfile"
	"orbweaver/kb/ontology"
)

// checkTargets resolves targets: IRIs, prefixed names and, from the files, local names and labels.
func (f *section) checkTargets(c *crawlfile.Check) {
	knowledge := sync.OnceValues(func() (*ontology.Ontology, error) { return ontology.Load(f.Files...) })
	for i, name := range f.Target {
		iri, msg, hint := "", "", ""
		if !c.Looks() || !isPlainName(name, c.Prefixes) {
			iri, msg, hint = c.Expand(name)
		} else if known, err := knowledge(); err == nil {
			iri, msg, hint = named(known, name)
		} else {
			continue // whoever builds the focus says what is wrong with the files, each by itself
		}
		if msg != "" {
			c.Problem(c.Item("target", i), msg, hint)
			continue
		}
		f.Target[i] = iri
	}
}

// isPlainName reports whether a name is a local name or label, not an IRI or prefixed name.
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
		return "", crawlfile.Quote(name) + " names nothing in the ontology", "near are " + strings.Join(o.Nearest(name, 3), ", ")
	}
	var iris []string
	for _, i := range found[:min(len(found), shownCandidates)] {
		iris = append(iris, o.Entity(i).IRI)
	}
	if more := len(found) - shownCandidates; more > 0 {
		iris = append(iris, fmt.Sprintf("%d more", more))
	}
	return "", crawlfile.Quote(name) + " names several entities: " + strings.Join(iris, ", "), "write the IRI of one"
}
