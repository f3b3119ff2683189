package discover

import (
	"net/url"
	"strings"

	"orbweaver"
	"orbweaver/weburl"
)

// patience is the number of queries that nothing came of after which a search is asked no more.
const patience = 2

// A Sparql is an endpoint that is asked for pages about what a label names.
type Sparql struct {
	Endpoint string // URL
	Query    string // SELECT query with {label} in it, in place of a literal
}

// The places of words in templates.
const (
	queryTerms = "{query}" // of a search engine
	labelTerms = "{label}"
)

// learnSearch takes the search of an accepted page's host, and asks it.
func (d *Discoverer) learnSearch(o orbweaver.Outcome) {
	r := o.Request
	host := weburl.Host(o.Page.URL)
	described := r.Via != nil && r.Via.Origin == orbweaver.FromSearch && r.Via.Anchor == ""
	if described || o.Actual.Accepted {
		d.found(o, d.state.host(host), host)
	}
	switch {
	case o.Actual.Accepted || described:
		d.askSite(r, host)
	case r.Via != nil && r.Via.Origin == orbweaver.FromSearch:
		d.askSite(r, weburl.Host(r.URL))
	}
}

// found keeps the search that a page names, or asks for its description.
func (d *Discoverer) found(o orbweaver.Outcome, h *site, host string) {
	for _, s := range o.Page.Searches {
		if h.Template != "" {
			return
		}
		if _, ok := weburl.Filled(s, "x"); ok {
			if weburl.Host(search(s, "x")) == host {
				h.Template = s
			}
			continue
		}
		if !h.Looked && weburl.Host(s) == host {
			h.Looked = true
			d.propose(o.Request, s, orbweaver.Link{Rel: Search, Title: "OpenSearch", Origin: orbweaver.FromSearch}, "describes the search of "+host)
		}
	}
}

// askSite asks the search of a host once more, if that is worth it.
func (d *Discoverer) askSite(r orbweaver.Request, host string) {
	h := d.state.Hosts[host]
	if h == nil || h.Template == "" {
		return
	}
	term, ok := d.term(h)
	if !ok {
		return
	}
	to := search(h.Template, term)
	if weburl.Host(to) != host {
		return
	}
	h.Asked = append(h.Asked, term)
	d.propose(r, to, orbweaver.Link{Rel: Search, Anchor: term, Title: h.Template, Origin: orbweaver.FromSearch}, term+": asked of "+host)
}

// term returns what a search is asked for next; false if it is not to be asked now: an answer is outstanding, all its queries
// are spent, or too many led to nothing.
func (d *Discoverer) term(h *site) (string, bool) {
	if len(h.Asked) > h.Answered || len(h.Asked) >= d.opts.Queries || len(h.Asked) >= patience+h.Won {
		return "", false
	}
	for _, t := range d.opts.Terms {
		if !contains(h.Asked, t) {
			return t, true
		}
	}
	t := d.state.Words.next(h.Asked)
	return t, t != ""
}

// askServices asks the search engine and the endpoint once more, if that is worth it.
func (d *Discoverer) askServices(r orbweaver.Request) {
	if d.opts.Engine != "" {
		s := d.state.service(Engine)
		if term, ok := d.term(s); ok {
			if to := fill(d.opts.Engine, queryTerms, term); to != "" {
				s.Asked = append(s.Asked, term)
				d.propose(r, to, orbweaver.Link{Rel: Engine, Anchor: term, Title: d.opts.Engine, Origin: orbweaver.FromSearch}, term+": asked of a search engine")
			}
		}
	}
	if d.opts.Sparql.Endpoint != "" {
		s := d.state.service(Endpoint)
		if term, ok := d.term(s); ok {
			s.Asked = append(s.Asked, term)
			q := orbweaver.Request{URL: d.opts.Sparql.Endpoint, Parent: r.URL, Depth: r.Depth + 1, Purpose: orbweaver.ForQuery,
				Query: strings.ReplaceAll(d.opts.Sparql.Query, labelTerms, literal(term))}
			d.offer(q, orbweaver.Link{Rel: Endpoint, Anchor: term, Origin: orbweaver.FromSearch}, term+": asked of a SPARQL endpoint")
		}
	}
}

// search puts words into the template of a site's search; empty: that is no URL.
func search(template, words string) string {
	filled, _ := weburl.Filled(template, words)
	to, err := weburl.Canonical(filled)
	if err != nil {
		return ""
	}
	return to
}

// fill puts words into a template; empty: that is no URL.
func fill(template, place, words string) string {
	to, err := weburl.Canonical(strings.ReplaceAll(template, place, url.QueryEscape(words)))
	if err != nil {
		return ""
	}
	return to
}

// literal is a text as a literal of SPARQL, without quotes inside, backslashes or control characters.
func literal(s string) string {
	return `"` + strings.Map(func(r rune) rune {
		if r == '"' || r == '\\' || r < ' ' {
			return ' '
		}
		return r
	}, s) + `"`
}

// contains reports whether a term was asked for, whatever its case.
func contains(asked []string, term string) bool {
	for _, a := range asked {
		if strings.EqualFold(a, term) {
			return true
		}
	}
	return false
}
