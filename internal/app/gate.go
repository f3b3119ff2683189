package app

import (
	"context"
	"fmt"
	"io"
	"slices"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/fetch/archive"
	"orbweaver/fetch/robots"
	"orbweaver/internal/app/crawlfile"
	"orbweaver/weburl"
)

// A gate says which URLs may be asked for: by the crawl file's scope, then by the robots.txt of the
// host. Over an archive it reads those itself when a host is met; on the live Web the engine brings
// them (Answer), and a host whose robots.txt is not known yet forbids nothing: it is asked for nothing
// else before. It is for one goroutine.
type gate struct {
	scope *weburl.Scope
	web   *archive.Web                                       // whose robots.txt files are obeyed; nil: none
	agent string                                             // our product token
	hosts map[string]*robots.Rules                           // by weburl.Host
	keep  func(response *orbweaver.Response, payload []byte) // takes each robots.txt; may be nil

	wanted map[string]bool // hosts whose sitemaps are asked for; nil: all
	found  []string        // sitemaps that Sitemaps did not give yet
}

// newGate compiles the gate of a crawl over an archive, or with a nil one of the live Web.
func newGate(scope crawlfile.Scope, web *archive.Web, obey bool, agent string) (*gate, error) {
	compiled, err := weburl.CompileScope(scope.Include, scope.Exclude, scope.Hosts)
	if err != nil {
		return nil, fmt.Errorf("scope: %w (%w)", err, orbweaver.ErrInput)
	}
	g := &gate{scope: compiled, agent: agent, hosts: map[string]*robots.Rules{}, wanted: map[string]bool{}}
	if obey {
		g.web = web
	}
	return g, nil
}

// want says whose sitemaps are asked for: "all", "seeds" or "off".
func (g *gate) want(which string, seeds []string) {
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

// record has keep told of every robots.txt that is asked for from now on, those known already
// included.
func (g *gate) record(keep func(*orbweaver.Response, []byte)) {
	g.keep, g.hosts = keep, map[string]*robots.Rules{}
}

// allows reports whether a URL may be asked for, and the rule that decided. A dataset on this machine, which
// the crawl file names, always may: no host is asked for it.
func (g *gate) allows(url string) (bool, string) {
	if isDataset(url) {
		return true, ""
	}
	if ok, rule := g.scope.Allows(url); !ok {
		return false, rule
	}
	return g.Allows(url)
}

// inScope is allows, robots.txt aside.
func (g *gate) inScope(url string) bool {
	if isDataset(url) {
		return true
	}
	ok, _ := g.scope.Allows(url)
	return ok
}

// Allows is allows, scope aside.
func (g *gate) Allows(url string) (bool, string) {
	if isDataset(url) {
		return true, ""
	}
	host := weburl.Host(url)
	rules, known := g.hosts[host]
	if !known && g.web != nil {
		rules = g.fetch(host)
		g.learn(host, rules)
	}
	return rules.Allows(url[len(host):])
}

// maxSitemaps is how many sitemaps of one robots.txt are asked for, the first ones: each may be on a
// host of its own.
const maxSitemaps = 500

// learn keeps the rules of a host, and what sitemaps they name.
func (g *gate) learn(host string, rules *robots.Rules) {
	g.hosts[host] = rules
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
func (g *gate) Sitemaps() []string {
	found := g.found
	g.found = nil
	return found
}

// Answer takes what came of asking for the robots.txt of a host of the live Web.
func (g *gate) Answer(host string, hops int, response *orbweaver.Response, payload []byte, err error) engine.Manners {
	v := robots.Judge(answerFor(response, payload, hops, err), g.agent)
	if v.Next != "" {
		return engine.Manners{Next: v.Next}
	}
	m := engine.Manners{Later: v.Passing, Why: v.Why}
	if v.Rules != nil {
		m.Delay = v.Rules.Delay
	}
	if !v.Passing {
		g.learn(host, v.Rules)
	}
	return m
}

// answerFor is an exchange for a robots.txt as the rules of such exchanges have it.
func answerFor(response *orbweaver.Response, payload []byte, hops int, err error) robots.Answer {
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

// fetch reads a host's robots.txt from the archive. What is not there allows everything.
func (g *gate) fetch(host string) *robots.Rules {
	url := host + "/robots.txt"
	for hops := 0; ; hops++ {
		response, err := g.web.Fetch(context.Background(), orbweaver.Request{URL: url, Purpose: orbweaver.ForRobots})
		if orbweaver.FailureOf(err) == orbweaver.ErrAbsent {
			return nil
		}
		var body []byte
		if err == nil {
			body, err = g.read(response)
		}
		v := robots.Judge(answerFor(response, body, hops, err), g.agent)
		if v.Next == "" {
			return v.Rules
		}
		url = v.Next
	}
}

// read reads a robots.txt as far as it counts, and whole when it is to be kept.
func (g *gate) read(response *orbweaver.Response) ([]byte, error) {
	defer response.Body.Close()
	if g.keep == nil {
		return io.ReadAll(io.LimitReader(response.Body, maxRobots))
	}
	body, err := io.ReadAll(response.Body) // the web bounds it
	if err == nil {
		g.keep(response, body)
	}
	return body, err
}
