package cli

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"orbweaver/internal/built"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
)

// TestScreen: what --help prints, and a command line without a verb on a terminal, fits on a screen; each verb stands there or in one group.
func TestScreen(t *testing.T) {
	_, helped, _ := execute(t, "--help")
	_, asked, _ := execute(t, "help")
	var out, bare bytes.Buffer
	status := Run(t.Context(), &job.Job{Console: console.Console{Out: &out, Err: &bare, Terminal: true}}, built.Build{}, nil)
	if status != exitInput || out.Len() > 0 || bare.String() != helped || asked != helped {
		t.Errorf("without a verb: exit status %d, on standard output %q\n%s\n--help:\n%s\nhelp:\n%s", status, out.String(), bare.String(), helped, asked)
	}
	for _, begin := range []string{"demo", "init", "studio"} {
		if first, _, _ := strings.Cut(helped, "Then:"); !strings.Contains(first, "\n  "+begin+" ") {
			t.Errorf("%s is no beginning", begin)
		}
	}
	lines := strings.Split(strings.TrimSuffix(helped, "\n"), "\n")
	if len(lines) > 23 { // and the prompt
		t.Errorf("%d lines", len(lines))
	}
	for _, line := range lines {
		if utf8.RuneCountInString(line) > 80 {
			t.Errorf("%d columns: %s", utf8.RuneCountInString(line), line)
		}
	}

	told := map[string]int{}
	for _, line := range lines {
		if name, rest, ok := strings.Cut(strings.TrimPrefix(line, "  "), "  "); ok && strings.HasPrefix(line, "  ") {
			if _, sentences, _ := execute(t, "help", name); strings.HasPrefix(sentences, name+": ") {
				for verb := range strings.SplitSeq(strings.TrimSpace(rest), ", ") {
					told[verb]++
					if !strings.Contains(sentences, "\n  "+verb+" ") {
						t.Errorf("help %s lacks %s", name, verb)
					}
				}
				continue
			}
			told[name]++
		}
	}
	count := 0
	for _, c := range visible() {
		if path := strings.TrimPrefix(c.CommandPath(), "orbweaver "); c.Parent().Parent() == nil && path != lab || c.Parent().Name() == lab {
			if count++; told[path] != 1 {
				t.Errorf("%s stands %d times in the help", path, told[path])
			}
		}
	}
	if count != len(told) || count < 40 {
		t.Errorf("%d verbs, told are %d: %v", count, len(told), told)
	}
}

// visible returns all commands that some help shows.
func visible() (all []*cobra.Command) {
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				all = append(all, sub)
				visit(sub)
			}
		}
	}
	visit(Root(new(job.Job), built.Build{}))
	return all
}

// TestHelp: of verbs below others, of groups, and of what is neither.
func TestHelp(t *testing.T) {
	for args, want := range map[string]string{
		"help store load":  "Adds files to the quad store",
		"help load":        "Adds files to the quad store",
		"help lab":         "lab simulate",
		"help improve":     "Have people rate a sample",
		"help cluster":     "Usage:\n  orbweaver cluster DIR [flags]\n  orbweaver cluster [command]\n",
		"suggestions -h":   "Usage:\n  orbweaver suggestions DIR [flags]\n  orbweaver suggestions [command]\n",
		"help ontology":    "Usage:\n  orbweaver ontology [command]\n",
		"help crawl --yes": "",
		"help nothing":     "",
	} {
		status, stdout, stderr := execute(t, strings.Fields(args)...)
		if !strings.Contains(stdout, want) || (want == "") != (status == exitInput) {
			t.Errorf("%s: exit status %d\n%s%s", args, status, stdout, stderr)
		}
	}
}

// TestOldNames: a verb that has another name now runs by the old one, and is told the new one; no help has it.
func TestOldNames(t *testing.T) {
	for old, now := range map[string]string{
		"accept": "suggestions accept", "reject": "suggestions reject", "load": "store load", "train tagger": "text train", "train": "text train",
		"simulate": "lab simulate", "swget": "lab swget", "labels": "lab labels",
	} {
		_, want, _ := execute(t, append(strings.Fields(now), "--help")...)
		status, stdout, stderr := execute(t, append(strings.Fields(old), "--help")...)
		if status != exitDone || stdout != want || stderr != "`orbweaver "+old+"` is now `orbweaver "+now+"`\n" {
			t.Errorf("%s: exit status %d, %q\n%s", old, status, stderr, stdout)
		}
		if _, stdout, stderr := execute(t, "__complete", strings.Fields(old)[0], "--he"); !strings.HasPrefix(stdout, "--help\t") || strings.Contains(stderr, "is now") {
			t.Errorf("%s completes to %q, %s", old, stdout, stderr)
		}
	}
	t.Chdir(t.TempDir())
	write(t, "a.nt", "<urn:a> <urn:b> <urn:c> .\n")
	status, stdout, stderr := execute(t, "load", "facts", "a.nt")
	if status != exitDone || stdout == "" || !strings.HasPrefix(stderr, "`orbweaver load` is now `orbweaver store load`\n") {
		t.Errorf("exit status %d, %q\n%s", status, stderr, stdout)
	}
}

// TestOneSpelling: a flag that means one thing has one name, and one letter, with all verbs.
func TestOneSpelling(t *testing.T) {
	retired := []string{"json", "top", "out", "max", "max-nodes", "max-requests", "count-limit", "n"}
	letters := map[string]string{"output": "o", "quiet": "q", "verbose": "v", "help": "h"}
	meanings, kinds := map[string]string{}, map[string]string{}
	for _, c := range visible() {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			at := c.CommandPath() + " --" + f.Name
			kind, usage := pflag.UnquoteUsage(f)
			if f.Hidden || f.Name == "help" {
				return
			}
			if slices.Contains(retired, f.Name) {
				t.Errorf("%s: this name is no more", at)
			}
			if f.Shorthand != letters[f.Name] {
				t.Errorf("%s: -%s, elsewhere -%s", at, f.Shorthand, letters[f.Name])
			}
			if name := meanings[usage]; name != "" && name != f.Name {
				t.Errorf("%s means what --%s means: %s", at, name, usage)
			}
			if usage != "text or json" {
				meanings[usage] = f.Name
			}
			if slices.Contains(wordsOf(usage), "json") && f.Name != "format" && f.Name != "log-format" {
				t.Errorf("%s: what chooses json is called --format", at)
			}
			switch f.Name {
			case "contact", "listen", "metrics", "output", "limit", "seed", "lang", "tagger", "gazetteer", "wordnet", "by":
				if f.Name == "output" && kind == "folder" || f.Name == "seed" && kind == "URL" { // of init
					return
				}
				if before := kinds[f.Name]; before != "" && before != kind+f.Value.Type() && f.Name != "limit" && f.Name != "seed" && f.Name != "lang" {
					t.Errorf("%s is a %s %s, elsewhere %s", at, kind, f.Value.Type(), before)
				}
				kinds[f.Name] = kind + f.Value.Type()
			}
		})
	}
}

// TestValuesCompleted: words that a flag lists, folders, and files where files are wanted.
func TestValuesCompleted(t *testing.T) {
	for line, want := range map[string]string{
		"pages --format":            "table\njson\ncsv\n:4\n",
		"explain --format":          "text\njson\n:4\n",
		"pages --sort":              "score\nn\nurl\nbytes\ndepth\n:4\n",
		"search --rank":             "bm25\ncosine\n:4\n",
		"recommend --rank":          "links\ninstances\n:4\n",
		"suggestions accept --as":   "entry\nsubclass\ninstance\nproperty\nbroader\n:4\n",
		"ontology show --relevance": "single\ntaxonomic\nrelational\ntotal\n:4\n",
		"ontology show --discount":  "exponential\nlinear\nlogarithmic\n:4\n",
		"krs build --linking":       "gazetteer\nspotlight\nboth\n:4\n",
		"lab labels train --rules":  "certain\npaper\n:4\n",
		"lab labels drift --kind":   "term\nlabel\nrule\nbroader\nalarm\nconcept\n:4\n",
		"lab simulate --focus":      "ontology\nkeyword\nbest_first\nbreadth_first\nrandom\n:4\n",
		"rdf extract --format":      "turtle\nnquads\njson\n:4\n",
		"rdf convert --to":          "ntriples\nnquads\nturtle\ntrig\n:4\n",
		"crawl --log-format":        "text\njson\n:4\n",
		"crawl --requests":          ":4\n",
		"crawl --contact":           ":4\n",
		"crawl --output":            ":16\n",
		"export --output":           ":0\n",
		"query --data":              ":0\n",
		"suggestions --from":        ":16\n",
	} {
		if _, stdout, _ := execute(t, append(append([]string{"__complete"}, strings.Fields(line)...), "")...); stdout != want {
			t.Errorf("%s completes to %q, want %q", line, stdout, want)
		}
	}
	for line, want := range map[string]string{"help ": "steer\n", "": "demo\t", "lab ": "simulate\t", "suggestions ": "accept\t"} {
		if _, stdout, _ := execute(t, append([]string{"__complete"}, strings.Split(line, " ")...)...); !strings.Contains("\n"+stdout, "\n"+want) {
			t.Errorf("%q completes to %q", line, stdout)
		}
	}
}
