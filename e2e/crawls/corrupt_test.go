//go:build e2e

package crawls_test

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/crawl"
	"orbweaver/internal/realdata"
)

// crawled makes a crawl folder "demo" in a new working directory, with all kinds of files that an ontology crawl of an archive
// leaves, and returns the paths of these files.
func custodyCrawled(t *testing.T, limit string) []string {
	t.Helper()
	root := realdata.Root(t)
	t.Chdir(t.TempDir())
	for _, name := range []string{"demo.warc.gz", "aircraft.ttl"} {
		copyFile(t, filepath.Join(root, "examples", name), name)
	}
	text := `seeds: [http://tidings.example/, http://signpost.example/, http://wayfarer.example/]
web: {archive: demo.warc.gz}
focus: {ontology: {files: aircraft.ttl, target: "http://orbweaver.example/aircraft#Airplane"}}
archive: on
output: demo
` + limit
	if err := os.WriteFile("demo.yaml", []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	c, err := crawl.Load("demo.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Pages(t.Context(), crawl.PageQuery{}); err != nil { // opens the ledger again: tables beside logs
		t.Fatal(err)
	}
	return filesBelow(t, "demo")
}

func filesBelow(t *testing.T, dir string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	b, err := os.ReadFile(from)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(to), 0o777)
	}
	if err == nil {
		err = os.WriteFile(to, b, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func copyFolder(t *testing.T, from, to string) {
	t.Helper()
	if err := os.RemoveAll(to); err != nil {
		t.Fatal(err)
	}
	for _, file := range filesBelow(t, from) {
		copyFile(t, file, to+strings.TrimPrefix(file, from))
	}
}

// corrupt damages a file in a way that a seed chooses, and says how.
func corrupt(t *testing.T, path string, random *rand.Rand) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	how := random.IntN(4)
	if len(b) == 0 {
		how = 3
	}
	said := ""
	switch how {
	case 0:
		at, bit := random.IntN(len(b)), random.IntN(8)
		b[at] ^= 1 << bit
		said = fmt.Sprintf("bit %d of byte %d of %d flipped", bit, at, len(b))
	case 1:
		n := random.IntN(len(b))
		said = fmt.Sprintf("cut at %d of %d", n, len(b))
		b = b[:n]
	case 2:
		at, n := random.IntN(len(b)), []int{16, 512, 4096}[random.IntN(3)]
		clear(b[at:min(len(b), at+n)])
		said = fmt.Sprintf("%d bytes zeroed at %d of %d", n, at, len(b))
	case 3:
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		return "deleted"
	}
	if err := os.WriteFile(path, b, 0o666); err != nil {
		t.Fatal(err)
	}
	return said
}

// compared are the files that must have the same bytes after a repair as before the damage.
func compared() []string {
	return []string{"pages.jsonl", "crawl.yaml", "report.html", "archive/index.cdxj", "archive/index.cdxj.part", "archive/demo-00000.warc.gz"}
}

// differing returns those of compared that differ from the pristine ones.
func differing(t *testing.T) (names []string) {
	t.Helper()
	for _, name := range compared() {
		want, err := os.ReadFile(filepath.Join("pristine", name))
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(filepath.Join("demo", name)); !bytes.Equal(timeless(got), timeless(want)) {
			names = append(names, name)
		}
	}
	return names
}

// timeless is a file without how long the crawl took, and without the seal over it.
func timeless(b []byte) []byte {
	return regexp.MustCompile(`<bdi>[\d.]+ ?m?s</bdi>|<!-- sha256:.*|<bdi>[\d.]+ ?m?s`).ReplaceAll(b, nil)
}

// databaseWords are words of the database's own errors and of Go's panics, which no user reads.
func databaseWords(text string) bool {
	for _, word := range []string{"pebble", "goroutine", "panic", "WAL", "memtable", "key=value", "internal/"} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// TestCorruptions damages one file of a crawl folder after another, at random. Each damage is repaired, to the same bytes, or
// refused with the file named, and the folder left as it was; what is not seen has changed nothing that a crawl or a reader uses.
// Every fourth time the archive that was crawled is gone, as for a crawl of the live Web. ORBWEAVER_CORRUPTIONS says how many.
func TestCorruptions(t *testing.T) {
	many := 40
	if n, err := strconv.Atoi(os.Getenv("ORBWEAVER_CORRUPTIONS")); err == nil {
		many = n
	}
	files := custodyCrawled(t, "limits: {pages: 120}\n")
	copyFolder(t, "demo", "pristine")
	web, err := strconv.Atoi(cmp.Or(os.Getenv("ORBWEAVER_CORRUPTIONS_SEED"), "24"))
	if err != nil {
		t.Fatal(err)
	}
	tally := map[string]int{}
	for seed := range many {
		random := rand.New(rand.NewPCG(uint64(seed), uint64(web)))
		copyFolder(t, "pristine", "demo")
		file := files[random.IntN(len(files))]
		said := fmt.Sprintf("seed %d: %s: %s", seed, file, corrupt(t, file, random))
		gone := seed%4 == 3
		if gone {
			if err := os.Rename("demo.warc.gz", "gone.warc.gz"); err != nil {
				t.Fatal(err)
			}
		}
		outcome := custodyOf(t, strings.TrimPrefix(filepath.ToSlash(file), "demo/"), said, gone)
		tally[outcome]++
		t.Logf("%s: %s", said, outcome)
		if gone {
			if err := os.Rename("gone.warc.gz", "demo.warc.gz"); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Logf("%d corruptions: %v", many, tally)
}

// custodyOf checks and repairs the folder, and returns what came of it.
func custodyOf(t *testing.T, file, said string, gone bool) string {
	t.Helper()
	found, err := crawl.Check(t.Context(), "demo")
	if err != nil {
		if !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "demo") || databaseWords(err.Error()) {
			t.Errorf("%s: check: %v", said, err)
		}
		return "refused"
	}
	names := func(faults []crawl.Fault) bool {
		return slices.ContainsFunc(faults, func(f crawl.Fault) bool {
			return f.File == file || strings.HasPrefix(file, "ledger/") && strings.HasPrefix(f.File, "ledger")
		})
	}
	if len(found.Faults) > 0 && !names(found.Faults) || databaseWords(fmt.Sprint(found.Faults)) {
		t.Errorf("%s: found %v", said, found.Faults)
	}
	done, err := crawl.Repair(t.Context(), "demo")
	switch {
	case err != nil:
		t.Errorf("%s: repair: %v", said, err)
		return "failed"
	case len(done.After.Faults) == 0:
		other := differing(t)
		if gone && strings.Contains(fmt.Sprint(done.Done), "report.html from the ledger, without truth and suggestions: ") {
			other = slices.DeleteFunc(other, func(name string) bool { return name == "report.html" })
		}
		if len(other) > 0 {
			t.Errorf("%s: after the repair %v differ; done: %v", said, other, done.Done)
		}
		sameCounts(t, said, done.After)
		readsAll(t, said)
		if !gone {
			goesOn(t, said)
		}
		if len(found.Faults) == 0 {
			return "unseen, and harmless"
		}
		return "repaired"
	case !gone || !names(done.After.Faults) || len(done.Refused) == 0 || databaseWords(fmt.Sprint(done)):
		t.Errorf("%s: not repaired: %v, %v", said, done.After.Faults, done.Refused)
	}
	return "refused"
}

// sameCounts checks the numbers of a report against those of the pristine folder.
func sameCounts(t *testing.T, said string, now *crawl.CheckReport) {
	t.Helper()
	was, err := crawl.Check(t.Context(), "pristine")
	if err != nil || len(was.Faults) > 0 {
		t.Fatalf("pristine: %+v, %v", was, err)
	}
	if now.Requests != was.Requests || now.Waiting != was.Waiting || now.Records != was.Records || now.Answers != was.Answers {
		t.Errorf("%s: %d requests, %d waiting, %d records, %d answers; want %d, %d, %d, %d", said,
			now.Requests, now.Waiting, now.Records, now.Answers, was.Requests, was.Waiting, was.Records, was.Answers)
	}
}

// goesOn crawls again: the crawl is over, and nothing may change; then the folder is whole still.
func goesOn(t *testing.T, said string) {
	t.Helper()
	c, err := crawl.Load("demo.yaml")
	if err == nil {
		_, err = c.Run(t.Context())
	}
	if err != nil {
		t.Errorf("%s: crawled again: %v", said, err)
		return
	}
	if other := differing(t); len(other) > 0 {
		t.Errorf("%s: crawled again, %v differ", said, other)
	}
	after, err := crawl.Check(t.Context(), "demo")
	if err != nil || len(after.Faults) > 0 {
		t.Errorf("%s: crawled again: %v, %v", said, after, err)
	}
}

// readsAll reads the whole crawl as a user does.
func readsAll(t *testing.T, said string) {
	t.Helper()
	c, err := crawl.Open("demo")
	if err != nil {
		t.Errorf("%s: %v", said, err)
		return
	}
	n := 0
	for _, err := range c.AllPages(t.Context(), crawl.PageQuery{Failed: true}) {
		if n++; err != nil {
			t.Errorf("%s: %v", said, err)
			return
		}
	}
	if n < 120 {
		t.Errorf("%s: %d pages", said, n)
	}
}

// TestRepairGoesOn: a repair that was killed is done by the next one, whatever it had moved.
func TestRepairGoesOn(t *testing.T) {
	custodyCrawled(t, "limits: {pages: 120}\n")
	copyFolder(t, "demo", "pristine")
	for moved := range 3 {
		copyFolder(t, "pristine", "demo")
		if err := os.RemoveAll("demo/ledger"); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir("demo/damaged", 0o777); err != nil { // as a repair leaves it that was killed while it moved files
			t.Fatal(err)
		}
		for _, name := range []string{"pages.jsonl", "archive"}[:moved] {
			if err := os.Rename("demo/"+name, "demo/damaged/"+name); err != nil {
				t.Fatal(err)
			}
		}
		done, err := crawl.Repair(t.Context(), "demo")
		if err != nil || len(done.After.Faults) > 0 {
			t.Fatalf("%d moved: %v, %v", moved, done, err)
		}
		if other := differing(t); len(other) > 0 {
			t.Errorf("%d moved: %v differ", moved, other)
		}
		if _, err := os.Stat("demo/damaged"); err == nil {
			t.Error("the damaged files are there still")
		}
	}
}
