package contexts

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/page"
)

// A shelf answers as the Web would; what it does not have is 404.
type shelf struct {
	asked   atomic.Int64
	answers map[string]*step.Response
	bodies  map[string]string
}

func (s *shelf) get(_ context.Context, url, _ string) (*step.Response, []byte, error) {
	s.asked.Add(1)
	r, ok := s.answers[url]
	if !ok {
		return &step.Response{Status: http.StatusNotFound, Header: http.Header{}}, nil, nil
	}
	return r, []byte(s.bodies[url]), nil
}

func (s *shelf) put(url string, status int, kind, redirect, body string) {
	if s.answers == nil {
		s.answers, s.bodies = map[string]*step.Response{}, map[string]string{}
	}
	s.answers[url] = &step.Response{Status: status, Header: http.Header{"Content-Type": {kind}}, Redirect: redirect}
	s.bodies[url] = body
}

const vocabulary = `{"@context": {"@vocab": "http://v.test/"}}`

// TestLibraryAsksOnce: pages that need a context at the same time fetch it once, and each archives the exchanges, redirects first.
func TestLibraryAsksOnce(t *testing.T) {
	var s shelf
	s.put("http://c.test/", http.StatusFound, "", "http://c.test/v1", "")
	s.put("http://c.test/v1", http.StatusOK, "application/ld+json", "", vocabulary)
	l := NewLibrary(5)
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			body, kind, found, err := l.load(s.get, AtOnce)(t.Context(), "http://c.test/")
			if err != nil {
				t.Error(err)
				return
			}
			text, err := io.ReadAll(body)
			if err != nil || string(text) != vocabulary || kind != "application/ld+json" || found != "http://c.test/v1" {
				t.Errorf("%s of %s at %s: %v", text, kind, found, err)
			}
		})
	}
	all.Wait()
	if n := s.asked.Load(); n != 2 {
		t.Errorf("%d requests", n)
	}
	if beside := l.beside("http://c.test/"); len(beside) != 2 || len(beside[0].(*Aside).Payload) != 0 || string(beside[1].(*Aside).Payload) != vocabulary {
		t.Errorf("%d exchanges", len(beside))
	}
}

// TestDocumentIsReadWhole: for a focus that reads data, a document of JSON-LD has text and links, as one of Turtle has; a page in
// HTML has those of its HTML alone, and a page of which the focus reads nothing has none.
func TestDocumentIsReadWhole(t *testing.T) {
	const data = `{"@id": "http://a.test/1", "http://schema.org/name": "Gull Head", "http://schema.org/url": {"@id": "http://a.test/2"}}`
	for _, tc := range []struct {
		kind, body string
		reads      bool
		links      int
		text       string
		quads      bool
	}{
		{"application/ld+json", data, true, 2, "Gull Head", true},
		{"application/ld+json", data, false, 0, "", false},
		{"text/html", "<p>Light<script type=application/ld+json>" + data + "</script>", true, 0, "Light", true},
	} {
		r := page.NewReader(page.Options{})
		response := &step.Response{Request: orbweaver.Request{URL: "http://a.test/d"}, Status: 200, Header: http.Header{"Content-Type": {tc.kind}}}
		p, err := r.Read(t.Context(), response, []byte(tc.body))
		if err != nil {
			t.Fatal(err)
		}
		c := Completer{Library: NewLibrary(5), Reader: r, Picks: func(*orbweaver.Page) bool { return tc.reads }}
		if _, err := c.Complete(t.Context(), p, (&shelf{}).get, AtOnce); err != nil {
			t.Fatal(err)
		}
		if len(p.Links) != tc.links || p.Text != tc.text || (p.Quads != nil) != tc.quads {
			t.Errorf("%s, %t: %d links, %q", tc.kind, tc.reads, len(p.Links), p.Text)
		}
	}
}

// TestLibraryFailures: a failure holds for the session, an interruption does not; redirects end.
func TestLibraryFailures(t *testing.T) {
	var s shelf
	s.put("http://loop.test/", http.StatusFound, "", "http://loop.test/", "")
	l := NewLibrary(3)
	for range 3 {
		if _, _, _, err := l.load(s.get, AtOnce)(t.Context(), "http://gone.test/"); !errors.Is(err, orbweaver.ErrStatus) {
			t.Errorf("%v", err)
		}
	}
	if n := s.asked.Load(); n != 1 {
		t.Errorf("%d requests for what is gone", n)
	}
	if _, _, _, err := l.load(s.get, AtOnce)(t.Context(), "http://loop.test/"); !errors.Is(err, orbweaver.ErrRedirects) || s.asked.Load() != 5 {
		t.Errorf("%v after %d requests", err, s.asked.Load())
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	s.put("http://late.test/", http.StatusOK, "application/json", "", vocabulary)
	if _, _, _, err := l.load(s.get, AtOnce)(over, "http://late.test/"); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if _, _, _, err := l.load(s.get, AtOnce)(t.Context(), "http://late.test/"); err != nil {
		t.Errorf("after an interruption: %v", err)
	}
}

// TestAlternate: where a context's address answers with a page, the JSON-LD that its header names is taken.
func TestAlternate(t *testing.T) {
	var s shelf
	s.put("http://a.test/", http.StatusOK, "text/html", "", "<p>a page")
	s.answers["http://a.test/"].Request.URL = "http://a.test/"
	s.answers["http://a.test/"].Header.Set("Link", `</c.jsonld>; rel="alternate"; type="application/ld+json"`)
	s.put("http://a.test/c.jsonld", http.StatusOK, "application/ld+json", "", vocabulary)
	body, _, found, err := Find(t.Context(), "http://a.test/", 2, s.get)
	if err != nil || string(body) != vocabulary || found != "http://a.test/c.jsonld" {
		t.Errorf("%s at %s: %v", body, found, err)
	}
}

// TestSchemaOrg: schema.org's context is replaced where it is not to be had, however its address is written; no other is.
func TestSchemaOrg(t *testing.T) {
	var s shelf
	l := NewLibrary(1)
	for _, url := range []string{"http://schema.org", "https://schema.org/", "http://Schema.org/", "HTTPS://WWW.SCHEMA.ORG", "https://schema.org/docs/jsonldcontext.jsonld"} {
		body, _, _, err := l.load(s.get, AtOnce)(t.Context(), url)
		if err != nil {
			t.Errorf("%s: %v", url, err)
			continue
		}
		if text, _ := io.ReadAll(body); !strings.Contains(string(text), "@vocab") {
			t.Errorf("%s: %s", url, text)
		}
	}
	for _, url := range []string{"http://schema.org.evil.test/", "http://schema.org/Docs/jsonldcontext.json", "http://notschema.org/"} {
		if _, _, _, err := l.load(s.get, AtOnce)(t.Context(), url); err == nil {
			t.Errorf("%s is replaced", url)
		}
	}
	for iri, want := range map[string]string{"https://H.test/A/": "http://h.test/A", "http://h.test": "http://h.test", "http://H.test?Of=A": "http://h.test?Of=A", "urn:x:Y/": "urn:x:Y"} {
		if got := Key(iri); got != want {
			t.Errorf("%s: %s, want %s", iri, got, want)
		}
	}
}

// TestRemote: files come first; without a web what is missing is named with the way out; a wrong argument is refused.
func TestRemote(t *testing.T) {
	for _, bad := range []string{"http://c.test/", "not an iri=x", "http://c.test/=", "http://c.test/=/nowhere/at/all"} {
		if _, err := NewRemote(t.Context(), []string{bad}); !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("%s: %v", bad, err)
		}
	}
	c, err := NewRemote(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, _, err := c.Load(t.Context(), "http://c.test/"); err == nil || !strings.Contains(err.Error(), "--context http://c.test/=FILE") {
		t.Errorf("%v", err)
	}
	if _, _, _, err := c.LoadOrStandIn(t.Context(), "http://Schema.org/"); err != nil || !c.StoodIn {
		t.Errorf("%v", err)
	}
	var s shelf
	stop := c.From(t.Context(), s.get, 1)
	defer stop()
	for range 2 {
		if _, _, _, err := c.Load(t.Context(), "http://c.test/"); !errors.Is(err, orbweaver.ErrStatus) {
			t.Errorf("%v", err)
		}
	}
	if n := s.asked.Load(); n != 1 {
		t.Errorf("%d requests", n)
	}
}
