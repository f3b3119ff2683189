package cli

import (
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

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
			root := c.Root()
			root.DisableAutoGenTag = true
			header := &doc.GenManHeader{Section: "1", Source: "Orbweaver", Manual: "Orbweaver", Date: &at}
			if err := doc.GenManTree(root, header, args[0]); err != nil {
				return err
			}
			pages, err := filepath.Glob(filepath.Join(args[0], "orbweaver*.1"))
			console.Say(a.Out, "%s: %d man pages", args[0], len(pages))
			return err
		},
	}
}
