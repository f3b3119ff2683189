package main

import (
	"html"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A dice makes the random choices of one page. Its seed is the page's address, so that a page does not change
// when others are added or removed. The sequence is SplitMix64 (Steele, Lea and Flood, 2014).
type dice uint64

// diceFor returns the dice of an address: FNV-1a over its bytes.
func diceFor(url string) dice {
	h := uint64(14695981039346656037)
	for i := range len(url) {
		h = (h ^ uint64(url[i])) * 1099511628211
	}
	return dice(h)
}

// roll returns a number from 0 to n-1; n is at least 1.
func (d *dice) roll(n int) int {
	*d += 0x9e3779b97f4a7c15
	z := uint64(*d)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return int((z ^ z>>31) % uint64(n))
}

// An author writes the text of one page.
type author struct {
	web  *web
	url  string
	fact fact // of the page's thing; nil for an article
	dice dice
	used []string // addresses chosen by {any:…}, to avoid repetitions
}

// sentence chooses a variant whose facts are all known and returns it as HTML; "" if there is none.
func (a *author) sentence(variants []string) string {
	var able []string
	for _, v := range variants {
		if a.knows(v) {
			able = append(able, v)
		}
	}
	if len(able) == 0 {
		return ""
	}
	text := a.expand(able[a.dice.roll(len(able))])
	if text != "" && 'a' <= text[0] && text[0] <= 'z' {
		text = string(text[0]-'a'+'A') + text[1:]
	}
	return text
}

// knows reports whether all columns that a variant uses have a value.
func (a *author) knows(variant string) bool {
	for rest := variant; ; {
		_, after, ok := strings.Cut(rest, "{")
		if !ok {
			return true
		}
		name, tail, _ := strings.Cut(after, "}")
		name = strings.TrimPrefix(name, "a ")
		if absent, ok := strings.CutPrefix(name, "!"); ok {
			if a.fact[absent] != "" {
				return false
			}
		} else if !strings.Contains(name, ":") && a.fact[name] == "" {
			return false
		}
		rest = tail
	}
}

// expand expands a template to HTML: {column}, {a column} with its article, {!column} for nothing if the fact
// is unknown (a known fact excludes the variant), {any:set} and {some:set} for links to one or three pages of
// a set, {here:set} for a link with a vague anchor, {list:set} for all of a set, and [anchor](target).
func (a *author) expand(template string) string {
	var out strings.Builder
	for template != "" {
		i := strings.IndexAny(template, "{[")
		if i < 0 {
			break
		}
		out.WriteString(escape(template[:i]))
		end := map[byte]string{'{': "}", '[': ")"}[template[i]]
		inner, rest, ok := strings.Cut(template[i+1:], end)
		if !ok {
			a.web.complain("%s: %q is not closed", a.url, template[i:])
			return ""
		}
		if end == "}" {
			out.WriteString(withinSentence(out.String(), a.field(inner)))
		} else {
			anchor, target, _ := strings.Cut(inner, "](")
			out.WriteString(a.link(escape(anchor), a.target(target)))
		}
		template = rest
	}
	out.WriteString(escape(template))
	return out.String()
}

// commonMark precedes a name that is a common noun, such as "~Leek soup": it is in lower case within a
// sentence. The page builder removes the mark.
const commonMark = "~"

// withinSentence lowers the article of names such as "The captain", and common nouns, if text precedes them.
func withinSentence(before, field string) string {
	before = strings.TrimSpace(before)
	if before == "" || strings.HasSuffix(before, ".") || strings.HasSuffix(before, "?") {
		return field
	}
	if rest, ok := strings.CutPrefix(field, "The "); ok {
		return "the " + rest
	}
	return small(strings.ReplaceAll(field, `">The `, `">the `))
}

// small lowers the first letter of marked common nouns.
func small(text string) string {
	parts := strings.Split(text, commonMark)
	for i, part := range parts[1:] {
		first, size := utf8.DecodeRuneInString(part)
		if size > 0 {
			parts[i+1] = string(unicode.ToLower(first)) + part[size:]
		}
	}
	return strings.Join(parts, "")
}

// field expands the content of braces.
func (a *author) field(name string) string {
	command, set, ok := strings.Cut(name, ":")
	if ok {
		return a.choose(command, set)
	}
	if column, ok := strings.CutPrefix(name, "a "); ok {
		return article(a.fact[column]) + " " + a.value(a.fact[column])
	}
	return a.value(a.fact[name]) // "" for {!column}
}

// value formats a cell: as text, or, if it refers to other things ("@airline/fernair"), as links to them.
func (a *author) value(cell string) string {
	if !strings.HasPrefix(cell, "@") {
		return escape(cell)
	}
	var links []string
	for _, ref := range strings.Fields(cell) {
		p := a.web.pageOf[strings.TrimPrefix(ref, "@")]
		if p == nil {
			a.web.complain("%s: no page about %s", a.url, ref)
			continue
		}
		links = append(links, a.link(escape(p.fact["name"]), p.url))
	}
	return join(links)
}

// choose returns links to pages of a set.
func (a *author) choose(command, name string) string {
	s := a.web.setOf[name]
	if s == nil {
		a.web.complain("%s: no set %s", a.url, name)
		return ""
	}
	switch command {
	case "any":
		return a.some(s, 1)
	case "some":
		return a.some(s, 3)
	case "here":
		p := a.draw(s)
		return a.link(vague(&a.dice), p.url)
	case "list":
		return a.list(s.pages)
	}
	a.web.complain("%s: no such thing as {%s:…}", a.url, command)
	return ""
}

// some returns links to n pages of a set by the names of their things.
func (a *author) some(s *set, n int) string {
	var links []string
	for range min(n, len(s.pages)) {
		p := a.draw(s)
		links = append(links, a.link(escape(p.fact["name"]), p.url))
	}
	return join(links)
}

// draw chooses a page of a set, preferably one that this page does not link to yet.
func (a *author) draw(s *set) *page {
	first := a.dice.roll(len(s.pages))
	for i := range s.pages {
		p := s.pages[(first+i)%len(s.pages)]
		if p.url != a.url && !slices.Contains(a.used, p.url) {
			a.used = append(a.used, p.url)
			return p
		}
	}
	return s.pages[first]
}

// list returns a list of pages, each with a line about its thing.
func (a *author) list(pages []*page) string {
	var out strings.Builder
	out.WriteString("<ul>\n")
	for _, p := range pages {
		about := author{web: a.web, url: a.url, fact: p.fact, dice: diceFor(p.url)}
		out.WriteString("<li>" + a.link(escape(p.fact["name"]), p.url) + ": " + about.expand(p.set.blurb) + "</li>\n")
	}
	out.WriteString("</ul>")
	return out.String()
}

// target returns the address of a template's target: "@table/id", "any:set", or an address with optional
// columns.
func (a *author) target(to string) string {
	if before, rest, ok := strings.Cut(to, "{"); ok {
		name, after, _ := strings.Cut(rest, "}")
		to = before + a.fact[name] + after
	}
	if name, ok := strings.CutPrefix(to, "any:"); ok {
		if s := a.web.setOf[name]; s != nil {
			return a.draw(s).url
		}
		a.web.complain("%s: no set %s", a.url, name)
	}
	if ref, ok := strings.CutPrefix(to, "@"); ok {
		if p := a.web.pageOf[ref]; p != nil {
			return p.url
		}
		a.web.complain("%s: no page about %s", a.url, to)
	}
	return to
}

// link returns an anchor; links within the page's host are relative.
func (a *author) link(anchor, to string) string {
	host, _, _ := strings.Cut(strings.TrimPrefix(a.url, "http://"), "/")
	if local, ok := strings.CutPrefix(to, "http://"+host+"/"); ok {
		to = "/" + local
	}
	return `<a href="` + escape(to) + `">` + anchor + "</a>"
}

// escape makes text safe in HTML.
func escape(text string) string {
	return strings.ReplaceAll(html.EscapeString(text), "&#39;", "'")
}

// vague returns an anchor text without information about the target.
func vague(d *dice) string {
	anchors := [...]string{"click here", "this page", "read more", "more", "here", "continue", "see this"}
	return anchors[d.roll(len(anchors))]
}

// article returns "an" before a vowel sound, else "a".
func article(word string) string {
	switch {
	case word == "" || strings.HasPrefix(word, "uti") || strings.HasPrefix(word, "uni"):
		return "a"
	case strings.ContainsRune("aeiouAEIO8", rune(word[0])) || strings.HasPrefix(word, "F-"):
		return "an"
	}
	return "a"
}

// join joins a list as in English: "A, B and C".
func join(things []string) string {
	if len(things) < 2 {
		return strings.Join(things, "")
	}
	last := len(things) - 1
	return strings.Join(things[:last], ", ") + " and " + things[last]
}
