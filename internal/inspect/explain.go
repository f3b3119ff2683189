package inspect

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"

	"orbweaver"
	"orbweaver/internal/assembly"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/judge"
	"orbweaver/internal/reread"
	"orbweaver/ledger"
	"orbweaver/server"
	"orbweaver/weburl"
)

// askFor requests a route of a running crawl and decodes the JSON answer into out.
func askFor(ctx context.Context, c *server.Client, path string, query url.Values, out any) error {
	body, err := c.Get(ctx, path, query)
	if err != nil {
		return err
	}
	defer body.Close()
	if err := json.NewDecoder(body).Decode(out); err != nil {
		return fmt.Errorf("the crawl's answer to %s: %w", path, err)
	}
	return nil
}

// A Knowledge gives read access to a crawl: its ledger and files and, if it runs, its memory. look runs on the decider
// goroutine, between two steps; the other methods run beside it.
type Knowledge struct {
	file   *crawlfile.Crawl
	ledger *ledger.Ledger
	scope  *weburl.Scope
	run    *assembly.Control // nil: no process runs the crawl
	Web    *reread.Web
	Close  func() error
}

// OpenKnowledge opens the folder of a crawl that no process runs. The error wraps ErrBusy if the crawl is starting or
// ending.
func OpenKnowledge(schema crawlfile.Schema, dir string) (*Knowledge, error) {
	file, err := schema.LoadRun(filepath.Join(dir, crawlfolder.RunFile))
	if err != nil {
		return nil, err
	}
	if file.Output, err = filepath.Abs(dir); err != nil { // the folder may have been moved
		return nil, err
	}
	steering, err := crawlfolder.ReadSteering(dir)
	if err != nil {
		return nil, err
	}
	scope, err := weburl.CompileScope(file.Scope.Include, slices.Concat(file.Scope.Exclude, steering.Exclude), file.Scope.Hosts)
	if err != nil {
		return nil, err
	}
	if err := checkLedger(dir); err != nil {
		return nil, err
	}
	l, err := ledger.OpenForLooks(dir)
	if errors.Is(err, orbweaver.ErrBusy) {
		return nil, fmt.Errorf("%s: its crawl just begins or ends; ask again: %w", dir, orbweaver.ErrBusy)
	}
	if err != nil {
		return nil, err
	}
	web := &reread.Web{File: file}
	k := &Knowledge{file: file, ledger: l, scope: scope, Web: web, Close: func() error { return errors.Join(web.Close(), l.Close()) }}
	web.Outcome = k.outcome
	return k, nil
}

// outcome returns the outcome of a URL.
func (k *Knowledge) outcome(ctx context.Context, url string) (o orbweaver.Outcome, err error) {
	ended := k.between(ctx, func() { o, err = k.ledger.Outcome(url) })
	return o, errors.Join(ended, err)
}

// between calls look with exclusive access to the crawl's state: for a running crawl, between two steps.
func (k *Knowledge) between(ctx context.Context, look func()) error {
	if k.run == nil {
		look()
		return nil
	}
	return k.run.Call(ctx, look)
}

// Explain explains what the crawl did about a canonical URL.
func (k *Knowledge) Explain(ctx context.Context, url string) (*Explanation, error) {
	x := &Explanation{URL: url}
	var failed error
	err := k.between(ctx, func() { failed = k.look(ctx, x) })
	if err := errors.Join(err, failed); err != nil {
		return nil, err
	}
	if x.Kind == "" {
		k.judge(ctx, x)
	}
	if err := k.remember(ctx, x); err != nil {
		return nil, err
	}
	x.Why = x.sentence(k.file.Limits.Depth)
	return x, nil
}

// Explaining serves GET /explain?url=URL for a running crawl.
func Explaining(t *assembly.Control) server.Route {
	return server.Route{Pattern: "GET /explain", Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		address, err := judge.AddressOf(r.URL.Query().Get("url"))
		if err == nil {
			var x *Explanation
			if x, err = knowledgeOf(t).Explain(r.Context(), address); err == nil {
				server.Answer(w, x)
				return
			}
		}
		server.Fail(w, err)
	})}
}

// knowledgeOf returns the Knowledge of a running crawl.
func knowledgeOf(t *assembly.Control) *Knowledge {
	c := t.C
	k := &Knowledge{
		file: c.File, ledger: c.Ledger, scope: c.Gate.Scope, run: t,
		Web:   &reread.Web{File: c.File, Archive: c.Web},
		Close: func() error { return nil },
	}
	k.Web.Outcome = k.outcome
	return k
}
