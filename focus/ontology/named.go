package ontology

import (
	"strings"

	"orbweaver"
)

// EntityOf returns the entity that a reason of this package names, and the words or statements of the page that name it; false for
// reasons of other rules. It parses the format of evidence.
func EntityOf(r orbweaver.Reason) (name, words string, ok bool) {
	if r.Rule != RuleEntity && r.Rule != RuleData {
		return "", "", false
	}
	name, words, ok = strings.Cut(r.Evidence, ": ")
	return name, words, ok
}
