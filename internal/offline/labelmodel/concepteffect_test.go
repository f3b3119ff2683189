package labelmodel

import (
	"bufio"
	"hash/fnv"
	"os"
	"slices"
	"strings"
	"testing"

	"orbweaver/internal/console"
	"orbweaver/internal/realdata"
	"orbweaver/kb/stream"
	"orbweaver/text/item"
)

// subjects returns the first components of the topics of articles, by URL.
func subjects(t *testing.T) map[string][]string {
	t.Helper()
	f, err := os.Open(realdata.File(t, "wikispeedia-topics.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	of := map[string][]string{}
	for in := bufio.NewScanner(f); in.Scan(); {
		url, topic, _ := strings.Cut(in.Text(), "\t")
		parts := strings.Split(topic, ".")
		if len(parts) > 1 && parts[0] == "subject" && !slices.Contains(of[url], parts[1]) {
			of[url] = append(of[url], parts[1])
		}
	}
	return of
}

// A counted name or topic has the numbers of its documents in both halves.
type counted map[string]*[2]float64

func (c counted) add(key string, half int) {
	if c[key] == nil {
		c[key] = &[2]float64{}
	}
	c[key][half]++
}

// chosenThenTried chooses the name of highest F1 for each topic on one half of the documents, and returns the macro F1 on
// the other, and the share of its documents with a chosen name that have the topic.
func chosenThenTried(t *testing.T, names, topics [][]string, halves []int) (macro, purity float64) {
	t.Helper()
	named, is, both := counted{}, counted{}, counted{}
	for i, own := range topics {
		for _, n := range names[i] {
			named.add(n, halves[i])
			for _, topic := range own {
				both.add(topic+"\t"+n, halves[i])
			}
		}
		for _, topic := range own {
			is.add(topic, halves[i])
		}
	}
	f1 := func(topic, name string, half int) float64 {
		b := both[topic+"\t"+name]
		if b == nil {
			return 0
		}
		return 2 * b[half] / (is[topic][half] + named[name][half])
	}
	var right, all float64
	for topic := range is {
		best := ""
		for name := range named {
			if f, most := f1(topic, name, 0), f1(topic, best, 0); f > most || f == most && f > 0 && name < best {
				best = name
			}
		}
		f := f1(topic, best, 1)
		macro += f / float64(len(is))
		if b := both[topic+"\t"+best]; b != nil {
			right, all = right+b[1], all+named[best][1]
			t.Logf("  %-24s %4.0f documents  F1 %.3f  precision %.3f  %s", topic, is[topic][1], f, b[1]/named[best][1], best)
		}
	}
	return macro, right / max(all, 1)
}

// TestConceptsOnEncyclopaedia: broad concepts find the subjects of articles better than labels do.
func TestConceptsOnEncyclopaedia(t *testing.T) {
	if os.Getenv("ORBWEAVER_EFFECT") != "all" {
		t.Skip("reads 4 598 articles: set ORBWEAVER_EFFECT=all")
	}
	of := subjects(t)
	s, err := newSource(&console.Console{}, []string{realdata.File(t, "wikispeedia.warc.gz")})
	if err != nil {
		t.Fatal(err)
	}
	m, err := stream.New(stream.Options{Shared: true})
	if err != nil {
		t.Fatal(err)
	}
	var urls []string
	var drafts []item.Draft
	for x := range (&readers{}).all(t.Context(), 2, s.documents(t.Context())) {
		if x.err != nil {
			t.Fatal(x.err)
		}
		m.Learn(x.ID, x.At, x.draft)
		if of[x.ID] != nil {
			urls, drafts = append(urls, x.ID), append(drafts, x.draft)
		}
	}
	var labels, concepts, topics [][]string
	var halves []int
	for i, url := range urls {
		it, vector, _ := m.Weigh(url, drafts[i])
		var names, broad []string
		for _, h := range m.Labels.Classify(it) {
			names = append(names, h.Label)
		}
		for _, h := range m.Held(vector) {
			broad = append(broad, h.Concept.IRI()+" "+m.ShowAll(h.Concept.Name))
		}
		sum := fnv.New32a()
		_, _ = sum.Write([]byte(url))
		labels, concepts, topics, halves = append(labels, names), append(concepts, broad), append(topics, of[url]), append(halves, int(sum.Sum32()>>7&1))
	}
	single, purity := chosenThenTried(t, labels, topics, halves)
	t.Logf("%d articles of %d subjects, labels: macro F1 %.3f, purity %.3f", len(urls), 12, single, purity)
	macro, purity := chosenThenTried(t, concepts, topics, halves)
	t.Logf("concepts: macro F1 %.3f, purity %.3f", macro, purity)
	if macro < single+0.03 {
		t.Errorf("concepts add too little to labels: %.3f, %.3f", macro, single)
	}
}
