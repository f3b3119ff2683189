// Package swget is the focus of a walk on the Web of data: it starts from nodes, follows the statements
// that an expression of NautiLOD asks for (see kb/nautilod), and finds the nodes at which the expression
// ends, as the tool swget does (Fionda, Gutierrez and Pirrò, 2012).
//
// A node is an IRI, just as it is written. Its neighbours are those in its own document and in no other: the
// statements that have it as subject, or as object where a predicate is inverted, in the graph of what its
// IRI dereferences to. The address asked for is the IRI in canonical form, without its fragment, so that the
// terms of one vocabulary may share a document; redirects, 303 above all, are followed. Only IRIs of HTTP are
// dereferenced, and of these only those within the domains that are named; the others are reached, and
// say why nothing follows from them. Where a redirect leads is the crawl's business, not the domains'. Blank
// nodes and literals are no nodes of the Web: they are counted, and left out.
//
// The search is over pairs of a node and a state of the expression's automaton, each visited once, so that circles
// end; it goes level by level, a level being one statement further from the start. A round is what a level needs of
// the Web: when nothing waits any more, EndRound continues by what the crawl then knows. A document that comes later,
// of a host that was down, is taken up at the next round's end. What nothing follows from is not asked for, unless
// all is to be saved.
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

// The bounds that stand where Options says nothing.
const (
	DefaultMaxNodes  = 10_000
	DefaultMaxVisits = 100_000
	DefaultMaxLevels = 32
	DefaultMaxQuads  = 100_000
)

// Options say what to look for. Expression is needed, and a node to start from, there or in From.
type Options struct {
	Expression string
	Prefixes   map[string]string // for the expression, beside the well-known
	From       []string          // IRIs to start from, beside those in the expression
	Domains    []string          // hosts, with all below each, beside those in the expression; none: any
	Save       bool              // all documents, those of results too; so does -saveGraph

	// The search is cut short at these; 0: the default. A search that was cut says so.
	MaxNodes  int
	MaxVisits int // pairs of node and state
	MaxLevels int // statements from the start
	MaxQuads  int // examined in a document, for one visit of one node of it
}

// A Focus walks. All its methods are for one goroutine.
type Focus struct {
	opts    Options
	query   *nautilod.Query
	walks   *nautilod.Automaton
	guarded bool // by tests or actions
	from    []string
	domains []string
	digest  string // of all that a search depends on

	search
	tested tested
}

// New checks options and makes a focus of them. Every problem is reported; all wrap orbweaver.ErrInput.
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
			add(fmt.Errorf("start %q is no absolute IRI", start))
		}
	}
	for _, n := range []int{opts.MaxNodes, opts.MaxVisits, opts.MaxLevels, opts.MaxQuads} {
		if n < 0 {
			add(fmt.Errorf("a bound of %d makes no sense", n))
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

// filled returns the options with defaults in place of what was left out.
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

// compile reads the expression.
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

// takeDomains brings domains into the form that hosts have.
func (f *Focus) takeDomains(all []string) error {
	var problems []error
	for _, domain := range all {
		url, err := weburl.Canonical("http://" + strings.TrimPrefix(domain, ".") + "/")
		host := weburl.Hostname(url)
		port := strings.Contains(domain, ":") && !strings.HasPrefix(domain, "[")
		if err != nil || port || url != "http://"+host+"/" {
			problems = append(problems, fmt.Errorf("%q is no domain", domain))
			continue
		}
		f.domains = append(f.domains, strings.TrimSuffix(host, "."))
	}
	return errors.Join(problems...)
}

// within reports whether a URL is of one of the domains.
func (f *Focus) within(url string) bool {
	host := strings.TrimSuffix(weburl.Hostname(url), ".")
	for _, domain := range f.domains {
		if host == domain || strings.HasSuffix(host, "."+domain) {
			return true
		}
	}
	return len(f.domains) == 0
}

// distinct are the strings of several lists, each once.
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
