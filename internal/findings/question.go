package findings

import (
	"cmp"
	"fmt"
	"strings"

	"orbweaver/internal/console"
	"orbweaver/kb/relevance"
	"orbweaver/kb/terms"
)

// The bounds of a question in words, in characters.
const (
	mostName = 60
	mostIRI  = 500
)

// InQuestion puts a question into words, on three lines.
func InQuestion(q relevance.Question) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Does %s (%s) belong to the topic?\n", console.Visible(q.Label, mostName), console.Visible(q.Class, mostIRI))
	fmt.Fprintf(&b, "  It is above %s. The chance is %.0f %%.\n", LocalNames(q.Terms), 100*q.Chance)
	classes := "classes"
	if q.Gain == 1 {
		classes = "class"
	}
	fmt.Fprintf(&b, "  A yes adds %d %s: %s", q.Gain, classes, LocalNames(q.Would))
	if more := q.Gain - len(q.Would); more > 0 {
		fmt.Fprintf(&b, ", and %d more", more)
	}
	return b.String()
}

// LocalNames lists the local names of classes.
func LocalNames(classes []string) string {
	names := make([]string, 0, len(classes))
	for _, iri := range classes {
		names = append(names, console.Visible(cmp.Or(strings.TrimPrefix(iri, terms.Namespace(iri)), iri), mostName))
	}
	return strings.Join(names, ", ")
}

// ForShell quotes an IRI with characters that a shell does not take as they are.
func ForShell(iri string) string {
	if !strings.ContainsAny(iri, "&;$()*?![]'|~\\`\" ") {
		return iri
	}
	return "'" + strings.ReplaceAll(iri, "'", `'\''`) + "'"
}
