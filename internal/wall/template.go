package wall

import (
	"encoding/hex"
	"hash/fnv"
	"math/bits"
	"strings"

	"orbweaver"
	"orbweaver/weburl"
)

// Bounds of what is known of hosts.
const (
	repeatsToAsk = 3      // answers alike after which a host is asked for what cannot exist
	maxHosts     = 10_000 // hosts watched
	nearBits     = 3      // of a Simhash, by which near-identical texts differ
)

// Templates finds out, host by host, whether answers that are all alike are what the host gives for any URL: its "not
// found" with a status of success. After three of them the caller asks for a URL that cannot exist, once. It is not
// for archives, where nothing can be asked. Not safe for concurrent use.
type Templates struct{ hosts map[string]*template }

// A template is what is known of one host.
type template struct {
	mark    fingerprint // of the last answer
	alike   int         // answers in a row with that mark
	asked   bool
	settled bool // the mark is that of what does not exist
}

// A fingerprint identifies near-identical pages.
type fingerprint struct {
	title, digest string
	simhash       uint64
}

// fingerprintOf is the fingerprint of a page. The bytes that scripts made a page of are those of many.
func fingerprintOf(p *orbweaver.Page) fingerprint {
	f := fingerprint{p.Title, p.Digest, p.Simhash}
	if p.Rendered {
		f.digest = ""
	}
	return f
}

// near reports whether two pages are nearly the same.
func (f fingerprint) near(o fingerprint) bool {
	if f.digest == o.digest && f.digest != "" {
		return true
	}
	return f.title == o.title && f.simhash != 0 && o.simhash != 0 && bits.OnesCount64(f.simhash^o.simhash) <= nearBits
}

// Look takes a page. is: it is what its host gives for any URL; ask: a URL to request once, whose answer settles that.
func (t *Templates) Look(p *orbweaver.Page) (ask string, is bool) {
	if host := weburl.Host(p.URL); p.Request.URL == Impossible(host) {
		t.Settle(host, p)
		return "", true
	}
	if t.Is(p) {
		return "", true
	}
	return t.Add(p), false
}

// Add adds a page, and returns the URL that settles what pages like it are, or "" if nothing is to be asked now. Pages
// with much text, and those that scripts fill, are passed over.
func (t *Templates) Add(p *orbweaver.Page) (ask string) {
	if len(p.Text) > maxText || p.Scripted || !isHTML(p.MediaType) || p.Digest == "" {
		return ""
	}
	host := weburl.Host(p.URL)
	h := t.hosts[host]
	switch {
	case h == nil && len(t.hosts) >= maxHosts:
		return ""
	case h == nil:
		if h = (&template{mark: fingerprintOf(p)}); t.hosts == nil {
			t.hosts = map[string]*template{}
		}
		t.hosts[host] = h
	case h.asked:
		return ""
	case !h.mark.near(fingerprintOf(p)):
		h.mark, h.alike = fingerprintOf(p), 0
	}
	if h.alike++; h.alike < repeatsToAsk {
		return ""
	}
	h.asked = true
	return Impossible(host)
}

// Settle takes the answer to the URL that cannot exist; p is nil if it has no page: then the pages that are alike are
// pages. It reports whether they are what the host gives for any URL.
func (t *Templates) Settle(host string, p *orbweaver.Page) bool {
	h := t.hosts[host]
	if h == nil || !h.asked {
		return false
	}
	h.settled = p != nil && h.mark.near(fingerprintOf(p))
	return h.settled
}

// Is reports whether a page is what its host gives for any URL.
func (t *Templates) Is(p *orbweaver.Page) bool {
	h := t.hosts[weburl.Host(p.URL)]
	return h != nil && h.settled && h.mark.near(fingerprintOf(p))
}

// Impossible returns a URL of a host that cannot exist: always the same, so that a crawl can be repeated.
func Impossible(host string) string {
	sum := fnv.New128a()
	sum.Write([]byte("no such page at " + host))
	return strings.TrimSuffix(host, "/") + "/" + hex.EncodeToString(sum.Sum(nil))
}
