// Package failing learns which kinds of URLs do not answer, from the outcomes of a crawl: by file extension, host, directory
// and the media type that a link states. What fails says nothing about what a page is about, so it is learned for every
// focus alike.
//
// The share of a kind that answers is the mean of a Beta posterior, whose prior is the share of the kind above it: of all
// URLs, then of the host, or of the extensions of which any answered, then of an extension or directory of one host. So a
// kind that was never tried never fails, one of a family that failed before fails sooner, and one host may answer what
// others do not. The share of a kind above leaves out the outcomes of the kind itself. Old outcomes count less: after every Epoch outcomes all sums lose a quarter.
package failing

import (
	"fmt"
	"strings"

	"orbweaver/weburl"
)

const (
	Epoch   = 512        // outcomes after which all sums lose a quarter
	Window  = 64 * Epoch // outcomes after which nothing is left of one
	unit    = 1 << 16    // weight of an outcome, in whole numbers: the same on every machine
	prior   = 2.0        // outcomes that the share of the kind above stands for
	least   = 2          // outcomes of its own without which an extension or media type does not fail
	too     = 0.25       // a kind fails if it answers less than this share of what pages without an extension do
	most    = 1 << 16    // kinds
	longest = 5          // bytes of an extension, without the dot
	pages   = "page"     // the kind of URLs without an extension
)

// A Model counts what answered. The zero Model has seen nothing. It is for one goroutine.
type Model struct {
	all   tally
	kinds map[string]tally
	since int // outcomes after the last epoch

	extensions tally // how many were tried, and how many of them ever answered
}

// A tally counts outcomes, in units.
type tally struct{ tried, answered int64 }

// share returns the mean of the posterior under the share of the kind above.
func (t tally) share(above float64) float64 {
	return (float64(t.answered)/unit + prior*above) / (float64(t.tried)/unit + prior)
}

// less returns the outcomes of a kind without those of one below it.
func (t tally) less(below tally) tally {
	return tally{max(0, t.tried-below.tried), max(0, t.answered-below.answered)}
}

// Start returns after which of n outcomes a Model must begin to be the same as one that saw all n.
func Start(n int64) int64 {
	if n <= Window {
		return 0
	}
	return (n - Window) / Epoch * Epoch
}

// Add counts the outcome of a request: its URL, the media type that its link states, if any, and whether there was an answer.
func (m *Model) Add(url, media string, answered bool) {
	if m.since++; m.since > Epoch {
		m.since = 1
		m.fade()
	}
	m.all.add(answered)
	k := kindsOf(url, media)
	for _, name := range k.names() {
		if name == "" {
			continue
		}
		t, known := m.kinds[name]
		if !known && len(m.kinds) >= most {
			continue
		}
		if m.kinds == nil {
			m.kinds = map[string]tally{}
		}
		if name == k.extension && !known {
			m.extensions.add(answered)
		} else if name == k.extension && answered && t.answered == 0 {
			m.extensions.answered += unit
		}
		t.add(answered)
		m.kinds[name] = t
	}
}

func (t *tally) add(answered bool) {
	if t.tried += unit; answered {
		t.answered += unit
	}
}

// fade takes a quarter of all sums, and forgets kinds of which little is left.
func (m *Model) fade() {
	m.all.fade()
	m.extensions = tally{}
	for name, t := range m.kinds {
		if t.fade(); t.tried == 0 {
			delete(m.kinds, name)
			continue
		}
		m.kinds[name] = t
		if name[0] == '.' {
			m.extensions.add(t.answered > 0)
		}
	}
}

func (t *tally) fade() {
	t.tried -= (t.tried + 3) / 4
	t.answered = min(t.answered-(t.answered+3)/4, t.tried)
}

// Fails reports whether a request is of a kind that does not answer, and which: "3 of 40 .ps answered". media is the media
// type that its link states, if any.
func (m *Model) Fails(url, media string) (why string, fails bool) {
	if m.all.tried == m.all.answered {
		return "", false
	}
	k := kindsOf(url, media)
	best := max(m.all.share(1), m.kinds[pages].share(1))
	limit := too * best
	host, directory, ofHost := m.kinds[k.host], m.kinds[k.directory], m.kinds[k.ofHost]
	above := directory.share(host.less(directory).share(best))
	below := 1.0
	if e := m.kinds[k.extension]; k.extension != "" && e.tried >= least*unit {
		below = e.less(ofHost).share(m.others(e).share(best))
		below = ofHost.share(min(below, host.less(ofHost).share(best)))
	}
	stated := 1.0
	if k.media != "" {
		if t := m.kinds[k.media]; t.tried >= least*unit {
			stated = t.share(best)
		}
	}
	switch {
	case below < limit:
		if 2*ofHost.tried > m.kinds[k.extension].tried {
			return m.says(k.ofHost), true
		}
		return m.says(k.extension), true
	case above < limit:
		return m.says(k.directory), true
	case stated < limit:
		return m.says(k.media), true
	}
	return "", false
}

// others counts the extensions but for one, and those of them of which one ever answered.
func (m *Model) others(but tally) tally {
	t := m.extensions
	t.tried -= unit
	if but.answered > 0 {
		t.answered -= unit
	}
	return t
}

// says describes a kind with its counts.
func (m *Model) says(name string) string {
	t := m.kinds[name]
	return fmt.Sprintf("%.3g of %.3g answered: %s", float64(t.answered)/unit, float64(t.tried)/unit, name)
}

// A kinds names the kinds of one request; empty where there is none.
type kinds struct{ host, directory, page, extension, ofHost, media string }

func (k kinds) names() [6]string {
	return [...]string{k.host, k.directory, k.page, k.extension, k.ofHost, k.media}
}

// kindsOf returns the kinds of a request.
func kindsOf(url, media string) kinds {
	host := weburl.Host(url)
	path := pathOf(url)
	k := kinds{host: host, directory: host + directoryOf(path)}
	if e := extensionOf(path); e != "" {
		k.extension, k.ofHost = e, host+" "+e
	} else {
		k.page, k.ofHost = pages, host+" "+pages
	}
	if media, _, _ = strings.Cut(strings.ToLower(strings.TrimSpace(media)), ";"); len(media) < 60 && strings.Contains(media, "/") && media != "text/html" {
		k.media = media
	}
	return k
}

// pathOf returns the path of a canonical URL, without its query.
func pathOf(url string) string {
	_, rest, ok := strings.Cut(url, "://")
	i := strings.IndexByte(rest, '/')
	if !ok || i < 0 {
		return "/"
	}
	path, _, _ := strings.Cut(rest[i:], "?")
	return path
}

// asPages are extensions of what is usually a page, made by a program or not.
var asPages = map[string]bool{
	".html": true, ".htm": true, ".xhtml": true, ".shtml": true, ".php": true, ".asp": true, ".aspx": true, ".jsp": true, ".cgi": true, ".cfm": true, ".do": true,
}

// extensionOf returns the extension of a path in lower case, with its dot: of letters, or letters and digits; empty for those of
// pages.
func extensionOf(path string) string {
	last := path[strings.LastIndexByte(path, '/')+1:]
	dot := strings.LastIndexByte(last, '.')
	if dot <= 0 || len(last)-dot-1 > longest || dot == len(last)-1 {
		return ""
	}
	e, letters := strings.ToLower(last[dot:]), 0
	for _, c := range e[1:] {
		switch {
		case 'a' <= c && c <= 'z':
			letters++
		case c < '0' || c > '9':
			return ""
		}
	}
	if letters == 0 || asPages[e] {
		return ""
	}
	return e
}

// directoryOf returns the first two directories of a path, digits made alike, without those that a name ends: "/a/y0/".
func directoryOf(path string) string {
	var b strings.Builder
	for i, seen := 0, 0; i < len(path) && seen < 3 && b.Len() < 80; i++ {
		if c := path[i]; c < '0' || c > '9' {
			if b.WriteByte(c); c == '/' {
				seen++
			}
		} else if s := b.String(); s[len(s)-1] != '0' {
			b.WriteByte('0')
		}
	}
	s := b.String()
	return s[:strings.LastIndexByte(s, '/')+1]
}
