package pages

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/crawl"
	"orbweaver/studio/workspace"
)

// hostile are texts that the Web may have as titles, anchors, URLs and labels.
var hostile = []string{
	`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `javascript:alert(1)`, `data:text/html,<script>alert(1)</script>`,
	"\u202egnp.exe\u2066", strings.Repeat("x", 10_000), "\x00\xff\xfe", `</textarea><style>*{}</style>`, `{{.Token}}`,
}

// typed is the value of a field: what a person typed, or what goes back as it came.
var typed = regexp.MustCompile(` value="[^"]*"`)

// TestHostile: whatever stands in a page, a URL, a label or a message, a page stays sound.
func TestHostile(t *testing.T) {
	h := New(Options{Workspace: nil, Token: func(*http.Request) string { return "token" }})
	for _, bad := range hostile {
		frame := h.frame(httptest.NewRequest(http.MethodGet, "/", nil), bad)
		frame.Crawl, frame.Flash = bad, &Flash{Text: bad, Bad: true}
		reasons := reasonsOf([]orbweaver.Reason{{Rule: bad, Evidence: bad}})
		row := Row{URL: bad, Path: pagePath(bad, bad), Title: bad, Snippet: bad, Class: bad, Host: hostOf(bad), Reasons: reasons}
		c := workspace.Crawl{
			ID: bad, State: workspace.Running, Error: bad, Notices: []string{bad}, Status: &crawl.Status{},
			Problems: []crawl.Problem{{Line: 1, Key: bad, Msg: bad, Hint: bad}},
		}
		standing := Standing{
			Crawl: c, Why: bad, Next: bad, Newest: []Row{row}, Best: []Row{row}, Waits: []Wait{{URL: bad, Path: row.Path, Reasons: reasons}},
			Hosts: []Host{{Name: bad, Robots: bad, Down: bad}}, Refused: []refusal{{bad, 1, []string{bad}}},
			Failed: []failure{{bad, 1, []crawl.Failed{{URL: bad, Message: bad}}}},
		}
		act := frame.Button("/trash/1/restore", "Restore", "")
		marked := segments("a"+bad, orbweaver.InText, []orbweaver.Span{{Field: orbweaver.InText, Start: 1, End: 1 + len(bad), Rule: bad, Name: bad}})
		views := map[string]any{
			"failure": failureView{frame, bad, "Go back."},
			"home":    homeView{Frame: frame, Full: bad, Crawls: []crawlRow{{Crawl: c, Why: bad}}},
			"trash":   trashView{frame, []thrownRow{{workspace.Thrown{Crawl: bad, File: bad}, act, act}}},
			"live":    liveView{Frame: frame, Standing: standing, Text: bad},
			"exclude": excludeView{frame, bad, crawl.Excluded{Waiting: 1, Examples: []string{bad}}},
			"results": resultsView{Frame: frame, Words: bad, Min: bad, Host: bad, Class: bad, Rows: []Row{row}, Found: []Hit{{row, marked}}},
			"page": pageView{
				Frame: frame, URL: bad, Web: link(bad), Archived: link(bad), Reasons: reasons, Heading: marked, Body: marked,
				Explained: &crawl.Explanation{URL: bad, Why: bad, Rule: bad, Nearest: []string{bad}},
			},
		}
		for _, name := range pageNames {
			rec := httptest.NewRecorder()
			if err := h.show(rec, http.StatusOK, name, views[name]); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			page := typed.ReplaceAllString(rec.Body.String(), "")
			sound(t, page)
			for _, never := range []string{"<script>", "<img", "\u202e", "\u2066", "ZgotmplZ", `href="javascript:`, `href="data:`} {
				if strings.Contains(page, never) {
					t.Errorf("%s with %.40q has %q", name, bad, never)
				}
			}
		}
	}
}

func TestLink(t *testing.T) {
	for _, bad := range append(hostile, "//host/", "/path", "ftp://host/", "http:", "http:///x") {
		if got := link(bad); got != "" {
			t.Errorf("%.40q is linked as %.40q", bad, got)
		}
	}
	if link("https://a.example/b") == "" {
		t.Error("an address of the Web is not linked")
	}
}
