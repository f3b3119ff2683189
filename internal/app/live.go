package app

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/fetch/archive"
	"orbweaver/fetch/client"
	"orbweaver/fetch/guard"
	"orbweaver/fetch/local"
	"orbweaver/fetch/sparql"
	"orbweaver/frontier"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/services/wire"
	"orbweaver/internal/step"
	"orbweaver/weburl"
)

// LiveWorkers is how many requests of the live Web are under way at a time, unless the crawl file says
// otherwise: most of them wait for their hosts.
const LiveWorkers = 128

// idleConnections are kept, all hosts together: a host is asked again after its delay, and a new
// connection costs more than the first answer did. Half of the files that may be open are enough.
const idleConnections = 4096

// newClient makes the client of a crawl file.
func newClient(f *crawlfile.Crawl, wire wire.Wire) (*client.Client, error) {
	opts, p := wire.Options, f.Politeness
	opts.UserAgent, opts.Timeout = p.UserAgent, p.Timeout
	if p.Contact != "" {
		opts.UserAgent += " (+" + p.Contact + ")"
	}
	opts.Idle = min(idleConnections, openFiles()/2)
	opts.Guard = guard.New(f.AllowPrivate.All, f.AllowPrivate.Networks)
	if opts.Query == nil {
		opts.Query = sparql.Put
	}
	if p.Proxy != "" {
		proxy, err := url.Parse(p.Proxy)
		if err != nil {
			return nil, fmt.Errorf("politeness.proxy: %s (%w)", weburl.Redacted(err.Error()), orbweaver.ErrInput)
		}
		opts.Proxy = proxy
	}
	return client.New(opts), nil
}

// A liveWeb answers from the live Web.
type liveWeb struct{ *client.Client }

// Fetch asks once, for another version alone where one is known.
func (w liveWeb) Fetch(ctx context.Context, r orbweaver.Request) (*step.Response, error) {
	if r.Since != nil {
		return w.FetchIf(ctx, r, r.Since.ETag, r.Since.LastModified)
	}
	return w.Client.Fetch(ctx, r)
}

// turnsOf are the rules of turn-taking of a crawl file.
func turnsOf(f *crawlfile.Crawl) frontier.Options {
	opts := frontier.Options{HostPages: f.Limits.PerHost, MaxFailures: f.Politeness.Failures, Free: isDataset}
	if f.Web == nil {
		opts.Live, opts.Robots = true, f.Politeness.Robots
		opts.Delay, opts.Connections = f.Politeness.Delay, f.Politeness.Connections
		opts.Free = func(url string) bool { return isDataset(url) || local.Covers(f.Documents, url) }
	}
	return opts
}

// isDataset reports whether a URL is that of a dataset on this machine.
func isDataset(url string) bool {
	_, is := weburl.DatasetName(url)
	return is
}

// live is what the engine needs for the live Web.
func (c *crawl) live(turns *frontier.Frontier, archived *recorder) *engine.Live {
	p := c.file.Politeness
	l := &engine.Live{
		Hosts: turns, Locate: c.client.Locate, Retries: p.Retries,
		Overlap: p.Connections > 1 && p.Delay > 0, Refresh: c.refresh,
	}
	if p.Robots {
		l.Robots = c.gate
	}
	if archived != nil {
		l.Since = archived.since
	}
	return l
}

// since reads what a server said of the version of a page that the archive has.
func (r *recorder) since(o orbweaver.Outcome) *orbweaver.Version {
	response, err := r.Read(o.Record)
	if err != nil {
		return nil
	}
	defer response.Body.Close()
	v := orbweaver.Version{ETag: response.Header.Get("ETag"), LastModified: response.Header.Get("Last-Modified")}
	if v == (orbweaver.Version{}) {
		return nil
	}
	return &v
}

// A past reads what the crawl's own archive has: pages by their records, what their scripts asked for
// by its URL.
type past struct {
	recorder *recorder
	folder   string
	web      *archive.Web // opened when it is first needed
}

// again is the engine's Again.
func (p *past) again(ctx context.Context, o orbweaver.Outcome) (*step.Response, error) {
	if p.recorder == nil {
		return nil, fmt.Errorf("read %s again: %w: the crawl keeps no archive", o.Request.URL, orbweaver.ErrAbsent)
	}
	if o.Record != (orbweaver.Ref{}) {
		response, err := p.recorder.Read(o.Record)
		if err == nil {
			response.Request = o.Request
		}
		return response, err
	}
	if p.web == nil {
		web, err := archive.OpenWeb([]string{p.folder}, archive.WebOptions{})
		if err != nil {
			return nil, err
		}
		p.web = web
	}
	return p.web.Fetch(ctx, o.Request)
}

// Close closes what was opened.
func (p *past) Close() error { return closeAll(p.web) }

// checkLive finds what a live crawl cannot have.
func checkLive(f *crawlfile.Crawl, path string) error {
	var problems []error
	if f.Truth != nil {
		problems = append(problems, fmt.Errorf("%s: truth: which pages of the live Web are relevant cannot be surveyed: leave it out, or add web: {archive: PATH} (%w)", path, orbweaver.ErrInput))
	}
	return errors.Join(problems...)
}

// warnLive says what a good guest would mend.
func (a *App) warnLive(f *crawlfile.Crawl) {
	p := f.Politeness
	if p.Contact == "" {
		console.Say(a.Err, "warning: politeness.contact is missing: sites cannot tell who asks; name a URL or an e-mail address")
	}
	if !p.Robots {
		console.Say(a.Err, "warning: politeness.robots is false: robots.txt is not obeyed")
	}
	if p.Delay < 500*time.Millisecond {
		console.Say(a.Err, "warning: politeness.delay is %v: hosts may take it for an attack", p.Delay)
	}
}
