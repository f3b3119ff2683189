package ontology

import (
	"strings"

	"orbweaver"
)

// EntityOf is the name of the entity that a reason of this package names, and false for a reason of another rule. It reads
// what evidence writes.
func EntityOf(r orbweaver.Reason) (name, words string, ok bool) {
	if r.Rule != RuleEntity {
		return "", "", false
	}
	name, words, ok = strings.Cut(r.Evidence, ": ")
	return name, words, ok
}
