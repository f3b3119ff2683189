package main

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"orbweaver/crawl"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
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
What other pages say of a URL stays in those pages, and what the focus learned stays learned.
takedowns.jsonl in the folder records each removal with its patterns and its reason. One that was
interrupted is finished by the next session of the crawl, or by remove without a pattern.`,
		Example: `  orbweaver crawl examples/aircraft.yaml
  orbweaver remove crawls/aircraft skylines.example --preview
  orbweaver remove crawls/aircraft http://tidings.example/ --reason "asked by the owner"`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return exactly(1, "a crawl folder, and patterns")(c, args)
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if format != "text" && format != "json" {
				return misused(c, "--format is text or json, not %q", format)
			}
			folder, err := crawl.Open(args[0], crawl.On(a))
			if err != nil {
				return err
			}
			q.Patterns = args[1:]
			said := false
			q.Progress = func(step string, done, all int64) {
				if a.Terminal && all > 0 {
					fmt.Fprintf(a.Err, "\r%-8s %3d %%", step, 100*done/all)
					said = true
				}
			}
			r, err := folder.Remove(c.Context(), q)
			if said {
				fmt.Fprint(a.Err, "\r\x1b[K")
			}
			switch {
			case err != nil:
				return err
			case format == "json":
				return console.WriteJSON(a.Out, r)
			}
			printRemoved(a.Out, r, q.Preview)
			return nil
		},
	}
	c.Flags().BoolVar(&q.Preview, "preview", false, "count what would be removed, and change nothing")
	c.Flags().StringVar(&q.Reason, "reason", "", "why, for the record")
	c.Flags().StringVar(&format, "format", format, "text or json")
	return c
}

// printRemoved prints what was removed, or would be.
func printRemoved(w io.Writer, r crawl.Removed, preview bool) {
	verb := "removed"
	if preview {
		verb = "would remove"
	}
	console.Say(w, "%s: %s (%s), %s that wait, %s", verb, several(int(r.Requests), "request"), several(int(r.Pages), "page"), several(int(r.Waiting), "request"),
		several(int(r.Verdicts), "verdict"))
	console.Say(w, "  %s of other pages: how links on these led to them", several(int(r.Mentioned), "mention"))
	for _, url := range r.Examples {
		console.Say(w, "  %s", console.Visible(url, 400))
	}
	if !preview {
		console.Say(w, "  %s of the archive are blank now; recorded in takedowns.jsonl at %s", several(int(r.Records), "record"), r.At.Format(time.RFC3339))
	}
}
