//go:build e2e

package crawls_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"orbweaver/fetch/render"
	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/console"
	"orbweaver/internal/inspect"
	"orbweaver/internal/job"
	"orbweaver/internal/view"
	"orbweaver/ledger"
)

// members is a site whose pages, scripts and data are for those who are logged in; its pages say what they are about by their scripts.
type members struct {
	mu     sync.Mutex
	served map[string]int // by path, to those who are logged in
	turned map[string]int // away
}

func (m *members) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.mu.Lock()
	defer m.mu.Unlock()
	w.Header().Set("Content-Type", "text/html")
	switch r.URL.Path {
	case "/robots.txt":
		http.NotFound(w, r)
		return
	case "/login":
		_, _ = io.WriteString(w, "<form method=post action=/session><input name=user></form>")
		return
	case "/session":
		http.SetCookie(w, &http.Cookie{Name: "sid", Value: "session-of-anna", HttpOnly: true, Path: "/"})
		http.Redirect(w, r, "/home", http.StatusSeeOther)
		return
	}
	if k, err := r.Cookie("sid"); err != nil || k.Value != "session-of-anna" || r.Header.Get("X-Club") != "yes" {
		m.turned[r.URL.Path]++
		http.Redirect(w, r, "/login", http.StatusFound)
		return
	}
	m.served[r.URL.Path]++
	switch r.URL.Path {
	case "/app.js":
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = io.WriteString(w, `fetch("/data.json").then((r) => r.json()).then((d) => { document.getElementById("main").textContent = d.text })`)
	case "/data.json":
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"text": "airplane wings and engines of every airplane there is"}`)
	default:
		_, _ = io.WriteString(w, `<title>Club</title><a class=logout></a><div id=main></div><script src=/app.js></script>`)
	}
}

// TestRenderedBehindLogin: scripts of a page behind a login, and what these fetch, get the cookies and headers of the page's section; explain
// tells what was decided about the page's scripts.
func TestRenderedBehindLogin(t *testing.T) {
	if _, err := render.New(render.Options{}); err != nil {
		t.Skip(err)
	}
	for _, when := range []string{"auto", "always"} {
		t.Run(when, func(t *testing.T) {
			site := &members{served: map[string]int{}, turned: map[string]int{}}
			server := httptest.NewServer(site)
			defer server.Close()
			file := filepath.Join(t.TempDir(), "club.yaml")
			text := fmt.Sprintf(`seeds: ['%[1]s/page']
focus: {keyword: {terms: [airplane]}}
allow_private: true
politeness: {delay: 0s, contact: me@example.org}
render: {when: %[2]s}
http:
  - hosts: ['%[1]s']
    headers: {X-Club: "yes"}
    login: {url: '%[1]s/login', post: {user: anna}, when: a.logout}
`, server.URL, when)
			if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			a := &job.Job{Console: console.Console{Out: &out, Err: &out}, Alone: true}
			if err := verbs.Crawl(t.Context(), a, file); err != nil {
				t.Fatalf("%v\n%s", err, &out)
			}
			folder := filepath.Join(filepath.Dir(file), "crawls", "club")
			for line, err := range ledger.Lines(filepath.Join(folder, ledger.JournalFile)) {
				if err != nil || !line.Rendered || !line.Accepted {
					t.Errorf("%+v, %v", line, err)
				}
			}
			if site.served["/app.js"] == 0 || site.served["/data.json"] == 0 || site.turned["/app.js"]+site.turned["/data.json"] > 0 {
				t.Errorf("served %v, turned away %v", site.served, site.turned)
			}
			x, err := (&inspect.Handle{Job: a, Dir: folder}).Explain(t.Context(), server.URL+"/page")
			if err != nil {
				t.Fatal(err)
			}
			out.Reset()
			view.Explanation(&out, 100, x)
			want := "the page is what its scripts made of it"
			if when == "auto" {
				want = "rendered, and the page says something else"
			}
			if !strings.Contains(out.String(), want) || !x.Outcome.Rendered {
				t.Errorf("explain lacks %q:\n%s", want, &out)
			}
		})
	}
}
