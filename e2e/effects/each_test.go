//go:build e2e

package effects_test

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/compare"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/gate"
	"orbweaver/internal/job"
	"orbweaver/internal/realdata"
	"orbweaver/internal/services"
	"orbweaver/internal/survey"
)

func TestShuffled(t *testing.T) {
	urls := []string{"a", "b", "c", "d", "e", "f", "g"}
	one := compare.Shuffled(urls, 1)
	back := slices.Clone(urls)
	slices.Reverse(back)
	if !slices.Equal(one, compare.Shuffled(back, 1)) || slices.Equal(one, compare.Shuffled(urls, 2)) {
		t.Error("the result depends on the order of the URLs, or not on the seed")
	}
	without := slices.DeleteFunc(slices.Clone(one), func(url string) bool { return url == "d" })
	if !slices.Equal(without, compare.Shuffled(slices.DeleteFunc(slices.Clone(urls), func(url string) bool { return url == "d" }), 1)) {
		t.Error("removing a URL changes the order of the others")
	}
	first := map[string]int{}
	for seed := range int64(7000) {
		first[compare.Shuffled(urls, seed)[0]]++
	}
	for _, url := range urls {
		if n := first[url]; n < 850 || n > 1150 { // five standard deviations
			t.Errorf("%s is first %d times of 7000", url, n)
		}
	}
}

func TestEndings(t *testing.T) {
	for _, tc := range []struct {
		all  []string
		want string
	}{
		{[]string{"done"}, "done"},
		{[]string{"done", "done"}, "done"},
		{[]string{"done", "200 requests", "done"}, "done (2×), 200 requests (1×)"},
	} {
		if got := compare.Endings(tc.all); got != tc.want {
			t.Errorf("%v: %s, want %s", tc.all, got, tc.want)
		}
	}
}

// TestItemsOfWikispeedia measures best-first by an item on real pages: over the same items, its recall must exceed
// that of breadth-first clearly.
func TestItemsOfWikispeedia(t *testing.T) {
	dir := realdata.Folder(t, "wikispeedia.warc.gz")
	path := filepath.Join(t.TempDir(), "c.yaml")
	text := `web: {archive: ` + filepath.Join(dir, "wikispeedia.warc.gz") + `}
seeds: [http://wikispeedia.test/wiki/Science.html, http://wikispeedia.test/wiki/History.html, http://wikispeedia.test/wiki/Geography.html]
truth: {cosine: 0.15}
each: {items: 8}
limits: {requests: 100}
runs: {name: best-first, focus: {best_first: {}}}
output: out
`
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := compare.Compare(t.Context(), &job.Job{Console: console.Console{Out: io.Discard, Err: io.Discard}}, path); err != nil {
		t.Fatal(err)
	}
	o := toy.Read(t, filepath.Join(filepath.Dir(path), "out"))
	best, breadth, oracle := o.OfRecall("best-first"), o.OfRecall("breadth-first"), o.OfRecall("oracle")
	t.Logf("recall after 100 requests: best-first %.3f, breadth-first %.3f, oracle %.3f", best, breadth, oracle)
	if best < breadth+0.1 || oracle < 0.9 {
		t.Errorf("best-first %v, breadth-first %v, oracle %v", best, breadth, oracle)
	}
}

// heap returns the number of heap bytes in use.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestTheSurveyOfItemsIsSmall bounds the memory of the vectors of a whole archive, with ORBWEAVER_EFFECT=all.
func TestTheSurveyOfItemsIsSmall(t *testing.T) {
	if !everything() {
		t.Skip("reads 4 598 pages: ORBWEAVER_EFFECT=all")
	}
	file := realdata.File(t, "wikispeedia.warc.gz")
	web, err := services.OpenWeb(&crawlfile.Web{Archive: []string{file}}, 10<<20)
	if err != nil {
		t.Fatal(err)
	}
	defer web.Close()
	gate, err := gate.New(crawlfile.Scope{}, web, false, compare.DefaultAgent)
	if err != nil {
		t.Fatal(err)
	}
	threshold := 0.25
	before := heap()
	s, err := survey.Web(t.Context(), web, survey.NewLens((&job.Job{}).Schema(), web, nil, nil, (&job.Job{}).Schema().Defaults().Limits, nil), gate, &crawlfile.Truth{Cosine: &threshold}, nil)
	if err != nil {
		t.Fatal(err)
	}
	grown := heap() - before
	t.Logf("%d pages, %d can be items: %d MB", s.Likeness.Len(), len(s.Items), grown>>20)
	if s.Likeness.Len() != 4598 || len(s.Items) < 4500 || grown > 100<<20 {
		t.Errorf("%d pages, %d can be items: %d bytes", s.Likeness.Len(), len(s.Items), grown)
	}
}
