package arch

import (
	"path"
	"slices"
	"strings"
	"testing"
)

// kinds stands for the packages of the kinds of focus: internal/kind/NAME.
const kinds = "internal/kind/*"

// layered returns the name of a package in layers.
func layered(pkg string) string {
	if path.Dir(pkg) == "internal/kind" && pkg != "internal/kind/all" {
		return kinds
	}
	return pkg
}

// layers are the packages below internal, and those that stand on them, from the ground up. Each imports only packages
// of layers before its own.
func layers() [][]string {
	return [][]string{
		{"internal/atomicfile", "internal/order", "internal/coding/charset"},
		{"internal/recrawl", "internal/changes", "internal/urllist", "internal/machine", "internal/database/kv", "internal/coding/brotli", "internal/manners", "internal/built", "internal/cluster", "internal/cluster/addresses", "internal/cluster/courier", "internal/cluster/bus", "internal/cluster/storage",
			"internal/crawlfile/notation", "internal/crawlfile/examples"},
		{"internal/step", "internal/coding", "internal/database", "internal/console", "internal/failing", "internal/realdata", "internal/drawing"},
		{"internal/rendering", "internal/requisites", "internal/sinks"},
		{"internal/crawlfile"},
		{"internal/pipeline", "internal/cluster/record", "internal/saturation"},
		{"internal/ongoing"},
		{"internal/cluster/worker"},
		{"internal/crawlfolder", "internal/crawlform", "internal/logging", "internal/krsdb", "internal/gate", "internal/starting", "internal/wall",
			"internal/services/wire", "internal/services/contexts", "internal/services/endpoints", "internal/services/catalogs",
			"internal/datasets", "internal/findings", "internal/sitemap", "internal/discover"},
		{"internal/offline/rdffile", "internal/recording"},
		{"internal/offline/graph", "internal/offline/chunk", "internal/offline/bytepair", "internal/offline/usage"},
		{"internal/offline/export", "internal/offline/annotation", "internal/kind"},
		{"internal/offline/corpus", "internal/offline/sample", "internal/services"},
		{"internal/offline/labelmodel", "internal/doctor"},
		{kinds},
		{"internal/kind/all"},
		{"internal/job"},
		{"internal/survey", "internal/store", "internal/takedown", "internal/linked"},
		{"internal/reread", "internal/delivery"},
		{"internal/assembly", "internal/knowledge", "internal/cluster/gather", "internal/upkeep"},
		{"internal/judge", "internal/compare"},
		{"internal/proposals", "internal/whatif", "internal/teach", "internal/vocabulary"},
		{"internal/inspect", "internal/offline", "internal/compare/simulation"},
		{"internal/view"},
		{"internal/run"},
		{"internal/custody", "internal/cluster/local"},
		{"internal/cluster/node"},
		{"crawl"},
		{"cmd/orbweaver/flags"},
		{"cmd/orbweaver/cluster", "cmd/orbweaver/store", "cmd/orbweaver/rules", "cmd/orbweaver/ask", "cmd/orbweaver/recommend", "cmd/orbweaver/watch", "cmd/orbweaver/mcp", "cmd/orbweaver/sink", "cmd/orbweaver/self", "cmd/orbweaver/lab"},
		{"cmd/orbweaver/cli"},
		{"cmd/orbweaver"},
	}
}

// TestLayers: packages below internal import packages of lower layers alone. What is for tests alone may import
// everything, and nothing else imports it.
func TestLayers(t *testing.T) {
	layer := map[string]int{}
	for i, packages := range layers() {
		for _, pkg := range packages {
			layer[pkg] = i
		}
	}
	forTests := []string{"internal/apptest", "internal/endpointtest", "internal/orcatest", "internal/arch", "internal/kind/krs/krstest", "internal/kind/kindtest", "internal/tier"}
	seen := map[string]bool{}
	for _, f := range files(t) {
		if f.test || !within(f.dir, []string{"internal", "crawl", "cmd"}) || within(f.dir, forTests) {
			continue
		}
		own, known := layer[layered(f.dir)]
		if !known {
			t.Errorf("%s is in no layer: give %s one", f.path, f.dir)
			continue
		}
		seen[layered(f.dir)] = true
		for _, pkg := range imported(t, f) {
			below, known := layer[layered(pkg)]
			switch {
			case known && below >= own:
				t.Errorf("%s imports %s, which is not below it", f.path, pkg)
			case within(pkg, forTests):
				t.Errorf("%s imports %s, which is for tests", f.path, pkg)
			case !known && strings.HasPrefix(pkg, "internal/"):
				t.Errorf("%s imports %s, which is in no layer", f.path, pkg)
			}
		}
	}
	for _, pkg := range slices.Concat(layers()...) {
		if !seen[pkg] && pkg != "internal/realdata" {
			t.Errorf("%s is in a layer, and there is no such package", pkg)
		}
	}
}

// TestCommandsUseCrawl: the command line runs, inspects and steers crawls through package crawl, and through nothing below it.
func TestCommandsUseCrawl(t *testing.T) {
	below := []string{
		"engine", "frontier", "internal/assembly", "internal/inspect", "internal/judge", "internal/pipeline", "internal/run", "internal/step", "internal/survey",
	}
	for _, f := range files(t) {
		if f.test || f.dir != "cmd/orbweaver/cli" {
			continue
		}
		for _, pkg := range imported(t, f) {
			if slices.Contains(below, pkg) {
				t.Errorf("%s imports %s: use package crawl", f.path, pkg)
			}
		}
	}
}
