//go:build e2e

package cluster_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/fetch/fetchtest"
	"orbweaver/internal/cluster/node"
)

// end ends a node, and waits for it.
func (c *cluster) end(name string, done chan error) {
	c.t.Helper()
	c.ends[name]()
	if err := <-done; err != nil && !errors.Is(err, context.Canceled) {
		c.t.Errorf("node %s: %v", name, err)
	}
}

// there waits until so many nodes are there.
func there(t *testing.T, cl *node.Client, n int) {
	t.Helper()
	until(t, "nodes", func() bool {
		all, err := cl.Nodes(t.Context())
		return err == nil && len(all) == n
	})
}

// TestRemove: a crawl that runs is not removed, nor one of which an absent node has a part, unless it is forced; then the node removes its part when it is back. What was removed can
// be given again, and begins anew.
func TestRemove(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	w := fetchtest.Generate(fetchtest.Plan{Seed: 9, Hosts: 4, Pages: 4, Plain: true, Politeness: fetchtest.Politeness{Delay: 20 * time.Millisecond}})
	c := newCluster(t, w)
	c.whole = 1 // all excerpts come in pieces
	c.begin("a")
	b := c.begin("b")
	cl := c.dial()
	there(t, cl, 2)
	source := c.file("gone", "focus: {breadth_first: {}}", w.Seeds()[:1])
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := cl.Run(ctx, source)
		ended <- err
	}()
	until(t, "some requests", func() bool { return len(w.Visits()) > 2 })
	if _, err := cl.Remove(t.Context(), "gone", true); !errors.Is(err, orbweaver.ErrBusy) || !strings.Contains(err.Error(), "orbweaver stop gone") {
		t.Errorf("while it runs: %v", err)
	}
	if _, err := cl.Remove(t.Context(), "other", false); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "it has gone") {
		t.Errorf("an unknown one: %v", err)
	}
	if err := cl.Stop(t.Context(), "gone"); err != nil {
		t.Fatal(err)
	}
	stop()
	<-ended
	c.end("b", b)
	there(t, cl, 1)
	if _, err := cl.Remove(t.Context(), "gone", false); !errors.Is(err, orbweaver.ErrBusy) || !strings.Contains(err.Error(), "away: b") {
		t.Errorf("with a node away: %v", err)
	}
	if stay, err := cl.Remove(t.Context(), "gone", true); err != nil || len(stay) != 1 || stay[0] != "b" {
		t.Errorf("forced: %v, %v", stay, err)
	}
	has := func(path ...string) bool {
		_, err := os.Stat(filepath.Join(append([]string{c.folder}, path...)...))
		return err == nil
	}
	if has("a", "crawls", "gone") || !has("b", "crawls", "gone") {
		t.Errorf("a has its part: %v; b: %v", has("a", "crawls", "gone"), has("b", "crawls", "gone"))
	}
	if all, err := cl.Crawls(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("crawls: %v, %v", all, err)
	}
	c.begin("b")
	until(t, "b removes its part", func() bool { return !has("b", "crawls", "gone") })
	if err := os.RemoveAll(filepath.Join(c.folder, "gone")); err != nil {
		t.Fatal(err)
	}
	there(t, cl, 2)
	before := len(w.Visits())
	if sum, err := cl.Run(t.Context(), source); err != nil || int(sum.Progress.Pages) != len(w.AllowedFrom(w.Seeds()[0])) || len(w.Visits())-before < int(sum.Progress.Pages) {
		t.Errorf("given again: %+v, %v", sum, err)
	}
	if _, err := cl.Remove(t.Context(), "gone", false); err != nil {
		t.Errorf("when it is over: %v", err)
	}
}
