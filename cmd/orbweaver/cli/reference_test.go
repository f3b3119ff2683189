package cli

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"orbweaver/internal/built"
	"orbweaver/internal/job"
	"orbweaver/internal/realdata"
)

var update = flag.Bool("update", false, "write docs/reference/cli.md")

// cliHead begins the reference of the command line.
const cliHead = `# The command line

<!-- Generated from the commands of cmd/orbweaver/cli; after changing one run:
     go test ./cmd/orbweaver/cli -run TestReferenceOfTheCommandLine -update -->

For whoever looks up a command or a flag: what ` + "`--help`" + ` prints of each, as man pages have it too (` + "`orbweaver man`" + `).

`

// TestReferenceOfTheCommandLine: docs/reference/cli.md is what cobra makes of the commands.
func TestReferenceOfTheCommandLine(t *testing.T) {
	var all bytes.Buffer
	var index, pages strings.Builder
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		if !c.IsAvailableCommand() && c.HasParent() || c.Name() == "help" {
			return
		}
		c.DisableAutoGenTag = true
		all.Reset()
		if err := doc.GenMarkdown(c, &all); err != nil {
			t.Fatal(err)
		}
		page, _, _ := strings.Cut(all.String(), "### SEE ALSO")
		anchor := strings.ReplaceAll(c.CommandPath(), " ", "-")
		index.WriteString("| [`" + c.CommandPath() + "`](#" + anchor + ") | " + c.Short + " |\n")
		pages.WriteString(plainSections(page))
		for _, sub := range c.Commands() {
			visit(sub)
		}
	}
	visit(Root(new(job.Job), built.Build{}))
	want := cliHead + "| command | does |\n|---|---|\n" + index.String() + "\n" + strings.TrimRight(pages.String(), "\n") + "\n"
	path := filepath.Join(realdata.Root(t), "docs", "reference", "cli.md")
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if string(read(t, path)) != want {
		t.Error("docs/reference/cli.md is stale: go test ./cmd/orbweaver/cli -run TestReferenceOfTheCommandLine -update")
	}
}

var (
	synopsis = regexp.MustCompile(`(?ms)^### Synopsis\n\n(.*?)\n\n` + "```" + `\n`)
	fence    = regexp.MustCompile("(?m)^```$")
)

// plainSections is a page of cobra without headings that would recur for each command: its text as it is printed, usage, examples, options.
func plainSections(page string) string {
	page = synopsis.ReplaceAllString(page, "```\n$1\n```\n\n```\n")
	page = strings.NewReplacer("### Examples", "Examples:", "### Options inherited from parent commands", "Options of all commands below:", "### Options", "Options:").Replace(page)
	open := false
	return fence.ReplaceAllStringFunc(page, func(string) string {
		if open = !open; open {
			return "```text"
		}
		return "```"
	})
}
