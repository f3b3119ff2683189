package robots

import (
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"orbweaver/rdf/rdftest"
)

// TestSamples applies the cases of the specification test for robots.txt: each says for a robots.txt, an agent and a URL whether
// the URL is allowed.
func TestSamples(t *testing.T) {
	cases, files, differs := 0, 0, map[string]int{}
	for _, f := range rdftest.Archive(t, "warc-robots-samples.tar.gz", "warcs/robotstxt-spec-test/") {
		if path.Ext(f.Name) != ".textproto" {
			continue
		}
		files++
		var body, url, agent string
		for _, field := range fieldsOf(t, string(f.Data)) {
			switch field.name {
			case "robotstxt":
				body = field.value
			case "testurl":
				url = field.value
			case "useragent":
				agent = field.value
			case "expected_outcome":
				cases++
				if why := otherwise(path.Base(f.Name), url, agent); why != "" {
					differs[why]++
					continue
				}
				if allowed, line := Parse([]byte(body), agent).Allows(pathOf(url)); allowed != (field.value == "ALLOWED") {
					t.Errorf("%s: %s for %q: allowed is %t by %q, want %s; robots.txt:\n%s", path.Base(f.Name), url, agent, allowed, line, field.value, body)
				}
			}
		}
	}
	t.Logf("%d cases of %d files, decided otherwise: %v", cases, files, differs)
	if cases < 300 {
		t.Errorf("%d cases", cases)
	}
}

// otherwise says why a case is decided in another way than its notes want; empty: it is not.
func otherwise(file, url, agent string) string {
	switch {
	case strings.HasSuffix(url, "/robots.txt"):
		return "robots.txt itself is always allowed (RFC 9309, section 2.2.2)"
	case file == "non-ascii-paths.textproto" && !strings.Contains(url, "%"):
		return "octets compare as percent-encoded, and encoded unreserved ones as decoded (RFC 9309, section 2.2.2)"
	case file == "index-page.textproto" && strings.HasSuffix(url, "/allowed-slash/"):
		return "a rule for index.html holds for the folder at one search engine alone"
	case agent == "Foo Bar" || agent == "AB42bot":
		return "an agent is known by its product token: letters, _ and - (RFC 9309, section 2.2.1)"
	}
	return ""
}

// pathOf is the path and query of a URL.
func pathOf(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		return rest[i:]
	}
	return "/"
}

// A textField is a scalar field of a message in protocol buffers' text format.
type textField struct{ name, value string }

// textFields matches a name with strings, or with a word.
var textFields = regexp.MustCompile(`\b(robotstxt|testurl|useragent|expected_outcome):\s*((?:"(?:[^"\\]|\\.)*"\s*)+|[A-Z]+)`)

// quoted matches a string.
var quoted = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

func fieldsOf(t *testing.T, text string) (all []textField) {
	for _, m := range textFields.FindAllStringSubmatch(text, -1) {
		f := textField{m[1], m[2]}
		if strings.HasPrefix(f.value, `"`) {
			var b strings.Builder
			for _, part := range quoted.FindAllString(f.value, -1) {
				s, err := strconv.Unquote(strings.ReplaceAll(part, `\'`, `'`))
				if err != nil {
					t.Fatalf("%s: %v", part, err)
				}
				b.WriteString(s)
			}
			f.value = b.String()
		}
		all = append(all, f)
	}
	return all
}
