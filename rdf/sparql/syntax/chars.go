package syntax

import (
	"unicode/utf8"

	"orbweaver/rdf/internal/lex"
)

// isVar reports whether a character can follow the first one in a variable's name: VARNAME.
func isVar(r rune) bool { return r != '-' && lex.IsName(r) }

// isVarStart reports whether a character can start a variable's name.
func isVarStart(r rune) bool {
	return lex.IsNameStart(r) || r == '_' || r < utf8.RuneSelf && lex.IsDigit(byte(r))
}

// span returns the length of the run of characters at the start of s.
func span(s string, in func(rune) bool) int {
	for i, r := range s {
		if !in(r) {
			return i
		}
	}
	return len(s)
}
