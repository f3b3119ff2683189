package linkeddata

import (
	"fmt"
	"strings"

	"orbweaver"
	"orbweaver/text"
)

// lists is a compiled Config. It is immutable.
type lists struct {
	terms        map[string][]term // by first word
	contentTypes []string
	extensions   map[string]string // extension with its dot → ClassR, ClassH or ClassN
	packed       map[string]bool   // extensions of archives that may contain a dump
	documents    map[string]bool
	layout       []string

	packs     bool     // archives are unpacked: the extension is that of what is inside
	anySuffix bool     // what follows the last dot of a file name is its extension
	letters   bool     // terms and content types match as parts of texts
	written   []string // terms, in the order of the list, in lower case; for letters
}

// A term is a phrase of one or more words.
type term struct {
	written string
	rest    []string // words after the first
}

// compile checks a Config. Every problem names the list by its crawl-file key and wraps orbweaver.ErrInput.
func compile(c Config) (*lists, []error) {
	l := &lists{
		terms: map[string][]term{}, extensions: map[string]string{}, packed: map[string]bool{}, documents: map[string]bool{},
		layout: c.Layout,
	}
	var problems []error
	wrong := func(key, value, why string) {
		problems = append(problems, fmt.Errorf("%s: %q %s: %w", key, value, why, orbweaver.ErrInput))
	}
	for _, written := range c.Terms {
		words := wordsOf(written)
		if len(words) == 0 {
			wrong("terms", written, "has no word")
			continue
		}
		l.terms[words[0]] = append(l.terms[words[0]], term{written, words[1:]})
		l.written = append(l.written, strings.ToLower(written))
	}
	for _, t := range c.ContentTypes {
		if l.contentTypes = append(l.contentTypes, strings.ToLower(t)); !isMediaType(t) {
			wrong("content_types", t, "is not type/subtype")
		}
	}
	for _, t := range c.Documents {
		if l.documents[strings.ToLower(t)] = true; !isMediaType(t) {
			wrong("documents", t, "is not type/subtype")
		}
	}
	for _, p := range c.Layout {
		if p == "" {
			wrong("layout", p, "is the beginning of every IRI")
		}
	}
	in := map[string]string{} // extension → key of its list
	for _, of := range []struct {
		key, class string
		list       []string
	}{
		{"extensions", ClassR, c.Extensions}, {"html_extensions", ClassH, c.HTMLExtensions},
		{"other_extensions", ClassN, c.OtherExtensions},
	} {
		for _, written := range of.list {
			ext := strings.ToLower(written)
			before, known := in[ext]
			switch {
			case !isExtension(ext):
				wrong(of.key, written, "is not a dot and 1 to 8 letters and digits")
			case known && before != of.key:
				wrong(of.key, written, "stands in "+before+" too")
			}
			l.extensions[ext], in[ext] = of.class, of.key
		}
	}
	for _, written := range c.Packed {
		ext := strings.ToLower(written)
		if l.packed[ext] = true; !isExtension(ext) {
			wrong("packed", written, "is not a dot and 1 to 8 letters and digits")
		}
	}
	return l, problems
}

// isMediaType reports whether a name consists of two words separated by a slash.
func isMediaType(s string) bool {
	major, minor, ok := strings.Cut(s, "/")
	return ok && major != "" && minor != "" && !strings.ContainsAny(s, " \t\r\n;,\"") && !strings.Contains(minor, "/")
}

// maxExtension bounds the characters of an extension, without its dot.
const maxExtension = 8

// isExtension reports whether ".ext" in lower case is a valid extension: 1 to 8 letters and digits, not
// digits alone.
func isExtension(ext string) bool {
	if len(ext) < 2 || len(ext) > maxExtension+1 || ext[0] != '.' {
		return false
	}
	letters := false
	for _, c := range []byte(ext[1:]) {
		letter := 'a' <= c && c <= 'z'
		if letters = letters || letter; !letter && (c < '0' || c > '9') {
			return false
		}
	}
	return letters
}

// A reader matches terms in texts. It is not safe for concurrent use.
type reader struct {
	lists       *lists
	beyond      Beyond
	readings    Readings
	words, next text.Scanner
}

// term returns the first term in a text, as written in the list.
func (r *reader) term(s string) (written string, ok bool) {
	if s == "" {
		return "", false
	}
	if r.lists.letters {
		return within(s, r.lists.written)
	}
	for r.words.Reset(s); r.words.Next(); {
		for _, t := range r.lists.terms[string(bare(r.words.Word()))] {
			if r.follows(t.rest, s[r.words.End():]) {
				return t.written, true
			}
		}
	}
	return "", false
}

// within returns the first of some strings in lower case that is part of a text.
func within(s string, list []string) (written string, ok bool) {
	s = strings.ToLower(s)
	for _, written = range list {
		if strings.Contains(s, written) {
			return written, true
		}
	}
	return "", false
}

// follows reports whether a text starts with words.
func (r *reader) follows(words []string, s string) bool {
	if len(words) == 0 {
		return true
	}
	r.next.Reset(s)
	for _, w := range words {
		if !r.next.Next() || string(bare(r.next.Word())) != w {
			return false
		}
	}
	return true
}

// bare trims punctuation that the scanner leaves at either end, as in "rdf#".
func bare(word []byte) []byte {
	for len(word) > 1 && (word[len(word)-1] == '#' || word[len(word)-1] == '+') {
		word = word[:len(word)-1]
	}
	return word
}

// wordsOf splits a term into words, as texts are split.
func wordsOf(s string) (words []string) {
	var scanner text.Scanner
	for scanner.Reset(s); scanner.Next(); {
		words = append(words, string(bare(scanner.Word())))
	}
	return words
}

// contentType returns the first listed content type that a text names in full.
func (r *reader) contentType(s string) (name string, ok bool) {
	if strings.IndexByte(s, '/') < 0 {
		return "", false
	}
	if r.lists.letters {
		return within(s, r.lists.contentTypes)
	}
	s = strings.ToLower(s)
	for _, t := range r.lists.contentTypes {
		for from := 0; ; {
			i := strings.Index(s[from:], t)
			if i < 0 {
				break
			}
			start, end := from+i, from+i+len(t)
			if (start == 0 || !inType(s[start-1])) && (end == len(s) || !inType(s[end])) {
				return t, true
			}
			from = end
		}
	}
	return "", false
}

// inType reports whether a byte adjacent to a media type would be part of a longer one.
func inType(c byte) bool {
	return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '+' || c == '-' || c == '_'
}
