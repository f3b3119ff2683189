package inspect

import (
	"context"
	"errors"
	"io"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"

	"orbweaver"
	"orbweaver/internal/assembly"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/gate"
	"orbweaver/internal/job"
	"orbweaver/internal/step"
	"orbweaver/server"
)

// SummaryOf rewrites a crawl's report.html from the committed state and returns the summary. A running crawl writes
// the report itself.
func SummaryOf(ctx context.Context, j *job.Job, dir string) (*assembly.Summary, error) {
	c, err := reach(dir)
	gathers := crawlfolder.Runs(dir) || err == nil && crawlfolder.Workers(dir) > 1 // who answers has brought the folder up to date
	if err == nil {
		defer c.Close()
		s := new(assembly.Summary)
		if err = askFor(ctx, c, "/report", nil, s); err == nil {
			return s, nil
		}
	}
	if !errors.Is(err, server.ErrNoCrawl) {
		return nil, err
	}
	return restingSummary(ctx, j, dir, gathers)
}

// restingSummary writes the report of a crawl that no process runs. If a file that the crawl file names is missing, the
// report covers what the folder holds. gathers: others run it.
func restingSummary(ctx context.Context, j *job.Job, dir string, gathers bool) (s *assembly.Summary, err error) {
	began := false
	err = AtRest(ctx, j, dir, func(b *Bench) (err error) {
		began = true
		b.c.Gathers = gathers
		if err = b.c.Remember(b.c.Ledger); err == nil {
			s, err = b.c.Conclude(b.c.Ledger.Progress())
		}
		return err
	})
	if began || err == nil || errors.Is(err, orbweaver.ErrBusy) || ctx.Err() != nil {
		return s, err
	}
	k, bad := OpenKnowledge(j.Schema(), dir)
	if bad != nil {
		return nil, bad
	}
	console.Say(j.Err, "warning: the report lacks truth and suggestions: %v", err)
	c, progress := &assembly.Crawl{Path: filepath.Join(dir, crawlfolder.RunFile), File: k.file, Gate: &gate.Gate{Scope: k.scope}, Gathers: gathers}, k.ledger.Progress()
	if err := errors.Join(c.Remember(k.ledger), k.Close()); err != nil {
		return nil, err
	}
	return c.Conclude(progress)
}

// A Reported is the answer to GET /report: a summary as JSON and as text.
type Reported struct {
	*assembly.Summary
	Path string `json:"path"`    // of report.html
	Text string `json:"summary"` // as printed
}

// Reporting serves GET /report?width=COLUMNS for a running crawl. It copies the crawl's state between two steps, and
// writes the report beside the crawl. text formats a summary.
func Reporting(t *assembly.Control, text func(w io.Writer, columns int, s *assembly.Summary)) server.Route {
	one := make(chan struct{}, 1) // serializes the writing of reports
	return server.Route{Pattern: "GET /report", Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case one <- struct{}{}:
			defer func() { <-one }()
		case <-r.Context().Done():
			server.Fail(w, r.Context().Err())
			return
		}
		sum, err := report(r.Context(), t)
		if err != nil {
			server.Fail(w, err)
			return
		}
		width, err := strconv.Atoi(r.URL.Query().Get("width"))
		if err != nil || width <= 0 {
			width = usualWidth
		}
		var out strings.Builder
		text(&out, min(width, maxWidth), sum)
		server.Answer(w, Reported{sum, sum.Report, out.String()})
	})}
}

// Widths of the text of a report, in columns.
const (
	usualWidth = 80
	maxWidth   = 1000
)

func report(ctx context.Context, t *assembly.Control) (*assembly.Summary, error) {
	var c *assembly.Crawl
	var progress step.Progress
	var failed error
	err := t.Call(ctx, func() {
		progress = t.Session.Progress()
		c, failed = t.C.Standing()
	})
	if err := errors.Join(err, failed); err != nil {
		return nil, err
	}
	c.Links, err = assembly.MeasureLinks(c.File.Focus, c.File.Output, assembly.MovingGraph{WebGraph: assembly.WebGraph{Ledger: t.C.Ledger}, Between: func(f func()) error {
		return t.Call(ctx, f)
	}})
	if err != nil {
		return nil, err
	}
	progress.Ended = "" // it runs
	return c.Conclude(progress)
}
