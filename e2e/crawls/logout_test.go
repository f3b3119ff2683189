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
	"sync"
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

// A lounge is a site for members, on any number of hosts, with pages that end the session. Each page has a menu of links to them.
type lounge struct {
	mu      sync.Mutex
	session int // that counts now; 0: none
	logins  int
	lasts   int               // requests that a session lasts; 0: any number
	used    int               // of the session
	menu    string            // of each page
	ends    map[string]string // by path: where a request that ends the session leads
	visits  map[string]int    // by host and path
}

func (c *lounge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.visits[r.Host+r.URL.Path]++
	w.Header().Set("Content-Type", "text/html")
	k, err := r.Cookie("sid")
	in := err == nil && c.session > 0 && k.Value == fmt.Sprint(c.session)
	if in && c.lasts > 0 {
		if c.used++; c.used > c.lasts {
			in, c.session = false, 0
		}
	}
	to, ends := c.ends[r.URL.Path]
	switch {
	case r.URL.Path == "/robots.txt":
		http.NotFound(w, r)
	case r.URL.Path == "/session":
		c.logins++
		c.session, c.used = c.logins, 0
		http.SetCookie(w, &http.Cookie{Name: "sid", Value: fmt.Sprint(c.session), Domain: "lounge.test", Path: "/"})
		http.Redirect(w, r, "/home", http.StatusSeeOther)
	case r.URL.Path == "/login":
		fmt.Fprint(w, `<form method=post action=/session><input name=user></form>`)
	case !in:
		http.Redirect(w, r, "http://a.lounge.test/login", http.StatusFound)
	case ends:
		c.session = 0
		http.Redirect(w, r, to, http.StatusFound)
	default:
		var n int
		fmt.Sscanf(r.URL.Path, "/p%d", &n)
		fmt.Fprintf(w, "<title>%s%s</title><i class=member></i>%s<p>Page %d of %d of the lounge.", r.Host, r.URL.Path, c.menu, n, n*n)
		if n < 9 {
			fmt.Fprintf(w, "<a href=/p%d>page</a>", n+1)
		}
	}
}

// crawl crawls the lounge by a crawl file with further lines, and returns its folder and what it told.
func (c *lounge) crawl(t *testing.T, hosts int, more string) (folder, told string) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		n := fetchtest.NewNetwork()
		defer n.Close()
		seeds := []string{}
		for i := range hosts {
			name := fmt.Sprintf("%c.lounge.test", 'a'+i)
			n.Serve(name, netip.MustParseAddrPort(fmt.Sprintf("10.0.0.%d:80", i+1)), c)
			seeds = append(seeds, "http://"+name+"/p0")
		}
		file := filepath.Join(dir, "live.yaml")
		text := `seeds: [` + strings.Join(seeds, ", ") + `]
focus: {breadth_first: {}}
allow_private: true
duplicates: off
politeness: {contact: me@example.org}
http:
  - hosts: ["http://lounge.test"]
    login: {url: http://a.lounge.test/login, post: {user: anna}, when: i.member}
` + more
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		a := &job.Job{Console: console.Console{Out: &out, Err: &out}, Alone: true, Wire: wire.Wire{Options: client.Options{Resolve: n.Resolve, Dial: n.Dial}}}
		ctx, cancel := context.WithTimeout(context.Background(), 24*time.Hour) // of the test's clock: for a crawl that waits for a person
		defer cancel()
		if err := verbs.Crawl(ctx, a, file); err != nil && ctx.Err() == nil {
			t.Fatalf("%v\n%s", err, &out)
		}
		told = out.String()
	})
	return filepath.Join(dir, "crawls", "live"), told
}

// fates are the status, or the error, of each request that has an outcome.
func fates(t *testing.T, folder string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for line, err := range ledger.Lines(filepath.Join(folder, ledger.JournalFile)) {
		if err != nil {
			t.Fatal(err)
		}
		all[line.URL] = fmt.Sprint(line.Status)
		if line.Error != "" {
			all[line.URL] = string(line.Error)
		}
	}
	return all
}

// TestLogout: links that look like a logout are not followed; what ends the session without looking so is requested twice, and is named; what
// ends it without a sign is requested once. All other pages come, whichever were in flight when the session ended, and the crawl ends by itself.
func TestLogout(t *testing.T) {
	for _, tc := range []struct {
		name  string
		hosts int
		more  string
	}{
		{"one host", 1, ""},
		{"one host, several requests at once", 1, "workers: 8\n"},
		{"hosts that share the session", 3, ""},
	} {
		c := &lounge{
			menu:   "<a href=/logout>out</a><a href=/x>Sign out</a><a href=/bye>bye</a><a href=/quit>quit</a>",
			ends:   map[string]string{"/logout": "/login", "/x": "/login", "/bye": "http://a.lounge.test/login", "/quit": "/p0"},
			visits: map[string]int{},
		}
		folder, told := c.crawl(t, tc.hosts, tc.more)
		all := fates(t, folder)
		for i := range tc.hosts {
			at := fmt.Sprintf("%c.lounge.test", 'a'+i)
			for n := range 10 {
				if url := fmt.Sprintf("http://%s/p%d", at, n); all[url] != "200" {
					t.Errorf("%s: %s has %q", tc.name, url, all[url])
				}
			}
			if got := all["http://"+at+"/bye"]; got != "logs-out" {
				t.Errorf("%s: %s/bye has %q", tc.name, at, got)
			}
			if c.visits[at+"/logout"]+c.visits[at+"/x"] > 0 || c.visits[at+"/bye"] > 3 || c.visits[at+"/quit"] > 3 {
				t.Errorf("%s: %v", tc.name, c.visits)
			}
			if !strings.Contains(told, "http://"+at+"/bye logs the crawl out") {
				t.Errorf("%s: it is not told: %s", tc.name, told)
			}
		}
		if c.logins > 1+6*tc.hosts || !strings.Contains(told, "logs-out") || !strings.Contains(told, "logins ") {
			t.Errorf("%s: %d logins: %s", tc.name, c.logins, told)
		}
	}
}

// TestLogoutFollowed: with logout: follow links that look like a logout are followed, and are learned like others.
func TestLogoutFollowed(t *testing.T) {
	c := &lounge{menu: "<a href=/logout>out</a>", ends: map[string]string{"/logout": "/login"}, visits: map[string]int{}}
	folder, _ := c.crawl(t, 1, "    logout: follow\n")
	if all := fates(t, folder); all["http://a.lounge.test/logout"] != "logs-out" || all["http://a.lounge.test/p9"] != "200" || c.visits["a.lounge.test/logout"] != 2 {
		t.Errorf("%v, %v", all, c.visits)
	}
}

// TestLogoutLimit: logins, and requests whose answers came to nothing, count as requests.
func TestLogoutLimit(t *testing.T) {
	c := &lounge{menu: "<a href=/bye>bye</a>", ends: map[string]string{"/bye": "/login"}, visits: map[string]int{}}
	folder, told := c.crawl(t, 1, "limits: {requests: 10}\n")
	all := fates(t, folder) // beside 3 logins, and /bye once in vain
	if len(all) != 6 || all["http://a.lounge.test/p4"] != "200" || c.logins != 3 || c.visits["a.lounge.test/bye"] != 2 {
		t.Errorf("%v, %d logins, %v: %s", all, c.logins, c.visits, told)
	}
}

// TestShortSessions: a site that forgets each session at once is not logged in to for ever; a person is waited for, and nothing has failed.
func TestShortSessions(t *testing.T) {
	c := &lounge{lasts: 1, menu: "", visits: map[string]int{}}
	folder, told := c.crawl(t, 9, "")
	if all := fates(t, folder); len(all) > 0 || c.logins != 11 || !strings.Contains(told, "logins at http://a.lounge.test/login are in vain") {
		t.Errorf("%v, %d logins: %s", all, c.logins, told)
	}
}
