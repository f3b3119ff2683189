//go:build e2e

package program_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"orbweaver/internal/realdata"
	"orbweaver/ledger"
)

// A judged is a web for the judges of examples/external, with texts about anything, those of a breadth-first crawl, and
// twenty about a topic.
type judged struct {
	folder string            // has the folders background and positives, and truth.tsv without the twenty
	lines  string            // of the crawl file: seeds and web
	truth  []string          // lines of the truth
	texts  map[string]string // by URL
	topics []string
}

// python skips the test where there is no Python.
func python(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("there is no python3")
	}
}

// do runs orbweaver in the folder of a crawl.
func do(t *testing.T, folder string, args ...string) string {
	t.Helper()
	c := program(t, folder, args...)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("orbweaver %s: %v: %s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// judgedWeb makes the texts: of a whole web crawled breadth-first, and of the first background requests.
func judgedWeb(t *testing.T, lines, truth string, background int) *judged {
	t.Helper()
	python(t)
	j := &judged{folder: t.TempDir(), lines: lines, texts: map[string]string{}, truth: strings.SplitAfter(string(read(t, truth)), "\n")}
	breadth := lines + "focus: {breadth_first: {}}\n"
	write(t, filepath.Join(j.folder, "all.yaml"), breadth+"output: all\n")
	write(t, filepath.Join(j.folder, "some.yaml"), breadth+fmt.Sprintf("limits: {requests: %d}\noutput: some\n", background))
	for _, name := range []string{"all", "some"} {
		do(t, j.folder, "crawl", name+".yaml")
	}
	do(t, j.folder, "export", "all", "--format", "text", "-o", "texts")
	do(t, j.folder, "export", "some", "--format", "text", "-o", "background")
	entries, err := os.ReadDir(filepath.Join(j.folder, "texts"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text := string(read(t, filepath.Join(j.folder, "texts", e.Name())))
		_, after, _ := strings.Cut(text, "url: ")
		line, _, _ := strings.Cut(after, "\n")
		url, err := strconv.Unquote(line)
		if err != nil {
			t.Fatal(line, err)
		}
		j.texts[url] = text
	}
	for _, name := range []string{"all", "texts"} {
		if err := os.RemoveAll(filepath.Join(j.folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	return j
}

// draw makes twenty pages of topics, drawn with a seed, the positives, and leaves them out of the truth.
func (j *judged) draw(t *testing.T, seed uint64, topics ...string) {
	t.Helper()
	relevant := map[string]bool{}
	for _, line := range j.truth {
		url, topic, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if j.texts[url] != "" && slices.ContainsFunc(topics, func(t string) bool { return strings.HasPrefix(topic, t) }) {
			relevant[url] = true
		}
	}
	all := slices.Sorted(maps.Keys(relevant))
	rand.New(rand.NewPCG(seed, 1)).Shuffle(len(all), func(a, b int) { all[a], all[b] = all[b], all[a] })
	if err := os.RemoveAll(filepath.Join(j.folder, "positives")); err != nil {
		t.Fatal(err)
	}
	for i, url := range all[:20] {
		write(t, filepath.Join(j.folder, "positives", fmt.Sprint(i, ".txt")), j.texts[url])
	}
	rest := slices.DeleteFunc(slices.Clone(j.truth), func(line string) bool {
		url, _, _ := strings.Cut(line, "\t")
		return slices.Contains(all[:20], url)
	})
	write(t, filepath.Join(j.folder, "truth.tsv"), strings.Join(rest, ""))
	j.topics = topics
}

// demoJudged is the demo web, whose topic is aircraft.
func demoJudged(t *testing.T) *judged {
	t.Helper()
	examples := filepath.Join(realdata.Root(t), "examples")
	j := judgedWeb(t, "seeds: [http://tidings.example/, http://signpost.example/, http://wayfarer.example/]\nweb: {archive: "+
		filepath.Join(examples, "demo.warc.gz")+"}\n", filepath.Join(examples, "demo-truth.tsv"), 100)
	j.draw(t, 1, "aircraft")
	return j
}

// wikispeediaJudged is Wikispeedia, with the seeds of examples/wikispeedia.
func wikispeediaJudged(t *testing.T) *judged {
	t.Helper()
	data := realdata.Folder(t, "wikispeedia.warc.gz", "wikispeedia-topics.tsv")
	const wiki = "http://wikispeedia.test/wiki/"
	return judgedWeb(t, "seeds: ["+wiki+"Culture.html, "+wiki+"Science.html, "+wiki+"History.html, "+wiki+"Geography.html, "+wiki+"Technology.html]\nweb: {archive: "+
		filepath.Join(data, "wikispeedia.warc.gz")+"}\n", filepath.Join(data, "wikispeedia-topics.tsv"), 200)
}

// bayes is the focus with the naive Bayes of the examples.
func bayes(t *testing.T) string {
	t.Helper()
	return fmt.Sprintf("{external: {command: [python3, %s, positives, background]}}", filepath.Join(realdata.Root(t), "examples/external/bayes.py"))
}

// recalls compares focuses and returns the recall of each run after each of two numbers of requests, the higher last.
func (j *judged) recalls(t *testing.T, early, late int, runs map[string]string) map[string][2]float64 {
	t.Helper()
	file := j.lines + fmt.Sprintf("truth: {file: truth.tsv, topics: [%s]}\nlimits: {requests: %d}\nruns:\n", strings.Join(j.topics, ", "), late)
	for _, name := range slices.Sorted(maps.Keys(runs)) {
		file += fmt.Sprintf("  - {name: %s, focus: %s}\n", name, runs[name])
	}
	write(t, filepath.Join(j.folder, "compare.yaml"), file+"output: compared\n")
	do(t, j.folder, "compare", "compare.yaml")
	rows, err := csv.NewReader(strings.NewReader(string(read(t, filepath.Join(j.folder, "compared/comparison.csv"))))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][2]float64{}
	for _, row := range rows[1:] {
		requests, err1 := strconv.Atoi(row[1])
		recall, err2 := strconv.ParseFloat(row[slices.Index(rows[0], "recall")], 64)
		if err1 != nil || err2 != nil {
			t.Fatal(row)
		}
		at := found[row[0]]
		if requests <= early {
			at[0] = recall
		}
		at[1] = recall
		found[row[0]] = at
	}
	return found
}

// TestExternalBayes: the naive Bayes of the examples finds more of a topic of the demo web than breadth-first, and its
// reasons are there for judge, explain and the report.
func TestExternalBayes(t *testing.T) {
	t.Parallel()
	j := demoJudged(t)
	found := j.recalls(t, 75, 150, map[string]string{"bayes": bayes(t)})
	t.Logf("%v", found)
	if found["bayes"][1] < 0.6 || found["bayes"][1] < 2*found["breadth-first"][1] {
		t.Errorf("recall %v", found)
	}
	write(t, filepath.Join(j.folder, "f.yaml"), j.lines+"focus: "+bayes(t)+"\nlimits: {requests: 100}\noutput: crawl\n")
	told := do(t, j.folder, "crawl", "f.yaml")
	if strings.Contains(told, "have no answer") {
		t.Errorf("warned of a judge that answers: %s", told)
	}
	const url = "http://skylines.example/types/a320.html"
	for _, args := range [][]string{{"judge", "f.yaml", url}, {"explain", "crawl", "http://tidings.example/"}} {
		if out := do(t, j.folder, args...); !strings.Contains(out, "judge:word") {
			t.Errorf("%v: %s", args, out)
		}
	}
	if report := string(read(t, filepath.Join(j.folder, "crawl/report.html"))); !strings.Contains(report, "pages the judge answered") {
		t.Error("the report does not count answers")
	}
	write(t, filepath.Join(j.folder, "g.yaml"), j.lines+"focus: {external: {command: [/nowhere/judge]}}\noutput: other\n")
	status, _, stderr := execute(t, "crawl", filepath.Join(j.folder, "g.yaml"))
	if _, err := os.Stat(filepath.Join(j.folder, "other")); status != exitInput || err == nil || !strings.Contains(stderr, "focus.external.command: the judge cannot run") {
		t.Errorf("without a judge: %d, %v, %s", status, err, stderr)
	}
}

// TestExamplesOfExternal: the commands of examples/external/README.md work as they stand, and give a crawl that finds planes.
func TestExamplesOfExternal(t *testing.T) {
	python(t)
	root := realdata.Root(t)
	folder := project(t)
	if err := os.CopyFS(filepath.Join(folder, "examples/external"), os.DirFS(filepath.Join(root, "examples/external"))); err != nil {
		t.Fatal(err)
	}
	_, script, _ := strings.Cut(string(read(t, "examples/external/README.md")), "```sh\n")
	script, _, _ = strings.Cut(script, "```")
	if ran, _ := runScript(t, script, inProcess(t)); ran != 6 {
		t.Errorf("%d commands", ran)
	}
	planes, pages := 0, 0
	for line, err := range ledger.Lines("crawls/mine/pages.jsonl") {
		if err != nil {
			t.Fatal(err)
		}
		if line.Accepted {
			pages++
			planes += strings.Count(line.URL, "skylines.example/")
		}
	}
	if planes < 10 || pages < planes {
		t.Errorf("%d of %d accepted pages are of skylines.example", planes, pages)
	}
}

// TestExternalModel: the example for language models asks a server as ollama is one, and says what goes wrong.
func TestExternalModel(t *testing.T) {
	t.Parallel()
	python(t)
	asked, busy := 0, 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			Model    string
			Messages []struct{ Role, Content string }
		}
		content, _ := io.ReadAll(r.Body)
		if err := json.Unmarshal(content, &body); err != nil || r.URL.Path != "/v1/chat/completions" || body.Model != "small" || len(body.Messages) != 2 {
			t.Errorf("%s: %v: %s", r.URL, err, content)
			return
		}
		asked++
		page := body.Messages[1].Content
		said := `{"score": 0.1, "why": "no plane", "links": {}}`
		switch {
		case strings.HasPrefix(page, "Title: Signpost, the directory of"):
			if busy++; busy <= 2 { // it is asked again
				w.Header().Set("Retry-After", "0")
				w.WriteHeader(http.StatusTooManyRequests)
				return
			}
		case strings.HasPrefix(page, "Title: Tidings, news from everywhere"):
			said = "I think it is a nice page."
		case strings.HasPrefix(page, "Title: Wayfarer"):
			said = "Of course!\n```json\n" + said + "\n```\n"
		case strings.Contains(page, "plane"):
			said = `{"score": 0.9, "why": "it names planes", "links": {"0": 0.8, "1000": 1, "all": 1}}`
		}
		reply := map[string]any{"choices": []any{map[string]any{"message": map[string]any{"content": said}}}, "usage": map[string]any{"total_tokens": 50}}
		if err := json.NewEncoder(w).Encode(reply); err != nil {
			t.Error(err)
		}
	}))
	defer server.Close()
	folder := t.TempDir()
	examples := filepath.Join(realdata.Root(t), "examples")
	write(t, filepath.Join(folder, "f.yaml"), fmt.Sprintf(`seeds: [http://tidings.example/, http://signpost.example/, http://wayfarer.example/]
web: {archive: %s}
focus:
  external:
    command: [python3, %s, %s/v1/chat/completions, small, airplanes]
    env: {no_proxy: "*"}
    cost: 1000
limits: {requests: 40}
output: crawl
`, filepath.Join(examples, "demo.warc.gz"), filepath.Join(examples, "external/llm.py"), server.URL))
	do(t, folder, "crawl", "f.yaml")
	whys := map[string]int{}
	accepted := 0
	for line, err := range ledger.Lines(filepath.Join(folder, "crawl", ledger.JournalFile)) {
		if err != nil {
			t.Fatal(err)
		}
		if line.Accepted {
			accepted++
		}
		for _, r := range line.Reasons {
			if r.Rule != "threshold" {
				why, _, _ := strings.Cut(r.Rule+" "+strings.ReplaceAll(r.Evidence, server.URL, ""), " value")
				whys[why]++
			}
		}
	}
	if whys["no-answer the judge says: /v1/chat/completions: status 429"] != 0 || busy < 2 || whys["not-asked the budget of cost, 1000, is spent"] == 0 ||
		whys["judge:model it names planes"] == 0 || whys["judge:model no plane"] == 0 || accepted != whys["judge:model it names planes"] {
		t.Errorf("%d accepted: %v", accepted, whys)
	}
	useless := whys["no-answer the judge says: the model's answer is of no use: JSONDecodeError Expecting"]
	if useless == 0 || asked != 20+2+useless { // 1000 tokens, 50 an answer; a page without an answer costs nothing
		t.Errorf("asked %d times: %v", asked, whys)
	}
}
