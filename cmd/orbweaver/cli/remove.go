package cli

import (
	"github.com/spf13/cobra"

	"orbweaver/cmd/orbweaver/flags"
	"orbweaver/crawl"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/view"
)

func newRemove(a *job.Job) *cobra.Command {
	q, format := crawl.RemovalQuery{}, "text"
	c := &cobra.Command{
		Use:   "remove DIR [PATTERN...]",
		Short: "Remove pages, a host or all that matches a pattern from a crawl, for good",
		Long: `Removes pages wherever the crawl folder has them: from the results and the ledger, the archive, the
statements, the index of words, the links, the verdicts, the logs, and so from all exports to come.
A pattern is as in scope.exclude: a host with its subdomains (boeing.com), a URL, a URL with * in
its path, or a regular expression between slashes. Requests that wait for such URLs go, too, and no
later session asks for them. --preview counts, and changes nothing: begin with it, a removal cannot
be undone. The crawl must not be running.

A line without a URL stays in pages.jsonl for each request, so that all others keep their numbers.
What other pages say of a URL stays in those pages, and what the focus learned stays learned. Sinks
are told at the next delivery that the pages are withdrawn.
takedowns.jsonl in the folder records each removal with its patterns and its reason. One that was
interrupted is finished by the next session of the crawl, or by remove without a pattern.`,
		Example: `  orbweaver crawl examples/aircraft.yaml
  orbweaver remove crawls/aircraft skylines.example --preview
  orbweaver remove crawls/aircraft http://tidings.example/ --reason "asked by the owner"`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return flags.Exactly(1, "a crawl folder, and patterns")(c, args)
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if format != "text" && format != "json" {
				return flags.Misused(c, "--format is text or json, not %q", format)
			}
			folder, err := crawl.Open(args[0], crawl.On(a))
			if err != nil {
				return err
			}
			q.Patterns = args[1:]
			show, end := a.Shares()
			q.Progress = show
			r, err := folder.Remove(c.Context(), q)
			end()
			switch {
			case err != nil:
				return err
			case format == "json":
				return console.WriteJSON(a.Out, r)
			}
			view.Removed(a.Out, r, q.Preview)
			return nil
		},
	}
	c.Flags().BoolVar(&q.Preview, "preview", false, "count what would be removed, and change nothing")
	c.Flags().StringVar(&q.Reason, "reason", "", "why, for the record")
	c.Flags().StringVar(&format, "format", format, "text or json")
	return c
}
