//go:build e2e

package effects_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/kind/krs"
	"orbweaver/internal/offline/export"
	"orbweaver/internal/realdata"
	"orbweaver/ledger"
)

// krsTopics are the topics of wikispeedia that examples/wikispeedia has ontologies of, as their truths name them. The rule of
// acceptance was chosen on the first seven.
var krsTopics = []struct {
	name       string
	categories []string
	chosen     bool
}{
	{"chemistry", []string{"Science.Chemistry.", "People.Chemists"}, true},
	{"computing", []string{"IT", "People.Computing"}, true},
	{"food", []string{"Everyday_life.Food_and_agriculture", "Everyday_life.Drink"}, true},
	{"music", []string{"Music.", "People.Performers_and_composers"}, true},
	{"plants", []string{"Science.Biology.Plants"}, true},
	{"sports", []string{"Everyday_life.Sports", "People.Sports_and_games_people"}, true},
	{"weather", []string{"Geography.Climate_and_the_Weather", "Geography.Natural_Disasters"}, true},
	{"dinosaurs", []string{"Science.Biology.Dinosaurs"}, false},
	{"languages", []string{"Language_and_literature.Languages", "Language_and_literature.Linguistics"}, false},
	{"literature", []string{"Language_and_literature.Novels", "Language_and_literature.Poetry_and_Opera"}, false},
	{"military", []string{"History.Military_History_and_War", "History.Pre_1900_Military", "People.Military_People"}, false},
	{"physics", []string{"Science.Physics.", "People.Astronomers_and_physicists"}, false},
	{"politics", []string{"Citizenship.Politics_and_government", "People.Political", "People.USA_Pres"}, false},
}

// means are sums of precision and recall over topics.
type means struct {
	topics            int
	precision, recall float64
}

func (m *means) add(v verdicts) {
	m.topics++
	m.precision += ratio(v.right, v.accepted)
	m.recall += ratio(v.right, v.relevant)
}

func (m means) String() string {
	n := float64(max(m.topics, 1))
	return fmt.Sprintf("%.3f / %.3f", m.precision/n, m.recall/n)
}

// TestKRSAcceptance learns topics from half of their articles, crawls for the other half, and measures which fetched pages are
// accepted: as recorded, and by the threshold of the last page. The second truth leaves out articles without any category. It
// takes ORBWEAVER_EFFECT=all.
func TestKRSAcceptance(t *testing.T) {
	if !everything() {
		t.Skip("measures for minutes: ORBWEAVER_EFFECT=all; TestKRSEffect logs what is accepted")
	}
	data := realdata.Folder(t, "wikispeedia.warc.gz", "wikispeedia-topics.tsv")
	web, titles := filepath.Join(data, "wikispeedia.warc.gz"), filepath.Join(t.TempDir(), "titles")
	jobs := &krs.Jobs{Console: console.Console{Out: io.Discard, Err: io.Discard}}
	if err := jobs.Gazetteer(t.Context(), krs.GazetteerJob{Titles: []string{web}, Out: titles}); err != nil {
		t.Fatal(err)
	}
	categorized := map[string]bool{}
	rows, err := os.ReadFile(filepath.Join(data, "wikispeedia-topics.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	for row := range strings.Lines(string(rows)) {
		url, _, _ := strings.Cut(row, "\t")
		categorized[url] = true
	}
	var sums [2][4]means // chosen on or not: recorded and last, by both truths
	for _, topic := range krsTopics {
		var categories []string
		for _, c := range topic.categories {
			categories = append(categories, "subject."+c)
		}
		h := halve(t, data, 1, categories...)
		got := h.acceptance(t, jobs, web, titles, categorized)
		t.Logf("%s, recorded and last: %v; %v; of articles with a category: %v; %v", topic.name, got[0], got[1], got[2], got[3])
		set := 1
		if topic.chosen {
			set = 0
		}
		for i := range got {
			sums[set][i].add(got[i])
		}
	}
	t.Logf("mean precision / recall of those chosen on: recorded %v, last %v; with a category %v, %v", sums[0][0], sums[0][1], sums[0][2], sums[0][3])
	t.Logf("of the others: recorded %v, last %v; with a category %v, %v", sums[1][0], sums[1][1], sums[1][2], sums[1][3])
	if m := sums[1][1]; m.precision < 0.65*float64(m.topics) || m.recall < 0.6*float64(m.topics) {
		t.Errorf("precision / recall %v", m)
	}
}

// acceptance crawls 920 pages and counts verdicts as recorded and by the last threshold, by both truths.
func (h *halved) acceptance(t *testing.T, jobs *krs.Jobs, web, titles string, categorized map[string]bool) (got [4]verdicts) {
	dir := filepath.Join(h.folder, "topic.krs")
	if err := jobs.Build(t.Context(), krs.Job{
		Dir: dir, Topic: "topic", Corpus: []string{h.corpus}, Background: []string{web}, Sample: 500, Seed: 1, Gazetteer: titles,
	}); err != nil {
		t.Fatal(err)
	}
	file := toy.Put(t, h.folder, "crawl.yaml", fmt.Sprintf("seeds: [%s]\nweb: {archive: %s}\nfocus: {krs: {file: %s}}\nlimits: {requests: 920}\noutput: out\n", starts, web, dir))
	if err := verbs.Crawl(t.Context(), &job.Job{Console: console.Console{Out: io.Discard, Err: io.Discard}, Alone: true}, file); err != nil {
		t.Fatal(err)
	}
	pages := filepath.Join(h.folder, "out", "pages.jsonl")
	last := 0.0
	for l, err := range ledger.Lines(pages) {
		if err != nil {
			t.Fatal(err)
		}
		if l.Threshold > 0 {
			last = l.Threshold
		}
	}
	for l, err := range ledger.Lines(pages) {
		if err != nil {
			t.Fatal(err)
		}
		if !export.IsPage(l) || h.learned[l.URL] {
			continue
		}
		finally := last > 0 && l.Score >= last
		for i, accepted := range [...]bool{l.Accepted, finally, l.Accepted, finally} {
			if i < 2 || categorized[l.URL] {
				got[i].count(accepted, h.held[l.URL])
			}
		}
	}
	return got
}
