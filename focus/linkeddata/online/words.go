package online

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxText bounds the bytes of a text or URL that are read.
const maxText = 1024

func cut(s string) string { return s[:min(len(s), maxText)] }

// words adds the words of a text: runs of letters and digits. Percent-escapes in a URL separate words. It
// does not use text.Scanner, which copies a word's letters: here they are hashed in place.
func (b *builder) words(k kind, s string) {
	s = cut(s)
	basis := b.basis(k)
	for i := 0; i < len(s) && !b.full(); {
		end, h := word(s, i, basis)
		if end > i {
			b.add(k, s[i:end], mix(h))
			i = end
			continue
		}
		i++
		if s[i-1] == '%' && i+1 < len(s) && hexDigit(s[i]) && hexDigit(s[i+1]) {
			i += 2
		}
	}
}

// word returns the end of the word at offset i, and its hash; i if there is none. ASCII letters, the common
// case, are hashed on the way.
func word(s string, i int, basis uint64) (end int, h uint64) {
	h, end = basis, i
	for end < len(s) && letter(s[end]) {
		h = fnv(h, s[end]|0x20)
		end++
	}
	if end == len(s) || s[end] < utf8.RuneSelf && !digit(s[end]) {
		return end, h
	}
	for end < len(s) {
		n := wordPart(s, end)
		if n == 0 {
			break
		}
		end += n
	}
	return end, folded(basis, s[i:end])
}

// wordPart returns the length of the character at offset i if it is part of a word, else 0.
func wordPart(s string, i int) int {
	c := s[i]
	if c < utf8.RuneSelf {
		if letter(c) || digit(c) {
			return 1
		}
		return 0
	}
	r, n := utf8.DecodeRuneInString(s[i:])
	if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
		return n
	}
	return 0
}

func letter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func digit(c byte) bool { return '0' <= c && c <= '9' }

func hexDigit(c byte) bool { return digit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

// folded continues an FNV-1a hash over a text, ignoring case and what varies between documents: a path
// segment of digits alone counts as the same number in every URL; so do two or more digits within a segment,
// but not a single one, as in "n3"; and eight or more hexadecimal digits, possibly with hyphens and some of
// them decimal digits, count as the same name.
func folded(h uint64, s string) uint64 {
	for i := 0; i < len(s); {
		end := i
		for end < len(s) && s[end] != '/' {
			end++
		}
		h = foldedPart(h, s[i:end])
		if i = end; i < len(s) {
			h = fnv(h, '/')
			i++
		}
	}
	return h
}

func foldedPart(h uint64, s string) uint64 {
	if len(s) >= 8 && named(s) {
		return fnv(h, 1)
	}
	for i := 0; i < len(s); {
		if !digit(s[i]) {
			c := s[i]
			if 'A' <= c && c <= 'Z' {
				c |= 0x20
			}
			h = fnv(h, c)
			i++
			continue
		}
		start := i
		for i < len(s) && digit(s[i]) {
			i++
		}
		if i-start == 1 && len(s) > 1 {
			h = fnv(h, s[start])
		} else {
			h = fnv(h, 2)
		}
	}
	return h
}

// named reports whether a segment is a generated name: hexadecimal digits, some of them decimal.
func named(s string) bool {
	digits := false
	for i := range len(s) {
		if !hexDigit(s[i]) && s[i] != '-' {
			return false
		}
		digits = digits || digit(s[i])
	}
	return digits
}

func fnv(h uint64, c byte) uint64 { return (h ^ uint64(c)) * 1099511628211 }

// mix distributes differences over all bits (the finalizer of MurmurHash3).
func mix(h uint64) uint64 {
	h = (h ^ h>>33) * 0xff51afd7ed558ccd
	h = (h ^ h>>33) * 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// A location is the parsed target of a link. It shares the URL's memory.
type location struct {
	host      string // with port
	name      string // without port
	place     string // host and directories: "a.test/staff/"
	folders   string // "/staff/"
	file      string // without extension
	extension string // ".html"; with .gz or .bz2 both: ".nt.gz"; empty if none
	query     string
}

// locate splits the first 1 024 bytes of a canonical URL. It returns an unspecified location for other
// strings.
func locate(url string) (at location) {
	_, rest, _ := strings.Cut(cut(url), "://")
	rest, at.query, _ = strings.Cut(rest, "?")
	slash := strings.IndexByte(rest, '/')
	if slash < 0 {
		slash = len(rest)
	}
	if user := strings.LastIndexByte(rest[:slash], '@'); user >= 0 {
		rest, slash = rest[user+1:], slash-user-1
	}
	at.host, at.name = rest[:slash], rest[:slash]
	if colon := strings.LastIndexByte(at.host, ':'); colon > strings.LastIndexByte(at.host, ']') {
		at.name = at.host[:colon]
	}
	end := max(strings.LastIndexByte(rest, '/')+1, slash)
	at.place, at.folders = rest[:end], rest[slash:end]
	at.file, at.extension = extension(rest[end:])
	return at
}

// maxExtension bounds the characters of an extension, without its dot.
const maxExtension = 8

// extension splits a file name: "dump.nt.gz" has the extension ".nt.gz", "v1.2" none.
func extension(file string) (name, ext string) {
	dot := strings.LastIndexByte(file, '.')
	if dot < 1 || len(file)-dot > maxExtension+1 || dot+1 == len(file) || !letter(file[dot+1]) {
		return file, ""
	}
	for i := dot + 1; i < len(file); i++ {
		if !letter(file[i]) && !digit(file[i]) {
			return file, ""
		}
	}
	name, ext = file[:dot], file[dot:]
	if strings.EqualFold(ext, ".gz") || strings.EqualFold(ext, ".bz2") {
		if inner, packed := extension(name); packed != "" {
			return inner, file[len(inner):]
		}
	}
	return name, ext
}
