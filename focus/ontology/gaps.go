package ontology

import (
	"strings"

	"orbweaver"
)

// How much is counted of what may be missing. All of it stays below 10 MB, however long the crawl: some
// hundred bytes a word, as many a pair, and the addresses of their examples.
const (
	gapWords   = 5_000
	gapPairs   = 1_500
	maxNearest = 3   // entities counted of a word
	examples   = 3   // addresses kept of a word or pair
	maxExample = 256 // bytes of an address that is kept
	memoSize   = 1 << 12
	contrast   = 4 // how many times as often a word is to stand near entities as elsewhere
)

// gaps counts what may be missing in the ontology: words and phrases near entities, and entities near
// each other that are more than two steps apart. Both are counted in pages.
//
// Words that stand anywhere, such as "first" and "use", are told by pages that name no target.
type gaps struct {
	near, far int64 // pages about a target, and others, that were counted
	words     *sketch
	wordsOf   []wordGap // by slot
	pairs     *sketch
	pairsOf   []pairGap // by slot
	close     []memo    // of kb's Close, by a hash of the pair; no state
}

// A wordGap is what is known of a word or phrase that is counted. It is as small as most of them, which
// come once, allow.
type wordGap struct {
	form     string // as written on most pages, if on more than half; empty for one met once
	examples *[examples]string
	votes    int32 // pages more with form than without, since it was chosen
	far      int32 // pages met on that name no target, as far as they are read
	nearest  [maxNearest]standing
}

// A standing counts the pages on which an entity stood nearest. With more than maxNearest of them
// they are a sketch as well: the count of the least goes to the one that takes its place.
type standing struct {
	entity int32 // of no meaning while count is 0
	count  int32
}

// A pairGap is what is known of a pair that is counted.
type pairGap struct {
	pair
	examples [examples]string
}

// A memo is whether two entities are close; a = b in one not used yet.
type memo struct {
	pair
	close bool
}

func newGaps() *gaps {
	return &gaps{
		words: newSketch(gapWords),
		pairs: newSketch(gapPairs),
		close: make([]memo, memoSize),
	}
}

// learn counts what stands near entities on one page.
func (g *gaps) learn(k *knowledge, p *orbweaver.Page, around surroundings) {
	switch {
	case around.far:
		g.learnFar(around.words)
		return
	case len(around.words)+len(around.pairs) == 0:
		return
	}
	g.near++
	address := ""
	if len(p.URL) <= maxExample {
		address = strings.Clone(p.URL) // shared by all that take it for an example
	}
	for i := range around.words {
		g.learnWord(&around.words[i], p.Text, address)
	}
	for _, both := range around.pairs {
		if !g.areClose(k, both) {
			g.learnPair(both, address)
		}
	}
}

// learnFar counts the words of a page that names no target, if they are counted already.
func (g *gaps) learnFar(words []nearby) {
	g.far++
	for i := range words {
		if slot := g.words.find(words[i].key); slot >= 0 {
			g.wordsOf[slot].far++
		}
	}
}

// peculiar reports whether a word stands near entities several times as often as on other pages.
func (g *gaps) peculiar(slot int) bool {
	n, far := float64(g.words.slots[slot].count), float64(g.wordsOf[slot].far)
	return far < minSupport || n*float64(g.far) >= contrast*far*float64(g.near)
}

// learnWord counts a word. Most never come again: what is kept of them beside the count begins with
// their second page.
func (g *gaps) learnWord(n *nearby, text, address string) {
	slot, fresh := g.words.meet(n.key)
	if fresh {
		if int(slot) == len(g.wordsOf) {
			g.wordsOf = append(g.wordsOf, wordGap{})
		}
		g.wordsOf[slot] = wordGap{}
	}
	w := &g.wordsOf[slot]
	w.stand(n.entity)
	if !fresh {
		w.vote(text[n.start:n.end])
		if w.examples == nil {
			w.examples = new([examples]string)
		}
		exemplify(w.examples, address)
	}
}

func (g *gaps) learnPair(p pair, address string) {
	slot, fresh := g.pairs.meet(p.key())
	if fresh {
		if int(slot) == len(g.pairsOf) {
			g.pairsOf = append(g.pairsOf, pairGap{})
		}
		g.pairsOf[slot] = pairGap{pair: p}
	}
	exemplify(&g.pairsOf[slot].examples, address)
}

// key is the same for no other pair: an odd factor can be undone.
func (p pair) key() uint64 { return (uint64(p.a)<<32 | uint64(p.b)) * 0x9e3779b97f4a7c15 }

// areClose reports whether two entities are at most two steps apart.
func (g *gaps) areClose(k *knowledge, p pair) bool {
	m := &g.close[fold(uint64(p.a), uint64(p.b))%memoSize]
	if m.pair != p {
		*m = memo{p, k.ontology.Close(int(p.a), int(p.b))}
	}
	return m.close
}

// vote counts a form (Boyer and Moore's majority vote): one that more than half the pages have wins.
func (w *wordGap) vote(form string) {
	switch {
	case w.votes == 0:
		w.form, w.votes = strings.Clone(form), 1
	case w.form == form:
		w.votes++
	default:
		w.votes--
	}
}

// stand counts an entity as the nearest.
func (w *wordGap) stand(entity int32) {
	least := 0
	for i := range w.nearest {
		n := &w.nearest[i]
		if n.count > 0 && n.entity == entity {
			n.count++
			return
		}
		if n.count < w.nearest[least].count {
			least = i
		}
	}
	w.nearest[least] = standing{entity, w.nearest[least].count + 1}
}

// most returns the entity that stood nearest most often, of equals the one of the lower number.
func (w *wordGap) most() int32 {
	best := w.nearest[0]
	for _, n := range w.nearest[1:] {
		if n.count > best.count || n.count == best.count && n.count > 0 && n.entity < best.entity {
			best = n
		}
	}
	return best.entity
}

// exemplify keeps the first addresses.
func exemplify(of *[examples]string, address string) {
	for i := range of {
		if of[i] == "" {
			of[i] = address
			return
		}
	}
}

// renumber follows the entities to the numbers that they have in another ontology, which has all of
// them; to is by old number.
func (g *gaps) renumber(to []int32) {
	for i := range g.wordsOf {
		for j := range g.wordsOf[i].nearest {
			if n := &g.wordsOf[i].nearest[j]; n.count > 0 {
				n.entity = to[n.entity]
			}
		}
	}
	g.pairs.index = newIndex(g.pairs.most)
	for i := range g.pairsOf { // entities keep their order, and so do those of a pair
		p := &g.pairsOf[i].pair
		*p = pair{to[p.a], to[p.b]}
		g.pairs.slots[i].key = p.key()
		g.pairs.index.put(p.key(), int32(i))
	}
	clear(g.close)
}
