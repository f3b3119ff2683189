package main

import (
	"github.com/spf13/cobra"

	"orbweaver/internal/job"
	"orbweaver/internal/offline"
)

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
