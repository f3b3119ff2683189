//go:build e2e

package cluster_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/fetch/fetchtest"
	"orbweaver/internal/cluster/bus"
	"orbweaver/internal/cluster/node"
)

// TestVersions: a node of another version of the program works with others as long as it speaks the same messages; one that speaks others is refused, and so is a client.
func TestVersions(t *testing.T) {
	c := newCluster(t, fetchtest.Generate(fetchtest.Plan{Seed: 1, Hosts: 1, Pages: 1, Plain: true}))
	c.begin("a")
	cl := c.dial()
	there(t, cl, 1)
	c.program = bus.Program{Version: "v1.1", Speaks: node.Messages}
	b := c.begin("b")
	there(t, cl, 2)
	all, err := cl.Nodes(t.Context())
	if err != nil || all[1].Version != "v1.1" || all[0].Messages != node.Messages || all[1].Messages != node.Messages {
		t.Errorf("nodes %+v, %v", all, err)
	}
	c.program = bus.Program{Version: "v2.0", Speaks: node.Messages + 1}
	other := func(name string) string {
		return fmt.Sprintf("node %s (v2.0) speaks version %d", name, node.Messages+1)
	}
	err = <-c.begin("c")
	if !errors.Is(err, orbweaver.ErrInput) {
		t.Fatalf("another version of messages: %v", err)
	}
	for _, part := range []string{other("c"), "node a (", fmt.Sprintf("node b (v1.1) speaks version %d", node.Messages)} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("no %q in: %v", part, err)
		}
	}
	c.end("b", b)
	c.end("a", c.done["a"])
	c.ends = map[string]context.CancelFunc{}
	c.begin("d")
	until(t, "a client is refused", func() bool {
		_, err := cl.Nodes(t.Context())
		return errors.Is(err, orbweaver.ErrInput) && strings.Contains(err.Error(), other("d"))
	})
}
