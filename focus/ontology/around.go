package ontology

import (
	"math/bits"
	"slices"

	"orbweaver"
	"orbweaver/text"
)

// What is examined around the places where a text names entities.
const (
	window    = 10  // words either side of a place, within its block
	reach     = 100 // bytes either side that are read: as many words, or nearly
	maxPlaces = 24  // of a text, the first ones
	maxAround = 512 // words read of a text, those in the places included
	maxNear   = 128 // words and phrases of a text
	maxPairs  = 32  // pairs of entities of a text
	maxAhead  = 3   // places that one is paired with, those that follow
	maxFar    = 120 // words read of a text that is not about a target
	farShare  = 8   // one in so many of those texts is read
	maxForm   = 64  // bytes of a word or phrase as written
)

// surroundings is what stands near the places where a page names entities of some weight. Pages that
// name no target are read for comparison: of some, the words are those at the beginning, whatever
// stands near them.
type surroundings struct {
	far   bool
	words []nearby // different words and phrases, as first met
	pairs []pair   // different pairs, as first met
	names []name   // different names on the page, as first met
	most  int32    // the entity that the page names most, by count and weight
}

// A nearby is a word, or a phrase of two or three, that is no entry of the lexicon.
type nearby struct {
	key        uint64 // of its words, in the singular
	entity     int32  // the nearest, where it stands first
	start, end int32  // there, in Page.Text
}

// A pair is two entities, in the order of their numbers.
type pair struct{ a, b int32 }

// around looks around places, with buffers that are used again.
type around struct {
	words    text.Scanner
	entities []int32 // by match, as far as places are examined: -1 for one without weight
	tokens   []token
	near     []nearby
	pairs    []pair
	named    []name
	seen     seen
}

// A token is a word around a place.
type token struct {
	start, end int32
	match      int32  // the lexicon's match that it belongs to, else -1
	entity     int32  // the nearest, else -1
	distance   int32  // in words; 0 within a place
	block      bool   // begins a block
	says       bool   // it could be an entry: no stop word, no number
	stem       uint64 // hash of its singular, if it says something
}

// look reads around the places of a text, which are among the lexicon's matches in it.
func (a *around) look(k *knowledge, m *text.Matcher, p *orbweaver.Page, named []text.Match) surroundings {
	if !a.find(k, m, named) {
		return surroundings{}
	}
	a.clear()
	english := isEnglish(p.Lang)
	read := 0
	for i := 0; i < len(a.entities) && read < maxAround; i++ {
		if a.entities[i] < 0 {
			continue
		}
		from, to := named[i].Start-reach, named[i].End+reach
		first := i
		for i+1 < len(a.entities) && named[i+1].Start-reach <= to {
			i++
			if a.entities[i] >= 0 {
				to = named[i].End + reach
			}
		}
		a.tokenise(p.Text, max(from, 0), min(to, len(p.Text)), english, named, first, maxAround-read)
		read += len(a.tokens)
		a.measure()
		a.collect(p.Text)
		a.pair()
	}
	return surroundings{words: slices.Clone(a.near), pairs: slices.Clone(a.pairs)}
}

func (a *around) clear() {
	a.near, a.pairs = a.near[:0], a.pairs[:0]
	a.seen.clear()
}

// lookFar reads the beginning of a text for comparison, if its address is one of those drawn.
func (a *around) lookFar(p *orbweaver.Page) surroundings {
	if fold(hashOf(p.URL), 0)%farShare != 0 {
		return surroundings{}
	}
	a.clear()
	a.tokenise(p.Text, 0, len(p.Text), isEnglish(p.Lang), nil, 0, maxFar)
	for i := range a.tokens {
		a.tokens[i].entity = 0 // any one, so that all are near
	}
	a.collect(p.Text)
	return surroundings{far: true, words: slices.Clone(a.near)}
}

// find notes which matches are places, as far as they are examined; false when none is.
func (a *around) find(k *knowledge, m *text.Matcher, named []text.Match) bool {
	a.entities = a.entities[:0]
	places := 0
	for _, match := range named {
		entity, weight := k.heaviest(m.IDs(match.Form))
		if weight > 0 {
			places++
		} else {
			entity = -1
		}
		if a.entities = append(a.entities, entity); places == maxPlaces {
			break
		}
	}
	return places > 0
}

// tokenise reads a stretch of a text, but for words that are cut at its ends. at is the first match
// that may stand in it.
func (a *around) tokenise(s string, from, to int, english bool, named []text.Match, at, most int) {
	a.tokens = a.tokens[:0]
	for a.words.Reset(s[from:to]); len(a.tokens) < most && a.words.Next(); {
		start, end := from+a.words.Start(), from+a.words.End()
		if start == from && from > 0 || end == to && to < len(s) {
			continue
		}
		t := token{start: int32(start), end: int32(end), match: -1, entity: -1, block: a.words.NewBlock()}
		for at < len(named) && named[at].End <= start {
			at++
		}
		if at < len(named) && named[at].Start <= start {
			t.match = int32(at)
			if at < len(a.entities) {
				t.entity = a.entities[at]
			}
		}
		if word := a.words.Word(); says(word, english) && !within(s, start, end) {
			t.says, t.stem = true, hashOfWord(word, english)
			if written, ok := text.AsWritten(s, start, end); ok { // DNA is no dna, AIDS none of aid's forms
				t.stem = hashOf(written)
			}
		}
		a.tokens = append(a.tokens, t)
	}
}

// says reports whether a word could be an entry: it is neither a number nor a stop word, and more
// than a letter.
func says(word []byte, english bool) bool {
	return len(word) > 1 && len(word) <= maxForm && (word[0] < '0' || word[0] > '9') && !isStop(word, english)
}

// within reports whether a word is a part of a host's name, a mail address or the like: a point or @
// joins it to another.
func within(s string, start, end int) bool {
	joins := func(sign, beyond int) bool {
		return beyond >= 0 && beyond < len(s) && (s[sign] == '.' || s[sign] == '@') && s[beyond] != ' ' && s[beyond] != '\n' && s[beyond] != '.'
	}
	return joins(start-1, start-2) || joins(end, end+1)
}

func isStop(word []byte, english bool) bool { return english && text.StopWord("", word) }

// isEnglish reports whether a text is taken for English, whose stop words are known.
func isEnglish(lang string) bool {
	lang = text.Primary(lang)
	return lang == "" || lang == "en"
}

// measure finds the nearest place of every token within the window, of two equally near the one before.
func (a *around) measure() {
	entity, at := int32(-1), 0
	for i := range a.tokens {
		t := &a.tokens[i]
		if t.block {
			entity = -1
		}
		if t.entity >= 0 {
			entity, at = t.entity, i
		} else if entity >= 0 && i-at <= window {
			t.entity, t.distance = entity, int32(i-at)
		}
	}
	entity = -1
	for i := len(a.tokens) - 1; i >= 0; i-- {
		t := &a.tokens[i]
		if t.entity >= 0 && t.distance == 0 {
			entity, at = t.entity, i
		} else if distance := at - i; entity >= 0 && distance <= window && (t.entity < 0 || int32(distance) < t.distance) {
			t.entity, t.distance = entity, int32(distance)
		}
		if t.block {
			entity = -1
		}
	}
}

// collect takes up the words and phrases near places. A phrase has no stop word in it and nothing but
// a space or hyphen between its words; it may hold entries, as long as it is not within one.
func (a *around) collect(s string) {
	for i := range a.tokens {
		t := &a.tokens[i]
		if !t.says {
			continue
		}
		if t.match < 0 {
			a.take(t.stem, t.entity, t.start, t.end)
		}
		key, nearest, within := t.stem, t, t.match >= 0
		for j := i + 1; j < len(a.tokens) && j < i+3; j++ {
			next := &a.tokens[j]
			if !next.says || !joined(s, a.tokens[j-1].end, next.start) {
				break
			}
			key = fold(key, next.stem)
			if next.entity >= 0 && (nearest.entity < 0 || next.distance < nearest.distance) {
				nearest = next
			}
			if within = within && next.match == t.match; !within {
				a.take(key, nearest.entity, t.start, next.end)
			}
		}
	}
}

// joined reports whether two words stand beside each other.
func joined(s string, end, start int32) bool {
	return start == end+1 && (s[end] == ' ' || s[end] == '-')
}

// take takes up a word or phrase that was not met in the text before.
func (a *around) take(key uint64, entity, start, end int32) {
	if entity >= 0 && len(a.near) < maxNear && end-start <= maxForm && a.seen.add(key) {
		a.near = append(a.near, nearby{key, entity, start, end})
	}
}

// pair takes up the pairs of entities whose places stand near each other.
func (a *around) pair() {
	for i := range a.tokens {
		first := &a.tokens[i]
		if !a.begins(i) {
			continue
		}
		ahead := 0
		for j := i + 1; j < len(a.tokens) && j <= i+window && ahead < maxAhead && !a.tokens[j].block; j++ {
			if !a.begins(j) {
				continue
			}
			ahead++
			p := pair{min(first.entity, a.tokens[j].entity), max(first.entity, a.tokens[j].entity)}
			if p.a != p.b && len(a.pairs) < maxPairs && !slices.Contains(a.pairs, p) {
				a.pairs = append(a.pairs, p)
			}
		}
	}
}

// begins reports whether a token is the first of a place.
func (a *around) begins(i int) bool {
	t := &a.tokens[i]
	return t.match >= 0 && t.entity >= 0 && t.distance == 0 && (i == 0 || a.tokens[i-1].match != t.match)
}

// hashOfWord is the hash of a word's singular (Harman's S stemmer: "How Effective is Suffixing?", JASIS
// 42:1, 1991); in languages other than English that is the word. People suggest words, not stems: a
// lexicon that has the one has its other forms anyway, and Porter's stems put "universal" and
// "university" together.
func hashOfWord(word []byte, english bool) uint64 {
	n := len(word)
	if !english || n < 4 || word[n-1] != 's' {
		return hashOf(word)
	}
	switch last, before := word[n-2], word[n-3]; {
	case last == 'u' || last == 's':
	case last == 'e' && before == 'i' && word[n-4] != 'e' && word[n-4] != 'a':
		return (hashOf(word[:n-3]) ^ 'y') * prime
	case last != 'e' || before != 'a' && before != 'e' && before != 'o':
		return hashOf(word[:n-1])
	}
	return hashOf(word)
}

// prime is that of FNV-1a.
const prime = 1099511628211

// hashOf is the same in every session and on every machine (FNV-1a).
func hashOf[T string | []byte](s T) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * prime
	}
	return h
}

// fold joins the hashes of two stems, or of a phrase and the stem behind it.
func fold(a, b uint64) uint64 {
	high, low := bits.Mul64(a^0x9e3779b97f4a7c15, bits.RotateLeft64(b, 32)^0xd1342543de82ef95)
	return high ^ low
}

// seen is a set of at most maxNames keys that is emptied at no cost.
type seen struct {
	keys [2 * maxNames]uint64
	ages [2 * maxNames]uint32 // those of this age are in the set
	age  uint32
}

func (s *seen) clear() {
	if s.age++; s.age == 0 {
		s.ages = [2 * maxNames]uint32{}
		s.age = 1
	}
}

// add puts a key in; false: it was there.
func (s *seen) add(key uint64) bool {
	i := (key ^ key>>32) % uint64(len(s.keys))
	for ; s.ages[i] == s.age; i = (i + 1) % uint64(len(s.keys)) {
		if s.keys[i] == key {
			return false
		}
	}
	s.keys[i], s.ages[i] = key, s.age
	return true
}
