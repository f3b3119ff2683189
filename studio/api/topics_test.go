package api_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"orbweaver/studio/workspace"
)

const asJSON = "application/json"

// learn learns a topic to its end, and returns how that was.
func (d *desk) learn(order string) (l workspace.Learning) {
	d.t.Helper()
	code, answer := d.ask("POST", "/topics", asJSON, order)
	for {
		if err := json.Unmarshal(answer, &l); err != nil || code >= 300 {
			d.t.Fatalf("%s: %d %s", order, code, answer)
		}
		if l.Over() {
			return l
		}
		<-time.After(5 * time.Millisecond)
		code, answer = d.ask("GET", "/topics/"+l.ID, "", "")
	}
}

// learned learns a topic from documents, adds one to it, and asks for all that it knows.
func (d *desk) learned(want func(code int, method, path, kind, body string) []byte) {
	d.t.Helper()
	for name, text := range map[string]string{"one": "Kites\n\nA kite is an aircraft held by a line. Kites fly in the wind.", "two": "Lines\n\nThe line of a kite is thin. A reel holds the line of the kite.", "three": "Reels\n\nA reel turns, and the kite rises."} {
		want(201, "PUT", "/files/kites/"+name+".txt", "text/plain", text)
	}
	l := d.learn(`{"topic": "kites", "documents": ["kites/one.txt", "kites/two.txt"]}`)
	if l.State != workspace.LearningDone || l.Model != "topics/kites.krs" || l.Done != 2 || l.All != 2 {
		d.t.Errorf("%+v", l)
	}
	if l := d.learn(`{"add": "topics/kites.krs", "documents": ["kites/three.txt"]}`); l.State != workspace.LearningDone {
		d.t.Errorf("%+v", l)
	}
	want(400, "POST", "/topics/"+l.ID+"/again", "", "")
	if text := want(200, "GET", "/topics", "", ""); strings.Count(string(text), `"state":"done"`) != 2 {
		d.t.Errorf("%s", text)
	}
	const of = "?model=topics/kites.krs"
	if text := want(200, "GET", "/topic"+of, "", ""); !strings.Contains(string(text), `"documents":3`) {
		d.t.Errorf("%s", text)
	}
	if text := want(200, "GET", "/topic/nouns"+of+"&sort=documents&limit=1", "", ""); !strings.Contains(string(text), `"lemma":"kite"`) || !strings.Contains(string(text), `"next":1`) {
		d.t.Errorf("%s", text)
	}
	want(200, "GET", "/topic/nouns"+of+"&entities=true", "", "")
	var list struct {
		Documents []struct{ ID, Title string }
		Total     int
	}
	if text := want(200, "GET", "/topic/documents"+of+"&lemma=reel&least=true", "", ""); json.Unmarshal(text, &list) != nil || list.Total != 2 {
		d.t.Fatalf("%s", text)
	}
	if text := want(200, "GET", "/topic/document"+of+"&id="+url.QueryEscape(list.Documents[0].ID), "", ""); !strings.Contains(string(text), `"adds":`) {
		d.t.Errorf("%s", text)
	}
	want(200, "GET", "/topic/spread"+of+"&bins=10", "", "")

	failed := d.learn(`{"topic": "x", "urls": ["http://127.0.0.1:1/x.html"]}`)
	if failed.State != workspace.LearningFailed || !strings.Contains(strings.Join(failed.Messages, "\n"), "private") || failed.Error == "" {
		d.t.Errorf("%+v", failed)
	}
	want(202, "POST", "/topics/"+failed.ID+"/again", "", "")
	want(200, "DELETE", "/topics/"+failed.ID, "", "") // cancels it, or forgets it
	d.ask("DELETE", "/topics/"+failed.ID, "", "")
	want(404, "GET", "/topics/"+failed.ID, "", "")
}

// TestBadTopics: what is wrong with an order, or with what is asked of a topic, is said.
func TestBadTopics(t *testing.T) {
	d := newDesk(t)
	many := strings.TrimSuffix(strings.Repeat(`"http://a.example/",`, 201), ",")
	for _, tc := range []struct {
		code                     int
		method, path, body, says string
	}{
		{400, "POST", "/topics", `{"topic": "x"}`, "documents"},
		{400, "POST", "/topics", `{"topic": "x", "file": "y"}`, "unknown field"},
		{400, "POST", "/topics", `{"topic": "../x", "documents": ["a.txt"]}`, "name"},
		{400, "POST", "/topics", `{"topic": "x", "documents": ["../../etc/passwd"]}`, "leads out"},
		{400, "POST", "/topics", `{"topic": "x", "documents": ["none.txt"]}`, "none.txt"},
		{400, "POST", "/topics", `{"topic": "x", "urls": [` + many + `]}`, "200"},
		{400, "POST", "/topics", `{"topic": "x", "wikipedia": {"category": "Kites"}}`, "reach you"},
		{400, "POST", "/topics", `{"topic": "x", "wikipedia": {"category": " "}, "contact": "a@b.example"}`, "category"},
		{400, "POST", "/topics", `{"topic": "x", "wikipedia": {"category": "K", "limit": -1}, "contact": "a@b.example"}`, "articles"},
		{400, "POST", "/topics", `{"add": "../x", "documents": ["a.txt"]}`, "leads out"},
		{404, "GET", "/topics/none", "", "none"},
		{404, "POST", "/topics/none/again", "", "none"},
		{404, "DELETE", "/topics/..%2Fx", "", ""},
		{400, "GET", "/topic", "", "name a crawl"},
		{400, "GET", "/topic?crawl=a&model=b", "", "name a crawl"},
		{404, "GET", "/topic/nouns?crawl=none", "", "none"},
		{400, "GET", "/topic/spread?model=..%2Fx", "", "leads out"},
	} {
		code, answer := d.ask(tc.method, tc.path, asJSON, tc.body)
		if code != tc.code || !strings.Contains(string(answer), tc.says) {
			t.Errorf("%s %.80s %.80s: %d, want %d %q: %.300s", tc.method, tc.path, tc.body, code, tc.code, tc.says, answer)
		}
	}
	if text := fmt.Sprint(d.ws.Learnings()); text != "[]" {
		t.Errorf("%s", text)
	}
}
