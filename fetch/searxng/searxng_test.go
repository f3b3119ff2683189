package searxng_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver"
	"orbweaver/fetch/searxng"
	"orbweaver/internal/step"
)

// A direct asks a handler without a network, and notes when and for what.
type direct struct {
	handler http.HandlerFunc
	at      []time.Time
	asked   []string
}

func (d *direct) Get(ctx context.Context, address, accept string) (*step.Response, []byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	d.at, d.asked = append(d.at, time.Now()), append(d.asked, address)
	recorder := httptest.NewRecorder()
	d.handler(recorder, httptest.NewRequest("GET", address, nil))
	response := &step.Response{Status: recorder.Code, Header: recorder.Header()}
	if recorder.Code/100 == 3 {
		response.Redirect = recorder.Header().Get("Location")
	}
	return response, recorder.Body.Bytes(), nil
}

// search returns what an engine finds, as "URL title".
func search(ctx context.Context, e *searxng.Engine, query string) (all []string, err error) {
	for r, e := range e.Search(ctx, query) {
		if err = e; err == nil {
			all = append(all, strings.TrimSpace(r.URL+" "+r.Title))
		}
	}
	return all, err
}

func same(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestInstance: page after page, politely, until nothing new comes.
func TestInstance(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &direct{handler: func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/x/search" || r.FormValue("q") != "type 2 & more" || r.FormValue("format") != "json" {
				t.Error(r.URL)
			}
			page := r.FormValue("pageno")
			if page == "3" {
				page = "2" // as engines do that have no more
			}
			fmt.Fprintf(w, `{"query":"x","number_of_results":0,"results":[
				{"url":"http://A.test/%[1]s","title":"A\n%[1]s","content":"c","score":1.5},
				{"url":"http://b.test","title":"B"},{"url":"magnet:?x","title":"no page"},{"title":"nowhere"}],"unresponsive_engines":[["bing","CAPTCHA"]]}`, page)
		}}
		e, err := searxng.Instance("http://s.test/x/search?q=1", d, searxng.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := search(t.Context(), e, "type 2 & more")
		if err != nil {
			t.Error(err)
		}
		same(t, got, "http://a.test/1 A 1", "http://b.test/ B", "http://a.test/2 A 2")
		if len(d.at) != 3 || d.at[1].Sub(d.at[0]) != time.Second || d.at[2].Sub(d.at[1]) != time.Second {
			t.Errorf("asked at %v", d.at)
		}
		for range e.Search(t.Context(), "type 2 & more") {
			break
		}
		if len(d.at) != 4 {
			t.Errorf("%d requests for one result", len(d.at)-3)
		}
		e, _ = searxng.Instance("http://s.test/x/", d, searxng.Options{Pages: 1})
		if got, err = search(t.Context(), e, "type 2 & more"); len(got) != 2 || err != nil {
			t.Error(got, err)
		}
	})
}

// TestErrors: they are distinguished, and nobody is asked twice.
func TestErrors(t *testing.T) {
	says := func(status int, header, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			if name, value, ok := strings.Cut(header, ": "); ok {
				w.Header().Set(name, value)
			}
			w.WriteHeader(status)
			io.WriteString(w, body)
		}
	}
	for _, tc := range []struct {
		name  string
		tell  http.HandlerFunc
		err   error
		fails orbweaver.Failure
		says  string
		asked int
	}{
		{"limited", says(429, "Retry-After: 60", "Too Many Requests"), searxng.ErrLimited, orbweaver.ErrStatus, "after 60", 1},
		{"limited without a time", says(429, "", ""), searxng.ErrLimited, orbweaver.ErrStatus, "later", 1},
		{"JSON is off", says(403, "", "<title>403 Forbidden</title>"), searxng.ErrNoJSON, orbweaver.ErrStatus, "settings.yml", 1},
		{"a page", says(200, "", "\n<!DOCTYPE html><title>SearX</title>"), searxng.ErrPage, orbweaver.ErrUnreadable, "SearX", 1},
		{"no JSON", says(200, "", "{"), orbweaver.ErrUnreadable, orbweaver.ErrUnreadable, "unexpected end", 1},
		{"another shape", says(200, "", `{"results":{"a":1}}`), orbweaver.ErrUnreadable, orbweaver.ErrUnreadable, "cannot unmarshal", 1},
		{"silent engines", says(200, "", `{"results":[],"unresponsive_engines":[["google","timeout"],["bing","CAPTCHA"]]}`), searxng.ErrSilent, orbweaver.ErrStatus, "google", 1},
		{"broken", says(500, "", "Internal\x00 Error"), orbweaver.ErrStatus, orbweaver.ErrStatus, "500: Internal Error", 1},
		{"round and round", says(302, "Location: http://s.test/", ""), orbweaver.ErrRedirects, orbweaver.ErrRedirects, "more than 5", 6},
		{"moved nowhere", says(302, "", ""), orbweaver.ErrBadTarget, orbweaver.ErrBadTarget, "302", 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := &direct{handler: tc.tell}
				e, err := searxng.Instance("http://s.test", d, searxng.Options{})
				if err != nil {
					t.Fatal(err)
				}
				got, err := search(t.Context(), e, "x")
				if len(got) > 0 || !errors.Is(err, tc.err) || orbweaver.FailureOf(err) != tc.fails ||
					!strings.Contains(err.Error(), tc.says) || !strings.Contains(err.Error(), "http://s.test") {
					t.Errorf("%q, %v", got, err)
				}
				if len(d.asked) != tc.asked {
					t.Errorf("asked %d times", len(d.asked))
				}
			})
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	e, _ := searxng.Instance("http://s.test", &direct{}, searxng.Options{})
	if _, err := search(ctx, e, "x"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

const results = `<html><nav><a href="http://ads.test/">buy</a></nav><form></form>
<h3><a class=r href="http://one.test/a?b=1&amp;c=2#f">One <b>of</b>
 two</a></h3> <a href="http://one.test/a?b=1&c=2">again</a>
<a href="/l/?x=y&uddg=https%3A%2F%2Ftwo.test%2F&rut=1">Two</a> <a href="//help.engine.test/x">help</a>
<a href=http://image.test/><img src=x></a><a href="javascript:x">js</a><a href="/login?next=http://engine.test/">in</a>
<a href="http://three.test/">Three<footer><a href="http://made.by/">made</a></footer>`

// TestTemplate: results of pages, and of JSON by a path.
func TestTemplate(t *testing.T) {
	for _, tc := range []struct {
		name, address, path, body string
		want, asked               []string
	}{
		{"HTML", "http://www.engine.test/?q={query}&p={page}", "", results,
			[]string{"http://one.test/a?b=1&c=2 One of two", "https://two.test/ Two", "http://three.test/ Three"},
			[]string{"http://www.engine.test/?q=a+%26+%C3%A9&p=1", "http://www.engine.test/?q=a+%26+%C3%A9&p=2"}},
		{"HTML of one page", "http://www.engine.test/{query}", "", results,
			[]string{"http://one.test/a?b=1&c=2 One of two", "https://two.test/ Two", "http://three.test/ Three"},
			[]string{"http://www.engine.test/a+%26+%C3%A9"}},
		{"JSON", "http://e.test/?q={query}", "web.results.url", `{"web":{"results":[[{"url":"http://a.test","title":"A"}],{"url":["http://b.test"],"name":"B"},{"url":7},7,null]}}`,
			[]string{"http://a.test/ A", "http://b.test/ B"}, []string{"http://e.test/?q=a+%26+%C3%A9"}},
		{"JSON of addresses", "http://e.test/?q={query}", "urls", `{"urls":["http://a.test","no"]}`, []string{"http://a.test/"}, []string{"http://e.test/?q=a+%26+%C3%A9"}},
		{"JSON without the path", "http://e.test/?q={query}", "a.b", `{"a":[1,{"c":"http://a.test"}]}`, nil, []string{"http://e.test/?q=a+%26+%C3%A9"}},
		{"nothing", "http://e.test/?q={query}&n={page}", "", "", nil, []string{"http://e.test/?q=a+%26+%C3%A9&n=1"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := &direct{handler: func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, tc.body) }}
				e, err := searxng.Template(tc.address, tc.path, d, searxng.Options{})
				if err != nil {
					t.Fatal(err)
				}
				got, err := search(t.Context(), e, "a & é")
				if err != nil {
					t.Error(err)
				}
				same(t, got, tc.want...)
				same(t, d.asked, tc.asked...)
			})
		})
	}
	d := &direct{handler: func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "<p>") }}
	e, _ := searxng.Template("http://e.test/{query}", "a", d, searxng.Options{})
	if _, err := search(t.Context(), e, "x"); !errors.Is(err, searxng.ErrPage) {
		t.Error(err)
	}
	if _, err := searxng.Template("http://e.test/", "", d, searxng.Options{}); !errors.Is(err, orbweaver.ErrInput) {
		t.Error(err)
	}
	if _, err := searxng.Template("{query}", "", d, searxng.Options{}); !errors.Is(err, orbweaver.ErrBadURL) {
		t.Error(err)
	}
	if _, err := searxng.Instance("search", d, searxng.Options{}); !errors.Is(err, orbweaver.ErrBadURL) {
		t.Error(err)
	}
}

// FuzzResults: whatever an engine answers, results are addresses, each once, or there is an error of ours.
func FuzzResults(f *testing.F) {
	f.Add([]byte(results))
	f.Add([]byte(`{"results":[{"url":"http://a.test","title":"A"}],"unresponsive_engines":[[]]}`))
	f.Add([]byte(`{"a":[[{"b":"http://a.test"}]]}`))
	f.Add([]byte("<a href=http://a.test/><a href=//b.test>\xff<footer>"))
	f.Fuzz(func(t *testing.T, body []byte) {
		d := &direct{handler: func(w http.ResponseWriter, r *http.Request) { w.Write(body) }}
		one := searxng.Options{Pages: 1}
		instance, _ := searxng.Instance("http://s.test", d, one)
		page, _ := searxng.Template("http://s.test/{query}", "", d, one)
		path, _ := searxng.Template("http://s.test/{query}", "a.b", d, one)
		for _, e := range []*searxng.Engine{instance, page, path} {
			seen := map[string]bool{}
			for r, err := range e.Search(t.Context(), "x") {
				switch {
				case err != nil && (orbweaver.FailureOf(err) == "error" || len(err.Error()) > 1000):
					t.Errorf("%v", err)
				case err == nil && (seen[r.URL] || !strings.HasPrefix(r.URL, "http") || len(r.Title) > 300 || strings.ContainsAny(r.Title, "\n\x00")):
					t.Errorf("%+v", r)
				}
				seen[r.URL] = true
			}
		}
	})
}
