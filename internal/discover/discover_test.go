package discover

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orbweaver"
)

// TestKindOf: links tell by relation, address and text whether they lead to a list, and to which kind.
func TestKindOf(t *testing.T) {
	for _, tc := range []struct{ url, rel, anchor, want string }{
		{"http://h.test/news?page=2", "", "2", Pagination},
		{"http://h.test/news/page/3", "", "", Pagination},
		{"http://h.test/news?page=51", "", "51", ""}, // beyond lastPage
		{"http://h.test/news?page=1", "next", "on", Pagination},
		{"http://h.test/more", "nofollow next", "on", Pagination},
		{"http://h.test/x", "tag", "wings", Tag},
		{"http://h.test/tag/wings", "", "wings", Tag},
		{"http://h.test/tags", "", "all tags", Index},
		{"http://h.test/thema?id=4", "", "", Tag},
		{"http://h.test/genindex.html", "", "", Index},
		{"http://h.test/x1", "", "Table of contents", Index},
		{"http://h.test/x1", "", "A–C", Index},
		{"http://h.test/x1", "", "AB", ""},
		{"http://h.test/wing", "", "wing", ""},
	} {
		if got := kindOf(tc.url, tc.rel, tc.anchor); got != tc.want {
			t.Errorf("%+v: %q", tc, got)
		}
	}
	for text, want := range map[string]int{"7": 7, "999999": 999999, "1000000": 0, "-1": 0, "": 0, "2x": 0} {
		if got := number(text); got != want {
			t.Errorf("%q is %d", text, got)
		}
	}
	if key := keyed(Tag, "h.test/a"); kindOfKey(key) != Tag || hostOfKey(key) != "h.test/a" {
		t.Errorf("%s", key)
	}
}

// TestReadGraph: a file of links is read backwards; a bad line is named, and a page keeps the first that link to it.
func TestReadGraph(t *testing.T) {
	path := filepath.Join(t.TempDir(), "links.tsv")
	var b strings.Builder
	b.WriteString("# who links\n\nhttp://b.test/\thttp://t.test/page\nhttp://a.test/\thttp://T.test/page#part\nhttp://a.test/\thttp://t.test/page\n")
	for i := range mostBack + 5 {
		fmt.Fprintf(&b, "http://many.test/%04d\thttp://t.test/known\n", mostBack+4-i)
	}
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(b.String())
	g, err := ReadGraph([]string{path})
	if err != nil {
		t.Fatal(err)
	}
	if from, err := g.From("http://t.test/page"); err != nil || !slices.Equal(from, []string{"http://a.test/", "http://b.test/"}) {
		t.Errorf("%q, %v", from, err)
	}
	from, err := g.From("http://t.test/known")
	if err != nil || len(from) != mostBack || !slices.IsSorted(from) {
		t.Errorf("%d pages, %v", len(from), err)
	}
	if from, _ := g.From("http://t.test/none"); len(from) > 0 {
		t.Errorf("%q", from)
	}
	for _, bad := range []string{"http://a.test/ http://b.test/\n", "http://a.test/\tnowhere\n", strings.Repeat("x", mostLine+1)} {
		write("# one\n" + bad)
		if _, err := ReadGraph([]string{path}); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), path) {
			t.Errorf("%.30q: %v", bad, err)
		}
	}
}

// TestQueriesAreSafe: what pages say cannot leave the literal or the parameter that it is put into.
func TestQueriesAreSafe(t *testing.T) {
	if got := literal("a\" . DROP ALL\\\n"); got != `"a  . DROP ALL  "` {
		t.Errorf("%s", got)
	}
	if got := fill("http://s.test/?q={q}&n=1", "{q}", "a&b=c #"); got != "http://s.test/?q=a%26b%3Dc+%23&n=1" {
		t.Errorf("%s", got)
	}
	if got := fill("nowhere {q}", "{q}", "a"); got != "" {
		t.Errorf("%s", got)
	}
}

// TestRestore: what was learned is read again as it was written; another version is refused.
func TestRestore(t *testing.T) {
	d := New(Options{})
	d.state.host("h.test").Answered = 3
	d.state.service(Engine).Answered = 2
	var kept bytes.Buffer
	if err := d.Snapshot(&kept); err != nil {
		t.Fatal(err)
	}
	text, again := kept.String(), New(Options{})
	if err := again.Restore(&kept); err != nil {
		t.Fatal(err)
	}
	var twice bytes.Buffer
	if err := again.Snapshot(&twice); err != nil || twice.String() != text {
		t.Errorf("%v: %s, want %s", err, &twice, text)
	}
	for _, bad := range []string{"{}", "[", strings.Replace(text, fmt.Sprintf(`"version":%d`, version), `"version":99`, 1)} {
		if err := again.Restore(strings.NewReader(bad)); err == nil {
			t.Errorf("%.40s is taken", bad)
		}
	}
	if again.state.host("h.test").Answered != 3 {
		t.Error("a state that is refused is taken in part")
	}
}
