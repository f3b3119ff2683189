package help

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"
)

// TestShelf: all pages are there, with titles, and links between them lead to pages.
func TestShelf(t *testing.T) {
	shelf, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	if len(shelf.Pages) < 50 {
		t.Errorf("%d pages", len(shelf.Pages))
	}
	for _, page := range shelf.Pages {
		at := page.Path
		for _, link := range strings.Split(string(page.HTML), `href="`)[1:] {
			link, _, _ = strings.Cut(link, `"`)
			if strings.HasPrefix(link, "http") {
				continue
			}
			to, anchor, _ := strings.Cut(link, "#")
			if to == "" {
				to = at
			}
			other, err := shelf.Page(to)
			if err != nil {
				t.Errorf("%s links to %s: %v", at, link, err)
				continue
			}
			if anchor != "" && !strings.Contains(string(other.HTML), `id="`+anchor+`"`) {
				t.Errorf("%s links to %s, which has no such heading", at, link)
			}
		}
		if strings.Contains(string(page.HTML), "raw HTML omitted") {
			t.Errorf("%s has HTML", at)
		}
	}
	if _, err := shelf.Page("/help/nowhere"); !errors.Is(err, ErrNoPage) {
		t.Error(err)
	}
}

// TestSearch: sections have all words, by their stems or first letters; headings count more than text.
func TestSearch(t *testing.T) {
	shelf, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	for query, first := range map[string]string{
		"repair crawl folder": "/help/howto/repair",
		"three machines":      "/help/tutorial/cluster",
		"retry host delay":    "/help/explanation/politeness#one-host",
		"saturat":             "/help/howto/saturation",
		"verdicts":            "/help/reference/reasons#verdicts",
	} {
		found := shelf.Search(query)
		if len(found) == 0 || found[0].Path != first {
			t.Errorf("%s: %.3v", query, found[:min(3, len(found))])
		}
	}
	for _, query := range []string{"", "  ", "crawl xyzzyplugh", "\x00\xff", "ſ"} {
		if found := shelf.Search(query); len(found) > 0 {
			t.Errorf("%q finds %s", query, found[0].Path)
		}
	}
}

// TestHostilePages: Markdown that is no page is refused, and HTML in it never arrives.
func TestHostilePages(t *testing.T) {
	if _, err := renderAll(fstest.MapFS{"README.md": {Data: []byte("text")}}); err == nil || !strings.Contains(err.Error(), "README.md") {
		t.Error(err)
	}
	c, err := renderAll(fstest.MapFS{
		"README.md": {Data: []byte("# T\n\n<script>x</script>\n\na <b onclick=x>b</b> [l](javascript:x) [o](../../etc/passwd) [p](a/b.md#c)\n\n```html\n<i>\n```\n\n|a|\n|-|\n|<i>|\n")},
		"a/b.md":    {Data: []byte("# B\n\n## C\n\n## C\n")},
	})
	if err != nil {
		t.Fatal(err)
	}
	shelf := shelve(c)
	page, err := shelf.Page(Base)
	if err != nil {
		t.Fatal(err)
	}
	for _, never := range []string{"<script", "<b", "<i>", "javascript", "passwd"} {
		if strings.Contains(string(page.HTML), never) {
			t.Errorf("%s in %s", never, page.HTML)
		}
	}
	for _, always := range []string{`href="/help/a/b#c"`, `tabindex="0"`, "&lt;i&gt;"} {
		if !strings.Contains(string(page.HTML), always) {
			t.Errorf("no %s in %s", always, page.HTML)
		}
	}
}

// FuzzAnchor: an anchor stands in an address as it is.
func FuzzAnchor(f *testing.F) {
	f.Add("A page: `it`")
	f.Fuzz(func(t *testing.T, heading string) {
		if strings.ContainsAny(anchorOf(heading), " \"'<>#&`") {
			t.Error(anchorOf(heading))
		}
	})
}
