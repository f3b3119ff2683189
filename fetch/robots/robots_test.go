package robots_test

import (
	"strings"
	"testing"
	"time"

	"orbweaver/fetch/robots"
)

func TestAllows(t *testing.T) {
	for _, tc := range []struct {
		name, file, path string
		want             bool
	}{
		{"an empty file", "", "/x", true},
		{"everyone out", "User-agent: *\nDisallow: /", "/x", false},
		{"robots.txt itself is always allowed", "User-agent: *\nDisallow: /", "/robots.txt", true},
		{"an empty Disallow forbids nothing", "User-agent: *\nDisallow:", "/x", true},
		{"a prefix", "User-agent: *\nDisallow: /a", "/abc", false},
		{"another path", "User-agent: *\nDisallow: /a", "/b", true},
		{"paths have case", "User-agent: *\nDisallow: /a", "/A", true},
		{"the longest match wins", "User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/b/c", true},
		{"whatever comes first", "User-agent: *\nAllow: /a/b\nDisallow: /a", "/a/c", false},
		{"of equal lengths Allow wins", "User-agent: *\nDisallow: /a\nAllow: /a", "/a", true},
		{"our own group, not the star's", "User-agent: *\nDisallow: /\nUser-agent: OrbWeaver\nDisallow: /x", "/y", true},
		{"our own group forbids", "User-agent: orbweaver/1.0\nDisallow: /x", "/x", false},
		{"another's group is not ours", "User-agent: orb\nDisallow: /", "/x", true},
		{"groups of one name count together", "User-agent: orbweaver\nDisallow: /a\nUser-agent: b\nDisallow: /b\nUser-agent: orbweaver\nDisallow: /c", "/c", false},
		{"one group for several", "User-agent: b\nUser-agent: orbweaver\nDisallow: /a", "/a", false},
		{"a star inside", "User-agent: *\nDisallow: /*.pdf", "/dir/x.pdf?y", false},
		{"the end", "User-agent: *\nDisallow: /*.pdf$", "/dir/x.pdf?y", true},
		{"the end, reached", "User-agent: *\nDisallow: /*.pdf$", "/dir/x.pdf", false},
		{"the end, without a star", "User-agent: *\nDisallow: /x$", "/x", false},
		{"the end, beyond", "User-agent: *\nDisallow: /x$", "/xy", true},
		{"two stars", "User-agent: *\nDisallow: /a*b*c", "/a1b2c3", false},
		{"two stars in the wrong order", "User-agent: *\nDisallow: /a*b*c", "/a1c2b3", true},
		{"a query counts", "User-agent: *\nDisallow: /*?id=", "/p?id=1", false},
		{"encoded letters are letters", "User-agent: *\nDisallow: /%61", "/a", false},
		{"letters beyond ASCII are encoded", "User-agent: *\nDisallow: /\u00fc", "/%c3%bc", false},
		{"an encoded slash is no slash", "User-agent: *\nDisallow: /a%2fb", "/a/b", true},
		{"comments", "User-agent: * # all\nDisallow: /a # b", "/a", false},
		{"CR line ends", "User-agent: *\rDisallow: /a", "/a", false},
		{"spaces and case of keys", " USER-AGENT : *\n disallow : /a", "/a", false},
		{"rules before any group are nobody's", "Disallow: /", "/x", true},
		{"a sitemap does not end a group", "User-agent: *\nSitemap: http://a/s.xml\nDisallow: /a", "/a", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, line := robots.Parse([]byte(tc.file), "orbweaver").Allows(tc.path)
			if got != tc.want {
				t.Errorf("Allows(%q) = %v by %q", tc.path, got, line)
			}
			if !got && !strings.HasPrefix(line, "Disallow: ") {
				t.Errorf("forbidden by %q", line)
			}
		})
	}
}

func TestUserAgent(t *testing.T) {
	file := []byte("User-agent: orbweaver\nDisallow: /a\nUser-agent: *\nDisallow: /b")
	for _, agent := range []string{"orbweaver", "Orbweaver/1.0 (+http://example.org/bot)"} {
		rules := robots.Parse(file, agent)
		if ok, _ := rules.Allows("/a"); ok {
			t.Errorf("%s: its own group was passed over", agent)
		}
		if ok, _ := rules.Allows("/b"); !ok {
			t.Errorf("%s: everybody's group was taken", agent)
		}
	}
	if ok, _ := robots.Parse(file, "").Allows("/b"); ok {
		t.Error("a nameless crawler is everybody")
	}
}

func TestDelayAndSitemaps(t *testing.T) {
	r := robots.Parse([]byte("Sitemap: http://a/1\nUser-agent: *\nCrawl-delay: 2.5\nCrawl-delay: 9\nUser-agent: b\nCrawl-delay: 7\nSitemap: http://a/2"), "orbweaver")
	if r.Delay != 2500*time.Millisecond {
		t.Errorf("delay %v", r.Delay)
	}
	if strings.Join(r.Sitemaps, " ") != "http://a/1 http://a/2" {
		t.Errorf("sitemaps %v", r.Sitemaps)
	}
	if r := robots.Parse([]byte("User-agent: *\nCrawl-delay: NaN"), "x"); r.Delay != 0 {
		t.Errorf("NaN is a delay of %v", r.Delay)
	}
}

func TestDisallowed(t *testing.T) {
	if ok, why := robots.Disallowed("robots.txt: 503").Allows("/x"); ok || why != "robots.txt: 503" {
		t.Errorf("%v, %q", ok, why)
	}
	var none *robots.Rules
	if ok, _ := none.Allows("/x"); !ok {
		t.Error("no rules forbid")
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("User-agent: *\nDisallow: /*a*b$"), "/xayb")
	f.Fuzz(func(t *testing.T, file []byte, path string) {
		robots.Parse(file, "orbweaver").Allows(path)
	})
}
