package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"orbweaver/cmd/orbweaver/flags"
	"orbweaver/crawl"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/view"
)

func newStatus(a *job.Job) *cobra.Command {
	format := ""
	c := &cobra.Command{
		Use:   "status DIR",
		Short: "Show the state of a crawl: progress, failures, hosts",
		Long: `Shows the state of the crawl in a folder: whether it runs, its progress, waiting URLs, the state
of its hosts, failures with causes, and the most requested hosts with the shortest interval
between two requests. If the crawl runs, status asks its process; otherwise it reads the folder.`,
		Example: `  orbweaver crawl examples/aircraft.yaml

  # in another terminal while it runs, or afterwards
  orbweaver status crawls/aircraft
  orbweaver status crawls/aircraft --format json`,
		Args: flags.Exactly(1, "one crawl folder"),
		RunE: func(c *cobra.Command, args []string) error {
			if format != "text" && format != "json" {
				return flags.Misused(c, "--format is text or json, not %q", format)
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
		Short: "Pause a running crawl",
		Long: `Pauses the crawl that runs in a folder: in-flight requests finish, no new ones start, and the
process stays. resume continues the crawl, stop ends it.`,
		Example: `  orbweaver crawl examples/aircraft.yaml

  # in another terminal, while it runs
  cd crawls/aircraft && orbweaver pause .`,
	}, (*crawl.Crawl).Pause, func(_ *crawl.Crawl, dir string) string { return "paused; `orbweaver resume " + dir + "` goes on" })
}

func newResume(a *job.Job) *cobra.Command {
	return told(a, &cobra.Command{
		Use:   "resume DIR",
		Short: "Continue a paused crawl",
		Long: `Continues a paused crawl, and has it try lost logins again. To resume a crawl that was stopped or killed, run the command that
started it: orbweaver crawl FILE.`,
		Example: `  orbweaver crawl examples/aircraft.yaml

  # in another terminal, after a pause
  cd crawls/aircraft && orbweaver resume .`,
	}, (*crawl.Crawl).Resume, func(*crawl.Crawl, string) string { return "goes on" })
}

func newStop(a *job.Job) *cobra.Command {
	return told(a, &cobra.Command{
		Use:   "stop DIR",
		Short: "Stop a running crawl after its in-flight requests",
		Long: `Stops the crawl that runs in a folder once its in-flight requests have finished, like Ctrl-C.
Nothing is lost; the command that started the crawl resumes it.`,
		Example: `  orbweaver crawl examples/aircraft.yaml

  # in another terminal, while it runs
  cd crawls/aircraft && orbweaver stop .`,
	}, (*crawl.Crawl).Stop, func(c *crawl.Crawl, _ string) string {
		verb := "crawl"
		if c.Scheduled() {
			verb = "watch"
		}
		return "stops after what is in hand; `orbweaver " + verb + "` with its file goes on"
	})
}

func newAdd(a *job.Job) *cobra.Command {
	return &cobra.Command{
		Use:   "add DIR URL...",
		Short: "Add seeds to a running crawl",
		Long: `Adds URLs as seeds to the crawl that runs in a folder, and prints the result for each: added,
already known, out of scope, or forbidden by robots.txt. The exit status is 1 if one is out of
scope or forbidden, and 2 if one is not a URL; the others are added.`,
		Example: `  orbweaver crawl examples/aircraft.yaml

  # in another terminal, while it runs
  cd crawls/aircraft && orbweaver add . http://hangar.example/ http://skylines.example/`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) < 2 {
				return flags.Misused(c, "want a crawl folder and at least one URL")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return add(c.Context(), a, args[0], args[1:]) },
	}
}

// told completes a command that controls the crawl of a folder, and says that it was done.
func told(a *job.Job, c *cobra.Command, tell func(*crawl.Crawl, context.Context) error, done func(c *crawl.Crawl, dir string) string) *cobra.Command {
	c.Args = flags.Exactly(1, "one crawl folder")
	c.RunE = func(c *cobra.Command, args []string) error {
		folder, err := crawl.Open(args[0], crawl.On(a))
		if err == nil {
			err = tell(folder, c.Context())
		}
		if err == nil {
			console.Say(a.Out, "%s: %s", args[0], done(folder, args[0]))
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
