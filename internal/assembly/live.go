package assembly

import (
	"context"
	"errors"
	"fmt"
	"time"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/fetch/archive"
	"orbweaver/fetch/local"
	"orbweaver/frontier"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/job"
	"orbweaver/internal/services"
	"orbweaver/internal/step"
	"orbweaver/weburl"
)

// TurnsOf are the rules of turn-taking of a crawl file.
func TurnsOf(f *crawlfile.Crawl) frontier.Options {
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
func (c *Crawl) live(turns *frontier.Frontier, archived *recorder) *engine.Live {
	p := c.File.Politeness
	l := &engine.Live{
		Hosts: turns, Locate: c.Client.Locate, Retries: p.Retries,
		Overlap: p.Connections > 1 && p.Delay > 0, Refresh: c.Refresh,
	}
	if p.Robots {
		l.Robots = c.Gate
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
func (p *past) Close() error { return services.CloseAll(p.web) }

// checkLive finds what a live crawl cannot have.
func checkLive(f *crawlfile.Crawl, path string) error {
	var problems []error
	if f.Truth != nil {
		problems = append(problems, fmt.Errorf("%s: truth: which pages of the live Web are relevant cannot be surveyed: leave it out, or add web: {archive: PATH} (%w)", path, orbweaver.ErrInput))
	}
	return errors.Join(problems...)
}

// warnLive says what a good guest would mend.
func warnLive(a *job.Job, f *crawlfile.Crawl) {
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
