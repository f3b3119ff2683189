//go:build e2e

package studio_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"

	"orbweaver/crawl"
	"orbweaver/studio"
	"orbweaver/studio/nodes"
)

// A trio is a cluster of three nodes with one crawl.
type trio struct {
	mu    sync.Mutex
	nodes []nodes.Node
}

func newTrio() *trio {
	var c trio
	for i, name := range []string{"a", "b", "<b>c</b>"} {
		work := nodes.Work{Crawl: "planes", Runs: true, Moving: i, Lag: 2 * i}
		for p := i; p < nodes.Partitions; p += 3 {
			work.Partitions = append(work.Partitions, p)
		}
		c.nodes = append(c.nodes, nodes.Node{Name: name, Version: "1", Server: i > 0, Present: true, Works: []nodes.Work{work, {Crawl: "boats", Error: "<img src=x>"}}})
	}
	return &c
}

func (c *trio) Nodes(context.Context) ([]nodes.Node, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.nodes), nil
}

func (c *trio) Drain(_ context.Context, node string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range c.nodes {
		c.nodes[i].Draining = c.nodes[i].Draining || c.nodes[i].Name == node
	}
	return nil
}

func (c *trio) Status(context.Context, string) (s crawl.Status, err error) {
	s.Progress.Pages, s.Rate = 1234, 5.6
	return s, nil
}

// TestCluster: the page of the cluster shows who has which partition, follows the nodes, and drains one after a confirmation.
func TestCluster(t *testing.T) {
	c := newTrio()
	for _, width := range []int64{1280, 360} {
		addr := serve(t, studio.Options{Cluster: nodes.New("127.0.0.1:4222", c)})
		b := open(t, addr, width)
		b.do(chromedp.Navigate("http://" + addr + "/cluster"))
		b.holds(`document.querySelectorAll(".partitions[role=img] i").length === 256 && document.querySelector(".partitions[role=img] i[title='255: a']").textContent === "B"`)
		b.holds("document.documentElement.scrollWidth <= window.innerWidth")
		b.sees("<img src=x>")
		if width == 1280 {
			b.tap(`//article[contains(., "server of the bus")]//summary[normalize-space(.)="Drain …"]`)
			b.click("Yes, drain it")
			b.sees("gives what it has to others")
			b.holds(`[...document.querySelectorAll(".badge")].some(e => e.textContent === "drains")`)
		}
	}
}

// TestNoCluster: a studio without a cluster has no link to its page, which says how to begin one.
func TestNoCluster(t *testing.T) {
	c := newClient(t, serve(t, studio.Options{}))
	if code, _, page := c.send("GET", "/cluster", "", html); code != 200 || strings.Contains(page, `href="/cluster"`) || !strings.Contains(page, "orbweaver studio FOLDER --cluster") {
		t.Errorf("%d %s", code, page)
	}
}
