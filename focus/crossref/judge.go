package crossref

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/kb/labels"
	"orbweaver/kb/stream"
	"orbweaver/text/item"
)

// The rules of page judgements.
const (
	RuleTerms  = "terms"   // the cosine of terms to layer 0
	RuleLabels = "labels"  // the amount that labels add to it
	RuleLack   = "no-term" // why the page has no terms
)

// namedTerms is the number of terms a reason names.
const namedTerms = 5

// judged is the analysis of the page judged last.
type judged struct {
	page     *orbweaver.Page
	weighed  item.Item
	terms    vector
	has      classified
	lack     item.Lack
	standing standing
	cosine   float64 // of terms to layer 0
	own      float64 // of terms to the item
}

// judge compares a page with the layers, once.
func (f *Focus) judge(p *orbweaver.Page) *judged {
	if f.judged.page == p {
		return &f.judged
	}
	weighed := f.model.Terms.Weigh(f.findings(p).draft)
	j := judged{page: p, weighed: weighed, terms: compact(weighed.Vector), lack: weighed.Lack, has: f.classify(weighed.Terms)}
	more := f.strange(weighed)
	j.standing = f.stand(j.terms, more, j.has.vector)
	j.cosine = f.layers[0].terms.cosine(j.terms, more)
	alone := f.alone()
	j.own = alone.terms.cosine(j.terms, more)
	f.judged = j
	return &f.judged
}

// strange returns the squared weight of the page's words that no item had. Learning gives them a part of the
// page's length; without them, pages with a few known words in common would count as similar.
func (f *Focus) strange(it item.Item) float64 {
	weight := math.Log(2 + float64(f.model.Terms.N()))
	return float64(min(it.Unknown, stream.Vector-len(it.Vector))) * weight * weight
}

// Judge scores a page by its relevance to layer 0, 0..1, and accepts it when the cosine of its terms to those
// of layer 0 is above Accept, by the current idf. Its class is the layer it belongs to. Judge does not learn.
func (f *Focus) Judge(_ context.Context, p *orbweaver.Page) (orbweaver.Judgement, error) {
	found := f.judge(p)
	if len(found.terms) == 0 {
		return orbweaver.Judgement{Reasons: []orbweaver.Reason{{Rule: RuleLack, Evidence: string(found.lack)}}}, nil
	}
	j := f.judgement(&f.layers[0], found.terms, &found.has, float64(found.standing[0]), found.cosine)
	j.Class = className(found.standing.layer())
	return j, nil
}

// judgement returns the judgement of terms and labels by layer 0, without a class.
func (f *Focus) judgement(inner *layer, terms vector, has *classified, score, cosine float64) orbweaver.Judgement {
	j := orbweaver.Judgement{Score: score, Accepted: cosine > f.opts.Accept}
	if cosine > 0 {
		j.Reasons = append(j.Reasons, orbweaver.Reason{Rule: RuleTerms, Evidence: f.named(inner.shared(terms, namedTerms)), Weight: cosine})
	}
	if names := has.inCommon(f.model, inner, 5); names != "" {
		added := score - cosine
		if added < 1e-6 { // rounding error: labels add nothing
			added = 0
		}
		j.Reasons = append(j.Reasons, orbweaver.Reason{Rule: RuleLabels, Evidence: names, Weight: added})
	}
	return j
}

// inCommon names the n terms that contribute most to a vector's cosine with a layer.
func (f *Focus) inCommon(v vector, layer, n int) string { return f.named(f.layers[layer].shared(v, n)) }

// shared returns the n terms that contribute most to a vector's cosine with the layer, heaviest first.
func (l *layer) shared(v vector, n int) vector {
	type share struct {
		id     uint32
		weight float64
	}
	var shares []share
	for _, d := range v {
		if w := l.terms[d.id] * float64(d.weight); w > 0 {
			shares = append(shares, share{d.id, w})
		}
	}
	slices.SortFunc(shares, func(a, b share) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.id, b.id))
	})
	var most vector
	for _, s := range shares[:min(n, len(shares))] {
		most = append(most, dim{id: s.id})
	}
	return most
}

// named returns the terms of a vector in its order, in readable form.
func (f *Focus) named(v vector) string {
	var names []string
	for _, d := range v {
		if name, ok := f.model.Terms.Text(d.id); ok {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// Query returns the first item as at most n search words: its heaviest terms, and among them up to n/4 of the
// strongest labels inferred for it.
func (f *Focus) Query(n int) string {
	var names []string
	for _, h := range f.query[0].held {
		if h.By != labels.ByTerm && len(names) < n/4 {
			names = append(names, f.model.Show(h.Label))
		}
	}
	order := slices.Clone(f.query[0].terms)
	slices.SortFunc(order, func(a, b dim) int { return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.id, b.id)) })
	var terms []string
	for _, d := range order[:min(n-len(names), len(order))] {
		if name, ok := f.model.Terms.Text(d.id); ok && !slices.Contains(names, name) {
			terms = append(terms, name)
		}
	}
	return strings.Join(append(terms, names...), " ")
}
