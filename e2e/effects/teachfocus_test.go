//go:build e2e

package effects_test

import (
	"bufio"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orbweaver/crawl"
	"orbweaver/eval"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/console"
	"orbweaver/internal/offline/corpus"
	"orbweaver/internal/realdata"
	"orbweaver/weburl"
)

// taughtFocuses are kinds of focus that take verdicts into what they know, each with a crawl of a topic.
var taughtFocuses = map[string]func(t *testing.T, data, topic string) (focus string, truth *eval.Topics){
	"ontology": ontologyOf, "krs": krsOf, "crossref": itemOf,
}

// TestTeachFocuses measures, with ORBWEAVER_EFFECT=all, what 20 verdicts do to crawls that go on: of 460 requests, then 20 verdicts in two
// rounds, then 460 more requests.
func TestTeachFocuses(t *testing.T) {
	if os.Getenv("ORBWEAVER_EFFECT") != "all" {
		t.Skip("measures for minutes: ORBWEAVER_EFFECT=all")
	}
	data := realdata.Folder(t, "wikispeedia.warc.gz", "wikispeedia-topics.tsv")
	only := strings.Fields(os.Getenv("ORBWEAVER_TOPICS"))
	for kind, of := range taughtFocuses {
		for half, topics := range teachTopics {
			var sums [8]float64
			for _, topic := range strings.Fields(topics) {
				if len(only) > 0 && !slices.Contains(only, topic) {
					continue
				}
				for k, x := range crawlGoesOn(t, data, kind, topic, of) {
					sums[k] += x / float64(len(strings.Fields(topics)))
				}
			}
			t.Logf("%s, mean of %s: F1 of pages without a verdict %.3f to %.3f; then, of 460: relevant %.1f taught, %.1f not; F1 of new pages %.3f, %.3f", kind, half, sums[0], sums[1], sums[2], sums[3], sums[4], sums[5])
		}
	}
}

func crawlGoesOn(t *testing.T, data, kind, topic string, of func(*testing.T, string, string) (string, *eval.Topics)) (figures [8]float64) {
	t.Helper()
	focus, truth := of(t, data, topic)
	folder := t.TempDir()
	run := func(out string, requests int) *crawl.Crawl {
		file := filepath.Join(folder, out+".yaml")
		toy.Put(t, folder, out+".yaml", fmt.Sprintf("seeds: [http://wikispeedia.test/wiki/Culture.html, http://wikispeedia.test/wiki/Science.html, http://wikispeedia.test/wiki/History.html, http://wikispeedia.test/wiki/Geography.html, http://wikispeedia.test/wiki/Technology.html]\nweb: {archive: %s}\nfocus: %s\nlimits: {requests: %d}\noutput: %s\n",
			filepath.Join(data, "wikispeedia.warc.gz"), focus, requests, out))
		c, err := crawl.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		return c
	}
	c := run("taught", 460)
	first := now(t, c)
	var said []string
	for range teachRounds {
		pages, err := c.Unsure(t.Context(), askedAtOnce)
		if err != nil {
			t.Fatal(err)
		}
		var urls []string
		for _, p := range pages {
			urls = append(urls, p.URL)
		}
		say(t, c, truth, urls)
		said = append(said, urls...)
	}
	last := now(t, c)
	figures[0], figures[1] = first.figure(truth, said).f1(), last.figure(truth, said).f1()
	known := slices.Collect(maps.Keys(first))
	run("plain", 460)
	for i, out := range []string{"taught", "plain"} {
		all := now(t, run(out, 920))
		for url := range all {
			if truth.Relevant(url) && !slices.Contains(known, url) {
				figures[2+i]++
			}
		}
		figures[4+i] = all.figure(truth, known).f1()
	}
	t.Logf("%s %s: F1 of pages without a verdict %.3f to %.3f; then relevant %.0f taught, %.0f not; F1 of new pages %.3f, %.3f", kind, topic, figures[0], figures[1], figures[2], figures[3], figures[4], figures[5])
	return figures
}

// truthOf reads the example comparison of a topic: prefixes of its topics, and its truth.
func truthOf(t *testing.T, data, name string) (example []byte, truth *eval.Topics) {
	t.Helper()
	example, err := os.ReadFile(filepath.Join(realdata.Root(t), "examples/wikispeedia", name+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	topics := strings.Split(string(exampleTopics.FindSubmatch(example)[1]), ",")
	for i := range topics {
		topics[i] = strings.Trim(topics[i], " \"")
	}
	truth, err = eval.LoadTopics(filepath.Join(data, "wikispeedia-topics.tsv"), topics, weburl.Canonical)
	if err != nil {
		t.Fatal(err)
	}
	return example, truth
}

func ontologyOf(t *testing.T, data, name string) (string, *eval.Topics) {
	t.Helper()
	example, truth := truthOf(t, data, name)
	return fmt.Sprintf("{ontology: {files: %s, target: %q}}", filepath.Join(realdata.Root(t), "examples/wikispeedia", name+".ttl"),
		string(exampleSpace.FindSubmatch(example)[1])+string(exampleTarget.FindSubmatch(example)[1])), truth
}

// relevantPages lists the relevant pages of the web, shuffled.
func relevantPages(t *testing.T, data string, truth *eval.Topics) (urls []string) {
	t.Helper()
	file, err := os.Open(filepath.Join(data, "wikispeedia-topics.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for s := bufio.NewScanner(file); s.Scan(); {
		if url, _, _ := strings.Cut(s.Text(), "\t"); truth.Relevant(url) && !slices.Contains(urls, url) {
			urls = append(urls, url)
		}
	}
	rand.New(rand.NewPCG(7, 0)).Shuffle(len(urls), func(i, j int) { urls[i], urls[j] = urls[j], urls[i] })
	return urls
}

// itemOf is a cross-reference of the longest of ten relevant pages.
func itemOf(t *testing.T, data, name string) (string, *eval.Topics) {
	t.Helper()
	_, truth := truthOf(t, data, name)
	return fmt.Sprintf("{crossref: {item: %q}}", relevantPages(t, data, truth)[0]), truth
}

// krsOf learns a topic from twelve of its pages.
func krsOf(t *testing.T, data, name string) (string, *eval.Topics) {
	t.Helper()
	_, truth := truthOf(t, data, name)
	learned := relevantPages(t, data, truth)[:12]
	folder := t.TempDir()
	web := filepath.Join(data, "wikispeedia.warc.gz")
	docs, err := corpus.Of(&console.Console{Out: os.Stderr, Err: os.Stderr}, []string{web})
	if err != nil {
		t.Fatal(err)
	}
	job := crawl.Corpus{Dir: filepath.Join(folder, "topic.krs"), Topic: name, Background: []string{web}, Sample: 500, Seed: 1}
	for d, err := range docs.Documents(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(learned, d.ID) {
			file := fmt.Sprintf("%03d.txt", len(job.Corpus))
			toy.Put(t, folder, file, d.Title+"\n\n"+d.Text)
			job.Corpus = append(job.Corpus, filepath.Join(folder, file))
		}
	}
	if err := crawl.Learn(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("{krs: {file: %s}}", job.Dir), truth
}
