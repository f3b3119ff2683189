// Package metadata is the metadata focus of CRAWLER-LD. From a few classes it finds related classes, in the
// documents that their IRIs dereference to and in datasets, and counts the instances of each class in every
// dataset. It helps a publisher choose vocabularies to use and datasets to link to.
//
// The search is the paper's (Appendix 1): breadth first, in stages. Each stage passes each term to every
// processor. Their findings are truncated per dataset and per term, in the order of IRIs or as printed (Order);
// those not processed before form the next stage. A stage is a round of the engine, a query is a request.
//
// Where the paper contradicts its own results, the results take precedence. rdfs:subClassOf is followed to
// subclasses only (section 5.1 prints both directions for it in one place). The property processor's query
// has one variable for each branch of its UNION instead of the printed "?item ?property <t>", which cancels
// the branches that have the term as subject. Since columns identify the branch, one SPARQL 1.0 query covers
// all terms of a stage.
//
// A dataset receives one query at a time. A query that fails is retried in simpler forms: one term at a time,
// then one pattern at a time; instances are listed where the dataset cannot count. Forms that a dataset does
// not support are not sent again. After three failures in a row a dataset is no longer queried.
//
// The judged expansion goes beyond the paper (Options.Judged; docs/howto/metadata.md).
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

// Limits prune the search, like the paper's parameters. Each is at least 1.
type Limits struct {
	Levels     int // stages: 2 processes the given terms and what they led to
	Terms      int // processed at most, including the given ones
	PerTerm    int // that one term may lead to
	PerDataset int // that one term may lead to by the statements of one dataset
}

// A Dataset is queried by SPARQL.
type Dataset struct {
	Name     string          `json:"name"` // unique
	Title    string          `json:"title,omitempty"`
	Endpoint string          `json:"endpoint,omitempty"` // canonical URL, default graphs as its parameters; or that of weburl.Dataset
	Dump     string          `json:"dump,omitempty"`     // source of a loaded copy; for the report
	Void     []string        `json:"void,omitempty"`     // canonical URLs of documents that describe it
	Known    catalog.Dataset `json:"known,omitzero"`     // from catalogues; the zero Dataset: nothing known
	Problem  string          `json:"problem,omitempty"`  // why it cannot be queried; empty: it can
}

// Options configure a crawl. Terms, Limits and Processors are required.
type Options struct {
	Terms      []string // IRIs of classes
	Limits     Limits
	Datasets   []Dataset
	Processors []Processor
	Judged     bool // related classes are judged, see judge.go; else all are accepted, as in the paper
	Order      Order
	Single     bool // each query asks about one term, as in the paper; else about as many as fit
	Breaker    int  // consecutive failures after which a dataset is no longer queried; 0: 3
}

const usualBreaker = 3

// A Focus is a metadata crawl. It is also a Seeder, Learner, Rounder, Recoverer, Rephraser and Decider.
type Focus struct {
	opts    Options
	askers  []Asker
	lookers []Looker
	places  map[string]int // dataset by name
	state   state
	large   *relevance.Background // all classes that datasets describe
}

// New returns a focus. It reports every problem of the options; each wraps orbweaver.ErrInput.
func New(opts Options) (*Focus, error) {
	if opts.Breaker == 0 {
		opts.Breaker = usualBreaker
	}
	opts.Terms = distinct(opts.Terms)
	f := &Focus{opts: opts, places: map[string]int{}, large: relevance.NewBackground()}
	problems := append(checkTerms(opts.Terms), checkLimits(opts.Limits)...)
	problems = append(problems, f.takeDatasets()...)
	if opts.Judged && opts.Order == Prepended {
		problems = append(problems, fmt.Errorf("order: prepended is not for a judged expansion, which goes by scores (%w)", orbweaver.ErrInput))
	}
	for _, p := range opts.Processors {
		if a, ok := p.(Asker); ok {
			f.askers = append(f.askers, a)
		}
		if l, ok := p.(Looker); ok {
			f.lookers = append(f.lookers, l)
		}
	}
	if opts.Judged {
		f.askers = append(f.askers, describe{}, joined{}, background{})
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	f.state = f.fresh()
	return f, nil
}

// distinct returns strings without repetitions.
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
			problems = append(problems, fmt.Errorf("terms: %q is not the IRI of a class (%w)", t, orbweaver.ErrInput))
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

// takeDatasets indexes datasets by name and checks that no two share an endpoint.
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

// longestTerm bounds the IRI of a term, in bytes.
const longestTerm = 2000

// isTerm reports whether an IRI may name a class in a query: it is absolute and contains nothing that ends a
// query's <...>.
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
	Edges     []terms.Step   `json:"edges,omitempty"` // statements that lead to it, in the order found
	Verdict   *terms.Verdict `json:"verdict,omitempty"`
}

// A state is the focus's knowledge: a fold over outcomes and ends of rounds.
type state struct {
	Version   int              `json:"version"`
	Names     string           `json:"names"` // digest of the terms and datasets given
	Phase     phase            `json:"phase"`
	Stage     int              `json:"stage"` // current one, from 1
	Current   []string         `json:"current"`
	Order     []string         `json:"order"` // terms, in the order they became known
	Terms     map[string]*term `json:"terms"`
	Datasets  []dataset        `json:"datasets"`
	Processed int              `json:"told"`            // terms processed so far
	Told      string           `json:"facts,omitempty"` // digest of the results returned as facts
	candidacy
}

// A phase is the purpose of a round.
type phase string

const (
	describing phase = "void"     // descriptions of datasets are fetched
	relating   phase = "stage"    // terms are processed
	judging    phase = "describe" // candidates are described
	over       phase = "over"
)

// fresh returns the state before the first round.
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

// sortedSet returns the distinct strings of a list, sorted.
func sortedSet(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}
