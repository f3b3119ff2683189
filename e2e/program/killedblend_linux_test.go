//go:build e2e

package program_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"orbweaver/internal/realdata"
	"orbweaver/ledger"
)

// TestKilledBlend kills a crawl of a blend whose parts learn, one of them in rounds. With one worker or 32, killed or not,
// it is the same.
func TestKilledBlend(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	examples := filepath.Join(realdata.Root(t), "examples")
	file := fmt.Sprintf(`web: {archive: %s}
seeds: [http://skylines.example/, http://tidings.example/]
prefixes: {av: "http://orbweaver.example/aircraft#"}
focus:
  blend:
    combine: topic and (rdf or near)
    parts:
      - {name: topic, weight: 2, ontology: {files: %s, target: av:Airplane}}
      - {name: rdf, linked_data: {classifier: online}}
      - {name: near, role: guide, crossref: {item: http://skylines.example/types/a320.html, round: 20}}
limits: {requests: 250}
output: crawl
`, filepath.Join(examples, "demo.warc.gz"), filepath.Join(examples, "aircraft.ttl"))
	crawls := map[string]string{"one worker": "workers: 1\n", "32 workers": "workers: 32\n", "killed": "workers: 4\n"}
	for name, workers := range crawls {
		crawls[name] = filepath.Join(folder, name)
		write(t, filepath.Join(crawls[name], "f.yaml"), file+workers)
	}
	crawlOn(t, crawls["one worker"])
	crawlOn(t, crawls["32 workers"])
	length, random := int64(len(read(t, filepath.Join(crawls["one worker"], "crawl", ledger.JournalFile)))), rand.New(rand.NewPCG(22, 1))
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
	for _, name := range []string{"32 workers", "killed"} {
		for _, file := range []string{ledger.JournalFile, "parts/near/rounds.json"} {
			got, want := read(t, filepath.Join(crawls[name], "crawl", file)), read(t, filepath.Join(crawls["one worker"], "crawl", file))
			if !bytes.Equal(got, want) {
				t.Errorf("%s: %s is another: %s", name, file, difference(got, want))
			}
		}
	}
	lines := read(t, filepath.Join(crawls["killed"], "crawl", ledger.JournalFile))
	if n := len(regexp.MustCompile(`"accepted":true,("chance":[^,]*,)?"class":"rdf:R`).FindAll(lines, -1)); n < 5 {
		t.Errorf("%d documents of RDF accepted", n)
	}
}
