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
	"strings"

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

// A Gate decides which URLs a crawl may request: by scope, then by the robots.txt of the host. Over an archive the Gate
// reads robots.txt itself when it meets a host. On the live Web the engine supplies it by Answer. A host whose robots.txt
// is not known yet disallows nothing, because the engine requests robots.txt before anything else. A Gate is not safe
// for concurrent use.
type Gate struct {
	Scope *weburl.Scope
	web   *archive.Web                                  // the archive to read robots.txt from; nil: none
	Agent string                                        // product token of the crawler
	hosts *rulebook                                     // by weburl.Host
	keep  func(response *step.Response, payload []byte) // archives each robots.txt; may be nil

	wanted map[string]bool          // hosts whose sitemaps are requested; nil: all
	found  []string                 // sitemaps that Sitemaps has not returned yet
	given  func(host string) string // URL of the sitemap that a host has without naming it; empty: none; may be nil
	gave   map[string]bool          // hosts for which given was asked
	listed map[string]bool          // documents of lists, which neither scope nor robots.txt concerns
}

// New returns the gate of a crawl over an archive, or over the live Web if web is nil. obey says whether archived
// robots.txt files are obeyed.
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

// begin drops the rules of all hosts.
func (g *Gate) begin() {
	g.hosts = newRulebook()
	if g.web != nil {
		g.hosts.read = func(host string) (*robots.Rules, int) {
			rules, a := g.fetch(host, nil) // already archived by the first read
			return rules, len(a.Body)
		}
	}
}

// Spill moves robots.txt files of the live Web that exceed the memory budget to scratch files in a folder, until Close.
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

// Rules returns the rules of a host in the form of weburl.Host, and whether they are known.
func (g *Gate) Rules(host string) (*robots.Rules, bool) { return g.hosts.get(host, g.Agent) }

// Want selects the hosts whose sitemaps are requested: "all", "seeds" or "off".
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
	for _, url := range seeds {
		g.give(weburl.Host(url))
	}
}

// Give gives hosts sitemaps that their robots.txt does not name: of returns the URL of a host's; empty: it has none. Call it
// before Want.
func (g *Gate) Give(of func(host string) string) { g.given, g.gave = of, map[string]bool{} }

// List has documents of lists of URLs requested like sitemaps. Call it after Want.
func (g *Gate) List(documents []string) {
	g.found = append(g.found, documents...)
	g.listed = map[string]bool{}
	for _, url := range documents {
		g.listed[url] = true
	}
}

// local reports whether a URL is that of a document on this machine.
func (g *Gate) local(url string) bool { return g.listed[url] || isDataset(url) }

// give finds the sitemap that a host was given.
func (g *Gate) give(host string) {
	if g.given == nil || g.gave[host] || g.wanted != nil && !g.wanted[host] {
		return
	}
	g.gave[host] = true
	if url := g.given(host); url != "" {
		g.found = append(g.found, url)
	}
}

// Record makes the gate call keep for every robots.txt from now on. It drops all known rules, so that keep sees these
// files too.
func (g *Gate) Record(keep func(*step.Response, []byte)) {
	g.keep = keep
	g.begin()
}

// Admits reports whether a URL may be requested, and the rule that decided. A local dataset or list is always admitted.
func (g *Gate) Admits(url string) (bool, string) {
	if g.local(url) {
		return true, ""
	}
	if ok, rule := g.Scope.Allows(url); !ok {
		return false, rule
	}
	return g.Allows(url)
}

// InScope is like Admits but ignores robots.txt.
func (g *Gate) InScope(url string) bool {
	if g.local(url) {
		return true
	}
	ok, _ := g.Scope.Allows(url)
	return ok
}

// Allows is like Admits but ignores scope.
func (g *Gate) Allows(url string) (bool, string) {
	if g.local(url) {
		return true, ""
	}
	host := weburl.Host(url)
	g.give(host)
	rules, known := g.Rules(host)
	if !known && g.web != nil {
		var a robots.Answer
		rules, a = g.fetch(host, g.keep)
		g.Learn(host, rules, a)
	}
	return rules.Allows(url[len(host):])
}

// maxSitemaps is the maximum number of sitemaps requested for one robots.txt. Each may be on a different host.
const maxSitemaps = 500

// Learn stores the rules of a host, the answer that they were parsed from, and the sitemaps that they name.
func (g *Gate) Learn(host string, rules *robots.Rules, a robots.Answer) {
	g.hosts.put(host, rules, a)
	if rules == nil || g.wanted != nil && !g.wanted[host] {
		return
	}
	if len(rules.Sitemaps) == 0 {
		return
	}
	base, err := weburl.NewBase(host + "/robots.txt")
	if err != nil {
		return
	}
	for _, sitemap := range rules.Sitemaps[:min(len(rules.Sitemaps), maxSitemaps)] {
		if _, name, _ := strings.Cut(host, "//"); strings.HasPrefix(sitemap, name+"/") { // without its scheme
			sitemap = "//" + sitemap
		}
		if url, err := base.Resolve(sitemap); err == nil && !slices.Contains(g.found, url) {
			g.found = append(g.found, url)
		}
	}
}

// Given returns the sitemaps that hosts were given and the documents of lists, found since the last call. It leaves out those
// that robots.txt files name.
func (g *Gate) Given() []string {
	return slices.DeleteFunc(g.Sitemaps(), func(url string) bool {
		return !g.listed[url] && (g.given == nil || g.given(weburl.Host(url)) != url)
	})
}

// Sitemaps returns the sitemaps found since the last call.
func (g *Gate) Sitemaps() []string {
	found := g.found
	g.found = nil
	return found
}

// Answer processes the result of a robots.txt request on the live Web.
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

// AnswerFor converts the result of a robots.txt request to a robots.Answer.
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

// fetch reads a host's robots.txt from the archive and calls keep, unless keep is nil. A missing robots.txt allows
// everything.
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

// read reads a robots.txt: up to maxRobots bytes, or all of it if keep is not nil.
func read(response *step.Response, keep func(*step.Response, []byte)) ([]byte, error) {
	defer response.Body.Close()
	if keep == nil {
		return io.ReadAll(io.LimitReader(response.Body, maxRobots))
	}
	body, err := io.ReadAll(response.Body) // bounded by the archive's MaxBody
	if err == nil {
		keep(response, body)
	}
	return body, err
}

// plain removes the content coding of a robots.txt.
func plain(header http.Header, body []byte) ([]byte, error) {
	return page.Decode(header, body, maxRobots)
}

// maxRobots is the maximum size of a decoded robots.txt in bytes.
const maxRobots = 10 << 20

// isDataset reports whether a URL identifies a local dataset.
func isDataset(url string) bool {
	_, is := weburl.DatasetName(url)
	return is
}
