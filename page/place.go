package page

import (
	"bytes"
	"strings"
)

// A place is the set of the parts of a page that a link stands in, by elements, roles, and usual classes and ids.
type place uint8

const (
	inNav place = 1 << iota
	inHeader
	inFooter
	inAside
	inList
	inTable
	inArticle // main or article
	places
)

// placeNames are the names of all places, as in orbweaver.Link.
var placeNames = func() (names [places]string) {
	for p := range names {
		var parts []string
		for i, name := range [...]string{"nav", "header", "footer", "aside", "list", "table", "main"} {
			if p>>i&1 != 0 {
				parts = append(parts, name)
			}
		}
		names[p] = strings.Join(parts, " ")
	}
	return names
}()

// where returns the place and the path of a link whose attributes were read. Those of the elements around it are
// computed once, and only of elements with links.
func (d *document) where() (place, uint32) {
	i := len(d.stack)
	for i > 0 && d.stack[i-1].path == 0 {
		i--
	}
	at, path := place(0), uint32(firstPath)
	if i > 0 {
		at, path = d.stack[i-1].place, d.stack[i-1].path
	}
	for ; i < len(d.stack); i++ {
		e := &d.stack[i]
		if e.tag.isBlock() {
			p, h := d.step(e)
			at, path = at|p, joined(path, h)
		}
		e.place, e.path = at, path
	}
	return at, joined(path, classesHash(d.attrs.get(attrClass)))
}

// firstPath is the path of the body, and pathPrime the prime of FNV-1a in 32 bits.
const firstPath, pathPrime = 2166136261, 16777619

// joined is the hash of a path and a further element of it; never 0.
func joined(path, element uint32) uint32 {
	path = (path ^ element) * pathPrime
	return max(path^path>>15, 1)
}

// step returns what an element adds to the place and path of links within.
func (d *document) step(e *element) (place, uint32) {
	var a attributes
	s := d.source[e.at:]
	n := 1 + nameEnd(s[1:], '>')
	a.read(s, n)
	name, class := s[1:n], a.get(attrClass)
	hash := wordHash(name) + classesHash(class)
	at := placeOfTag(e.tag, name)
	if a.has(attrRole) {
		at |= placeOfRole(a.get(attrRole))
	}
	if e.tag < tagDiv || len(name) != len("div") && e.tag == tagDiv { // ids of items and sections are of these alone
		return at, hash
	}
	at |= placeOfNames(class)
	if id := a.get(attrID); id != nil {
		at |= placeOfNames(id)
		hash += 31 * classesHash(id)
	}
	return at, hash
}

// placeOfTag returns the place of links within an element by its name.
func placeOfTag(t tag, name []byte) place {
	switch t {
	case tagList:
		return inList
	case tagTable, tagRow, tagCell:
		return inTable
	case tagMain:
		return inArticle
	case tagHeader:
		return inHeader
	case tagNav:
		switch name[0] | 0x20 {
		case 'n', 'm': // nav, menu
			return inNav
		case 'a':
			return inAside
		case 'f':
			return inFooter
		}
	}
	return 0
}

// placeOfRole returns the place of links within an element of an ARIA role.
func placeOfRole(role []byte) place {
	var buf [maxName]byte
	switch string(lower(&buf, bytes.TrimSpace(role))) {
	case "navigation", "menu", "menubar":
		return inNav
	case "banner":
		return inHeader
	case "contentinfo":
		return inFooter
	case "complementary":
		return inAside
	case "main", "article":
		return inArticle
	case "list", "directory":
		return inList
	case "table", "grid":
		return inTable
	}
	return 0
}

// placeOfNames returns the place that one word of a class or id names.
func placeOfNames(names []byte) (at place) {
	for len(names) > 0 {
		end := wordEnd(names)
		var buf [maxName]byte
		switch string(lower(&buf, names[:end])) {
		case "nav", "navbar", "navigation", "menu", "breadcrumb", "breadcrumbs":
			at |= inNav
		case "header", "masthead":
			at |= inHeader
		case "footer":
			at |= inFooter
		case "sidebar", "aside":
			at |= inAside
		}
		names = names[min(end+1, len(names)):]
	}
	return at
}

// classesHash returns a hash of classes that does not depend on their order. It leaves out those that tell one
// element of a list from the next: with digits, or of a state.
func classesHash(classes []byte) (sum uint32) {
	for len(classes) > 0 {
		end := 0
		digit := false
		for end < len(classes) && classes[end] > ' ' {
			digit = digit || isDigit(classes[end])
			end++
		}
		if word := classes[:end]; end > 0 && !digit && !isState(word) {
			sum += wordHash(word)
		}
		classes = classes[min(end+1, len(classes)):]
	}
	return sum
}

// wordHash is FNV-1a of a word in lower case.
func wordHash(word []byte) uint32 {
	h := uint32(firstPath)
	for _, c := range word {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		h = (h ^ uint32(c)) * pathPrime
	}
	return h
}

// isState reports whether a class is that of some elements of a list alone.
func isState(class []byte) bool {
	switch string(class) {
	case "active", "current", "selected", "first", "last", "odd", "even", "open", "new", "visited", "external", "show", "hide",
		"collapsed", "expanded", "disabled", "featured", "sticky":
		return true
	}
	return false
}
