package keyword

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"orbweaver"
	"orbweaver/focus/links"
	"orbweaver/internal/order"
	"orbweaver/text"
	"orbweaver/weburl"
)

// findings is the result of Prepare: all that depends on the page alone.
type findings struct {
	words int
	hits  []hit // by term, ascending
	grouped
}

// A hit is a term that a page names.
type hit struct {
	term     int32
	title    int32 // occurrences in the title
	headings int32 // in headings
	text     int32 // in the rest of the main text
	evidence string
}

// A link of a page, and the links grouped by target, with the terms they name.
type (
	grouped = links.Groups[mentions]
	link    = links.Link[mentions]
)

// mentions is the terms that a short text names, ascending and distinct, and in which words.
type mentions struct {
	terms []int32
	words string
}

// Prepare matches the terms in a page's title and main text, and in the texts at its links.
func (f *Focus) Prepare(_ context.Context, p *orbweaver.Page) (any, error) {
	return f.prepare(p), nil
}

func (f *Focus) prepare(p *orbweaver.Page) *findings {
	m := f.lexicon.Matcher(p.Lang)
	defer m.Release()
	found := new(findings)
	named := map[int32]*naming{}
	block := blocks{text: p.Text}
	for _, match := range m.Match(p.Text) {
		n := meet(named, m.IDs(match.Form), standing(match, p.Text))
		if block.heading(match.Start) {
			n.headings++
		} else {
			n.text++
		}
	}
	found.words = m.Tokens()
	for _, match := range m.MatchHeading(p.Title) { // after the text, which provides evidence about capitalization
		meet(named, m.IDs(match.Form), standing(match, p.Title)).title++
	}
	found.words += m.Tokens() + links.Listed(p)
	for t, n := range named {
		n.evidence = f.terms[t] + ": " + n.words()
		found.hits = append(found.hits, n.hit)
	}
	order.By(found.hits, func(a, b hit) int { return cmp.Compare(a.term, b.term) })
	if !p.NoFollow {
		found.prepareLinks(p, m)
	}
	return found
}

// findings returns the result of Prepare, or prepares the page now.
func (f *Focus) findings(p *orbweaver.Page) *findings {
	if found, ok := p.Findings.(*findings); ok {
		return found
	}
	return f.prepare(p)
}

const (
	maxForms   = 16  // forms of a term that are distinguished on a page
	shownForms = 3   // forms that evidence names
	maxForm    = 100 // bytes of a form; a phrase may contain separators of any length
	maxSaid    = 200 // bytes of forms that evidence of a link names
)

// standing returns the words of a match as written in a text, on one line.
func standing(match text.Match, s string) string {
	words := s[match.Start:match.End]
	if len(words) > maxForm {
		words = strings.ToValidUTF8(words[:maxForm], "") + "…"
	}
	return strings.Join(strings.Fields(words), " ")
}

// A naming is a hit with the words on the page that name the term.
type naming struct {
	hit
	forms []form
}

type form struct {
	words string
	count int
}

// meet records that words name a term: the first of those that are equal to the lexicon ("sport", "sports").
func meet(named map[int32]*naming, terms []int32, words string) *naming {
	term := terms[0]
	n := named[term]
	if n == nil {
		n = &naming{hit: hit{term: term}}
		named[term] = n
	}
	i := slices.IndexFunc(n.forms, func(f form) bool { return f.words == words })
	switch {
	case i >= 0:
		n.forms[i].count++
	case len(n.forms) < maxForms:
		n.forms = append(n.forms, form{words, 1})
	}
	return n
}

// words returns the most frequent forms of a term as written on the page.
func (n *naming) words() string {
	order.Stably(n.forms, func(a, b form) int { return cmp.Compare(b.count, a.count) })
	var b strings.Builder
	for i, f := range n.forms[:min(len(n.forms), shownForms)] {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(f.words + " ×" + strconv.Itoa(f.count))
	}
	if n.title > 0 {
		b.WriteString(", in the title")
	}
	if n.headings > 0 {
		b.WriteString(", in headings ×" + strconv.Itoa(int(n.headings)))
	}
	return b.String()
}

// blocks identifies the blocks of a main text that are headings. Offsets must ascend.
type blocks struct {
	text string
	end  int // of the block last queried
	is   bool
}

// maxHeading bounds the words of a heading.
const maxHeading = 10

// heading reports whether an offset is in a heading: a short block without the end of a sentence, before a
// longer block.
func (b *blocks) heading(at int) bool {
	if at < b.end {
		return b.is
	}
	from := 0
	if i := strings.LastIndex(b.text[:at], "\n\n"); i >= 0 {
		from = i + 2
	}
	b.end = len(b.text)
	after := ""
	if i := strings.Index(b.text[at:], "\n\n"); i >= 0 {
		b.end = at + i
		after = b.text[b.end+2:]
	}
	block := strings.TrimSpace(b.text[from:b.end])
	if i := strings.Index(after, "\n\n"); i >= 0 {
		after = after[:i]
	}
	b.is = short(block) && len(after) > len(block) && !short(after)
	return b.is
}

// short reports whether a block may be a heading by its length and its end.
func short(block string) bool {
	last, _ := utf8.DecodeLastRuneInString(block)
	if len(block) > 160 || block == "" || strings.ContainsRune(".!?:;,…。！？：；，", last) {
		return false
	}
	n := 0
	for range strings.FieldsSeq(block) {
		n++
	}
	return n <= maxHeading
}

// prepareLinks evaluates the links that may be followed, and groups them by target.
func (found *findings) prepareLinks(p *orbweaver.Page, m *text.Matcher) {
	found.Read(p, new(links.Table), func(read *link, l *orbweaver.Link, again bool) {
		read.Anchor = extract(m, m.Match(l.Anchor), l.Anchor)
		read.Context = extract(m, m.Match(l.Context), l.Context)
		if len(read.Anchor.terms) == 0 {
			read.Anchor = extract(m, m.Match(l.Title), l.Title)
		}
		if !again {
			path := weburl.PathWords(l.To)
			read.Path = extract(m, m.MatchAddress(path), path)
		}
	})
}

// extract returns the terms of a short text.
func extract(m *text.Matcher, matches []text.Match, s string) (named mentions) {
	if s == "" {
		return mentions{}
	}
	for _, match := range matches {
		if t := m.IDs(match.Form)[0]; !slices.Contains(named.terms, t) {
			named.terms = append(named.terms, t)
		}
		switch words := standing(match, s); {
		case named.words == "":
			named.words = words
		case len(named.words) < maxSaid && !strings.Contains(named.words, words):
			named.words += ", " + words
		}
	}
	slices.Sort(named.terms)
	return named
}
