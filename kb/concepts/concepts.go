// Package concepts groups the labels of a stream into broad concepts, a layer above the hierarchy of kb/labels: labels
// whose documents have the same terms form one concept, and concepts form a tree.
//
// A Model keeps a sample of the stream's documents (Sample documents of Width terms). At fixed points of the stream,
// after 250, 500, 1 000, 2 000, 4 000 documents and every 2 000 from there, it groups them anew:
//
//  1. Leaves many labels are chosen greedily, each the one whose centroid adds most to the similarity of documents to
//     the nearest centroid chosen so far (facility location; Nemhauser, Wolsey and Fisher 1978). A label's centroid is
//     the mean of the sampled documents that have it.
//  2. From these, spherical k-means (Dhillon and Modha, "Concept Decompositions for Large Sparse Text Data Using
//     Clustering", 2001) moves the centroids to where documents are. They are the leaves of the tree.
//  3. The two groups with the highest mean cosine between their documents are joined until one is left (average link,
//     Sokal and Michener 1958). Every group but the last is a concept, and those that make up four fifths of the
//     next one above them, which say the same twice.
//  4. A label belongs to the narrowest concept that has at least half of its documents, with odds four times those of
//     all documents. A label with no such concept says nothing about the subject of a document: it is noise.
//
// A document has the leaf whose centroid is nearest, and all concepts above it. Grouping draws no random numbers: the
// model is a function of the stream. A group that resembles one of the grouping before keeps its number.
//
// This package is not part of the stable API.
package concepts

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"orbweaver/internal/order"
	"orbweaver/text/item"
)

// ErrDamaged means that a snapshot is incomplete or holds what no model has.
var ErrDamaged = errors.New("the snapshot of concepts is damaged")

// The sizes of a model.
const (
	Leaves = 48   // of the tree
	Sample = 4000 // documents kept
	Width  = 100  // terms kept of a document, the heaviest
	Rule   = 200  // terms kept of a centroid, the heaviest

	first = 250  // documents until the first grouping
	often = 2000 // documents from one grouping to the next, from Sample documents on
)

// A Weight is a term with its weight in a document or centroid of length 1.
type Weight struct {
	Term   uint32 // item.Term.ID
	Weight float32
}

// A Member is a label of a concept.
type Member struct {
	Label    uint32  // item.Term.ID
	P        float32 // share of the label's documents that have the concept
	Strength float32 // P(label|concept)·ln(P(concept|label)/P(concept)); names are of the strongest
	Own      bool    // the label belongs to this concept, and not to one below it
}

// A Concept is a group of documents and of the labels that they share.
type Concept struct {
	Number  int      // stays the same while groupings have a similar group
	Above   int      // place of the broader concept in Model.Concepts; -1: none
	Items   int      // sampled documents that have it
	Share   float64  // of the sampled documents, 0..1
	Members []Member // its labels, strongest first, at most 100
	Rule    []Weight // its centroid, by term
	Leaf    bool     // Rule assigns documents; otherwise they come from concepts below
}

// A Change is a difference between a grouping and the one before.
type Change struct {
	Concept       Concept
	Came, Gone    bool    // neither: its share changed
	Share, Before float64 // of the documents since the grouping before; at that grouping
}

// A Model groups the documents of a stream. The zero value is an empty model. Learn and Restore need exclusive access;
// all other methods only read.
type Model struct {
	halfLife float64
	seen     int64
	next     int // number of the next concept
	grouped  int // documents of the latest grouping
	sample   [][]Weight
	all      []Concept // leaves first; a concept stands before the one above it
	recent   []int     // documents since the latest grouping, by leaf
	index    map[uint32][]entry
}

// An entry is the weight of a term in the rule of a leaf.
type entry struct {
	leaf   int
	weight float32
}

// New returns an empty model; with a half-life the sample is of the latest documents, of which one counts half after
// that many more.
func New(halfLife float64) *Model { return &Model{halfLife: halfLife} }

// Learn takes the next document, as its terms, heaviest or not. At a fixed point it groups the sample and returns what
// changed; label reports whether a term is a label. Otherwise the cost is that of the document's terms.
func (m *Model) Learn(terms []item.Term, label func(id uint32) bool) []Change {
	doc := unit(terms)
	if len(doc) == 0 {
		return nil
	}
	m.seen++
	if leaf, _, ok := m.nearest(doc); ok {
		m.recent[leaf]++
	}
	m.keep(doc)
	if !due(m.seen) {
		return nil
	}
	return m.group(label)
}

// due reports whether documents are grouped after the n-th.
func due(n int64) bool {
	if n >= Sample {
		return n%often == 0
	}
	return n >= first && n%first == 0 && n/first&(n/first-1) == 0
}

// unit returns the heaviest Width terms, by number, scaled to length 1.
func unit(terms []item.Term) []Weight {
	if len(terms) > Width {
		terms = slices.Clone(terms)
		order.By(terms, func(a, b item.Term) int { return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.ID, b.ID)) })
		terms = terms[:Width]
	}
	var square float64
	for _, t := range terms {
		square += t.Weight * t.Weight
	}
	if !(square > 0) || math.IsInf(square, 0) {
		return nil
	}
	doc := make([]Weight, len(terms))
	for i, t := range terms {
		doc[i] = Weight{t.ID, float32(t.Weight / math.Sqrt(square))}
	}
	order.By(doc, byTerm)
	return doc
}

func byTerm(a, b Weight) int { return cmp.Compare(a.Term, b.Term) }

// keep takes a document into the sample with probability Sample/seen, in place of any (Vitter's algorithm R), and with
// a half-life h with at least Sample·ln 2/h (Aggarwal, "On Biased Reservoir Sampling", 2006). Chance is a hash of the
// document's place in the stream.
func (m *Model) keep(doc []Weight) {
	if len(m.sample) < Sample {
		m.sample = append(m.sample, doc)
		return
	}
	p := Sample / float64(m.seen)
	if m.halfLife > 0 {
		p = max(p, min(1, Sample*math.Ln2/m.halfLife))
	}
	h := mixed(uint64(m.seen))
	if float64(h>>11)/(1<<53) < p {
		m.sample[mixed(h)%Sample] = doc
	}
}

// mixed is the finalizer of SplitMix64 (Steele, Lea and Flood 2014).
func mixed(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// nearest returns the leaf with the highest cosine to a document, and the cosine; false without a term in common. Of
// equal leaves it is the first.
func (m *Model) nearest(doc []Weight) (leaf int, cosine float64, ok bool) {
	if m.index == nil {
		return 0, 0, false
	}
	scores := make([]float64, len(m.recent))
	for _, t := range doc {
		for _, e := range m.index[t.Term] {
			scores[e.leaf] += float64(t.Weight) * float64(e.weight)
		}
	}
	for i, s := range scores {
		if s > cosine {
			leaf, cosine, ok = i, s, true
		}
	}
	return leaf, cosine, ok
}

// Concepts returns all concepts, each before the one above it. The slice must not be changed.
func (m *Model) Concepts() []Concept { return m.all }

// Held is the classification of a document.
type Held struct {
	Concepts []int    // places in Concepts, the leaf first, then those above it
	Cosine   float64  // of document and leaf, above 0
	Because  []Weight // terms of the document by what they add to the cosine, at most ten, most first
}

// Classify returns the concepts of a document; none if it shares no term with any.
func (m *Model) Classify(terms []item.Term) (h Held) {
	doc := unit(terms)
	leaf, cosine, ok := m.nearest(doc)
	if !ok {
		return h
	}
	h.Cosine = cosine
	for at := leaf; at >= 0; at = m.all[at].Above {
		h.Concepts = append(h.Concepts, at)
	}
	for _, t := range doc {
		for _, e := range m.index[t.Term] {
			if e.leaf == leaf {
				h.Because = append(h.Because, Weight{t.Term, t.Weight * e.weight})
			}
		}
	}
	order.Stably(h.Because, func(a, b Weight) int { return cmp.Compare(b.Weight, a.Weight) })
	h.Because = h.Because[:min(len(h.Because), 10)]
	return h
}

// Home returns the place of the narrowest concept that a label belongs to; false for noise, for labels of too few
// sampled documents, and before the first grouping.
func (m *Model) Home(label uint32) (place int, ok bool) {
	for i := range m.all {
		for _, x := range m.all[i].Members {
			if x.Label == label && x.Own {
				return i, true
			}
		}
	}
	return 0, false
}

// reindex rebuilds the index of rules.
func (m *Model) reindex() {
	m.index = nil
	for i := range m.all {
		if !m.all[i].Leaf {
			continue
		}
		if m.index == nil {
			m.index = map[uint32][]entry{}
		}
		for _, w := range m.all[i].Rule {
			m.index[w.Term] = append(m.index[w.Term], entry{i, w.Weight})
		}
	}
}
