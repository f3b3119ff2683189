package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver/ledger"
)

// TestExternalKilled: see testExternalKilled; on the demo web.
func TestExternalKilled(t *testing.T) {
	t.Parallel()
	testExternalKilled(t, demoJudged(t), 20)
}

// TestExternalOnARealWeb measures the naive Bayes of the examples on topics of a real web, beside keywords, and kills its
// crawls: of three topics, 20 times each, with ORBWEAVER_EFFECT=all, else of one, 3 times.
func TestExternalOnARealWeb(t *testing.T) {
	if testing.Short() {
		t.Skip("crawls wikispeedia many times")
	}
	topics := []struct {
		name   string
		topics []string
		words  string
	}{
		{"computing", []string{"subject.IT", "subject.People.Computing"}, "[computing, information technology, computer science, informatics]"},
		{"chemistry", []string{"subject.Science.Chemistry.", "subject.People.Chemists"}, "[chemistry, chemical]"},
		{"politics", []string{"subject.Citizenship.Politics_and_government", "subject.People.Political", "subject.People.USA_Pres"}, "[politics, political, government and politics]"},
	}
	kills := 20
	if os.Getenv("ORBWEAVER_EFFECT") != "all" {
		topics, kills = topics[:1], 3
	}
	for _, tc := range topics {
		t.Run(tc.name, func(t *testing.T) {
			j := wikispeediaJudged(t, tc.topics...)
			found := j.recalls(t, 230, map[string]string{"bayes": bayes(t), "keyword": "{keyword: {terms: " + tc.words + "}}"})
			t.Logf("recall at 230 requests: %v", found)
			if found["bayes"] < found["keyword"] || found["bayes"] < 5*found["breadth-first"] {
				t.Errorf("recall %v", found)
			}
			testExternalKilled(t, j, kills)
		})
	}
}

// testExternalKilled crawls with the naive Bayes of the examples, and again, killed with SIGKILL many times; and once more,
// killed, in a new folder with the recorded answers and no judge: the same bytes each time. Then it kills a crawl, takes
// the judge away and goes on: what was decided stays, the other pages say that they have no answer, and the crawl ends.
func testExternalKilled(t *testing.T, j *judged, kills int) {
	const judge = "judge"
	script := []byte("#!/bin/sh\nexec python3 " + string(bytes.TrimSuffix([]byte(strings.Split(bayes(t), ", ")[1]), []byte(","))) + " positives background\n")
	install := func() {
		if err := os.WriteFile(filepath.Join(j.folder, judge), script, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	file := func(more, output string) {
		write(t, filepath.Join(j.folder, "f.yaml"), j.web+"focus: {external: {command: [./judge]"+more+"}}\nlimits: {requests: 200}\nworkers: 3\noutput: "+output+"\n")
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
