package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/ledger"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/algebra"
	"orbweaver/server"
	"orbweaver/server/queue"
)

// asked is a query sent to a running crawl.
type asked struct {
	Query   string        `json:"query"`
	Base    string        `json:"base,omitempty"` // resolves relative IRIs
	Format  string        `json:"format,omitempty"`
	Width   int           `json:"width,omitempty"` // of a table, in characters
	Explain bool          `json:"explain,omitempty"`
	Union   bool          `json:"union,omitempty"`
	Private bool          `json:"private,omitempty"`
	Time    time.Duration `json:"time,omitempty"`
	MaxRows int64         `json:"max_rows,omitempty"`
	Alone   bool          `json:"alone,omitempty"`
	dir     string        // for errors
}

// queryBase queries the quad store of a folder, through the process that uses it if there is one. A process that begins or ends
// to use it neither answers nor leaves the folder to others for a moment: then both are tried again.
func queryBase(ctx context.Context, a *job.Job, text string, q *algebra.Query, opts QueryOptions) error {
	dir, began := opts.Data.Crawl, time.Now()
	for {
		c, err := reachBase(dir)
		if err == nil {
			err = queryRunning(ctx, a, c, asked{
				Query: text, Base: folderURL(), Format: opts.Format, Width: a.Width,
				Explain: opts.Explain, Union: opts.Union, Private: opts.Private, Time: opts.Time, MaxRows: opts.MaxRows, Alone: opts.Alone, dir: dir,
			})
			c.Close()
		}
		if !errors.Is(err, server.ErrNoCrawl) {
			return err
		}
		l, err := openBase(ctx, a, dir, 0)
		if err == nil {
			snapshot := l.Committed()
			err = answer(ctx, a, snapshot, func(ctx context.Context) (*Index, error) { return IndexBase(ctx, a, dir, l, nil, 0) }, q, opts)
			return errors.Join(err, snapshot.Close(), l.Close())
		}
		if !errors.Is(err, orbweaver.ErrBusy) || time.Since(began) > handover {
			return err
		}
		select {
		case <-time.After(handover / 50):
		case <-ctx.Done():
			return console.ErrInterrupted
		}
	}
}

// handover is how long the folder of a store may belong to a process that does not answer yet, or no more.
const handover = 2 * time.Second

// queryRunning sends the query to a running crawl. The error wraps server.ErrNoCrawl only if nothing was written.
func queryRunning(ctx context.Context, a *job.Job, c *server.Client, in asked) error {
	body, err := c.Post(ctx, "/query", in)
	if err != nil {
		return err
	}
	defer body.Close()
	n, err := io.Copy(a.Out, body)
	switch {
	case err != nil && ctx.Err() != nil:
		return console.ErrInterrupted
	case n > 0 && errors.Is(err, server.ErrNoCrawl):
		return fmt.Errorf("%s: the answer is cut off: %s", console.Relative(in.dir), err.Error())
	}
	return err
}

// Source is a quad store in use. It provides snapshots, the full text, and the outcomes of URLs. What is pending is described and indexed
// before: all of it, or about as many outcomes as most says if that is not zero.
type Source interface {
	Statements(ctx context.Context, most int64) (*quads.Snapshot, error)
	Index(ctx context.Context, most int64) (*Index, error)
	Outcomes(ctx context.Context, urls []string) (map[string]orbweaver.Outcome, error)
}

// QueryRoute answers POST /query, each request from its own snapshot: a few at a time, short ones first.
func QueryRoute(from Source) server.Route {
	slots := queue.New(queue.Options{})
	return server.Route{Pattern: "POST /query", Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in asked
		if err := server.Decode(r, &in); err != nil {
			server.Fail(w, err)
			return
		}
		server.Stream(w, func(out io.Writer) error { return in.answer(r.Context(), slots, from, out) })
	})}
}

// answer answers a query.
func (in asked) answer(ctx context.Context, slots *queue.Queue, from Source, out io.Writer) error {
	q, err := parseQuery(in.Base, "query", in.Query)
	if err != nil {
		return err
	}
	if err := checkFormat(q.Form, in.Format); err != nil {
		return err
	}
	snapshot, err := from.Statements(ctx, 0)
	if err != nil {
		return err
	}
	slot, err := slots.Enter(ctx, "", float64(len(in.Query)))
	if err != nil {
		return errors.Join(err, snapshot.Close())
	}
	defer slot.Leave()
	buffered := bufio.NewWriterSize(slot.Writer(out), 64<<10)
	a := &job.Job{Console: console.Console{Out: buffered, Err: io.Discard, Width: min(max(in.Width, 0), 1000)}}
	index := func(ctx context.Context) (*Index, error) { return from.Index(ctx, 0) }
	err = answer(ctx, a, snapshot, index, q, QueryOptions{
		Format: in.Format, Explain: in.Explain, Union: in.Union, Private: in.Private, Time: in.Time, MaxRows: in.MaxRows, Alone: in.Alone, turn: slot,
	})
	return errors.Join(err, buffered.Flush(), snapshot.Close())
}

// updateBase updates the quad store of a folder that no other process uses.
func updateBase(ctx context.Context, a *job.Job, u *algebra.Update, opts QueryOptions) error {
	dir := opts.Data.Crawl
	c, err := reachBase(dir)
	if err == nil {
		c.Close()
		return fmt.Errorf("%s: %w", console.Relative(dir), errInUse)
	}
	if !errors.Is(err, server.ErrNoCrawl) {
		return err
	}
	l, err := openBase(ctx, a, dir, 0)
	if err != nil {
		return err
	}
	limited, cancel := context.WithCancel(ctx)
	if opts.Time > 0 {
		limited, cancel = context.WithTimeout(ctx, opts.Time)
	}
	defer cancel()
	end := answerBeside(ctx, a, dir, l, "it is updated (orbweaver query --update)")
	before, err := StatementsIn(l.Committed())
	if err == nil {
		err = l.Update(limited, func(s *ledger.Change) error {
			return evalUpdate(limited, a, s, u, opts)
		})
	}
	switch {
	case err != nil && ctx.Err() != nil:
		err = console.ErrInterrupted
	case err != nil:
		err = fmt.Errorf("update: %w", err)
	default:
		var after int64
		if after, err = StatementsIn(l.Committed()); err == nil {
			console.Say(a.Out, "%s: %d statements, %d before", console.Relative(dir), after, before)
		}
	}
	return errors.Join(err, end(), l.Close())
}
