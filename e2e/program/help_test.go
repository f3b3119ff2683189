//go:build e2e

package program_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"orbweaver/cmd/orbweaver/cli"
	"orbweaver/internal/built"
	"orbweaver/internal/job"
	"orbweaver/internal/kind/all"
)

// TestExamplesOfHelp: the help of each verb teaches by example, and the examples work as they stand.
func TestExamplesOfHelp(t *testing.T) {
	checked := 0
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			visit(sub)
		}
		if !c.IsAvailableCommand() || !c.HasParent() || c.Name() == "help" || c.Name() == "completion" {
			return
		}
		checked++
		t.Run(c.CommandPath(), func(t *testing.T) {
			project(t)
			write(t, "core.ttl", "@prefix c: <http://example.org/core#> . @prefix o: <http://www.w3.org/2002/07/owl#> .\nc:Plane a o:Class .\n")
			write(t, "labels.ttl", "<http://example.org/core#Plane> <http://www.w3.org/2000/01/rdf-schema#label> \"plane\"@en .\n")
			status, stdout, _ := execute(t, append(strings.Fields(c.CommandPath())[1:], "--help")...)
			_, examples, found := strings.Cut(stdout, "\nExamples:\n")
			if status != exitDone || !found {
				t.Fatalf("status %d, no examples in\n%s", status, stdout)
			}
			examples, _, _ = strings.Cut(examples, "\n\nAvailable Commands:")
			examples, _, _ = strings.Cut(examples, "\n\nFlags:")
			if strings.Contains(examples, "python3") {
				python(t)
			}
			before := tree(t, "examples")
			// Nodes and watches run until they are told to end: TestCluster of internal/cluster/node, TestPage; TestWatch of internal/assembly.
			if strings.HasPrefix(c.CommandPath(), "orbweaver cluster") || c.CommandPath() == "orbweaver watch" {
				return
			}
			if ran, _ := runScript(t, examples, inProcess(t)); ran == 0 {
				t.Errorf("no example was run of\n%s", examples)
			}
			if tree(t, "examples") != before {
				t.Error("it changes files that the project ships with")
			}
		})
	}
	visit(cli.Root(new(job.Job), built.Build{}))
	if checked < 5 {
		t.Errorf("%d verbs have help", checked)
	}
}

// loads makes sure that a crawl file, or a comparison file, means something: also one that no test
// may run, since it is about the live Web.
func loads(t *testing.T, name, content string) {
	t.Helper()
	_, err := all.Kinds().Schema().Load(name)
	if strings.Contains(content, "\nruns:") {
		_, err = all.Kinds().Schema().LoadComparison(name)
	}
	if err != nil {
		t.Errorf("%s: %v", name, err)
	}
}

// A runner runs one command line of ours.
type runner func(args ...string) (status int, stdout, stderr string)

// inProcess runs commands in this process, on the system's network.
func inProcess(t *testing.T) runner {
	return func(args ...string) (int, string, string) { return execute(t, args...) }
}

// runScript runs the commands of ours in a script, writes its here documents, copies and makes folders, and returns how many commands it
// ran and which lines are none of these. A command is what stands before a comment of two spaces, or before &&.
func runScript(t *testing.T, script string, run runner) (ran int, others []string) {
	t.Helper()
	lines := strings.Split(script, "\n")
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
		if name, found := strings.CutPrefix(line, "cat > "); found {
			i = writeHere(t, strings.TrimSuffix(name, " <<END"), lines, i)
			continue
		}
		line = strings.Replace(line, "go run ./cmd/orbweaver ", "orbweaver ", 1)
		command, args, _ := strings.Cut(line, " ")
		args, _, _ = strings.Cut(strings.TrimSpace(args), "  ")
		switch command {
		case "orbweaver":
			runCommand(t, line, args, run)
			ran++
		case "cp":
			copyAs(t, shellWords(args))
		case "mkdir":
			if err := os.Mkdir(args, 0o777); err != nil {
				t.Fatal(err)
			}
		case "", "#":
		default:
			others = append(others, line)
		}
	}
	return ran, others
}

// writeHere writes the here document of a line, indented like it, and returns its last line.
func writeHere(t *testing.T, name string, lines []string, i int) int {
	t.Helper()
	indent := lines[i][:strings.Index(lines[i], "cat")]
	var document strings.Builder
	for i++; strings.TrimSpace(lines[i]) != "END"; i++ {
		document.WriteString(strings.TrimPrefix(lines[i], indent) + "\n")
	}
	write(t, name, document.String())
	if filepath.Ext(name) == ".yaml" {
		loads(t, name, document.String())
	}
	return i
}

// runCommand runs a command of ours, which succeeds and prints something.
func runCommand(t *testing.T, line, args string, run runner) {
	t.Helper()
	args, result, _ := strings.Cut(args, " && head -3 ")
	status, stdout, stderr := run(shellWords(args)...)
	if status != exitDone || stdout == "" {
		t.Errorf("%s: exit status %d\n%s%s", line, status, stdout, stderr)
	}
	if result != "" && len(read(t, result)) == 0 {
		t.Errorf("%s: %s is empty", line, result)
	}
}

// copyAs is cp FILE NAME and cp -r FOLDER NAME.
func copyAs(t *testing.T, args []string) {
	t.Helper()
	if args[0] != "-r" {
		write(t, args[1], string(read(t, args[0])))
		return
	}
	if err := os.CopyFS(args[2], os.DirFS(args[1])); err != nil {
		t.Fatal(err)
	}
}

// shellWords splits a command line as a shell does, as far as spaces and quotes go.
func shellWords(line string) (words []string) {
	var word strings.Builder
	begun, quote := false, rune(0)
	for _, r := range line + " " {
		switch {
		case r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			begun, quote = true, r
		case quote == 0 && r == ' ':
			if begun {
				words = append(words, word.String())
			}
			word.Reset()
			begun = false
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	return words
}
