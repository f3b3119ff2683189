package ontology

import (
	"strings"

	"orbweaver"
)

// EntityOf returns the name of the entity that a reason of this package names; false for reasons of other
// rules. It parses the format of evidence.
func EntityOf(r orbweaver.Reason) (name string, ok bool) {
	if r.Rule != RuleEntity {
		return "", false
	}
	name, _, ok = strings.Cut(r.Evidence, ": ")
	return name, ok
}
