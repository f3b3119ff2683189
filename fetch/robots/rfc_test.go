package robots_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"orbweaver/fetch/robots"
)

// A ruling is one rule of a standard: what a file says to orbweaver of a path.
type ruling struct {
	name, file, path string
	want             bool
}

// check asks every ruling.
func check(t *testing.T, rulings []ruling) {
	t.Helper()
	for _, tc := range rulings {
		t.Run(tc.name, func(t *testing.T) {
			got, line := robots.Parse([]byte(tc.file), "orbweaver").Allows(tc.path)
			if got != tc.want {
				t.Errorf("Allows(%q) = %v by %q, of\n%s", tc.path, got, line, tc.file)
			}
			if !got && !strings.HasPrefix(line, "Disallow: ") {
				t.Errorf("forbidden by %q", line)
			}
		})
	}
}

// RFC 9309, sections 2.1, 2.2 and 2.2.1: groups, and whose they are.
func TestGroups(t *testing.T) {
	check(t, []ruling{
		{"an empty file", "", "/x", true},
		{"everyone out", "User-agent: *\nDisallow: /", "/x", false},
		{"our own group, not the star's", "User-agent: *\nDisallow: /\nUser-agent: OrbWeaver\nDisallow: /x", "/y", true},
		{"whichever comes first", "User-agent: OrbWeaver\nDisallow: /x\nUser-agent: *\nDisallow: /", "/y", true},
		{"our own group forbids", "User-agent: orbweaver/1.0\nDisallow: /x", "/x", false},
		{"names have no case", "User-agent: ORBweaver\nDisallow: /x", "/x", false},
		{"a name ends at what no name may have", "User-agent: orbweaver2 beta\nDisallow: /x", "/x", false},
		{"the beginning of our name is not ours", "User-agent: orb\nDisallow: /", "/x", true},
		{"a longer name is not ours", "User-agent: orbweaver-news\nDisallow: /", "/x", true},
		{"our name with more about it", "User-agent: the orbweaver\nDisallow: /", "/x", true},
		{"groups of one name count together", "User-agent: orbweaver\nDisallow: /a\nUser-agent: b\nDisallow: /b\nUser-agent: orbweaver\nDisallow: /c", "/c", false},
		{"the first of them too", "User-agent: orbweaver\nDisallow: /a\nUser-agent: b\nDisallow: /b\nUser-agent: orbweaver\nDisallow: /c", "/a", false},
		{"and nothing between them", "User-agent: orbweaver\nDisallow: /a\nUser-agent: b\nDisallow: /b\nUser-agent: orbweaver\nDisallow: /c", "/b", true},
		{"groups of the star count together", "User-agent: *\nDisallow: /a\nUser-agent: b\nDisallow: /b\nUser-agent: *\nDisallow: /c", "/a", false},
		{"one group for several", "User-agent: b\nUser-agent: orbweaver\nDisallow: /a", "/a", false},
		{"one group for all and us", "User-agent: *\nUser-agent: orbweaver\nDisallow: /a\nUser-agent: *\nDisallow: /b", "/b", true},
		{"empty lines part nothing", "User-agent: orbweaver\n\n\nDisallow: /a\n\nDisallow: /b", "/b", false},
		{"empty lines between names part nothing", "User-agent: orbweaver\n\nUser-agent: b\n\nDisallow: /a", "/a", false},
		{"a group of ours without rules allows all", "User-agent: *\nDisallow: /\nUser-agent: orbweaver", "/x", true},
		{"no group is for us", "User-agent: b\nDisallow: /", "/x", true},
		{"rules before any group are nobody's", "Disallow: /\nUser-agent: *\nDisallow: /a", "/x", true},
		{"an Allow before any group neither", "Allow: /a/b\nUser-agent: *\nDisallow: /a", "/a/b", false},
		{"a nameless User-agent opens a group for nobody", "User-agent: *\nDisallow: /a\nUser-agent:\nDisallow: /b", "/b", true},
		{"an empty Disallow ends the names of a group", "User-agent: orbweaver\nDisallow:\nUser-agent: b\nDisallow: /a", "/a", true},
	})
}

// RFC 9309, section 2.2.2: which rule decides.
func TestMostSpecific(t *testing.T) {
	check(t, []ruling{
		{"no rule matches", forAll("Disallow: /a"), "/b", true},
		{"a rule matches from the first octet", forAll("Disallow: /a"), "/b/a", true},
		{"and need not reach the end", forAll("Disallow: /a"), "/abc", false},
		{"but its own end must be reached", forAll("Disallow: /abc"), "/ab", true},
		{"paths have case", forAll("Disallow: /a"), "/A", true},
		{"an empty Disallow forbids nothing", forAll("Disallow:"), "/x", true},
		{"an empty Allow allows nothing", forAll("Disallow: /", "Allow:"), "/x", false},
		{"the longest match wins", forAll("Disallow: /a", "Allow: /a/b"), "/a/b/c", true},
		{"wherever it stands", forAll("Allow: /a/b", "Disallow: /a"), "/a/b/c", true},
		{"for what it matches alone", forAll("Allow: /a/b", "Disallow: /a"), "/a/c", false},
		{"a longer Disallow beats an Allow", forAll("Allow: /a", "Disallow: /a/b"), "/a/b", false},
		{"of equal lengths Allow wins", forAll("Disallow: /a", "Allow: /a"), "/a", true},
		{"of equal lengths, unlike, Allow wins", forAll("Allow: /*b", "Disallow: /ab"), "/ab", true},
		{"a dollar counts", forAll("Allow: /a", "Disallow: /a$"), "/a", false},
		{"an asterisk counts", forAll("Allow: /a", "Disallow: /a*"), "/a", false},
		{"an octet beyond ASCII counts as encoded", forAll("Allow: /\u00fc", "Disallow: /*abc"), "/\u00fcabc", true},
		{"an encoded letter counts as the letter", forAll("Disallow: /%61b", "Allow: /*ab"), "/ab", true},
		{"an encoded slash in a query counts as the slash", forAll("Allow: /?%2F", "Disallow: /*/"), "/?%2F", true},
		{"and no more", forAll("Allow: /?%2F", "Disallow: /?*/x"), "/?/x", false},
		{"duplicates change nothing", forAll("Disallow: /a", "Disallow: /a", "Allow: /a/b", "Disallow: /a"), "/a/b", true},
		{"robots.txt itself is always allowed", forAll("Disallow: /"), "/robots.txt", true},
		{"even when it is named", forAll("Disallow: /robots.txt"), "/robots.txt", true},
		{"what resembles it is not", forAll("Disallow: /"), "/robots.txt.bak", false},
		{"no path is the root", forAll("Disallow: /$"), "", false},
		{"a bare query is the root's", forAll("Disallow: /?a"), "?a", false},
		{"a query counts", forAll("Disallow: /*?id="), "/p?id=1", false},
		{"a pattern without a slash is no path", forAll("Disallow: a"), "/a", true},
		{"nor is an address", forAll("Disallow: http://h/a"), "/a", true},
	})
}

// RFC 9309, section 2.2.2, its table of encodings and what follows from it, in both directions.
func TestEncoding(t *testing.T) {
	for _, tc := range []struct {
		name, pattern, path string
		match               bool
	}{
		{"an address in a query", "/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https://foo.bar", true},
		{"an address in a query, encoded in one", "/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar", true},
		{"in any case", "/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3a%2f%2Ffoo.bar", true},
		{"a question mark, at, brackets in a query", "/a?b=%5B?@%5D", "/a?b=[%3F%40]", true},
		{"what parts the pieces of a query is not encoded", "/a?b=c&d", "/a?b=c%26d", false},
		{"an encoded slash is no slash", "/a%2fb", "/a/b", false},
		{"an encoded question mark begins no query", "/a%3Fb", "/a?b", false},
		{"an asterisk may stand for the question mark", "/*%2Fx", "/?a=%2Fx", true},
		{"letters beyond ASCII", "/foo/bar/\u30c4", "/foo/bar/%E3%83%84", true},
		{"letters beyond ASCII, both encoded", "/foo/bar/%E3%83%84", "/foo/bar/%e3%83%84", true},
		{"letters beyond ASCII, neither", "/foo/bar/\u30c4", "/foo/bar/\u30c4", true},
		{"octets that are no UTF-8", "/\xfc", "/%FC", true},
		{"encoded letters are letters", "/foo/bar/%62%61%7A", "/foo/bar/baz", true},
		{"and digits, and the rest of the unreserved", "/%30%2D%2e%5f%7E", "/0-._~", true},
		{"but have their case", "/%61", "/A", false},
		{"hexadecimal digits have no case", "/%c3%bc", "/%C3%bC", true},
		{"a space", "/a b", "/a%20b", true},
		{"what no URL may have", "/{a}|b^", "/%7Ba%7D%7Cb%5E", true},
		{"a lone percent sign is itself", "/100%", "/100%", true},
		{"what is no encoding is itself", "/%zz%4", "/%zz%4", true},
		{"an encoded percent sign encodes nothing", "/%2561", "/%61", false},
		{"a zero octet", "/a\x00b", "/a%00b", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for _, pair := range [][2]string{{tc.pattern, tc.path}, {tc.path, tc.pattern}} {
				if pair[0] == tc.path && strings.Contains(tc.pattern, "*") {
					continue // a path has no asterisk that stands for anything
				}
				rules := robots.Parse([]byte(forAll("Disallow: "+pair[0])), "x")
				if ok, _ := rules.Allows(pair[1]); ok == tc.match {
					t.Errorf("pattern %q matches %q: %v", pair[0], pair[1], !ok)
				}
			}
		})
	}
}

// RFC 9309, section 2.2.3: #, $ and *.
func TestSpecialCharacters(t *testing.T) {
	check(t, []ruling{
		{"a comment on its own line", "User-agent: *\n# Disallow: /\nDisallow: /a", "/b", true},
		{"a comment behind a rule", forAll("Disallow: /a # b"), "/a", false},
		{"a comment without a space before it", forAll("Disallow: /a#b"), "/a", false},
		{"a comment behind a name", "User-agent: * # all\nDisallow: /a", "/a", false},
		{"a comment in place of a path", forAll("Disallow: # /a"), "/a", true},
		{"an encoded number sign is no comment", forAll("Disallow: /a%23b"), "/a", true},
		{"an asterisk", forAll("Disallow: /this/*/exactly"), "/this/path/exactly", false},
		{"an asterisk stands for slashes too", forAll("Disallow: /this/*/exactly"), "/this/a/b/exactly?x", false},
		{"an asterisk stands for nothing", forAll("Disallow: /this/*exactly"), "/this/exactly", false},
		{"an asterisk at the beginning", forAll("Disallow: *.gif$"), "/a/b.gif", false},
		{"an asterisk at the beginning matches all", forAll("Disallow: *"), "/", false},
		{"an asterisk at the end is idle", forAll("Disallow: /a*"), "/a", false},
		{"many asterisks are one", forAll("Disallow: /a***b"), "/axb", false},
		{"two asterisks", forAll("Disallow: /a*b*c"), "/a1b2c3", false},
		{"two asterisks in the wrong order", forAll("Disallow: /a*b*c"), "/a1c2b3", true},
		{"parts do not overlap", forAll("Disallow: /*aba*ba"), "/aba", true},
		{"the last part is looked for at the end", forAll("Disallow: /*ab$"), "/abxab", false},
		{"and not before what the others took", forAll("Disallow: /*ab*ab$"), "/ab", true},
		{"the end", forAll("Disallow: /*.pdf$"), "/dir/x.pdf?y", true},
		{"the end, reached", forAll("Disallow: /*.pdf$"), "/dir/x.pdf", false},
		{"the end, without an asterisk", forAll("Disallow: /this/path/exactly$"), "/this/path/exactly", false},
		{"the end, beyond", forAll("Disallow: /this/path/exactly$"), "/this/path/exactly/", true},
		{"the end behind an asterisk is anywhere", forAll("Disallow: /a*$"), "/abc", false},
		{"the end alone matches no path", forAll("Disallow: $"), "/", true},
		{"a dollar elsewhere is itself", forAll("Disallow: /a$b"), "/a$b", false},
		{"and not the end", forAll("Disallow: /a$b"), "/a", true},
		{"of two dollars the first is itself", forAll("Disallow: /a$$"), "/a$", false},
		{"an encoded asterisk is one in the path", forAll("Disallow: /file-with-a-%2A.html"), "/file-with-a-*.html", false},
		{"and no other", forAll("Disallow: /file-with-a-%2A.html"), "/file-with-a-b.html", true},
		{"also where both are encoded", forAll("Disallow: /a-%2a.html"), "/a-%2A.html", false},
		{"an encoded dollar is one in the path", forAll("Disallow: /foo-%24"), "/foo-$", false},
		{"and not the end", forAll("Disallow: /foo-%24"), "/foo-", true},
		{"and matches what follows", forAll("Disallow: /foo-%24"), "/foo-$/x", false},
	})
}

// RFC 9309, sections 2.2 and 2.3.1.5: lines, and what cannot be read.
func TestLines(t *testing.T) {
	check(t, []ruling{
		{"LF", "User-agent: *\nDisallow: /a\n", "/a", false},
		{"CR", "User-agent: *\rDisallow: /a\r", "/a", false},
		{"CR LF", "User-agent: *\r\nDisallow: /a\r\nDisallow: /b", "/a", false},
		{"all of them", "User-agent: *\rDisallow: /b\r\n\nDisallow: /a", "/a", false},
		{"tabs and spaces", "\t User-agent\t : \t*\n Disallow :\t/a \t", "/a", false},
		{"none", "User-agent:*\nDisallow:/a", "/a", false},
		{"keys have no case", "USER-AGENT: *\ndisAllow: /a", "/a", false},
		{"a byte order mark", "\xef\xbb\xbfUser-agent: *\nDisallow: /a", "/a", false},
		{"a byte order mark that was cut", "\xef\xbbUser-agent: *\nDisallow: /a", "/a", false},
		{"white space beyond ASCII is of the path", forAll("Disallow: /a\u00a0"), "/a", true},
		{"a line of noise", "User-agent: *\n\xff\xfe\x00<html>\nDisallow: /a", "/a", false},
		{"a line without a key", "User-agent: *\n: /b\nDisallow: /a", "/b", true},
		{"an unknown line ends no group", "User-agent: *\nDisallow: /a\nNoindex: /\nDisallow: /b", "/b", false},
		{"a page in its place says nothing", "<!DOCTYPE html>\n<html><body>User-agent: *<br>Disallow: /</body></html>", "/a", true},
	})
}

// RFC 9309, section 2.2.4: other records do not disturb, and misspellings may be understood.
func TestOtherRecords(t *testing.T) {
	check(t, []ruling{
		{"a sitemap does not end a group", "User-agent: *\nDisallow: /b\nSitemap: http://a/s.xml\nDisallow: /a", "/a", false},
		{"nor the names of one", "User-agent: orbweaver\nSitemap: http://a/s.xml\nUser-agent: b\nDisallow: /a", "/a", false},
		{"nor does a delay", "User-agent: orbweaver\nCrawl-delay: 5\nUser-agent: b\nDisallow: /a", "/a", false},
		{"nor what is unknown", "User-agent: orbweaver\nHost: h\nUser-agent: b\nDisallow: /a", "/a", false},
		{"disalow", forAll("disalow: /a"), "/a", false},
		{"Dissallow", forAll("Dissallow: /a"), "/a", false},
		{"dissalow", forAll("dissalow: /a"), "/a", false},
		{"diaslow", forAll("diaslow: /a"), "/a", false},
		{"diasllow", forAll("diasllow: /a"), "/a", false},
		{"disallaw", forAll("disallaw: /a"), "/a", false},
		{"useragent", "Useragent: *\nDisallow: /a", "/a", false},
		{"user agent", "User agent: *\nDisallow: /a", "/a", false},
		{"no colon", "User-agent *\nDisallow /a", "/a", false},
		{"no colon, and a comment", forAll("Disallow\t/a # b"), "/a", false},
		{"no colon, and more than two words", forAll("Disallow /a b"), "/a", true},
		{"one word", forAll("Disallow"), "/a", true},
		{"a key that merely begins like one", forAll("Disallow-all: /a"), "/a", true},
		{"an Allow that merely begins like one", forAll("Disallow: /a", "Allowed: /a"), "/a", false},
	})
}

// RFC 9309, sections 5.1 and 5.2: its examples. Section 5.2 says of its second rule that it is to be
// used for a path which, as printed, it does not match; both spellings are asked.
func TestExamples(t *testing.T) {
	const file = "User-Agent: *\nDisallow: *.gif$\nDisallow: /example/\nAllow: /publications/\n\n" +
		"User-Agent: foobot\nDisallow:/\nAllow:/example/page.html\nAllow:/example/allowed.gif\n\n" +
		"User-Agent: barbot\nUser-Agent: bazbot\nDisallow: /example/page.html\n\n" +
		"User-Agent: quxbot\n\n"
	const longest = "User-Agent: foobot\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\n"
	for _, tc := range []struct{ file, agent, allowed, forbidden string }{
		{file, "anybot", "/ /publications/a.html /publications/a.gif /a.gif?x", "/a.gif /a/b.gif /example/ /example/publications/"},
		{file, "foobot", "/example/page.html /example/page.html?x /example/allowed.gif", "/ /a.gif /example/ /publications/"},
		{file, "barbot", "/ /a.gif /example/ /publications/", "/example/page.html"},
		{file, "BazBot", "/ /a.gif /example/ /publications/", "/example/page.html"},
		{file, "quxbot", "/ /a.gif /example/page.html", ""},
		{longest, "foobot", "/example/page/ /example/page/disallow.gif /x", "/example/page/disallowed.gif"},
	} {
		rules := robots.Parse([]byte(tc.file), tc.agent)
		for _, path := range strings.Fields(tc.allowed) {
			if ok, line := rules.Allows(path); !ok {
				t.Errorf("%s: %s is forbidden by %q", tc.agent, path, line)
			}
		}
		for _, path := range strings.Fields(tc.forbidden) {
			if ok, line := rules.Allows(path); ok {
				t.Errorf("%s: %s is allowed by %q", tc.agent, path, line)
			}
		}
	}
}

// RFC 9309, section 2.5: 500 KiB count at least, and a rule that the limit cuts says what nobody
// wrote.
func TestLimit(t *testing.T) {
	filler := func(n int) string { return strings.Repeat("#", n-1) + "\n" }
	rule := "User-agent: *\nDisallow: /"
	for _, tc := range []struct {
		name, file string
		want       bool
	}{
		{"within 500 KiB", filler(500<<10-len(rule)) + rule, false},
		{"beyond the limit", filler(robots.MaxSize) + rule, true},
		{"a rule that is cut", filler(robots.MaxSize-len(rule)) + rule + "only/this", true},
		{"a rule before one that is cut", filler(robots.MaxSize-len(rule)-20) + rule + "\nAllow: /only/this/and/this", false},
		{"one line", strings.Repeat("a", 2*robots.MaxSize), true},
	} {
		if ok, line := robots.Parse([]byte(tc.file), "x").Allows("/a"); ok != tc.want {
			t.Errorf("%s: %v by %q", tc.name, ok, line)
		}
	}
}

func TestDelay(t *testing.T) {
	for _, tc := range []struct {
		file string
		want time.Duration
	}{
		{"User-agent: *\nCrawl-delay: 2.5\nCrawl-delay: 9", 2500 * time.Millisecond},
		{"User-agent: *\nCrawl-delay: 2\nUser-agent: b\nCrawl-delay: 7", 2 * time.Second},
		{"User-agent: *\nCrawl-delay: 2\nUser-agent: orbweaver\nDisallow: /", 0},
		{"User-agent: orbweaver\nCrawl-delay: 3\nUser-agent: *\nCrawl-delay: 2\nDisallow: /", 3 * time.Second},
		{"User-agent: orbweaver\nUser-agent: b\nCrawl-delay: 7", 7 * time.Second},
		{"User-agent: b\nCrawl-delay: 7\nUser-agent: orbweaver\nDisallow: /", 0},
		{"Crawl-delay: 7\nUser-agent: *\nDisallow: /", 0},
		{"User-agent: *\nCrawl-delay: 10 seconds", 10 * time.Second},
		{"User-agent: *\nCrawl-delay: .5s", 500 * time.Millisecond},
		{"User-agent: *\nCrawl-delay: 1000000", 24 * time.Hour},
		{"User-agent: *\nCrawl-delay: 1" + strings.Repeat("0", 400), 24 * time.Hour},
		{"User-agent: *\nCrawl-delay: -1", 0},
		{"User-agent: *\nCrawl-delay: NaN", 0},
		{"User-agent: *\nCrawl-delay: Inf", 0},
		{"User-agent: *\nCrawl-delay: 1.2.3", 0},
		{"User-agent: *\nCrawl-delay:", 0},
	} {
		if got := robots.Parse([]byte(tc.file), "orbweaver").Delay; got != tc.want {
			t.Errorf("%.80q: %v, want %v", tc.file, got, tc.want)
		}
	}
}

func TestSitemaps(t *testing.T) {
	file := "Sitemap: http://a/1\nUser-agent: *\nSITEMAP:HTTPS://b/2?x # y\nUser-agent: b\nsite-map: http://\u00fc/%61\n" +
		"Sitemap: /relative.xml\nSitemap: ftp://a/3\nSitemap: http://\nSitemap:"
	want := []string{"http://a/1", "HTTPS://b/2?x", "http://\u00fc/%61", "/relative.xml", "ftp://a/3", "http://"} // the gate resolves them
	if got := robots.Parse([]byte(file), "orbweaver").Sitemaps; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestLen(t *testing.T) {
	for file, want := range map[string]int{
		"":                                 0,
		"User-agent: *\nDisallow:\nAllow:": 0,
		"User-agent: *\nDisallow: /a\nAllow: /b\nDisallow: /a":                          3,
		"User-agent: *\nDisallow: /a\nUser-agent: orbweaver\nAllow: /b\nCrawl-delay: 1": 1,
		"User-agent: *\nDisallow: relative":                                             1,
		"User-agent: *\nDisallow: /?a=http://b":                                         1,
	} {
		if got := robots.Parse([]byte(file), "orbweaver").Len(); got != want {
			t.Errorf("%q: %d, want %d", file, got, want)
		}
	}
	if n := robots.Disallowed("x").Len(); n != 1 {
		t.Error(fmt.Sprint("all forbidden is ", n, " rules"))
	}
}
