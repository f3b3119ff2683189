//go:build e2e

package cluster_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/fetch/fetchtest"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/inspect"
)

// TestOrders: a host that is excluded in the middle of a crawl is asked no more by any node, and a node that joins later knows that; a lower limit ends the crawl at all nodes.
func TestOrders(t *testing.T) {
	w := fetchtest.Generate(fetchtest.Plan{Seed: 9, Hosts: 10, Pages: 30, Plain: true, Politeness: fetchtest.Politeness{Delay: 20 * time.Millisecond}})
	c := newCluster(t, w)
	c.begin("a")
	c.begin("b")
	cl := c.dial()
	there(t, cl, 2)
	ended := make(chan error, 1)
	source := c.file("steered", "focus: {breadth_first: {}}\nlimits: {requests: 100000}", w.Seeds())
	end := ""
	go func() {
		sum, err := cl.Run(t.Context(), source)
		if err == nil {
			end = sum.Progress.Ended
		}
		ended <- err
	}()
	host := strings.TrimSuffix(strings.TrimPrefix(w.Seeds()[2], "http://"), "/")
	host, _, _ = strings.Cut(host, "/")
	until(t, "some requests", func() bool { return len(w.Visits()) > 40 })
	if would, err := cl.Exclude(t.Context(), "steered", inspect.Exclusion{Patterns: []string{host}, Preview: true}); err != nil || would.Waiting == 0 {
		t.Errorf("a preview: %+v, %v", would, err)
	}
	out, err := cl.Exclude(t.Context(), "steered", inspect.Exclusion{Patterns: []string{host}})
	if err != nil || out.Waiting == 0 || len(out.Examples) == 0 {
		t.Errorf("%+v, %v", out, err)
	}
	if _, err := cl.Exclude(t.Context(), "steered", inspect.Exclusion{}); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("no pattern: %v", err)
	}
	asked := func() (n int) {
		for _, url := range w.Pages() {
			if strings.Contains(url, "//"+host+"/") {
				n++
			}
		}
		return n
	}
	c.begin("c")
	until(t, "the third node knows it", func() bool {
		s, _ := crawlfolder.ReadSteering(filepath.Join(c.folder, "c", "crawls", "steered", "steered-c"))
		return slices.Contains(s.Exclude, host)
	})
	before := asked()
	few := int64(10)
	if err := cl.SetLimits(t.Context(), "steered", inspect.Limits{Pages: &few}); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("a limit that the file does not have: %v", err)
	}
	if err := cl.SetLimits(t.Context(), "steered", inspect.Limits{Requests: &few}); err != nil {
		t.Error(err)
	}
	if err := <-ended; err != nil || end != engine.EndRequests {
		t.Errorf("it ended by %q, %v", end, err)
	}
	if after := asked(); after > before || after > 15 {
		t.Errorf("%s was asked for %d pages, %d after it was excluded", host, after, after-before)
	}
}
