//go:build e2e

package program_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orbweaver/internal/realdata"
	"orbweaver/ledger"
)

// TestExternalKilled: see testExternalKilled; on the demo web.
func TestExternalKilled(t *testing.T) {
	t.Parallel()
	testExternalKilled(t, demoJudged(t), kills())
}

// A judgedTopic is a topic of examples/wikispeedia.
type judgedTopic struct {
	name   string
	topics []string
	words  string
	class  string // of its ontology
}

// judgedTopics are three topics; without ORBWEAVER_EFFECT=all one of them.
func judgedTopics() []judgedTopic {
	all := []judgedTopic{
		{"computing", []string{"subject.IT", "subject.People.Computing"}, "[computing, information technology, computer science, informatics]", "Computing"},
		{"chemistry", []string{"subject.Science.Chemistry.", "subject.People.Chemists"}, "[chemistry, chemical]", "Chemistry"},
		{"politics", []string{"subject.Citizenship.Politics_and_government", "subject.People.Political", "subject.People.USA_Pres"}, "[politics, political, government and politics]", "Politics"},
	}
	if !allEffects() {
		return all[:1]
	}
	return all
}

func allEffects() bool { return os.Getenv("ORBWEAVER_EFFECT") == "all" }

// TestExternalRecall measures the naive Bayes of the examples on topics of a real web, beside keywords and an ontology, with
// three draws of the twenty positives each.
func TestExternalRecall(t *testing.T) {
	if !allEffects() {
		t.Skip("crawls wikispeedia many times: ORBWEAVER_EFFECT=all")
	}
	const seeds = uint64(3)
	j := wikispeediaJudged(t)
	ontologies := filepath.Join(realdata.Root(t), "examples/wikispeedia")
	for _, tc := range judgedTopics() {
		sum := map[string][2]float64{}
		for seed := range seeds {
			j.draw(t, seed+1, tc.topics...)
			found := j.recalls(t, 230, 460, map[string]string{
				"bayes": bayes(t), "keyword": "{keyword: {terms: " + tc.words + "}}",
				"total": fmt.Sprintf("{ontology: {files: %s.ttl, target: 'http://example.org/%s#%s'}}", filepath.Join(ontologies, tc.name), tc.name, tc.class),
			})
			for run, at := range found {
				of := sum[run]
				sum[run] = [2]float64{of[0] + at[0]/float64(seeds), of[1] + at[1]/float64(seeds)}
			}
			t.Logf("%s, seed %d: recall at 230 and 460 requests: %s", tc.name, seed+1, shown(found))
		}
		t.Logf("%s, mean of %d: %s", tc.name, seeds, shown(sum))
		if sum["bayes"][0] < 5*sum["breadth-first"][0] || sum["bayes"][1] < 0.5 {
			t.Errorf("%s: recall %s", tc.name, shown(sum))
		}
	}
}

// shown prints recalls by run.
func shown(recalls map[string][2]float64) string {
	var all []string
	for _, run := range slices.Sorted(maps.Keys(recalls)) {
		all = append(all, fmt.Sprintf("%s %.3f %.3f", run, recalls[run][0], recalls[run][1]))
	}
	return strings.Join(all, ", ")
}

// TestExternalKilledOnARealWeb: see testExternalKilled; three topics, each killed twenty times.
func TestExternalKilledOnARealWeb(t *testing.T) {
	if !allEffects() {
		t.Skip("crawls wikispeedia many times: ORBWEAVER_EFFECT=all")
	}
	const kills = 20
	j := wikispeediaJudged(t)
	for _, tc := range judgedTopics() {
		t.Run(tc.name, func(t *testing.T) {
			j.draw(t, 1, tc.topics...)
			testExternalKilled(t, j, kills)
		})
	}
}

// testExternalKilled crawls with the naive Bayes of the examples, and again, killed with SIGKILL many times; and once more,
// killed, in a new folder with the recorded answers and no judge: the same bytes each time. Then it kills a crawl, takes
// the judge away and goes on: what was decided stays, the other pages say that they have no answer, and the crawl ends.
func testExternalKilled(t *testing.T, j *judged, kills int) {
	const judge = "judge"
	for _, name := range []string{"crawl", "whole"} { // of a test before
		if err := os.RemoveAll(filepath.Join(j.folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	script := []byte("#!/bin/sh\nexec python3 " + string(bytes.TrimSuffix([]byte(strings.Split(bayes(t), ", ")[1]), []byte(","))) + " positives background\n")
	install := func() {
		if err := os.WriteFile(filepath.Join(j.folder, judge), script, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	file := func(more, output string) {
		write(t, filepath.Join(j.folder, "f.yaml"), j.lines+"focus: {external: {command: [./judge]"+more+"}}\nlimits: {requests: 200}\nworkers: 3\noutput: "+output+"\n")
	}
	journal := func(name string) []byte { return read(t, filepath.Join(j.folder, name, ledger.JournalFile)) }
	install()
	file("", "crawl")
	crawlOn(t, j.folder)
	if err := os.Rename(filepath.Join(j.folder, "crawl"), filepath.Join(j.folder, "whole")); err != nil {
		t.Fatal(err)
	}
	whole, random := journal("whole"), rand.New(rand.NewPCG(7, uint64(kills)))
	if bytes.Contains(whole, []byte("no-answer")) || bytes.Count(whole, []byte("judge:word")) < 100 {
		t.Fatalf("a crawl of %d bytes has pages without an answer, or few with one", len(whole))
	}
	again := func(name string) {
		for done := 0; done < kills; {
			if killSoon(t, j.folder, int64(len(whole)), random) {
				done++
				continue
			}
			if got := journal("crawl"); !bytes.Equal(got, whole) {
				t.Errorf("%s: %s", name, difference(got, whole))
			}
			if err := os.RemoveAll(filepath.Join(j.folder, "crawl")); err != nil {
				t.Fatal(err)
			}
		}
		crawlOn(t, j.folder)
		if got := journal("crawl"); !bytes.Equal(got, whole) {
			t.Errorf("%s: %s", name, difference(got, whole))
		}
		if err := os.RemoveAll(filepath.Join(j.folder, "crawl")); err != nil {
			t.Fatal(err)
		}
	}
	again("killed and gone on with")
	if err := os.Remove(filepath.Join(j.folder, judge)); err != nil {
		t.Fatal(err)
	}
	file(", answers: whole", "crawl")
	again("of the recorded answers, without the judge")

	install()
	file("", "crawl")
	for len(decided(t, j.folder)) < 2 {
		if !killSoon(t, j.folder, int64(len(whole))*10, random) {
			t.Fatal("it was over before it was killed")
		}
	}
	before := decided(t, j.folder)
	if err := os.Remove(filepath.Join(j.folder, judge)); err != nil {
		t.Fatal(err)
	}
	crawlOn(t, j.folder)
	after := journal("crawl")
	if !bytes.HasPrefix(after, before) || len(after) == len(before) {
		t.Error("what was decided before the judge was gone is another now")
	}
	answered, without := 0, 0
	for line := range bytes.Lines(after[len(before):]) {
		switch {
		case bytes.Contains(line, []byte(`"rule":"no-answer"`)), bytes.Contains(line, []byte(`"rule":"not-asked"`)):
			without++
			if bytes.Contains(line, []byte(`"accepted":true`)) {
				t.Errorf("accepted without an answer: %.300s", line)
			}
		case bytes.Contains(line, []byte(`"rule":"judge:word"`)):
			answered++
		}
	}
	t.Logf("without the judge: %d pages had been asked about ahead, %d have no answer", answered, without)
	if without < 10 || answered > 50 { // what was read ahead has its answer
		t.Errorf("%d pages without an answer, %d with one", without, answered)
	}
}

// decided returns pages.jsonl of a crawl as of its last committed line; empty if there is none.
func decided(t *testing.T, folder string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(folder, "crawl", ledger.JournalFile))
	if err != nil {
		return nil
	}
	return content[:bytes.LastIndexByte(content, '\n')+1]
}
