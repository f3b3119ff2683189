package crossref

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/text/item"
)

// The rules of page judgements.
const (
	RuleTerms  = "terms"   // the cosine of terms to layer 0
	RuleLabels = "labels"  // what labels add to it
	RuleLack   = "no-term" // why the page has no terms
)

// judged is what the page judged last was found to be.
type judged struct {
	page     *orbweaver.Page
	terms    vector
	labels   vector
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
	j := judged{page: p, terms: compact(weighed.Terms), lack: weighed.Lack}
	more := f.strange(weighed)
	j.labels, _ = f.labelsOf(j.terms)
	j.standing = f.stand(j.terms, more, j.labels)
	j.cosine = f.layers[0].terms.cosine(j.terms, more)
	j.own = f.query.alone().terms.cosine(j.terms, more)
	f.judged = j
	return &f.judged
}

// strange is the square of what a page's words weigh that no item had: they have a part in its length when
// they are learned, and without it pages would seem alike that have a few known words in common.
func (f *Focus) strange(it item.Item) float64 {
	weight := math.Log(2 + float64(f.model.Terms.N()))
	return float64(min(it.Unknown, maxTerms-len(it.Terms))) * weight * weight
}

// Judge scores a page by its relevance to layer 0, 0..1, and accepts it when the cosine of its terms to those
// of layer 0 is above Accept, by the idf of this moment. Its class is the layer it belongs to. Nothing is
// learned.
func (f *Focus) Judge(_ context.Context, p *orbweaver.Page) (orbweaver.Judgement, error) {
	found := f.judge(p)
	if len(found.terms) == 0 {
		return orbweaver.Judgement{Reasons: []orbweaver.Reason{{Rule: RuleLack, Evidence: string(found.lack)}}}, nil
	}
	score := float64(found.standing[0])
	j := orbweaver.Judgement{Score: score, Accepted: found.cosine > f.opts.Accept, Class: className(found.standing.layer())}
	if found.cosine > 0 {
		j.Reasons = append(j.Reasons, orbweaver.Reason{Rule: RuleTerms, Evidence: f.inCommon(found.terms, 0, 5), Weight: found.cosine})
	}
	if added := score - found.cosine; added > 1e-6 { // beyond what rounding adds
		evidence := fmt.Sprintf("%d of the page's, as those of layer 0", len(found.labels))
		j.Reasons = append(j.Reasons, orbweaver.Reason{Rule: RuleLabels, Evidence: evidence, Weight: added})
	}
	return j, nil
}

// inCommon names the n terms by which a vector is most like a layer.
func (f *Focus) inCommon(v vector, layer, n int) string {
	type share struct {
		id     uint32
		weight float64
	}
	var shares []share
	for _, d := range v {
		if w := f.layers[layer].terms[d.id] * float64(d.weight); w > 0 {
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
	return f.named(most)
}

// named are the terms of a vector in its order, as people read them.
func (f *Focus) named(v vector) string {
	var names []string
	for _, d := range v {
		if name, ok := f.model.Terms.Text(d.id); ok {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// Query is the item in words, its n heaviest terms, for a search engine.
func (f *Focus) Query(n int) string {
	order := slices.Clone(f.query.terms)
	slices.SortFunc(order, func(a, b dim) int { return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.id, b.id)) })
	var names []string
	for _, d := range order[:min(n, len(order))] {
		if name, ok := f.model.Terms.Text(d.id); ok {
			names = append(names, name)
		}
	}
	return strings.Join(names, " ")
}
