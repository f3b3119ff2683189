//go:build e2e

package program_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"orbweaver/internal/realdata"

	"orbweaver/ledger"
)

// kills is how often a crawl is killed before it may end: ten times, with ORBWEAVER_EFFECT=all twenty times.
func kills() int {
	if allEffects() {
		return 20
	}
	return 10
}

// TestKilled crawls the demo web with two workers and an archive, kills the crawl with SIGKILL and
// goes on with it, many times. In the end all is as if nothing had happened.
func TestKilled(t *testing.T) {
	t.Parallel()
	examples := filepath.Join(realdata.Root(t), "examples")
	testKilled(t, fmt.Sprintf(`seeds: [http://tidings.example/, http://signpost.example/, http://wayfarer.example/]
web: {archive: %s}
focus: {ontology: {files: %s, target: "http://orbweaver.example/aircraft#Airplane"}}
`, filepath.Join(examples, "demo.warc.gz"), filepath.Join(examples, "aircraft.ttl")))
}

// TestKilledOnARealWeb is the same on a web of larger pages.
func TestKilledOnARealWeb(t *testing.T) {
	t.Parallel()
	data := realdata.Folder(t, "wikispeedia.warc.gz")
	testKilled(t, fmt.Sprintf(`seeds: [http://wikispeedia.test/wiki/Culture.html, http://wikispeedia.test/wiki/Science.html]
web: {archive: %s}
focus: {ontology: {files: %s, target: "http://example.org/computing#Computing"}}
limits: {requests: 600}
`, filepath.Join(data, "wikispeedia.warc.gz"), filepath.Join(realdata.Root(t), "examples/wikispeedia/computing.ttl")))
}

// TestKilledInLinkedData is the same of a crawl for RDF that learns from every outcome, and of whose pages
// the data is read by contexts.
func TestKilledInLinkedData(t *testing.T) {
	t.Parallel()
	testKilled(t, fmt.Sprintf(`seeds: [http://gazette.example/, http://stacks.example/]
web: {archive: %s}
scope: {hosts: [gazette.example, stacks.example, herbarium.example, vitrine.example, dataport.example, terms.example, schema.org]}
focus: {linked_data: {classifier: online, hosts: bandit}}
`, filepath.Join(realdata.Root(t), "examples/demo.warc.gz")))
}

// testKilled makes a crawl whole, and then the same crawl, many times killed, over what the first
// archived: a crawl's own archive is a web on which the same crawl is the same.
func testKilled(t *testing.T, file string) {
	file += "workers: 2\noutput: crawl\narchive: on\n"
	whole, killed := t.TempDir(), t.TempDir()
	write(t, filepath.Join(whole, "f.yaml"), file)
	crawlOn(t, whole)
	var own []string
	for line := range strings.Lines(file) {
		if strings.HasPrefix(line, "web:") {
			line = "web: {archive: " + filepath.Join(whole, "crawl/archive") + "}\n"
		}
		own = append(own, line)
	}
	write(t, filepath.Join(killed, "f.yaml"), strings.Join(own, ""))

	length := int64(len(read(t, filepath.Join(whole, "crawl", ledger.JournalFile))))
	random, over := rand.New(rand.NewPCG(20, 1)), 0
	for done := 0; done < kills(); {
		if killSoon(t, killed, length, random) {
			done++
			continue
		}
		// it was too fast: compare, and begin anew
		over++
		sameCrawl(t, filepath.Join(whole, "crawl"), filepath.Join(killed, "crawl"))
		if err := os.RemoveAll(filepath.Join(killed, "crawl")); err != nil {
			t.Fatal(err)
		}
	}
	crawlOn(t, killed)
	sameCrawl(t, filepath.Join(whole, "crawl"), filepath.Join(killed, "crawl"))
	if got, want := statementsOf(t, killed), statementsOf(t, whole); got != want || want == "n,graphs\r\n0,0\r\n" && strings.Contains(file, "linked_data") {
		t.Errorf("the pages say %q, want %q", got, want)
	}
	t.Logf("%d times killed; %d times over before the last", kills(), over)
}

// statementsOf counts what the pages of a crawl say.
func statementsOf(t *testing.T, folder string) string {
	t.Helper()
	out, err := program(t, folder, "query", "crawl", "--format", "csv", "SELECT (COUNT(*) AS ?n) (COUNT(DISTINCT ?g) AS ?graphs) { GRAPH ?g { ?s ?p ?o } }").Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}

// crawlOn runs a crawl to its end.
func crawlOn(t *testing.T, folder string) {
	t.Helper()
	c := program(t, folder, "crawl", "f.yaml")
	if out, err := c.CombinedOutput(); err != nil && c.ProcessState.ExitCode() != exitHostsDown {
		t.Fatalf("%v: %s", err, out)
	}
}

// killSoon goes on with a crawl and kills it: one time in three at one of the first changes to its
// folder, so while it is being opened, else when pages.jsonl has grown by a random length. It
// reports whether the crawl was killed; if not, it is over.
func killSoon(t *testing.T, folder string, length int64, random *rand.Rand) bool {
	t.Helper()
	output := filepath.Join(folder, "crawl")
	if err := os.MkdirAll(output, 0o777); err != nil {
		t.Fatal(err)
	}
	journal := filepath.Join(output, ledger.JournalFile)
	size := func() int64 {
		if stat, err := os.Stat(journal); err == nil {
			return stat.Size()
		}
		return 0
	}
	early, changes := random.IntN(3) == 0, 1+random.IntN(60)
	goal := size() + random.Int64N(length/int64(kills()))
	var told bytes.Buffer
	c := program(t, folder, "crawl", "f.yaml")
	c.Stdout, c.Stderr = &told, &told
	watching(t, output).until(t, c, syscall.SIGKILL, func(path string) bool {
		changes--
		return early && changes <= 0 || path == journal && size() > goal
	})
	if c.ProcessState.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL {
		return true
	}
	if !c.ProcessState.Success() {
		t.Fatalf("%v: %s", c.ProcessState, &told)
	}
	return false
}

// sameCrawl compares a crawl that was killed with one that was not, to the byte, and validates what
// it archived.
func sameCrawl(t *testing.T, whole, killed string) {
	t.Helper()
	for _, name := range []string{ledger.JournalFile, "archive/index.cdxj", "archive/crawl-00000.warc.gz"} {
		if got, want := read(t, filepath.Join(killed, name)), read(t, filepath.Join(whole, name)); !bytes.Equal(got, want) {
			t.Errorf("%s is another: %s", name, difference(got, want))
		}
	}
	var answered []string
	for line, err := range ledger.Lines(filepath.Join(killed, ledger.JournalFile)) {
		if err != nil {
			t.Fatal(err)
		}
		if line.Status != 0 {
			answered = append(answered, line.URL)
		}
	}
	archived, asides := answers(t, filepath.Join(killed, "archive")), map[string]int{}
	isAside := func(url string) bool { // a robots.txt, or a context, which may have been asked for as a page, too
		return strings.HasSuffix(url, "/robots.txt") || strings.HasPrefix(url, "https://schema.org/")
	}
	answered = slices.DeleteFunc(answered, func(url string) bool {
		if isAside(url) {
			asides[url]--
		}
		return isAside(url)
	})
	archived = slices.DeleteFunc(archived, func(url string) bool {
		if isAside(url) {
			asides[url]++
		}
		return isAside(url)
	})
	for url, times := range asides {
		if times > 1 {
			t.Errorf("%s is archived %d times beside the pages", url, times)
		}
	}
	if !slices.Equal(archived, answered) {
		t.Errorf("%d answers are archived, %d were decided", len(archived), len(answered))
	}
}

// difference shows where two files begin to differ.
func difference(got, want []byte) string {
	a, b := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	for i := range min(len(a), len(b)) {
		if !bytes.Equal(a[i], b[i]) {
			return fmt.Sprintf("line %d is\n%.300s\nwant\n%.300s", i+1, a[i], b[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(a), len(b))
}

// TestKilledAtTheEnd kills a crawl that is over, but for the index of its archive, its report and the
// like, at one change to its folder after the other. Each time the same command ends it as if nothing
// had happened.
func TestKilledAtTheEnd(t *testing.T) {
	t.Parallel()
	examples, folder := filepath.Join(realdata.Root(t), "examples"), t.TempDir()
	write(t, filepath.Join(folder, "f.yaml"), fmt.Sprintf(`seeds: [http://tidings.example/, http://signpost.example/, http://wayfarer.example/]
web: {archive: %s}
focus: {ontology: {files: %s, target: "http://orbweaver.example/aircraft#Airplane"}}
limits: {requests: 60}
archive: on
output: crawl
`, filepath.Join(examples, "demo.warc.gz"), filepath.Join(examples, "aircraft.ttl")))
	crawlOn(t, folder)
	crawl, whole := filepath.Join(folder, "crawl"), filepath.Join(t.TempDir(), "crawl")
	copyFiles(t, whole, crawl)
	killAt := func(over func(path string) bool) bool {
		c := program(t, folder, "crawl", "f.yaml")
		watching(t, crawl).until(t, c, syscall.SIGKILL, over)
		return c.ProcessState.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL
	}
	for n, killed := 1, true; killed; n += 1 + n/8 {
		changes := 0
		killed = killAt(func(string) bool { changes++; return changes == n })
	}
	for _, name := range []string{"archive/index.cdxj", "report.html"} {
		tries := 1
		for ; !killAt(func(path string) bool {
			return strings.HasPrefix(path, filepath.Join(crawl, name)) && !strings.HasSuffix(path, "index.cdxj.part")
		}); tries++ {
			if tries == 20 {
				t.Fatalf("never killed at a change to %s", name)
			}
		}
		if err := os.RemoveAll(filepath.Join(crawl, name)); err != nil {
			t.Error(err)
		}
	}
	crawlOn(t, folder)
	sameCrawl(t, whole, crawl)
	if _, err := os.Stat(filepath.Join(crawl, "report.html")); err != nil {
		t.Error(err)
	}
}

// copyFiles copies the files of a folder, and of those in it. A socket that a killed crawl left is none.
func copyFiles(t *testing.T, to, from string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			write(t, filepath.Join(to, strings.TrimPrefix(path, from)), string(read(t, path)))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
