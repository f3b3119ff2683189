package store

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"orbweaver/ledger"
	"orbweaver/ledger/describe"
	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/eval"
	"orbweaver/rdf/sparql/value"
	"orbweaver/search"
)

// IRIs of the full-text extensions of SPARQL.
const (
	NameMatches = describe.NS + "nameMatches" // ?thing ow:nameMatches "words": things with a matching name
	textMatches = describe.NS + "textMatches" // ?page ow:textMatches "words": pages with matching title or text
	Relevance   = describe.NS + "relevance"   // ow:relevance(?x, "words"): the score of a match
)

// maxMatches bounds the hits of a search; the best ones are kept.
const maxMatches = 10_000

// titleWeight is the weight of a word in a page's title relative to one in its text.
const titleWeight = 3

// Index is the full text of a store: names, and pages if there are any.
type Index struct {
	names, pages *search.Reader // nil: none
	wordless, of int64          // outcomes whose pages are not indexed yet, and all
	close        func() error
}

// Close releases the snapshots of the index.
func (x *Index) Close() error { return x.close() }

// textSearch implements the full-text predicates of one query. It opens the index on first use.
type textSearch struct {
	store quads.Reader
	open  func(context.Context) (*Index, error)

	ctx    context.Context
	index  *Index
	found  map[[2]string][]match // predicate and words → hits, best first
	scores map[string]map[rdf.Term]float64
}

// match is one hit.
type match struct {
	subject rdf.Term
	score   float64
}

// with adds the full-text predicates to the options of an evaluation.
func (t *textSearch) with(ctx context.Context, o eval.Options) eval.Options {
	t.ctx, t.found, t.scores = ctx, map[[2]string][]match{}, map[string]map[rdf.Term]float64{}
	o.Magic = map[string]eval.Predicate{NameMatches: t.predicate(NameMatches), textMatches: t.predicate(textMatches)}
	o.Function = map[string]eval.Function{Relevance: t.relevance}
	return o
}

// Close closes the index.
func (t *textSearch) Close() error {
	if t.index == nil {
		return nil
	}
	return t.index.Close()
}

// predicate yields the subjects that match words.
func (t *textSearch) predicate(which string) eval.Predicate {
	return func(ctx context.Context, s, o rdf.Term) iter.Seq2[[2]rdf.Term, error] {
		return func(yield func([2]rdf.Term, error) bool) {
			if o.Kind != rdf.Literal {
				yield([2]rdf.Term{}, fmt.Errorf("<%s> needs words as its object: a bound string", which))
				return
			}
			all, err := t.search(ctx, which, o)
			if err != nil {
				yield([2]rdf.Term{}, err)
				return
			}
			for _, m := range all {
				if (s.IsZero() || s == m.subject) && !yield([2]rdf.Term{m.subject, o}, nil) {
					return
				}
			}
		}
	}
}

// relevance returns the score of a thing or page for words, the better of its two scores. It fails for one
// that is not among the hits.
func (t *textSearch) relevance(args []value.Value) (value.Value, error) {
	if len(args) != 2 {
		return value.Value{}, fmt.Errorf("<%s> takes two arguments: the resource and the words", Relevance)
	}
	words := args[1].Term()
	scores := t.scores[words.Value]
	if scores == nil {
		scores = map[rdf.Term]float64{}
		for _, which := range []string{NameMatches, textMatches} {
			all, err := t.search(t.ctx, which, words)
			if err != nil {
				return value.Value{}, err
			}
			for _, m := range all {
				scores[m.subject] = max(scores[m.subject], m.score)
			}
		}
		t.scores[words.Value] = scores
	}
	score, ok := scores[args[0].Term()]
	if !ok {
		return value.Value{}, errors.New("the resource does not match the words")
	}
	return value.Of(rdf.NewTyped(fmt.Sprintf("%.4f", score), rdf.XSDDecimal)), nil
}

// search returns the matches of words.
func (t *textSearch) search(ctx context.Context, which string, words rdf.Term) (all []match, err error) {
	key := [2]string{which, words.Value + "@" + words.Lang}
	if all, done := t.found[key]; done {
		return all, nil
	}
	if t.index == nil {
		if t.index, err = t.open(ctx); err != nil {
			return nil, fmt.Errorf("full text: %w", err)
		}
	}
	in := t.index.names
	if which == textMatches {
		in = t.index.pages
	}
	if in != nil {
		if all, err = t.hits(ctx, *in, words); err != nil {
			return nil, fmt.Errorf("full text: %w", err)
		}
	}
	t.found[key] = all
	return all, nil
}

// hits returns the subjects that an index holds for words.
func (t *textSearch) hits(ctx context.Context, in search.Reader, words rdf.Term) ([]match, error) {
	var langs []string
	if words.Lang != "" {
		langs = append(langs, words.Lang)
	}
	q, err := in.Parse(words.Value, langs...)
	if err != nil {
		return nil, err
	}
	res, err := in.Search(ctx, q, search.Options{Limit: maxMatches, Weights: map[string]float64{ledger.FieldTitle: titleWeight}})
	if err != nil {
		return nil, err
	}
	var all []match
	for _, hit := range res.Hits {
		subject, err := t.store.Term(quads.ID(hit.ID))
		switch {
		case errors.Is(err, quads.ErrUnknown): // added after the query's snapshot
		case err != nil:
			return nil, err
		default:
			all = append(all, match{subject, hit.Score})
		}
	}
	return all, nil
}
