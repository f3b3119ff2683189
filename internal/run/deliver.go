package run

import (
	"context"
	"errors"

	"orbweaver/internal/assembly"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/inspect"
	"orbweaver/internal/job"
	"orbweaver/internal/sinks"
)

// A Delivery is what Deliver does.
type Delivery struct {
	Name  string // of the sink; empty: all
	Again bool   // everything is delivered again
	Check bool   // the sinks are tried, and nothing is delivered
}

// Deliver delivers to the sinks of a crawl file what they lack of its crawl, which no process runs, and returns how they stand. It makes no
// request to the Web. The error wraps ErrInput if the file has no such sink, and delivery.ErrBehind if one did not take all.
func Deliver(ctx context.Context, a *job.Job, from assembly.Source, d Delivery) (states []sinks.State, err error) {
	load := from.Load
	from.Load = func() (*crawlfile.Crawl, error) {
		file, err := load()
		if err == nil {
			file.HTTP = nil // nothing is requested
		}
		return file, err
	}
	c, err := assembly.Prepare(ctx, from, a.Wire)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	c.Resting = true
	if err := c.OpenSinks(ctx, a, d.Name, d.Check); err != nil || d.Check {
		return c.Targets(), err
	}
	if err := c.Open(); err != nil {
		return nil, inspect.Owned(ctx, c.File.Output, err)
	}
	defer func() { err = errors.Join(err, c.Ledger.Close()) }()
	if err := c.Deliver(ctx, a, nil, d.Again); err != nil {
		return nil, err
	}
	stop := a.AfterAWhile("delivering ...")
	c.Drain(true)
	stop()
	if ctx.Err() != nil {
		err = console.ErrInterrupted
	}
	return c.Sinks.States(), errors.Join(err, c.Undelivered())
}
