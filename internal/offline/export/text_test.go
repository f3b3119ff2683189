package export

import (
	"encoding/csv"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/goccy/go-yaml"

	"orbweaver"
	"orbweaver/ledger"
	"orbweaver/page/dublin"
)

// TestTextNames: file names are portable, and unique per request.
func TestTextNames(t *testing.T) {
	safe := regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,130}\.txt$`)
	names := map[string]string{}
	for _, url := range []string{
		"http://a.test/", "https://a.test/", "http://a.test/x", "http://a.test/X", "http://a.test/x/", "http://a.test/x?", "http://a.test/../../etc/passwd",
		"http://a.test/%2e%2e%2f", "http://a.test/" + strings.Repeat("ü/", 500), "http://a.test/" + strings.Repeat("ü/", 501), "http://[::1]/", "", "con", "http://...", "http://a.test/a\x00b\\c:d*e",
	} {
		name := textName(url, "", "")
		if !safe.MatchString(name) || names[name] != "" || strings.Contains(name, "..") && strings.Contains(name, "/") {
			t.Errorf("%q and %q: %q", url, names[name], name)
		}
		names[name] = url + " "
	}
	if a, b := textName("http://a.test/", "text/turtle", ""), textName("http://a.test/", "", "text/turtle"); a == b {
		t.Error("the request makes no difference")
	}
	if got := textName("http://Skylines.example/types/a320.html?x=1", "", ""); !strings.HasPrefix(got, "skylines.example-types-a320.html-x-1-") {
		t.Error(got)
	}
}

// FuzzTextFile: the front matter of any page is YAML with the page's values.
func FuzzTextFile(f *testing.F) {
	for _, s := range []string{"plain", "a: b # c", "- x", "'\"\\", "\u2028\u0085\ufeff\x7f\x00\x1b", "---\n", "\xff\xfe", "🛩", "yes", "1e3", ""} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, title, text string) {
		line := JournalLine{Line: ledger.Line{URL: "http://a.test/", Score: 0.25, Reasons: []orbweaver.Reason{{Rule: "r", Evidence: title}}}}
		content := string(textFile(line, &orbweaver.Page{Title: title, Lang: "en", MediaType: "text/html"}, text, []string{title}, dublin.Record{Creator: []string{title}, Date: "2001", Language: "de"}))
		if !utf8.ValidString(content) {
			t.Errorf("%q", content)
		}
		h, body := textOf(t, content)
		want := strings.ToValidUTF8(title, "\ufffd")
		if h.Title != want || h.URL != "http://a.test/" || h.Score != 0.25 {
			t.Errorf("%q: %+v", title, h)
		}
		if body != strings.ToValidUTF8(strings.TrimSpace(text), "\ufffd")+"\n" {
			t.Errorf("%q: %q", text, body)
		}
	})
}

// TestHarmlessCells: no cell is a formula; numbers stay numbers.
func TestHarmlessCells(t *testing.T) {
	for cell, want := range map[string]string{
		"": "", "x": "x", "-1.5": "-1.5", "=1+1": "'=1+1", "@SUM(A1)": "'@SUM(A1)", "+cmd": "'+cmd", "-x": "'-x", "\tx": "'\tx", "a=b": "a=b",
	} {
		if got := Harmless(cell); got != want {
			t.Errorf("%q: %q, want %q", cell, got, want)
		}
	}
	row := csvRow(ledger.Line{N: 1, URL: "http://a.test/", Class: "=HYPERLINK()", Reasons: []orbweaver.Reason{{Rule: "entity", Evidence: "a; \"b\"\nc", Weight: 0.12345}, {Rule: "raw", Weight: 2}}})
	var b strings.Builder
	w := csv.NewWriter(&b)
	if err := w.Write(row); err != nil {
		t.Fatal(err)
	}
	w.Flush()
	if want := `,'=HYPERLINK(),"entity: a; ""b""` + "\nc (0.123); raw (2)\"\n"; !strings.HasSuffix(b.String(), want) {
		t.Errorf("%s, want it to end with %s", b.String(), want)
	}
}

// head is the front matter of a text file.
type head struct {
	URL, Title, Fetched, Lang, Type string
	Score                           float64
	Accepted                        bool
	Entities                        []string
}

// textOf splits a text file into front matter and text.
func textOf(t *testing.T, content string) (h head, text string) {
	t.Helper()
	front, text, ok := strings.Cut(strings.TrimPrefix(content, "---\n"), "\n---\n\n")
	if err := yaml.Unmarshal([]byte(front), &h); err != nil || !ok {
		t.Fatalf("%v in %s", err, content)
	}
	return h, text
}
