package assembly

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/eval"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/delivery"
	"orbweaver/internal/job"
	"orbweaver/internal/kind"
	"orbweaver/internal/recording"
	"orbweaver/internal/sinks"
)

// OpenSinks opens the sinks of the crawl file, or the one of a name, and tries them. What is wrong with one is an error before a crawl begins; of a
// crawl that goes on it is told, and tried again while it runs, unless strictly is set.
func (c *Crawl) OpenSinks(ctx context.Context, j *job.Job, only string, strictly bool) (err error) {
	if c.targets, err = delivery.Open(c.Path, c.File, c.Wire, only); err != nil || len(c.targets) == 0 {
		return err
	}
	if err = delivery.Check(ctx, c.targets); err == nil {
		return nil
	}
	if strictly || crawlfolder.IsFresh(c.File.Output) || ctx.Err() != nil {
		return fmt.Errorf("%s: %w (%w)", c.Path, err, orbweaver.ErrInput)
	}
	console.Say(j.Err, "warning: %v; it is tried again", err)
	return nil
}

// closeSinks closes sinks, and ends what is under way.
func (c *Crawl) closeSinks() error {
	targets := c.targets
	c.targets = nil
	return errors.Join(delivery.Close(targets), c.Sinks.Drain(false, 0))
}

// Deliver begins to deliver to the sinks that OpenSinks opened, in a session, or at rest if it is nil; nil: there are none.
func (c *Crawl) Deliver(ctx context.Context, j *job.Job, session *engine.Crawl, again bool) (err error) {
	if len(c.targets) == 0 {
		return nil
	}
	pages := &delivery.Pages{Body: c.File.Limits.Body, Dump: kind.DumpOf(c.File)}
	if recording.Kept(c.File) {
		pages.Folder = crawlfolder.Archive(c.File.Output)
	}
	if c.Web != nil {
		pages.Web = c.fetcher()
	}
	o := delivery.Options{
		Folder: c.File.Output, Crawl: c.File.Name(), Ledger: c.Ledger, Pages: pages, Repeats: c.Refresh > 0 || c.Watching, Again: again,
		Tell: func(format string, args ...any) {
			c.Log.Info("sinks", "told", fmt.Sprintf(format, args...))
			console.Say(j.Err, format, args...)
		},
	}
	if session != nil {
		o.Within, o.Hold = session.Call, session.Hold
	}
	c.Sinks, err = delivery.Begin(ctx, c.targets, o)
	if err == nil {
		c.targets = nil // Drain closes them
		c.Sinks.Start()
	}
	return err
}

// Drain ends the deliveries of a session. If the crawl is over it waits until the sinks have all, or one fails for too long.
func (c *Crawl) Drain(over bool) { c.undelivered = c.Sinks.Drain(over, delivery.Patience) }

// Targets returns the sinks that OpenSinks opened.
func (c *Crawl) Targets() (all []sinks.State) {
	for _, t := range c.targets {
		all = append(all, sinks.State{Name: t.Name, To: t.To, Bound: t.Behind})
	}
	return all
}

// Undelivered returns an error if sinks lack pages of a crawl that is over.
func (c *Crawl) Undelivered() error {
	if c.undelivered == nil {
		return nil
	}
	return fmt.Errorf("%s: %w; the same command, or orbweaver sink, delivers the rest without a request to the Web", console.Relative(c.File.Output), c.undelivered)
}

// sinkFacts are lines of a report on sinks that lack pages, or that the crawl waited for.
func (c *Crawl) sinkFacts() (facts []eval.Fact) {
	for _, s := range c.Sinks.States() {
		var words []string
		if s.Behind > 0 {
			words = append(words, fmt.Sprintf("%s behind", console.Several(int(s.Behind), "page")))
		}
		if s.Held >= time.Second {
			words = append(words, fmt.Sprintf("the crawl waited for it for %v in this session", s.Held.Round(time.Second)))
		}
		if len(words) > 0 {
			facts = append(facts, eval.Fact{Name: "sink " + s.Name, Value: strings.Join(words, "; ")})
		}
	}
	return facts
}
