package compare

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/eval"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/job"
	"orbweaver/internal/kind"
	"orbweaver/internal/kind/baseline"
	"orbweaver/internal/kind/kindtest"
	"orbweaver/internal/survey"
	"orbweaver/ledger"
)

// uncompared is a kind that cannot be compared.
type uncompared struct{ kindtest.Kind }

func (uncompared) Traits() crawlfile.Traits { return crawlfile.Traits{Key: "uncompared"} }
func (uncompared) Abilities(any) kind.Abilities {
	return kind.Abilities{Uncompared: "it finds no pages"}
}

// kinds are those of the tests.
func kinds() kind.Registry {
	return kind.Registry{kindtest.Kind{}, baseline.BreadthFirst{}, uncompared{}}
}

// web is six pages about herons in a chain, of which robots.txt forbids one.
func web(t *testing.T) string {
	answers := []toy.Answer{{URL: "http://a.test/robots.txt", Kind: "text/plain", Body: "User-agent: *\nDisallow: /forbidden\n"},
		{URL: "http://a.test/gone", Status: 404}, {URL: "http://a.test/moved", Status: 301, Location: "http://a.test/1"}, {URL: "http://a.test/forbidden", Body: "heron"}}
	for i := range 6 {
		answers = append(answers, toy.Answer{URL: fmt.Sprintf("http://a.test/%d", i), Body: fmt.Sprintf("heron heron <a href=/%d>on</a>", i+1)})
	}
	return toy.WebOf(t, answers)
}

// prepared loads a comparison of kindtest over that web, with more keys. It returns it with its path.
func prepared(t *testing.T, more string) (*comparison, string, error) {
	t.Helper()
	folder := t.TempDir()
	path := toy.Put(t, folder, "c.yaml", "web: {archive: ["+web(t)+"]}\nseeds: [http://a.test/0]\nscope: {hosts: [a.test]}\ntruth: {keywords: [heron]}\n"+
		"output: "+filepath.Join(folder, "out")+"\n"+more)
	c, err := prepareComparison(t.Context(), kinds().Schema(), path)
	if err == nil {
		t.Cleanup(func() { c.web.Close() })
	}
	return c, path, err
}

const herons = "runs: [{name: herons, focus: {sightings: {things: {heron: 'urn:x'}}}}]\n"

// TestCompare: each run and those of every comparison crawl the web; their results are in the folder.
func TestCompare(t *testing.T) {
	_, path, err := prepared(t, herons)
	if err != nil {
		t.Fatal(err)
	}
	var out, told bytes.Buffer
	a := &job.Job{Console: console.Console{Out: &out, Err: &told}, Kinds: kinds()}
	if err := Compare(t.Context(), a, path); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(filepath.Dir(path), "out")
	o := toy.Read(t, folder)
	if o.Web.Documents != 7 || o.Web.Reachable != 6 || o.Web.Relevant != 6 || o.OfRecall("herons") != 1 || o.OfRecall("breadth-first") != 1 {
		t.Errorf("%+v", o)
	}
	for _, want := range []string{"7 documents, 6 can be reached; 6 relevant, 6 of them", "herons", "has report.html"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("lacks %q:\n%s", want, &out)
		}
	}
	if !strings.Contains(told.String(), "herons: 7 requests, recall 100.0 %") {
		t.Errorf("told %s", &told)
	}
	for _, name := range []string{"comparison.csv", "report.html", "runs/herons/pages.jsonl", "runs/breadth-first/pages.jsonl"} {
		if _, err := os.Stat(filepath.Join(folder, name)); err != nil {
			t.Error(err)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := Compare(ended, a, path); !errors.Is(err, console.ErrInterrupted) {
		t.Errorf("interrupted: %v", err)
	}
}

// TestPrepare: every run that can't be is reported, by its name.
func TestPrepare(t *testing.T) {
	log := toy.Put(t, t.TempDir(), "log.txt", "not a URL\n")
	_, _, err := prepared(t, "runs:\n- {name: one, focus: {uncompared: {things: {x: 'urn:x'}}}}\n- {name: two, requests: "+log+"}\n")
	if !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "run one: it finds no pages") || !strings.Contains(err.Error(), "run two: ") {
		t.Errorf("%v", err)
	}
	if _, err := readLog(log+"x", 0); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("no log: %v", err)
	}
	schema := kinds().Schema()
	one := crawlfile.Run{Name: "one", Focus: schema.Focus("sightings", nil)}
	names := func(runs []crawlfile.Run) (all []string) {
		for _, r := range runs {
			all = append(all, r.Name)
		}
		return all
	}
	all := allRuns(schema, []crawlfile.Run{one})
	if !slices.Equal(names(all), []string{"one", "breadth-first"}) || len(allRuns(schema, all)) != 2 {
		t.Errorf("%v", names(all))
	}
	if n := len(focusesOf(append(all, crawlfile.Run{Requests: "log"}))); n != 2 {
		t.Errorf("%d focuses", n)
	}
}

// TestRecorded: the requests of another crawler are what the archive answers, or what a crawl would not have made.
func TestRecorded(t *testing.T) {
	c, _, err := prepared(t, herons)
	if err != nil {
		t.Fatal(err)
	}
	urls := []string{"http://a.test/0", "http://a.test/moved", "http://a.test/gone", "http://a.test/forbidden", "http://b.test/", "http://a.test/none"}
	want := []orbweaver.Failure{"", "", orbweaver.ErrStatus, orbweaver.ErrRobots, orbweaver.ErrScope, orbweaver.ErrAbsent}
	run := crawlfile.Run{Requests: toy.Put(t, t.TempDir(), "log", strings.Join(urls, "\n"))}
	for limit, ended := range map[int64]string{0: "the recorded requests end", 6: "6 requests", 2: "2 requests", 7: "the recorded requests end"} {
		folder := t.TempDir()
		c.file.Limits.Requests = limit
		over, err := c.record(t.Context(), run, folder)
		if err != nil || over.ended != ended {
			t.Errorf("limit %d: %q, %v", limit, over.ended, err)
		}
		n := 0
		for line, err := range ledger.Committed(filepath.Join(folder, ledger.JournalFile)) {
			if err != nil {
				t.Fatal(err)
			}
			if line.URL != urls[n] || line.Error != want[n] || line.N != int64(n+1) || (line.Redirect != "") != (n == 1) {
				t.Errorf("request %d: %+v, want %q", n, line, want[n])
			}
			n++
		}
		if limit == 2 != (n == 2) {
			t.Errorf("limit %d: %d lines", limit, n)
		}
	}
	endedNow, end := context.WithCancel(t.Context())
	end()
	if _, err := c.record(endedNow, run, t.TempDir()); !errors.Is(err, console.ErrInterrupted) {
		t.Errorf("interrupted: %v", err)
	}
}

// TestDraw: items are drawn among the pages that may be one; those with nothing to reach are drawn again; too few are an error.
func TestDraw(t *testing.T) {
	table := toy.Put(t, t.TempDir(), "t.tsv", "url\ttopic\nu:1\tx\nu:2\tx\nu:3\ty\nu:4\tx\n")
	topics, err := eval.LoadItemTopics(table, nil, func(s string) (string, error) { return s, nil })
	if err != nil {
		t.Fatal(err)
	}
	graph := eval.NewWeb()
	graph.Add("u:1", 200, "", []string{"u:2", "u:3"})
	graph.Add("u:2", 200, "", []string{"u:1"})
	for _, url := range []string{"u:3", "u:4", "u:5"} { // u:4 is an island, u:5 has no topic
		graph.Add(url, 200, "", nil)
	}
	graph.Freeze()
	s := &survey.Survey{Graph: graph, Likeness: eval.NewLikeness(), Topics: topics, Items: []string{"u:1", "u:2", "u:3", "u:4", "u:5"}}
	for _, tc := range []struct {
		name                               string
		seeds                              []string
		items, candidates, barren, reached int // barren: at most
		fails                              bool
	}{
		{"from a seed", []string{"u:1"}, 2, 3, 1, 3, false},
		{"too many", []string{"u:1"}, 3, 3, 1, 0, true},
		{"from their own links", nil, 2, 4, 2, 3, false},
	} {
		c := &comparison{survey: s, file: &crawlfile.Comparison{Each: &crawlfile.Each{Items: tc.items, Seed: 1}, Seeds: crawlfile.Seeds{URLs: tc.seeds}, Truth: &crawlfile.Truth{Of: "item"}}}
		err := c.draw(t.Context())
		if (err != nil) != tc.fails || err != nil && (!errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "only 2 have another page of the same topic")) {
			t.Errorf("%s: %v", tc.name, err)
		}
		if c.drawn.candidates != tc.candidates || c.drawn.barren > tc.barren || c.drawn.reached != tc.reached {
			t.Errorf("%s: %+v", tc.name, c.drawn)
		}
		for _, l := range c.lots {
			if l.item != "u:1" && l.item != "u:2" || l.reachable == 0 || tc.seeds == nil && slices.Equal(l.seeds, tc.seeds) {
				t.Errorf("%s: drawn %+v", tc.name, l)
			}
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	c := &comparison{survey: s, file: &crawlfile.Comparison{Each: &crawlfile.Each{Items: 1}, Truth: &crawlfile.Truth{Of: "item"}}}
	if err := c.draw(ended); !errors.Is(err, console.ErrInterrupted) {
		t.Errorf("interrupted: %v", err)
	}
}

// TestShuffled: the order depends on seed and URLs alone, and one page more changes none of the others' order.
func TestShuffled(t *testing.T) {
	urls := strings.Split("a b c d e f g h", " ")
	one := Shuffled(urls, 1)
	back := slices.Clone(urls)
	slices.Reverse(back)
	if !slices.Equal(one, Shuffled(back, 1)) || slices.Equal(one, Shuffled(urls, 2)) || slices.Equal(one, urls) {
		t.Errorf("%v, %v", one, Shuffled(urls, 2))
	}
	more := slices.DeleteFunc(Shuffled(append(urls, "i"), 1), func(s string) bool { return s == "i" })
	if !slices.Equal(more, one) {
		t.Errorf("with one more: %v, without %v", more, one)
	}
}

// TestWords: how ends, figures and errors are said.
func TestWords(t *testing.T) {
	for _, tc := range [][2]string{
		{Endings([]string{"a", "a"}), "a"}, {Endings([]string{"b", "a", "b"}), "b (2×), a (1×)"}, {Endings(nil), ""},
		{likenessWords(eval.Estimate{}, 1, 2), "–"}, {likenessWords(eval.Estimate{Mean: .5, N: 1}, 100, 1), "50.0"},
		{likenessWords(eval.Estimate{Mean: .5, Half: .25, N: 2}, 100, 0), "50±25"},
		{recallAndHarvest(eval.Figure{Recall: eval.Estimate{Mean: .5, N: 1}, HarvestRate: eval.Estimate{Mean: .25, N: 1}}), "50.0 (25.0)"},
		{recallAndHarvest(eval.Figure{Recall: eval.Estimate{Mean: .5, Half: .1, N: 2}, HarvestRate: eval.Estimate{Mean: .25, N: 2}}), "50.0±10.0 (25.0)"},
	} {
		if tc[0] != tc[1] {
			t.Errorf("%q, want %q", tc[0], tc[1])
		}
	}
	c := &comparison{lots: []lot{{reachable: 2}, {reachable: 1}, {item: "u:3", reachable: 6}}, file: &crawlfile.Comparison{Each: &crawlfile.Each{Seed: 7}},
		drawn: drawing{candidates: 9}}
	if least, mean, most := c.relevantReachable(); least != 1 || mean != 3 || most != 6 {
		t.Errorf("%d, %v, %d", least, mean, most)
	}
	if got := c.drawnWords(); got != "3 drawn of 9 by seed 7" {
		t.Errorf("%q", got)
	}
	if c.drawn.barren = 1; c.drawnWords() != "3 drawn of 9 by seed 7; 1 with nothing relevant to reach drawn again" {
		t.Errorf("%q", c.drawnWords())
	}
	tally := &tally{c: c}
	ctx, end := context.WithCancel(t.Context())
	tally.fail(ctx, 2, "one", io.EOF)
	if tally.fail(ctx, 0, "two", io.ErrUnexpectedEOF); !errors.Is(tally.problem, io.EOF) || tally.problem.Error() != "run one, item u:3: EOF" || !tally.failed() {
		t.Errorf("%v", tally.problem)
	}
	end()
	tally.problem = nil
	if tally.fail(ctx, 0, "two", io.EOF); !errors.Is(tally.problem, console.ErrInterrupted) || errors.Is(tally.problem, io.EOF) {
		t.Errorf("%v", tally.problem)
	}
}

// TestWriteResult: a file that can't be written is named.
func TestWriteResult(t *testing.T) {
	folder := t.TempDir()
	err := writeResult(folder, "paired.csv", func(io.Writer) error { return io.EOF })
	if entries, _ := os.ReadDir(folder); !errors.Is(err, io.EOF) || !strings.HasPrefix(err.Error(), "paired.csv: ") || len(entries) > 0 {
		t.Errorf("%v, %v", err, entries)
	}
	a := &job.Job{Console: console.Console{Out: io.Discard, Err: io.Discard}}
	if err := Join(a, JoinJob{Folders: []string{folder}, Output: filepath.Join(folder, "out")}); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("of no comparison: %v", err)
	}
}
