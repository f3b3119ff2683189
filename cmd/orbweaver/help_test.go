package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"orbweaver/internal/job"
	"orbweaver/internal/kind/all"
	"orbweaver/internal/realdata"
)

// TestExamplesOfHelp: the help of each verb teaches by example, and the examples work as they stand.
func TestExamplesOfHelp(t *testing.T) {
	checked := 0
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			visit(sub)
		}
		if !c.IsAvailableCommand() && c.HasParent() || c.Name() == "help" || c.Name() == "completion" {
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
			if runScript(t, examples) == 0 {
				t.Errorf("no example was run of\n%s", examples)
			}
			if tree(t, "examples") != before {
				t.Error("it changes files that the project ships with")
			}
		})
	}
	visit(newRoot(new(job.Job)))
	if checked < 5 {
		t.Errorf("%d verbs have help", checked)
	}
}

// TestExamplesOfTheReadme: a YAML block whose first line names a file is that file; commands are run
// in their order.
func TestExamplesOfTheReadme(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join(realdata.Root(t), "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	project(t)
	before := tree(t, "examples")
	files, ran := 0, 0
	for _, block := range regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```").FindAllStringSubmatch(string(readme), -1) {
		if name, _, ok := strings.Cut(block[2], ".yaml\n"); block[1] == "yaml" && ok && strings.HasPrefix(name, "# ") {
			file := filepath.Clean(name[2:] + ".yaml")
			write(t, file, block[2])
			loads(t, file, block[2])
			files++
		}
		if block[1] == "" {
			ran += runScript(t, block[2])
		}
	}
	if tree(t, "examples") != before {
		t.Error("the commands change files that the project ships with")
	}
	if files == 0 || ran < 3 {
		t.Errorf("%d files and %d commands in README.md", files, ran)
	}
}

// TestExamplesOfCrossReferences: the commands of docs/howto/crossref.md work as they stand.
func TestExamplesOfCrossReferences(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(realdata.Root(t), "docs/howto/crossref.md"))
	if err != nil {
		t.Fatal(err)
	}
	project(t)
	before := tree(t, "examples")
	ran := 0
	for _, block := range regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```").FindAllStringSubmatch(string(text), -1) {
		if block[1] == "" {
			ran += runScript(t, block[2])
		}
	}
	if tree(t, "examples") != before {
		t.Error("the commands change files that the project ships with")
	}
	if ran < 3 {
		t.Errorf("%d commands", ran)
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

// runScript runs the commands of ours in a script and writes its here documents, and returns how many
// commands it ran. A command is what stands before a comment of two spaces, or before &&.
func runScript(t *testing.T, script string) (ran int) {
	t.Helper()
	lines := strings.Split(script, "\n")
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
		if name, found := strings.CutPrefix(line, "cat > "); found {
			name = strings.TrimSuffix(name, " <<END")
			var document strings.Builder
			for i++; strings.TrimSpace(lines[i]) != "END"; i++ {
				document.WriteString(strings.TrimPrefix(lines[i], "  ") + "\n")
			}
			write(t, name, document.String())
			if filepath.Ext(name) == ".yaml" {
				loads(t, name, document.String())
			}
			continue
		}
		if what, found := strings.CutPrefix(line, "cp "); found {
			what, _, _ = strings.Cut(what, "  ")
			copyAs(t, shellWords(what))
			continue
		}
		line = strings.Replace(line, "go run ./cmd/orbweaver ", "orbweaver ", 1)
		args, ours := strings.CutPrefix(line, "orbweaver ")
		if !ours {
			continue
		}
		args, result, _ := strings.Cut(args, " && head -3 ")
		args = strings.TrimSpace(strings.ReplaceAll(args, "ontology show  ", "ontology show "))
		args, _, _ = strings.Cut(args, "  ")
		status, stdout, stderr := execute(t, shellWords(args)...)
		if status != exitDone || stdout == "" {
			t.Errorf("%s: exit status %d\n%s%s", line, status, stdout, stderr)
		}
		if result != "" && len(read(t, result)) == 0 {
			t.Errorf("%s: %s is empty", line, result)
		}
		ran++
	}
	return ran
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

// shellWords splits a command line as a shell does, as far as spaces and single quotes go.
func shellWords(line string) (words []string) {
	word, begun, quoted := "", false, false
	for _, r := range line + " " {
		switch {
		case r == '\'':
			begun, quoted = true, !quoted
		case r == ' ' && !quoted:
			if begun {
				words = append(words, word)
			}
			word, begun = "", false
		default:
			word, begun = word+string(r), true
		}
	}
	return words
}
