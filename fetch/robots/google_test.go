package robots_test

import (
	"strings"
	"testing"
)

// What Google publishes as cases for its own reader (robots_test.cc of google/robotstxt), in files of
// our own. Where the RFC says otherwise the case is in TestUnlikeGoogle.
func TestLikeGoogle(t *testing.T) {
	group := func(rules ...string) string { return "user-agent: OrbWeaver\n" + strings.Join(rules, "\n") + "\n" }
	const three = "allow: /outside/\n\nuser-agent: orbweaver\ndisallow: /\nallow: /one/\nuser-agent: other\ndisallow: /\nallow: /two/\n\n\n" +
		"allow: /three/\nuser-agent: third\n\nuser-agent: orbweaver\nallow: /four/\ndisallow: /\n"
	cases := []ruling{
		{"system: an empty file", "", "", true},
		{"system: no path is the root", group("disallow: /"), "", false},
		{"line: key, colon, value", group("disallow: /"), "/x/y", false},
		{"line: other keys", "name: orbweaver\nrule: /\n", "/x/y", true},
		{"line: forgotten colons", "user-agent orbweaver\ndisallow /\n", "/x/y", false},
		{"groups: first of two", three, "/one/a", true},
		{"groups: second of two", three, "/four/a", true},
		{"groups: another's", three, "/two/a", false},
		{"groups: outside", three, "/outside/", false},
		{"groups: a sitemap between names", "User-agent: orbweaver\nSitemap: https://h/s\nUser-agent: *\nDisallow: /\n", "/", false},
		{"groups: an unknown line between names", "User-agent: other\nUnheard-of: x\nUser-agent: *\nDisallow: /\n", "/", false},
		{"groups: one of ours, and a longer name's", "user-agent: orbweaver-news\nDisallow: /bar/\n\nuser-agent: *\nDisallow: /baz/\n\n\nuser-agent: orbweaver\nDisallow: /foo/\n", "/bar/", true},
		{"keys in upper case", "USER-AGENT: orbweaver\nALLOW: /x/\nDISALLOW: /\n", "/x/y", true},
		{"keys in mixed case", "uSeR-aGeNt: orbweaver\nAlLoW: /x/\ndIsAlLoW: /\n", "/a/b", false},
		{"names in upper case", "User-Agent: ORBWEAVER X\nAllow: /x/\nDisallow: /\n", "/a/b", false},
		{"names up to the first space", "User-Agent: *\nDisallow: /\nUser-Agent: orbweaver images\nAllow: /x/\nDisallow: /\n", "/x/y", true},
		{"the star's group: none", "user-agent: a\nallow: /\nuser-agent: b\ndisallow: /\n", "/x/y", true},
		{"the star's group is second", "user-agent: *\nallow: /\nuser-agent: orbweaver\ndisallow: /\n", "/x/y", false},
		{"the star's group for others", "user-agent: *\nallow: /\nuser-agent: other\ndisallow: /\n", "/x/y", true},
		{"the star with more behind it", "user-agent: * all\ndisallow: /\n", "/x/y", false},
		{"values have case, same", group("disallow: /x/"), "/x/y", false},
		{"values have case, other", group("disallow: /X/"), "/x/y", true},
		{"longest: Disallow", group("disallow: /x/page.html", "allow: /x/"), "/x/page.html", false},
		{"longest: Allow", group("allow: /x/page.html", "disallow: /x/"), "/x/page.html", true},
		{"longest: the shorter elsewhere", group("allow: /x/page.html", "disallow: /x/"), "/x/", false},
		{"longest: both empty", group("disallow: ", "allow: "), "/x/page.html", true},
		{"longest: both the root", group("disallow: /", "allow: /"), "/x/page.html", true},
		{"longest: without the slash", group("disallow: /x", "allow: /x/"), "/x", false},
		{"longest: with the slash", group("disallow: /x", "allow: /x/"), "/x/", true},
		{"longest: equal", group("disallow: /x/page.html", "allow: /x/page.html"), "/x/page.html", true},
		{"longest: with an asterisk", group("allow: /page", "disallow: /*.html"), "/page.html", false},
		{"longest: where only one matches", group("allow: /page", "disallow: /*.html"), "/page", true},
		{"longest: a longer prefix", group("allow: /x/page.", "disallow: /*.html"), "/x/page.html", true},
		{"longest: a shorter prefix", group("allow: /x/page.", "disallow: /*.html"), "/x/y.html", false},
		{"longest: own group first", "User-agent: *\nDisallow: /x/\nUser-agent: orbweaver\nDisallow: /y/\n", "/x/page", true},
		{"encoding: an address in a query", group("Disallow: /", "Allow: /a/b?q=t&u=http://c.d?e&f"), "/a/b?q=t&u=http://c.d?e&f", true},
		{"encoding: three bytes", group("Disallow: /", "Allow: /a/\u30c4"), "/a/%E3%83%84", true},
		{"encoding: three bytes, encoded", group("Disallow: /", "Allow: /a/%E3%83%84"), "/a/%E3%83%84", true},
		{"encoding: letters, as written", group("Disallow: /", "Allow: /a/%62%61%7A"), "/a/%62%61%7A", true},
		{"special: asterisk", group("Disallow: /a/b/c", "Allow: /a/*/d"), "/a/b/c", false},
		{"special: asterisk, no match", group("Disallow: /a/b/c", "Allow: /a/*/d"), "/a//c", true},
		{"special: dollar", group("Disallow: /a/b$", "Allow: /a/b/c"), "/a/b", false},
		{"special: dollar, beyond", group("Disallow: /a/b$", "Allow: /a/b/c"), "/a/b/", true},
		{"special: comments", group("# Disallow: /", "Disallow: /a/c#d", "Allow: /"), "/a/c", false},
		{"special: comments, elsewhere", group("# Disallow: /", "Disallow: /a/c#d", "Allow: /"), "/a/b", true},
		{"index.html: itself", group("Allow: /d/index.html", "Disallow: /"), "/d/index.html", true},
		{"index.html: another name", group("Allow: /d/index.html", "Disallow: /"), "/d/index.htm", false},
		{"root alone", group("allow: /$", "disallow: /"), "/", true},
		{"root alone, below", group("allow: /$", "disallow: /"), "/page.html", false},
		{"mark: whole", "\xef\xbb\xbfUser-Agent: orbweaver\nDisallow: /a\n", "/a", false},
		{"mark: two bytes", "\xef\xbbUser-Agent: orbweaver\nDisallow: /a\n", "/a", false},
		{"mark: one byte", "\xefUser-Agent: orbweaver\nDisallow: /a\n", "/a", false},
		{"mark: broken, which spoils the line", "\xef\x11\xbfUser-Agent: orbweaver\nDisallow: /a\n", "/a", true},
		{"mark: in the middle, which spoils the line", "User-Agent: orbweaver\n\xef\xbb\xbfDisallow: /a\n", "/a", true},
	}
	check(t, append(cases, fish()...))
}

// fish is Google's documentation of patterns: everything is forbidden but what one Allow matches.
func fish() (cases []ruling) {
	for _, tc := range []struct{ allow, matches, others string }{
		{"/fish", "/fish /fish.html /fish/salmon.html /fishheads /fishheads/yummy.html /fish.html?id=anything", "/bar /Fish.asp /catfish /?id=fish"},
		{"/fish*", "/fish /fish.html /fish/salmon.html /fishheads /fishheads/yummy.html /fish.html?id=anything", "/bar /Fish.bar /catfish /?id=fish"},
		{"/fish/", "/fish/ /fish/salmon /fish/?salmon /fish/salmon.html /fish/?id=anything", "/bar /fish /fish.html /Fish/Salmon.html"},
		{"/*.php", "/filename.php /folder/filename.php /folder/filename.php?parameters //folder/any.php.file.html /filename.php/ /index?f=filename.php/", "/bar /php/ /index?php /windows.PHP"},
		{"/*.php$", "/filename.php /folder/filename.php", "/bar /filename.php?parameters /filename.php/ /filename.php5 /php/ /filename?php /aaaphpaaa //windows.PHP"},
		{"/fish*.php", "/fish.php /fishheads/catfish.php?parameters", "/bar /Fish.PHP"},
	} {
		file := "user-agent: orbweaver\ndisallow: /\nallow: " + tc.allow + "\n"
		for _, path := range strings.Fields(tc.matches) {
			cases = append(cases, ruling{tc.allow + " and " + path, file, path, true})
		}
		for _, path := range strings.Fields(tc.others) {
			cases = append(cases, ruling{tc.allow + " but " + path, file, path, false})
		}
	}
	return cases
}

// Every case of Google's that is answered otherwise here, and why.
func TestUnlikeGoogle(t *testing.T) {
	long := strings.Repeat("a", 2083*8)
	for _, tc := range []struct {
		why string
		ruling
	}{
		{"RFC 9309, section 2.2.2: an encoded unreserved character is decoded before it is compared",
			ruling{"encoded letters", forAll("Disallow: /", "Allow: /a/%62%61%7A"), "/a/baz", true}},
		{"section 2.2.2: what is beyond ASCII is encoded in the path too, not in the pattern alone",
			ruling{"a path not encoded", forAll("Disallow: /", "Allow: /a/\u30c4"), "/a/\u30c4", true}},
		{"section 2.2.2 with RFC 3986, section 2.1: hexadecimal digits have no case, in the path neither",
			ruling{"digits in lower case", forAll("Disallow: /", "Allow: /a/\u30c4"), "/a/%e3%83%84", true}},
		{"section 2.2.2: a rule matches the octets it names; a directory is not its index.html",
			ruling{"index.html allowed", forAll("Allow: /d/index.html", "Disallow: /"), "/d/", false}},
		{"section 2.2.2: a long rule is a rule; one cut short would say what nobody wrote",
			ruling{"a rule longer than 16 664 bytes", forAll("Disallow: /" + long + "/b"), "/" + long + "/c", true}},
		{"section 2.2.2: robots.txt itself is allowed, whatever is forbidden",
			ruling{"robots.txt", forAll("Disallow: /"), "/robots.txt", true}},
		{"section 2.2: a key is the whole word before the colon",
			ruling{"a key that begins like Disallow", forAll("Disallowed: /"), "/a", true}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Log(tc.why)
			check(t, []ruling{tc.ruling})
		})
	}
}
