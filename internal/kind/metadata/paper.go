package metadata

import (
	"slices"
	"strings"

	"orbweaver/internal/crawlfile"
)

// modePaper is the mode of the paper's crawler.
const modePaper = "paper"

// checkPaper completes mode: paper and reports keys that contradict it.
func (m *section) checkPaper(c *crawlfile.Check) {
	if m.Mode != modePaper {
		return
	}
	for _, one := range []struct {
		key, paper string
		value      *string
	}{
		{"expand", "paper", &m.Expand}, {"order", "prepended", &m.Order}, {"batch", "term", &m.Batch}, {"void", "off", &m.Void},
	} {
		if c.Given(one.key) && *one.value != one.paper {
			contradicts(c, one.key, *one.value, one.paper)
		}
		*one.value = one.paper
	}
	processors := []string{"dereference", "property", "instances"}
	if len(m.Processors) > 0 && !sameWords(m.Processors, processors) {
		contradicts(c, "processors", strings.Join(m.Processors, ", "), strings.Join(processors, ", "))
	}
	m.Processors = processors
	if !m.paperProperties() {
		contradicts(c, "properties", "other properties", "~owl:sameAs, ~owl:equivalentClass, ^rdfs:subClassOf, or ~rdfs:subClassOf as section 5.1 once prints it")
	}
}

// paperProperties reports whether the properties are those of a reading of section 5.1.
func (m *section) paperProperties() bool {
	const below, same, equivalent = "http://www.w3.org/2000/01/rdf-schema#subClassOf", "~http://www.w3.org/2002/07/owl#sameAs", "~http://www.w3.org/2002/07/owl#equivalentClass"
	return len(m.Properties) == 0 || sameWords(m.Properties, []string{same, equivalent, "^" + below}) ||
		sameWords(m.Properties, []string{same, equivalent, "~" + below})
}

// sameWords reports whether two lists have the same words, in whatever order.
func sameWords(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// contradicts reports a key that mode: paper has at another value.
func contradicts(c *crawlfile.Check, key, is, paper string) {
	c.Problem(key, is+" contradicts mode: paper, which has "+key+": "+paper, "leave out "+key+", or mode: paper")
}
