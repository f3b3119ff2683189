package quads

import (
	"bytes"

	"orbweaver/rdf"
)

// Canonical returns a term as a store has it: with the language tag, which RDF compares without regard to
// case, in the case of RFC 5646, section 2.1.1 ("en-US", "zh-Hant"). That holds for the terms of a triple term, too.
func Canonical(t rdf.Term) rdf.Term {
	if t.Kind == rdf.TripleTerm {
		return t.Map(Canonical)
	}
	if t.Lang != "" {
		tag := []byte(t.Lang)
		if setCase(tag); string(tag) != t.Lang {
			t.Lang = string(tag)
		}
	}
	return t
}

// setCase converts a tag to lower case, except regions (two letters) and the first letters of scripts (of
// four), which follow the language and precede any extension (after a single letter).
func setCase(tag []byte) {
	extension := false
	for first := true; len(tag) > 0; first = false {
		n := bytes.IndexByte(tag, '-')
		if n < 0 {
			n = len(tag)
		}
		capitals := 0
		switch {
		case first || extension:
		case n == 2:
			capitals = 2
		case n == 4:
			capitals = 1
		}
		extension = extension || n == 1
		for i, c := range tag[:n] {
			switch {
			case i < capitals && 'a' <= c && c <= 'z':
				tag[i] = c - 'a' + 'A'
			case i >= capitals && 'A' <= c && c <= 'Z':
				tag[i] = c - 'A' + 'a'
			}
		}
		tag = tag[min(n+1, len(tag)):]
	}
}

// appendTag writes a tag with its length in front.
func appendTag(b []byte, tag string) []byte {
	b = appendPrefixed(b, tag)
	setCase(b[len(b)-len(tag):])
	return b
}
