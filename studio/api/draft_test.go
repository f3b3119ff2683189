package api_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// drafted asks for all that is asked before a crawl is there. The demo web is in the workspace.
func (d *desk) drafted(want func(code int, method, path, kind, body string) []byte) {
	d.t.Helper()
	const asJSON = "application/json"
	var keys struct{ Keys []struct{ Path string } }
	if err := json.Unmarshal(want(200, "GET", "/keys", "", ""), &keys); err != nil || len(keys.Keys) < 20 {
		d.t.Errorf("%v %v", keys, err)
	}
	var draft struct {
		File     string
		Values   map[string]string
		Problems []any
	}
	take := func(answer []byte) {
		d.t.Helper()
		draft.Values, draft.Problems = nil, nil
		if err := json.Unmarshal(answer, &draft); err != nil || draft.File == "" {
			d.t.Fatalf("%v: %s", err, answer)
		}
	}
	take(want(200, "POST", "/draft", asJSON, `{"name": "x", "seeds": ["skylines.example"], "ontology": ["demo/aircraft.ttl"], "target": ["airplane"]}`))
	if len(draft.Problems) > 0 || draft.Values["focus"] != "ontology" || draft.Values["limits.requests"] != "1000" {
		d.t.Errorf("%+v", draft)
	}
	quoted, _ := json.Marshal(draft.File)
	take(want(200, "POST", "/edit", asJSON, fmt.Sprintf(`{"file": %s, "set": {"web.archive": "demo/demo.warc.gz", "limits.requests": "many", "scope.exclude": "wayfarer.example"}}`, quoted)))
	if len(draft.Problems) != 1 || draft.Values["limits.requests"] != "many" || !strings.Contains(draft.File, "# What it looks for.") {
		d.t.Errorf("%+v", draft)
	}
	quoted, _ = json.Marshal(strings.Replace(draft.File, "many", "5", 1))
	var trial struct {
		Score   float64
		Error   string
		Message string
		Best    []any
		Page    struct {
			Text  string
			Spans []any
		}
	}
	for body, failed := range map[string]bool{`"url": "skylines.example/types/a320.html"`: false, `"text": "An airplane flies."`: false, `"url": "http://skylines.example/print/a340.html"`: true} {
		trial.Error = ""
		answer := want(200, "POST", "/try", asJSON, fmt.Sprintf(`{"file": %s, %s}`, quoted, body))
		if err := json.Unmarshal(answer, &trial); err != nil || (trial.Error != "") != failed || !failed && (trial.Score == 0 || len(trial.Page.Spans) == 0 || trial.Page.Text == "") || failed && trial.Message == "" {
			d.t.Errorf("%s: %v: %.500s", body, err, answer)
		}
	}
	if answer := want(200, "POST", "/scope", asJSON, fmt.Sprintf(`{"file": %s, "urls": ["http://wayfarer.example/x", "tidings.example"]}`, quoted)); !strings.Contains(string(answer), `"in":false`) || !strings.Contains(string(answer), `"in":true`) {
		d.t.Errorf("%s", answer)
	}
	want(200, "POST", "/draft", asJSON, `{"copy": "aircraft"}`)
	d.asked["fetchFile"] = true // TestFetch of package workspace: the tests have no Web
	want(403, "POST", "/fetch", asJSON, `{"url": "http://127.0.0.1:1/x.ttl", "folder": "ontologies"}`)
}

// TestBadDrafts: what is wrong with a draft is said, and hostile drafts cost little.
func TestBadDrafts(t *testing.T) {
	d := newDesk(t)
	bomb := "a: &a [x,x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c < 'k'; c++ {
		bomb += fmt.Sprintf("%c: &%c [*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c]\n", c, c, c-1, c-1, c-1, c-1, c-1, c-1, c-1, c-1, c-1, c-1)
	}
	file := func(text string) string {
		quoted, _ := json.Marshal(text)
		return string(quoted)
	}
	for _, tc := range []struct {
		code             int
		path, body, says string
	}{
		{400, "/draft", `{}`, "one thing"},
		{400, "/draft", `{"words": ["x"], "item": "http://a.example/"}`, "one thing"},
		{400, "/draft", `{"word": ["x"]}`, "unknown field"},
		{404, "/draft", `{"copy": "none"}`, "none"},
		{400, "/draft", `{"documents": ["../../etc/passwd"], "topic": "x"}`, "leads out"},
		{400, "/draft", `{"documents": ["x.txt"], "topic": "../x"}`, "topic"},
		{400, "/draft", `{"documents": ["x.txt"], "topic": "x"}`, "x.txt"},
		{422, "/edit", `{"file": ` + file(bomb) + `, "set": {"workers": "3"}}`, "values"},
		{422, "/edit", `{"file": ` + file(strings.Repeat("[", 100_000)) + `, "set": {"workers": "3"}}`, "nested"},
		{400, "/edit", `{"file": "workers: 3", "set": {"none.such": "3"}}`, "unknown key"},
		{422, "/try", `{"file": "seeds: 3", "url": "http://a.example/"}`, "seeds"},
		{422, "/try", `{"file": ` + file("seeds: [http://a.example/]\nfocus: {ontology: {files: ../../etc/passwd, target: x}}") + `, "text": "x"}`, "leads out"},
		{422, "/try", `{"file": ` + file("seeds: [http://a.example/]\nfocus: {external: {command: [id]}}") + `, "text": "x"}`, "program"},
		{422, "/scope", `{"file": ` + file(bomb) + `, "urls": ["http://a.example/"]}`, "values"},
		{400, "/scope", `{"file": ` + file("seeds: [http://a.example/]\nfocus: {random: {}}") + `, "urls": []}`, "urls"},
		{400, "/fetch", `{"url": "http://a.example/", "folder": ".studio"}`, "folder"},
		{400, "/fetch", `{"url": "file:///etc/passwd", "folder": "ontologies"}`, ""},
		{403, "/fetch", `{"url": "http://[::1]:1/", "folder": "ontologies"}`, "upload"},
	} {
		code, answer := d.ask("POST", tc.path, "application/json", tc.body)
		if code != tc.code || !strings.Contains(string(answer), tc.says) {
			t.Errorf("%s %.80s: %d, want %d %q: %.300s", tc.path, tc.body, code, tc.code, tc.says, answer)
		}
	}
}
