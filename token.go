package orbweaver

import "strings"

// hasToken reports whether a space-separated list holds a token.
func hasToken(list, token string) bool {
	for t := range strings.FieldsSeq(list) {
		if t == token {
			return true
		}
	}
	return false
}
