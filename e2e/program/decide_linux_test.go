//go:build e2e

package program_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"orbweaver"
	"orbweaver/internal/realdata"
	"orbweaver/ledger"
	"orbweaver/server"
)

// A decider decides what the crawl of a folder suggests, by a verb and, behind the id, arguments.
type decider struct {
	kind string // of the suggestion that is decided: the best one
	verb string
	args []string
}

// TestDecided accepts and refuses suggestions of a crawl of the demo web in the middle of runs that are
// then killed, and makes the same crawl again.
func TestDecided(t *testing.T) {
	examples := filepath.Join(realdata.Root(t), "examples")
	testDecided(t, filepath.Join(examples, "aircraft.ttl"), fmt.Sprintf(`seeds: [http://tidings.example/, http://signpost.example/, http://wayfarer.example/]
web: {archive: %s}
`, filepath.Join(examples, "demo.warc.gz")), "http://orbweaver.example/aircraft#Airplane", []decider{
		{orbweaver.SuggestWord, "accept", []string{"--as", "entry", "Airplane"}},
		{orbweaver.SuggestWord, "accept", []string{"--as", "subclass", "Airplane"}},
		{orbweaver.SuggestPair, "reject", nil},
		{orbweaver.SuggestPair, "accept", []string{"--as", "property", "Airplane", "Airport", "--text", "lands at"}},
		{orbweaver.SuggestWord, "accept", []string{"--as", "instance", "Airplane"}},
	})
}

// TestDecidedOnARealWeb is the same on a web of larger pages.
func TestDecidedOnARealWeb(t *testing.T) {
	data := realdata.Folder(t, "wikispeedia.warc.gz")
	testDecided(t, filepath.Join(realdata.Root(t), "examples/wikispeedia/computing.ttl"), fmt.Sprintf(`seeds: [http://wikispeedia.test/wiki/Culture.html, http://wikispeedia.test/wiki/Science.html]
web: {archive: %s}
limits: {requests: 600}
`, filepath.Join(data, "wikispeedia.warc.gz")), "http://example.org/computing#Computing", []decider{
		{orbweaver.SuggestWord, "accept", []string{"--as", "entry", "Computing"}},
		{orbweaver.SuggestWord, "reject", nil},
		{orbweaver.SuggestWord, "accept", []string{"--as", "subclass", "Computing"}},
	})
}

// testDecided makes a crawl, in each session of which something is decided before it is killed; and then
// the same crawl again, of its decisions and its ontology as it was, with other numbers of workers and
// killed at other times. All have the same pages.jsonl.
func testDecided(t *testing.T, ontology, file, target string, deciders []decider) {
	before := read(t, ontology)
	undecided, decided := t.TempDir(), t.TempDir()
	withFocus := func(folder, ontology, more string) {
		write(t, filepath.Join(folder, "f.yaml"), file+fmt.Sprintf("focus: {ontology: {files: %s, target: %q}}\noutput: crawl\n", ontology, target)+more)
	}
	withFocus(undecided, ontology, "")
	crawlOn(t, undecided)
	plain := read(t, filepath.Join(undecided, "crawl", ledger.JournalFile))

	own, random := filepath.Join(decided, "own.ttl"), rand.New(rand.NewPCG(4, 3))
	withFocus(decided, own, "workers: 2\n")
	for tries := 1; ; tries++ {
		write(t, own, string(before))
		if decideAll(t, decided, deciders, int64(len(plain)), random) {
			break
		}
		if tries == 20 {
			t.Fatalf("the crawl was over before it could be met %d times", tries)
		}
		if err := os.RemoveAll(filepath.Join(decided, "crawl")); err != nil {
			t.Fatal(err)
		}
	}
	crawlOn(t, decided)
	crawl := filepath.Join(decided, "crawl")
	want := read(t, filepath.Join(crawl, ledger.JournalFile))
	if bytes.Equal(want, plain) {
		t.Error("what was decided made no difference: nothing is shown by this test")
	}
	grown(t, own, before)

	kept := filepath.Join(crawl, "ontology", "01-own.ttl")
	if got := read(t, kept); !bytes.Equal(got, before) {
		t.Errorf("the ontology was not kept as it was: %s", difference(got, before))
	}
	decisions := filepath.Join(crawl, "decisions.jsonl")
	if n := bytes.Count(read(t, decisions), []byte("\n")); n != len(deciders) {
		t.Errorf("%d decisions are written, %d were made", n, len(deciders))
	}
	for _, workers := range []int{1, 2, 7} {
		again := t.TempDir()
		withFocus(again, kept, fmt.Sprintf("decisions: %s\nworkers: %d\n", decisions, workers))
		for range workers % 3 { // with 2 workers it is killed twice, with one or seven once
			killSoon(t, again, int64(len(want))*int64(kills()), random)
		}
		crawlOn(t, again)
		if got := read(t, filepath.Join(again, "crawl", ledger.JournalFile)); !bytes.Equal(got, want) {
			t.Errorf("again, with %d workers: %s", workers, difference(got, want))
		}
		user := terminal{t, again}
		user.run(exitDone, "suggestions", "reject", "crawl", user.first(orbweaver.SuggestWord)) // at rest, after the same decisions
		got, ok := bytes.CutPrefix(read(t, filepath.Join(again, "crawl", "decisions.jsonl")), read(t, decisions))
		if !ok || bytes.Count(got, []byte("\n")) != 1 {
			t.Errorf("again, with %d workers, and one decision more: %s", workers, got)
		}
	}
}

// decideAll starts a crawl once for each decision; false when it was over too soon.
func decideAll(t *testing.T, folder string, deciders []decider, length int64, random *rand.Rand) bool {
	t.Helper()
	for i, d := range deciders {
		at := length * int64(3+i) / 12 // from a quarter on there is something to decide
		if !decideAndKill(t, folder, d, at, random.Int64N(length/24)) {
			return false
		}
	}
	return true
}

// decideAndKill goes on with a crawl, decides something when pages.jsonl has a length, and kills it when
// that has grown by some more; false when the crawl was over before.
func decideAndKill(t *testing.T, folder string, d decider, at, more int64) bool {
	t.Helper()
	output := filepath.Join(folder, "crawl")
	if err := os.MkdirAll(output, 0o777); err != nil {
		t.Fatal(err)
	}
	journal := filepath.Join(output, ledger.JournalFile)
	size := func() int64 {
		stat, err := os.Stat(journal)
		if err != nil {
			return 0
		}
		return stat.Size()
	}
	user := terminal{t, folder}
	c := program(t, folder, "crawl", "f.yaml")
	var told bytes.Buffer
	c.Stdout, c.Stderr = &told, &told
	decided, goal := false, int64(0)
	watching(t, output).until(t, c, syscall.SIGKILL, func(string) bool {
		if !decided && size() >= at { // the session before may have left more than that: it may not listen yet
			decided = whilePaused(t, output, func() { user.decide(d) })
			goal = size() + more
		}
		return decided && size() >= goal
	})
	if !decided && !c.ProcessState.Success() {
		t.Fatalf("%v: %s", c.ProcessState, &told)
	}
	return decided
}

// whilePaused does something while a crawl is paused; false when no crawl runs.
func whilePaused(t *testing.T, output string, do func()) bool {
	t.Helper()
	ctx := context.Background()
	c, err := server.Dial(output)
	if err == nil {
		defer c.Close()
		err = c.Pause(ctx)
	}
	if errors.Is(err, server.ErrNoCrawl) {
		return false
	}
	if err != nil {
		t.Fatal(err)
	}
	do()
	if err := c.Resume(ctx); err != nil {
		t.Fatal(err)
	}
	return true
}

// suggestions are those of the crawl in the user's folder.
func (u terminal) suggestions() (list []orbweaver.Suggestion) {
	u.t.Helper()
	if err := json.Unmarshal([]byte(u.run(exitDone, "suggestions", "crawl", "--format", "json")), &list); err != nil {
		u.t.Fatal(err)
	}
	return list
}

// first is the id of the best suggestion of a kind.
func (u terminal) first(kind string) string {
	u.t.Helper()
	list := u.suggestions()
	i := slices.IndexFunc(list, func(s orbweaver.Suggestion) bool { return s.Kind == kind })
	if i < 0 {
		u.t.Fatalf("no %s is suggested", kind)
	}
	return list[i].ID
}

// decide decides the best suggestion of a kind, which is not suggested again.
func (u terminal) decide(d decider) {
	u.t.Helper()
	id := u.first(d.kind)
	u.run(exitDone, append([]string{"suggestions", d.verb, "crawl", id}, d.args...)...)
	if slices.ContainsFunc(u.suggestions(), func(s orbweaver.Suggestion) bool { return s.ID == id }) {
		u.t.Errorf("%s is suggested again", id)
	}
}

// grown makes sure that a file has new lines at its end, and is what it was before them.
func grown(t *testing.T, path string, before []byte) {
	t.Helper()
	after := read(t, path)
	if more, ok := bytes.CutPrefix(after, before); !ok || len(bytes.TrimSpace(more)) == 0 || bytes.Contains(more, []byte("@prefix")) {
		t.Errorf("%s is another: %s", filepath.Base(path), difference(after, before))
	}
}

// restingCrawl is the folder of a crawl of the demo web that is at rest, and its user.
func restingCrawl(t *testing.T, ontology, content, focus string) terminal {
	t.Helper()
	folder := t.TempDir()
	write(t, filepath.Join(folder, ontology), content)
	write(t, filepath.Join(folder, "f.yaml"), fmt.Sprintf(`seeds: [http://tidings.example/, http://signpost.example/, http://wayfarer.example/]
web: {archive: %s}
focus: %s
limits: {requests: 200}
output: crawl
`, filepath.Join(realdata.Root(t), "examples/demo.warc.gz"), focus))
	crawlOn(t, folder)
	return terminal{t, folder}
}

// aircraft is the ontology focus of a file.
func aircraft(file string) string {
	return fmt.Sprintf(`{ontology: {files: %s, target: "http://orbweaver.example/aircraft#Airplane"}}`, file)
}

// refuses runs a command that decides nothing: exit status 2, a line that says why, no file another.
func (u terminal) refuses(want string, args ...string) {
	u.t.Helper()
	before := withoutLedgers(tree(u.t, u.folder))
	told := u.run(exitInput, args...)
	if !strings.Contains(told, want) || strings.Count(told, "\n") > 2 {
		u.t.Errorf("%v: told was %q, want %q", args, told, want)
	}
	if after := withoutLedgers(tree(u.t, u.folder)); after != before {
		u.t.Errorf("%v: something was written:\n%s\nwas\n%s", args, after, before)
	}
}

// TestDecideAtRest: a crawl that does not run is told, and what makes no sense is refused.
func TestDecideAtRest(t *testing.T) {
	t.Parallel()
	before := read(t, filepath.Join(realdata.Root(t), "examples/aircraft.ttl"))
	user := restingCrawl(t, "own.ttl", string(before), aircraft("own.ttl"))
	word, pair := user.first(orbweaver.SuggestWord), user.first(orbweaver.SuggestPair)
	user.says("orbweaver suggestions accept crawl "+word+" --as entry ", exitDone, "suggestions", "crawl")

	user.refuses("no suggestion 00000000 among the 200 of crawl", "suggestions", "accept", "crawl", "00000000", "--as", "entry", "Airplane")
	user.refuses("no suggestion 00000000 among the 200 of crawl", "suggestions", "reject", "crawl", "00000000")
	user.refuses("orbweaver: Glidr is not in the ontology; near are http://orbweaver.example/aircraft#Glider", "suggestions", "accept", "crawl", word, "--as", "entry", "Glidr")
	user.refuses("Airprt is not in the ontology; near are http://orbweaver.example/aircraft#Airport", "suggestions", "accept", "crawl", word, "--as", "property", "Airplane", "Airprt")
	user.refuses("#flies is no class but a property", "suggestions", "accept", "crawl", word, "--as", "subclass", "flies")
	user.refuses("#Lufthansa is no class but an instance", "suggestions", "accept", "crawl", word, "--as", "instance", "Lufthansa")
	user.refuses(`"plane" names http://orbweaver.example/aircraft#Airplane already`, "suggestions", "accept", "crawl", word, "--as", "entry", "Airplane", "--text", "plane")
	user.refuses("has no words of its own: say them with --text", "suggestions", "accept", "crawl", pair, "--as", "property", "Airplane", "Airport")
	user.refuses("--as is entry, subclass, instance, property or broader, not \"word\"", "suggestions", "accept", "crawl", word, "--as", "word", "Airplane")
	user.refuses("want two entities, domain and range, have 1", "suggestions", "accept", "crawl", word, "--as", "property", "Airplane")

	own := filepath.Join(user.folder, "own.ttl")
	if err := os.Chmod(own, 0o444); err != nil {
		t.Fatal(err)
	}
	user.refuses("own.ttl is read-only: nothing was decided", "suggestions", "accept", "crawl", word, "--as", "entry", "Airplane")
	if err := os.Chmod(own, 0o644); err != nil {
		t.Fatal(err)
	}
	user.says(word+" is accepted, after 200 requests. Statements added to own.ttl: 1\n", exitDone, "suggestions", "accept", "crawl", strings.ToUpper(word), "--as", "entry", "Airplane")
	grown(t, own, before)
	user.refuses(word+" was decided before, after 200 requests: it is accepted as entry", "suggestions", "accept", "crawl", word, "--as", "entry", "Airplane")
	user.refuses(word+" was decided before", "suggestions", "reject", "crawl", word)
	user.says(pair+" is refused", exitDone, "suggestions", "reject", "crawl", pair)
	user.refuses(pair+" was decided before, after 200 requests: it is refused", "suggestions", "reject", "crawl", pair)
	user.says("crawl: ended: limit of requests", exitDone, "status", "crawl")
}

// TestDecideWithACompanion: an ontology in RDF/XML stays as it is, and what is added stands beside it.
func TestDecideWithACompanion(t *testing.T) {
	t.Parallel()
	const content = `<?xml version="1.0"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#"
    xmlns:owl="http://www.w3.org/2002/07/owl#" xml:base="http://orbweaver.example/aircraft">
  <owl:Class rdf:about="#Airplane"><rdfs:label xml:lang="en">airplane</rdfs:label><rdfs:label xml:lang="en">aircraft</rdfs:label></owl:Class>
</rdf:RDF>
`
	user := restingCrawl(t, "own.rdf", content, aircraft("own.rdf"))
	own, word := filepath.Join(user.folder, "own.rdf"), user.first(orbweaver.SuggestWord)
	if err := os.Chmod(own, 0o444); err != nil { // it need not be written
		t.Fatal(err)
	}
	user.says("For later crawls, name own.rdf.additions.ttl in the crawl file", exitDone, "suggestions", "accept", "crawl", word, "--as", "subclass", "Airplane", "--text", "kite")
	if got := string(read(t, own)); got != content {
		t.Errorf("own.rdf is another: %s", got)
	}
	if got := string(read(t, own+".additions.ttl")); !strings.Contains(got, "<http://orbweaver.example/Kite>") && !strings.Contains(got, "aircraft#Kite>") {
		t.Errorf("added was %s", got)
	}
	write(t, filepath.Join(user.folder, "both.yaml"), strings.NewReplacer("own.rdf", "[own.rdf, own.rdf.additions.ttl]", "output: crawl", "output: both").
		Replace(string(read(t, filepath.Join(user.folder, "f.yaml")))))
	user.run(exitDone, "crawl", "both.yaml")
	user.says("Statements added to own.rdf.additions.ttl: 1\n", exitDone, "suggestions", "accept", "both", user.firstOf("both"), "--as", "entry", "Kite")
}

// TestDecideOfFocusesThatSuggestNothing, running or not.
func TestDecideOfFocusesThatSuggestNothing(t *testing.T) {
	t.Parallel()
	user := restingCrawl(t, "notes.txt", "", "{keyword: {terms: [airplane]}}")
	for _, args := range [][]string{{"suggestions", "crawl"}, {"suggestions", "accept", "crawl", "00000000", "--as", "entry", "Airplane"}, {"suggestions", "reject", "crawl", "00000000"}} {
		user.refuses("the keyword focus makes no suggestions", args...)
	}
	user.refuses("nowhere: no such folder", "suggestions", "nowhere")
	user.refuses("--format is table or json", "suggestions", "crawl", "--format", "xml")
}

// TestDecideWithRelativeIRIs: an ontology whose IRIs depend on where it lies is the same to a crawl that is
// gone on with after a decision, and to one that is made again.
func TestDecideWithRelativeIRIs(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	content := strings.Replace(string(read(t, filepath.Join(realdata.Root(t), "examples/aircraft.ttl"))), "<http://orbweaver.example/aircraft#>", "<#>", 1)
	target := "file://" + filepath.Join(folder, "own.ttl") + "#Airplane"
	file := func(name, ontology, more string) {
		write(t, filepath.Join(folder, name+".yaml"), fmt.Sprintf("seeds: [http://tidings.example/]\nweb: {archive: %s}\nfocus: {ontology: {files: %s, target: %q}}\noutput: %s\n%s",
			filepath.Join(realdata.Root(t), "examples/demo.warc.gz"), ontology, target, name, more))
	}
	write(t, filepath.Join(folder, "own.ttl"), content)
	file("crawl", "own.ttl", "limits: {requests: 100}\n")
	user := terminal{t, folder}
	user.run(exitDone, "crawl", "crawl.yaml")
	user.run(exitDone, "suggestions", "accept", "crawl", user.first(orbweaver.SuggestWord), "--as", "entry", "Airplane")
	file("crawl", "own.ttl", "limits: {requests: 250}\n")
	write(t, filepath.Join(folder, "own.ttl"), content+"av:Airplane rdfs:label \"garden\"@en .\n") // for crawls to come
	user.run(exitDone, "crawl", "crawl.yaml")
	file("again", "crawl/ontology/01-own.ttl.nt", "limits: {requests: 250}\ndecisions: crawl/decisions.jsonl\n")
	user.run(exitDone, "crawl", "again.yaml")
	want, got := read(t, filepath.Join(folder, "crawl", ledger.JournalFile)), read(t, filepath.Join(folder, "again", ledger.JournalFile))
	if !bytes.Equal(got, want) {
		t.Errorf("again: %s", difference(got, want))
	}
	user.refuses("what a crawl keeps of its ontology as it was", "suggestions", "accept", "again", user.firstOf("again"), "--as", "entry", "Airplane")
}

// firstOf is the id of the best suggestion of a crawl.
func (u terminal) firstOf(crawl string) string {
	u.t.Helper()
	var list []orbweaver.Suggestion
	if err := json.Unmarshal([]byte(u.run(exitDone, "suggestions", crawl, "--format", "json")), &list); err != nil || len(list) == 0 {
		u.t.Fatalf("%d suggestions, %v", len(list), err)
	}
	return list[0].ID
}
