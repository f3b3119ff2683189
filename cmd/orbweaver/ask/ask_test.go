package ask_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver/cmd/orbweaver/ask"
	"orbweaver/crawl"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/kind/all"
	"orbweaver/internal/realdata"
)

const facility = "http://quay.example/terms#Facility"

// A desk is where a crawl of the example is asked about.
type desk struct {
	t      *testing.T
	folder string
	out    bytes.Buffer
	job    *job.Job
}

// newDesk crawls the example.
func newDesk(t *testing.T) *desk {
	d := &desk{t: t, folder: filepath.Join(t.TempDir(), "crawls", "quay")}
	d.job = &job.Job{Console: console.Console{Out: &d.out, Err: io.Discard}, Kinds: all.Kinds()}
	examples := filepath.Join(realdata.Root(t), "examples")
	text, err := os.ReadFile(filepath.Join(examples, "quay.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	ontology := filepath.Join(examples, "quay.ttl")
	in := strings.NewReplacer("dump: quay.ttl", "dump: "+ontology, `": quay.ttl`, `": `+ontology, "../crawls/quay", d.folder).Replace(string(text))
	if err := os.WriteFile(filepath.Join(filepath.Dir(filepath.Dir(d.folder)), "quay.yaml"), []byte(in), 0o644); err != nil {
		t.Fatal(err)
	}
	d.crawl()
	return d
}

// crawl runs a session, and returns the crawl.
func (d *desk) crawl() *crawl.Crawl {
	d.t.Helper()
	c, err := crawl.Load(filepath.Join(filepath.Dir(filepath.Dir(d.folder)), "quay.yaml"), crawl.On(d.job))
	if err != nil {
		d.t.Fatal(err)
	}
	if _, err := c.Run(context.Background()); err != nil {
		d.t.Fatal(err)
	}
	return c
}

// ask runs the verb, and returns what it prints.
func (d *desk) ask(args ...string) (string, error) {
	d.out.Reset()
	c := ask.Command(d.job)
	c.SilenceErrors, c.SilenceUsage = true, true
	c.SetArgs(append([]string{d.folder}, args...))
	err := c.ExecuteContext(context.Background())
	return d.out.String(), err
}

// found returns how many terms the crawl found.
func (d *desk) found() int {
	d.t.Helper()
	text, err := os.ReadFile(filepath.Join(d.folder, "terms.jsonl"))
	if err != nil {
		d.t.Fatal(err)
	}
	return bytes.Count(text, []byte{'\n'})
}

// TestFlags: the question names the flag that answers it; a yes finds what is below the class, a no takes it away, a withdrawal leads to the
// question again.
func TestFlags(t *testing.T) {
	d := newDesk(t)
	before := d.found()
	said := func(want string, args ...string) {
		t.Helper()
		if out, err := d.ask(args...); err != nil || !strings.Contains(out, want) {
			t.Fatalf("ask %v: %v\n%s\nlacks %q", args, err, out, want)
		}
	}
	said("--yes " + facility)
	said("yes  "+facility, "--yes", facility, "--by", "Ada")
	d.crawl()
	if n := d.found(); n != before+10 {
		t.Errorf("after a yes %d terms, %d before", n, before)
	}
	said("No question")
	said("no   "+facility, "--no", facility)
	d.crawl()
	if n := d.found(); n != before {
		t.Errorf("after a no %d terms, %d at first", n, before)
	}
	said("The search is not over", "--withdraw", facility)
	d.crawl()
	out, err := d.ask("--format", "json")
	var asking crawl.Asking
	if err != nil || json.Unmarshal([]byte(out), &asking) != nil || asking.Question == nil || asking.Question.Class != facility || len(asking.Answers) > 0 {
		t.Errorf("%v: %s", err, out)
	}
	for _, args := range [][]string{{"--yes", "http://quay.example/terms#Nothing"}, {"--yes", facility, "--no", facility}, {"--withdraw", facility}, {"--format", "csv"}, {"--yes", ""}} {
		if out, err := d.ask(args...); err == nil {
			t.Errorf("ask %v: %s", args, out)
		}
	}
}

// TestAtTheEnd: a person is asked at the end of a crawl, once, and may skip; nobody is where there is no terminal.
func TestAtTheEnd(t *testing.T) {
	d := newDesk(t)
	c := d.crawl()
	for _, tc := range []struct {
		why, typed string
		person     bool
		want       bool
	}{
		{"no terminal", "yes\n", false, false},
		{"skipped", "\n", true, false},
		{"nothing typed", "", true, false},
		{"not understood", "maybe\nperhaps\nwell\nyes\n", true, false},
		{"too long", strings.Repeat("y", 1<<20), true, false},
		{"answered", "what?\nYes\n", true, true},
		{"asked no more", "yes\n", true, false},
	} {
		d.out.Reset()
		d.job.In, d.job.Person = strings.NewReader(tc.typed), tc.person
		answered, err := ask.Once(context.Background(), d.job, c)
		if err != nil || answered != tc.want {
			t.Fatalf("%s: answered %v, %v\n%s", tc.why, answered, err, d.out.String())
		}
		if !tc.person && d.out.Len() > 0 {
			t.Errorf("%s: said %q", tc.why, d.out.String())
		}
		if tc.want {
			c = d.crawl()
		}
	}
	if n := d.found(); n != 13 {
		t.Errorf("%d terms", n)
	}
}
