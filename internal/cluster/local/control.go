package local

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"

	"orbweaver"
	"orbweaver/internal/cluster"
	"orbweaver/internal/cluster/bus"
	"orbweaver/internal/cluster/gather"
	"orbweaver/internal/inspect"
	"orbweaver/server"
	"orbweaver/weburl"
)

// each calls do for the control socket of each worker that runs.
func (w *crew) each(ctx context.Context, do func(context.Context, *server.Client) error) error {
	var errs []error
	for _, name := range w.names {
		errs = append(errs, w.one(ctx, name, do))
	}
	return errors.Join(errs...)
}

// one calls do for a worker, unless its process does not run now.
func (w *crew) one(ctx context.Context, name string, do func(context.Context, *server.Client) error) error {
	c, err := server.Dial(w.dir(name))
	if err == nil {
		defer c.Close()
		err = do(ctx, c)
	}
	if errors.Is(err, server.ErrNoCrawl) {
		return nil
	}
	return err
}

// Status implements server.Crawl: the sum of the workers'.
func (w *crew) Status(ctx context.Context) (server.Status, error) {
	sum := gather.NewSum(server.Status{Name: w.name, Folder: w.output, PID: os.Getpid(), Started: w.began})
	err := w.each(ctx, func(ctx context.Context, c *server.Client) error {
		s, err := c.Status(ctx)
		if err == nil {
			sum.Add(s)
		}
		return err
	})
	return sum.Status(), err
}

// Pause implements server.Crawl.
func (w *crew) Pause(ctx context.Context) error {
	return w.each(ctx, func(ctx context.Context, c *server.Client) error { return c.Pause(ctx) })
}

// Resume implements server.Crawl.
func (w *crew) Resume(ctx context.Context) error {
	return w.each(ctx, func(ctx context.Context, c *server.Client) error { return c.Resume(ctx) })
}

// Stop implements server.Crawl.
func (w *crew) Stop(context.Context) error {
	w.stop()
	return nil
}

// Add implements server.Crawl: the worker that has the URL's partition takes it.
func (w *crew) Add(ctx context.Context, url string) (added server.Added, err error) {
	canonical, err := weburl.Canonical(url)
	if err != nil {
		return added, fmt.Errorf("%s: %w: %w", weburl.Redacted(url), orbweaver.ErrBadURL, err)
	}
	err = w.each(ctx, func(ctx context.Context, c *server.Client) error {
		one, err := c.Add(ctx, url)
		if err == nil && one.Result != server.ResultElsewhere {
			added = one
		}
		return err
	})
	if err == nil && added.URL == "" {
		err = fmt.Errorf("the processes just begin or end: add %s again (%w)", canonical, orbweaver.ErrBusy)
	}
	return added, err
}

// routes answer what looks at the crawl: they bring its folder up to date, and say that it can be read as that of a crawl at rest.
func (w *crew) routes() []server.Route {
	busy := http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		server.Fail(rw, fmt.Errorf("several processes run this crawl: do that when it has ended (%w)", orbweaver.ErrBusy))
	})
	at := http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		err := w.gather(r.Context())
		if err == nil {
			err = fmt.Errorf("%w: the folder is up to date", server.ErrNoCrawl)
		}
		server.Fail(rw, err)
	})
	var all []server.Route
	for _, pattern := range []string{"GET /explain", "GET /report", "GET /suggestions", "POST /search", "POST /query", "POST /call/{name}"} {
		all = append(all, server.Route{Pattern: pattern, Handler: at})
	}
	for _, pattern := range []string{"POST /decide", "POST /call/decide", "POST /call/borrow", "POST /call/verdict"} {
		all = append(all, server.Route{Pattern: pattern, Handler: busy})
	}
	return append(all, server.Route{Pattern: "POST /call/exclude", Handler: answering(w.exclude)}, server.Route{Pattern: "POST /call/limits", Handler: answering(w.limit)})
}

// answering serves a call with JSON.
func answering[In, Out any](do func(context.Context, In) (Out, error)) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		var in In
		err := server.Decode(r, &in)
		var out Out
		if err == nil {
			out, err = do(r.Context(), in)
		}
		if err != nil {
			server.Fail(rw, err)
			return
		}
		server.Answer(rw, out)
	})
}

// orders changes the orders that the workers follow.
func (w *crew) orders(ctx context.Context, do func(*Orders)) error {
	if w.server == nil {
		return fmt.Errorf("the processes just begin (%w)", orbweaver.ErrBusy)
	}
	b, err := bus.Dial(ctx, bus.Options{Crawl: "crawl", Worker: "crew", Server: w.server, Partitions: cluster.Partitions})
	if err != nil {
		return err
	}
	defer b.Close()
	return note(ctx, b, do)
}

// exclude narrows the scope of the crawl at all workers: at those that run now, and later at those that do not.
func (w *crew) exclude(ctx context.Context, e inspect.Exclusion) (sum inspect.Excluded, err error) {
	if err := CheckExclusion(e.Patterns); err != nil {
		return sum, err
	}
	if !e.Preview {
		if err := w.orders(ctx, func(all *Orders) { all.Add(Order{Exclude: e.Patterns}) }); err != nil {
			return sum, err
		}
	}
	sum.Examples = []string{}
	for _, name := range w.names {
		one, err := Excluding(ctx, w.dir(name), e)
		if err != nil && !errors.Is(err, server.ErrNoCrawl) {
			return sum, err
		}
		sum = Sum(sum, one)
	}
	return sum, nil
}

// limit changes the limits of the session, and returns those that were changed.
func (w *crew) limit(ctx context.Context, l inspect.Limits) (inspect.Limits, error) {
	if err := CheckLimits(w.file, l); err != nil {
		return l, err
	}
	return l, w.orders(ctx, func(all *Orders) { all.Add(Order{Limits: &l}) })
}
