package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"orbweaver/crawl"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/view"
)

func newStatus(a *job.Job) *cobra.Command {
	format := ""
	c := &cobra.Command{
		Use:   "status DIR",
		Short: "Tell how a crawl stands, running or not",
		Long: `Tells how the crawl of a folder stands: whether it runs, how far it has come, what waits,
how its hosts are, what failed and why, and which hosts were asked most, with the shortest
time between two requests. A crawl that runs is asked; of one that does not, the folder is
looked at.`,
		Example: `  orbweaver crawl examples/aircraft.yaml

  # in another terminal while it runs, or afterwards
  orbweaver status crawls/aircraft
  orbweaver status crawls/aircraft --format json`,
		Args: exactly(1, "one crawl folder"),
		RunE: func(c *cobra.Command, args []string) error {
			if format != "text" && format != "json" {
				return misused(c, "--format is text or json, not %q", format)
			}
			folder, err := crawl.Open(args[0], crawl.On(a))
			if err != nil {
				return err
			}
			s, err := folder.Status(c.Context())
			switch {
			case err != nil:
				return err
			case format == "json":
				return view.StatusJSON(a.Out, s)
			}
			view.Status(a.Out, s)
			return nil
		},
	}
	c.Flags().StringVar(&format, "format", "text", "text or json")
	return c
}

func newPause(a *job.Job) *cobra.Command {
	return told(a, &cobra.Command{
		Use:   "pause DIR",
		Short: "Let a running crawl start nothing new for a while",
		Long: `Lets the crawl that runs in a folder start nothing new. What is in hand goes on, and the
process stays: resume lets it go on, stop ends it.`,
		Example: `  orbweaver crawl examples/aircraft.yaml

  # in another terminal, while it runs
  cd crawls/aircraft && orbweaver pause .`,
	}, (*crawl.Crawl).Pause, func(dir string) string { return "paused; `orbweaver resume " + dir + "` goes on" })
}

func newResume(a *job.Job) *cobra.Command {
	return told(a, &cobra.Command{
		Use:   "resume DIR",
		Short: "Let a paused crawl go on",
		Long: `Lets the crawl that was paused in a folder go on. A crawl that was stopped, or killed, goes on
by the command that began it: orbweaver crawl FILE.`,
		Example: `  orbweaver crawl examples/aircraft.yaml

  # in another terminal, after a pause
  cd crawls/aircraft && orbweaver resume .`,
	}, (*crawl.Crawl).Resume, func(string) string { return "goes on" })
}

func newStop(a *job.Job) *cobra.Command {
	return told(a, &cobra.Command{
		Use:   "stop DIR",
		Short: "End a running crawl after what is in hand",
		Long: `Ends the crawl that runs in a folder after what is in hand, as Ctrl-C does: nothing is lost,
and the command that began it goes on.`,
		Example: `  orbweaver crawl examples/aircraft.yaml

  # in another terminal, while it runs
  cd crawls/aircraft && orbweaver stop .`,
	}, (*crawl.Crawl).Stop, func(string) string { return "stops after what is in hand; `orbweaver crawl` with its file goes on" })
}

func newAdd(a *job.Job) *cobra.Command {
	return &cobra.Command{
		Use:   "add DIR URL...",
		Short: "Give a running crawl more seeds",
		Long: `Offers URLs, as seeds, to the crawl that runs in a folder, and tells what became of each: added,
known already, out of the crawl file's scope, or forbidden by robots.txt. The exit status is
1 when one is out of scope or forbidden, and 2 when one is no URL; the others are added.`,
		Example: `  orbweaver crawl examples/aircraft.yaml

  # in another terminal, while it runs
  cd crawls/aircraft && orbweaver add . http://hangar.example/ http://skylines.example/`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) < 2 {
				return misused(c, "want a crawl folder and at least one URL")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return add(c.Context(), a, args[0], args[1:]) },
	}
}

// told completes a command that tells the crawl of a folder something, and says that it was done.
func told(a *job.Job, c *cobra.Command, tell func(*crawl.Crawl, context.Context) error, done func(dir string) string) *cobra.Command {
	c.Args = exactly(1, "one crawl folder")
	c.RunE = func(c *cobra.Command, args []string) error {
		folder, err := crawl.Open(args[0], crawl.On(a))
		if err == nil {
			err = tell(folder, c.Context())
		}
		if err == nil {
			console.Say(a.Out, "%s: %s", args[0], done(args[0]))
		}
		return err
	}
	return c
}

// add prints what became of each URL. The error tells of those that are none, and of those that the crawl must not ask for.
func add(ctx context.Context, a *job.Job, dir string, urls []string) error {
	folder, err := crawl.Open(dir, crawl.On(a))
	if err != nil {
		return err
	}
	added, err := folder.Add(ctx, urls...)
	refused := view.Added(a.Out, added)
	if refused > 0 {
		err = errors.Join(err, fmt.Errorf("%s: %d of %d URLs were not added: the crawl must not ask for them", dir, refused, len(urls)))
	}
	return err
}
