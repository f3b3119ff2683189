package item

import (
	"cmp"
	"math"
	"sort"
	"strings"

	"orbweaver/internal/order"
	"orbweaver/text"
	"orbweaver/text/spell"
)

// A State is what was learned from items. It is not safe for concurrent use.
type State struct {
	opts      Options
	items     uint32 // number of items with terms
	tokens    uint64 // of words that may be terms
	next      uint32 // number of the next term
	units     []unit // sorted by number
	at        map[string]int32
	phrases   []phrase
	gramAt    map[gramKey]int32
	words     int         // number of units that are words
	languages []*language // in order of first occurrence
	stemmers  text.Stemmers
	changes   int64 // of the State: what was resolved before one is void
	steps     int64 // table lookups, for measurements
}

// A unit is a term, or a word that may become one.
type unit struct {
	id    uint32
	count uint32 // of a word: number of occurrences
	items uint32 // of a word: document frequency
	last  uint32 // last item that contained it, from 1
	stem  string // of a word
	gram  gramKey
	forms [2]form
}

// A form is a displayed form of a term and the number of its items, overestimated slightly if it evicted others.
type form struct {
	text  string
	items uint32
}

// A language holds the statistics of one language: the document frequency of its words.
type language struct {
	name  string
	items uint32
	words *spell.Dictionary
}

// NewState returns a State without items.
func NewState(opts Options) *State {
	return &State{opts: opts.withDefaults(), next: 1, at: map[string]int32{}, gramAt: map[gramKey]int32{}}
}

// N is the number of items with terms.
func (s *State) N() int { return int(s.items) }

// Text returns a term in its most frequent form; false for an unknown or dropped number.
func (s *State) Text(id uint32) (string, bool) {
	u := s.find(id)
	if u == nil {
		return "", false
	}
	if u.forms[1].items > u.forms[0].items {
		return u.forms[1].text, true
	}
	return u.forms[0].text, true
}

// find returns the unit of a number, nil if there is none.
func (s *State) find(id uint32) *unit {
	at := sort.Search(len(s.units), func(i int) bool { return s.units[i].id >= id })
	if at == len(s.units) || s.units[at].id != id {
		return nil
	}
	return &s.units[at]
}

// Take learns from an item and returns its terms as of now. An item without a possible term has a Lack, does not
// count in N, and updates only the frequency of words too frequent to be terms.
func (s *State) Take(d Draft) Item { return s.TakeWeighed(d, Item{}) }

// TakeWeighed is Take for a draft that Weigh returned an Item for. If nothing was learned since, its words are not looked up again;
// the result is the same with any Item.
func (s *State) TakeWeighed(d Draft, weighed Item) Item {
	item := Item{Length: d.length, Lack: d.lack()}
	if item.Lack != "" {
		return item
	}
	s.makeRoom(&d)
	l := s.language(d.lang, true)
	r := weighed.resolved
	if r.holds(s, &d, l) {
		r.goOn()
	} else {
		r = &resolver{s: s, d: &d, l: l, learn: true}
		r.resolve()
	}
	s.changes++
	item.Corrected = r.corrected
	s.learnWords(l, &d)
	if len(r.words) == 0 {
		item.Lack = StopWords
		return item
	}
	s.items++
	s.count(r)
	s.choose(r, &item)
	return item
}

// Weigh returns the terms that an item would have now, without learning from it. Words of no item are no terms.
func (s *State) Weigh(d Draft) Item {
	item := Item{Length: d.length, Lack: d.lack()}
	if item.Lack != "" {
		return item
	}
	r := &resolver{s: s, d: &d, l: s.language(d.lang, false), changes: s.changes}
	r.resolve()
	item.Corrected, item.Unknown, item.resolved = r.corrected, len(r.unknown), r
	s.choose(r, &item)
	if len(item.Terms) == 0 {
		if item.Lack = StopWords; len(r.unknown) > 0 {
			item.Lack = Strange
		}
	}
	return item
}

// lack returns why a draft has no terms, as far as the draft alone shows.
func (d *Draft) lack() Lack {
	switch {
	case d.length == 0:
		return NoText
	case !d.letter:
		return NoLetters
	}
	for i := range d.words {
		if !d.words[i].stop && d.words[i].stem != "" {
			return ""
		}
	}
	return StopWords
}

// language returns the statistics of a language, nil if it is not tracked. For the unknown language, frequent words
// are learned but not spelling.
func (s *State) language(name string, learn bool) *language {
	for _, l := range s.languages {
		if l.name == name {
			return l
		}
	}
	if !learn || len(s.languages) == s.opts.Languages || len(name) > maxWord {
		return nil
	}
	l := &language{name: name, words: spell.New(s.opts.Spelling)}
	s.teach(l)
	s.languages = append(s.languages, l)
	return l
}

// teach adds the words of the thesaurus.
func (s *State) teach(l *language) {
	if l.name == "en" && s.opts.Thesaurus != nil {
		for _, word := range s.opts.Thesaurus.words {
			l.words.Teach(word)
		}
	}
}

// learnWords counts the words of an item, each once, as they were written.
func (s *State) learnWords(l *language, d *Draft) {
	if l == nil {
		return
	}
	l.items++
	for i := range d.words {
		s.steps++
		l.words.Add([]byte(d.words[i].form), d.words[i].ordinary > 0)
	}
}

// count updates the counts from an item whose words have numbers.
func (s *State) count(r *resolver) {
	for _, t := range r.words {
		u := &s.units[t.unit]
		u.count += uint32(t.times)
		u.items++
		u.last = s.items
		s.tokens += uint64(t.times)
		u.show(r.surface(t.at))
		s.steps++
	}
	for i := range r.grams {
		g := &r.grams[i]
		if g.phrase <= 0 {
			g.phrase = s.phrase(g.key) + 1
		}
		p := &s.phrases[g.phrase-1]
		p.count += uint32(g.times)
		p.items++
		p.last = s.items
		s.steps++
	}
}

// phrase returns the place of a pair or triple of words, a new one if there is none.
func (s *State) phrase(key gramKey) int32 {
	at, ok := s.gramAt[key]
	if !ok {
		at = int32(len(s.phrases))
		s.gramAt[key] = at
		s.phrases = append(s.phrases, phrase{key: key})
	}
	return at
}

// show counts a displayed form; a new one replaces the least frequent if full.
func (u *unit) show(surface string) {
	if surface == "" {
		return
	}
	least := 0
	for i := range u.forms {
		if u.forms[i].items > 0 && u.forms[i].text == surface {
			u.forms[i].items++
			return
		}
		if u.forms[i].items < u.forms[least].items {
			least = i
		}
	}
	u.forms[least].text = strings.Clone(surface)
	u.forms[least].items++
}

// A candidate is a possible term of an item.
type candidate struct {
	Term
	lone bool // new, and occurs once
	rare int8 // 1: in too few items to be shared
}

// choose selects an item's terms and its heaviest ones.
func (s *State) choose(r *resolver, item *Item) {
	candidates := make([]candidate, 0, len(r.words)+8)
	for _, t := range r.words {
		candidates = append(candidates, s.candidate(t.id, t.times, s.units[t.unit].items))
	}
	candidates = s.collocations(r, candidates)
	order.By(candidates, func(a, b candidate) int {
		if a.lone != b.lone {
			if a.lone {
				return 1
			}
			return -1
		}
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.ID, b.ID))
	})
	if len(candidates) <= s.opts.Terms {
		item.Terms = sorted(candidates, s.opts.Terms)
		item.Vector = item.Terms
		return
	}
	item.Vector = sorted(candidates, s.opts.Vector)
	if s.opts.SharedBy > 0 {
		order.Stably(candidates, func(a, b candidate) int { return cmp.Compare(a.rare, b.rare) })
	}
	item.Terms = sorted(candidates, s.opts.Terms)
}

// sorted are the first candidates, n at most, sorted by ID.
func sorted(candidates []candidate, n int) []Term {
	terms := make([]Term, min(len(candidates), n))
	for i := range terms {
		terms[i] = candidates[i].Term
	}
	order.By(terms, func(a, b Term) int { return cmp.Compare(a.ID, b.ID) })
	return terms
}

// candidate weighs a term by its frequency in the item and its document frequency.
func (s *State) candidate(id uint32, times int32, items uint32) candidate {
	idf := math.Log(1 + float64(max(s.items, items))/float64(max(items, 1)))
	var rare int8
	if int(items) < s.opts.SharedBy || float64(items) < s.opts.SharedIn*float64(s.items) {
		rare = 1
	}
	return candidate{Term{id, (1 + math.Log(float64(times))) * idf}, times == 1 && items == 1, rare}
}

// collocations appends those of an item. A pair that occurs only within a triple, here and nearly always, is none.
func (s *State) collocations(r *resolver, to []candidate) []candidate {
	within := map[gramKey]int32{}
	for i := len(r.grams) - 1; i >= 0; i-- { // triples first
		g := &r.grams[i]
		if g.phrase == 0 {
			s.steps++
			if at, ok := s.gramAt[g.key]; ok {
				g.phrase = at + 1
			} else {
				g.phrase = -1
			}
		}
		if g.phrase < 0 || within[g.key] >= g.times || !s.collocates(&s.phrases[g.phrase-1]) {
			continue
		}
		p := &s.phrases[g.phrase-1]
		if u := s.named(p, r.learn); u != nil {
			if r.learn {
				u.last = s.items
				u.show(r.d.shown(&r.d.grams[g.at]))
			}
			to = append(to, s.candidate(p.term, g.times, p.items))
			if k := g.key; k[2] != 0 {
				s.within(gramKey{k[0], k[1]}, p, g.times, within)
				s.within(gramKey{k[1], k[2]}, p, g.times, within)
			}
		}
	}
	return to
}

// own is the least share of a pair's occurrences outside a triple for the pair to be a term beside it.
const own = 0.2

// within counts a pair's occurrences in an item inside a triple that it seldom occurs without.
func (s *State) within(pair gramKey, triple *phrase, times int32, within map[gramKey]int32) {
	s.steps++
	if at, ok := s.gramAt[pair]; ok && float64(triple.count) >= (1-own)*float64(s.phrases[at].count) {
		within[pair] += times
	}
}

// named returns the term of a collocation, a new one if it has none and learning is on.
func (s *State) named(p *phrase, learn bool) *unit {
	if p.term == 0 {
		if !learn || s.next == math.MaxUint32 {
			return nil
		}
		p.term = s.next
		s.units = append(s.units, unit{id: s.next, gram: p.key})
		s.next++
	}
	return s.find(p.term)
}
