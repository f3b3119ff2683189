//go:build e2e

package crawls_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver/fetch/client"
	"orbweaver/fetch/fetchtest"
	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/services/wire"
	"orbweaver/ledger"
)

// A club is a site whose pages are for members. One goroutine serves it at a time: it has a delay.
type club struct {
	t       *testing.T
	session string // of the member who is logged in; empty: nobody
	logins  int
	refuses int // logins to come that it refuses
	forgets map[string]bool
	last    time.Time
	visits  map[string]int
}

const clubPassword = "password-of-the-club"

func (c *club) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if now := time.Now(); now.Sub(c.last) < time.Second && !c.last.IsZero() {
		c.t.Errorf("%s %s came %v after the request before", r.Method, r.URL, now.Sub(c.last))
	}
	c.last = time.Now()
	c.visits[r.URL.Path]++
	w.Header().Set("Content-Type", "text/html")
	in := false
	if k, err := r.Cookie("sid"); err == nil {
		in = c.session != "" && k.Value == c.session
	}
	if c.forgets[r.URL.Path] {
		delete(c.forgets, r.URL.Path)
		in, c.session = false, ""
	}
	switch {
	case r.URL.Path == "/robots.txt":
		http.NotFound(w, r)
	case r.URL.Path == "/session":
		c.logins++
		if c.refuses--; c.refuses >= 0 || r.PostFormValue("csrf") != "t0ken" || r.PostFormValue("password") != clubPassword {
			fmt.Fprint(w, "no")
			return
		}
		c.session = fmt.Sprintf("session-number-%d", c.logins)
		http.SetCookie(w, &http.Cookie{Name: "sid", Value: c.session, HttpOnly: true, Path: "/"})
		http.Redirect(w, r, "/p0", http.StatusSeeOther)
	case r.URL.Path == "/login":
		fmt.Fprint(w, `<form method=post action=/session><input type=hidden name=csrf value=t0ken><input name=user><input type=password name=password></form>`)
	case r.URL.Path == "/staff":
		w.WriteHeader(http.StatusForbidden)
	case !in && strings.HasSuffix(r.URL.Path, "3"):
		fmt.Fprint(w, "<p>airplane for members only")
	case !in:
		http.Redirect(w, r, "/login?next="+r.URL.Path, http.StatusFound)
	default:
		var n int
		fmt.Sscanf(r.URL.Path, "/p%d", &n)
		fmt.Fprintf(w, "<title>p%d</title><a class=logout></a><p>airplane %d of %d members", n, n, n*n)
		if n < 9 {
			fmt.Fprintf(w, "<a href=/p%d>airplane</a><a href=/staff>airplane</a>", n+1)
		}
	}
}

// TestLogin: a crawl logs in by a form before it asks for anything else there. When the login is lost, on a redirect, on a page without the
// mark, it waits and logs in again; nothing has failed, nothing of it is in the folder, and other hosts went on meanwhile. Politeness holds.
func TestLogin(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("CLUB_PASSWORD", clubPassword)
	synctest.Test(t, func(t *testing.T) {
		c := &club{t: t, refuses: 2, forgets: map[string]bool{"/p3": true, "/p6": true}, visits: map[string]int{}}
		n := fetchtest.NewNetwork()
		defer n.Close()
		n.Serve("club.test", netip.MustParseAddrPort("10.0.0.1:80"), c)
		open := 0
		n.Serve("open.test", netip.MustParseAddrPort("10.0.0.2:80"), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Cookie") != "" || r.Header.Get("Authorization") != "" {
				t.Errorf("open.test got %v", r.Header)
			}
			w.Header().Set("Content-Type", "text/html")
			open++
			fmt.Fprintf(w, "<p>airplane <a href=/o%d>airplane</a>", min(open, 40))
		}))
		file := filepath.Join(dir, "live.yaml")
		text := `seeds: ['http://club.test/p0', 'http://open.test/']
focus: {keyword: {terms: [airplane]}}
allow_private: true
explore: 0
duplicates: off
politeness: {contact: me@example.org}
http:
  - hosts: ["http://club.test"]
    login:
      url: http://club.test/login
      post: {user: anna, password: {env: CLUB_PASSWORD}}
      when: a.logout
      tries: 5
`
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		a := &job.Job{Console: console.Console{Out: &out, Err: &out}, Alone: true, Wire: wire.Wire{Options: client.Options{Resolve: n.Resolve, Dial: n.Dial}}}
		if err := verbs.Crawl(context.Background(), a, file); err != nil {
			t.Fatalf("%v\n%s", err, &out)
		}
		pages := map[string]bool{}
		for line, err := range ledger.Lines(filepath.Join(dir, "crawls", "live", ledger.JournalFile)) {
			if err != nil {
				t.Fatal(err)
			}
			if line.Status != 200 && !strings.HasSuffix(line.URL, "/staff") {
				t.Errorf("%s has status %d, %s", line.URL, line.Status, line.Error)
			}
			pages[line.URL] = true
		}
		for i := range 10 {
			if url := fmt.Sprintf("http://club.test/p%d", i); !pages[url] {
				t.Errorf("%s is missing", url)
			}
		}
		if !pages["http://club.test/staff"] || pages["http://club.test/login"] || c.visits["/staff"] > 2 {
			t.Errorf("staff was asked for %d times; pages: %v", c.visits["/staff"], pages)
		}
		if c.logins != 5 {
			t.Errorf("%d logins, want 2 refused and 3 granted", c.logins)
		}
		if open < 20 {
			t.Errorf("the other host was asked %d times", open)
		}
		for _, want := range []string{"not logged in at http://club.test/login", "shows no a.logout after the login", "logged in at http://club.test/login: the crawl goes on"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%q is not told:\n%s", want, &out)
			}
		}
		if strings.Contains(out.String(), clubPassword) {
			t.Error("the password is told")
		}
	})
}
