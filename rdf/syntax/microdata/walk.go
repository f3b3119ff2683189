package microdata

import (
	"iter"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// everything returns the descendants of a node, in tree order, without recursion.
func everything(root *html.Node) iter.Seq[*html.Node] {
	return func(yield func(*html.Node) bool) {
		for n := next(root, root, false); n != nil; n = next(n, root, false) {
			if !yield(n) {
				return
			}
		}
	}
}

// next returns the node after n in tree order below root, nil at the end. If skip is set, it skips the
// descendants of n.
func next(n, root *html.Node, skip bool) *html.Node {
	if !skip && n.FirstChild != nil {
		return n.FirstChild
	}
	for n != root {
		if n.NextSibling != nil {
			return n.NextSibling
		}
		n = n.Parent
	}
	return nil
}

// inert reports whether the content of an element is not part of the page.
func inert(n *html.Node) bool { return n.DataAtom == atom.Template && n.Namespace == "" }

// attr returns the value of an attribute and whether it is present.
func attr(n *html.Node, key string) (string, bool) {
	for i := range n.Attr {
		if a := &n.Attr[i]; a.Key == key && a.Namespace == "" {
			return a.Val, true
		}
	}
	return "", false
}

func has(n *html.Node, key string) bool {
	_, ok := attr(n, key)
	return ok
}

// tokens returns the distinct words of an attribute, in order.
func tokens(n *html.Node, key string) []string {
	value, _ := attr(n, key)
	words := strings.FieldsFunc(value, isSpace)
	if len(words) < 2 {
		return words
	}
	seen := make(map[string]bool, len(words))
	unique := words[:0]
	for _, word := range words {
		if !seen[word] {
			seen[word] = true
			unique = append(unique, word)
		}
	}
	return unique
}

// isSpace reports whether r is ASCII whitespace, as HTML defines it.
func isSpace(r rune) bool {
	return r == ' ' || r == '\t' || r == '\n' || r == '\f' || r == '\r'
}

func trim(s string) string { return strings.TrimFunc(s, isSpace) }

// survey collects the top-level items, the base URL, the language of the page and whether it has an itemref.
func (p *reader) survey(root *html.Node) {
	p.root = root
	based := false
	for n := next(root, root, false); n != nil; n = next(n, root, inert(n)) {
		if n.Type != html.ElementNode {
			continue
		}
		if has(n, "itemscope") && !has(n, "itemprop") && !has(n, "itemprop-reverse") && !inert(n) {
			p.top = append(p.top, n)
		}
		switch n.DataAtom {
		case atom.Base:
			if href, ok := attr(n, "href"); ok && !based {
				based = true
				p.rebase(href)
			}
		case atom.Meta:
			if equiv, _ := attr(n, "http-equiv"); strings.EqualFold(equiv, "content-language") {
				content, _ := attr(n, "content")
				p.language = trim(content)
			}
		}
	}
}

// index numbers the elements in tree order and maps each ID to its first element. Pages without an itemref
// need neither.
func (p *reader) index() {
	p.order, p.byID = map[*html.Node]int{}, map[string]*html.Node{}
	for n := next(p.root, p.root, false); n != nil; n = next(n, p.root, inert(n)) {
		if n.Type != html.ElementNode {
			continue
		}
		p.order[n] = len(p.order)
		if id, ok := attr(n, "id"); ok && id != "" && p.byID[id] == nil {
			p.byID[id] = n
		}
	}
}
