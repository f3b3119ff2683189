//go:build e2e

package cluster_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver"
	"orbweaver/crawl"
	"orbweaver/studio/nodes"
)

// A fake is a cluster that counts how often it is asked.
type fake struct {
	mu      sync.Mutex
	nodes   []nodes.Node
	err     error
	takes   time.Duration
	asked   int
	status  map[string]int // how often that of a crawl is asked for
	drained []string
}

func (f *fake) Nodes(context.Context) ([]nodes.Node, error) {
	f.mu.Lock()
	f.asked++
	all, err, takes := f.nodes, f.err, f.takes
	f.mu.Unlock()
	<-time.After(takes)
	return all, err
}

func (f *fake) Drain(_ context.Context, node string) error {
	f.drained = append(f.drained, node)
	return nil
}

func (f *fake) Status(_ context.Context, name string) (s crawl.Status, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.status == nil {
		f.status = map[string]int{}
	}
	f.status[name]++
	s.Progress.Pages, s.Progress.Ended, s.Rate = 30, "limit", 2.5
	return s, nil
}

func (f *fake) set(err error, all ...nodes.Node) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.nodes, f.err = all, err
}

func tellsOf(name string, runs bool, partitions ...int) nodes.Node {
	return nodes.Node{Name: name, Present: true, Works: []nodes.Work{{Crawl: "planes", Runs: runs, Partitions: partitions, Moving: 1, Lag: 2}}}
}

// TestSums: figures of a crawl are sums over its nodes; a partition that two nodes tell of while it moves counts once.
func TestSums(t *testing.T) {
	f := &fake{}
	f.set(nil, tellsOf("b", true, 3, 4), tellsOf("a", false, 1, 2, 3))
	s, err := nodes.New("bus:1", f).Look(t.Context())
	if err != nil || s.At != "bus:1" || s.Asked.IsZero() || len(s.Nodes) != 2 || s.Nodes[0].Name != "a" || !s.Nodes[0].Answers {
		t.Fatalf("%+v %v", s, err)
	}
	want := nodes.Crawl{Name: "planes", Runs: true, End: "limit", Pages: 30, Rate: 2.5, Owned: 4, Moving: 2, Lag: 4}
	if len(s.Crawls) != 1 || s.Crawls[0] != want {
		t.Errorf("%+v", s.Crawls)
	}
}

// TestAskedOnce: however many look, the nodes are asked once a second at most; who cannot wait has what was told last.
func TestAskedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{takes: 20 * time.Second}
		f.set(nil, tellsOf("a", true, 1))
		w := nodes.New("bus:1", f)
		short, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if s, err := w.Look(short); err != nil || !s.Asked.IsZero() || s.Nodes == nil {
			t.Errorf("%+v %v", s, err)
		}
		var all sync.WaitGroup
		for range 9 {
			all.Go(func() {
				if s, _ := w.Look(t.Context()); len(s.Nodes) != 1 {
					t.Errorf("%+v", s)
				}
			})
		}
		all.Wait()
		_, _ = w.Look(t.Context())
		if f.asked != 1 {
			t.Errorf("asked %d times", f.asked)
		}
		<-time.After(time.Second)
		if _, _ = w.Look(t.Context()); f.asked != 2 {
			t.Errorf("asked %d times", f.asked)
		}
	})
}

// TestSilentNode: a node that does not answer is told of for ten minutes, with what it told last; one that drained is not missed.
func TestSilentNode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{}
		draining := tellsOf("c", true)
		draining.Draining = true
		f.set(nil, tellsOf("a", true, 1), tellsOf("b", true, 2), draining)
		w := nodes.New("bus:1", f)
		_, _ = w.Look(t.Context())
		began := time.Now()
		f.set(errors.Join(errors.New("node b: silent"), errors.New("node c: silent")), tellsOf("a", true, 1))
		<-time.After(time.Minute)
		s, _ := w.Look(t.Context())
		if len(s.Nodes) != 2 || s.Nodes[1].Answers || !s.Nodes[1].Seen.Equal(began) || !slices.Equal(s.Problems, []string{"node b: silent", "node c: silent"}) || s.Crawls[0].Owned != 1 {
			t.Errorf("%+v", s)
		}
		f.set(errors.New("no cluster"))
		<-time.After(time.Minute)
		if later, _ := w.Look(t.Context()); !later.Asked.Equal(s.Asked) || len(later.Nodes) != 2 || len(later.Problems) != 1 {
			t.Errorf("%+v", later)
		}
		<-time.After(10 * time.Minute)
		if s, _ := w.Look(t.Context()); len(s.Nodes) != 0 {
			t.Errorf("%+v", s)
		}
	})
}

// TestRest: the status of a crawl that no node runs is not asked for again and again.
func TestRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{}
		w := nodes.New("bus:1", f)
		for i, tc := range []struct {
			runs bool
			want int
		}{{true, 1}, {true, 2}, {false, 3}, {false, 3}, {true, 4}} {
			f.set(nil, tellsOf("a", tc.runs))
			if _, _ = w.Look(t.Context()); f.status["planes"] != tc.want {
				t.Errorf("look %d: %d times", i, f.status["planes"])
			}
			<-time.After(2 * time.Second)
		}
		f.set(nil, tellsOf("a", false))
		_, _ = w.Look(t.Context())
		<-time.After(time.Minute)
		if _, _ = w.Look(t.Context()); f.status["planes"] != 6 {
			t.Errorf("%d times", f.status["planes"])
		}
	})
}

// TestDrain: after an order the nodes are asked again at once.
func TestDrain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{}
		w := nodes.New("bus:1", f)
		_, _ = w.Look(t.Context())
		if err := w.Drain(t.Context(), "a"); err != nil || !slices.Equal(f.drained, []string{"a"}) {
			t.Errorf("%v %v", f.drained, err)
		}
		if _, _ = w.Look(t.Context()); f.asked != 2 {
			t.Errorf("asked %d times", f.asked)
		}
	})
}

// TestNone: a studio without a cluster says so.
func TestNone(t *testing.T) {
	var w *nodes.Watch
	_, err := w.Look(t.Context())
	if drained := w.Drain(t.Context(), "a"); !errors.Is(err, nodes.ErrNone) || !errors.Is(drained, nodes.ErrNone) || !errors.Is(err, orbweaver.ErrAbsent) {
		t.Errorf("%v %v", err, drained)
	}
}
