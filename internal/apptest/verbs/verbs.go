// Package verbs implements the program's verbs on a crawl folder for tests: each calls a package and prints the result.
package verbs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"orbweaver/internal/assembly"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/inspect"
	"orbweaver/internal/job"
	"orbweaver/internal/judge"
	"orbweaver/internal/run"
	"orbweaver/internal/store"
	"orbweaver/internal/view"
	"orbweaver/ledger"
	"orbweaver/server"
)

// open returns the handle of a crawl folder.
func open(j *job.Job, dir string) (*inspect.Handle, error) {
	return &inspect.Handle{Job: j, Dir: dir}, crawlfolder.CheckCrawl(dir)
}

// Crawl runs a session of the crawl of a crawl file, and prints its summary.
func Crawl(ctx context.Context, j *job.Job, file string) error { return Refresh(ctx, j, file, 0) }

// Refresh runs a refresh of pages older than an age above 0, and prints its summary.
func Refresh(ctx context.Context, j *job.Job, file string, age time.Duration) error {
	_, err := run.Session(ctx, j, assembly.FromFile(j, file), age, run.Hooks{Ended: func(sum *assembly.Summary, _ error) {
		if sum != nil {
			view.PrintSummary(j.Out, j.Columns(), sum)
		}
	}})
	return err
}

// Watch visits the pages of a crawl by its schedule until ctx is done.
func Watch(ctx context.Context, j *job.Job, file string) error {
	_, err := run.Session(ctx, j, assembly.FromFile(j, file), 0, run.Hooks{Watch: true})
	return err
}

// Status prints the status of a crawl.
func Status(ctx context.Context, j *job.Job, dir string, asJSON bool) error {
	h, err := open(j, dir)
	if err != nil {
		return err
	}
	s, err := h.Status(ctx)
	switch {
	case err != nil:
		return err
	case asJSON:
		return view.StatusJSON(j.Out, s)
	}
	view.Status(j.Out, s)
	return nil
}

// Add offers seeds to a running crawl and prints the result of each.
func Add(ctx context.Context, j *job.Job, dir string, urls []string) error {
	h, err := open(j, dir)
	if err != nil {
		return err
	}
	var all []server.Added
	var problems []error
	for _, url := range urls {
		added, err := h.Add(ctx, url)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		all = append(all, added)
	}
	if refused := view.Added(j.Out, all); refused > 0 {
		problems = append(problems, fmt.Errorf("%s: %d of %d URLs were not added: the crawl must not ask for them", dir, refused, len(urls)))
	}
	return errors.Join(problems...)
}

// Explain prints the explanation of a URL.
func Explain(ctx context.Context, j *job.Job, dir, url string, asJSON bool) error {
	h, err := open(j, dir)
	if err != nil {
		return err
	}
	x, err := h.Explain(ctx, url)
	switch {
	case err != nil:
		return err
	case asJSON:
		return console.WriteJSON(j.Out, x)
	}
	view.Explanation(j.Out, j.Columns(), x)
	return nil
}

// Suggestions prints the suggestions of the focus.
func Suggestions(ctx context.Context, j *job.Job, dir string, asJSON bool) error {
	h, err := open(j, dir)
	if err != nil {
		return err
	}
	list, err := h.Suggestions(ctx)
	switch {
	case err != nil:
		return err
	case asJSON:
		return console.WriteJSON(j.Out, list)
	}
	view.Suggestions(j.Out, dir, list, 0)
	return nil
}

// Report rewrites the report and prints the summary.
func Report(ctx context.Context, j *job.Job, dir string) error {
	h, err := open(j, dir)
	if err != nil {
		return err
	}
	sum, err := h.Summary(ctx)
	return view.Printed(j, sum, err)
}

// Judge prints the verdict of the focus on a page.
func Judge(ctx context.Context, j *job.Job, file, url string, asJSON, force bool) error {
	v, err := judge.Of(ctx, j, assembly.FromFile(j, file), url, force)
	switch {
	case v == nil:
	case asJSON:
		err = errors.Join(err, console.WriteJSON(j.Out, v))
	default:
		view.Judged(j.Out, j.Columns(), v)
	}
	return err
}

// Search prints the pages that match a full-text query.
func Search(ctx context.Context, j *job.Job, dir string, q store.SearchJob, asJSON bool) error {
	found, err := store.Find(ctx, j, dir, q)
	switch {
	case err != nil:
		return err
	case asJSON:
		return console.WriteJSON(j.Out, found)
	}
	view.Found(j.Out, found)
	return nil
}

// Pages prints a list of pages.
func Pages(ctx context.Context, j *job.Job, dir string, q ledger.PageQuery, o view.PagesOptions) error {
	h, err := open(j, dir)
	q.Failed = o.Failed()
	if err := errors.Join(err, q.Check(), o.Check()); err != nil {
		return err
	}
	return view.Pages(j.Out, j.Columns(), o, h.AllPages(ctx, q))
}
