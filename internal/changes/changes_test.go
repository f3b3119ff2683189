package changes

import (
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// TestDiff: what is gone, new, and around it.
func TestDiff(t *testing.T) {
	for _, tc := range []struct{ name, before, after, want string }{
		{"a line break makes two sentences", "One two.  Three\n\nfour.", "One two. Three four.", " One two.\n-Three\n-four.\n+Three four.\n"},
		{"the same", "One two.\nThree.", "One  two.\n\nThree.", ""},
		{"a sentence in between", "A. B. C. D. E.", "A. B. X. D. E.", " B.\n-C.\n+X.\n D.\n"},
		{"two places", "A. B. C. D. E. F. G.", "A. X. C. D. E. F. Y.", " A.\n-B.\n+X.\n C.\n@@\n F.\n-G.\n+Y.\n"},
		{"all new", "", "A! B?", "+A!\n+B?\n"},
		{"Chinese", "他来了。她走了。", "他来了。她没走。", " 他来了。\n-她走了。\n+她没走。\n"},
	} {
		if got, cut := Diff(tc.before, tc.after); got != tc.want || cut {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
	long := strings.Repeat("ä", 9000)
	if got, cut := Diff("", long); !cut || len(got) > maxDiff || !utf8.ValidString(got) {
		t.Errorf("a long sentence gives %d bytes, cut: %v", len(got), cut)
	}
	var a, b strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&a, "Sentence %d is here.\n", i)
		fmt.Fprintf(&b, "Sentence %d was here.\n", i)
	}
	if got, cut := Diff(a.String(), b.String()); !cut || len(got) > maxDiff {
		t.Errorf("two long texts give %d bytes, cut: %v", len(got), cut)
	}
}

func FuzzDiff(f *testing.F) {
	f.Add("A. B.", "A. C.")
	f.Fuzz(func(t *testing.T, a, b string) {
		if got, _ := Diff(a, b); len(got) > maxDiff || !utf8.ValidString(got) {
			t.Errorf("%q is %d bytes", got, len(got))
		}
	})
}

// TestLog: what lies beyond the committed length is cut off; changes are read from a position, up to one, and from the end.
func TestLog(t *testing.T) {
	folder := t.TempDir()
	l, err := Open(folder, 0)
	if err != nil {
		t.Fatal(err)
	}
	var lengths []int64
	for i := range 30 {
		n, err := l.Append(Change{ID: fmt.Sprint(i), URL: "http://a.test/", Kind: Changed, Time: time.Unix(int64(i), 0).UTC(), Diff: strings.Repeat("x", 40_000)})
		if err != nil {
			t.Fatal(err)
		}
		lengths = append(lengths, n)
	}
	l.Close()
	if l, err = Open(folder, lengths[19]); err != nil || l.Length() != lengths[19] {
		t.Fatal(err)
	}
	l.Close()
	list, to, err := Read(folder, lengths[4], lengths[9]+5, 100)
	if err != nil || len(list) != 5 || list[0].ID != "5" || to != lengths[9] {
		t.Errorf("%d changes to %d, %v", len(list), to, err)
	}
	if list, to, _ = Read(folder, lengths[29], lengths[29], 100); len(list) != 0 || to != lengths[19] {
		t.Errorf("beyond the end: %d changes, %d", len(list), to)
	}
	latest, err := Latest(folder, 15)
	if err != nil || len(latest) != 15 || latest[0].ID != "19" || latest[14].ID != "5" {
		t.Errorf("the latest are %d, %v", len(latest), err)
	}
	if err := os.WriteFile(filepath.Join(folder, LogFile), []byte("{\"id\":\"a\"}\nnonsense\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if list, to, err := Read(folder, 0, 100, 100); err == nil || len(list) != 1 || to != 11 {
		t.Errorf("a damaged log gives %d changes to %d, %v", len(list), to, err)
	}
	if list, _, err := Read(t.TempDir(), 0, 100, 100); len(list) != 0 || err != nil {
		t.Errorf("without a log: %v, %v", list, err)
	}
}

// TestAtom: a feed is XML, whatever pages say.
func TestAtom(t *testing.T) {
	var b strings.Builder
	err := WriteAtom(&b, "my <crawl>", []Change{{
		ID: "1", Time: time.Unix(1, 0), URL: "http://a.test/?a=1&b=\"", Kind: Back, Title: "a\x00<b>\xff", Diff: "+<script>\n", Cut: true,
		Before: &Verdict{true, 0.5}, After: &Verdict{false, 0.25}, To: "http://b.test/",
	}})
	if err != nil {
		t.Fatal(err)
	}
	var feed atomFeed
	if err := xml.Unmarshal([]byte(b.String()), &feed); err != nil {
		t.Fatalf("%v\n%s", err, &b)
	}
	e := feed.Entries[0]
	if e.Title != "back: a<b>\uFFFD" || e.Link.Href != "http://a.test/?a=1&b=\"" || feed.Updated != "1970-01-01T00:00:01Z" ||
		e.Content.Text != "not accepted (0.250), before: accepted (0.500)\nnow at http://b.test/\n+<script>\n...\n" {
		t.Errorf("%+v", feed)
	}
}
