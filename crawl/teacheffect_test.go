package crawl_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"orbweaver/crawl"
	"orbweaver/eval"
	"orbweaver/internal/realdata"
	"orbweaver/weburl"
)

var (
	exampleTarget = regexp.MustCompile(`name: total, .*target: "ex:(\w+)"`)
	exampleTopics = regexp.MustCompile(`topics: \[(.*)\]`)
	exampleSpace  = regexp.MustCompile(`prefixes: \{ex: "(.*)"\}`)
	exampleSeed   = regexp.MustCompile(`(?m)^  - (http\S+)$`)
)

// TestTeachEffect: 20 verdicts, in four rounds of five on the pages that the crawl is least sure of, raise the F1 of
// acceptance; the answers are those of the truth. With ORBWEAVER_EFFECT=all.
func TestTeachEffect(t *testing.T) {
	if os.Getenv("ORBWEAVER_EFFECT") != "all" {
		t.Skip("ORBWEAVER_EFFECT=all crawls thirteen topics, and judges their pages five times")
	}
	data := realdata.Folder(t, "wikispeedia.warc.gz", "wikispeedia-topics.tsv")
	topics := strings.Fields("chemistry computing dinosaurs food languages literature military music physics plants politics sports weather")
	var before, after float64
	for _, name := range topics {
		c, truth := taughtTopic(t, data, name)
		first := f1Now(t, c, truth)
		for range 4 {
			pages, err := c.Unsure(t.Context(), 5)
			if err != nil {
				t.Fatal(err)
			}
			var verdicts []crawl.Verdict
			for _, p := range pages {
				verdicts = append(verdicts, crawl.Verdict{URL: p.URL, Relevant: truth.Relevant(p.URL)})
			}
			if _, err := c.Verdicts(t.Context(), verdicts...); err != nil {
				t.Fatal(err)
			}
		}
		last := f1Now(t, c, truth)
		t.Logf("%-10s F1 %.3f, with 20 verdicts %.3f", name, first, last)
		before, after = before+first/float64(len(topics)), after+last/float64(len(topics))
	}
	t.Logf("mean of %d: F1 %.3f, with 20 verdicts %.3f", len(topics), before, after)
	if after < before+0.04 {
		t.Errorf("verdicts raise F1 from %.3f to %.3f only", before, after)
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

// f1Now returns F1 of the verdicts on a crawl's pages as of now.
func f1Now(t *testing.T, c *crawl.Crawl, truth *eval.Topics) float64 {
	t.Helper()
	var right, accepted, relevant float64
	for p, err := range c.PagesNow(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if p.Accepted {
			accepted++
		}
		if truth.Relevant(p.URL) {
			if relevant++; p.Accepted {
				right++
			}
		}
	}
	return 2 * right / max(1, accepted+relevant)
}
