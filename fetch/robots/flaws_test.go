package robots_test

import (
	"slices"
	"strings"
	"testing"

	"orbweaver/fetch/robots"
)

// TestFlaws: a flaw in the middle of a file loses no rule before or after it (RFC 9309, section 2.2.4: what cannot be
// parsed is left out).
func TestFlaws(t *testing.T) {
	for _, tc := range []struct{ name, flaw string }{
		{"words", "this is our robots.txt"},
		{"no colon", "Disallow/m"},
		{"no key", ": /m"},
		{"an unknown key", "Noindex: /m"},
		{"a misspelt key", "Dissalow: /m"},
		{"an empty rule", "Disallow:"},
		{"an empty allowance", "Allow:"},
		{"a pattern without a slash", "Disallow: m"},
		{"a whole URL", "Disallow: http://a.test/m"},
		{"two paths in a line", "Disallow: /m /n"},
		{"a comment in HTML", "<!-- Disallow: /m -->"},
		{"a tag of HTML", "<br>"},
		{"a mark in the middle", "\xef\xbb\xbfDisallow: /m"},
		{"bytes that are no UTF-8", "Disallow: /\xe9"},
		{"a NUL", "Disallow: /m\x00n"},
		{"an escape that is none", "Disallow: /m%zz"},
		{"half a character escaped", "Disallow: /m%c3"},
		{"a delay that is no number", "Crawl-delay: soon"},
		{"a delay below zero", "Crawl-delay: -5"},
		{"a sitemap with blanks", "Sitemap: the list of pages"},
		{"an empty sitemap", "Sitemap:"},
		{"a line of a megabyte's tenth", "Disallow: /" + strings.Repeat("m", 100_000)},
		{"an empty line", ""},
		{"a form feed", "\f"},
		{"stars", "Disallow: /m" + strings.Repeat("*", 1000) + "$$"},
	} {
		for _, end := range []string{"\n", "\r\n", "\r"} {
			text := strings.Join([]string{"User-agent: *", "Disallow: /before", "Allow: /before/x", tc.flaw, "Disallow: /after",
				"Sitemap: http://a.test/s.xml", "Disallow: /last"}, end)
			rules := robots.Parse([]byte(text), "orbweaver")
			for path, want := range map[string]bool{"/before": false, "/before/x": true, "/after": false, "/last": false, "/other": true} {
				if allowed, line := rules.Allows(path); allowed != want {
					t.Errorf("%s: %s is allowed: %v, by %.99q", tc.name, path, allowed, line)
				}
			}
			if !slices.Contains(rules.Sitemaps, "http://a.test/s.xml") {
				t.Errorf("%s: sitemaps %q", tc.name, rules.Sitemaps)
			}
		}
	}
}
