package whatif

import (
	"context"
	"fmt"
	"path/filepath"

	"orbweaver"
	"orbweaver/internal/assembly"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/job"
	"orbweaver/internal/judge"
	"orbweaver/internal/step"
)

// Fetch fetches what a crawl archived.
type Fetch func(context.Context, orbweaver.Request) (*step.Response, error)

// TryBoth judges a sample with what the crawl in a folder has learned, and as an order has it. archive opens the crawl's own archive; it is
// called for a crawl of the live Web alone, of which nothing is requested so.
func TryBoth(ctx context.Context, j *job.Job, dir string, l Learned, o Order, s judge.Sample, archive func() (Fetch, error)) (now, then *judge.Trial, err error) {
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, nil, err
	}
	run := assembly.FromFile(j, filepath.Join(dir, crawlfolder.RunFile))
	file, err := run.Load()
	if err != nil {
		return nil, nil, err
	}
	known := judge.Known{
		Folder: dir, AsOf: fmt.Sprintf("judged by what the crawl had learned after %d requests", l.Requests),
		Teach: func(ctx context.Context, f orbweaver.Focus) error { return l.Teach(ctx, f, false) },
	}
	if file.Web == nil {
		if known.Fetch, err = archive(); err != nil {
			return nil, nil, err
		}
	}
	if now, err = judge.TryKnowing(ctx, j, run, s, &known); err != nil {
		return now, nil, err
	}
	known.Forget, known.Teach = true, func(ctx context.Context, f orbweaver.Focus) error { return l.Teach(ctx, f, o.Files) }
	if o.Files {
		known.Folder = ""
	}
	run.Load = func() (*crawlfile.Crawl, error) { return Read(j.Schema(), dir, o.Text) }
	then, err = judge.TryKnowing(ctx, j, run, s, &known)
	return now, then, err
}
