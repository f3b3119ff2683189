package messy

import (
	"fmt"
	"strings"
)

// Sizes of the lists.
const (
	listPages = 32
	perPage   = 3
	seiten    = 31
	menuLinks = 50
	prints    = 4
)

// banner asks for consent above a page that is there.
const banner = `<div role=dialog class=cookie-banner><p>We value your privacy. We use cookies and similar technologies.</p><button>Accept all</button><button>Reject</button></div>`

// lists adds two long lists, one with rel=next and one with a pager of numbers alone, and a mirror of the first. It returns links to them.
func (w *Web) lists() []string {
	h := w.add("beacons.test")
	nav := menu(h)
	for n := range listPages {
		w.listPage(h, nav, n)
	}
	for n := range listPages * perPage {
		path := fmt.Sprintf("/lights/%d", n)
		parts := []string{nav, banner, "<main><h1>" + place(n) + " lighthouse</h1>", lighthouse(n), "</main>"}
		title := fmt.Sprintf("%s lighthouse, no. %d", place(n), n)
		if n < prints {
			parts = append(parts, link(path+"?print=1", "print"))
			h.pages[path+"?print=1"] = page("en", title, "<main><h1>"+place(n)+" lighthouse</h1>", lighthouse(n), "</main>")
			w.relevant(h, path+"?print=1")
			w.Planted[NearCopy] += 2 // at the mirror too
		}
		h.pages[path] = page("en", title, parts...)
		w.relevant(h, path)
	}
	h.pages["/"] = page("en", "The beacons of the north coast", nav, "<main><h1>Beacons</h1><p>A register of lighthouses, kept since 1988.</p>",
		link("/lights?page=1", "all lights"), link("/keepers-only/log", "the keepers' log"), link("/keepers-only/pay", "pay"), "</main>")
	h.robots = "User-agent: *\nDisallow: /keepers-only/\n"
	w.Planted[Forbidden] += 2
	w.Lists[h.url("/lights?page=")], w.Lists[h.url("/lights/")] = listPages, listPages*perPage+prints
	return []string{link(h.url("/"), "Lighthouses of the north coast"), w.mirror(h), w.numbered()}
}

// menu adds the stubs of a site, and returns its menu of links to them.
func menu(h *host) string {
	var b strings.Builder
	b.WriteString("<nav><ul>")
	for n := range menuLinks {
		path := fmt.Sprintf("/area/%d", n)
		b.WriteString(link(path, "Area "+firsts[n%len(firsts)]+fmt.Sprint(" ", n)))
		h.pages[path] = page("en", fmt.Sprintf("Area %d", n), "<h1>"+firsts[n%len(firsts)]+" area</h1>", fmt.Sprintf("<p>Sheet %d of the chart of %s.", n*n+7, place(n*3)))
	}
	return b.String() + "</ul></nav>"
}

// listPage adds a page of the first list.
func (w *Web) listPage(h *host, nav string, n int) {
	parts := []string{nav, banner, "<main><h1>Lights</h1><ul>"}
	if n+1 < listPages {
		parts = append([]string{fmt.Sprintf("<link rel=next href='/lights?page=%d'>", n+2)}, parts...)
	}
	for i := n * perPage; i < (n+1)*perPage; i++ {
		parts = append(parts, link(fmt.Sprintf("/lights/%d", i), place(i)+" light"))
	}
	h.pages[fmt.Sprintf("/lights?page=%d", n+1)] = page("en", fmt.Sprintf("Lights, page %d", n+1), append(parts, "</ul></main>")...)
}

// mirror adds a host with the pages of another.
func (w *Web) mirror(of *host) string {
	h := w.add("mirror.test")
	h.pages, h.robots = of.pages, of.robots
	for _, url := range w.Truth {
		w.relevant(h, strings.TrimPrefix(url, of.url("")))
	}
	w.Planted[Copies] += len(of.pages) - prints
	w.Planted[Forbidden] += 2
	return link(h.url("/"), "a mirror of the register")
}

// numbered adds a list in German, with a wrong language, whose pages link to their neighbours by number.
func (w *Web) numbered() string {
	h := w.add("leuchtfeuer.test")
	for n := range seiten {
		path := fmt.Sprintf("/turm-%c%c.html", 'a'+n/6, 'a'+n%6)
		h.pages[path] = page("en", "Leuchtturm "+place(n*2), leuchtturm(n*2))
		w.relevant(h, path)
		pager := ""
		for at := max(0, n-2); at < min(seiten, n+3); at++ {
			pager += fmt.Sprintf("<a href='/liste/seite/%d'>%d</a> ", at+1, at+1)
		}
		h.pages[fmt.Sprintf("/liste/seite/%d", n+1)] = page("en", fmt.Sprintf("Liste, Seite %d", n+1), "<ul>"+link(path, "Turm "+place(n*2))+"</ul>", pager)
	}
	w.Lists[h.url("/liste/seite/")], w.Lists[h.url("/turm-")] = seiten, seiten
	return link(h.url("/liste/seite/1"), "Leuchttürme")
}
