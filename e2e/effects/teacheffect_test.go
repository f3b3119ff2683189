//go:build e2e

package effects_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"orbweaver/crawl"
	"orbweaver/eval"
	"orbweaver/internal/realdata"
	"orbweaver/weburl"
)

var (
	exampleTarget = regexp.MustCompile(`name: total,?\s+.*target: \[?"?ex:(\w+)`)
	exampleTopics = regexp.MustCompile(`topics: \[(.*)\]`)
	exampleSpace  = regexp.MustCompile(`prefixes:\s+\{?ex: "(.*)"`)
	exampleSeed   = regexp.MustCompile(`(?m)^  - (http\S+)$`)
)

// teachTopics are the topics by which pages to ask about are chosen as they are (choice), and others.
var teachTopics = map[string]string{
	"chosen": "chemistry dinosaurs languages military physics politics weather",
	"held":   "computing food literature music plants sports",
}

const (
	askedAtOnce = 10
	teachRounds = 2
	randomSeeds = 3
)

// TestTeachEffect: 20 verdicts on the pages that the crawl asks for, in two rounds of ten, raise precision and recall of the accepted pages,
// also of those without a verdict, and more than 20 on pages at random; the answers are those of the truth. With ORBWEAVER_EFFECT=all over
// thirteen topics.
func TestTeachEffect(t *testing.T) {
	data := realdata.Folder(t, "wikispeedia.warc.gz", "wikispeedia-topics.tsv")
	if os.Getenv("ORBWEAVER_EFFECT") != "all" {
		one := teachTopic(t, data, "dinosaurs", 0)
		one.log(t, "dinosaurs")
		if one.asked.f1() < one.before.f1()+0.05 {
			t.Error("the verdicts asked for teach too little")
		}
		return
	}
	all := map[string]effect{}
	for half, topics := range teachTopics {
		for _, name := range strings.Fields(topics) {
			one := teachTopic(t, data, name, randomSeeds)
			one.log(t, name)
			for _, to := range []string{half, "all"} {
				all[to] = all[to].plus(one)
			}
		}
	}
	for _, of := range []string{"chosen", "held", "all"} {
		mean := all[of].over()
		mean.log(t, "mean of "+of)
		for what, rise := range map[string]float64{
			"precision": mean.asked.precision() - mean.before.precision(), "recall": mean.asked.recall() - mean.before.recall(),
			"F1 of pages without a verdict": mean.askedElse.f1() - mean.beforeElse.f1(), "F1, over random": mean.asked.f1() - mean.random.f1(),
		} {
			if rise < 0.02 {
				t.Errorf("%s: %s rises by %.3f only", of, what, rise)
			}
		}
	}
}

// A figure is precision, recall and F1, or sums of them over several crawls.
type figure [3]float64

func (f figure) precision() float64 { return f[0] }
func (f figure) recall() float64    { return f[1] }
func (f figure) f1() float64        { return f[2] }

// An effect is what verdicts do to what a crawl accepts: of all pages, and of those without a verdict.
type effect struct {
	crawls                         float64
	before, asked, random          figure
	beforeElse, askedElse          figure
	beforeElseAtRandom, randomElse figure
}

func (e *effect) figures() []*figure {
	return []*figure{&e.before, &e.asked, &e.random, &e.beforeElse, &e.askedElse, &e.beforeElseAtRandom, &e.randomElse}
}

func (e effect) plus(other effect) effect {
	for i, f := range other.figures() {
		for k, x := range f {
			e.figures()[i][k] += x
		}
	}
	e.crawls++
	return e
}

// over returns the mean of several effects.
func (e effect) over() effect {
	for _, f := range e.figures() {
		for k := range f {
			f[k] /= e.crawls
		}
	}
	return e
}

func (e effect) log(t *testing.T, name string) {
	t.Helper()
	t.Logf("%-15s P, R, F1 %.3f; asked %.3f, random %.3f; without verdicts %.3f to %.3f, random %.3f to %.3f",
		name, e.before, e.asked, e.random, e.beforeElse, e.askedElse, e.beforeElseAtRandom, e.randomElse)
}

// teachTopic crawls for a topic, and teaches the crawl by pages that it asks for, and by pages at random.
func teachTopic(t *testing.T, data, name string, seeds uint64) (e effect) {
	t.Helper()
	c, truth := taughtTopic(t, data, name)
	first := now(t, c)
	e.before = first.figure(truth, nil)
	for seed := range seeds {
		urls := slices.Sorted(maps.Keys(first))
		rand.New(rand.NewPCG(seed, 26)).Shuffle(len(urls), func(i, j int) { urls[i], urls[j] = urls[j], urls[i] })
		said := urls[:teachRounds*askedAtOnce]
		say(t, c, truth, said)
		last := now(t, c)
		for _, one := range []struct {
			to *figure
			of figure
		}{{&e.random, last.figure(truth, nil)}, {&e.beforeElseAtRandom, first.figure(truth, said)}, {&e.randomElse, last.figure(truth, said)}} {
			for k, x := range one.of {
				one.to[k] += x / float64(seeds)
			}
		}
		var back []crawl.Verdict
		for _, url := range said {
			back = append(back, crawl.Verdict{URL: url, Withdrawn: true})
		}
		if _, err := c.Verdicts(t.Context(), back...); err != nil {
			t.Fatal(err)
		}
	}
	var said []string
	for range teachRounds {
		pages, err := c.Unsure(t.Context(), askedAtOnce)
		if err != nil || len(pages) != askedAtOnce {
			t.Fatalf("%d pages, %v", len(pages), err)
		}
		var urls []string
		for _, p := range pages {
			urls = append(urls, p.URL)
		}
		say(t, c, truth, urls)
		said = append(said, urls...)
	}
	last := now(t, c)
	e.asked, e.beforeElse, e.askedElse = last.figure(truth, nil), first.figure(truth, said), last.figure(truth, said)
	return e
}

// say answers by the truth.
func say(t *testing.T, c *crawl.Crawl, truth *eval.Topics, urls []string) {
	t.Helper()
	var all []crawl.Verdict
	for _, url := range urls {
		all = append(all, crawl.Verdict{URL: url, Relevant: truth.Relevant(url)})
	}
	if _, err := c.Verdicts(t.Context(), all...); err != nil {
		t.Fatal(err)
	}
}

// taughtTopic crawls 920 requests for the target of an example comparison.
func taughtTopic(t *testing.T, data, name string) (*crawl.Crawl, *eval.Topics) {
	t.Helper()
	root, folder := realdata.Root(t), t.TempDir()
	example, err := os.ReadFile(filepath.Join(root, "examples/wikispeedia", name+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	one := func(r *regexp.Regexp) string {
		m := r.FindSubmatch(example)
		if m == nil {
			t.Fatalf("%s.yaml has no %s", name, r)
		}
		return string(m[1])
	}
	seeds := ""
	for _, m := range exampleSeed.FindAllSubmatch(example, -1) {
		seeds += "  - " + string(m[1]) + "\n"
	}
	text := fmt.Sprintf("seeds:\n%sweb: {archive: %s}\nfocus: {ontology: {files: %s, target: %q}}\nlimits: {requests: 920}\noutput: out\n",
		seeds, filepath.Join(data, "wikispeedia.warc.gz"), filepath.Join(root, "examples/wikispeedia", name+".ttl"), one(exampleSpace)+one(exampleTarget))
	file := filepath.Join(folder, "crawl.yaml")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	topics := strings.Split(one(exampleTopics), ",")
	for i := range topics {
		topics[i] = strings.Trim(topics[i], " \"")
	}
	truth, err := eval.LoadTopics(filepath.Join(data, "wikispeedia-topics.tsv"), topics, weburl.Canonical)
	if err != nil {
		t.Fatal(err)
	}
	c, err := crawl.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return c, truth
}

// accepted says of each page of a crawl whether it is accepted.
type accepted map[string]bool

// now returns the verdicts of a crawl on its pages as of now.
func now(t *testing.T, c *crawl.Crawl) accepted {
	t.Helper()
	all := accepted{}
	for p, err := range c.PagesNow(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		all[p.URL] = p.Accepted
	}
	return all
}

// figure measures by a truth; pages may be left out.
func (a accepted) figure(truth *eval.Topics, without []string) figure {
	var right, accepted, relevant float64
	for url, is := range a {
		if slices.Contains(without, url) {
			continue
		}
		if is {
			accepted++
		}
		if truth.Relevant(url) {
			if relevant++; is {
				right++
			}
		}
	}
	return figure{right / max(1, accepted), right / max(1, relevant), 2 * right / max(1, accepted+relevant)}
}
