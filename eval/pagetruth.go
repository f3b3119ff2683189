package eval

import (
	"strings"
	"unicode"

	"orbweaver"
)

// PageTruth is a truth defined by a predicate on pages. The predicate is evaluated once for every page of an
// archive, and the URLs for which it holds are kept, so that all runs share one truth.
//
// All calls of Add must precede the others, which are then safe for concurrent use.
type PageTruth struct {
	rule     func(*orbweaver.Page) bool
	relevant map[string]struct{}
}

// NewPageTruth returns the truth of a predicate, without pages. HoldsAny and IsRDF are predicates, and so is
// any other function of a page alone.
func NewPageTruth(rule func(*orbweaver.Page) bool) *PageTruth {
	return &PageTruth{rule: rule, relevant: map[string]struct{}{}}
}

// Add evaluates the predicate on a page. A URL with several pages is relevant if one of them is.
func (t *PageTruth) Add(p *orbweaver.Page) {
	if t.rule(p) {
		t.relevant[p.URL] = struct{}{}
	}
}

// Relevant reports whether the predicate holds for a page of the canonical URL.
func (t *PageTruth) Relevant(url string) bool {
	_, ok := t.relevant[url]
	return ok
}

// Len returns the number of relevant URLs.
func (t *PageTruth) Len() int { return len(t.relevant) }

// HoldsAny is the keyword truth (paper 004, section 5: a satisfying page holds the keywords of the target): the
// title or text of a page contains one of the keywords as whole words, in their order, ignoring case and
// characters between words.
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

// foldWords writes the words of s in lower case, each with a space before and after.
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

// IsRDF is the class truth R (paper 000): the page is a document in an RDF syntax, by its media type, which
// follows from bytes and header. HTML with embedded data is not.
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
