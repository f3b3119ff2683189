// Command tests runs go test and fails, beside what fails there, if a test was skipped for a reason that .ci/skips does not list:
// `go run ./.ci/tests -tags e2e ./...`. It prints what go test prints, and at the end which tests took longest.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
)

// An event is a line of `go test -json`.
type event struct {
	Action  string
	Package string
	Test    string
	Output  string
	Elapsed float64 // seconds
}

// A run is what is known of the tests that ran.
type run struct {
	allowed []*regexp.Regexp    // reasons that .ci/skips lists
	said    map[string][]string // by package and test: what it printed
	bad     []string            // skips that no reason allows
	long    []event
}

const mostOutput = 2000 // lines of a test that are kept

func main() {
	r := run{said: map[string][]string{}}
	if err := r.read(".ci/skips"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	command := exec.Command("go", append([]string{"test", "-json"}, os.Args[1:]...)...)
	command.Stderr = os.Stderr
	out, err := command.StdoutPipe()
	if err == nil {
		err = command.Start()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadBytes('\n')
		var e event
		if json.Unmarshal(line, &e) == nil {
			r.take(e)
		} else if len(line) > 0 {
			fmt.Print(string(line))
		}
		if err != nil {
			break
		}
	}
	failed := command.Wait() != nil
	if r.report(); failed || len(r.bad) > 0 {
		os.Exit(1)
	}
}

// read reads the reasons: REGULAR EXPRESSION, two spaces, why it may be.
func (r *run) read(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for i, line := range strings.Split(string(text), "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		expression, why, found := strings.Cut(line, "  ")
		re, err := regexp.Compile(expression)
		if err != nil || !found || why == "" {
			return fmt.Errorf("%s:%d: want a regular expression, two spaces and a reason: %v", path, i+1, err)
		}
		r.allowed = append(r.allowed, re)
	}
	return nil
}

func (r *run) take(e event) {
	key := e.Package + " " + e.Test
	switch e.Action {
	case "output":
		if e.Test == "" && !strings.HasPrefix(e.Output, "PASS") && !strings.HasPrefix(e.Output, "coverage:") {
			fmt.Print(e.Output) // ok, FAIL, no test files; what a package prints outside its tests
		} else if len(r.said[key]) < mostOutput {
			r.said[key] = append(r.said[key], e.Output)
		}
	case "fail":
		fmt.Print(strings.Join(r.said[key], ""))
		delete(r.said, key)
	case "skip":
		if said := strings.Join(r.said[key], ""); e.Test != "" && !strings.Contains(e.Test, "/") && !r.allows(said) { // a case that a test excepts is its own affair
			r.bad = append(r.bad, key+": "+strings.TrimSpace(said))
		}
		delete(r.said, key)
	case "pass":
		if e.Test != "" && !strings.Contains(e.Test, "/") && e.Elapsed > 5 {
			r.long = append(r.long, e)
		}
		delete(r.said, key)
	}
}

func (r *run) allows(said string) bool {
	for _, re := range r.allowed {
		if re.MatchString(said) {
			return true
		}
	}
	return false
}

func (r *run) report() {
	slices.SortFunc(r.long, func(a, b event) int { return cmp.Compare(b.Elapsed, a.Elapsed) })
	for _, e := range r.long[:min(10, len(r.long))] {
		fmt.Printf("%6.1f s  %s %s\n", e.Elapsed, e.Package, e.Test)
	}
	for _, said := range r.bad {
		fmt.Println("skipped, and .ci/skips lists no such reason:", said)
	}
}
