//go:build e2e

package effects_test

import (
	"bufio"
	"io"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/eval"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/inspect"
	"orbweaver/internal/job"
	"orbweaver/internal/kind"
	"orbweaver/internal/realdata"
	"orbweaver/kb/ontology"
	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/document"
	"orbweaver/rdf/syntax/ntriples"
)

// TestSuggestionsEffect withholds a fifth of an ontology's labels, crawls for its topic, and counts how many of the first
// twenty suggestions are withheld labels or titles of relevant pages. With ORBWEAVER_EFFECT=all it measures all topics;
// the constants were tuned on the first five. ORBWEAVER_TOPICS selects topics. The minimum of a topic is slightly below
// its measured value: twelve, or less if the ground truth omits most of the topic, such as writers.
func TestSuggestionsEffect(t *testing.T) {
	data := realdata.Folder(t, "wikispeedia.warc.gz", "wikispeedia-topics.tsv")
	named := strings.Fields(os.Getenv("ORBWEAVER_TOPICS"))
	for i, tc := range []struct {
		topic string
		least int
	}{
		{"computing", 12}, {"politics", 12}, {"chemistry", 12}, {"music", 7}, {"sports", 12},
		{"plants", 12}, {"food", 11}, {"military", 12}, {"dinosaurs", 12}, {"languages", 12},
		{"physics", 7}, {"weather", 7}, {"literature", 3},
	} {
		if !slices.Contains(named, tc.topic) && (len(named) > 0 || i > 0 && !everything()) {
			continue
		}
		t.Run(tc.topic, func(t *testing.T) {
			w := withhold(t, data, tc.topic)
			right, list := 0, w.suggestions(t)
			var told []string
			for _, s := range list[:min(len(list), 20)] {
				sign := w.wanted[plainForm(s.Text)]
				told = append(told, sign+s.Text)
				if sign != "" {
					right++
				}
			}
			t.Logf("%d of 20: %s", right, strings.Join(told, ", "))
			if right < tc.least {
				t.Errorf("%d of the first 20 suggestions are right, fewer than %d", right, tc.least)
			}
		})
	}
}

// withheld is a crawl with an ontology from which labels were removed.
type withheld struct {
	file   string
	wanted map[string]string // by plain form: * a label withheld, + a title
}

// withhold writes the crawl file of a topic, and its ontology without a seeded fifth of its labels.
func withhold(t *testing.T, data, topic string) *withheld {
	t.Helper()
	examples, folder := filepath.Join(realdata.Root(t), "examples/wikispeedia"), t.TempDir()
	text, err := os.ReadFile(filepath.Join(examples, topic+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	whole := filepath.Join(examples, topic+".ttl")
	toy.Put(t, folder, "compare.yaml", strings.NewReplacer("../../../shared/data", data, topic+".ttl", whole, "../../comparisons", "comparisons").Replace(string(text)))
	comparison, err := (&job.Job{}).Schema().LoadComparison(filepath.Join(folder, "compare.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	cut := filepath.Join(folder, "cut.nt")
	if err := os.WriteFile(cut, withoutFifth(t, whole), 0o666); err != nil {
		t.Fatal(err)
	}
	w := &withheld{filepath.Join(folder, "crawl.yaml"), map[string]string{}}
	w.add(t, whole, cut)
	w.addTitles(t, filepath.Join(data, "wikispeedia-topics.tsv"), comparison.Truth.Topics)
	toy.Put(t, folder, "crawl.yaml", `seeds: [`+starts+`]
web: {archive: `+filepath.Join(data, "wikispeedia.warc.gz")+`}
focus: {ontology: {files: cut.nt, target: "`+targetOf(comparison.Runs[0].Focus)+`"}}
limits: {requests: 920}
output: out
`)
	return w
}

// targetOf returns the first target of an ontology focus.
func targetOf(f crawlfile.Focus) string {
	var facts eval.CrawlFacts
	kind.Of(f).Facts(f.Section(), &facts)
	return facts.Target[0]
}

// withoutFifth returns an ontology without a fifth of its labels, drawn by a fixed seed.
func withoutFifth(t *testing.T, path string) (text []byte) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var all []rdf.Triple
	var labels []int
	for triple, err := range document.Read(file, syntax.Detect(path, "", nil), syntax.Options{Name: path}) {
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(strings.ToLower(triple.P.Value), "label") {
			labels = append(labels, len(all))
		}
		all = append(all, triple)
	}
	random := rand.New(rand.NewPCG(1, 0))
	random.Shuffle(len(labels), func(i, j int) { labels[i], labels[j] = labels[j], labels[i] })
	for i, triple := range all {
		if !slices.Contains(labels[:len(labels)/5], i) {
			text = ntriples.AppendTriple(text, triple)
		}
	}
	return text
}

// add adds the entries of whole that cut lacks.
func (w *withheld) add(t *testing.T, whole, cut string) {
	t.Helper()
	entries := map[string]bool{}
	for i, path := range []string{cut, whole} {
		o, err := ontology.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range o.Entries() {
			if form := plainForm(e.Text); i == 0 {
				entries[form] = true
			} else if !entries[form] {
				w.wanted[form] = "*"
			}
		}
	}
}

// addTitles adds the titles of articles whose topics have one of the prefixes.
func (w *withheld) addTitles(t *testing.T, path string, topics []string) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for s := bufio.NewScanner(file); s.Scan(); {
		address, topic, _ := strings.Cut(s.Text(), "\t")
		if !slices.ContainsFunc(topics, func(prefix string) bool { return strings.HasPrefix(topic, prefix) }) {
			continue
		}
		title, err := url.PathUnescape(strings.TrimSuffix(address[strings.LastIndexByte(address, '/')+1:], ".html"))
		if err != nil {
			t.Fatal(err)
		}
		title, _, _ = strings.Cut(strings.ReplaceAll(title, "_", " "), " (")
		if form := plainForm(title); w.wanted[form] == "" {
			w.wanted[form] = "+"
		}
	}
}

// plainForm returns a phrase in lower case, each word without a final s.
func plainForm(s string) string {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return r == ' ' || r == '-' })
	for i, word := range words {
		if len(word) > 3 && !strings.HasSuffix(word, "ss") && !strings.HasSuffix(word, "us") {
			words[i] = strings.TrimSuffix(word, "s")
		}
	}
	return strings.Join(words, " ")
}

// suggestions returns the suggestions of the ended crawl.
func (w *withheld) suggestions(t *testing.T) (list []orbweaver.Suggestion) {
	t.Helper()
	a := &job.Job{Console: console.Console{Out: io.Discard, Err: io.Discard}}
	if err := verbs.Crawl(t.Context(), a, w.file); err != nil {
		t.Fatal(err)
	}
	err := inspect.AtRest(t.Context(), a, filepath.Join(filepath.Dir(w.file), "out"), func(b *inspect.Bench) (err error) {
		list, err = b.Suggestions(t.Context())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}
