// Package wall recognises answers that are not the page that was asked for: challenges of bot protection, "not found"
// with status 200, consent and login walls, parked domains and maintenance pages.
//
// It goes by headers, markup and shape: hardly any main text, titles, sources of scripts, forms. Words alone decide
// only where they address the reader and hardly anything stands beside them, so that an article about challenges, or
// a manual of error pages, is a page. The signs are data: see signs.go and words.txt. An answer depends on its bytes
// and header alone. The package fetches nothing.
package wall

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/page"
)

// An Answer is what an answer is instead of the page.
type Answer struct {
	Kind   orbweaver.Failure // empty: it is the page, or fails by its status alone
	Vendor string            // who sent it, where that is known
}

// Error names kind and vendor: "wall: Cloudflare".
func (a Answer) Error() string {
	if a.Vendor == "" {
		return string(a.Kind)
	}
	return string(a.Kind) + ": " + a.Vendor
}

// Unwrap returns the kind.
func (a Answer) Unwrap() error { return a.Kind }

// Sender returns the vendor.
func (a Answer) Sender() string { return a.Vendor }

// Again reports whether the same request may succeed soon: so it is for maintenance, and for no wall.
func (a Answer) Again() bool { return a.Kind == step.ErrMaintenance }

// Check returns an error, an Answer with its URL, if an answer is not the page; p is the page as read, nil for an
// answer without one. It is the Check of a pipeline.
func Check(response *step.Response, payload []byte, p *orbweaver.Page) error {
	header := response.Header
	if p != nil && p.Rendered {
		header = nil // of what was there before the scripts ran
	}
	a := Of(response.Status, header, p, func() []byte { return bodyOf(response, payload, p) })
	if a.Kind == "" {
		return nil
	}
	return fmt.Errorf("read %s: %w", response.Request.URL, a)
}

// maxBody is the number of bytes of a body that are examined: what stands in for a page is small.
const maxBody = 256 << 10

// bodyOf returns the document that a page was read from.
func bodyOf(response *step.Response, payload []byte, p *orbweaver.Page) []byte {
	if p != nil && p.Rendered && response.Rendered != nil {
		if html, err := response.Rendered(); err == nil {
			return html
		}
	}
	body, err := page.Decode(response.Header, payload, 4*maxBody)
	if err != nil {
		return nil
	}
	return body
}

// Of says what an answer is. p is the page as read, nil for an answer with an error status; body returns the document
// without content coding, and is called only for what may not be a page.
func Of(status int, header http.Header, p *orbweaver.Page, body func() []byte) Answer {
	if status/100 == 3 && header.Get("Location") != "" || status == http.StatusNotFound || status == http.StatusGone {
		return Answer{}
	}
	if vendor := byHeader(status, header); vendor != "" {
		return Answer{step.ErrWall, vendor}
	}
	l := look{status: status}
	if p == nil {
		l.read(body())
	} else if len(p.Text) > maxText || !isHTML(p.MediaType) || !l.use(p, body) {
		return Answer{}
	}
	if vendor := l.wall(); vendor != "" {
		return Answer{step.ErrWall, vendor}
	}
	return l.standIn()
}

func isHTML(mediaType string) bool {
	return mediaType == "text/html" || mediaType == "application/xhtml+xml"
}

// refuses reports whether a status is one with which walls answer.
func refuses(status int) bool {
	switch status {
	case 202, 401, 403, 405, 406, 418, 429, 503:
		return true
	}
	return false
}

// byHeader returns the vendor of a wall that its header gives away: by the first of headerSigns.
func byHeader(status int, header http.Header) string {
	first, refused := len(headerSigns), refuses(status)
	for name, values := range header { // in any order
		if len(name) == 0 || name[0] != 'X' && name[0] != 'S' && name[0] != 'C' {
			continue
		}
		for i := range headerSigns[:first] {
			if s := &headerSigns[i]; s.name == name && (refused || !s.refused) && s.has(values) {
				first = i
				break
			}
		}
	}
	if first == len(headerSigns) {
		return ""
	}
	return headerSigns[first].vendor
}

// has reports whether one of some values has that of a sign.
func (s *headerSign) has(values []string) bool {
	return slices.ContainsFunc(values, func(value string) bool {
		return strings.Contains(strings.ToLower(value), s.value)
	})
}

// The most that pages of each kind have: bytes and words of main text, links. A lead are the bytes within which a page
// says what it is.
const (
	maxText         = 2500
	maxLead         = 160
	maxWallWords    = 150
	maxAloneWords   = 80
	maxAloneLinks   = 10
	maxWallLinks    = 25
	maxTitledWords  = 250
	maxSaidWords    = 90
	maxBareWords    = 25
	maxConsentWords = 320
	maxConsentLinks = 40
	maxLoginWords   = 70
	maxLoginFields  = 3 // beside the password: user, domain, code
	maxParkedWords  = 160
)

// wall returns the vendor of a wall; empty: it is none.
func (l *look) wall() string {
	refused := refuses(l.status) && l.status != http.StatusAccepted
	if !refused && (l.words > maxWallWords || l.links > maxWallLinks) {
		return ""
	}
	if l.acts() {
		if vendor := l.byMarkup(refused); vendor != "" {
			return vendor
		}
	}
	if !refused && l.words > maxAloneWords || l.words > maxTitledWords || l.links > maxAloneLinks {
		return ""
	}
	for _, n := range [...]uint{l.title.walls, l.says.walls} {
		if n == 0 {
			continue
		}
		if s := &wallWords[n-1]; refused || !s.refused && l.acts() && l.fields <= 1 && l.passwords == 0 {
			return s.vendor
		}
	}
	return ""
}

// byMarkup returns the vendor of a wall by its markup.
func (l *look) byMarkup(refused bool) string {
	for i := range markupSigns {
		s := &markupSigns[i]
		if s.refused && !refused || s.alone && !l.alone() {
			continue
		}
		if l.hasAll(s.all) {
			return s.vendor
		}
	}
	if !l.alone() {
		return ""
	}
	for i := range widgets {
		if strings.Contains(l.markup, widgets[i].mark) {
			return widgets[i].vendor
		}
	}
	return ""
}

// alone reports whether there is hardly anything beside a challenge: no form to fill in, few words, few links.
func (l *look) alone() bool {
	return l.words <= maxAloneWords && l.links <= maxAloneLinks && l.fields == 0 && l.passwords == 0
}

// acts reports whether a page does something, or lets do something: a challenge does.
func (l *look) acts() bool { return l.scripts > 0 || l.forms > 0 || l.frames > 0 || l.refreshes }

// standIn says what else an answer is instead of the page.
func (l *look) standIn() Answer {
	ok := l.status/100 == 2
	switch {
	case (ok || l.status == http.StatusServiceUnavailable) && l.isMaintenance():
		return Answer{step.ErrMaintenance, ""}
	case (ok || l.status == http.StatusUnauthorized || l.status == http.StatusForbidden) && l.isLogin():
		return Answer{step.ErrLogin, ""}
	case !ok:
		return Answer{}
	}
	if vendor, is := l.isParked(); is {
		return Answer{step.ErrParked, vendor}
	}
	if l.isSoft404() {
		return Answer{step.ErrSoft404, ""}
	}
	if vendor, is := l.isConsent(); is {
		return Answer{step.ErrConsent, vendor}
	}
	return Answer{}
}

// is reports whether a page is of a list by its title, and by what it says to its reader, or by the latter alone if
// it says so at once and little else.
func (l *look) is(of list) bool {
	if l.title.at[of] > 0 && l.words <= maxTitledWords {
		return l.says.at[of] > 0 || l.words <= maxBareWords
	}
	return l.says.within(of, maxLead) && l.words <= maxSaidWords
}

// isSoft404 reports whether a page says that it was not found.
func (l *look) isSoft404() bool { return l.is(notFound) && l.says.at[explaining] == 0 }

// isMaintenance reports whether a page says that its site is being worked on.
func (l *look) isMaintenance() bool {
	return l.is(maintenance) && (l.says.at[maintenance] > 0 || l.links <= maxAloneLinks)
}

// isLogin reports whether a page is little but a form to log in, or says that its reader must.
func (l *look) isLogin() bool {
	if l.words > maxLoginWords {
		return false
	}
	if l.says.within(login, maxLead) {
		return true
	}
	titled := l.title.at[login] > 0
	if l.passwords == 1 && l.fields <= maxLoginFields {
		return titled || hasLine(l.controls, sections()["login titles"])
	}
	return titled && (hasAny(l.markup, sections()["login marks"]) || l.fields == 1 && l.forms > 0 && l.links <= maxAloneLinks)
}

// isParked reports whether a page is that of a domain that nobody uses, and with whom it is parked.
func (l *look) isParked() (vendor string, is bool) {
	if l.words > maxParkedWords || l.links > maxConsentLinks {
		return "", false
	}
	for i := range parkedSigns {
		if s := &parkedSigns[i]; strings.Contains(l.markup, s.mark) {
			return s.vendor, true
		}
	}
	return "", l.says.within(parked, 2*maxLead) || l.title.at[parked] > 0
}

// isConsent reports whether a page asks for its reader's consent and has nothing else, and by whose means it asks.
func (l *look) isConsent() (vendor string, is bool) {
	titled := l.title.at[consent] > 0
	switch {
	case l.words > maxConsentWords, l.links > maxConsentLinks, l.scripted, l.fields > 0, l.title.at[policy] > 0,
		!titled && !l.says.within(consent, 2*maxLead),
		!hasAny(l.controls, sections()["consent buttons"]), l.consentShare() < consentSome:
		return "", false
	}
	for i := range consentSigns {
		if s := &consentSigns[i]; strings.Contains(l.markup, s.mark) {
			return s.vendor, true
		}
	}
	return "", true
}

// consentSome is the share of the text of a consent wall in paragraphs about consent.
const consentSome = 0.6

// consentShare returns the share of the text in paragraphs about cookies, privacy and consent.
func (l *look) consentShare() float64 {
	about, all := 0, 0
	for part := range strings.SplitSeq(l.text, "\n") {
		all += len(part)
		if hasAny(part, sections()["consent topics"]) {
			about += len(part)
		}
	}
	if all == 0 {
		return 0
	}
	return float64(about) / float64(all)
}
