package pages

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver/internal/realdata"
)

// TestAskExamples: the examples are the queries of the documentation, and the demo crawl answers each.
func TestAskExamples(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(realdata.Root(t), "docs", "howto", "sparql.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, h := studio(t)
	documented := 0
	for _, e := range examplesAt("/crawls/demo/ask") {
		if strings.Contains(string(text), "```sparql\n"+e.Query+"```") {
			documented++
		}
		status, _, page := answer(t, h, http.MethodGet, e.Path, nil, nil)
		if status != http.StatusOK || strings.Contains(page, `role="alert"`) || strings.Contains(page, "Nothing of the crawl matches") {
			t.Errorf("%s: %d %s", e.Label, status, page)
		}
	}
	if all := strings.Count(string(text), "```sparql\n"); documented != all {
		t.Errorf("%d of %d documented queries", documented, all)
	}
}

// TestTerm: terms are shown as people write them, and addresses of the Web alone have a page.
func TestTerm(t *testing.T) {
	v := askView{Frame: Frame{Crawl: "c"}}
	for written, want := range map[string]Term{
		`<http://a.example/b>`: {"http://a.example/b", "/crawls/c/page?url=http%3A%2F%2Fa.example%2Fb"}, `<javascript:alert(1)>`: {Text: "javascript:alert(1)"},
		`"a \"b\" \\ \u00E9"@en`: {Text: `a "b" \ é (en)`}, `"3"^^<http://www.w3.org/2001/XMLSchema#integer>`: {Text: "3"}, `12`: {Text: "12"}, `_:b0`: {Text: "_:b0"}, ``: {},
	} {
		if got := v.term(written); got != want {
			t.Errorf("%s: %+v, want %+v", written, got, want)
		}
	}
}
