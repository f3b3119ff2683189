// Package cli is the command line of orbweaver: verbs, flags, what is printed, exit statuses. Tests run it in their process with Run, or be
// the program with Main.
//
// This package is not part of the stable API.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"orbweaver"
	"orbweaver/cmd/orbweaver/cluster"
	"orbweaver/cmd/orbweaver/flags"
	"orbweaver/internal/built"
	"orbweaver/internal/console"
	"orbweaver/internal/database"
	"orbweaver/internal/delivery"
	"orbweaver/internal/job"
	"orbweaver/internal/machine"
	"orbweaver/internal/offline/graph"
	"orbweaver/internal/starting"
	"orbweaver/weburl"
)

// The exit statuses.
const (
	exitDone        = 0
	exitFailed      = 1
	exitInput       = 2
	exitNothing     = 3   // the crawl is over and fetched no page
	exitHostsDown   = 4   // the crawl is over: all that waits is at hosts that are down
	exitNetworkDown = 5   // the crawl is over: this machine's network is down
	exitViolations  = 6   // the exported graph violates the shapes
	exitBehind      = 7   // the crawl is over, and a sink lacks pages of it
	exitInterrupted = 130 // the shell convention for SIGINT
)

// Main is the program: it runs the command line of this process, and ends the process. version and commit are what the linker set; empty: what the go
// command stamped.
func Main(version, commit string) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var crawling atomic.Bool
	stopping := make(chan struct{})
	go func() {
		<-ctx.Done()
		stop() // a second Ctrl-C ends the process at once
		insist(&crawling, stopping)
	}()
	width := 0
	if columns, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil {
		width = columns
	}
	a := &job.Job{Console: console.Console{Out: os.Stdout, Err: os.Stderr, In: os.Stdin, Terminal: term.IsTerminal(int(os.Stderr.Fd())), Width: width}}
	a.Person = a.Terminal && term.IsTerminal(int(os.Stdin.Fd())) && term.IsTerminal(int(os.Stdout.Fd()))
	a.Crawling = func() { crawling.Store(true) }
	machine.Memory()
	status := Run(ctx, a, built.This(version, commit), os.Args[1:])
	if ctx.Err() != nil {
		<-stopping
	}
	os.Exit(status)
}

// After a signal a job ends by itself, or main ends it: a job that reads or computes without looking whether it is to end
// ends within a second. A crawl has longer, as it finishes its requests and writes its report. What a job commits survives
// that: databases and archives are as after a kill, and other files are replaced whole.
const (
	patience      = 600 * time.Millisecond
	crawlPatience = 30 * time.Second
)

// insist says on standard error that the program ends, closes said, and ends the process when its time is over.
func insist(crawling *atomic.Bool, said chan<- struct{}) {
	left := patience
	if crawling.Load() {
		left = crawlPatience
		fmt.Fprintln(os.Stderr, "\nfinishing in-flight requests; Ctrl-C again ends at once")
	}
	close(said)
	time.Sleep(left)
	fmt.Fprintf(os.Stderr, "orbweaver: %v\n", console.ErrInterrupted)
	os.Exit(exitInterrupted)
}

// Run executes one command line, without the program's name, and returns the exit status.
func Run(ctx context.Context, a *job.Job, build built.Build, args []string) int {
	args, was, is := renamed(args)
	if was != "" {
		console.Say(a.Err, "`orbweaver %s` is now `orbweaver %s`", was, is)
	}
	root := Root(a, build)
	root.SetArgs(append([]string{}, args...)) // nil would be the arguments of the process
	root.SetOut(a.Out)
	root.SetErr(a.Err)
	idle := func() {}
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error {
		if path := strings.TrimPrefix(c.CommandPath(), root.Name()+" "); !a.Log.Quiet {
			idle = a.ShowBusy(path, slices.Contains([]string{"serve", "studio", "replay", "mcp", "cluster", "watch"}, path))
		}
		return machine.Starts()
	}
	err := cluster.Execute(ctx, a, root, args)
	idle()
	if errors.Is(err, context.Canceled) && ctx.Err() != nil && !errors.Is(err, console.ErrInterrupted) {
		err = console.ErrInterrupted // canceled before the job began
	}
	if err != nil {
		complain(a.Err, err)
	}
	return status(err)
}

// status is the exit status of an error.
func status(err error) int {
	var usage flags.UsageError
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, console.ErrInterrupted):
		return exitInterrupted
	case errors.Is(err, starting.ErrNothing):
		return exitNothing
	case errors.Is(err, starting.ErrHostsDown):
		return exitHostsDown
	case errors.Is(err, starting.ErrNetworkDown):
		return exitNetworkDown
	case errors.Is(err, delivery.ErrBehind):
		return exitBehind
	case errors.Is(err, graph.ErrViolations):
		return exitViolations
	case errors.Is(err, orbweaver.ErrInput), errors.Is(err, orbweaver.ErrForeign),
		errors.Is(err, orbweaver.ErrBusy), errors.As(err, &usage):
		return exitInput
	}
	return exitFailed
}

// complain prints an error, with a hint for usage errors. It redacts passwords.
func complain(w io.Writer, err error) {
	err = machine.Explain(database.Damage("database", err)) // whose errors callers did not put into words
	for _, problem := range plain(err) {
		fmt.Fprintf(w, "orbweaver: %s\n", weburl.Redacted(problem))
	}
	var usage flags.UsageError
	if errors.As(err, &usage) {
		fmt.Fprintf(w, "See `%s --help`.\n", usage.Command)
	}
}

// plain returns the lines of an error for its user: one per problem, without duplicates and without
// the sentinel texts that only select the exit status.
func plain(err error) []string {
	var problems []string
	for line := range strings.Lines(err.Error()) {
		line = strings.TrimRight(line, "\n")
		for _, f := range []orbweaver.Failure{orbweaver.ErrInput, orbweaver.ErrForeign, orbweaver.ErrBusy, starting.ErrNothing, starting.ErrHostsDown, starting.ErrNetworkDown} {
			word := string(f)
			line = strings.TrimSuffix(strings.ReplaceAll(line, ": "+word+": ", ": "), ": "+word)
			line = strings.TrimPrefix(strings.TrimSuffix(line, " ("+word+")"), word+": ")
			if line == word {
				line = ""
			}
		}
		told := !strings.HasPrefix(line, "  ") && slices.ContainsFunc( // indented is what is quoted
			problems, func(before string) bool { return strings.Contains(before, line) })
		if line != "" && !told { // a failed database repeats its error when closed
			problems = append(problems, line)
		}
	}
	return problems
}

// Root builds the commands.
func Root(a *job.Job, build built.Build) *cobra.Command {
	all := groups(a, build)
	root := &cobra.Command{
		Use:   "orbweaver",
		Short: "A semantic focused crawler: finds the pages relevant to your topic",
		Example: `  orbweaver demo                                  the first crawl, from the program alone
  orbweaver init mine                             a starter crawl file and ontology
  orbweaver crawl examples/aircraft.yaml          start or resume a crawl
  orbweaver status crawls/aircraft                the state of a crawl, running or not
  orbweaver help improve                          the verbs of a group`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 0 && groupOf(all, args[0]) {
				return flags.Misused(c, "%s is a group of verbs: see `orbweaver help %s`", args[0], args[0])
			}
			return flags.Verb(c, args)
		},
		RunE: func(c *cobra.Command, _ []string) error {
			if !a.Terminal {
				return flags.Misused(c, "want a verb; begin with demo, init or studio")
			}
			fmt.Fprintln(a.Err, c.Long)
			return orbweaver.ErrInput
		},
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	// A verb that does nothing but have others has no line of usage of its own.
	root.SetUsageTemplate(strings.Replace(root.UsageTemplate(),
		"{{if .Runnable}}", "{{if and .Runnable (or (not .HasAvailableSubCommands) (ne .Use .Name))}}", 1))
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return flags.UsageError{Command: c.CommandPath(), Err: err} })
	for _, g := range all {
		root.AddCommand(g.verbs...)
	}
	root.AddCommand(newMan(a))
	root.CompletionOptions.HiddenDefaultCmd = true
	root.Version = build.String()
	root.Flags().Bool("version", false, "print version, commit and the version of Go")
	root.SetVersionTemplate("{{.Name}} {{.Version}}\n")
	helped(root, all)
	completed(root)
	return root
}
