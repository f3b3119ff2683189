package robots_test

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jimsmart/grobotstxt"

	"orbweaver/fetch/robots"
)

// A question is a file and a path.
type question struct{ file, path string }

// ours answers it as this package does.
func (q question) ours() bool {
	allowed, _ := robots.Parse([]byte(q.file), "orbweaver").Allows(q.path)
	return allowed
}

// google answers it as Google's reader does.
func (q question) google() bool {
	return grobotstxt.AgentAllowed(q.file, "orbweaver", "http://h.example"+q.path)
}

// A class is a known way in which the two answers differ. A difference is of a class when rewriting
// the question as the RFC says means the same, and as Google's reader cannot mistake, leaves our
// answer as it was and makes Google's the same.
type class struct {
	name    string
	rewrite func(question) question
}

// classes are all ways in which the answers may differ.
func classes() []class {
	return []class{
		{"encoded unreserved characters are decoded (RFC 9309, 2.2.2)", unreserved},
		{"hexadecimal digits of a path have no case (RFC 3986, 2.1)", digits},
		{"the other reader garbles rules with such digits in lower case", ruleDigits},
		{"what no URL may have is encoded in rule and query (2.2.2)", illegal},
		{"%2A and %24 are * and $ of the path (2.2.3)", specials},
		{"reserved characters in a query may be encoded (table of 2.2.2)", reserved},
		{"a key is the whole word (2.2)", wholeKeys},
		{"a name is letters, _ and - (2.2.1)", wholeNames},
		{"index.html is no directory (2.2.2)", indexFile},
	}
}

// explain names the class of a difference; "" when it has none.
func explain(q question) string {
	want := q.ours()
	if q.path == "/robots.txt" && want {
		return "robots.txt is allowed (2.2.2)"
	}
	if _, err := url.Parse("http://h.example" + q.path); err != nil {
		return "the other reader takes no such URL"
	}
	rewritten, several := q, false
	for _, c := range classes() {
		if alone := c.rewrite(q); alone != q && alone.ours() == want && alone.google() == want {
			return c.name
		}
		if next := c.rewrite(rewritten); next.ours() == want {
			rewritten = next
		}
		several = several || rewritten.google() == want
	}
	if several {
		return "several of these at once"
	}
	return ""
}

// The two readers agree on files as strange as the Web's, but for reasons that have a name.
func TestAgreement(t *testing.T) {
	const files, paths = 10_000, 8
	g := generator{rand.New(rand.NewPCG(9309, 1))}
	counts, inFiles, forbidden := map[string]int{}, map[string]int{}, 0
	for n := range files {
		file := g.file()
		seen := map[string]bool{}
		for range paths {
			q := question{file, g.path(file)}
			want := q.ours()
			if !want {
				forbidden++
			}
			if q.google() == want {
				continue
			}
			name := explain(q)
			if name == "" {
				t.Fatalf("file %d: %q is allowed: %v, to Google: %v, in\n%q", n, q.path, want, !want, file)
			}
			counts[name]++
			if !seen[name] {
				inFiles[name]++
			}
			seen[name] = true
		}
	}
	t.Logf("%d questions of %d files, %d forbidden", files*paths, files, forbidden)
	if forbidden < files*paths/4 || forbidden > files*paths*3/4 {
		t.Error("the files say too little")
	}
	names := []string{"robots.txt is allowed (2.2.2)", "the other reader takes no such URL", "several of these at once"}
	for _, c := range classes() {
		names = append(names, c.name)
	}
	for _, name := range names {
		t.Logf("%5d questions of %4d files: %s", counts[name], inFiles[name], name)
		if counts[name] == 0 {
			t.Errorf("nothing differs because %s: the class explains nothing", name)
		}
	}
}

// rewriteLines rewrites each line that has a key and a value.
func rewriteLines(file string, rewrite func(key, value string) (string, string)) string {
	line := regexp.MustCompile(`(?m)[^\r\n]+`)
	file = strings.TrimLeft(file, "\ufeff")
	file = strings.TrimPrefix(file, "\xef\xbb") // part of a byte order mark
	return line.ReplaceAllStringFunc(file, func(whole string) string {
		line, _, _ := strings.Cut(whole, "#")
		line = strings.Trim(line, " \t")
		key, value, ok := strings.Cut(line, ":")
		if !ok {
			words := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' })
			if ok = len(words) == 2; ok {
				key, value = words[0], words[1]
			}
		}
		if !ok {
			return whole
		}
		newKey, newValue := rewrite(strings.Trim(key, " \t"), strings.Trim(value, " \t"))
		if newKey == strings.Trim(key, " \t") && newValue == strings.Trim(value, " \t") {
			return whole
		}
		return newKey + ": " + newValue
	})
}

// inBoth rewrites the patterns and the path.
func inBoth(q question, rewrite func(string) string) question {
	file := rewriteLines(q.file, func(key, value string) (string, string) {
		if strings.Contains(strings.ToLower(key), "agent") {
			return key, value
		}
		return key, rewrite(value)
	})
	return question{file, rewrite(q.path)}
}

func unreserved(q question) question {
	encoded := regexp.MustCompile(`(?i)%(2[DE]|3[0-9]|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])`)
	return inBoth(q, func(s string) string {
		return encoded.ReplaceAllStringFunc(s, func(octet string) string {
			letter, err := url.PathUnescape(octet)
			if err != nil {
				panic(err)
			}
			return letter
		})
	})
}

func upper(s string) string {
	return regexp.MustCompile(`%[0-9a-fA-F]{2}`).ReplaceAllStringFunc(s, strings.ToUpper)
}

func digits(q question) question { return question{q.file, upper(q.path)} }

// ruleDigits is about the port to Go, not about Google: its upper case of the digit 3 is no digit.
func ruleDigits(q question) question { return question{upper(q.file), q.path} }

func illegal(q question) question {
	return inBoth(q, func(s string) string {
		var b strings.Builder
		for _, c := range []byte(s) {
			if c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>\\^`{|}", c) >= 0 {
				fmt.Fprintf(&b, "%%%02X", c)
			} else {
				b.WriteByte(c)
			}
		}
		return b.String()
	})
}

// specials spells them as two octets that nothing else has, and that have no letter of a pattern in
// their encoding: to Google "/*A" is in "/%2A" as well.
func specials(q question) question {
	encoded := strings.NewReplacer("%2A", "%0E", "%2a", "%0E", "%24", "%0F")
	dollars := func(value string) string {
		text, ends := strings.CutSuffix(value, "$")
		if text = strings.ReplaceAll(encoded.Replace(text), "$", "%0F"); ends {
			text += "$"
		}
		return text
	}
	path := strings.NewReplacer("*", "%0E", "$", "%0F").Replace(encoded.Replace(q.path))
	return question{inBoth(q, dollars).file, path}
}

func reserved(q question) question {
	plain := strings.NewReplacer("%3A", ":", "%3a", ":", "%2F", "/", "%2f", "/", "%3F", "?", "%3f", "?", "%40", "@")
	return inBoth(q, func(s string) string {
		path, query, _ := strings.Cut(s, "?")
		return path + s[len(path):len(s)-len(query)] + plain.Replace(query)
	})
}

func wholeKeys(q question) question {
	q.file = rewriteLines(q.file, func(key, value string) (string, string) {
		whole := strings.ToLower(key)
		for _, begins := range []string{"disallow", "dissallow", "disalow", "diasllow", "allow", "user-agent", "useragent", "user agent"} {
			if whole != begins && strings.HasPrefix(whole, begins) {
				return "x-" + key, value
			}
		}
		return key, value
	})
	return q
}

func wholeNames(q question) question {
	name := regexp.MustCompile(`^[A-Za-z_-]+`)
	q.file = rewriteLines(q.file, func(key, value string) (string, string) {
		if k := strings.ToLower(key); k == "user-agent" || k == "useragent" || k == "user agent" {
			if token := name.FindString(value); token != "" {
				return key, token
			}
		}
		return key, value
	})
	return q
}

func indexFile(q question) question {
	return inBoth(q, func(s string) string { return strings.ReplaceAll(s, "index.htm", "jndex.htm") })
}

// A generator makes files, and paths that their rules are about. Each question that it makes follows
// from its seed.
type generator struct{ *rand.Rand }

// one picks; the first choice is as likely as all others together.
func (g generator) one(usual string, others ...string) string {
	if g.IntN(2) == 0 {
		return usual
	}
	return others[g.IntN(len(others))]
}

func (g generator) any(choices ...string) string { return choices[g.IntN(len(choices))] }

func (g generator) file() string {
	var b strings.Builder
	b.WriteString(g.one("", "", "", "", "", "", "\xef\xbb\xbf", "\xef\xbb"))
	ends := []string{g.one("\n", "\r\n", "\r")}
	if g.IntN(8) == 0 {
		ends = []string{"\n", "\r\n", "\r", "\n\n", "\r\n \r\n"}
	}
	for range g.IntN(5) {
		for range 1 + g.IntN(6)/4 {
			b.WriteString(g.field(g.agentKey(), g.agent()) + g.any(ends...))
		}
		for range g.IntN(7) {
			b.WriteString(g.line() + g.any(ends...))
		}
	}
	if g.IntN(4) == 0 { // no end of line behind the last
		return strings.TrimRight(b.String(), "\r\n")
	}
	return b.String()
}

// field spells a line.
func (g generator) field(key, value string) string {
	switch g.IntN(12) {
	case 0:
		key = strings.ToUpper(key)
	case 1:
		key = strings.ToLower(key)
	case 2:
		value += " # " + g.pattern()
	case 3:
		key, value = "\t "+key+" ", "\t"+value+" \t"
	}
	colon := g.one(": ", ": ", ": ", ":", " ")
	return key + colon + value
}

func (g generator) agentKey() string {
	return g.one("User-agent", "User-agent", "User-agent", "user-agent", "Useragent", "User agent", "User-agents")
}

func (g generator) agent() string {
	return g.one("*", "orbweaver", "OrbWeaver", "otherbot", "orb", "orbweaver/1.0", "orbweaver-news", "orbweaver2", "orbweaver.x",
		"orbweaver Images", "* all", "", "Mozilla/5.0 (orbweaver)", "**")
}

// line is a rule, most often.
func (g generator) line() string {
	switch g.IntN(20) {
	case 0:
		return g.any("", " ", "# Disallow: /", "<html>", ":", "Disallow", "\xff\xfe")
	case 1:
		return g.field(g.any("Sitemap", "Crawl-delay", "Noindex", "Host", "Request-rate", "X-Disallow"), g.any("/", "5", "http://h/s.xml"))
	case 2, 3:
		return g.field(g.any("disalow", "dissallow", "Diasllow", "Disallowed", "Disallow-all", "Allowed"), g.pattern())
	case 4:
		return g.field(g.any("Disallow", "Allow"), "")
	case 5, 6, 7, 8, 9:
		return g.field("Allow", g.pattern())
	}
	return g.field("Disallow", g.pattern())
}

// pieces are what patterns and paths are made of; usual ones first.
func (g generator) piece() string {
	switch g.IntN(12) {
	case 0:
		return g.any("%61", "%7E", "%c3%bc", "%C3%BC", "%2F", "%2f", "%3F", "%20", "%7Bx%7D", "%2A", "%24")
	case 1:
		return g.any("\u00fc", "{x}", "|", " ", "\u00a0", "~", "%", "%zz", ";p", "//")
	case 2:
		return g.any("?u=http://e", "?u=http%3A%2F%2Fe", "?u=http%3a//e", "?id=", "&b=c", "=")
	case 3:
		return g.any("/index.html", "/index.htm", "index.html?x")
	}
	return g.any("/", "/", "a", "b", "/a", "/b", ".pdf", "shop", "A")
}

func (g generator) pattern() string {
	var b strings.Builder
	b.WriteString(g.one("/", "/", "/", "*", "", "/*"))
	for range g.IntN(5) {
		b.WriteString(g.piece())
		if g.IntN(6) == 0 {
			b.WriteString(g.any("*", "*", "**", "$"))
		}
	}
	return b.String() + g.one("", "", "$", "*")
}

// path is one that a rule of the file may be about, most often.
func (g generator) path(file string) string {
	var patterns []string
	for line := range strings.FieldsFuncSeq(file, func(r rune) bool { return r == '\n' || r == '\r' }) {
		line, _, _ = strings.Cut(line, "#")
		if at := strings.IndexAny(line, "/*"); at >= 0 && !strings.Contains(strings.ToLower(line[:at]), "agent") {
			patterns = append(patterns, strings.Trim(line[at:], " \t"))
		}
	}
	pattern := g.pattern()
	if len(patterns) > 0 && g.IntN(5) > 0 {
		pattern = patterns[g.IntN(len(patterns))]
	}
	if g.IntN(40) == 0 {
		return "/robots.txt"
	}
	return g.meet(pattern)
}

// meet makes a path that a pattern matches, or nearly.
func (g generator) meet(pattern string) string {
	if !slices.Contains([]string{"$", "*"}, g.any("$", "*", "-", "-", "-", "-")) {
		pattern = strings.TrimSuffix(pattern, "$")
	}
	var b strings.Builder
	for i, part := range strings.Split(pattern, "*") {
		if i > 0 {
			b.WriteString(g.one(g.piece(), "", "*"))
		}
		b.WriteString(part)
	}
	path := g.respell(b.String()) + g.one("", g.piece(), "/x", "?q")
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return path
}

// respell writes some of a path in another way that means the same, or does not.
func (g generator) respell(path string) string {
	if g.IntN(3) > 0 {
		return path
	}
	return strings.NewReplacer(g.any("a", "%61", "%c3%bc", "%C3%BC", "\u00fc", ":", "%3A", "%2A", "%24", "/", "A"),
		g.any("a", "%61", "%c3%bc", "\u00fc", ":", "%3A", "*", "$", "%2F", "%2A", "index.html")).Replace(path)
}
