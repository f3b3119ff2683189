package inspect

import (
	"context"
	"errors"
	"net/http"
	"path/filepath"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/internal/assembly"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/job"
	"orbweaver/internal/kind"
	"orbweaver/server"
)

// A Bench makes suggestions and takes decisions about them. Its crawl is at rest, or between two steps.
type Bench struct {
	c       *assembly.Crawl
	session *engine.Crawl
}

// AtRest opens a crawl that does not run, restores its focus, and calls do.
func AtRest(ctx context.Context, j *job.Job, dir string, do func(*Bench) error) error {
	return atRest(ctx, j, dir, (*engine.Crawl).Recall, do)
}

// atRestFrom is a source without what hosts are sent: nothing is requested at rest, and no secret is needed.
func atRestFrom(from assembly.Source) assembly.Source {
	load := from.Load
	from.Load = func() (*crawlfile.Crawl, error) {
		file, err := load()
		if err == nil {
			file.HTTP = nil
		}
		return file, err
	}
	return from
}

// atRest is AtRest with a session that recall restores.
func atRest(ctx context.Context, j *job.Job, dir string, recall func(*engine.Crawl, context.Context) error, do func(*Bench) error) (err error) {
	c, err := assembly.Prepare(ctx, atRestFrom(assembly.FromFile(j, filepath.Join(dir, crawlfolder.RunFile))), j.Wire)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	c.Resting = true
	if err := c.Open(); err != nil {
		return Owned(ctx, c.File.Output, err)
	}
	defer func() { err = errors.Join(err, c.Ledger.Close()) }()
	s, err := c.Assemble()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	session := engine.New(s.Cfg, c.Ledger.Progress())
	if err := recall(session, ctx); err != nil {
		return err
	}
	return do(&Bench{c, session})
}

// Suggestions returns the suggestions of the focus. The error wraps ErrInput if the focus makes none.
func (b *Bench) Suggestions(ctx context.Context) ([]orbweaver.Suggestion, error) {
	return b.desk().Suggestions(ctx)
}

// SuggestionRoutes returns the routes GET /suggestions and POST /decide of a running crawl.
func SuggestionRoutes(t *assembly.Control) []server.Route {
	b := &Bench{t.C, t.Session}
	within := func(w http.ResponseWriter, r *http.Request, do func(context.Context) (any, error)) {
		var value any
		var err error
		if problem := t.Call(r.Context(), func() { value, err = do(r.Context()) }); problem != nil {
			err = problem
		}
		if err != nil {
			server.Fail(w, err)
			return
		}
		server.Answer(w, value)
	}
	return []server.Route{
		{Pattern: "GET /suggestions", Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			within(w, r, func(ctx context.Context) (any, error) { return b.desk().Suggestions(ctx) })
		})},
		{Pattern: "POST /decide", Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var v kind.Verdict
			if err := server.Decode(r, &v); err != nil {
				server.Fail(w, err)
				return
			}
			within(w, r, func(ctx context.Context) (any, error) { return b.desk().Decide(ctx, v) })
		})},
	}
}
