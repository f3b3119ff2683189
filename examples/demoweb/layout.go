package main

import (
	"fmt"
	"strings"
)

// A sheet is the content of a page without its host's layout.
type sheet struct {
	url, title, lang, charset string
	head                      string   // further lines of the head, HTML
	blocks                    []string // HTML, in order
	next                      string   // HTML after the text: further links
}

// compose writes a section: its title and its blocks.
func (a *author) compose(s section) (title string, blocks []string) {
	var heading string // held back until content follows
	for _, p := range s.paragraphs {
		for len(p) > 0 {
			n := p.run()
			switch p[0].mark {
			case "#":
				title = a.sentence(p[0].variants)
			case "##":
				heading = "<h2>" + a.sentence(p[0].variants) + "</h2>"
			default:
				text := a.block(p[:n])
				if len(text) > 0 && heading != "" {
					blocks, heading = append(blocks, heading), ""
				}
				blocks = append(blocks, text...)
			}
			p = p[n:]
		}
	}
	return title, blocks
}

// run returns how many slots from the first on form a block: one heading, consecutive sentences, or
// consecutive items.
func (p paragraph) run() int {
	n := 1
	for p[0].mark != "#" && p[0].mark != "##" && n < len(p) && p[n].mark == p[0].mark {
		n++
	}
	return n
}

// block writes sentences as a paragraph, or items as a list; nothing if no sentence applies. A list of pages
// ends the paragraph before it.
func (a *author) block(p paragraph) []string {
	var blocks, parts []string
	for _, s := range p {
		text := a.sentence(s.variants)
		switch {
		case strings.HasPrefix(text, "<ul>"):
			blocks = append(enclose(blocks, parts, p[0].mark), text)
			parts = nil
		case text != "":
			parts = append(parts, text)
		}
	}
	return enclose(blocks, parts, p[0].mark)
}

// enclose appends a paragraph or list of the parts, unless they are empty.
func enclose(blocks, parts []string, mark string) []string {
	switch {
	case len(parts) == 0:
		return blocks
	case mark == "*":
		return append(blocks, "<ul>\n<li>"+strings.Join(parts, "</li>\n<li>")+"</li>\n</ul>")
	}
	return append(blocks, "<p>"+strings.Join(parts, "\n")+"</p>")
}

// dress puts a sheet into the layout of its host: navigation, cookie note and footer around the text.
func (w *web) dress(s sheet) string {
	host := w.host(s.url)
	a := &author{web: w, url: s.url, dice: diceFor(s.url)}
	s.title = strings.ReplaceAll(s.title, commonMark, "")
	text := "<h1>" + s.title + "</h1>\n" + strings.Join(s.blocks, "\n") + "\n" + s.next
	text = strings.ReplaceAll(text, commonMark, "")
	switch host["layout"] {
	case "table":
		return tableLayout(a, host, s, text)
	case "plain":
		return plainLayout(a, host, s, text)
	}
	return modernLayout(a, host, s, text)
}

// host returns the row of a page's host.
func (w *web) host(url string) fact {
	name, _, _ := strings.Cut(strings.TrimPrefix(url, "http://"), "/")
	if w.hostOf[name] == nil {
		w.complain("%s: no host %s in facts/hosts.tsv", url, name)
	}
	return w.hostOf[name]
}

// modernLayout is HTML5 with semantic elements.
func modernLayout(a *author, host fact, s sheet, text string) string {
	return fmt.Sprintf(`<!DOCTYPE html>
<html lang="%s">
<head>
%s<meta name="viewport" content="width=device-width">
<link rel="stylesheet" href="/style.css">
</head>
<body>
<header><p>%s</p><nav>%s</nav></header>
<div class="cookie-banner" role="dialog">We use cookies to remember that you have seen this note about cookies. <button>Accept</button></div>
<main>
%s
</main>
<footer>%s</footer>
</body>
</html>
`, s.lang, head(host, s), host["title"], menu(a, host, " "), text, footer(a, host))
}

// tableLayout is HTML in the style of 1999: upper case, a table for the columns, no closing tags for
// paragraphs.
func tableLayout(a *author, host fact, s sheet, text string) string {
	return fmt.Sprintf(`<HTML lang="%s">
<HEAD>
%s</HEAD>
<BODY bgcolor="#ffffff">
<TABLE width="100%%"><TR><TD width="160" valign="top" class="menu">%s</TD>
<TD valign="top">
%s
</TD></TR></TABLE>
<HR><DIV class="footer"><FONT size="-1">%s</FONT></DIV>
</BODY></HTML>
`, s.lang, head(host, s), menu(a, host, "<BR>\n"), strings.ReplaceAll(text, "</p>", ""), footer(a, host))
}

// plainLayout is HTML in the style of a content management system: divisions with class names.
func plainLayout(a *author, host fact, s sheet, text string) string {
	return fmt.Sprintf(`<!DOCTYPE html>
<html lang="%s"><head>
%s<script>var loaded = new Date(); if (1 < 2) { document.title += ""; }</script>
</head><body class="site">
<div id="top"><div class="navbar"><ul><li>%s</li></ul></div></div>
<div id="content" class="entry">
%s
</div>
<div id="sidebar"><p>Subscribe to our letter and never miss a page.</p></div>
<div id="footer"><p>%s</p></div>
</body></html>
`, s.lang, head(host, s), menu(a, host, "</li><li>"), text, footer(a, host))
}

// head returns the part of the head common to all layouts.
func head(host fact, s sheet) string {
	charset := s.charset
	if charset == "" {
		charset = "utf-8"
	}
	return fmt.Sprintf("<meta charset=\"%s\">\n<title>%s - %s</title>\n%s", charset, s.title, escape(host["title"]), s.head)
}

// menu returns the navigation of a host: "Label=target" items separated by semicolons.
func menu(a *author, host fact, separator string) string {
	links := []string{a.link("Home", "http://"+host["host"]+"/")}
	for item := range strings.SplitSeq(host["menu"], ";") {
		if label, target, ok := strings.Cut(item, "="); ok {
			links = append(links, a.link(escape(label), "http://"+host["host"]+target))
		}
	}
	return strings.Join(links, separator)
}

// footer returns the small print, with links to partner sites.
func footer(a *author, host fact) string {
	var friends []string
	for name := range strings.FieldsSeq(host["friends"]) {
		friends = append(friends, a.link(escape(a.web.hostOf[name]["title"]), "http://"+name+"/"))
	}
	text := "&copy; " + escape(host["title"]) + ". All rights reserved, all wrongs corrected."
	if len(friends) > 0 {
		text += " Our friends: " + join(friends) + "."
	}
	return text
}
