// Package gate decides which URLs a crawl may request: by scope, and by robots.txt, read from an archive or
// supplied by the engine. It takes canonical URLs and returns the rule that decided.
package gate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/fetch/archive"
	"orbweaver/fetch/robots"
	"orbweaver/fetch/scratch"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/step"
	"orbweaver/page"
	"orbweaver/weburl"
)

// A Gate says which URLs may be asked for: by the crawl file's scope, then by the robots.txt of the
// host. Over an archive it reads those itself when a host is met; on the live Web the engine brings
// them (Answer), and a host whose robots.txt is not known yet forbids nothing: it is asked for nothing
// else before. It is for one goroutine.
type Gate struct {
	Scope *weburl.Scope
	web   *archive.Web                                  // whose robots.txt files are obeyed; nil: none
	Agent string                                        // our product token
	hosts *rulebook                                     // by weburl.Host
	keep  func(response *step.Response, payload []byte) // takes each robots.txt; may be nil

	wanted map[string]bool // hosts whose sitemaps are asked for; nil: all
	found  []string        // sitemaps that Sitemaps did not give yet
}

// New compiles the gate of a crawl over an archive, or with a nil one of the live Web.
func New(scope crawlfile.Scope, web *archive.Web, obey bool, agent string) (*Gate, error) {
	compiled, err := weburl.CompileScope(scope.Include, scope.Exclude, scope.Hosts)
	if err != nil {
		return nil, fmt.Errorf("scope: %w (%w)", err, orbweaver.ErrInput)
	}
	g := &Gate{Scope: compiled, Agent: agent, wanted: map[string]bool{}}
	if obey {
		g.web = web
	}
	g.begin()
	return g, nil
}

// Narrow replaces the scope.
func (g *Gate) Narrow(scope *weburl.Scope) { g.Scope = scope }

// begin forgets all hosts.
func (g *Gate) begin() {
	g.hosts = newRulebook()
	if g.web != nil {
		g.hosts.read = func(host string) (*robots.Rules, int) {
			rules, a := g.fetch(host, nil) // it was kept when it was read first
			return rules, len(a.Body)
		}
	}
}

// Spill has the robots.txt files of the live Web that memory has no room for go to files in a folder: see
// Close. Rules are the same, and take a little longer.
func (g *Gate) Spill(folder string) {
	g.hosts.open = scratch.In(folder)
	g.hosts.known.Open = g.hosts.open
}

// Close closes the files of Spill.
func (g *Gate) Close() error {
	err := g.hosts.known.Close()
	if g.hosts.file != nil {
		err = errors.Join(err, g.hosts.file.Close())
		g.hosts.file = nil
	}
	return err
}

// Rules returns the rules of a host, as weburl.Host has it, and whether they are known.
func (g *Gate) Rules(host string) (*robots.Rules, bool) { return g.hosts.get(host, g.Agent) }

// Want says whose sitemaps are asked for: "all", "seeds" or "off".
func (g *Gate) Want(which string, seeds []string) {
	g.wanted = map[string]bool{}
	switch which {
	case "all":
		g.wanted = nil
	case "seeds":
		for _, url := range seeds {
			g.wanted[weburl.Host(url)] = true
		}
	}
}

// Record has keep told of every robots.txt that is asked for from now on, those known already
// included.
func (g *Gate) Record(keep func(*step.Response, []byte)) {
	g.keep = keep
	g.begin()
}

// Admits reports whether a URL may be asked for, and the rule that decided. A dataset on this machine, which
// the crawl file names, always may: no host is asked for it.
func (g *Gate) Admits(url string) (bool, string) {
	if isDataset(url) {
		return true, ""
	}
	if ok, rule := g.Scope.Allows(url); !ok {
		return false, rule
	}
	return g.Allows(url)
}

// InScope is allows, robots.txt aside.
func (g *Gate) InScope(url string) bool {
	if isDataset(url) {
		return true
	}
	ok, _ := g.Scope.Allows(url)
	return ok
}

// Allows is allows, scope aside.
func (g *Gate) Allows(url string) (bool, string) {
	if isDataset(url) {
		return true, ""
	}
	host := weburl.Host(url)
	rules, known := g.Rules(host)
	if !known && g.web != nil {
		var a robots.Answer
		rules, a = g.fetch(host, g.keep)
		g.Learn(host, rules, a)
	}
	return rules.Allows(url[len(host):])
}

// maxSitemaps is how many sitemaps of one robots.txt are asked for, the first ones: each may be on a
// host of its own.
const maxSitemaps = 500

// Learn keeps the rules of a host, the answer that they were judged from, and what sitemaps they name.
func (g *Gate) Learn(host string, rules *robots.Rules, a robots.Answer) {
	g.hosts.put(host, rules, a)
	if rules == nil || g.wanted != nil && !g.wanted[host] {
		return
	}
	for _, sitemap := range rules.Sitemaps[:min(len(rules.Sitemaps), maxSitemaps)] {
		if url, err := weburl.Canonical(sitemap); err == nil && !slices.Contains(g.found, url) {
			g.found = append(g.found, url)
		}
	}
}

// Sitemaps gives the sitemaps that came to be known since it was asked last.
func (g *Gate) Sitemaps() []string {
	found := g.found
	g.found = nil
	return found
}

// Answer takes what came of asking for the robots.txt of a host of the live Web.
func (g *Gate) Answer(host string, hops int, response *step.Response, payload []byte, err error) engine.RobotsDecision {
	a := AnswerFor(response, payload, hops, err)
	v := robots.Judge(a, g.Agent)
	if v.Next != "" {
		return engine.RobotsDecision{Next: v.Next}
	}
	m := engine.RobotsDecision{Later: v.Passing, Why: v.Why}
	if v.Rules != nil {
		m.Delay = v.Rules.Delay
	}
	if !v.Passing {
		g.Learn(host, v.Rules, a)
	}
	return m
}

// AnswerFor is an exchange for a robots.txt as the rules of such exchanges have it.
func AnswerFor(response *step.Response, payload []byte, hops int, err error) robots.Answer {
	a := robots.Answer{Hops: hops, Err: err}
	if response == nil {
		return a
	}
	a.Status, a.Redirect = response.Status, response.Redirect
	if err == nil && response.Status/100 == 2 {
		a.Body, a.Err = plain(response.Header, payload)
	}
	return a
}

// fetch reads a host's robots.txt from the archive, and has keep told of it; nil: nobody is. What is not
// there allows everything.
func (g *Gate) fetch(host string, keep func(*step.Response, []byte)) (*robots.Rules, robots.Answer) {
	url := host + "/robots.txt"
	for hops := 0; ; hops++ {
		response, err := g.web.Fetch(context.Background(), orbweaver.Request{URL: url, Purpose: orbweaver.ForRobots})
		if orbweaver.FailureOf(err) == orbweaver.ErrAbsent {
			return nil, robots.Answer{}
		}
		var body []byte
		if err == nil {
			body, err = read(response, keep)
		}
		a := AnswerFor(response, body, hops, err)
		v := robots.Judge(a, g.Agent)
		if v.Next == "" {
			return v.Rules, a
		}
		url = v.Next
	}
}

// read reads a robots.txt as far as it counts, and whole when it is to be kept.
func read(response *step.Response, keep func(*step.Response, []byte)) ([]byte, error) {
	defer response.Body.Close()
	if keep == nil {
		return io.ReadAll(io.LimitReader(response.Body, maxRobots))
	}
	body, err := io.ReadAll(response.Body) // the web bounds it
	if err == nil {
		keep(response, body)
	}
	return body, err
}

// plain takes the content coding off a robots.txt.
func plain(header http.Header, body []byte) ([]byte, error) {
	return page.Decode(header, body, maxRobots)
}

// maxRobots bounds a robots.txt when it is unpacked.
const maxRobots = 10 << 20

// isDataset reports whether a URL is that of a dataset on this machine.
func isDataset(url string) bool {
	_, is := weburl.DatasetName(url)
	return is
}
