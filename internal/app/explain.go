package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/crawlfolder"
	"orbweaver/ledger"
	"orbweaver/server"
	"orbweaver/weburl"
)

// Explain tells how a crawl came to a URL, what it thought of it and what it was; or why it was never
// asked for. A crawl that runs is asked, between two of its steps; of one that does not the folder is
// looked at. The error wraps ErrInput when the folder is none of a crawl and, with ErrBadURL, when the
// URL is none; that the crawl does not know it is no error.
func (a *App) Explain(ctx context.Context, dir, address string, asJSON bool) error {
	url, err := addressOf(address)
	if err != nil {
		return err
	}
	x, err := explanationOf(ctx, a.Schema(), dir, url)
	if err != nil {
		return err
	}
	if asJSON {
		return console.WriteJSON(a.Out, x)
	}
	a.printExplanation(x)
	return nil
}

// explanationOf asks the crawl that runs in a folder, or looks where none runs.
func explanationOf(ctx context.Context, schema crawlfile.Schema, dir, address string) (*explanation, error) {
	c, err := reach(dir)
	if err == nil {
		defer c.Close()
		x := new(explanation)
		if err = askFor(ctx, c, "/explain", url.Values{"url": {address}}, x); err == nil {
			return x, nil
		}
	}
	if !errors.Is(err, server.ErrNoCrawl) {
		return nil, err
	}
	k, err := openKnowledge(schema, dir)
	if err != nil {
		return nil, err
	}
	x, err := k.explain(ctx, address)
	return x, errors.Join(err, k.close())
}

// askFor asks a route of a running crawl and reads its JSON.
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

// A knowledge is a crawl as explain looks at it: what is written, and, of one that runs, what it has
// in memory. look is for the goroutine that decides; the rest runs beside it.
type knowledge struct {
	file   *crawlfile.Crawl
	ledger *ledger.Ledger
	scope  *weburl.Scope
	run    *control // nil: no process runs the crawl
	web    *webs
	close  func() error
}

// openKnowledge opens the folder of a crawl that no process runs. The error wraps ErrBusy when it
// just begins or ends.
func openKnowledge(schema crawlfile.Schema, dir string) (*knowledge, error) {
	file, err := schema.LoadRun(filepath.Join(dir, crawlfolder.RunFile))
	if err != nil {
		return nil, err
	}
	if file.Output, err = filepath.Abs(dir); err != nil { // the folder may have been moved
		return nil, err
	}
	scope, err := weburl.CompileScope(file.Scope.Include, file.Scope.Exclude, file.Scope.Hosts)
	if err != nil {
		return nil, err
	}
	if err := checkLedger(dir); err != nil {
		return nil, err
	}
	l, err := ledger.Open(dir)
	if errors.Is(err, orbweaver.ErrBusy) {
		return nil, fmt.Errorf("%s: its crawl just begins or ends; ask again: %w", dir, orbweaver.ErrBusy)
	}
	if err != nil {
		return nil, err
	}
	web := &webs{file: file}
	return &knowledge{file: file, ledger: l, scope: scope, web: web, close: func() error { return errors.Join(web.close(), l.Close()) }}, nil
}

// between looks at what is the deciding goroutine's: of a crawl that runs, between two of its steps.
func (k *knowledge) between(ctx context.Context, look func()) error {
	if k.run == nil {
		look()
		return nil
	}
	return k.run.call(ctx, look)
}

// explain answers for a canonical URL.
func (k *knowledge) explain(ctx context.Context, url string) (*explanation, error) {
	x := &explanation{URL: url}
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

// explaining answers GET /explain?url=URL for a crawl that runs.
func (t *control) explaining() server.Route {
	return server.Route{Pattern: "GET /explain", Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		address, err := addressOf(r.URL.Query().Get("url"))
		if err == nil {
			var x *explanation
			if x, err = t.knowledge().explain(r.Context(), address); err == nil {
				server.Answer(w, x)
				return
			}
		}
		server.Fail(w, err)
	})}
}

// knowledge is what the running crawl knows.
func (t *control) knowledge() *knowledge {
	c := t.c
	return &knowledge{
		file: c.file, ledger: c.ledger, scope: c.gate.Scope, run: t,
		web:   &webs{file: c.file, archive: c.web},
		close: func() error { return nil },
	}
}
