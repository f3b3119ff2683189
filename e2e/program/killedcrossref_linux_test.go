//go:build e2e

package program_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver/internal/realdata"
	"orbweaver/ledger"
)

// TestKilledCrossReferencing kills a crawl that keeps learning, and begins with what was learned before, in all of its
// rounds. With one worker or eight, killed or not, it learns the same.
func TestKilledCrossReferencing(t *testing.T) {
	t.Parallel()
	data := realdata.File(t, "wikispeedia.warc.gz")
	folder := t.TempDir()
	if out, err := program(t, folder, "lab", "labels", "train", "--stream", filepath.Join(realdata.Root(t), "examples/demo.warc.gz"), "-o", "model").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	file := fmt.Sprintf(`web: {archive: %s}
focus: {crossref: {item: "http://wikispeedia.test/wiki/Capitalism.html", round: 10, model: %s}}
limits: {requests: 100}
output: crawl
`, data, filepath.Join(folder, "model"))
	crawls := map[string]string{"one worker": "workers: 1\n", "eight workers": "workers: 8\n", "killed": "workers: 4\n"}
	for name, workers := range crawls {
		crawls[name] = filepath.Join(folder, name)
		write(t, filepath.Join(crawls[name], "f.yaml"), file+workers)
	}
	crawlOn(t, crawls["one worker"])
	crawlOn(t, crawls["eight workers"])
	length, random := int64(len(read(t, filepath.Join(crawls["one worker"], "crawl", ledger.JournalFile)))), rand.New(rand.NewPCG(7, 1))
	killed := 0
	for range kills() {
		if stopSoon(t, crawls["killed"], length, random) {
			killed++
		} else if err := os.RemoveAll(filepath.Join(crawls["killed"], "crawl")); err != nil {
			t.Fatal(err)
		}
	}
	crawlOn(t, crawls["killed"])
	if killed < kills()/2 {
		t.Errorf("only %d times killed", killed)
	}
	for _, name := range []string{"eight workers", "killed"} {
		for _, file := range []string{ledger.JournalFile, "rounds.json", "model/items.state", "model/labels.model", "model/drift.jsonl"} {
			got, want := read(t, filepath.Join(crawls[name], "crawl", file)), read(t, filepath.Join(crawls["one worker"], "crawl", file))
			if !bytes.Equal(got, want) {
				t.Errorf("%s: %s is another: %s", name, file, difference(got, want))
			}
		}
	}
	if rounds := bytes.Count(read(t, filepath.Join(crawls["killed"], "crawl/rounds.json")), []byte(`"round"`)); rounds < 8 {
		t.Errorf("%d rounds", rounds)
	}
	drift := read(t, filepath.Join(crawls["killed"], "crawl/model/drift.jsonl"))
	if before := read(t, filepath.Join(folder, "model/drift.jsonl")); !bytes.HasPrefix(drift, before) || !strings.Contains(string(drift[len(before):]), "Capitalism.html") {
		t.Error("the log does not go on from that of the model")
	}
}
