//go:build e2e

package program_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"

	"orbweaver/internal/realdata"
	"orbweaver/ledger"
)

// A faultCase is a folder of the cases, and how one sees whether the program does what its EXPECT.txt calls
// right.
type faultCase struct {
	folder string
	tell   func(c *tried)
	later  bool // what is wrong is told, and no failure yet
}

// A tried case works in a copy of its folder.
type tried struct {
	*testing.T
	source, folder string
	web            *rawWeb // of a case with a map.tsv
	seen, wrong    []string
}

// TestCases tries every case, and prints a table: case, whether the program does what is right, what was seen.
func TestCases(t *testing.T) {
	t.Parallel()
	root := realdata.Cases(t)
	var mu sync.Mutex
	var rows []string
	t.Run("all", func(t *testing.T) {
		for _, f := range faultCases() {
			t.Run(f.folder, func(t *testing.T) {
				t.Parallel()
				row := f.folder + "\tnot tried\tsee above"
				defer func() {
					mu.Lock()
					defer mu.Unlock()
					rows = append(rows, row)
				}()
				row = f.try(t, root)
			})
		}
	})
	slices.Sort(rows)
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "case\tverdict\tseen\n%s\n", strings.Join(rows, "\n"))
	w.Flush()
	t.Logf("%d of %d cases right\n%s", strings.Count(strings.Join(rows, "\n"), "\tright"), len(rows), &table)
}

// TestEveryCaseIsTried: no folder of the cases is left out.
func TestEveryCaseIsTried(t *testing.T) {
	var names []string
	for _, f := range faultCases() {
		names = append(names, f.folder)
	}
	folders, err := filepath.Glob(filepath.Join(realdata.Cases(t), "web/*/EXPECT.txt"))
	if err != nil || len(folders) == 0 {
		t.Fatal(len(folders), err)
	}
	for _, expect := range folders {
		if name := "web/" + filepath.Base(filepath.Dir(expect)); !slices.Contains(names, name) {
			t.Errorf("%s is not tried", name)
		}
	}
}

// try tells of one case, and returns its row.
func (f faultCase) try(t *testing.T, root string) string {
	c := &tried{T: t, source: filepath.Join(root, f.folder), folder: t.TempDir()}
	if i := strings.IndexByte(f.folder, ':'); i >= 0 { // several of one folder
		c.source = filepath.Join(root, f.folder[:i])
	}
	if err := os.CopyFS(c.folder, os.DirFS(c.source)); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(c.folder, "map.tsv")); err == nil {
		c.web = serveRaw(t, c.folder)
	}
	f.tell(c)
	verdict := "right"
	switch {
	case len(c.wrong) == 0 && f.later:
		verdict = "right already"
	case f.later:
		verdict = "later"
	case len(c.wrong) > 0:
		verdict = "wrong"
		t.Error(strings.Join(c.wrong, "; "))
	}
	return fmt.Sprintf("%s\t%s\t%.150s", f.folder, verdict, strings.Join(append(c.wrong, c.seen...), "; "))
}

// see adds to what the table shows.
func (c *tried) see(format string, args ...any) {
	c.seen = append(c.seen, fmt.Sprintf(format, args...))
}

// right notes what is wrong unless it holds.
func (c *tried) right(holds bool, format string, args ...any) {
	if !holds {
		c.wrong = append(c.wrong, inLine(format, args))
	}
}

// inLine is a text of one line.
func inLine(format string, args []any) string {
	return strings.Join(strings.Fields(fmt.Sprintf(format, args...)), " ")
}

// again begins anew in another copy of the folder, with other texts in place of these in its crawl file and
// in what it serves.
func (c *tried) again(texts ...string) {
	c.folder = c.TempDir()
	if err := os.CopyFS(c.folder, os.DirFS(c.source)); err != nil {
		c.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(c.folder, "*"))
	if err != nil {
		c.Fatal(err)
	}
	for _, file := range files {
		if ext := filepath.Ext(file); ext == ".http" || ext == ".tsv" || ext == ".yaml" {
			write(c.T, file, strings.NewReplacer(texts...).Replace(string(read(c.T, file))))
		}
	}
	c.web = serveRaw(c.T, c.folder)
}

// run runs the program in the folder of the case.
func (c *tried) run(args ...string) (status int, out string) {
	c.Helper()
	command := program(c.T, c.folder, args...)
	command.Env = append(command.Env, "TPW=x")
	var said bytes.Buffer
	command.Stdout, command.Stderr = &said, &said
	if err := command.Start(); err != nil {
		c.Fatal(err)
	}
	if c.web != nil {
		stop := context.AfterFunc(c.web.tooMuch, func() { _ = command.Process.Kill() })
		defer stop()
	}
	_ = command.Wait() // how it ended is in ProcessState
	return command.ProcessState.ExitCode(), said.String()
}

// ask is run, where nothing but success is right.
func (c *tried) ask(args ...string) string {
	c.Helper()
	status, out := c.run(args...)
	c.right(status == exitDone, "%s: status %d: %s", args[0], status, lastLine(out))
	return out
}

// crawl crawls a crawl file into a folder beside it, and returns the lines of its pages.
func (c *tried) crawl(file string) (lines []ledger.Line) {
	c.Helper()
	path := filepath.Join(c.folder, file)
	kept := slices.DeleteFunc(strings.SplitAfter(string(read(c.T, path)), "\n"), func(line string) bool {
		return strings.HasPrefix(line, "output:")
	})
	write(c.T, path, strings.TrimRight(strings.Join(kept, ""), "\n")+"\noutput: out\n")
	c.ask("crawl", "--quiet", file)
	for line, err := range ledger.Lines(filepath.Join(c.folder, "out", ledger.JournalFile)) {
		if err != nil {
			c.right(false, "%v", err)
			break
		}
		lines = append(lines, line)
	}
	return lines
}

// A verdict is what judge says of a page.
type verdict struct {
	Lang     string
	Score    float64
	Accepted bool
}

// judge judges a page by a crawl file.
func (c *tried) judge(file, url string) (v verdict) {
	c.Helper()
	command := program(c.T, c.folder, "judge", file, url, "--format", "json")
	out, err := command.Output()
	if err == nil {
		err = json.Unmarshal(out, &v)
	}
	c.right(err == nil, "judge %s: %v", url, err)
	return v
}

// titles returns the titles of pages, in the order of their crawl.
func titles(lines []ledger.Line) (all []string) {
	for _, l := range lines {
		if l.Title != "" {
			all = append(all, l.Title)
		}
	}
	return all
}

// has notes each of the wanted that is missing, and shows what is there.
func (c *tried) has(what string, have []string, want ...string) {
	c.see("%s %s", what, strings.Join(have, ", "))
	for _, w := range want {
		c.right(slices.Contains(have, w), "no %s %s", what, w)
	}
}

// asked returns the targets of requests that a web saw, but for robots.txt.
func (c *tried) asked() (targets []string) {
	for _, r := range c.web.requests() {
		if r.target != "/robots.txt" && r.target != "/" {
			targets = append(targets, r.target)
		}
	}
	return targets
}

// count returns how many times a web was asked for a target.
func (c *tried) count(target string) (n int) {
	for _, r := range c.web.requests() {
		if r.target == target {
			n++
		}
	}
	return n
}

// lastLine is what a refusal says.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return cmp.Or(lines[len(lines)-1], "nothing said")
}
