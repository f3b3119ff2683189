package inspect

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/internal/assembly"
	"orbweaver/internal/console"
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

// atRest is AtRest with a session that recall restores.
func atRest(ctx context.Context, j *job.Job, dir string, recall func(*engine.Crawl, context.Context) error, do func(*Bench) error) (err error) {
	c, err := assembly.Prepare(ctx, assembly.FromFile(j, filepath.Join(dir, crawlfolder.RunFile)), j.Wire)
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
	list, makes, err := b.c.Suggestions(ctx)
	if !makes && err == nil {
		err = fmt.Errorf("%s: the %s focus makes no suggestions: only the ontology focus does (%w)", b.c.File.Name(), b.c.File.Focus.Key(), orbweaver.ErrInput)
	}
	return list, err
}

// decide applies a verdict: first it writes the additions to the ontology file, then the crawl commits the decision. If
// the process is killed in between, the suggestion is still undecided and can be decided again.
func (b *Bench) decide(ctx context.Context, v kind.Verdict) (d kind.Decided, err error) {
	s, err := b.suggested(ctx, v.ID)
	if err != nil {
		return d, err
	}
	d.Decision = orbweaver.Decision{ID: v.ID, Accepted: v.Accepted}
	if v.Accepted {
		if d, err = b.c.Focus.Accept(b.c.Env, v, s); err != nil {
			return d, err
		}
	}
	d.Decision.After = b.session.Progress().Requests
	if err := b.session.Decide(ctx, d.Decision); err != nil {
		return d, err
	}
	return d, b.c.WriteDecisions()
}

// suggested finds a suggestion by its id.
func (b *Bench) suggested(ctx context.Context, id string) (s orbweaver.Suggestion, err error) {
	list, err := b.Suggestions(ctx)
	if err != nil {
		return s, err
	}
	borrowed, err := readBorrowed(b.c.File.Output)
	if err != nil {
		return s, err
	}
	for d, err := range b.c.Ledger.Decisions() {
		if err != nil {
			return s, err
		}
		if d.ID == id {
			// the process may have been killed before it wrote the file
			return s, errors.Join(fmt.Errorf("%s was decided before, after %d requests: it is %s (%w)", id, d.After, outcomeOf(d), orbweaver.ErrInput), b.c.WriteDecisions())
		}
	}
	for _, s := range append(list, borrowed...) {
		if s.ID == id {
			return s, nil
		}
	}
	return s, fmt.Errorf("no suggestion %s among the %d of %s: see orbweaver suggestions %s (%w)", id, len(list)+len(borrowed), b.c.File.Name(), console.Relative(b.c.File.Output), orbweaver.ErrInput)
}

// outcomeOf describes a decision in a few words.
func outcomeOf(d orbweaver.Decision) string {
	if !d.Accepted {
		return "refused"
	}
	return fmt.Sprintf("accepted as %s, %q", d.As, d.Text)
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
			within(w, r, func(ctx context.Context) (any, error) { return b.Suggestions(ctx) })
		})},
		{Pattern: "POST /decide", Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var v kind.Verdict
			if err := server.Decode(r, &v); err != nil {
				server.Fail(w, err)
				return
			}
			within(w, r, func(ctx context.Context) (any, error) { return b.decide(ctx, v) })
		})},
	}
}
