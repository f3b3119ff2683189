//go:build e2e

package effects_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver/fetch/client"
	"orbweaver/fetch/fetchtest"
	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/orcatest"
	"orbweaver/internal/services/wire"
	"orbweaver/ledger"
	"orbweaver/rdf"
)

// A harvestOf is what a crawl found of a Data Web.
type harvestOf struct {
	found, truth int // statements
	nodes        []nodeOf
}

// A nodeOf is what it found of a node.
type nodeOf struct {
	node         *orcatest.Node
	found, truth int
}

// recall is the share of the truth that was found.
func (n nodeOf) recall() float64 { return float64(n.found) / float64(max(n.truth, 1)) }

// compressors are the programs on this machine that make dumps which no package of ours writes.
func compressors(t testing.TB) map[string]func([]byte) ([]byte, error) {
	all := map[string]func([]byte) ([]byte, error){}
	for _, name := range []string{"bzip2", "xz"} {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Logf("no dumps of %s: there is no such program", name)
			continue
		}
		all[name] = func(in []byte) ([]byte, error) {
			c := exec.Command(path, "-c", "-1")
			c.Stdin = bytes.NewReader(in)
			return c.Output()
		}
	}
	return all
}

// crawlDataWeb crawls a web in memory, in virtual time, and compares what the ledger has with the truth.
func crawlDataWeb(t *testing.T, w *orcatest.Web, dir, keys string) (h harvestOf, printed string) {
	t.Helper()
	n := fetchtest.NewNetwork()
	defer n.Close()
	w.Serve(n)
	file := filepath.Join(dir, "orca.yaml")
	text := fmt.Sprintf("seeds: ['%s']\nallow_private: true\npoliteness: {contact: me@example.org}\n%s", w.Nodes[0].Entry, keys)
	if !strings.Contains(keys, "focus:") {
		text += "focus: {linked_data: {}}\n"
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	a := &job.Job{Console: console.Console{Out: &out, Err: &out}, Alone: true, Wire: wire.Wire{Options: client.Options{Resolve: n.Resolve, Dial: n.Dial}}}
	if err := verbs.Crawl(context.Background(), a, file); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	return compareDataWeb(t, w, filepath.Join(dir, "crawls", "orca")), out.String()
}

// compareDataWeb counts the statements of each node that a crawl folder has.
func compareDataWeb(t *testing.T, w *orcatest.Web, folder string) (h harvestOf) {
	t.Helper()
	l, err := ledger.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, node := range w.Nodes {
		one := nodeOf{node: node}
		for s := range node.Statements() {
			one.truth++
			for _, err := range l.Quads(s.S, s.P, s.O, rdf.Term{}) {
				if err != nil {
					t.Fatal(err)
				}
				one.found++
				break
			}
		}
		h.nodes = append(h.nodes, one)
		h.found, h.truth = h.found+one.found, h.truth+one.truth
	}
	return h
}

// micro is the share of all statements that was found; macro the mean of the nodes' shares.
func (h harvestOf) micro() float64 { return float64(h.found) / float64(max(h.truth, 1)) }

func (h harvestOf) macro() (sum float64) {
	for _, n := range h.nodes {
		sum += n.recall()
	}
	return sum / float64(len(h.nodes))
}

// table is the recall by kind of node, with what lacks.
func (h harvestOf) table() string {
	var b strings.Builder
	nodes, sums := map[string]int{}, map[string]float64{}
	for _, n := range h.nodes {
		nodes[n.node.Kind]++
		sums[n.node.Kind] += n.recall()
	}
	for _, kind := range slices.Sorted(maps.Keys(nodes)) {
		fmt.Fprintf(&b, "%-14s %3d nodes, recall %.4f\n", kind, nodes[kind], sums[kind]/float64(nodes[kind]))
	}
	for _, n := range h.nodes {
		if n.found < n.truth {
			fmt.Fprintf(&b, "node %d, %s %s, %s: %d of %d, %d requests\n", n.node.N, n.node.Kind, n.node.Form, n.node.Entry, n.found, n.truth, n.node.Requests())
		}
	}
	fmt.Fprintf(&b, "micro %.4f, macro %.4f of %d statements\n", h.micro(), h.macro(), h.truth)
	return b.String()
}

// checkManners checks that no node was asked for what it closes, nor earlier than it permits.
func checkManners(t *testing.T, w *orcatest.Web) {
	t.Helper()
	least, sum, nodes := math.Inf(1), 0.0, 0
	for _, n := range w.Nodes {
		if n.Disallowed() > 0 {
			t.Errorf("%s: %d requests for what is closed, or before robots.txt", n.Host, n.Disallowed())
		}
		average, shortest := n.DelayRatio()
		if least = min(least, shortest); shortest < 1 {
			t.Errorf("%s: delay ratio %.3f, shortest %.3f", n.Host, average, shortest)
		}
		if n.Requests() > 1 {
			sum, nodes = sum+average, nodes+1
		}
	}
	t.Logf("disallowed 0, delay ratio %.3f on average, %.3f at least", sum/float64(nodes), least)
}

// TestORCA: a crawl with the defaults finds the statements of all kinds of nodes of a Data Web, and heeds their
// robots.txt.
func TestORCA(t *testing.T) {
	programs := compressors(t)
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		w := orcatest.New(orcatest.Options{Nodes: 44, Degree: 3, Triples: 250, Closed: 0.3, Delay: 3 * time.Second, Seed: 1, Compress: programs})
		h, printed := crawlDataWeb(t, w, dir, "")
		t.Logf("%s\n%s", printed, h.table())
		if h.micro() < 0.99 || h.macro() < 0.99 {
			t.Errorf("micro %.4f, macro %.4f", h.micro(), h.macro())
		}
		checkManners(t, w)
	})
}

// TestHarvestGoesOn: a harvest that is interrupted goes on where it was, and its archive, crawled alone, gives the same.
func TestHarvestGoesOn(t *testing.T) {
	programs := compressors(t)
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		w := orcatest.New(orcatest.Options{Nodes: 33, Degree: 3, Triples: 250, Closed: 0.3, Delay: 2 * time.Second, Seed: 3, Compress: programs})
		for _, most := range []int{60, 200, 350} {
			crawlDataWeb(t, w, dir, fmt.Sprintf("archive: on\nexplore: 0\nlimits: {requests: %d}\n", most))
		}
		h, printed := crawlDataWeb(t, w, dir, "archive: on\nexplore: 0\n")
		if h.micro() < 0.99 || h.macro() < 0.99 {
			t.Errorf("in four sessions:\n%s\n%s", printed, h.table())
		}
		checkManners(t, w)
		asked := 0
		for _, n := range w.Nodes {
			asked += n.Requests()
		}
		archive := filepath.Join(dir, "crawls", "orca", "archive")
		h, printed = crawlDataWeb(t, w, t.TempDir(), "explore: 0\nweb: {archive: "+archive+"}\n")
		if h.micro() < 0.99 || h.macro() < 0.99 {
			t.Errorf("from the archive:\n%s\n%s", printed, h.table())
		}
		for _, n := range w.Nodes {
			asked -= n.Requests()
		}
		if asked != 0 {
			t.Errorf("%d requests while the archive was crawled", -asked)
		}
	})
}

// TestWithoutHarvest: what the crawler does not ask for without harvest.
func TestWithoutHarvest(t *testing.T) {
	programs := compressors(t)
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		w := orcatest.New(orcatest.Options{Nodes: 33, Degree: 3, Triples: 250, Closed: 0.3, Delay: 2 * time.Second, Seed: 3, Compress: programs})
		h, _ := crawlDataWeb(t, w, dir, "focus: {linked_data: {harvest: false}}\n")
		for _, n := range h.nodes {
			if n.found > 0 && (n.node.Kind == "sparql" || n.node.Kind == "ckan") {
				t.Errorf("%s %s: %d of %d", n.node.Kind, n.node.Entry, n.found, n.truth)
			}
		}
		if h.found == 0 {
			t.Error("nothing was found")
		}
		t.Log(h.table())
		checkManners(t, w)
	})
}

// TestORCASeeds measures webs of five seeds, with harvest and without.
func TestORCASeeds(t *testing.T) {
	if os.Getenv("ORBWEAVER_EFFECT") != "all" {
		t.Skip("ORBWEAVER_EFFECT is not all")
	}
	programs := compressors(t)
	for seed := uint64(11); seed <= 15; seed++ {
		for _, harvest := range []bool{true, false} {
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				w := orcatest.New(orcatest.Options{Nodes: 64, Degree: 5, Triples: 400, Closed: 0.3, Delay: 5 * time.Second, Seed: seed, Compress: programs})
				h, _ := crawlDataWeb(t, w, dir, fmt.Sprintf("focus: {linked_data: {harvest: %v}}\n", harvest))
				t.Logf("seed %d, harvest %v\n%s", seed, harvest, h.table())
				if harvest && (h.micro() < 0.99 || h.macro() < 0.99) {
					t.Errorf("seed %d: micro %.4f, macro %.4f", seed, h.micro(), h.macro())
				}
				checkManners(t, w)
			})
		}
	}
}

// TestORCALarge is TestORCA with large bodies, and measures memory.
func TestORCALarge(t *testing.T) {
	if os.Getenv("ORBWEAVER_EFFECT") != "all" {
		t.Skip("ORBWEAVER_EFFECT is not all")
	}
	programs := compressors(t)
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		w := orcatest.New(orcatest.Options{Nodes: 100, Degree: 20, Triples: 1000, Large: 200_000, Closed: 0.3, Delay: 10 * time.Second, Seed: 7, Compress: programs})
		began := time.Now()
		h, _ := crawlDataWeb(t, w, dir, "")
		t.Logf("%v of virtual time\n%s", time.Since(began), h.table())
		if h.micro() < 0.99 || h.macro() < 0.99 {
			t.Errorf("micro %.4f, macro %.4f", h.micro(), h.macro())
		}
		checkManners(t, w)
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		t.Logf("memory of crawler, web and truth together: %d MB", m.Sys>>20)
	})
}
