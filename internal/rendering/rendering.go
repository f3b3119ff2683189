// Package rendering predicts for which pages of a crawl it is worth to run their scripts: those whose scripts change what a page says. It learns
// from the pages that were rendered, per host, kind of scripts and form of the URL, and looks again now and then.
//
// A page is rendered if the probability that its scripts change it is at least 10 %. That of a group of pages is estimated from its own pages and,
// like two pages more, from the group around it: pages of the same scripts and form of URL, of the same scripts, of the same host. Of
// a group that is not rendered, one page is rendered all the same after seven were not, then after twice as many, and so on, since sites change.
package rendering

import (
	"fmt"
	"hash/fnv"
	"net/url"
	"path"
	"strings"
	"unicode"

	"orbweaver"
	"orbweaver/internal/step"
)

// What is known of a group of pages.
type group struct {
	changed, same int // rendered
	left, last    int // not rendered; and how many were not when the last one was rendered
}

// maxGroups bounds the memory of a crawl's groups: of others, those around them tell.
const maxGroups = 200_000

// A Predictor chooses the pages to render. It is not safe for concurrent use. Its choices depend on what it was told, and on its order, alone.
type Predictor struct {
	most     int // pages to render; 0: no limit
	rendered int
	groups   map[string]*group
}

// New returns the predictor of a crawl that renders at most so many pages; 0: any number.
func New(most int) *Predictor { return &Predictor{most: most, groups: map[string]*group{}} }

// A Look is what can be seen of a page without running its scripts.
type Look struct {
	URL     string
	Scripts uint64 // which scripts it has: see Scripts; 0: none
	Empty   bool   // it has hardly any text
}

// leastChance is the probability from which on a page is rendered, firstAgain the first page of a group that is
// rendered all the same.
const (
	leastChance = .1
	firstAgain  = 8
)

// Choose reports whether a page is to be rendered, and why, or why not.
func (p *Predictor) Choose(l Look) (render bool, why string) {
	if l.Scripts == 0 {
		return false, "it has no scripts"
	}
	if p.most > 0 && p.rendered >= p.most {
		return false, fmt.Sprintf("%d pages were rendered, the most that render.pages allows", p.rendered)
	}
	chance, narrow := p.chance(l)
	switch {
	case narrow.changed+narrow.same == 0 && l.Empty:
		return true, "it has hardly any text without scripts"
	case chance >= leastChance:
		return true, fmt.Sprintf("scripts change such pages with a probability of %.2f", chance)
	case narrow.left+1-narrow.last >= max(firstAgain, narrow.last):
		return true, fmt.Sprintf("one of %d such pages, to see whether they are as before", narrow.left+1-narrow.last)
	}
	return false, fmt.Sprintf("scripts change such pages with a probability of %.2f", chance)
}

// chance returns the probability that scripts change a page, and what is known of the narrowest group that it is in.
func (p *Predictor) chance(l Look) (float64, group) {
	chance, narrow := .5, group{}
	for _, name := range l.groups() {
		g, ok := p.groups[name]
		if !ok {
			narrow = group{}
			continue
		}
		narrow = *g
		chance = (float64(g.changed) + like*chance) / (float64(g.changed+g.same) + like)
	}
	return chance, narrow
}

// like is how many pages the group around a group counts for.
const like = 2

// Learn tells what became of a page.
func (p *Predictor) Learn(l Look, made step.Scripts) {
	if l.Scripts == 0 {
		return
	}
	if made != step.ScriptsLeft {
		p.rendered++
	}
	for _, name := range l.groups() {
		g, ok := p.groups[name]
		if !ok {
			if len(p.groups) >= maxGroups {
				return
			}
			g = &group{}
			p.groups[name] = g
		}
		switch made {
		case step.ScriptsLeft:
			g.left++
		case step.ScriptsChanged:
			g.changed, g.last = g.changed+1, g.left
		default: // what could not be rendered was rendered in vain
			g.same, g.last = g.same+1, g.left
		}
	}
}

// groups returns the names of the groups that a page is in, the widest first.
func (l Look) groups() [3]string {
	u, err := url.Parse(l.URL)
	if err != nil {
		u = &url.URL{}
	}
	host := u.Host
	scripts := fmt.Sprintf("%s %x %t", host, l.Scripts, l.Empty)
	return [3]string{host, scripts, scripts + " " + form(u)}
}

// form is the form of a URL: the first folder of its path, the number of the others, the extension, and the names of the query's parameters.
func form(u *url.URL) string {
	parts := strings.Split(strings.Trim(u.EscapedPath(), "/"), "/")
	var b strings.Builder
	for i, part := range parts {
		switch {
		case i == 0 && len(parts) > 1:
			b.WriteString("/" + strings.Map(zero, part))
		case i == len(parts)-1:
			b.WriteString("/*" + strings.Map(zero, path.Ext(part)))
		default:
			b.WriteString("/*")
		}
	}
	for i, pair := range strings.Split(u.RawQuery, "&") {
		name, _, _ := strings.Cut(pair, "=")
		if name != "" && i < maxNames {
			b.WriteString("?" + strings.Map(zero, name))
		}
	}
	return b.String()
}

// maxNames bounds the names of parameters in a form.
const maxNames = 8

func zero(r rune) rune {
	if unicode.IsDigit(r) {
		return '0'
	}
	return r
}

// Changes reports whether scripts changed what a page says: at least three words and a twentieth of all are new, a fifth of them is gone, or a twentieth
// of its links leads elsewhere.
func Changes(before, after *orbweaver.Page) bool {
	was, is := words(before), words(after)
	fresh, gone := beyond(is, was), beyond(was, is)
	if fresh >= 3 && fresh*20 >= len(is) || gone >= 3 && gone*5 >= len(was) {
		return true
	}
	led, leads := targets(before), targets(after)
	other := beyond(leads, led)
	return other > 0 && other*20 >= len(leads)
}

// beyond counts what is in a set and in no other.
func beyond(a, b map[uint64]bool) (n int) {
	for x := range a {
		if !b[x] {
			n++
		}
	}
	return n
}

// words returns the words of a page's title and text.
func words(p *orbweaver.Page) map[uint64]bool {
	set := map[uint64]bool{}
	for _, text := range [...]string{p.Title, p.Text} {
		for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			set[sum(strings.ToLower(word))] = true
		}
	}
	return set
}

// targets returns the targets of a page's links.
func targets(p *orbweaver.Page) map[uint64]bool {
	set := map[uint64]bool{}
	for _, l := range p.Links {
		set[sum(l.To)] = true
	}
	return set
}

func sum(s string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(s)) // a hash never fails
	return h.Sum64()
}
