//go:build e2e

package studio_test

import (
	"fmt"
	"testing"
	"time"

	"orbweaver/fetch/fetchtest"
	"orbweaver/studio/workspace"
)

// TestManners: crawls of a workspace that ask the same two hosts at one address at the same time are one guest: their requests are a
// delay apart, one is under way, and each has all pages.
func TestManners(t *testing.T) {
	const delay = 30 * time.Millisecond
	hosts := []fetchtest.Host{{Name: "one.test", At: 1}, {Name: "two.test", At: 1}}
	for i := range hosts {
		first := fetchtest.Page{Path: "/"}
		for n := range 8 {
			p := fetchtest.Page{Path: fmt.Sprintf("/page-%c", 'a'+n)}
			first.Links = append(first.Links, p.Path)
			hosts[i].Pages = append(hosts[i].Pages, p)
		}
		hosts[i].Pages = append(hosts[i].Pages, first)
	}
	web := fetchtest.NewWeb(fetchtest.Politeness{Delay: delay, Connections: 1}, hosts...)
	bases := fetchtest.ListenLoopback(t, web)
	w := openSpace(t, t.TempDir(), workspace.Options{AtOnce: 3})
	file := fmt.Sprintf("seeds: [%s/, %s/]\nfocus: {breadth_first: {}}\nallow_private: [127.0.0.0/8]\n"+
		"politeness: {delay: %v, contact: me@example.org}\n", bases[0], bases[1], delay)
	crawls := []string{"one", "two", "three"}
	for _, id := range crawls {
		if _, err := w.Create(t.Context(), id, []byte(file)); err != nil {
			t.Fatal(err)
		}
		if err := w.Start(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	for _, id := range crawls {
		await(t, w, id, workspace.Ended)
	}
	for _, v := range web.Violations() {
		t.Error(v)
	}
	served := 0
	for _, v := range web.Visits() {
		if v.Path != "/robots.txt" {
			served++
		}
	}
	if want := len(crawls) * 18; served != want || len(web.Repeated()) != 18 {
		t.Errorf("%d pages served, %d more than once; want %d, 18", served, len(web.Repeated()), want)
	}
}
