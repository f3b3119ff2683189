package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/gate"
	"orbweaver/internal/realdata"
)

// smallWeb writes an archive of pages about three topics, some without a page like them, and
// returns the folder it lies in. Pages of a topic stand in a chain of links; the hub links to all
// heads of chains and to the loners.
func smallWeb(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	var warc bytes.Buffer
	add := func(name, media, body string) {
		http := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: %s\r\n\r\n%s", media, body)
		fmt.Fprintf(&warc, "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://small.test/%s\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n"+
			"WARC-Record-ID: <urn:uuid:%s>\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
			name, name, len(http), http)
	}
	html := func(name, words string, links ...string) {
		body := "<html lang=en><title>" + name + "</title><body><p>" + words + "</p>"
		for _, l := range links {
			body += "<p><a href=/" + l + ">" + l + "</a></p>"
		}
		add(name, "text/html", body)
	}
	var heads []string
	for _, topic := range []string{"sea", "sky", "wood"} {
		heads = append(heads, topic+"0")
		for i := range 6 {
			html(fmt.Sprint(topic, i), strings.Repeat(topic+" ", 20)+filler(topic, i), fmt.Sprint(topic, i+1))
		}
	}
	for i := range 4 {
		heads = append(heads, fmt.Sprint("loner", i))
		html(fmt.Sprint("loner", i), filler("loner", i))
	}
	html("hub", "Links.", heads...)
	html("island", strings.Repeat("sea ", 20)+filler("island", 0), "sea0")
	add("note.txt", "text/plain", strings.Repeat("sea ", 60)+filler("note", 0))
	if err := os.WriteFile(filepath.Join(dir, "small.warc"), warc.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

// filler is 50 words that no other page has.
func filler(topic string, i int) string {
	var b strings.Builder
	for n := range 50 {
		fmt.Fprintf(&b, "%s%dq%d ", topic, i, n)
	}
	return b.String()
}

const eachFile = `web: {archive: small.warc}
truth: {cosine: 0.25}
each: {items: 8, seed: 3}
limits: {requests: 12}
runs:
  - {name: best-first, focus: {best_first: {}}}
  - {name: sea, focus: {best_first: {terms: sea}}}
`

// compareFile runs a comparison file and returns its output folder, its results and its progress.
func compareFile(t *testing.T, dir, text string) (folder, results, progress string, err error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "c.yaml")
	folder = filepath.Join(filepath.Dir(path), "out")
	text = strings.Replace(text, "small.warc", filepath.Join(dir, "small.warc"), 1) + "output: out\n"
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	var out, log bytes.Buffer
	err = (&App{Console: console.Console{Out: &out, Err: &log}}).Compare(t.Context(), path)
	return folder, out.String(), log.String(), err
}

// outcome is what a test looks at in comparison.json.
type outcome struct {
	Items int
	Seeds []string
	Web   struct{ Documents, Reachable, Relevant int }
	Facts []struct{ Name, Value string }
	Runs  []struct {
		Name, Focus, Ended string
		Points             []struct {
			Recall   float64
			RecallCI *float64 `json:"recall_ci95"`
		}
	}
}

// read returns the comparison.json of a folder.
func read(t *testing.T, folder string) outcome {
	t.Helper()
	var o outcome
	text, err := os.ReadFile(filepath.Join(folder, "comparison.json"))
	if err = errors.Join(err, json.Unmarshal(text, &o)); err != nil {
		t.Fatal(err)
	}
	return o
}

func (o outcome) recall(run string) float64 {
	for _, r := range o.Runs {
		if r.Name == run {
			return r.Points[len(r.Points)-1].Recall
		}
	}
	return -1
}

func (o outcome) drawn() (urls []string) {
	for _, f := range o.Facts {
		if strings.HasPrefix(f.Name, "item ") {
			url, _, _ := strings.Cut(f.Value, " (")
			urls = append(urls, url)
		}
	}
	return urls
}

func TestEachItemFromItsOwnLinks(t *testing.T) {
	folder, results, progress, err := compareFile(t, smallWeb(t), eachFile)
	if err != nil {
		t.Fatal(err)
	}
	o := read(t, folder)
	items := o.drawn()
	if sorted := slices.Sorted(slices.Values(items)); o.Items != 8 || len(slices.Compact(sorted)) != 8 || o.Seeds == nil || len(o.Seeds) > 0 {
		t.Errorf("%d items: %v, seeds %v", o.Items, items, o.Seeds)
	}
	for _, url := range items { // the last of a chain leads nowhere, loners are like nobody, hub and note are no items
		if strings.HasSuffix(url, "5") || strings.Contains(url, "loner") || strings.Contains(url, "hub") || strings.Contains(url, "note") {
			t.Errorf("%s was drawn", url)
		}
	}
	// a chain leads through the item's own topic only, so all find all that can be reached
	if o.recall("oracle") != 1 || o.recall("best-first") != 1 || o.Runs[0].Points[0].RecallCI == nil {
		t.Errorf("%+v", o.Runs)
	}
	if o.Runs[0].Focus != "best_first: n = 1, by the item's words" || o.Runs[0].Ended == "" {
		t.Errorf("%+v", o.Runs[0])
	}
	for i, url := range items {
		if want := fmt.Sprintf("item %d of 8: %s: best-first 100.0 %%, sea 100.0 %%, ", i+1, url); !strings.Contains(progress, want) {
			t.Errorf("no %q in\n%s", want, progress)
		}
		if _, err := os.Stat(filepath.Join(folder, "runs", "oracle", fmt.Sprint("item-", i+1), "pages.jsonl")); err != nil {
			t.Error(err)
		}
	}
	if !strings.Contains(results, "items: 8 drawn of 23 by seed 3; ") || !strings.Contains(results, "100.0±0.0") {
		t.Errorf("results\n%s", results)
	}
}

func TestEachItemFromTheSeedsOfTheFile(t *testing.T) {
	folder, _, _, err := compareFile(t, smallWeb(t), strings.Replace(eachFile, "items: 8", "items: 18", 1)+"seeds: http://small.test/hub\n")
	if err != nil {
		t.Fatal(err)
	}
	o := read(t, folder)
	items := o.drawn()
	if len(items) != 18 || slices.Contains(items, "http://small.test/island") || o.Web.Reachable != 23 || len(o.Seeds) != 1 {
		t.Errorf("want all of the three chains and not the island, have %v; %+v, seeds %v", items, o.Web, o.Seeds)
	}
	best, breadth, oracle := o.recall("best-first"), o.recall("breadth-first"), o.recall("oracle")
	if oracle != 1 || best <= breadth || best <= o.recall("sea") {
		t.Errorf("oracle %v, best-first %v, sea %v, breadth-first %v", oracle, best, o.recall("sea"), breadth)
	}
}

// tree reads all files below a folder.
func tree(t *testing.T, folder string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		rel, _ := filepath.Rel(folder, path)
		files[rel] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestEachIsTheSameAgain(t *testing.T) {
	dir := smallWeb(t)
	var first map[string]string
	for _, workers := range []string{"1", "7", "2"} {
		folder, _, _, err := compareFile(t, dir, eachFile+"workers: "+workers+"\n")
		if err != nil {
			t.Fatal(err)
		}
		files := tree(t, folder)
		if len(files) != 3+4*8 {
			t.Errorf("%d files", len(files))
		}
		if first == nil {
			first = files
		}
		for name := range first {
			if files[name] != first[name] {
				t.Errorf("%s differs with %s workers", name, workers)
			}
		}
	}
	folder, _, _, err := compareFile(t, dir, strings.Replace(eachFile, "seed: 3", "seed: 4", 1))
	if err != nil || tree(t, folder)["comparison.json"] == first["comparison.json"] {
		t.Errorf("another seed draws the same: %v", err)
	}
}

func TestTooFewItems(t *testing.T) {
	folder, _, _, err := compareFile(t, smallWeb(t), strings.Replace(eachFile, "items: 8", "items: 60", 1))
	want := "each: 60 items are wanted, but of 23 pages that could be one (HTML, at least 50 words, within reach) only 16 have another page above the cosine of 0.25 that can be reached"
	if !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), want) {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(folder); err == nil {
		t.Error("something was written")
	}
}

func TestEachStops(t *testing.T) {
	dir := smallWeb(t)
	path := filepath.Join(dir, "c.yaml")
	if err := os.WriteFile(path, []byte(eachFile+"workers: 1\noutput: out\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	log := &stopper{stop: stop}
	err := (&App{Console: console.Console{Out: io.Discard, Err: log}}).Compare(ctx, path)
	if !errors.Is(err, console.ErrInterrupted) || strings.Count(log.String(), "item") != 1 || strings.Count(err.Error(), "\n") > 0 {
		t.Errorf("%v after\n%s", err, log)
	}
	if err := (&App{Console: console.Console{Out: io.Discard, Err: io.Discard}}).Compare(ctx, path); !errors.Is(err, console.ErrInterrupted) {
		t.Errorf("stopped before it began: %v", err)
	}
}

// A stopper stops what writes to it.
type stopper struct {
	bytes.Buffer
	stop func()
}

func (s *stopper) Write(p []byte) (int, error) {
	s.stop()
	return s.Buffer.Write(p)
}

func TestShuffled(t *testing.T) {
	urls := []string{"a", "b", "c", "d", "e", "f", "g"}
	one := shuffled(urls, 1)
	back := slices.Clone(urls)
	slices.Reverse(back)
	if !slices.Equal(one, shuffled(back, 1)) || slices.Equal(one, shuffled(urls, 2)) {
		t.Error("the order given counts, or the seed does not")
	}
	without := slices.DeleteFunc(slices.Clone(one), func(url string) bool { return url == "d" })
	if !slices.Equal(without, shuffled(slices.DeleteFunc(slices.Clone(urls), func(url string) bool { return url == "d" }), 1)) {
		t.Error("one URL less moves the others")
	}
	first := map[string]int{}
	for seed := range int64(7000) {
		first[shuffled(urls, seed)[0]]++
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
		if got := endings(tc.all); got != tc.want {
			t.Errorf("%v: %s, want %s", tc.all, got, tc.want)
		}
	}
}

// TestItemsOfWikispeedia measures best-first by an item on real pages: over the same items it has to
// find clearly more than breadth-first does.
func TestItemsOfWikispeedia(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 4 598 pages")
	}
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
	if err := (&App{Console: console.Console{Out: io.Discard, Err: io.Discard}}).Compare(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	o := read(t, filepath.Join(filepath.Dir(path), "out"))
	best, breadth, oracle := o.recall("best-first"), o.recall("breadth-first"), o.recall("oracle")
	t.Logf("recall after 100 requests: best-first %.3f, breadth-first %.3f, oracle %.3f", best, breadth, oracle)
	if best < breadth+0.1 || oracle < 0.9 {
		t.Errorf("best-first %v, breadth-first %v, oracle %v", best, breadth, oracle)
	}
}

// heap is the number of bytes in use.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestTheSurveyOfItemsIsSmall bounds what the vectors of a whole archive cost.
func TestTheSurveyOfItemsIsSmall(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 4 598 pages")
	}
	file := realdata.File(t, "wikispeedia.warc.gz")
	web, err := openWeb(&crawlfile.Web{Archive: []string{file}}, crawlfile.Limits{Body: 10 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer web.Close()
	gate, err := gate.New(crawlfile.Scope{}, web, false, defaultAgent)
	if err != nil {
		t.Fatal(err)
	}
	threshold := 0.25
	before := heap()
	s, err := surveyWeb(t.Context(), web, newLens((&App{}).Schema(), web, nil, (&App{}).Schema().Defaults().Limits, nil), gate, &crawlfile.Truth{Cosine: &threshold}, nil)
	if err != nil {
		t.Fatal(err)
	}
	grown := heap() - before
	t.Logf("%d pages, %d can be items: %d MB", s.likeness.Len(), len(s.items), grown>>20)
	if s.likeness.Len() != 4598 || len(s.items) < 4500 || grown > 100<<20 {
		t.Errorf("%d pages, %d can be items: %d bytes", s.likeness.Len(), len(s.items), grown)
	}
}
