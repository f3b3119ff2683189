package search

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
)

// maxTerms is the maximal number of terms of a vector.
const maxTerms = 256

// A Term is a stem with its weight in a vector.
type Term struct {
	Stem   string
	Weight float64 // above 0
}

// Similar returns the documents with at least one of the terms, ranked by the cosine of the vector to theirs,
// from 0 to 1. A document's vector has 1 + ln(frequency) for each of its stems, over all fields, regardless of
// their weights, normalized by its length (lnc of SMART; Salton and Buckley, "Term-Weighting Approaches in
// Automatic Text Retrieval", IP&M 1988): the query vector has the idf, as that of Vector does. Terms of weight
// 0 are left out; a stem may occur once. The error wraps ErrQuery for more than 256 terms.
func (r Reader) Similar(ctx context.Context, terms []Term, o Options) (Results, error) {
	if len(terms) > maxTerms {
		return Results{}, fmt.Errorf("vector of %d terms, more than %d: %w", len(terms), maxTerms, ErrQuery)
	}
	v, err := r.visit(ctx)
	if err != nil {
		return Results{}, err
	}
	k := ranking{visit: v, options: o, part: lnc}
	k.weigh()
	sum := 0.0
	for _, t := range terms {
		if isWeight(t.Weight) {
			sum += t.Weight * t.Weight
			k.leaves = append(k.leaves, &leaf{cursor: v.postings(string(stemLetter) + t.Stem), fields: math.MaxUint32, weight: t.Weight})
		}
	}
	k.length = math.Sqrt(sum)
	k.run()
	if err := v.close(); err != nil {
		return Results{}, err
	}
	return k.results(), nil
}

// lnc is the weight of a term in a document.
func lnc(_ *ranking, _ *leaf, entries []entry, _ uint64, _ *table) float64 {
	times := uint32(0)
	for _, e := range entries {
		times += e.times
	}
	return weight(times)
}

// Vector returns the vector of a text for Similar: its terms, without stop words, with 1 + ln(frequency)
// multiplied by their idf, ln N/n. It returns the given number of heaviest terms, at most 256, without those
// that no document has.
func (r Reader) Vector(ctx context.Context, t Text, most int) ([]Term, error) {
	v, err := r.visit(ctx)
	if err != nil {
		return nil, err
	}
	found := r.store.counter.Count(t.Lang, t.Text)
	var terms []Term
	for i, stem := range found.Stems {
		if i%64 == 0 && ctx.Err() != nil {
			v.fail(context.Cause(ctx))
		}
		if v.err != nil {
			break
		}
		p := v.postings(string(stemLetter) + stem)
		if n := p.frequency(); n > 0 {
			idf := math.Log(float64(v.totals.docs) / float64(n))
			terms = append(terms, Term{stem, weight(uint32(found.Counts[i])) * idf})
		}
		if p.iter != nil {
			v.release()
		}
	}
	if err := v.close(); err != nil {
		return nil, err
	}
	terms = slices.DeleteFunc(terms, func(t Term) bool { return !isWeight(t.Weight) })
	slices.SortFunc(terms, func(a, b Term) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.Stem, b.Stem))
	})
	return terms[:max(0, min(most, len(terms), maxTerms))], nil
}
