package app

import (
	"context"
	"fmt"
	"io"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/fetch/robots"
	"orbweaver/internal/app/crawlfile"
	"orbweaver/weburl"
)

// openWeb opens the archive a crawl file names as its web.
func openWeb(web *crawlfile.Web, limits crawlfile.Limits) (*archive.Web, error) {
	if web == nil {
		return nil, fmt.Errorf("web: this version crawls archives: name a WARC file under `web: {archive: …}` (%w)", orbweaver.ErrInput)
	}
	return archive.OpenWeb(web.Archive, archive.WebOptions{MaxBody: limits.Body})
}

// A gate says which URLs may be asked for: by the crawl file's scope, then by the robots.txt of the
// host. It is for one goroutine.
type gate struct {
	scope *weburl.Scope
	web   *archive.Web             // whose robots.txt files are obeyed; nil: none
	agent string                   // our product token
	hosts map[string]*robots.Rules // by weburl.Host
}

// newGate compiles the gate of a crawl over an archive.
func newGate(scope crawlfile.Scope, web *archive.Web, obey bool, agent string) (*gate, error) {
	compiled, err := weburl.CompileScope(scope.Include, scope.Exclude, scope.Hosts)
	if err != nil {
		return nil, fmt.Errorf("scope: %w (%w)", err, orbweaver.ErrInput)
	}
	g := &gate{scope: compiled, agent: agent, hosts: map[string]*robots.Rules{}}
	if obey {
		g.web = web
	}
	return g, nil
}

// allows reports whether a URL may be asked for, and the rule that decided.
func (g *gate) allows(url string) (bool, string) {
	if ok, rule := g.scope.Allows(url); !ok {
		return false, rule
	}
	if g.web == nil {
		return true, ""
	}
	host := weburl.Host(url)
	rules, known := g.hosts[host]
	if !known {
		rules = g.fetch(host)
		g.hosts[host] = rules
	}
	return rules.Allows(url[len(host):])
}

// maxRobotsHops is how many redirects of a robots.txt are followed: RFC 9309, section 2.3.1.2.
const maxRobotsHops = 5

// fetch reads a host's robots.txt from the archive. As RFC 9309 has it, what is not there allows
// everything, and a server in trouble nothing.
func (g *gate) fetch(host string) *robots.Rules {
	url := host + "/robots.txt"
	for range maxRobotsHops + 1 {
		response, err := g.web.Fetch(context.Background(), orbweaver.Request{URL: url, Purpose: orbweaver.ForRobots})
		if err != nil {
			return nil
		}
		body, err := io.ReadAll(io.LimitReader(response.Body, robots.MaxSize))
		response.Body.Close()
		switch {
		case response.Status/100 == 5:
			return robots.Disallowed(fmt.Sprintf("robots.txt answered %d", response.Status))
		case response.Status/100 == 3 && response.Redirect != "":
			url = response.Redirect
			continue
		case response.Status/100 != 2 || err != nil:
			return nil
		}
		return robots.Parse(plain(response.Header, body), g.agent)
	}
	return nil
}
