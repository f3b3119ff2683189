// Package swget is the focus that navigates the Web of data. It starts from nodes, follows the statements
// that a NautiLOD expression selects (kb/nautilod), and finds the nodes at which the expression ends, like
// the tool swget (Fionda, Gutierrez and Pirrò, 2012).
//
// A node is an IRI, exactly as written. Its neighbours are those in its own document only: the statements
// that have it as subject, or as object where a predicate is inverted, in the graph of the document that its
// IRI dereferences to. The requested URL is the IRI in canonical form without its fragment, so that the terms
// of a vocabulary may share a document; redirects, 303 above all, are followed. Only HTTP IRIs are
// dereferenced, and only those within the given domains; other nodes are reached and state why they are not
// expanded. The domains do not restrict the targets of redirects. Blank nodes and literals are not nodes of
// the Web: they are counted and left out.
//
// The search is over pairs of a node and a state of the expression's automaton, each reached once, so that
// cycles end. It proceeds level by level; a level is one statement further from the start. A round fetches
// the documents a level needs: when nothing waits any more, EndRound continues with what the crawl then
// knows. A document that arrives later, from a host that was down, is used at the next end of a round. A
// document from which nothing follows is not requested, unless all are to be saved.
//
// This package is not part of the stable API.
package swget

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"orbweaver"
	"orbweaver/kb/nautilod"
	"orbweaver/rdf/iri"
	"orbweaver/weburl"
)

// The default limits.
const (
	DefaultMaxNodes  = 10_000
	DefaultMaxVisits = 100_000
	DefaultMaxLevels = 32
	DefaultMaxQuads  = 100_000
)

// Options configure a search. Expression is required, and a start node, in the expression or in From.
type Options struct {
	Expression string
	Prefixes   map[string]string // for the expression, in addition to the well-known ones
	From       []string          // IRIs of start nodes, in addition to those in the expression
	Domains    []string          // hosts including their subdomains, in addition to those in the expression; none: any
	Save       bool              // keep all documents, including those of results; so does -saveGraph

	// The limits of the search; 0: the default. Summary.CutShort reports limits that were reached.
	MaxNodes  int
	MaxVisits int // pairs of node and state
	MaxLevels int // statements from the start
	MaxQuads  int // examined in a document per visit of a node
}

// A Focus performs a search. It is not safe for concurrent use.
type Focus struct {
	opts    Options
	query   *nautilod.Query
	walks   *nautilod.Automaton
	guarded bool // the expression has tests or actions
	from    []string
	domains []string
	digest  string // identifies the search

	search
	tested tested
}

// New checks options and returns a focus. It reports every problem; each wraps orbweaver.ErrInput.
func New(opts Options) (*Focus, error) {
	f := &Focus{opts: opts.filled()}
	var problems []error
	add := func(err error) {
		if err != nil {
			problems = append(problems, fmt.Errorf("%w: %w", orbweaver.ErrInput, err))
		}
	}
	add(f.compile())
	if f.query != nil {
		f.opts.Save = opts.Save || f.query.Save
		f.from = distinct(f.query.From, opts.From)
		add(f.takeDomains(distinct(f.query.Domains, opts.Domains)))
		if len(f.from) == 0 {
			add(errors.New("no node to start from"))
		}
	}
	for _, start := range opts.From {
		if err := iri.Check(start); err != nil || !iri.IsAbsolute(start) {
			add(fmt.Errorf("start %q is not an absolute IRI", start))
		}
	}
	for _, n := range []int{opts.MaxNodes, opts.MaxVisits, opts.MaxLevels, opts.MaxQuads} {
		if n < 0 {
			add(fmt.Errorf("limit %d is negative", n))
		}
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	settings := fmt.Sprintf("%q %q %v %d %d %d %d", append([]string{f.query.String()}, f.from...), f.domains,
		f.opts.Save, f.opts.MaxNodes, f.opts.MaxVisits, f.opts.MaxLevels, f.opts.MaxQuads)
	sum := sha256.Sum256([]byte(settings))
	f.digest = hex.EncodeToString(sum[:16])
	f.begin()
	return f, nil
}

// filled returns the options with defaults for unset fields.
func (o Options) filled() Options {
	for _, b := range []struct {
		bound    *int
		standard int
	}{
		{&o.MaxNodes, DefaultMaxNodes}, {&o.MaxVisits, DefaultMaxVisits}, {&o.MaxLevels, DefaultMaxLevels}, {&o.MaxQuads, DefaultMaxQuads},
	} {
		if *b.bound == 0 {
			*b.bound = b.standard
		}
	}
	return o
}

// compile compiles the expression.
func (f *Focus) compile() error {
	q, err := nautilod.Parse(f.opts.Expression, nautilod.Options{Prefixes: f.opts.Prefixes})
	if err != nil {
		return err
	}
	if f.walks, err = q.Compile(); err != nil {
		return fmt.Errorf("expression: %w", err)
	}
	f.query = q
	for s := 1; s < f.walks.Len(); s++ {
		f.guarded = f.guarded || !f.isStep(s)
	}
	return nil
}

// takeDomains normalizes domains to the form of hosts.
func (f *Focus) takeDomains(all []string) error {
	var problems []error
	for _, domain := range all {
		url, err := weburl.Canonical("http://" + strings.TrimPrefix(domain, ".") + "/")
		host := weburl.Hostname(url)
		port := strings.Contains(domain, ":") && !strings.HasPrefix(domain, "[")
		if err != nil || port || url != "http://"+host+"/" {
			problems = append(problems, fmt.Errorf("%q is not a domain", domain))
			continue
		}
		f.domains = append(f.domains, strings.TrimSuffix(host, "."))
	}
	return errors.Join(problems...)
}

// within reports whether a URL is in one of the domains.
func (f *Focus) within(url string) bool {
	host := strings.TrimSuffix(weburl.Hostname(url), ".")
	for _, domain := range f.domains {
		if host == domain || strings.HasSuffix(host, "."+domain) {
			return true
		}
	}
	return len(f.domains) == 0
}

// distinct returns the strings of several lists, each once.
func distinct(lists ...[]string) (all []string) {
	met := map[string]bool{}
	for _, list := range lists {
		for _, s := range list {
			if !met[s] {
				met[s] = true
				all = append(all, s)
			}
		}
	}
	return all
}
