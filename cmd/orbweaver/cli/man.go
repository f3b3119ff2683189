package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"orbweaver/cmd/orbweaver/flags"
	"orbweaver/internal/built"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
)

func newMan(a *job.Job) *cobra.Command {
	return &cobra.Command{
		Use:    "man DIR",
		Hidden: true,
		Short:  "Write the man pages of all commands",
		Long: `Writes one man page per command into a folder, which it creates if necessary. man -l reads a page; in
a folder of manpath(1), man finds them by name: man orbweaver-crawl. The examples are those of
--help.`,
		Example: `  orbweaver man man/man1
  man -l man/man1/orbweaver-crawl.1`,
		Args: flags.Exactly(1, "one folder"),
		RunE: func(c *cobra.Command, args []string) error {
			at := built.At()
			if at.IsZero() {
				at = time.Unix(0, 0).UTC()
			}
			if err := os.MkdirAll(args[0], 0o777); err != nil {
				return err
			}
			n, err := manPages(c.Root(), at, args[0])
			console.Say(a.Out, "%s: %d man pages", args[0], n)
			return err
		},
	}
}

// manPages writes the page of a command, and of all below it that help lists, into a folder; n: how many.
func manPages(c *cobra.Command, at time.Time, folder string) (n int, err error) {
	page := filepath.Join(folder, manName(c)+".1")
	if err := os.WriteFile(page, []byte(manPage(c, at)), 0o666); err != nil {
		return 0, err
	}
	n = 1
	for _, below := range c.Commands() {
		if !below.IsAvailableCommand() || below.IsAdditionalHelpTopicCommand() {
			continue
		}
		more, err := manPages(below, at, folder)
		if n += more; err != nil {
			return n, err
		}
	}
	return n, nil
}

func manName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// manPage returns the page of a command in the macros of man(7).
func manPage(c *cobra.Command, at time.Time) string {
	c.InitDefaultHelpFlag()
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %q \"1\" %q \"Orbweaver\" \"Orbweaver\"\n", strings.ToUpper(manName(c)), at.Format("Jan 2006"))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(manName(c)), roff(c.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n\\fB%s\\fP\n", roff(c.UseLine()))
	section := func(title, text string) {
		if text = strings.Trim(text, "\n"); text != "" {
			fmt.Fprintf(&b, ".SH %s\n.nf\n%s\n.fi\n", title, roff(text))
		}
	}
	section("DESCRIPTION", c.Long)
	section("OPTIONS", c.NonInheritedFlags().FlagUsagesWrapped(78))
	section("OPTIONS INHERITED FROM PARENT COMMANDS", c.InheritedFlags().FlagUsagesWrapped(78))
	section("EXAMPLE", c.Example)
	var also []string
	if c.HasParent() {
		also = append(also, manName(c.Parent()))
	}
	for _, below := range c.Commands() {
		if below.IsAvailableCommand() && !below.IsAdditionalHelpTopicCommand() {
			also = append(also, manName(below))
		}
	}
	for i, name := range also {
		also[i] = fmt.Sprintf("\\fB%s(1)\\fP", roff(name))
	}
	if len(also) > 0 {
		fmt.Fprintf(&b, ".SH SEE ALSO\n%s\n", strings.Join(also, ", "))
	}
	return b.String()
}

// roff escapes a text: backslashes and hyphens, and what begins a line as a macro does.
func roff(text string) string {
	lines := strings.Split(strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
