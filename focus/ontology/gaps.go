package ontology

import (
	"strings"

	"orbweaver"
	"orbweaver/weburl"
)

// The limits of the gap statistics. They take less than 20 MB, however long the crawl: three hundred bytes
// per word, the same per pair, and the URLs of examples.
const (
	gapWords   = 20_000
	gapPairs   = 1_500
	maxNearest = 3   // entities counted per word
	examples   = 3   // URLs kept per word or pair
	maxExample = 256 // bytes of a kept URL
	memoSize   = 1 << 12
	maxHosts   = 1000 // hosts distinguished
	maxHost    = 256  // bytes of a host's name
	manyTimes  = 4    // minimum ratio of a word's frequency near entities to that elsewhere
)

// gaps counts what the ontology may lack: words and phrases near entities, and entities near each other that
// are more than two steps apart. Both are counted in pages.
//
// Common words such as "first" and "use" are identified by contrast: pages of a high score against those of a
// low one, the latter mostly pages that name no target. Phrases that are names are identified by titles and
// anchors, which are read on all pages.
type gaps struct {
	near, far int64 // counted pages that name a target, and others
	pages     mass  // all pages
	texts     mass  // pages whose text was counted
	nearby    mass  // those of them that name a target
	hosts     []hostPages
	hostAt    map[string]int32 // by name: position in hosts
	words     *sketch
	wordsOf   []wordGap // by slot
	pairs     *sketch
	pairsOf   []pairGap // by slot
	close     []memo    // cache of kb's Close, by a hash of the pair; not part of the state
}

// A wordGap holds the statistics of a counted word or phrase. Its size matters: most words occur once.
type wordGap struct {
	form     string // written form on the majority of pages; empty for a word met once
	examples *[examples]string
	votes    int32 // pages with form minus pages without, since it was chosen
	far      int32 // sampled pages with the word that name no target
	nearest  [maxNearest]standing
	text     tally // pages whose text has the word, among those read
	named    tally // pages with a title or link that consists of the word
	titles   int32 // pages with that title
	titled   int64 // sum of the scores of those pages, in thousandths
	at       abode
	page     int64 // the last page with the word, as counted by near and far; not part of the state
}

// An abode is the host on which a word occurs most (by majority vote). A sampled page that names no target
// represents farShare pages.
type abode struct {
	host  int32 // position in hosts, -1 if none
	votes int64
	met   int64 // pages of the host with the word, since the host was chosen
	since int64 // pages of the host before that
}

// hostPages counts the pages of a host, weighted as in abode.
type hostPages struct {
	name  string
	pages int64
}

// A standing counts the pages on which an entity was nearest to a word. The maxNearest standings of a word
// form a sketch: a new entity takes over the smallest count.
type standing struct {
	entity int32 // undefined while count is 0
	count  int32
}

// A pairGap holds the statistics of a counted pair.
type pairGap struct {
	pair
	examples [examples]string
	text     tally // pages that name a target
}

// A memo caches whether two entities are close; a = b marks an unused one.
type memo struct {
	pair
	close bool
}

func newGaps() *gaps {
	return &gaps{
		words:  newSketch(gapWords),
		pairs:  newSketch(gapPairs),
		close:  make([]memo, memoSize),
		hostAt: map[string]int32{},
	}
}

// learn counts what is near entities on a page with a score, and the names on the page.
func (g *gaps) learn(k *knowledge, p *orbweaver.Page, around surroundings, score float64) {
	m := massOf(score)
	switch {
	case around.far:
		g.learnFar(p, around, m)
	case len(around.words)+len(around.pairs) == 0:
		g.learnNames(around.names, m, -1)
	default:
		g.learnNear(k, p, around, m)
	}
	g.pages.add(m)
}

// learnNear counts what is near entities on a page that names a target, and the page's names.
func (g *gaps) learnNear(k *knowledge, p *orbweaver.Page, around surroundings, m mass) {
	g.near++
	address, host := "", g.hostOf(p.URL)
	if len(p.URL) <= maxExample {
		address = strings.Clone(p.URL) // shared by all words that use it as an example
	}
	for _, n := range around.words {
		g.learnWord(n.key, n.entity, p.Text[n.start:n.end], address, host).text.met.add(m)
	}
	for _, n := range around.names {
		g.learnWord(n.key, around.most, n.form, address, host).learnName(n, m)
	}
	for _, both := range around.pairs {
		if !g.areClose(k, both) {
			g.learnPair(both, address, m)
		}
	}
	g.texts.add(m)
	g.nearby.add(m)
	g.count(host, 1)
}

// learnFar counts the known words and names on a page that names no target.
func (g *gaps) learnFar(p *orbweaver.Page, around surroundings, m mass) {
	g.far++
	host := g.hostOf(p.URL)
	for i := range around.words {
		if slot := g.words.find(around.words[i].key); slot >= 0 {
			w := &g.wordsOf[slot]
			w.far++
			w.text.met.add(m)
			g.stay(w, host, farShare)
		}
	}
	g.learnNames(around.names, m, host)
	g.texts.add(m)
	g.count(host, farShare)
}

// learnNames counts the known names on a page that names no target.
func (g *gaps) learnNames(names []name, m mass, host int32) {
	for _, n := range names {
		if slot := g.words.find(n.key); slot >= 0 {
			g.wordsOf[slot].learnName(n, m)
			g.stay(&g.wordsOf[slot], host, farShare)
		}
	}
}

func (w *wordGap) learnName(n name, m mass) {
	w.named.met.add(m)
	if n.title {
		w.titles++
		w.titled += m.on
	}
}

// peculiar reports whether a word is several times as frequent near entities as on other pages.
func (g *gaps) peculiar(slot int) bool {
	n, far := float64(g.words.slots[slot].count), float64(g.wordsOf[slot].far)
	return far < minSupport || n*float64(g.far) >= manyTimes*far*float64(g.near)
}

// learnWord counts a word, once per page. Most words never occur again: details beyond the counts are kept
// from their second page on.
func (g *gaps) learnWord(key uint64, entity int32, form, address string, host int32) *wordGap {
	if slot := g.words.find(key); slot >= 0 && g.wordsOf[slot].page == g.near+g.far {
		return &g.wordsOf[slot]
	}
	slot, fresh := g.words.meet(key)
	if fresh {
		if int(slot) == len(g.wordsOf) {
			g.wordsOf = append(g.wordsOf, wordGap{})
		}
		g.wordsOf[slot] = wordGap{text: tally{before: g.texts}, named: tally{before: g.pages}, at: abode{host: -1}}
	}
	w := &g.wordsOf[slot]
	w.stand(entity)
	g.stay(w, host, 1)
	if !fresh {
		w.vote(form)
		if w.examples == nil {
			w.examples = new([examples]string)
		}
		exemplify(w.examples, address)
	}
	return w
}

// hostOf returns the position of a page's host, -1 if too many are distinguished.
func (g *gaps) hostOf(url string) int32 { return g.host(weburl.Hostname(url)) }

// host returns the position of a host, -1 if too many are distinguished.
func (g *gaps) host(name string) int32 {
	at, known := g.hostAt[name]
	switch {
	case known:
		return at
	case len(g.hosts) == maxHosts || len(name) > maxHost:
		return -1
	}
	name = strings.Clone(name)
	g.hostAt[name] = int32(len(g.hosts))
	g.hosts = append(g.hosts, hostPages{name: name})
	return int32(len(g.hosts) - 1)
}

// count counts a page of a host that represents a number of pages.
func (g *gaps) count(host int32, pages int64) {
	if host >= 0 {
		g.hosts[host].pages += pages
	}
}

// stay counts the current page, which represents a number of its host's pages, to a word, once.
func (g *gaps) stay(w *wordGap, host int32, pages int64) {
	now := g.near + g.far
	if w.page != now && host >= 0 {
		w.at.stay(host, pages, g.hosts[host].pages)
	}
	w.page = now
}

// stay counts pages of a host; before is the number of its earlier pages.
func (at *abode) stay(host int32, pages, before int64) {
	switch {
	case at.host == host:
		at.votes += pages
		at.met += pages
	case at.votes > 0:
		at.votes = max(0, at.votes-pages)
	default:
		*at = abode{host: host, votes: pages, met: pages, since: before}
	}
}

func (g *gaps) learnPair(p pair, address string, m mass) {
	slot, fresh := g.pairs.meet(p.key())
	if fresh {
		if int(slot) == len(g.pairsOf) {
			g.pairsOf = append(g.pairsOf, pairGap{})
		}
		g.pairsOf[slot] = pairGap{pair: p, text: tally{before: g.nearby}}
	}
	g.pairsOf[slot].text.met.add(m)
	exemplify(&g.pairsOf[slot].examples, address)
}

// key is injective: multiplication by an odd factor is invertible.
func (p pair) key() uint64 { return (uint64(p.a)<<32 | uint64(p.b)) * 0x9e3779b97f4a7c15 }

// areClose reports whether two entities are at most two steps apart.
func (g *gaps) areClose(k *knowledge, p pair) bool {
	m := &g.close[fold(uint64(p.a), uint64(p.b))%memoSize]
	if m.pair != p {
		*m = memo{p, k.ontology.Close(int(p.a), int(p.b))}
	}
	return m.close
}

// vote counts a form by Boyer and Moore's majority vote: a form on more than half the pages wins.
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

// most returns the entity that was nearest most often, the one of lower number among equals.
func (w *wordGap) most() int32 {
	best := w.nearest[0]
	for _, n := range w.nearest[1:] {
		if n.count > best.count || n.count == best.count && n.count > 0 && n.entity < best.entity {
			best = n
		}
	}
	return best.entity
}

// exemplify keeps the first URLs.
func exemplify(of *[examples]string, address string) {
	for i := range of {
		if of[i] == "" {
			of[i] = address
			return
		}
	}
}

// renumber maps entities to their numbers in another ontology; to is by old number. What was counted of
// those that are gone goes, too: a word that was near no other is near the first target.
func (g *gaps) renumber(to []int32, target int32) {
	for i := range g.wordsOf {
		g.wordsOf[i].renumber(to, target)
	}
	old, pairsOf := g.pairs, g.pairsOf[:0]
	g.pairs = newSketch(old.most)
	for i := range g.pairsOf { // entities keep their relative order, and so does a pair
		p := g.pairsOf[i]
		if p.pair = (pair{to[p.a], to[p.b]}); p.a != gone && p.b != gone {
			g.pairs.add(slot{p.key(), old.slots[i].count, old.slots[i].excess})
			pairsOf = append(pairsOf, p)
		}
	}
	if g.pairsOf = pairsOf; len(g.pairs.slots) == len(old.slots) {
		g.pairs.hand, g.pairs.floor = old.hand, old.floor
	}
	clear(g.close)
}

// renumber is that of gaps, for one word.
func (w *wordGap) renumber(to []int32, target int32) {
	n := 0
	for _, near := range w.nearest {
		if near.count > 0 && to[near.entity] != gone {
			w.nearest[n] = standing{to[near.entity], near.count}
			n++
		}
	}
	clear(w.nearest[n:])
	if n == 0 {
		w.nearest[0] = standing{target, 1}
	}
}
