package pages

import (
	"bytes"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// fieldsOf returns the hidden and typed fields of the first row of a queue.
func fieldsOf(t *testing.T, page string) url.Values {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	form := url.Values{}
	for n := range root.Descendants() {
		attr := map[string]string{}
		for _, a := range n.Attr {
			attr[a.Key] = a.Val
		}
		if n.Type == html.ElementNode && n.Data == "form" && form.Has("id") {
			break
		}
		if n.Type == html.ElementNode && n.Data == "input" && attr["name"] != "" {
			form.Set(attr["name"], attr["value"])
		}
	}
	if form.Get("id") == "" {
		t.Fatal("the queue has no row")
	}
	return form
}

var counted = regexp.MustCompile(`state=(\w+)"[^>]*>\w+ <span class="meta">(\d+)`)

// states returns how many suggestions of each state a page counts.
func states(page string) map[string]string {
	all := map[string]string{}
	for _, m := range counted.FindAllStringSubmatch(page, -1) {
		all[m[1]] = m[2]
	}
	return all
}

// TestProposals: suggestions are accepted, postponed, rejected and all of that is undone by plain forms, with who did it; the ontology
// file is then as it was.
func TestProposals(t *testing.T) {
	w, h := studio(t)
	const path = "/crawls/demo/proposals"
	code, _, page := answer(t, h, http.MethodGet, path, nil, nil)
	sound(t, page)
	if code != 200 || strings.Count(page, "data-queued") < 5 || strings.Count(page, "data-queued") > 50 || !strings.Contains(page, "<mark>") {
		t.Fatalf("%d: %.500s", code, page)
	}
	file := filepath.Join(w.Dir(), "aircraft.ttl")
	was, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	act := func(form url.Values, do string) (string, *Flash) {
		t.Helper()
		form.Set("do", do)
		code, header, _ := answer(t, h, http.MethodPost, path, form, func(r *http.Request) { r.AddCookie(&http.Cookie{Name: whoCookie, Value: "Ada+L."}) })
		if code != http.StatusSeeOther {
			t.Fatalf("%s: %d", do, code)
		}
		response := http.Response{Header: header}
		r := &http.Request{Header: http.Header{}}
		for _, c := range response.Cookies() {
			r.AddCookie(c)
		}
		said := flashOf(r)
		if said == nil || said.Bad {
			t.Fatalf("%s: %+v", do, said)
		}
		_, _, page := answer(t, h, http.MethodGet, path, nil, nil)
		return page, said
	}
	form := fieldsOf(t, page)
	form.Set("as", "subclass")
	before := states(page)
	code, _, would := answer(t, h, http.MethodPost, path+"/effect", form, nil)
	if sound(t, would); code != 200 || !strings.Contains(would, "pages would be accepted, now") || !strings.Contains(would, `id="effect"`) {
		t.Errorf("%d: %.300s", code, would)
	}
	_, said := act(form, "accept")
	if now, err := os.ReadFile(file); err != nil || !bytes.HasPrefix(now, was) || len(now) == len(was) || said.Undo != path {
		t.Errorf("%d bytes after %d, undone by %q: %v", len(now), len(was), said.Undo, err)
	}
	_, _, done := answer(t, h, http.MethodGet, path+"?state=accepted", nil, nil)
	if sound(t, done); !strings.Contains(done, "a class below") || !strings.Contains(done, "Ada L.") || states(done)["accepted"] != "1" {
		t.Errorf("%.900s", done[strings.Index(done, "<ol"):])
	}
	undo := url.Values{}
	for _, f := range said.Fields {
		undo.Set(f.Name, f.Value)
	}
	page, _ = act(undo, "undo")
	if now, err := os.ReadFile(file); err != nil || !bytes.Equal(now, was) || states(page)["open"] != before["open"] {
		t.Errorf("%v, then %v; %d bytes, %d: %v", before, states(page), len(was), len(now), err)
	}
	if page, _ = act(form, "later"); states(page)["later"] != "1" {
		t.Errorf("%v", states(page))
	}
	if page, _ = act(form, "reject"); states(page)["rejected"] != "1" || states(page)["later"] != "0" {
		t.Errorf("%v", states(page))
	}
	form.Set("do", "accept") // decided before: told, and nothing is changed
	if code, header, _ := answer(t, h, http.MethodPost, path, form, nil); code != http.StatusSeeOther || !strings.Contains(header.Get("Set-Cookie"), flashCookie) {
		t.Errorf("%d", code)
	}
	if page, _ = act(form, "undo"); states(page)["open"] != before["open"] {
		t.Errorf("%v", states(page))
	}
}

// TestProposalsOfOthers: crawls that suggest nothing, or have not begun, say so; readers see no forms; a name is kept for decisions.
func TestProposalsOfOthers(t *testing.T) {
	_, h := studio(t)
	for path, want := range map[string]int{"/crawls/fresh/proposals": 200, "/crawls/none/proposals": 404, "/crawls/demo/proposals?state=none": 200, "/crawls/demo/proposals?after=7-x": 200} {
		code, _, page := answer(t, h, http.MethodGet, path, nil, nil)
		if sound(t, page); code != want {
			t.Errorf("%s: %d: %.300s", path, code, page)
		}
	}
	_, _, page := answer(t, h, http.MethodGet, "/crawls/demo/proposals", nil, func(r *http.Request) { r.Header.Set("Reader", "1") })
	if strings.Contains(page, `method="post"`) || strings.Contains(page, "data-key") || !strings.Contains(page, "<mark>") {
		t.Error("a reader has forms, or no proposals")
	}
	for _, path := range []string{"/crawls/demo/proposals", "/crawls/demo/proposals/effect", "/crawls/demo/proposals/who", "/crawls/demo/proposals/borrow"} {
		if code, _, _ := answer(t, h, http.MethodPost, path, url.Values{"id": {"x"}}, func(r *http.Request) { r.Header.Set("Reader", "1") }); code != http.StatusForbidden {
			t.Errorf("a reader posts to %s: %d", path, code)
		}
	}
	_, header, _ := answer(t, h, http.MethodPost, "/crawls/demo/proposals/who", url.Values{"who": {" Ada \n L.\u202e "}}, nil)
	r := &http.Request{Header: http.Header{}}
	for _, c := range (&http.Response{Header: header}).Cookies() {
		r.AddCookie(c)
	}
	if got := whoOf(r); got != "Ada L.\uFFFD" {
		t.Errorf("%q", got)
	}
	for _, bad := range []string{"", "%zz", strings.Repeat("x", 200), "%0Aa", "%E2%80%AEx"} {
		r := &http.Request{Header: http.Header{}}
		r.AddCookie(&http.Cookie{Name: whoCookie, Value: bad})
		if got := whoOf(r); got != "the studio" {
			t.Errorf("%q is %q", bad, got)
		}
	}
}
