package cli

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver/internal/built"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/realdata"
	"orbweaver/ledger"
)

// badFolder is a folder with what a crawl needs, and with what is wrong in every way.
func badFolder(t *testing.T) {
	t.Helper()
	examples := filepath.Join(realdata.Root(t), "examples")
	t.Chdir(t.TempDir())
	for _, name := range []string{"aircraft.ttl", "demo.warc.gz", "demo-truth.tsv"} {
		write(t, name, string(read(t, filepath.Join(examples, name))))
	}
	write(t, "bad.ttl", "@prefix a: <http://a.test/> .\na:b a:c a:d .\na:e a:f a:i ;\n  .\na:g \"x\" a:h .\n")
	write(t, "bad.rdf", "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n<rdf:Description>\n</rdf:Other>\n</rdf:RDF>\n")
	write(t, "text.warc.gz", "no archive at all\n")
	write(t, "cut.warc.gz", string(read(t, "demo.warc.gz")[:100]))
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = io.WriteString(z, "a poem\n")
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	write(t, "poem.warc.gz", packed.String())
	write(t, "void.warc.gz", "")
	write(t, "void.jsonl", "{\"text\": \" \"}\n")
	write(t, "into.yaml", goodSeeds+"\n"+goodWeb+"\ntruth: {file: demo-truth.tsv, topics: [aircraft]}\nruns: [{name: any, focus: {random: {}}}]\noutput: taken")
	write(t, "notes/of/mine.txt", "not to be touched")
	write(t, "headless.tsv", "http://skylines.example/\taircraft\n")
	write(t, "other.yaml", crawlFile("focus: {breadth_first: {}}\nlimits: {requests: 5}\noutput: taken"))
	if status, _, stderr := execute(t, "crawl", "other.yaml"); status != 0 {
		t.Fatal(stderr)
	}
}

// The lines of a crawl file that is right.
const (
	goodSeeds = "seeds: [http://skylines.example/]"
	goodWeb   = "web: {archive: demo.warc.gz}"
	goodFocus = `focus: {ontology: {files: aircraft.ttl, target: "http://orbweaver.example/aircraft#Airplane"}}`
)

// crawlFile is a right crawl file but for what the lines given say.
func crawlFile(lines string) string {
	for _, line := range []string{goodFocus, goodWeb, goodSeeds} {
		key, _, _ := strings.Cut(line, ":")
		if !strings.HasPrefix(lines, key+":") && !strings.Contains(lines, "\n"+key+":") {
			lines = line + "\n" + lines
		}
	}
	return lines
}

// TestBadInput: exit status 2, each problem on a line of its own that says where it is, and nothing
// written.
func TestBadInput(t *testing.T) {
	badFolder(t)
	for _, tc := range []struct {
		name, file string
		args       []string // left out: crawl f.yaml
		want       []string // a line of standard error each: what stands in it, in order, … between
	}{
		{name: "no such crawl file", args: []string{"crawl", "none.yaml"}, want: []string{"none.yaml: no such file"}},
		{name: "a crawl file that is a folder", args: []string{"crawl", "notes"}, want: []string{"notes: … is a directory"}},
		{name: "an unknown key", file: "outptu: x", want: []string{"f.yaml:4: outptu: unknown key (did you mean output?)"}},
		{name: "a wrong type", file: "limits: {pages: many}", want: []string{`f.yaml:4: limits.pages: must be a whole number, not "many"`}},
		{name: "a missing ontology", file: `focus: {ontology: {files: none.ttl, target: "urn:x"}}`, want: []string{"f.yaml:3: focus.ontology.files: no such file: …none.ttl"}},
		{name: "an error in Turtle", file: `focus: {ontology: {files: bad.ttl, target: "urn:x"}}`, want: []string{`bad.ttl:5:5: `}},
		{name: "an error in RDF/XML", file: `focus: {ontology: {files: bad.rdf, target: "urn:x"}}`, want: []string{"bad.rdf:3:1: <rdf:Description> is closed by </rdf:Other>"}},
		{
			name: "targets that are not in the ontology",
			file: "prefixes: {av: 'http://orbweaver.example/aircraft#'}\nfocus: {ontology: {files: aircraft.ttl, target: [av:Aeroplane, av:Glidr]}}",
			want: []string{
				"target http://orbweaver.example/aircraft#Aeroplane is not in the ontology (nearest: …#Airplane",
				"target http://orbweaver.example/aircraft#Glidr is not in the ontology (nearest: …#Glider",
			},
		},
		{name: "a missing archive", file: "web: {archive: none.warc.gz}", want: []string{"f.yaml:3: web.archive: no such file: …none.warc.gz"}},
		{name: "a folder without archives", file: "web: {archive: notes}", want: []string{"notes: no WARC, ARC or WACZ file in this directory"}},
		{name: "an archive that is text", file: "web: {archive: text.warc.gz}", want: []string{"text.warc.gz: at byte 0: not a WARC record"}},
		{name: "an archive that is something else, packed", file: "web: {archive: poem.warc.gz}", want: []string{"poem.warc.gz: at byte 0: not a WARC record"}},
		{name: "an archive of no bytes", file: "web: {archive: void.warc.gz}", want: []string{"void.warc.gz: no WARC"}},
		{name: "an archive cut off in its first record", file: "web: {archive: cut.warc.gz}", want: []string{"web: nothing to crawl in …cut.warc.gz … the record at byte 0 is cut off"}},
		{name: "a folder of another crawl", file: "output: taken", want: []string{"output: …taken holds another crawl; these keys differ: focus.ontology, focus.breadth_first. Name another output, or remove the folder"}},
		{name: "a folder of something else", file: "output: notes", want: []string{"output: …notes is not a crawl folder and not empty: choose another"}},
		{name: "a file as folder", file: "output: demo-truth.tsv", want: []string{"f.yaml:4: output: …demo-truth.tsv is a file"}},
		{name: "a topic that no row has", file: "truth: {file: demo-truth.tsv, topics: [aircrft]}", want: []string{`demo-truth.tsv: no row has topic "aircrft"; nearest: aircraft`}},
		{name: "a truth without header", file: "truth: {file: headless.tsv, topics: [aircraft]}", want: []string{"headless.tsv:1: no header", `headless.tsv: no row has topic "aircraft"`}},
		{name: "a truth that is a folder", file: "truth: {file: notes, topics: [a]}", want: []string{"f.yaml:4: truth.file: …notes is a folder"}},
		{
			name: "several problems of the file",
			file: "focus: {ontology: {files: none.ttl, target: av:X, base: 2}}\nworkers: -1\nlimts: {}",
			want: []string{"f.yaml:3: focus.ontology.files: ", "f.yaml:3: focus.ontology.target: ", "f.yaml:3: focus.ontology.base: ", "f.yaml:4: workers: ", "f.yaml:5: limts: unknown key"},
		},
		{
			name: "several problems of the files it names",
			file: "web: {archive: [text.warc.gz, demo.warc.gz, poem.warc.gz]}\nfocus: {ontology: {files: [bad.ttl, aircraft.ttl, bad.rdf], target: 'urn:x'}}\n" +
				"truth: {file: demo-truth.tsv, topics: [aircrft, hotl]}\noutput: taken",
			want: []string{
				"output: …taken holds another crawl", "text.warc.gz: ", "poem.warc.gz: ", "bad.ttl:5:5: ", "bad.rdf:3:1: ",
				`no row has topic "aircrft"; nearest: aircraft`, `no row has topic "hotl"; nearest: hotel`,
			},
		},

		{name: "no verb", args: []string{}, want: []string{"want a verb; begin with demo, init or studio", "See `orbweaver --help`."}},
		{name: "a group is no verb", args: []string{"steer"}, want: []string{"steer is a group of verbs: see `orbweaver help steer`", "See `orbweaver --help`."}},
		{name: "an unknown verb", args: []string{"crwl", "other.yaml"}, want: []string{`unknown command "crwl" (did you mean crawl?)`, "See `orbweaver --help`."}},
		{name: "half a verb", args: []string{"ontology"}, want: []string{"ontology: want a command: check, show", "See `orbweaver ontology --help`."}},
		{name: "an unknown half", args: []string{"ontology", "chek", "aircraft.ttl"}, want: []string{`ontology: unknown command "chek" (did you mean check?)`, "See `orbweaver ontology --help`."}},
		{name: "an unknown flag", args: []string{"crawl", "--fast", "other.yaml"}, want: []string{"unknown flag: --fast", "See `orbweaver crawl --help`."}},
		{name: "no crawl file", args: []string{"crawl"}, want: []string{"crawl: want one crawl file, have 0 arguments", "See `orbweaver crawl --help`."}},
		{name: "two comparison files", args: []string{"compare", "a", "b"}, want: []string{"compare: want one comparison file, have 2 arguments", "See `orbweaver compare --help`."}},
		{name: "no ontology", args: []string{"ontology", "check"}, want: []string{"ontology check: want at least one file", "See `orbweaver ontology check --help`."}},
		{name: "an ontology without target", args: []string{"ontology", "show", "aircraft.ttl"}, want: []string{"ontology show: name a target with --target", "See `orbweaver ontology show --help`."}},

		{name: "no stream", args: []string{"lab", "labels", "train", "-o", "m"}, want: []string{"lab labels train: name files or folders with --stream", "See `orbweaver lab labels train --help`."}},
		{name: "a stream without documents", args: []string{"lab", "labels", "train", "--stream", "void.jsonl", "-o", "m"}, want: []string{"void.jsonl: no document to learn from: 0 documents, 1 without text"}},
		{name: "a model into another's folder", args: []string{"lab", "labels", "train", "--stream", "demo.warc.gz", "-o", "notes"}, want: []string{"notes: it holds of, and no model: …choose another folder"}},
		{name: "labels of a crawl without a model", args: []string{"lab", "labels", "show", "taken"}, want: []string{"taken: the crawl has no model: one with focus: crossref writes its own when it ends"}},
		{name: "labels of something else", args: []string{"lab", "labels", "tree", "notes"}, want: []string{"notes: neither a model nor a crawl folder with one"}},
		{name: "changes of no kind", args: []string{"lab", "labels", "drift", "taken", "--kind", "word"}, want: []string{"lab labels drift: --kind is one of term, label, rule, broader", "See `orbweaver lab labels drift --help`."}},
		{name: "a vocabulary of no encoding", args: []string{"export", "taken", "--format", "chunks", "--tokenizer", "aircraft.ttl"}, want: []string{`aircraft.ttl: "aircraft" is none of the encodings cl100k_base and o200k_base: say which by NAME=FILE`}},
		{name: "no vocabulary", args: []string{"export", "taken", "--format", "chunks", "--tokenizer", "o200k_base=aircraft.ttl"}, want: []string{"aircraft.ttl:1: not a token in base64, a space and a rank"}},
		{name: "a search for nothing", args: []string{"search", "taken"}, want: []string{"search: want words, --like, --label or --entity", "See `orbweaver search --help`."}},
		{name: "a search of no crawl", args: []string{"search", "notes", "words"}, want: []string{"notes is not a crawl folder"}},
		{name: "a page of no crawl", args: []string{"search", "taken", "words", "--like", "x"}, want: []string{"search: words and --like exclude each other", "See `orbweaver search --help`."}},

		{name: "a crawl file that is compared", args: []string{"compare", "other.yaml"}, want: []string{"other.yaml is a crawl file; use orbweaver crawl other.yaml"}},
		{name: "a comparison into a crawl's folder", args: []string{"compare", "into.yaml"}, want: []string{"output: …taken holds crawl.yaml, which is not a result of a comparison: choose another"}},
		{name: "an ontology that is not there", args: []string{"ontology", "check", "none.ttl"}, want: []string{"none.ttl: no such file"}},
		{name: "an ontology with an error", args: []string{"ontology", "check", "bad.ttl"}, want: []string{"bad.ttl:5:5: "}},
		{name: "a target that is not there", args: []string{"ontology", "show", "aircraft.ttl", "--target", "Glidr"}, want: []string{"target Glidr is not in the ontology; near are …#Glider"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if tc.args == nil {
				tc.args = []string{"crawl", "f.yaml"}
				write(t, "f.yaml", crawlFile(tc.file))
			}
			refused(t, tc.args, tc.want)
		})
	}
}

// refused runs a command line that makes no sense.
func refused(t *testing.T, args, want []string) {
	t.Helper()
	before := tree(t, ".")
	status, stdout, stderr := execute(t, args...)
	if status != exitInput || stdout != "" {
		t.Errorf("status %d, on standard output %q", status, stdout)
	}
	if after := tree(t, "."); after != before {
		t.Errorf("something was written:\n%s\nwas\n%s", after, before)
	}
	lines := strings.Split(strings.TrimSuffix(stderr, "\n"), "\n")
	if len(lines) != len(want) {
		t.Fatalf("%d lines, want %d:\n%s", len(lines), len(want), stderr)
	}
	for i, parts := range want {
		rest := lines[i]
		for part := range strings.SplitSeq(parts, "…") {
			_, after, found := strings.Cut(rest, strings.Trim(part, " "))
			if !found {
				t.Errorf("line %d: %q lacks %q", i+1, lines[i], part)
			}
			rest = after
		}
		if strings.Contains(lines[i], "bad-input") || strings.Contains(lines[i], "other-crawl") {
			t.Errorf("line %d tells the user a word of the program: %q", i+1, lines[i])
		}
	}
}

// TestAComparisonFileIsNoCrawlFile, and the program says which verb fits.
func TestAComparisonFileIsNoCrawlFile(t *testing.T) {
	project(t)
	refused(t, []string{"crawl", "examples/comparison.yaml"},
		[]string{"examples/comparison.yaml is a comparison file; use orbweaver compare examples/comparison.yaml"})
	refused(t, []string{"compare", "examples/aircraft.yaml"},
		[]string{"examples/aircraft.yaml is a crawl file; use orbweaver crawl examples/aircraft.yaml"})
}

// TestWhatTheLiveWebCannotHave: a truth, a refresh of nothing, and of an archive.
func TestWhatTheLiveWebCannotHave(t *testing.T) {
	badFolder(t)
	live := goodSeeds + "\n" + goodFocus + "\n"
	write(t, "f.yaml", live+"truth: {keywords: [x]}\n")
	refused(t, []string{"crawl", "f.yaml"}, []string{"f.yaml: truth: the live Web cannot be surveyed for relevant pages"})
	write(t, "f.yaml", live+"politeness: {contact: me@example.org}\n")
	refused(t, []string{"crawl", "f.yaml", "--refresh", "24h"}, []string{"--refresh: there is no crawl yet"})
	refused(t, []string{"crawl", "f.yaml", "--refresh", "0s"}, []string{"crawl: --refresh wants an age above 0, as in 24h", "See `orbweaver crawl --help`."})
	write(t, "f.yaml", live+goodWeb+"\n")
	refused(t, []string{"crawl", "f.yaml", "--refresh", "24h"}, []string{"f.yaml: --refresh needs the live Web, but web: names an archive"})
}

// TestACutArchiveIsCrawledWithAWarning: what is whole in it can be read.
func TestACutArchiveIsCrawledWithAWarning(t *testing.T) {
	badFolder(t)
	whole := read(t, "demo.warc.gz")
	write(t, "most.warc.gz", string(whole[:len(whole)-100]))
	write(t, "f.yaml", crawlFile("web: {archive: most.warc.gz}\nlimits: {requests: 5}"))
	status, stdout, stderr := execute(t, "crawl", "f.yaml")
	if status != 0 || stdout == "" {
		t.Errorf("status %d: %s", status, stderr)
	}
	if first, _, _ := strings.Cut(stderr, "\n"); !strings.HasPrefix(first, "warning: ") || !strings.Contains(first, "most.warc.gz: the record at byte ") {
		t.Errorf("standard error begins with %q", first)
	}
}

// TestAFolderInUseIsRefused, while another process crawls into it, and nothing in it is changed; a
// raised limit is no reason to.
func TestAFolderInUseIsRefused(t *testing.T) {
	badFolder(t)
	write(t, "f.yaml", crawlFile("limits: {requests: 5}"))
	if status, _, stderr := execute(t, "crawl", "f.yaml"); status != 0 {
		t.Fatal(stderr)
	}
	owner, err := ledger.Open("crawls/f")
	if err != nil {
		t.Fatal(err)
	}
	defer owner.Close()
	write(t, "f.yaml", crawlFile("limits: {requests: 7}"))
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	before := withoutLedgers(tree(t, here))
	c := program(t, here, "crawl", "f.yaml")
	out, err := c.CombinedOutput()
	if err == nil || c.ProcessState.ExitCode() != exitInput {
		t.Errorf("%v, want exit status %d", err, exitInput)
	}
	if got := string(out); strings.Count(got, "\n") != 1 || !strings.Contains(got, "another process is using this crawl folder and does not answer; try again: orbweaver status crawls/f\n") {
		t.Errorf("told was %q", got)
	}
	if after := withoutLedgers(tree(t, here)); after != before {
		t.Errorf("something was written:\n%s\nwas\n%s", after, before)
	}
}

// withoutLedgers leaves out of a tree what the owner of a ledger may tidy up at any time.
func withoutLedgers(tree string) string {
	var b strings.Builder
	for line := range strings.Lines(tree) {
		if !strings.Contains(line, "/ledger/") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// TestStoppedBeforeItBegan: Ctrl-C while the archive is still surveyed.
func TestStoppedBeforeItBegan(t *testing.T) {
	project(t)
	before := tree(t, ".")
	ctx, stop := context.WithCancel(t.Context())
	stop()
	for _, args := range [][]string{{"crawl", "examples/aircraft.yaml"}, {"compare", "examples/comparison.yaml"}} {
		var stderr bytes.Buffer
		if status := Run(ctx, &job.Job{Console: console.Console{Out: io.Discard, Err: &stderr}}, built.Build{}, args); status != exitInterrupted {
			t.Errorf("%v: exit status %d, want %d", args, status, exitInterrupted)
		}
		if got := stderr.String(); strings.Count(got, "\n") != 1 || !strings.HasSuffix(got, "interrupted\n") {
			t.Errorf("%v: told was %q", args, got)
		}
	}
	if after := tree(t, "."); after != before {
		t.Errorf("something was written:\n%s", after)
	}
}
