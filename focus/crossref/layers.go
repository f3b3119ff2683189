package crossref

import (
	"cmp"
	"iter"

	"orbweaver/internal/order"
)

// The maximum size of a layer.
const (
	maxMembers = 2000
	maxInlinks = 2000 // examined per member of the inner layer
)

// A layer of the context graph, as the directions of its mean vectors.
type layer struct {
	members int
	terms   direction
	labels  direction
}

func layerOf(terms, labels []vector) layer {
	return layer{members: len(terms), terms: towards(terms), labels: towards(labels)}
}

// strangeLabel is the squared weight of the additional label that every page counts as having.
const strangeLabel = 1

// extraLabel returns the squared weight of the additional label in this crawl; the paper has none.
func (f *Focus) extraLabel() float64 {
	if f.opts.NoExtraLabel {
		return 0
	}
	return strangeLabel
}

// relevance returns r of equation 3 and the cosine of terms it is based on (equation 1). more is the squared
// weight of the page's words that are not among its terms, extra that of a label that no layer has.
func (l *layer) relevance(terms vector, more float64, labels vector, extra float64) (r, cosine float64) {
	cosine = l.terms.cosine(terms, more)
	return max(cosine, (cosine+l.labels.cosine(labels, extra))/2), cosine
}

// A standing is a page's relevance to each layer, 0..1.
type standing [maxLayers]float32

// layer returns the layer a page belongs to: the one of highest relevance, the innermost among equals.
func (s standing) layer() int {
	best := 0
	for i, r := range s {
		if r > s[best] {
			best = i
		}
	}
	return best
}

// stand returns a page's relevance to every layer.
func (f *Focus) stand(terms vector, more float64, labels vector) (s standing) {
	for i := range f.layers {
		r, _ := f.layers[i].relevance(terms, more, labels, f.extraLabel())
		s[i] = float32(r)
	}
	return s
}

// relayer recomputes the layers, from the item outwards, and the standing of every item. linking returns the items of an outer
// layer by the URLs of the layer within. It returns the number of inferred labels of all items.
func (f *Focus) relayer(linking func(targets []string, layer int8) []*kept) (inferred int) {
	f.weighQuery()
	for i := range f.known.items {
		k := &f.known.items[i]
		has := f.classify(k.main)
		k.labels, inferred = has.vector, inferred+has.inferred
		k.member = outside
	}
	inner := f.innermost()
	f.layers = []layer{f.layerWith(f.query, inner)}
	var targets []string
	for i := range f.query {
		targets = append(targets, f.query[i].url)
	}
	targets = append(targets, urlsOf(inner)...)
	for i := 1; i <= f.opts.Layers && !f.opts.NoLayers; i++ {
		next := linking(targets, int8(i))
		f.layers = append(f.layers, f.layerWith(nil, next))
		targets = urlsOf(next)
	}
	for i := range f.known.items {
		k := &f.known.items[i]
		k.standing = f.stand(k.terms, 0, k.labels)
		f.tell(k)
	}
	f.untold = nil
	f.learnWords()
	return inferred
}

// innermost returns the items of layer 0 beside the target items, most relevant first: those whose relevance to
// the target items, or with ThetaLayer to layer 0 of the round before, is above Theta. Of those with a verdict of a person it returns the
// relevant ones, before the others.
func (f *Focus) innermost() []*kept {
	items := f.similar()
	for _, k := range items {
		k.member = 0
	}
	return items
}

// similar is innermost, and leaves the items where they are.
func (f *Focus) similar() []*kept {
	type candidate struct {
		item      *kept
		relevance float64
	}
	var all []candidate
	against := f.alone()
	if f.opts.ThetaLayer {
		against = f.layers[0]
	}
	for i := range f.known.items {
		k := &f.known.items[i]
		r, _ := against.relevance(k.terms, 0, k.labels, f.extraLabel())
		joins := r > f.opts.Theta
		if told, ok := f.told[k.url]; ok {
			r, joins = 1+told, told >= relevant
		}
		if joins && !f.opts.isItem(k.url) {
			all = append(all, candidate{k, r})
		}
	}
	order.Stably(all, func(a, b candidate) int { return cmp.Compare(b.relevance, a.relevance) })
	var items []*kept
	for _, c := range all[:min(len(all), maxMembers)] {
		items = append(items, c.item)
	}
	return items
}

// linking returns the items of layer i: those that link to one of the targets and are in no layer yet.
func (f *Focus) linking(inlinks func(url string) iter.Seq[string], targets []string, i int8) (items []*kept) {
	for _, url := range targets {
		for from := range first(inlinks(url), maxInlinks) {
			k := f.known.find(keyOf(from))
			if k == nil || k.member != outside {
				continue
			}
			if len(items) == maxMembers {
				return items
			}
			k.member = i
			items = append(items, k)
		}
	}
	return items
}

// layerWith returns a layer of target items and others.
func (f *Focus) layerWith(queries []query, items []*kept) layer {
	var terms, labels []vector
	for i := range queries {
		if q := &queries[i]; len(q.terms) > 0 {
			terms, labels = append(terms, q.terms), append(labels, q.labels)
		}
	}
	for _, k := range items {
		terms, labels = append(terms, k.terms), append(labels, k.labels)
	}
	return layerOf(terms, labels)
}

func urlsOf(items []*kept) []string {
	urls := make([]string, len(items))
	for i, k := range items {
		urls[i] = k.url
	}
	return urls
}

// first yields the first n elements of a sequence.
func first(all iter.Seq[string], n int) iter.Seq[string] {
	return func(yield func(string) bool) {
		left := n
		for s := range all {
			if left == 0 || !yield(s) {
				return
			}
			left--
		}
	}
}
