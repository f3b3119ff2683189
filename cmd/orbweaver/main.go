// Command orbweaver is a semantic focused crawler. `orbweaver --help` says what it does.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"orbweaver"
	"orbweaver/internal/app"
)

// The exit statuses.
const (
	exitDone        = 0
	exitFailed      = 1
	exitInput       = 2
	exitInterrupted = 130 // as a shell has it after Ctrl-C
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	go func() {
		<-ctx.Done()
		stop() // a second Ctrl-C ends the process at once
	}()
	width := 0
	if columns, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil {
		width = columns
	}
	a := &app.App{Out: os.Stdout, Err: os.Stderr, Terminal: term.IsTerminal(int(os.Stderr.Fd())), Width: width}
	os.Exit(run(ctx, a, os.Args[1:]))
}

// run executes one command line and returns the exit status.
func run(ctx context.Context, a *app.App, args []string) int {
	root := newRoot(a)
	root.SetArgs(args)
	root.SetOut(a.Out)
	root.SetErr(a.Err)
	err := root.ExecuteContext(ctx)
	if err != nil {
		complain(a.Err, err)
	}
	return status(err)
}

// status is the exit status of an error.
func status(err error) int {
	var usage usageError
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, app.ErrInterrupted):
		return exitInterrupted
	case errors.Is(err, orbweaver.ErrInput), errors.Is(err, orbweaver.ErrForeign),
		errors.Is(err, orbweaver.ErrBusy), errors.As(err, &usage):
		return exitInput
	}
	return exitFailed
}

// complain prints an error with a hint where there is one.
func complain(w io.Writer, err error) {
	fmt.Fprintf(w, "orbweaver: %v\n", err)
	var usage usageError
	if errors.As(err, &usage) {
		fmt.Fprintf(w, "See `%s --help`.\n", usage.command)
	}
}

// A usageError is a command line that makes no sense.
type usageError struct {
	command string
	error
}

func (e usageError) Unwrap() error { return e.error }

// newRoot builds the commands.
func newRoot(a *app.App) *cobra.Command {
	root := &cobra.Command{
		Use:   "orbweaver",
		Short: "A semantic focused crawler: finds the part of the Web that matters to you",
		Long: `Orbweaver crawls the part of a web that matters to you. What matters is said in a crawl
file: an ontology and a target in it, or a few words. Every page gets a score from 0 to 1
with its reasons, links are followed best first, and the result is a folder with a report,
a table of all pages and, if wanted, a WARC archive.`,
		Example: `  orbweaver crawl examples/aircraft.yaml          crawl, or go on with an interrupted crawl
  orbweaver compare examples/comparison.yaml      many ways to crawl, one web, one truth
  orbweaver ontology check examples/aircraft.ttl  what an ontology lacks
  orbweaver ontology show examples/aircraft.ttl --target Airplane`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return usageError{c.CommandPath(), err} })
	root.AddCommand(newCrawl(a), newCompare(a), newOntology(a))
	root.CompletionOptions.HiddenDefaultCmd = true
	return root
}

// exactly wants n arguments of a kind.
func exactly(n int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) != n {
			return usageError{c.CommandPath(), fmt.Errorf("%s: want %s, have %d arguments", c.CommandPath(), what, len(args))}
		}
		return nil
	}
}
