package concepts

import (
	"cmp"
	"math"
	"slices"

	"orbweaver/internal/order"
)

// The limits of grouping.
const (
	rounds     = 20    // of k-means at most
	settled    = 0.001 // share of documents that move in the last round
	candidates = 1500  // labels that leaves begin with, the most frequent
	leastShare = 0.005 // of the sampled documents for a label to be one of these
	mostShare  = 0.4
	leastItems = 8

	same = 0.8 // share of the documents of the concept above from which a concept is left out

	half       = 0.5 // least P(concept|label) of a member
	odds       = 4   // least odds ratio of a member
	leastOwn   = 5   // sampled documents of a member
	maxMembers = 100

	alike = 0.5 // cosine of centroids from which a group is that of the grouping before
)

// A grouping is the work of one fixed point. Terms are numbered densely, in order of their numbers in the stream.
type grouping struct {
	docs  [][]Weight // Term: dense
	terms []uint32   // by dense number
	label []bool     // by dense number
	in    [][]int32  // documents by dense number of a label
	of    []int      // leaf by document
	mean  [][]float64
}

// group groups the sample and returns what changed.
func (m *Model) group(label func(id uint32) bool) []Change {
	g := newGrouping(m.sample, label)
	if !g.seed() {
		return nil
	}
	g.settle()
	all := g.join()
	g.describe(all)
	changes := m.match(all)
	m.all, m.grouped = all, len(m.sample)
	m.recent = make([]int, leavesOf(all))
	m.reindex()
	return changes
}

func leavesOf(all []Concept) (n int) {
	for n < len(all) && all[n].Leaf {
		n++
	}
	return n
}

func newGrouping(sample [][]Weight, label func(id uint32) bool) *grouping {
	g := &grouping{of: make([]int, len(sample))}
	for _, doc := range sample {
		for _, w := range doc {
			g.terms = append(g.terms, w.Term)
		}
	}
	slices.Sort(g.terms)
	g.terms = slices.Compact(g.terms)
	g.label, g.in = make([]bool, len(g.terms)), make([][]int32, len(g.terms))
	for t, id := range g.terms {
		g.label[t] = label(id)
	}
	for i, doc := range sample {
		dense := make([]Weight, len(doc))
		for j, w := range doc {
			t, _ := slices.BinarySearch(g.terms, w.Term)
			if dense[j] = (Weight{uint32(t), w.Weight}); g.label[t] {
				g.in[t] = append(g.in[t], int32(i))
			}
		}
		g.docs = append(g.docs, dense)
	}
	return g
}

// seed assigns each document to the nearest of the labels that leaves begin with; false if no label is frequent enough.
func (g *grouping) seed() bool {
	var labels []int
	for t := range g.terms {
		n := float64(len(g.in[t]))
		if n >= max(leastItems, leastShare*float64(len(g.docs))) && n <= mostShare*float64(len(g.docs)) {
			labels = append(labels, t)
		}
	}
	order.Stably(labels, func(a, b int) int { return cmp.Compare(len(g.in[b]), len(g.in[a])) })
	labels = labels[:min(len(labels), candidates)]
	cosines := g.cosines(labels)
	chosen := g.cover(cosines)
	g.mean = make([][]float64, chosen)
	for i := range g.mean {
		g.mean[i] = make([]float64, len(g.terms))
	}
	return chosen > 1
}

// lanes is the number of labels whose documents are compared with all documents at once.
const lanes = 4

// cosines returns for each label the cosine of every document with the mean of the label's documents.
func (g *grouping) cosines(labels []int) [][]float32 {
	rows := make([][]float32, len(labels))
	center := make([]float64, len(g.terms))
	centers := make([][lanes]float64, len(g.terms))
	for from := 0; from < len(labels); from += lanes {
		some := labels[from:min(from+lanes, len(labels))]
		for lane, t := range some {
			clear(center)
			for _, d := range g.in[t] {
				add(center, g.docs[d])
			}
			scale(center)
			for term, x := range center {
				centers[term][lane] = x
			}
			rows[from+lane] = make([]float32, len(g.docs))
		}
		for d, doc := range g.docs {
			for lane, x := range dots(centers, doc)[:len(some)] {
				rows[from+lane][d] = float32(x)
			}
		}
	}
	return rows
}

// dots is dot with several vectors at once: what is waited for is memory.
func dots(centers [][lanes]float64, doc []Weight) *[lanes]float64 {
	var a, b, c, d float64
	for _, w := range doc {
		at, x := &centers[w.Term], float64(w.Weight)
		a += at[0] * x
		b += at[1] * x
		c += at[2] * x
		d += at[3] * x
	}
	return &[lanes]float64{a, b, c, d}
}

// cover chooses at most Leaves rows, each time the one that adds most to the sum of the highest cosines of all
// documents, assigns documents to the nearest, and returns how many it chose.
func (g *grouping) cover(cosines [][]float32) (chosen int) {
	best := make([]float32, len(g.docs))
	gains := make([]float64, len(cosines)) // upper bounds: gains never grow
	for i := range gains {
		gains[i] = math.Inf(1)
	}
	for ; chosen < Leaves; chosen++ {
		at, most := -1, 0.0
		for i, row := range cosines {
			if gains[i] <= most {
				continue
			}
			var gain float64
			for d, c := range row {
				if c > best[d] {
					gain += float64(c - best[d])
				}
			}
			if gains[i] = gain; gain > most {
				at, most = i, gain
			}
		}
		if at < 0 {
			return chosen
		}
		for d, c := range cosines[at] {
			if c > best[d] {
				best[d], g.of[d] = c, chosen
			}
		}
	}
	return chosen
}

// settle moves the leaves by spherical k-means until few documents change theirs.
func (g *grouping) settle() {
	for range rounds {
		g.center()
		moved := 0
		for d, doc := range g.docs {
			best, most := g.of[d], -1.0
			for i := range g.mean {
				if c := dot(g.mean[i], doc); c > most {
					best, most = i, c
				}
			}
			if g.of[d] != best {
				g.of[d] = best
				moved++
			}
		}
		if float64(moved) < settled*float64(len(g.docs)) {
			break
		}
	}
	g.center()
}

// center computes the centroids, of length 1.
func (g *grouping) center() {
	for i := range g.mean {
		clear(g.mean[i])
	}
	for d, doc := range g.docs {
		add(g.mean[g.of[d]], doc)
	}
	for i := range g.mean {
		scale(g.mean[i])
	}
}

func add(sum []float64, doc []Weight) {
	for _, w := range doc {
		sum[w.Term] += float64(w.Weight)
	}
}

func dot(center []float64, doc []Weight) (sum float64) {
	for _, w := range doc {
		sum += center[w.Term] * float64(w.Weight)
	}
	return sum
}

// scale scales a vector to length 1, unless it is zero.
func scale(v []float64) {
	var square float64
	for _, x := range v {
		square += x * x
	}
	if square == 0 {
		return
	}
	by := 1 / math.Sqrt(square)
	for i := range v {
		v[i] *= by
	}
}

// match gives new concepts the numbers of similar ones of before, the most similar first, and returns the changes:
// groups that came, went, or whose share of documents since is another than it was.
func (m *Model) match(all []Concept) (changes []Change) {
	type likeness struct {
		old, new int
		cosine   float64
	}
	var pairs []likeness
	for i := range m.all {
		for j := range all {
			if c := cosine(m.all[i].Rule, all[j].Rule); c >= alike {
				pairs = append(pairs, likeness{i, j, c})
			}
		}
	}
	order.Stably(pairs, func(a, b likeness) int { return cmp.Compare(b.cosine, a.cosine) })
	was, is := map[int]bool{}, map[int]bool{}
	for _, p := range pairs {
		if !was[p.old] && !is[p.new] {
			was[p.old], is[p.new] = true, true
			all[p.new].Number = m.all[p.old].Number
		}
	}
	changes = m.shifts()
	for i := range m.all {
		if !was[i] {
			changes = append(changes, Change{Concept: m.all[i], Gone: true, Before: m.all[i].Share})
		}
	}
	for j := range all {
		if !is[j] {
			m.next++
			all[j].Number = m.next
			changes = append(changes, Change{Concept: all[j], Came: true, Share: all[j].Share})
		}
	}
	return changes
}

// cosine is that of two rules, sorted by term; rules need not have length 1, since terms were dropped.
func cosine(a, b []Weight) float64 {
	var both, left, right float64
	for _, w := range a {
		left += float64(w.Weight) * float64(w.Weight)
		if at, ok := slices.BinarySearchFunc(b, w, byTerm); ok {
			both += float64(w.Weight) * float64(b[at].Weight)
		}
	}
	for _, w := range b {
		right += float64(w.Weight) * float64(w.Weight)
	}
	if both == 0 {
		return 0
	}
	return both / math.Sqrt(left*right)
}

// shifts returns the leaves whose share of the documents since the latest grouping is at least half more or a third less
// than it was then, by more than three standard errors of a binomial.
func (m *Model) shifts() (changes []Change) {
	n := 0
	for _, k := range m.recent {
		n += k
	}
	if n < first {
		return nil
	}
	for i, k := range m.recent {
		was, is := m.all[i].Share, float64(k)/float64(n)
		sure := math.Abs(is-was) > 3*math.Sqrt(was*(1-was)/float64(n))
		if sure && (is >= 1.5*was || is <= was/1.5) {
			changes = append(changes, Change{Concept: m.all[i], Share: is, Before: was})
		}
	}
	return changes
}
