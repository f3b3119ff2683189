package krs

import (
	"path/filepath"
	"slices"
	"testing"

	"orbweaver/internal/kind/krs/krstest"
	"orbweaver/kb/krs"
)

// TestSeedsOfTheCorpus draws documents of a corpus that was a web.
func TestSeedsOfTheCorpus(t *testing.T) {
	dir := krstest.PlaneWeb(t)
	folder, _, err := learn(t, dir, func(j *Job) { j.Corpus = append(j.Corpus, filepath.Join(dir, "planes.warc")) })
	if err != nil {
		t.Fatal(err)
	}
	store, err := krs.Open(folder, "")
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	all := []string{"http://planes.test/cake", "http://planes.test/flyer", "http://planes.test/hub", "http://planes.test/works"}
	drawn := map[string]bool{}
	for seed := range int64(20) {
		two, err := drawSeeds(store, &section{File: folder, Seeds: 2, Seed: seed})
		if err != nil || len(two) != 2 || two[0] == two[1] {
			t.Fatal(two, err)
		}
		if again, _ := drawSeeds(store, &section{File: folder, Seeds: 2, Seed: seed}); !slices.Equal(again, two) {
			t.Errorf("%v, then %v", two, again)
		}
		drawn[two[0]] = true
	}
	if len(drawn) != len(all) {
		t.Errorf("drawn first: %v", drawn)
	}
	most, err := drawSeeds(store, &section{File: folder, Seeds: 100, Seed: 1})
	if slices.Sort(most); err != nil || !slices.Equal(most, all) {
		t.Error(most, err)
	}
	if none, err := drawSeeds(store, &section{File: folder}); err != nil || len(none) > 0 {
		t.Error(none, err)
	}
}
