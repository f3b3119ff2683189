package main

import (
	"fmt"
	"strings"
)

// perIndex is the most things on an index page.
const perIndex = 16

// indexStep returns the number of things on each index page: the least number of pages, of about equal
// length.
func indexStep(things int) int {
	pages := max(1, (things+perIndex-1)/perIndex)
	return max(1, (things+pages-1)/pages)
}

// writePages writes the pages of all sets.
func (w *web) writePages() {
	for _, s := range w.sets {
		for _, p := range s.pages {
			w.writePage(p)
		}
	}
}

// writePage writes one page about one thing.
func (w *web) writePage(p *page) {
	style, ok := w.styles[p.set.words]
	if !ok {
		w.complain("facts/sets.tsv: set %s: no words called %s", p.set.name, p.set.words)
		return
	}
	a := &author{web: w, url: p.url, fact: p.fact, dice: diceFor(p.url)}
	title, blocks := a.compose(style)
	s := sheet{url: p.url, title: title, lang: "en", blocks: blocks, head: alternates(p), next: next(a, p)}
	w.mark(&s, p)
	topics := []string{strings.ReplaceAll(p.set.topic, "{topic}", p.fact["topic"])}
	if also := p.fact["also"]; also != "" {
		topics = append(topics, also)
	}
	w.addHTML(p.url, w.dress(s), topics...)
	if p.fact["hint"] == "header" {
		d := &w.documents[len(w.documents)-1]
		d.header = append(d.header, [2]string{"Link", "<" + dataOf(p) + ">; rel=\"describedby\"; type=\"text/turtle\""})
	}
}

// alternates returns the link elements for a page's data, if it has some.
func alternates(p *page) string {
	if !hasData(p) {
		return ""
	}
	turtle, xml := dataURLs(p)
	lines := fmt.Sprintf("<link rel=\"alternate\" type=\"text/turtle\" title=\"Data\" href=\"%s\">\n", turtle)
	if hasXML(p) {
		lines += fmt.Sprintf("<link rel=\"alternate\" type=\"application/rdf+xml\" href=\"%s\">\n", xml)
	}
	return lines
}

// next returns links for further reading: a few pages of the same set and, if there is any, the page's data.
func next(a *author, p *page) string {
	others := [...]string{"See also", "Read next", "Others", "More like this"}
	text := "<p class=\"more\">" + others[a.dice.roll(len(others))] + ": " + small(a.some(p.set, 2+a.dice.roll(2))) + ".</p>"
	if hasData(p) {
		turtle, _ := dataURLs(p)
		text += "\n<p>The facts of this page are also there " + a.link("as Turtle", turtle) + ".</p>"
	}
	return text
}

// writeIndexes writes the index pages of the sets that have one.
func (w *web) writeIndexes() {
	for _, s := range w.sets {
		if s.index == "" {
			continue
		}
		step := indexStep(len(s.pages))
		for first := 0; first < len(s.pages); first += step {
			w.writeIndex(s, first, min(first+step, len(s.pages)))
		}
	}
}

// writeIndex writes one page of a set's index: the things from first up to, not including, last.
func (w *web) writeIndex(s *set, first, last int) {
	url := indexURL(s, first)
	a := &author{web: w, url: url, dice: diceFor(url)}
	title := escape(s.title)
	blocks := []string{
		fmt.Sprintf("<p>%s: %d entries, of which this page shows %d to %d.</p>", title, len(s.pages), first+1, last),
		a.list(s.pages[first:last]),
	}
	if last < len(s.pages) {
		blocks = append(blocks, "<p>"+a.link("next page", indexURL(s, last))+"</p>")
	}
	root, _, _ := strings.Cut(s.topic, ".")
	if root == "{topic}" {
		root = "mixed"
	}
	w.addHTML(url, w.dress(sheet{url: url, title: title, lang: "en", blocks: blocks}), "index."+root)
}

// indexURL returns the address of the index page that starts at a thing.
func indexURL(s *set, first int) string {
	url := "http://" + s.host + s.index
	if first == 0 {
		return url
	}
	return fmt.Sprintf("%s?from=%d", url, first+1)
}

// writeArticles writes the pages with their own address in words/: "=== URL topic", with lang= and charset=
// unless they are English and UTF-8.
func (w *web) writeArticles() {
	for _, s := range w.articles {
		a := &author{web: w, url: s.name, dice: diceFor(s.name)}
		title, blocks := a.compose(s)
		lang := s.attribute("lang")
		if lang == "" {
			lang = "en"
		}
		if len(s.attributes) == 0 {
			w.complain("%s: no topic", s.name)
			continue
		}
		charset := s.attribute("charset")
		body := []byte(w.dress(sheet{url: s.name, title: title, lang: lang, charset: charset, blocks: blocks}))
		if charset == "iso-8859-1" {
			body = latin1(string(body))
		}
		topics := strings.Split(s.attributes[0], ",")
		w.add(document{url: s.name, status: 200, header: htmlHeader(charset), body: body, topics: topics})
	}
}

// latin1 encodes text in ISO-8859-1; characters outside it become question marks.
func latin1(text string) []byte {
	out := make([]byte, 0, len(text))
	for _, r := range text {
		if r > 0xff {
			r = '?'
		}
		out = append(out, byte(r))
	}
	return out
}
