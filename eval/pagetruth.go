package eval

import (
	"strings"
	"unicode"

	"orbweaver"
)

// PageTruth is the truth of a rule about pages, applied once to every page of an archive and kept as
// the set of URLs it held for, so that all runs are measured by the same answers.
//
// Add all pages first; from then on any number of goroutines may ask.
type PageTruth struct {
	rule     func(*orbweaver.Page) bool
	relevant map[string]struct{}
}

// NewPageTruth returns the truth of a rule; no page has been put to it yet. HoldsAny and IsRDF are
// rules, and any other function of a page alone is one.
func NewPageTruth(rule func(*orbweaver.Page) bool) *PageTruth {
	return &PageTruth{rule: rule, relevant: map[string]struct{}{}}
}

// Add puts a page to the rule. A URL that has several pages is relevant when one of them is.
func (t *PageTruth) Add(p *orbweaver.Page) {
	if t.rule(p) {
		t.relevant[p.URL] = struct{}{}
	}
}

// Relevant reports whether the rule held for a page of the canonical URL.
func (t *PageTruth) Relevant(url string) bool {
	_, ok := t.relevant[url]
	return ok
}

// Len returns the number of relevant URLs.
func (t *PageTruth) Len() int { return len(t.relevant) }

// HoldsAny is the keyword truth (paper 004, section 5: a satisfying page holds the keywords of the
// target): the title or text of a page holds one of the keywords as whole words, in their order,
// without regard to case or to what stands between words.
func HoldsAny(keywords []string) func(*orbweaver.Page) bool {
	var phrases []string
	for _, k := range keywords {
		if folded := foldWords(k); folded != " " {
			phrases = append(phrases, folded)
		}
	}
	return func(p *orbweaver.Page) bool {
		title, text := foldWords(p.Title), foldWords(p.Text)
		for _, phrase := range phrases {
			if strings.Contains(title, phrase) || strings.Contains(text, phrase) {
				return true
			}
		}
		return false
	}
}

// foldWords writes the words of s in lower case, one space before, between and after them.
func foldWords(s string) string {
	var b strings.Builder
	b.Grow(len(s) + 2)
	b.WriteByte(' ')
	gap := true
	for _, r := range s {
		switch {
		case unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r):
			b.WriteRune(unicode.ToLower(r))
			gap = false
		case !gap:
			b.WriteByte(' ')
			gap = true
		}
	}
	if !gap {
		b.WriteByte(' ')
	}
	return b.String()
}

// IsRDF is the class truth R (paper 000): the page is a document in an RDF syntax, by its media type,
// which bytes and header decided together. HTML with embedded data is none.
func IsRDF(p *orbweaver.Page) bool {
	switch p.MediaType {
	case "application/rdf+xml", "text/turtle", "application/x-turtle", "text/n3", "text/rdf+n3",
		"application/n-triples", "application/n-quads", "text/x-nquads",
		"application/trig", "application/x-trig", "application/trix", "application/ld+json",
		"application/rdf+json":
		return true
	}
	return false
}
