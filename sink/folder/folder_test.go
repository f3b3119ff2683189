package folder

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"

	"orbweaver"
	"orbweaver/sink"
)

func accepted(id, url, text string) sink.Item {
	return sink.Item{ID: id, Kind: sink.Accepted, N: 1, URL: url, Page: &sink.Page{Title: "T", Text: text, Score: .5, Fetched: time.Unix(0, 0)}}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestMarkdown: a file for each page, replaced and removed; again changes nothing.
func TestMarkdown(t *testing.T) {
	m := NewMarkdown(filepath.Join(t.TempDir(), "a", "b"))
	if err := m.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	items := []sink.Item{accepted("1", "http://a.test/x", "old"), accepted("2", "http://a.test/x", "new"), accepted("3", "http://a.test/y", "y"),
		{ID: "4", Kind: sink.Withdrawn, URL: "http://a.test/y"}, {ID: "5", Kind: sink.Withdrawn, URL: "http://never.test/"}, {ID: "6", Kind: sink.End}}
	for range 2 {
		if err := m.Deliver(t.Context(), items); err != nil {
			t.Fatal(err)
		}
	}
	var files []string
	err := filepath.WalkDir(m.path, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, path)
		}
		return err
	})
	if err != nil || len(files) != 1 || !strings.HasSuffix(read(t, files[0]), "---\n\nnew\n") {
		t.Errorf("%q, %v", files, err)
	}
}

// TestFull: when a disk is full the error says so, and what was there stays.
func TestFull(t *testing.T) {
	m := NewMarkdown(t.TempDir())
	if err := m.Deliver(t.Context(), []sink.Item{accepted("1", "http://a.test/x", "old")}); err != nil {
		t.Fatal(err)
	}
	full := errors.New("no space left on device")
	m.write = func(string, []byte, fs.FileMode) error { return full }
	if err := m.Deliver(t.Context(), []sink.Item{accepted("2", "http://a.test/x", "new")}); !errors.Is(err, full) {
		t.Error(err)
	}
	host, name := Name("http://a.test/x")
	if text := read(t, filepath.Join(m.path, host, name)); !strings.HasSuffix(text, "old\n") {
		t.Error(text)
	}
	l := NewLines(t.TempDir())
	part := l.write
	l.write = func(f *os.File, lines []byte) error { return errors.Join(part(f, lines[:len(lines)/2]), full) }
	if err := l.Deliver(t.Context(), []sink.Item{accepted("1", "http://a.test/", "a"), accepted("2", "http://b.test/", "b"), accepted("3", "http://c.test/", "c")}); !errors.Is(err, full) {
		t.Error(err)
	}
	l.write = part
	if err := l.Deliver(t.Context(), []sink.Item{accepted("1", "http://a.test/", "a"), accepted("2", "http://b.test/", "b"), accepted("3", "http://c.test/", "c")}); err != nil {
		t.Error(err)
	}
	if got := ids(read(t, filepath.Join(l.path, LinesFile))); got != "1 2 3" {
		t.Error(got)
	}
}

// ids returns the IDs of lines.
func ids(text string) string {
	var all []string
	for _, m := range regexp.MustCompile(`(?m)^\{"id":"(\w+)".*\}$`).FindAllStringSubmatch(text, -1) {
		all = append(all, m[1])
	}
	return strings.Join(all, " ")
}

// TestLinesAgain: what comes again after a kill is left out, and half a line is cut off.
func TestLinesAgain(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, LinesFile)
	items := []sink.Item{accepted("1", "http://a.test/", "a"), {ID: "2", Kind: sink.Withdrawn, URL: "http://a.test/"}, {ID: "9", Kind: sink.Verdict}, accepted("3", "http://b.test/", "b")}
	for range 3 {
		l := NewLines(folder)
		if err := l.Deliver(t.Context(), items); err != nil {
			t.Fatal(err)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	whole := read(t, path)
	if got := ids(whole); got != "1 2 3" {
		t.Error(got)
	}
	for cut := range len(whole) {
		if err := os.WriteFile(path, []byte(whole[:cut]), 0o666); err != nil {
			t.Fatal(err)
		}
		l := NewLines(folder)
		if err := l.Deliver(t.Context(), items); err != nil {
			t.Fatal(err)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		if got := read(t, path); got != whole {
			t.Fatalf("cut at %d: %s", cut, got)
		}
	}
}

// FuzzName: names are safe on every file system, stay in the folder, and differ.
func FuzzName(f *testing.F) {
	for _, u := range []string{"http://a.test/", "HTTP://A.test/../../etc/passwd", "http://con/nul", "http://[::1]:80/%2e%2e", "", "http://a.test/\x00\\:*?\"<>|", strings.Repeat("ü/", 900), "http://../..", "http://user@h/"} {
		f.Add(u, u+"x")
		f.Add(u, strings.ToUpper(u))
	}
	safe := regexp.MustCompile(`^[a-z0-9_][a-z0-9._-]{0,130}$`)
	f.Fuzz(func(t *testing.T, a, b string) {
		hostA, nameA := Name(a)
		hostB, nameB := Name(b)
		for _, part := range []string{hostA, nameA} {
			if !safe.MatchString(part) || strings.HasSuffix(part, ".") || !filepath.IsLocal(part) {
				t.Errorf("%q gives %q", a, part)
			}
		}
		if a != b && nameA == nameB && hostA == hostB {
			t.Errorf("%q and %q give %s", a, b, nameA)
		}
	})
}

// FuzzPage: the front matter of any page is YAML with the page's values.
func FuzzPage(f *testing.F) {
	for _, s := range []string{"plain", "a: b # c", "- x", "'\"\\", "\u2028\u0085\ufeff\x7f\x00\x1b", "---\n", "\xff\xfe", "🛩", "yes", "1e3", "", "2001-01-01", "~"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		i := accepted("i", "http://a.test/", "text")
		i.Page.Title, i.Page.Creators, i.Page.Reasons = s, []string{s}, []orbweaver.Reason{{Rule: "r", Evidence: s}}
		front, _, ok := strings.Cut(strings.TrimPrefix(string(page(&i)), "---\n"), "\n---\n\n")
		var got struct {
			URL, Title, ID string
			Creators       []string
		}
		if err := yaml.Unmarshal([]byte(front), &got); err != nil || !ok {
			t.Fatalf("%q: %v in\n%s", s, err, front)
		}
		want := strings.ToValidUTF8(s, "\ufffd")
		if got.Title != want || got.URL != i.URL || len(got.Creators) != 1 || got.Creators[0] != want {
			t.Errorf("%q: %+v", s, got)
		}
	})
}
