// Package self has the verbs that speak of the program itself and of the machine it is on: version and doctor.
//
// This package is not part of the stable API.
package self

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"orbweaver"
	"orbweaver/cmd/orbweaver/flags"
	"orbweaver/internal/built"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/delivery"
	"orbweaver/internal/doctor"
	"orbweaver/internal/job"
	"orbweaver/internal/services/wire"
)

// Version returns the verb version.
func Version(a *job.Job, b built.Build) *cobra.Command {
	format := "text"
	c := &cobra.Command{
		Use: "version", Short: "Print version, commit, version of Go and platform",
		Long: `Prints what this program was built from: the version (a tag, or what git describe says), the commit of
git, the version of Go, and the platform. A program of go install tells its commit if it was built
in a checkout, and its version if it was built from a tag.`,
		Example: `  orbweaver version
  orbweaver version --format json`,
		Args: atMost(0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			switch format {
			case "json":
				return console.WriteJSON(a.Out, b)
			case "text":
				console.Say(a.Out, "orbweaver %s", b)
				return nil
			}
			return notAFormat("version", format)
		},
	}
	c.Flags().StringVar(&format, "format", format, "text or json")
	flags.FormerlyJSON(c)
	return c
}

// Doctor returns the verb doctor.
func Doctor(a *job.Job, b built.Build) *cobra.Command {
	format, at := "text", ""
	c := &cobra.Command{
		Use: "doctor [FILE]", Short: "Look at what a crawl needs of this machine, and say what to mend",
		Long: `Looks at the clock, the disk of the working directory, the limits of open files and memory, the
browser, and the ports at which studio and serve listen by default. With a crawl file, at what
that crawl needs: its output folder, the hosts of its seeds, its proxies, its sinks, as sink
--check tries them, and the files and variables with its secrets, which are never shown. One line
each:

  ok        nothing to do
  warning   a crawl runs, and may be slower or have less
  problem   a crawl fails

Without a crawl file nothing is asked over the network. With one of the live Web, up to eight
names are looked up, proxies are connected to, and the host of the first seed is asked once for
its robots.txt, whose time is compared with the clock. Sinks are reached wherever they are. All ends
after at most 31 seconds.

--at asks only whether a server answers at a URL, such as a studio, serve or /healthz of a node: a
check for service managers and containers.

The exit status is 0 without a problem, 1 with one, and 2 for a crawl file that cannot be read.`,
		Example: `  orbweaver doctor
  orbweaver doctor examples/aircraft.yaml
  orbweaver doctor --format json

  # is the studio well?
  cd work && orbweaver doctor --at http://127.0.0.1:7979/`,
		Args: atMost(1, "at most one crawl file"),
		RunE: func(c *cobra.Command, args []string) error {
			if format != "text" && format != "json" {
				return notAFormat("doctor", format)
			}
			if at != "" {
				status, err := doctor.Answers(c.Context(), at)
				if err == nil {
					console.Say(a.Out, "%s answers %s", at, status)
				}
				return err
			}
			var p doctor.Patient
			if len(args) == 1 {
				file, err := a.Schema().Load(args[0])
				if err != nil {
					return err
				}
				p = doctor.Patient{Path: args[0], File: file}
			}
			var made time.Time
			if b.Time != nil {
				made = *b.Time
			}
			m := doctor.This(made, a.Wire)
			m.Sinks = sinksOn(a.Wire)
			return told(a, doctor.Look(c.Context(), m, p), format == "json")
		},
	}
	c.Flags().StringVar(&format, "format", format, "text or json")
	flags.FormerlyJSON(c)
	c.Flags().StringVar(&at, "at", "", "ask the server at this `URL` instead")
	return c
}

// sinksOn returns what checks the sinks of a crawl file over a wire.
func sinksOn(w wire.Wire) func(ctx context.Context, path string, f *crawlfile.Crawl) ([]doctor.Tried, error) {
	return func(ctx context.Context, path string, f *crawlfile.Crawl) (all []doctor.Tried, err error) {
		targets, err := delivery.Open(path, f, w, "")
		if err != nil {
			return nil, err
		}
		for _, t := range targets {
			all = append(all, doctor.Tried{Name: t.Name, To: t.To, Err: t.Sink.Check(ctx)})
		}
		return all, delivery.Close(targets)
	}
}

// told prints a report, and returns an error if it has a problem.
func told(a *job.Job, r doctor.Report, asJSON bool) error {
	if asJSON {
		if err := console.WriteJSON(a.Out, r); err != nil {
			return err
		}
	} else {
		r.Print(a.Out)
	}
	if n := r.Count(doctor.Problem); n > 0 {
		return fmt.Errorf("doctor: %s", console.Several(n, "problem"))
	}
	return nil
}

// notAFormat is the error of a wrong --format.
func notAFormat(verb, format string) error {
	return fmt.Errorf("%s: --format is text or json, not %q: see `orbweaver %s --help` (%w)", verb, format, verb, orbweaver.ErrInput)
}

// atMost allows n arguments; what describes them.
func atMost(n int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > n {
			return fmt.Errorf("%s: want %s, have %d: see `orbweaver %s --help` (%w)", c.Name(), what, len(args), c.Name(), orbweaver.ErrInput)
		}
		return nil
	}
}
