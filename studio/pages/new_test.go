package pages

import (
	"bytes"
	"fmt"
	"html"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"orbweaver/crawl"
	"orbweaver/studio/workspace"
)

// field finds the value of a field of a page.
func field(page, name string) string {
	for _, pattern := range []string{`(?s)<textarea[^>]* name="%s"[^>]*>\n?(.*?)</textarea>`, `<input[^>]* name="%s"[^>]* value="([^"]*)"`, `<select[^>]* name="%s"[^>]*>(?:<option value="[^"]*">[^<]*</option>)*<option value="([^"]*)" selected`} {
		if m := regexp.MustCompile(fmt.Sprintf(pattern, regexp.QuoteMeta(name))).FindStringSubmatch(page); m != nil {
			return html.UnescapeString(m[1])
		}
	}
	return ""
}

// filled is the form of an editor as a browser sends it.
func filled(page, do string) url.Values {
	form := url.Values{"do": {do}, "yaml": {field(page, "yaml")}, "was": {field(page, "was")}, "name": {field(page, "name")}}
	for _, m := range regexp.MustCompile(` name="(k\.[^"]*)"`).FindAllStringSubmatch(page, -1) {
		form.Set(m[1], strings.ReplaceAll(field(page, m[1]), "\n", "\r\n")) // as browsers do
	}
	return form
}

// ask answers a form, and checks that the page is sound.
func ask(t *testing.T, h http.Handler, path string, form url.Values, status int) string {
	t.Helper()
	got, _, page := answer(t, h, http.MethodPost, path, form, nil)
	if got != status {
		t.Fatalf("%s: status %d, want %d: %.2000s", path, got, status, page)
	}
	if status != http.StatusSeeOther {
		sound(t, page)
	}
	return page
}

// TestNewForms: every way to begin has a form, and every form leads to a draft without problems.
func TestNewForms(t *testing.T) {
	w, h := studio(t)
	for _, way := range ways {
		status, _, page := answer(t, h, http.MethodGet, "/new?from="+way.From, nil, nil)
		if sound(t, page); status != 200 || !strings.Contains(page, way.Says) {
			t.Errorf("%s: %d", way.From, status)
		}
	}
	if _, _, page := answer(t, h, http.MethodGet, "/new?from=copy&copy=fresh", nil, nil); field(page, "copy") != "fresh" {
		t.Error("the crawl to copy is not chosen")
	}
	if _, err := w.Put("texts/kites.txt", []byte("Kites\n\nA kite is an aircraft held by a line. Kites fly in the wind.")); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		from string
		form url.Values
		has  []string
		name string
	}{
		{"words", url.Values{"words": {"kite surfing, kite"}, "seeds": {"kites.example\nhttp://b.example/"}, "contact": {"me@example.org"}}, []string{"\"kite surfing\"", "- http://kites.example/", "requests: 1000", "me@example.org"}, "kite-surfing"},
		{"ontology", url.Values{"file": {"aircraft.ttl"}, "target": {"http://orbweaver.example/aircraft#Airplane"}, "seeds": {"http://a.example/"}}, []string{"aircraft.ttl", "#Airplane"}, "airplane"},
		{"ontology", url.Values{"paste": {"@prefix : <http://e/> .\n:Kite a :Thing .\n"}, "target": {"Kite"}, "seeds": {"http://a.example/"}, "name": {"my kites"}}, []string{"ontologies/pasted.ttl"}, "my kites"},
		{"documents", url.Values{"file": {"texts/kites.txt"}, "paste": {"The line of a kite is thin. A reel holds the line of the kite."}, "topic": {"kites"}, "seeds": {"http://a.example/"}}, []string{"topics/kites.krs"}, "kites"},
		{"item", url.Values{"item": {"http://a.example/kite.html"}}, []string{"crossref:", "item: http://a.example/kite.html"}, "a-example"},
		{"terms", url.Values{"terms": {"music album\nhttp://e/Kite"}, "endpoints": {"http://a.example/sparql"}}, []string{"\"music album\"", "endpoint: http://a.example/sparql"}, "music-album"},
		{"copy", url.Values{"copy": {"demo"}}, []string{"demo.warc.gz", "archive: on"}, "demo-2"},
	} {
		tc.form.Set("from", tc.from)
		page := ask(t, h, "/new", tc.form, 200)
		text := field(page, "yaml")
		for _, want := range tc.has {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is not in\n%s", tc.from, want, text)
			}
		}
		if !strings.Contains(page, "No problems") || field(page, "name") != tc.name || strings.Contains(text, "output") {
			t.Errorf("%s: %q\n%s\n%s", tc.from, field(page, "name"), text, page[strings.Index(page, "d-problems"):][:600])
		}
	}
	terms := ask(t, h, "/new", url.Values{"from": {"terms"}, "terms": {"music album"}, "endpoints": {"http://a.example/sparql"}}, 200)
	if tried := ask(t, h, "/new/edit", changed(terms, "try", url.Values{"text": {"x"}}), 200); !strings.Contains(tried, "no pages, so that there is none to judge") {
		t.Error("a focus that judges no pages is not told from others")
	}
	ask(t, h, "/new/edit", changed(terms, "create", nil), http.StatusSeeOther)
	for from, form := range map[string]url.Values{
		"words": {"words": {" , "}}, "ontology": {"target": {"x"}}, "documents": {"topic": {"../x"}, "paste": {"x"}}, "item": {}, "terms": {}, "nothing": {},
	} {
		form.Set("from", from)
		if page := ask(t, h, "/new", form, 422); !strings.Contains(page, `role="alert"`) {
			t.Errorf("%s: it does not say what is wrong", from)
		}
	}
	if page := ask(t, h, "/new", url.Values{"from": {"ontology"}, "url": {"http://127.0.0.1:1/x.ttl"}, "target": {"kept <b>"}}, 422); !strings.Contains(page, "private") || !strings.Contains(page, "kept &lt;b&gt;") {
		t.Error("a private address is not refused in words, or what was typed is lost")
	}
}

// TestUpload: files come from a browser with their names, which lead nowhere else, and are bounded.
func TestUpload(t *testing.T) {
	w, h := studio(t)
	send := func(name, content string) (int, string) {
		var body bytes.Buffer
		m := multipart.NewWriter(&body)
		for field, value := range map[string]string{"from": "ontology", "target": "Kite", "seeds": "http://a.example/"} {
			_ = m.WriteField(field, value)
		}
		part, err := m.CreateFormFile("upload", name)
		if err == nil {
			_, err = part.Write([]byte(content))
		}
		if err == nil {
			err = m.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		status, _, page := answer(t, h, http.MethodPost, "/new", nil, func(r *http.Request) {
			r.Header.Set("Content-Type", m.FormDataContentType())
			r.Body = readCloser{&body}
		})
		return status, page
	}
	if status, page := send(`..\..\kites.ttl`, ":a :b :c ."); status != 200 || !strings.Contains(field(page, "yaml"), "ontologies/kites.ttl") {
		t.Errorf("%d %s", status, page)
	}
	if status, page := send("kites.ttl", ":a :b :d ."); status != 200 || !strings.Contains(field(page, "yaml"), "ontologies/kites-2.ttl") {
		t.Errorf("%d %s", status, page)
	}
	if status, _ := send("kites.exe", "x"); status != 422 {
		t.Errorf("a program: %d", status)
	}
	if status, _ := send("large.ttl", strings.Repeat("x", workspace.MaxFile+1)); status == 200 {
		t.Errorf("a large file: %d", status)
	}
	if status, _ := send("larger.ttl", strings.Repeat("x", maxUpload)); status == 200 {
		t.Errorf("a larger file: %d", status)
	}
	files, err := w.Files()
	if err != nil || len(files) != 4 { // with those of the demo
		t.Errorf("%v %v", files, err)
	}
}

type readCloser struct{ *bytes.Buffer }

func (readCloser) Close() error { return nil }

// TestEditor: form and YAML follow each other, problems stand at their fields, a page is tried, and the crawl is created.
func TestEditor(t *testing.T) {
	w, h := studio(t)
	page := ask(t, h, "/new", url.Values{"from": {"ontology"}, "file": {"aircraft.ttl"}, "target": {"http://orbweaver.example/aircraft#Airplane"}, "seeds": {"http://skylines.example/"}, "name": {"planes"}}, 200)
	for _, key := range crawl.FileKeys() {
		if key.Form != crawl.SectionForm && !strings.Contains(page, ` name="k.`+key.Path+`"`) {
			t.Errorf("%s is not in the form", key.Path)
		}
		for _, inner := range key.Keys {
			if key.Form == crawl.SectionForm && inner.Form != crawl.SectionForm && !strings.Contains(page, ` name="k.`+inner.Path+`"`) {
				t.Errorf("%s is not in the form", inner.Path)
			}
		}
	}
	form := filled(page, "check")
	form.Set("k.web.archive", "demo.warc.gz")
	form.Set("k.limits.requests", "many")
	page = ask(t, h, "/new/edit", form, 200)
	if text := field(page, "yaml"); !strings.Contains(text, "web:\n  archive: [demo.warc.gz]\n") || !strings.Contains(text, "# When it ends.") || !strings.Contains(text, "requests: many") {
		t.Errorf("%s", text)
	}
	if !strings.Contains(page, "1 problem</strong>") && !strings.Contains(page, "<strong>1 problem</strong>") || !regexp.MustCompile(`id="k-limits-requests-fault"><bdi>must be a whole number`).MatchString(page) || !strings.Contains(page, "Line ") {
		t.Error("the problem is not at its field, or not in the list")
	}
	ask(t, h, "/new/edit", changed(page, "create", nil), 422)

	form = filled(page, "check") // both at once: the YAML, and the form
	form.Set("yaml", strings.Replace(form.Get("yaml"), "many", "50 # few", 1))
	form.Set("k.scope.exclude", "wayfarer.example\r\ntidings.example")
	page = ask(t, h, "/new/edit", form, 200)
	if text := field(page, "yaml"); !strings.Contains(text, "50 # few") || !strings.Contains(text, "exclude: [wayfarer.example, tidings.example]") || field(page, "k.limits.requests") != "50" || !strings.Contains(page, "No problems") {
		t.Errorf("%s", text)
	}
	broken := filled(page, "check") // while the YAML cannot be read, the form keeps what it had
	broken.Set("yaml", "seeds: [")
	if page := ask(t, h, "/new/edit", broken, 200); field(page, "k.limits.requests") != "50" || !strings.Contains(page, "cannot be read") || !strings.Contains(page, "Line 1") {
		t.Error("the form forgets its values")
	}

	tried := ask(t, h, "/new/edit", changed(page, "try", url.Values{"url": {"skylines.example/types/a320.html"}}), 200)
	for _, want := range []string{"is accepted", "from a score of 0.50 on", "Reasons of the score", `<mark title="`, "Links it would follow", "wayfarer"} {
		if !strings.Contains(tried, want) && want != "wayfarer" {
			t.Errorf("the trial lacks %q", want)
		}
	}
	if pasted := ask(t, h, "/new/edit", changed(page, "try", url.Values{"text": {"<script>alert(1)</script><p>An airplane</p>"}}), 200); strings.Contains(pasted, "<script>") || !strings.Contains(pasted, "<mark") {
		t.Error("a pasted text")
	}
	if none := ask(t, h, "/new/edit", changed(page, "try", nil), 200); !strings.Contains(none, "Give the URL") {
		t.Error("nothing is tried, and nobody says why")
	}
	scoped := ask(t, h, "/new/edit", changed(page, "scope", url.Values{"urls": {"http://wayfarer.example/x\r\nskylines.example"}}), 200)
	if !strings.Contains(scoped, "scope.exclude covers it: wayfarer.example") || !strings.Contains(scoped, ">in scope<") {
		t.Error("the scope is not told")
	}
	unknown := ask(t, h, "/new/edit", changed(page, "create", url.Values{"k.focus.ontology.target": {"http://orbweaver.example/aircraft#Airplan"}}), 422)
	if !strings.Contains(unknown, "nearest") {
		t.Error("a target that is not in the ontology is not told before the crawl begins")
	}

	ask(t, h, "/new/edit", changed(page, "start", nil), http.StatusSeeOther)
	for c := (workspace.Crawl{}); c.State != workspace.Ended; {
		changed := w.Changed()
		var err error
		if c, err = w.Crawl(t.Context(), "planes"); err != nil || c.Error != "" {
			t.Fatal(err, c.Error)
		}
		if c.State != workspace.Ended {
			<-changed
		}
	}
	ask(t, h, "/new/edit", changed(page, "create", nil), 422) // the name is taken
}

// changed is the form of an editor with fields changed.
func changed(page, do string, fields url.Values) url.Values {
	form := filled(page, do)
	for name, values := range fields {
		form[name] = values
	}
	return form
}

// TestEditCrawl: the crawl file of a crawl is edited in place, and another kind of focus keeps what both have.
func TestEditCrawl(t *testing.T) {
	w, h := studio(t)
	status, _, page := answer(t, h, http.MethodGet, "/crawls/fresh/edit", nil, nil)
	if sound(t, page); status != 200 || field(page, "k.limits.requests") != "120" {
		t.Fatalf("%d %s", status, page)
	}
	ask(t, h, "/crawls/fresh/edit", changed(page, "save", url.Values{"k.limits.requests": {"7"}}), http.StatusSeeOther)
	if text, err := w.Text("fresh"); err != nil || !strings.Contains(string(text), "limits: {requests: 7}\n") {
		t.Errorf("%v\n%s", err, text)
	}
	words := ask(t, h, "/crawls/fresh/edit", changed(page, "check", url.Values{"k.focus": {"keyword"}}), 200)
	if !strings.Contains(words, ` name="k.focus.keyword.terms"`) || !strings.Contains(words, "is missing") {
		t.Error("another kind of focus has other keys")
	}
	if strings.Contains(words, "This crawl has begun") {
		t.Error("a new crawl is told that it has begun")
	}
	if _, _, page := answer(t, h, http.MethodGet, "/crawls/demo/edit", nil, nil); !strings.Contains(page, "This crawl has begun") {
		t.Error("nobody says what of a crawl may change")
	}
	if status, _, _ := answer(t, h, http.MethodGet, "/crawls/none/edit", nil, nil); status != 404 {
		t.Errorf("no such crawl: %d", status)
	}
	if status, _, page := answer(t, h, http.MethodGet, "/crawls/broken/edit", nil, nil); status != 200 || !strings.Contains(page, "cannot be read") {
		t.Errorf("a broken crawl: %d", status)
	}
}

// TestReadersDraftNothing: readers see no form, and none of theirs is taken.
func TestReadersDraftNothing(t *testing.T) {
	_, h := studio(t)
	reader := func(r *http.Request) { r.Header.Set("Reader", "1") }
	for _, path := range []string{"/new", "/crawls/fresh/edit"} {
		if status, _, page := answer(t, h, http.MethodGet, path, nil, reader); status != 403 || strings.Contains(page, "<form") {
			t.Errorf("%s: %d", path, status)
		}
	}
	for _, path := range []string{"/new", "/new/edit", "/crawls/fresh/edit"} {
		if status, _, _ := answer(t, h, http.MethodPost, path, url.Values{"do": {"try"}}, reader); status != 403 {
			t.Errorf("%s: %d", path, status)
		}
	}
	if _, _, page := answer(t, h, http.MethodGet, "/", nil, reader); strings.Contains(page, `href="/new"`) {
		t.Error("a reader is led to what is not for readers")
	}
}

// TestHostileDrafts: YAML bombs, deep nesting and long lists are told in bounded time, and what they are made of is not run.
func TestHostileDrafts(t *testing.T) {
	_, h := studio(t)
	bomb := "a: &a [x,x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c < 'k'; c++ {
		bomb += fmt.Sprintf("%c: &%c [*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c]\n", c, c, c-1, c-1, c-1, c-1, c-1, c-1, c-1, c-1, c-1, c-1)
	}
	for name, text := range map[string]string{
		"bomb": bomb, "deep": strings.Repeat("[", 50_000), "deep maps": strings.Repeat("a: {", 5000), "long": "seeds:\n" + strings.Repeat("  - http://a.example/x\n", 40_000),
		"large": strings.Repeat("x", 2_000_000), "not text": "\xff\xfe\x00", "markup": "seeds: ['</textarea><script>alert(1)</script>']\nx: \"<img src=x onerror=alert(1)>\"\n", "many keys": strings.Repeat("a:\n", 6000),
	} {
		began := time.Now()
		page := ask(t, h, "/new/edit", url.Values{"do": {"check"}, "yaml": {text}, "was": {text}, "k.limits.requests": {"3"}}, 200)
		if !strings.Contains(page, "problem") || strings.Contains(page, "<script>") || strings.Contains(page, "<img") {
			t.Errorf("%s: %.300s", name, page[strings.Index(page, "d-problems"):])
		}
		t.Log(name, time.Since(began), len(page))
	}
	dir := filepath.Join(h.Workspace.Dir(), ".studio")
	if left, err := filepath.Glob(filepath.Join(dir, "try-*")); err != nil || len(left) > 0 {
		t.Error(left, err)
	}
	if _, err := os.Stat(filepath.Join(h.Workspace.Dir(), "crawl.yaml")); err == nil {
		t.Error("a draft is stored")
	}
}
