// Command cost measures, with an empty build cache each time, what compiling costs. Alone it prints the ten costliest packages of
// `go build ./cmd/orbweaver`, and of the tests of the packages given, all unless given; -build leaves the tests out. With -table it
// writes to CONTRIBUTING.md what each library that go.mod names costs to compile, and how many bytes of the program it takes.
// Seconds are those of processors, user and system: on a busy machine they are more.
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const program = "./cmd/orbweaver"

func main() {
	if len(os.Args) > 3 && os.Args[1] == "-measured" {
		os.Exit(measured(os.Args[2], os.Args[3:]))
	}
	table := flag.Bool("table", false, "write the table of CONTRIBUTING.md")
	build := flag.Bool("build", false, "do not run tests")
	flag.Parse()
	if err := run(*table, *build, flag.Args(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "cost:", err)
		os.Exit(1)
	}
}

func run(table, build bool, packages []string, out io.Writer) error {
	folder, err := os.MkdirTemp("", "cost")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if table {
		return write(folder, "CONTRIBUTING.md")
	}
	spent, err := compile(folder, "build", "-o", filepath.Join(folder, "orbweaver"), program)
	if err != nil {
		return err
	}
	top(out, "go build "+program, spent)
	if build {
		return nil
	}
	if len(packages) == 0 {
		packages = []string{"./..."}
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	runs := filepath.Join(folder, "runs")
	more, err := compile(folder, append([]string{"test", "-timeout", "1h", "-exec", self + " -measured " + runs}, packages...)...)
	if err != nil {
		return err
	}
	ran, err := read(runs)
	top(out, "go test "+strings.Join(packages, " ")+", after it", append(more, ran...))
	return err
}

// A cost is what one command spent.
type cost struct {
	Package string
	Mode    string        // build, link or run
	Spent   time.Duration // of processors
}

// compile runs a command of go with the cache of the folder, which is empty at first, and returns what its steps cost.
func compile(folder string, args ...string) ([]cost, error) {
	graph := filepath.Join(folder, "graph")
	command := exec.Command("go", append([]string{args[0], "-debug-actiongraph=" + graph}, args[1:]...)...)
	command.Env = append(os.Environ(), "GOCACHE="+filepath.Join(folder, "cache"))
	command.Stdout, command.Stderr = os.Stderr, os.Stderr
	if err := command.Run(); err != nil {
		return nil, fmt.Errorf("go %s: %w", args[0], err)
	}
	text, err := os.ReadFile(graph)
	if err != nil {
		return nil, err
	}
	var steps []struct {
		Package, Mode   string
		CmdUser, CmdSys time.Duration
	}
	if err := json.Unmarshal(text, &steps); err != nil {
		return nil, err
	}
	var all []cost
	for _, s := range steps {
		if spent := s.CmdUser + s.CmdSys; spent > 0 {
			all = append(all, cost{s.Package, s.Mode, spent})
		}
	}
	return all, nil
}

// measured runs a test binary for go test -exec, and appends what it cost to a file.
func measured(file string, args []string) int {
	command := exec.Command(args[0], args[1:]...)
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := command.Run()
	if command.ProcessState == nil {
		fmt.Fprintln(os.Stderr, "cost:", err)
		return 1
	}
	in, _ := os.Getwd() // the folder of the package
	line, _ := json.Marshal(cost{in, "run", command.ProcessState.UserTime() + command.ProcessState.SystemTime()})
	if to, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
		to.Write(append(line, '\n'))
		to.Close()
	}
	return max(command.ProcessState.ExitCode(), 0)
}

// read reads what measured wrote.
func read(file string) (all []cost, err error) {
	text, err := os.ReadFile(file)
	root, _ := os.Getwd()
	for d := json.NewDecoder(bytes.NewReader(text)); err == nil; {
		var c cost
		if err = d.Decode(&c); err == nil {
			c.Package = "orbweaver" + filepath.ToSlash(strings.TrimPrefix(c.Package, root))
			all = append(all, c)
		}
	}
	if err == io.EOF {
		err = nil
	}
	return all, err
}

// top prints the sums, and the ten packages with the greatest.
func top(out io.Writer, what string, all []cost) {
	by, sums := map[string]map[string]time.Duration{}, map[string]time.Duration{}
	for _, c := range all {
		// Of a package there are as many variants as tests that change what it imports.
		name, _, _ := strings.Cut(c.Package, " ")
		name = strings.TrimSuffix(strings.TrimSuffix(name, ".test"), "_test")
		if by[name] == nil {
			by[name] = map[string]time.Duration{}
		}
		for _, key := range []string{c.Mode, ""} {
			by[name][key] += c.Spent
			sums[key] += c.Spent
		}
	}
	names := make([]string, 0, len(by))
	for name := range by {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(by[b][""], by[a][""]), cmp.Compare(a, b)) })
	fmt.Fprintf(out, "%s: %d s of processors\n", what, int(sums[""].Seconds()+0.5))
	fmt.Fprintf(out, "%8s %8s %8s %8s\n", "all", "compile", "link", "run")
	line := func(m map[string]time.Duration, name string) {
		rest := m[""] - m["link"] - m["run"]
		fmt.Fprintf(out, "%8.1f %8.1f %8.1f %8.1f  %s\n", m[""].Seconds(), rest.Seconds(), m["link"].Seconds(), m["run"].Seconds(), name)
	}
	for _, name := range names[:min(10, len(names))] {
		line(by[name], name)
	}
	line(sums, "all")
}
