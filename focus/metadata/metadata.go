// Package metadata is the metadata focus of CRAWLER-LD: from a few classes of vocabularies it finds the classes
// related to them, in the documents that their IRIs dereference to and in datasets, and how many instances of each
// every dataset has. It helps a publisher choose vocabularies to use and datasets to link to.
//
// The search is the paper's (Appendix 1): stages, breadth first. Each stage passes each term to every processor; what
// they find is truncated per dataset and per term, in the order of IRIs, and becomes the next stage, as far as it was
// not processed before. A stage is a round of the engine, a query a request.
//
// Where the paper contradicts its own results the results win. rdfs:subClassOf is followed to subclasses alone
// (section 5.1 prints both directions for it in one place), and the property processor's query has one variable for
// each branch of its UNION instead of the printed "?item ?property <t>", which undoes the branches that have the term
// as subject. Since columns identify the branch, one SPARQL 1.0 query covers all terms of a stage.
//
// A dataset is asked one query at a time. What it refuses it is asked in simpler words: one term at a time, then one
// pattern at a time; for instances one by one where it cannot count. What it was found unable to do it is not asked
// again. Three failures in a row, and it is left alone.
//
// Beyond the paper stands the judged expansion (Options.Judged; docs/metadata.md).
//
// This package is not part of the stable API.
package metadata

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/kb/catalog"
	"orbweaver/kb/relevance"
	"orbweaver/kb/terms"
	"orbweaver/rdf/iri"
)

// Limits prune the search, as the paper's parameters do. Each is at least 1.
type Limits struct {
	Levels     int // stages: 2 processes the terms given, and then what they led to
	Terms      int // processed at most, those given included
	PerTerm    int // that one term leads to
	PerDataset int // that one term leads to by what one dataset states
}

// A Dataset is asked by SPARQL.
type Dataset struct {
	Name     string          `json:"name"` // unique
	Title    string          `json:"title,omitempty"`
	Endpoint string          `json:"endpoint,omitempty"` // canonical URL, default graphs as its parameters; or that of weburl.Dataset
	Dump     string          `json:"dump,omitempty"`     // where it was loaded from; for the report
	Void     []string        `json:"void,omitempty"`     // canonical URLs of documents that describe it
	Known    catalog.Dataset `json:"known,omitzero"`     // what catalogues say of it; the zero Dataset: nothing
	Problem  string          `json:"problem,omitempty"`  // why it cannot be queried; empty: it can
}

// Options configure a crawl. Terms, Limits and Processors are required.
type Options struct {
	Terms      []string // IRIs of classes
	Limits     Limits
	Datasets   []Dataset
	Processors []Processor
	Judged     bool // what is related is judged: see judge.go. Else all of it is accepted, as in the paper
	Breaker    int  // failures in a row after which a dataset is left alone; 0: 3
}

const usualBreaker = 3

// A Focus is a metadata crawl. It is also a Seeder, Learner, Rounder, Recoverer and Rephraser.
type Focus struct {
	opts    Options
	askers  []Asker
	lookers []Looker
	places  map[string]int // dataset by name
	state   state
	large   *relevance.Background // classes at large, by what datasets say
}

// New makes a focus. Errors wrap orbweaver.ErrInput and come all at once.
func New(opts Options) (*Focus, error) {
	if opts.Breaker == 0 {
		opts.Breaker = usualBreaker
	}
	opts.Terms = distinct(opts.Terms)
	f := &Focus{opts: opts, places: map[string]int{}, large: relevance.NewBackground()}
	problems := append(checkTerms(opts.Terms), checkLimits(opts.Limits)...)
	problems = append(problems, f.takeDatasets()...)
	for _, p := range opts.Processors {
		if a, ok := p.(Asker); ok {
			f.askers = append(f.askers, a)
		}
		if l, ok := p.(Looker); ok {
			f.lookers = append(f.lookers, l)
		}
	}
	if opts.Judged {
		f.askers = append(f.askers, describe{}, background{})
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	f.state = f.fresh()
	return f, nil
}

// distinct are strings without those that came before.
func distinct(all []string) []string {
	var kept []string
	seen := map[string]bool{}
	for _, s := range all {
		if !seen[s] {
			seen[s] = true
			kept = append(kept, s)
		}
	}
	return kept
}

func checkTerms(list []string) (problems []error) {
	if len(list) == 0 {
		problems = append(problems, fmt.Errorf("terms: at least one is needed (%w)", orbweaver.ErrInput))
	}
	for _, t := range list {
		if !isTerm(t) {
			problems = append(problems, fmt.Errorf("terms: %q is no IRI of a class (%w)", t, orbweaver.ErrInput))
		}
	}
	return problems
}

func checkLimits(l Limits) (problems []error) {
	for _, one := range []struct {
		name string
		n    int
	}{{"levels", l.Levels}, {"terms", l.Terms}, {"per_term", l.PerTerm}, {"per_dataset", l.PerDataset}} {
		if one.n < 1 {
			problems = append(problems, fmt.Errorf("limits.%s: at least 1, have %d (%w)", one.name, one.n, orbweaver.ErrInput))
		}
	}
	return problems
}

// takeDatasets finds datasets by their names, each endpoint being one dataset's.
func (f *Focus) takeDatasets() (problems []error) {
	endpoints := map[string]string{}
	for i, d := range f.opts.Datasets {
		if other, taken := endpoints[d.Endpoint]; taken && d.Problem == "" {
			problems = append(problems, fmt.Errorf("datasets: %s and %s have one endpoint, %s (%w)", other, d.Name, d.Endpoint, orbweaver.ErrInput))
		}
		if _, taken := f.places[d.Name]; taken {
			problems = append(problems, fmt.Errorf("datasets: two are named %s (%w)", d.Name, orbweaver.ErrInput))
		}
		if f.places[d.Name] = i; d.Problem == "" {
			endpoints[d.Endpoint] = d.Name
		}
	}
	return problems
}

// longestTerm bounds the IRI of a requested term, in bytes.
const longestTerm = 2000

// isTerm reports whether an IRI can stand in a query and name a class: it is absolute, and nothing in it
// ends a query's <...>.
func isTerm(s string) bool {
	return len(s) <= longestTerm && iri.Check(s) == nil && iri.IsAbsolute(s) &&
		!strings.ContainsAny(s, "<>\"{}|^`\\") && !strings.HasPrefix(s, "_:")
}

// A term is a class with its state in the crawl.
type term struct {
	Stage     int            `json:"stage"`
	Found     bool           `json:"found,omitempty"`
	Processed bool           `json:"processed,omitempty"`
	Document  string         `json:"document,omitempty"`
	Problem   string         `json:"problem,omitempty"`
	Label     string         `json:"label,omitempty"`
	Edges     []terms.Step   `json:"edges,omitempty"` // that lead to it, in the order found
	Verdict   *terms.Verdict `json:"verdict,omitempty"`
}

// A state is what a focus knows: a fold over outcomes and ends of rounds.
type state struct {
	Version  int              `json:"version"`
	Names    string           `json:"names"` // digest of the terms and datasets given
	Phase    phase            `json:"phase"`
	Stage    int              `json:"stage"` // under way, from 1
	Current  []string         `json:"current"`
	Order    []string         `json:"order"` // terms, as they came to be known
	Terms    map[string]*term `json:"terms"`
	Datasets []dataset        `json:"datasets"`
	Told     int              `json:"told"` // processed so far
	candidacy
}

// A phase is what a round is for.
type phase string

const (
	describing phase = "void"     // descriptions of datasets are fetched
	relating   phase = "stage"    // terms are processed
	judging    phase = "describe" // candidates are described
	over       phase = "over"
)

// fresh is the state before the first round.
func (f *Focus) fresh() state {
	s := state{Version: snapshotVersion, Names: f.digest(), Phase: describing, Terms: map[string]*term{}, candidacy: newCandidacy()}
	for _, t := range f.opts.Terms {
		s.Terms[t] = &term{}
		s.Order = append(s.Order, t)
	}
	for _, d := range f.opts.Datasets {
		s.Datasets = append(s.Datasets, dataset{Facts: factsOf(d.Known), Off: d.Problem})
	}
	return s
}

// sortedSet is what of a list is different, in order.
func sortedSet(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}
