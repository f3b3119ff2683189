package microformats

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// The limits in addition to those of Options.
const (
	maxClasses = 256     // examined of one element
	maxRels    = 1 << 12 // elements whose rel is examined
	maxNesting = 1 << 11 // elements in elements
	maxCopies  = 1 << 30 // bytes that the parser may copy
)

// isOldRoot reports whether a class makes an item of a format before microformats2.
func isOldRoot(class string) bool {
	switch class {
	case "adr", "geo", "hentry", "hfeed", "hnews", "hproduct", "hrecipe", "hresume", "hreview", "hreview-aggregate", "vcard", "vevent":
		return true
	}
	return false
}

// isType reports whether a class that starts with "h-" is a type of microformats2, a draft or an experiment.
func isType(class string) bool {
	switch class {
	case "h-adr", "h-app", "h-card", "h-cite", "h-entry", "h-event", "h-feed", "h-geo", "h-item", "h-listing", "h-measure",
		"h-news", "h-product", "h-recipe", "h-resume", "h-review", "h-review-aggregate":
		return true
	}
	return len(class) > len("h-x-") && strings.HasPrefix(class, "h-x-")
}

// alwaysURLs returns the properties that are URLs even without the prefix u-.
func alwaysURLs() map[string]bool {
	urls := map[string]bool{}
	for _, name := range []string{"email", "identifier", "key", "logo", "photo", "principles", "sound", "uid", "url"} {
		urls[name] = true
	}
	return urls
}

// A weight is what an element costs the parser.
type weight struct {
	parent int  // index of its parent's; -1 for the root
	bytes  int  // of the element and its content
	height int  // of the subtree, in elements
	copies int  // times its text is copied
	old    bool // an item of a format before microformats2, or within one
}

// prepare removes from a tree what the parser must not see, records which properties are URLs, and rejects
// trees that are too expensive: the parser copies the text of each property once per level of nesting.
func (p *reader) prepare(root *html.Node) error {
	var weights []weight
	var path []int // the open elements
	for n := root; n != nil; {
		w := weight{parent: -1}
		if len(path) > 0 {
			w.parent = path[len(path)-1]
			w.old = weights[w.parent].old
		}
		p.tidy(n, &w)
		weights = append(weights, w)
		if n.FirstChild != nil {
			if path = append(path, len(weights)-1); len(path) > maxNesting {
				return p.fatal("elements nested more than " + strconv.Itoa(maxNesting) + " deep")
			}
			n = n.FirstChild
			continue
		}
		for n != nil && n.NextSibling == nil {
			if n = n.Parent; n != nil {
				path = path[:len(path)-1]
			}
		}
		if n != nil {
			n = n.NextSibling
		}
	}
	copied := 0
	for i := len(weights) - 1; i >= 0; i-- {
		w := weights[i]
		if copied += w.copies * w.bytes * (w.height + 16); copied > maxCopies {
			return p.fatal("texts of properties within properties come to more than " + strconv.Itoa(maxCopies) + " bytes")
		}
		if w.parent >= 0 {
			parent := &weights[w.parent]
			parent.bytes += w.bytes
			parent.height = max(parent.height, w.height+1)
		}
	}
	return nil
}

// tidy cleans an element and weighs it without its children.
func (p *reader) tidy(n *html.Node, w *weight) {
	w.bytes = len(n.Data)
	if n.Type != html.ElementNode {
		return
	}
	n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool {
		return a.Key == "itemref" || a.Key == "headers" // they include elements from elsewhere
	})
	for i := range n.Attr {
		switch a := &n.Attr[i]; a.Key {
		case "class":
			a.Val = strings.Join(p.classes(n, a.Val, w), " ")
		case "rel":
			a.Val = p.rel(a.Val, w)
		}
		w.bytes += len(n.Attr[i].Key) + len(n.Attr[i].Val)
	}
}

// classes returns the relevant classes of an element, each once.
func (p *reader) classes(n *html.Node, value string, w *weight) []string {
	var kept []string
	for class := range strings.FieldsSeq(value) {
		if len(kept) == maxClasses || slices.Contains(kept, class) {
			continue
		}
		prefix, name, prefixed := strings.Cut(class, "-")
		switch {
		case class == "include" && (n.DataAtom == atom.A || n.DataAtom == atom.Object):
			continue
		case prefix == "h" && prefixed && !isType(class):
			continue
		case prefix == "u" && prefixed:
			p.urls[name] = true
		}
		w.old = w.old || isOldRoot(class)
		if w.old || prefixed && (prefix == "h" || prefix == "p" || prefix == "u" || prefix == "dt" || prefix == "e") {
			w.copies++
		}
		kept = append(kept, class)
	}
	return kept
}

// rel returns the words of a rel that name properties in the formats before microformats2.
func (p *reader) rel(value string, w *weight) string {
	var kept []string
	for word := range strings.FieldsSeq(value) {
		if (word == "tag" || word == "bookmark" || word == "principles") && !slices.Contains(kept, word) {
			kept = append(kept, word)
		}
	}
	if len(kept) == 0 {
		return ""
	}
	if p.rels++; p.rels > maxRels {
		return ""
	}
	w.copies++
	return strings.Join(kept, " ")
}
