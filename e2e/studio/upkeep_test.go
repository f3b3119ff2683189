//go:build e2e

package studio_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"orbweaver/studio"
)

// lasting makes two crawls of loopback: "kept", whose pages are visited again, and "lost", which is at a login that fails.
func lasting(t *testing.T, addr string) {
	t.Helper()
	open := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		var n int
		_, _ = fmt.Sscanf(r.URL.Path, "/p%d", &n)
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<title>p%d</title><p>airplane %d</p>", n, n*n)
		if n < 65 {
			fmt.Fprintf(w, "<a href=/p%d>airplane</a><a href=/p%d>airplane</a>", n+1, n+2)
		}
	}))
	t.Cleanup(open.Close)
	shut := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<form method=post action=/login><input name=user></form>")
	}))
	t.Cleanup(shut.Close)
	const rest = "focus: {keyword: {terms: [airplane]}}\nallow_private: true\nduplicates: off\nlimits: {depth: 100}\npoliteness: {robots: false, delay: 0s, contact: me@example.org}\n"
	for name, file := range map[string]string{
		"kept": "seeds: ['" + open.URL + "/p0']\nschedule: 100000\nstop: {saturation: 1%}\n" + rest,
		"lost": "seeds: ['" + shut.URL + "/']\nhttp: [{hosts: ['" + shut.URL + "'], login: {url: '" + shut.URL + "/login', post: {user: anna}, when: a.logout, tries: 1}}]\n" + rest,
	} {
		r, err := http.Post("http://"+addr+"/api/v1/crawls?start=true&name="+name, "application/yaml", strings.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(r.Body)
		if r.Body.Close(); r.StatusCode != http.StatusCreated {
			t.Fatalf("%s: %s: %s", name, r.Status, text)
		}
	}
	awaits(t, addr, "kept", func(text string) bool { return strings.Contains(text, `"watch":{`) })
	awaits(t, addr, "lost/logins", func(text string) bool { return strings.Contains(text, `"state":"stuck"`) })
}

// awaits asks for a part of a crawl until it is as wanted, and returns it.
func awaits(t *testing.T, addr, path string, wanted func(string) bool) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for last := ""; ; {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+"/api/v1/crawls/"+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatalf("%v; the last answer: %s; %s", err, last, state(addr, path))
		}
		text, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		if last = string(text); wanted(last) {
			return last
		}
	}
}

// TestUpkeep: in Chromium, what is left is drawn with its band, a crawl that stopped by its rule is watched, and a lost login says why and what
// to do; the button, reached by the keyboard, has the crawl try again, as often as it is pressed.
func TestUpkeep(t *testing.T) {
	addr := serve(t, studio.Options{})
	lasting(t, addr)
	b := open(t, addr, 360)
	b.do(chromedp.Navigate("http://" + addr + "/crawls/kept"))
	b.click("Upkeep")
	b.sees("requests pages again")
	b.click("Schedule")
	b.sees("Next visits")
	b.click("Logins")
	b.sees("The crawl file has no login")
	b.do(chromedp.Navigate("http://" + addr + "/crawls/lost/logins"))
	b.sees("waits for you")
	b.sees("shows no a.logout")
	b.reach("Try again now")
	b.do(chromedp.KeyEvent("\r"))
	b.sees("goes on")
	awaits(t, addr, "lost/logins", func(text string) bool { return strings.Contains(text, `"state":"stuck"`) })
	if r, err := http.Post("http://"+addr+"/api/v1/crawls/kept/stop", "", nil); err != nil || r.Body.Close() != nil {
		t.Fatal(err)
	}
	text := awaits(t, addr, "kept/stopping", func(text string) bool { return strings.Contains(text, `"state":"estimated"`) })
	var s struct {
		History []any
		Test    *struct{ Fewer float64 }
	}
	if err := json.Unmarshal([]byte(text), &s); err != nil || len(s.History) < 2 || s.Test == nil {
		t.Errorf("%v: %s", err, text)
	}
	b.do(chromedp.Navigate("http://" + addr + "/crawls/kept/stopping"))
	b.sees("stop: {saturation: 1%}")
	b.sees("The same as a table")
	b.holds(`document.querySelector(".chart canvas") !== null`)
}

// state is how a crawl stands, for messages.
func state(addr, path string) string {
	name, _, _ := strings.Cut(path, "/")
	r, err := http.Get("http://" + addr + "/api/v1/crawls/" + name)
	if err != nil {
		return err.Error()
	}
	defer r.Body.Close()
	text, _ := io.ReadAll(r.Body)
	return string(text)
}
