package page

import (
	"strings"

	"orbweaver"
)

// refreshTarget returns the URL in the content of a refresh, as browsers read it (HTML, "shared declarative
// refresh steps"): a delay, then ";", "," or white space, then the URL, with or without "url=" and quotes.
// Empty: none, which means reloading the page.
func refreshTarget(content string) string {
	const blank = " \t\n\f\r"
	s := strings.TrimLeft(content, blank)
	rest := strings.TrimLeft(s, "0123456789")
	if len(rest) == len(s) && !strings.HasPrefix(s, ".") { // no delay
		return ""
	}
	s = strings.TrimLeft(rest, "0123456789.")
	if s == "" || !strings.ContainsRune(";,"+blank, rune(s[0])) {
		return ""
	}
	s = strings.TrimLeft(s, blank)
	if s != "" && (s[0] == ';' || s[0] == ',') {
		s = strings.TrimLeft(s[1:], blank)
	}
	if len(s) > 3 && strings.EqualFold(s[:3], "url") {
		if after := strings.TrimLeft(s[3:], blank); strings.HasPrefix(after, "=") {
			s = strings.TrimLeft(after[1:], blank)
		}
	}
	if s != "" && (s[0] == '"' || s[0] == '\'') {
		s, _, _ = strings.Cut(s[1:], s[:1])
	}
	return strings.TrimRight(s, blank)
}

// refresh adds the target of a <meta http-equiv=refresh> as a link, whatever the delay.
func (d *document) refresh() {
	to := refreshTarget(unescape(cut(d.attrs.get(attrContent), maxValue)))
	if to == "" || !d.newLink(orbweaver.FromHead, []byte(to)) {
		return
	}
	l := &d.links[len(d.links)-1]
	l.lone, l.rel = true, "refresh"
}
