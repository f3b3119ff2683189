package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"orbweaver/internal/console"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/job"
	"orbweaver/internal/offline"
)

func newMan(a *job.Job) *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write the man pages of all commands",
		Long: `Writes one man page per command into a folder, which it creates if necessary. man -l reads a page; in
a folder of manpath(1), man finds them by name: man orbweaver-crawl. The examples are those of
--help.`,
		Example: `  orbweaver man man/man1
  man -l man/man1/orbweaver-crawl.1`,
		Args: exactly(1, "one folder"),
		RunE: func(c *cobra.Command, args []string) error {
			at := committed()
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

func newInit(a *job.Job) *cobra.Command {
	return &cobra.Command{
		Use:   "init [FOLDER]",
		Short: "Write a starter crawl file and ontology",
		Long: `Writes topic.yaml, a commented crawl file for the live Web, and topic.ttl, an ontology of ten lines,
into a folder (default: the working directory), which it creates if necessary, and prints the next
steps. Existing files are never overwritten.`,
		Example: `  orbweaver init bicycles
  orbweaver ontology check bicycles/topic.ttl
  orbweaver ontology show bicycles/topic.ttl --target Bicycle`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 1 {
				return misused(c, "want one folder, have %d arguments", len(args))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			folder := "."
			if len(args) > 0 {
				folder = args[0]
			}
			return offline.Init(a, folder)
		},
	}
}

// completed adds shell completion of the first argument of verbs that take a crawl folder or a crawl file.
func completed(root *cobra.Command) {
	for _, c := range root.Commands() {
		completed(c)
		_, argument, _ := strings.Cut(c.Use, " ")
		switch {
		case c.ValidArgsFunction != nil:
		case strings.HasPrefix(argument, "DIR") && c.Name() != "man":
			c.ValidArgsFunction = crawlFolders
		case c.Name() == "crawl", c.Name() == "compare", c.Name() == "judge":
			c.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
				if len(args) > 0 {
					return nil, cobra.ShellCompDirectiveNoFileComp
				}
				return []string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
			}
		}
	}
}

// crawlFolders completes a crawl folder: those in crawls/ and those below the prefix typed so far.
func crawlFolders(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	var folders []string
	for _, pattern := range []string{begun + "*", filepath.Join("crawls", "*"), filepath.Join(begun, "*")} {
		files, err := filepath.Glob(filepath.Join(pattern, crawlfolder.RunFile))
		if err != nil {
			continue
		}
		for _, file := range files {
			if folder := filepath.Dir(file); strings.HasPrefix(folder, begun) && !slices.Contains(folders, folder) {
				folders = append(folders, folder)
			}
		}
	}
	if folders == nil {
		return nil, cobra.ShellCompDirectiveFilterDirs
	}
	return folders, cobra.ShellCompDirectiveNoFileComp
}
