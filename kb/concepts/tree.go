package concepts

import (
	"cmp"
	"math"
	"slices"

	"orbweaver/internal/order"
)

// A part is a group while groups are joined.
type part struct {
	place int // in the concepts
	items int
	to    []float64 // by part: the sum of the cosines between documents of both
}

// join makes the tree: leaves, then each group after those it joins; the group of all documents is left out.
func (g *grouping) join() []Concept {
	sums := g.sums()
	var all []Concept
	var parts []*part
	for i := range sums {
		if sums[i] == nil {
			continue
		}
		parts = append(parts, &part{place: len(all), items: g.items(i)})
		all = append(all, Concept{Above: -1, Items: g.items(i), Leaf: true, Rule: g.rule(sums[i])})
	}
	sums = slices.DeleteFunc(sums, func(s []float64) bool { return s == nil })
	leaf := g.renumber()
	for i, p := range parts {
		for j := range parts {
			p.to = append(p.to, product(sums[i], sums[j]))
		}
	}
	for len(parts) > 2 {
		i, j := closest(parts)
		a, b := parts[i], parts[j]
		sum := slices.Clone(sums[i])
		for t, x := range sums[j] {
			sum[t] += x
		}
		all[a.place].Above, all[b.place].Above = len(all), len(all)
		all = append(all, Concept{Above: -1, Items: a.items + b.items, Rule: g.rule(sum)})
		sums[i] = sum
		a.place, a.items = len(all)-1, a.items+b.items
		for k, p := range parts {
			a.to[k] += b.to[k]
			p.to[i] = a.to[k]
		}
		parts, sums = slices.Delete(parts, j, j+1), slices.Delete(sums, j, j+1)
		for _, p := range parts {
			p.to = slices.Delete(p.to, j, j+1)
		}
	}
	for i := range all {
		all[i].Share = float64(all[i].Items) / float64(len(g.docs))
	}
	for d, i := range g.of {
		g.of[d] = leaf[i]
	}
	return thinned(all)
}

// thinned returns concepts without those, leaves excepted, that have most of the documents of the one above them.
func thinned(all []Concept) (kept []Concept) {
	above, place := make([]int, len(all)), make([]int, len(all)) // nearest kept one; place among those kept
	for i := len(all) - 1; i >= 0; i-- {
		if above[i] = all[i].Above; above[i] >= 0 && place[above[i]] < 0 {
			above[i] = above[above[i]]
		}
		if !all[i].Leaf && above[i] >= 0 && float64(all[i].Items) >= same*float64(all[above[i]].Items) {
			place[i] = -1
		}
	}
	for i := range all {
		if place[i] == 0 {
			place[i] = len(kept)
			kept = append(kept, all[i])
		}
	}
	n := 0
	for i := range all {
		if place[i] < 0 {
			continue
		}
		if kept[n].Above = -1; above[i] >= 0 {
			kept[n].Above = place[above[i]]
		}
		n++
	}
	return kept
}

// closest returns the places of the two parts with the highest mean cosine, i < j.
func closest(parts []*part) (i, j int) {
	most := math.Inf(-1)
	for x, a := range parts {
		for y := x + 1; y < len(parts); y++ {
			if mean := a.to[y] / (float64(a.items) * float64(parts[y].items)); mean > most {
				i, j, most = x, y, mean
			}
		}
	}
	return i, j
}

// sums returns the sums of the documents of each leaf; nil for one without documents.
func (g *grouping) sums() [][]float64 {
	sums := make([][]float64, len(g.mean))
	for d, doc := range g.docs {
		i := g.of[d]
		if sums[i] == nil {
			sums[i] = make([]float64, len(g.terms))
		}
		add(sums[i], doc)
	}
	return sums
}

func (g *grouping) items(leaf int) (n int) {
	for _, i := range g.of {
		if i == leaf {
			n++
		}
	}
	return n
}

// renumber returns the places of leaves among those that have documents.
func (g *grouping) renumber() []int {
	places := make([]int, len(g.mean))
	n := 0
	for i := range places {
		if places[i] = n; slices.Contains(g.of, i) {
			n++
		}
	}
	return places
}

func product(a, b []float64) (sum float64) {
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

// rule returns the heaviest terms of a sum, scaled as the whole is to length 1, by the numbers of the stream.
func (g *grouping) rule(sum []float64) []Weight {
	mean := slices.Clone(sum)
	scale(mean)
	var rule []Weight
	for t, x := range mean {
		if x > 0 {
			rule = append(rule, Weight{g.terms[t], float32(x)})
		}
	}
	order.Stably(rule, func(a, b Weight) int { return cmp.Compare(b.Weight, a.Weight) })
	rule = slices.Clone(rule[:min(len(rule), Rule)])
	order.By(rule, byTerm)
	return rule
}

// describe finds the labels of concepts.
func (g *grouping) describe(all []Concept) {
	has := make([]int, len(all))
	for t := range g.terms {
		docs := g.in[t]
		if len(docs) < leastOwn {
			continue
		}
		clear(has)
		for _, d := range docs {
			for at := g.of[d]; at >= 0; at = all[at].Above {
				has[at]++
			}
		}
		own := true
		for i := range all { // leaves come first, and each concept before the one above it
			if p := float64(has[i]) / float64(len(docs)); tells(p, all[i].Share) {
				strength := float64(has[i]) / float64(all[i].Items) * math.Log(p/all[i].Share)
				all[i].Members = append(all[i].Members, Member{g.terms[t], float32(p), float32(strength), own})
				own = false
			}
		}
	}
	for i := range all {
		order.Stably(all[i].Members, func(a, b Member) int { return cmp.Compare(b.Strength, a.Strength) })
		all[i].Members = slices.Clone(all[i].Members[:min(len(all[i].Members), maxMembers)])
	}
}

// tells reports whether a label with P(concept|label) = p belongs to a concept with a share of all documents: p is at
// least half, and its odds at least four times those of the share.
func tells(p, share float64) bool {
	return p >= half && p*(1-share) >= odds*share*(1-p)
}
