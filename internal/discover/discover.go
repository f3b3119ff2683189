// Package discover finds pages that the links of fetched pages do not lead to, or only behind pages off the topic. It has four
// sources: index pages (lists, categories, the next page of a list), which are probed by kind; the search of a site; search
// engines and SPARQL endpoints, which are asked again with what was learned; and pages of a link graph that link to accepted
// ones.
//
// All sources share a budget, a share of the requests. Each probe goes to the kind of request with the highest upper
// confidence bound (UCB1; Auer, Cesa-Bianchi and Fischer: Finite-time Analysis of the Multiarmed Bandit Problem, 2002) of what
// such requests led to: accepted pages that wait by a link on them. A kind at a host is shrunk to the same kind at all hosts.
//
// A Discoverer is a fold over outcomes: the same outcomes give the same state, restored from a snapshot or not. It fetches
// nothing, and knows no focus.
package discover

import (
	"context"
	"slices"

	"orbweaver"
	"orbweaver/weburl"
)

// Options say which sources are used.
type Options struct {
	Index   bool    // probe index pages and what follows on them
	Search  bool    // ask the search of hosts with accepted pages
	Share   float64 // of the requests that are probes, above 0 and at most 0.5
	Queries int     // to the search of one host, and to each other service, at most; at least 1
	Engine  string  // URL of the results of a search engine with {query} in it; empty: none
	Sparql  Sparql  // an endpoint; the zero value: none
	Links   Graph   // pages by what they link to; nil: none
	Terms   []string
	// Names returns what a reason of a judgement names; empty: nothing. Nil: words of titles alone are asked for.
	Names func(orbweaver.Reason) string
}

// A Graph has links that the crawl did not see.
type Graph interface {
	// From returns canonical URLs of pages with a link to a page, in a fixed order, at most a few.
	From(url string) ([]string, error)
}

// A Discoverer proposes requests and picks those whose turn it is. It is for one goroutine.
type Discoverer struct {
	opts     Options
	state    state
	proposed []orbweaver.Proposal // since the last call of Proposals
}

// New returns a Discoverer that has seen nothing.
func New(o Options) *Discoverer {
	d := &Discoverer{opts: o, state: newState()}
	d.askServices(orbweaver.Request{})
	return d
}

// Probes reports whether the request at a position in commit order, from 1, is a probe. They are spread evenly.
func (d *Discoverer) Probes(position int64) bool {
	return int64(float64(position)*d.opts.Share) > int64(float64(position-1)*d.opts.Share)
}

// Proposals returns the requests of its own that the last outcome, or the beginning, gave rise to.
func (d *Discoverer) Proposals() []orbweaver.Proposal {
	all := d.proposed
	d.proposed = nil
	return all
}

// Learn takes an outcome: what its page leads to, how its kind did, and what it taught of the topic.
func (d *Discoverer) Learn(_ context.Context, o orbweaver.Outcome) (orbweaver.Lesson, error) {
	d.proposed = nil
	d.state.answered(o.Request)
	if o.Page == nil || o.Request.Purpose == orbweaver.ForSitemap {
		return orbweaver.Lesson{}, nil
	}
	if o.Actual.Accepted {
		d.state.credit(o.Request)
	}
	if d.opts.Index {
		d.look(o)
	}
	if key, ok := d.keyOf(o.Request); ok {
		d.state.fetched(key, o.Request.URL)
	}
	asked := isQuery(o.Request)
	if !asked {
		d.state.Words.add(o, d.opts.Names)
	}
	if d.opts.Search {
		d.learnSearch(o)
	}
	if asked || o.Actual.Accepted {
		d.askServices(o.Request)
	}
	if o.Actual.Accepted && d.opts.Links != nil {
		return orbweaver.Lesson{}, d.linkBack(o)
	}
	return orbweaver.Lesson{}, nil
}

// isQuery reports whether a request is a query of this package, or for the description of a search.
func isQuery(r orbweaver.Request) bool { return r.Via != nil && r.Via.Origin == orbweaver.FromSearch }

// Keys returns the groups of waiting requests that a request belongs to.
func (d *Discoverer) Keys(r orbweaver.Request) []string {
	if key, ok := d.keyOf(r); ok {
		return []string{key}
	}
	return nil
}

// keyOf returns the kind of a request at its host, by its link alone; false for seeds, and kinds that are not probed.
func (d *Discoverer) keyOf(r orbweaver.Request) (key string, ok bool) {
	if r.Via == nil || r.Purpose == orbweaver.ForSitemap || r.Purpose == orbweaver.ForQuery && r.Via.Origin != orbweaver.FromSearch {
		return "", false
	}
	switch r.Via.Origin {
	case orbweaver.FromSearch:
		return keyed(r.Via.Rel, weburl.Host(r.URL)), true
	case orbweaver.FromBacklink:
		return keyed(Backlink, weburl.Host(r.URL)), true
	}
	if !d.opts.Index {
		return "", false
	}
	if kind := kindOf(r.URL, r.Via.Rel, r.Via.Anchor); kind != "" {
		return keyed(kind, weburl.Host(r.URL)), true
	}
	return keyed(Place, placeOf(r.URL)), true
}

// look registers the kinds of links on a page, and what shape the page has.
func (d *Discoverer) look(o orbweaver.Outcome) {
	shape := d.state.shapeOf(o.Page)
	if key, ok := d.keyOf(o.Request); ok {
		d.state.shaped(key, shape)
	}
	for i := range o.Page.Links {
		l := &o.Page.Links[i]
		if kind := kindOf(l.To, l.Rel, l.Anchor); kind != "" {
			d.state.arm(keyed(kind, weburl.Host(l.To)))
		}
	}
}

// linkBack proposes pages that link to an accepted one.
func (d *Discoverer) linkBack(o orbweaver.Outcome) error {
	from, err := d.opts.Links.From(o.Page.URL)
	if err != nil {
		return err
	}
	for _, url := range from[:min(len(from), mostBack)] {
		if url != o.Page.URL {
			d.propose(o.Request, url, orbweaver.Link{Rel: Backlink, Title: o.Page.Title, Origin: orbweaver.FromBacklink}, "links to "+o.Page.URL)
		}
	}
	return nil
}

// mostBack is the number of pages that are proposed because they link to one accepted page.
const mostBack = 5

// propose adds a request that waits for a probe.
func (d *Discoverer) propose(parent orbweaver.Request, url string, via orbweaver.Link, why string) {
	r := orbweaver.Request{URL: url, Parent: parent.URL, Depth: parent.Depth + 1}
	d.offer(r, via, why)
}

// offer adds a request that waits for a probe, complete but for its link.
func (d *Discoverer) offer(r orbweaver.Request, via orbweaver.Link, why string) {
	via.To = r.URL
	r.Via = &via
	if r.Parent == "" {
		r.Depth = 0
	}
	if key, ok := d.keyOf(r); ok {
		d.state.arm(key)
	}
	reasons := []orbweaver.Reason{{Rule: Rule, Evidence: why}}
	d.proposed = append(d.proposed, orbweaver.Proposal{Request: r, Judgement: orbweaver.Judgement{Reasons: reasons}})
}

// Rule is the rule of the reasons that this package gives.
const Rule = "discover"

// Pick returns the waiting request that a probe goes to; false if none is worth it. group returns the requests that wait under
// a key, rank the score of one, and whether it may be picked.
func (d *Discoverer) Pick(group func(key string) []uint64, rank func(id uint64) (float64, bool)) (uint64, bool) {
	for _, key := range d.state.best() {
		ids := slices.Sorted(slices.Values(group(key)))
		best, found, high := uint64(0), false, 0.0
		for _, id := range ids {
			score, ok := rank(id)
			if ok && (!found || score > high) {
				best, found, high = id, true, score
			}
			if found && kindOfKey(key) == Pagination {
				break // in the order of the list
			}
		}
		if found {
			return best, true
		}
	}
	return 0, false
}

// Why returns the reason for which a request is probed: its kind, and how that did so far.
func (d *Discoverer) Why(r orbweaver.Request) orbweaver.Reason {
	key, _ := d.keyOf(r)
	return orbweaver.Reason{Rule: Rule, Evidence: d.state.says(key)}
}
