package assembly

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"time"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/fetch/local"
	"orbweaver/frontier"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/job"
	"orbweaver/internal/recording"
	"orbweaver/internal/services"
	"orbweaver/internal/urllist"
	"orbweaver/weburl"
)

// TurnsOf returns the frontier options of a crawl file: host limits, delays and connections.
func TurnsOf(f *crawlfile.Crawl) frontier.Options {
	opts := frontier.Options{HostPages: f.Limits.PerHost, MaxFailures: f.Politeness.Failures, Free: isDataset}
	if len(f.Listed().Paths()) > 0 {
		opts.Free = func(url string) bool { return isDataset(url) || urllist.IsDocument(url) }
	}
	if f.Web == nil {
		opts.Live, opts.Robots = true, f.Politeness.Robots
		opts.Delay, opts.Connections = f.Politeness.Delay, max(f.Politeness.Connections, 1)
		if f.Politeness.Connections == 0 {
			opts.Widest = widest
		}
		opts.PerSecond = f.Politeness.Worth == "second"
		free := opts.Free
		opts.Free = func(url string) bool { return free(url) || local.Covers(f.Documents, url) }
	}
	return opts
}

// widest is how many requests a host without any delay gets at once unless the crawl file says: as many as browsers make.
const widest = 6

// isDataset reports whether a URL identifies a local dataset.
func isDataset(url string) bool {
	_, is := weburl.DatasetName(url)
	return is
}

// live returns the engine's options for the live Web.
func (c *Crawl) live(turns *frontier.Frontier, archived *recording.Recorder) *engine.Live {
	p := c.File.Politeness
	l := &engine.Live{
		Hosts: turns, Locate: c.Client.Locate, Retries: p.Retries,
		Overlap: p.Connections > 1 && p.Delay > 0, Refresh: c.Refresh,
		Patience: p.Patience, Outage: c.File.Limits.Outage, Tell: c.tellOutage,
	}
	if c.Access.Logins() > 0 {
		l.Logins = logins{c}
	}
	l.LogsOut = services.Logouts(c.File)
	if p.Robots {
		l.Robots = c.Gate
	}
	if archived != nil {
		l.Since = archived.Since
	}
	return l
}

// NewTurns returns an empty frontier. On the live Web it shares hosts and addresses with other crawls of its network until Close.
func (c *Crawl) NewTurns(rules frontier.Options) *frontier.Frontier {
	if registry := c.Wire.Registry(); c.Web == nil && registry != nil {
		member := registry.Join(c.tellAlone)
		c.others, rules.Others = append(c.others, member), member
	}
	return frontier.New(rules)
}

// tellAlone logs that crawls of other processes do not know what this one asks of hosts.
func (c *Crawl) tellAlone(why error) {
	if c.Log == nil {
		return
	}
	c.Log.Warn("hosts are not shared with crawls of other processes", "why", why.Error())
}

// checkLive reports keys that a crawl of the live Web cannot have.
func checkLive(f *crawlfile.Crawl, path string) error {
	var problems []error
	if f.Truth != nil {
		problems = append(problems, fmt.Errorf("%s: truth: the live Web cannot be surveyed for relevant pages: leave it out, or add web: {archive: PATH} (%w)", path, orbweaver.ErrInput))
	}
	return errors.Join(problems...)
}

// warnLive prints warnings about impolite settings, and about a crawl file that shows others a password.
func warnLive(j *job.Job, f *crawlfile.Crawl, path string) {
	p := f.Politeness
	if proxy, err := url.Parse(p.Proxy); err == nil && proxy.User != nil {
		if info, err := os.Stat(path); err == nil && info.Mode().Perm()&0o044 != 0 {
			console.Say(j.Err, "warning: %[1]s holds the password of a proxy, and other users may read it: chmod 600 %[1]s", console.Relative(path))
		}
	}
	if cookiesInMemory(f) {
		console.Say(j.Err, "warning: http: cookies are kept in memory, and lost when the session ends: name a key for a jar in the crawl folder, cookies: {key: FILE}")
	}
	if p.Contact == "" {
		console.Say(j.Err, "warning: politeness.contact is missing: sites cannot identify the crawler's operator; name a URL or an e-mail address")
	}
	if !p.Robots {
		console.Say(j.Err, "warning: politeness.robots is false: robots.txt is not obeyed")
	}
	if p.Delay < 500*time.Millisecond {
		console.Say(j.Err, "warning: politeness.delay is %v: hosts may take the crawl for an attack", p.Delay)
	}
}
