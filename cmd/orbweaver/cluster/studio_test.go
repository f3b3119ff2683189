package cluster

import (
	"errors"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/spf13/pflag"

	"orbweaver"
	"orbweaver/internal/cluster/node"
	"orbweaver/studio/nodes"
)

// TestShown: without --cluster there is none; credentials that cannot be read are said before the studio begins.
func TestShown(t *testing.T) {
	for _, tc := range []struct {
		args  []string
		there bool
		err   error
	}{
		{nil, false, nil},
		{[]string{"--cluster", "127.0.0.1:1"}, true, nil},
		{[]string{"--cluster", "127.0.0.1:1", "--credentials", filepath.Join(t.TempDir(), "none")}, false, orbweaver.ErrInput},
	} {
		s, f := Shown{}, pflag.NewFlagSet("studio", pflag.ContinueOnError)
		s.Flags(f)
		if err := f.Parse(tc.args); err != nil {
			t.Fatal(err)
		}
		watch, hangUp, err := s.Open(nil)
		if (watch != nil) != tc.there || !errors.Is(err, tc.err) {
			t.Errorf("%v: %v %v", tc.args, watch, err)
		}
		if err == nil {
			hangUp()
		}
	}
}

// TestNodesOf: all that a node tells reaches the studio.
func TestNodesOf(t *testing.T) {
	got := nodesOf([]node.Figures{{Node: "a", Version: "1", Server: true, Present: true, Draining: true, Crawls: []node.CrawlFigures{
		{Crawl: "planes", Runs: true, Error: "no disk", Partitions: []int{3}, Moving: 1, Outbox: 2},
	}}})
	want := []nodes.Node{{Name: "a", Version: "1", Server: true, Present: true, Draining: true, Works: []nodes.Work{
		{Crawl: "planes", Runs: true, Error: "no disk", Partitions: []int{3}, Moving: 1, Lag: 2},
	}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}
