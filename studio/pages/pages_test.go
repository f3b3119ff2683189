package pages

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"orbweaver/internal/realdata"
	"orbweaver/studio/workspace"
)

const demoFile = `seeds: [http://tidings.example/, http://signpost.example/]
web: {archive: [demo.warc.gz], robots: archived}
focus: {ontology: {files: [aircraft.ttl], target: ["http://orbweaver.example/aircraft#Airplane"]}}
limits: {requests: 120}
archive: on
`

// studio is a workspace with one finished crawl, "demo", one that has not begun, "fresh", and one with problems, "broken".
func studio(t *testing.T) (*workspace.Workspace, *Handler) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"demo.warc.gz", "aircraft.ttl"} {
		text, err := os.ReadFile(filepath.Join(realdata.Root(t), "examples", name))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{"demo": demoFile, "fresh": demoFile, "broken": "seeds: [1\n"} {
		text = strings.Replace(text, "archive: on", "output: crawls/"+name+"\narchive: on", 1)
		if err := os.WriteFile(filepath.Join(dir, name+".yaml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w, err := workspace.Open(dir, workspace.Options{Spare: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	finish(t, w, "demo")
	return w, New(Options{
		Workspace: w,
		Token:     func(*http.Request) string { return "token" },
		MayWrite:  func(r *http.Request) bool { return r.Header.Get("Reader") == "" },
		Demo:      func(context.Context) (string, error) { return "demo", nil },
		Replay:    func(_ *http.Request, _, url string) string { return "http://127.0.0.1:1/" + url },
	})
}

// finish runs a crawl to its end.
func finish(t *testing.T, w *workspace.Workspace, id string) {
	t.Helper()
	if err := w.Start(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	for {
		changed := w.Changed()
		c, err := w.Crawl(t.Context(), id)
		if err != nil || c.Error != "" {
			t.Fatalf("%v %s", err, c.Error)
		}
		if c.State == workspace.Ended {
			return
		}
		<-changed
	}
}

// answer asks for a page.
func answer(t *testing.T, h http.Handler, method, path string, form url.Values, edit func(*http.Request)) (int, http.Header, string) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(form.Encode()))
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if edit != nil {
		edit(r)
	}
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, r)
	body, err := io.ReadAll(rec.Body)
	if err != nil {
		t.Fatal(err)
	}
	return rec.Code, rec.Header(), string(body)
}

// sound checks what holds for every page: it parses, has one h1, a label for each input, and neither inline scripts nor styles.
func sound(t *testing.T, page string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	headings, labels, ids, inputs := 0, map[string]bool{}, map[string]bool{}, []string{}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		attr := map[string]string{}
		for _, a := range n.Attr {
			attr[a.Key] = a.Val
			if strings.HasPrefix(a.Key, "on") || a.Key == "style" {
				t.Errorf("%s has the attribute %s", n.Data, a.Key)
			}
			if a.Key == "href" || a.Key == "src" || a.Key == "action" || a.Key == "formaction" || a.Key == "data-src" {
				address(t, n.Data, a.Val, attr)
			}
		}
		if id := attr["id"]; id != "" {
			if ids[id] {
				t.Errorf("the id %s is there twice", id)
			}
			ids[id] = true
		}
		switch n.Data {
		case "h1":
			headings++
		case "label":
			labels[attr["for"]] = true
		case "style":
			t.Error("the page has a style element")
		case "script":
			if attr["src"] == "" || n.FirstChild != nil {
				t.Error("the page has an inline script")
			}
		case "input", "textarea", "select":
			if attr["type"] != "hidden" && attr["aria-label"] == "" {
				inputs = append(inputs, attr["id"])
			}
		}
	}
	if headings != 1 {
		t.Errorf("%d h1", headings)
	}
	for _, id := range inputs {
		if id == "" || !labels[id] {
			t.Errorf("input %q has no label", id)
		}
	}
}

// address checks that a link stays in the studio, or leads to the Web or to the origin of archived pages.
func address(t *testing.T, tag, to string, attr map[string]string) {
	t.Helper()
	u, err := url.Parse(to)
	if err != nil {
		t.Errorf("%s: %v", tag, err)
		return
	}
	if !strings.HasPrefix(to, "/") && !strings.HasPrefix(to, "#") && !strings.HasPrefix(to, "?") && u.Scheme != "http" && u.Scheme != "https" {
		t.Errorf("%s leads to %q (%v)", tag, to, attr)
	}
}

func TestPages(t *testing.T) {
	_, h := studio(t)
	for _, c := range []struct {
		name, path string
		status     int
		has        []string
	}{
		{"home", "/", 200, []string{"demo", "fresh", "broken", "<polyline", "has not begun", "Line 1", "Harvest"}},
		{"live", "/crawls/demo", 200, []string{"A limit of the crawl file is reached", `id="part-newest"`, "/crawls/demo/page?url=", "Start again"}},
		{"live of a new crawl", "/crawls/fresh", 200, []string{"It has not begun", "There are no counts yet"}},
		{"live of a broken crawl", "/crawls/broken", 200, []string{"has problems", "Line 1"}},
		{"no crawl", "/crawls/none", 404, []string{"has none of this name"}},
		{"exclusion", "/crawls/demo/exclude?patterns=http%3A%2F%2Ftidings.example%2F*", 200, []string{"waiting requests would be removed", "Examples"}},
		{"trash", "/trash", 200, []string{"The trash is empty"}},
		{"one page", "/crawls/demo/page?url=http%3A%2F%2Ftidings.example%2F", 200, []string{"The way from a seed", "sandbox", "Relevant", "noreferrer"}},
		{"a page unknown", "/crawls/demo/page?url=javascript%3Aalert(1)%3Cscript%3E%E2%80%AE" + strings.Repeat("x", 10_000), 200, []string{"as the crawl knows it"}},
		{"results", "/crawls/demo/results", 200, []string{">Next<", "format=csv"}},
		{"results of a host", "/crawls/demo/results?host=tidings.example&sort=url&min=0.1&accepted=on", 200, []string{"tidings.example"}},
		{"results of none", "/crawls/demo/results?host=nowhere.example", 200, []string{"No page matches"}},
		{"a search", "/crawls/demo/results?words=airplane", 200, []string{"<mark>"}},
		{"map of hosts", "/crawls/demo/map", 200, []string{`data-island="graph"`, "tidings.example", "Most links to", "results?host="}},
		{"map around a page", "/crawls/demo/map?limit=50&url=http%3A%2F%2Ftidings.example%2F", 200, []string{`data-kind="pages"`, "around it", "Back to the hosts"}},
		{"map around no page", "/crawls/demo/map?url=javascript%3Aalert(1)", 400, nil},
		{"map of a size that is none", "/crawls/demo/map?limit=many", 400, []string{"write a number"}},
		{"ask", "/crawls/demo/ask", 200, []string{`data-island="ask"`, "Ask the query above", "data-query="}},
		{"ask no crawl", "/crawls/none/ask", 404, nil},
		{"ask for rows", "/crawls/demo/ask?query=" + url.QueryEscape("SELECT ?page ?title { ?page <http://purl.org/dc/terms/title> ?title } LIMIT 3"), 200, []string{"3 rows", "/crawls/demo/page?url="}},
		{"ask for a graph", "/crawls/demo/ask?query=" + url.QueryEscape("CONSTRUCT { ?s ?p ?o } { ?s ?p ?o } LIMIT 1000"), 200, []string{"The first 200 rows", "predicate"}},
		{"ask yes or no", "/crawls/demo/ask?query=" + url.QueryEscape("ASK { ?s ?p ?o }"), 200, []string{"true"}},
		{"ask for nothing", "/crawls/demo/ask?query=" + url.QueryEscape("SELECT * { <http://no/> ?p ?o }"), 200, []string{"Nothing of the crawl matches"}},
		{"ask wrongly", "/crawls/demo/ask?query=" + url.QueryEscape("SELECT * {"), 200, []string{`role="alert"`, "expected"}},
		{"ask with hostile text", "/crawls/demo/ask?query=" + url.QueryEscape("SELECT ('<script>alert(1)</script>\u202E' AS ?x) {}"), 200, []string{"1 row."}},
		{"compare nothing", "/compare", 200, []string{"Choose two crawls", "demo"}},
		{"compare", "/compare?crawl=demo", 200, []string{"Harvest by requests", "Wasted", "ontology", "/api/v1/compare?crawl=demo"}},
		{"compare what has not begun", "/compare?crawl=fresh", 400, []string{"has not begun"}},
		{"compare no crawl", "/compare?crawl=none", 404, nil},
		{"a search of hostile words", "/crawls/demo/results?words=%3Cscript%3Ealert(1)%3C%2Fscript%3E&class=%22onload%3D1", 200, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, _, page := answer(t, h, http.MethodGet, c.path, nil, nil)
			for c.path == "/" && !strings.Contains(page, "<polyline") && t.Context().Err() == nil { // it is drawn beside
				status, _, page = answer(t, h, http.MethodGet, c.path, nil, nil)
			}
			if status != c.status {
				t.Fatalf("status %d: %s", status, page)
			}
			sound(t, page)
			for _, want := range c.has {
				if !strings.Contains(page, want) {
					t.Errorf("%q is not on the page", want)
				}
			}
			if strings.Contains(page, "ZgotmplZ") || strings.Contains(page, "\u202e") || strings.Contains(page, "<script>") {
				t.Error("something hostile is on the page")
			}
			_, _, read := answer(t, h, http.MethodGet, c.path, nil, func(r *http.Request) { r.Header.Set("Reader", "1") })
			if strings.Contains(read, `method="post"`) {
				t.Error("a reader is shown an action")
			}
		})
	}
}

func TestActions(t *testing.T) {
	w, h := studio(t)
	do := func(path string, form url.Values) *Flash {
		t.Helper()
		status, header, page := answer(t, h, http.MethodPost, path, form, nil)
		if status != http.StatusSeeOther {
			t.Fatalf("%s: status %d: %s", path, status, page)
		}
		request := &http.Request{Header: http.Header{"Cookie": {strings.Split(header.Get("Set-Cookie"), ";")[0]}}}
		said := flashOf(request)
		if said == nil {
			t.Fatalf("%s says nothing", path)
		}
		return said
	}
	if status, _, _ := answer(t, h, http.MethodPost, "/crawls/fresh/delete", nil, func(r *http.Request) { r.Header.Set("Reader", "1") }); status != http.StatusForbidden {
		t.Errorf("a reader deletes: status %d", status)
	}
	said := do("/crawls/fresh/delete", nil)
	if _, err := w.Crawl(t.Context(), "fresh"); err == nil || said.Undo == "" {
		t.Errorf("%+v, error %v", said, err)
	}
	if _, _, page := answer(t, h, http.MethodGet, "/trash", nil, nil); !strings.Contains(page, "fresh") || !strings.Contains(page, said.Undo) {
		t.Error("the trash lacks what was deleted")
	}
	do(said.Undo, nil)
	if _, err := w.Crawl(t.Context(), "fresh"); err != nil {
		t.Error(err)
	}
	if said := do("/crawls/demo/exclude", url.Values{"patterns": {"http://tidings.example/*"}}); said.Bad || !strings.Contains(said.Text, "waiting requests") {
		t.Errorf("%+v", said)
	}
	if said := do("/crawls/demo/add", url.Values{"urls": {"http://wayfarer.example/"}}); !said.Bad {
		t.Errorf("a crawl at rest takes URLs: %+v", said)
	}
	if said := do("/crawls/demo/limits", url.Values{"requests": {"-1"}}); !said.Bad || !strings.Contains(said.Text, "requests") {
		t.Errorf("%+v", said)
	}
	said = do("/crawls/demo/verdict", url.Values{"url": {"http://tidings.example/"}, "relevant": {"yes"}})
	if said.Bad || said.Undo != "/crawls/demo/verdict" {
		t.Errorf("%+v", said)
	}
	const one = "/crawls/demo/page?url=http%3A%2F%2Ftidings.example%2F"
	if _, _, page := answer(t, h, http.MethodGet, one, nil, nil); !strings.Contains(page, "You said: <strong>relevant") || !strings.Contains(page, "Withdraw it") {
		t.Errorf("the page does not tell its verdict: %s", page)
	}
	undo := url.Values{}
	for _, f := range said.Fields {
		undo.Add(f.Name, f.Value)
	}
	if said := do(said.Undo, undo); said.Bad || !strings.Contains(said.Text, "withdrawn (1 pages)") {
		t.Errorf("%+v", said)
	}
	if _, _, page := answer(t, h, http.MethodGet, one, nil, nil); strings.Contains(page, "You said") || strings.Contains(page, "Withdraw it") {
		t.Errorf("the page tells a verdict that was withdrawn: %s", page)
	}
	if said := do(said.Undo, undo); !said.Bad || !strings.Contains(said.Text, "no verdict on it holds") {
		t.Errorf("%+v", said)
	}
	if said := do("/demo", nil); said.Bad {
		t.Errorf("%+v", said)
	}
}

func TestLiveParts(t *testing.T) {
	_, h := studio(t)
	parts, err := h.LiveParts(t.Context(), "demo")
	if err != nil {
		t.Fatal(err)
	}
	_, _, page := answer(t, h, http.MethodGet, "/crawls/demo", nil, nil)
	for id, part := range parts {
		if !strings.Contains(page, `id="`+id+`"`) || part == "" || strings.Contains(part, "csrf") {
			t.Errorf("%s: %s", id, part)
		}
	}
	if len(parts) != len(liveParts) {
		t.Errorf("%d parts", len(parts))
	}
}
