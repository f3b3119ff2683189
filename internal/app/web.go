package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/fetch/archive"
	"orbweaver/fetch/local"
	"orbweaver/fetch/robots"
	"orbweaver/internal/app/crawlfile"
	"orbweaver/weburl"
)

// openWeb opens the archive a crawl file names as its web. Of several files all that cannot be read
// are told.
func openWeb(web *crawlfile.Web, limits crawlfile.Limits) (*archive.Web, error) {
	opts := archive.WebOptions{MaxBody: limits.Body}
	opened, err := archive.OpenWeb(web.Archive, opts)
	if err == nil {
		for range opened.All() {
			return opened, nil
		}
		problem := fmt.Errorf("web: nothing to crawl in %s %s (%w)", strings.Join(web.Archive, ", "), opened.Warnings(), orbweaver.ErrInput)
		return nil, errors.Join(problem, opened.Close())
	}
	if len(web.Archive) == 1 {
		return nil, err
	}
	return nil, eachAlone(web.Archive, err, func(path string) error {
		one, err := archive.OpenWeb([]string{path}, opts)
		return errors.Join(err, closeAll(one))
	})
}

// eachAlone returns what is wrong with each of several files, or err when that is nothing.
func eachAlone(paths []string, err error, check func(path string) error) error {
	var problems []error
	for _, path := range paths {
		problems = append(problems, check(path))
	}
	if all := errors.Join(problems...); all != nil {
		return all
	}
	return err
}

// answering puts the files of a crawl file's documents before its archive.
func answering(documents map[string]string, web *archive.Web) engine.Fetcher {
	if len(documents) == 0 {
		return web
	}
	return local.New(documents, web)
}

// A gate says which URLs may be asked for: by the crawl file's scope, then by the robots.txt of the
// host. It is for one goroutine.
type gate struct {
	scope *weburl.Scope
	web   *archive.Web                                       // whose robots.txt files are obeyed; nil: none
	agent string                                             // our product token
	hosts map[string]*robots.Rules                           // by weburl.Host
	keep  func(response *orbweaver.Response, payload []byte) // takes each robots.txt; may be nil
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

// record has keep told of every robots.txt that is asked for from now on, those known already
// included.
func (g *gate) record(keep func(*orbweaver.Response, []byte)) {
	g.keep, g.hosts = keep, map[string]*robots.Rules{}
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
// everything, and what cannot be read, or a server in trouble, nothing.
func (g *gate) fetch(host string) *robots.Rules {
	url := host + "/robots.txt"
	for range maxRobotsHops + 1 {
		response, err := g.web.Fetch(context.Background(), orbweaver.Request{URL: url, Purpose: orbweaver.ForRobots})
		if errors.Is(err, orbweaver.ErrAbsent) {
			return nil
		}
		if err != nil {
			return robots.Disallowed("robots.txt cannot be read: " + string(orbweaver.FailureOf(err)))
		}
		body, err := g.read(response)
		switch {
		case response.Status/100 == 5:
			return robots.Disallowed(fmt.Sprintf("robots.txt answered %d", response.Status))
		case response.Status/100 == 3 && response.Redirect != "":
			url = response.Redirect
			continue
		case response.Status/100 != 2:
			return nil
		case err != nil:
			return robots.Disallowed("robots.txt cannot be read: " + string(orbweaver.FailureOf(err)))
		}
		return robots.Parse(plain(response.Header, body), g.agent)
	}
	return nil
}

// read reads a robots.txt as far as it counts, and whole when it is to be kept.
func (g *gate) read(response *orbweaver.Response) ([]byte, error) {
	defer response.Body.Close()
	if g.keep == nil {
		return io.ReadAll(io.LimitReader(response.Body, robots.MaxSize))
	}
	body, err := io.ReadAll(response.Body) // the web bounds it
	if err == nil {
		g.keep(response, body)
	}
	if len(body) >= robots.MaxSize {
		body, err = body[:robots.MaxSize], nil
	}
	return body, err
}
