package whatif

import (
	"math/rand/v2"
	"slices"
	"testing"

	"orbweaver/ledger"
)

// TestInTurn: pages that were accepted last and pages near their threshold come in turn, each once, whatever the order of what is
// given.
func TestInTurn(t *testing.T) {
	all := []candidate{{1, 0.1, false}, {2, 3, true}, {3, 2, true}, {4, 0.2, false}, {5, 5, false}, {6, 0.3, true}}
	want := []int64{6, 1, 3, 4, 2, 5}
	for range 20 {
		rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		if got := inTurn(all); !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	}
	if got := inTurn(nil); len(got) != 0 {
		t.Error(got)
	}
}

// TestGreatest: the pages that moved most come first, of equals the earlier; at most fifty.
func TestGreatest(t *testing.T) {
	var all []Moved
	for n := range 60 {
		all = append(all, Moved{Line: ledger.Line{N: int64(n), Score: 0.5}, Was: 0.5 + float64(n%30)/100})
	}
	rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	got := greatest(all)
	if len(got) != mostMoved || got[0].N != 29 || got[1].N != 59 || got[49].Was != 0.55 {
		t.Errorf("%d: %v, %v, %v", len(got), got[0], got[1], got[len(got)-1])
	}
}

// TestRename: a path of a crawl file, relative to its folder, is the file that it leads to.
func TestRename(t *testing.T) {
	dir := t.TempDir()
	values := map[string]string{
		"focus.ontology.files": "../a.ttl\n../b.ttl", "focus.ontology.target": "../a.ttl", "seeds": "../a.ttl",
		"focus.blend.parts": "- {name: x, ontology: {files: [../a.ttl, \"../b.ttl\"], target: x}}\n- keyword: {terms: [a.ttl]}",
	}
	changed := map[string]string{}
	if !rename(dir+"/../b.ttl", "/tmp/x", dir, values, changed) || rename(dir+"/../c.ttl", "/tmp/x", dir, values, changed) {
		t.Error(changed)
	}
	if changed["focus.ontology.files"] != "../a.ttl\n/tmp/x" || len(changed) != 2 || changed["focus.blend.parts"] != "- {name: x, ontology: {files: [../a.ttl, \"/tmp/x\"], target: x}}\n- keyword: {terms: [a.ttl]}" {
		t.Errorf("%q", changed)
	}
}
