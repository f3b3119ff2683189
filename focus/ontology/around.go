package ontology

import (
	"math/bits"
	"slices"

	"orbweaver"
	"orbweaver/text"
)

// The limits of examining a text around its places, where it names entities.
const (
	window    = 10  // words on either side of a place, within its block
	reach     = 100 // bytes read on either side: about the window
	maxPlaces = 24  // places per text: the first
	maxAround = 512 // words read per text, including those in the places
	maxNear   = 128 // words and phrases per text
	maxPairs  = 32  // pairs of entities per text
	maxAhead  = 3   // following places that a place is paired with
	maxFar    = 120 // words read of a text that names no target
	farShare  = 8   // one in farShare of those texts is read
	maxForm   = 64  // bytes of a word or phrase
)

// surroundings holds what is near the places where a page names weighted entities. Pages that name no target
// serve as the contrast: of a sample of them the first words are read, whatever is near them.
type surroundings struct {
	far   bool
	words []nearby // distinct words and phrases, in order of first occurrence
	pairs []pair   // distinct pairs, in order of first occurrence
	names []name   // distinct names on the page, in order of first occurrence
	most  int32    // the entity named most, by count times weight
}

// A nearby is a word, or a phrase of two or three words, that is not an entry of the lexicon.
type nearby struct {
	key        uint64 // hash of its words, in the singular
	entity     int32  // the nearest one at the first occurrence
	start, end int32  // of the first occurrence, in Page.Text
}

// A pair is two entities, the lower number first.
type pair struct{ a, b int32 }

// around examines texts around places, with reusable buffers.
type around struct {
	words    reader
	entities []int32 // by match, as far as examined: -1 if without weight
	tokens   []token
	near     []nearby
	pairs    []pair
	named    []name
	seen     seen
}

// A token is a word near a place.
type token struct {
	start, end int32
	match      int32  // the lexicon match it belongs to, else -1
	entity     int32  // the nearest, else -1
	distance   int32  // in words; 0 within a place
	block      bool   // it is the first of a block
	says       bool   // it may be an entry: neither a stop word nor a number
	short      bool   // as in reader
	open       bool   // as in reader
	capital    bool   // it begins with a capital letter
	abbr       bool   // it is an abbreviation or initials
	stem       uint64 // hash of its singular, if says
}

// look reads the text around its places, which are among the lexicon's matches in it.
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

// lookFar reads the beginning of a text for contrast, if its URL is in the sample.
func (a *around) lookFar(p *orbweaver.Page) surroundings {
	if fold(hashOf(p.URL), 0)%farShare != 0 {
		return surroundings{}
	}
	a.clear()
	a.tokenise(p.Text, 0, len(p.Text), isEnglish(p.Lang), nil, 0, maxFar)
	for i := range a.tokens {
		a.tokens[i].entity = 0 // an arbitrary one, so that all tokens count as near
	}
	a.collect(p.Text)
	return surroundings{far: true, words: slices.Clone(a.near)}
}

// find marks the matches that are places, up to the limit; false if there is none.
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

// tokenise reads a section of a text, except words cut at its ends. at is the first match that may occur in
// it.
func (a *around) tokenise(s string, from, to int, english bool, named []text.Match, at, most int) {
	a.tokens = a.tokens[:0]
	for a.words.reset(s[from:to]); len(a.tokens) < most && a.words.next(); {
		start, end := from+a.words.start(), from+a.words.end
		if start == from && from > 0 || end == to && to < len(s) {
			continue
		}
		t := token{start: int32(start), end: int32(end), match: -1, entity: -1, block: a.words.words.NewBlock(), short: a.words.short, open: a.words.open, capital: startsCapital(s[start:]), abbr: a.words.abbreviated()}
		for at < len(named) && named[at].End <= start {
			at++
		}
		if at < len(named) && named[at].Start <= start {
			t.match = int32(at)
			if at < len(a.entities) {
				t.entity = a.entities[at]
			}
		}
		if says(a.words.word, english) && !a.words.isWithin(s, from) {
			t.says, t.stem = true, a.words.stem(s, from, english)
		}
		a.tokens = append(a.tokens, t)
	}
}

// says reports whether a word may be an entry: it has more than one letter and is neither a number nor a stop
// word.
func says(word []byte, english bool) bool {
	return len(word) > 1 && len(word) <= maxForm && (word[0] < '0' || word[0] > '9') && !isStop(word, english)
}

// within reports whether a word is part of a host name, a mail address or the like: a dot or @ joins it to
// another.
func within(s string, start, end int) bool {
	joins := func(sign, beyond int) bool {
		return beyond >= 0 && beyond < len(s) && (s[sign] == '.' || s[sign] == '@') && s[beyond] != ' ' && s[beyond] != '\n' && s[beyond] != '.'
	}
	return joins(start-1, start-2) || joins(end, end+1)
}

func isStop(word []byte, english bool) bool { return english && text.StopWord("", word) }

// isEnglish reports whether a text counts as English, the language with known stop words.
func isEnglish(lang string) bool {
	lang = text.Primary(lang)
	return lang == "" || lang == "en"
}

// measure finds the nearest place of every token within the window, the earlier of two at equal distance.
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

// collect records the words and phrases near places. The words of a phrase are separated by one space or
// hyphen, and none is a stop word; a phrase may contain entries but not be within one. It has three words at most,
// and abbreviations and initials beside them.
func (a *around) collect(s string) {
	for i := range a.tokens {
		t := &a.tokens[i]
		if !t.says {
			continue
		}
		if t.match < 0 && !t.short {
			a.take(t.stem, t.entity, t.start, t.end)
		}
		key, nearest, within, full, short, capitals := t.stem, t, t.match >= 0, t.full(), t.short, t.capital
		for j := i + 1; j < len(a.tokens) && j < i+maxParts; j++ {
			next := &a.tokens[j]
			if full += next.full(); full > nameWords || !next.says || !joined(s, a.tokens[j-1].end, next.start) || a.tokens[j-1].closes() {
				break
			}
			if next.abbr && !capitals || short && !next.capital {
				break // "wrote to Dr. Samuel" is no name
			}
			short, capitals = short || next.short, capitals && next.capital
			key = fold(key, next.stem)
			if next.entity >= 0 && (nearest.entity < 0 || next.distance < nearest.distance) {
				nearest = next
			}
			if within = within && next.match == t.match; !within && !next.open && full > 0 {
				a.take(key, nearest.entity, t.start, next.end)
			}
		}
	}
}

// full is the number of words for which a token counts in a phrase.
func (t *token) full() int {
	if t.short {
		return 0
	}
	return 1
}

// closes reports whether no phrase goes on behind the token.
func (t *token) closes() bool { return t.short && !t.open }

// joined reports whether two words are adjacent.
func joined(s string, end, start int32) bool {
	return start == end+1 && (s[end] == ' ' || s[end] == '-')
}

// take records a word or phrase not yet met in the text.
func (a *around) take(key uint64, entity, start, end int32) {
	if entity >= 0 && len(a.near) < maxNear && end-start <= maxForm && a.seen.add(key) {
		a.near = append(a.near, nearby{key, entity, start, end})
	}
}

// pair records the pairs of entities whose places are near each other.
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

// hashOfWord returns the hash of a word's singular (Harman's S stemmer: "How Effective is Suffixing?", JASIS
// 42:1, 1991); outside English, of the word itself. Suggestions are words and not stems: a lexicon that has
// one form matches the others anyway, and Porter's stemmer conflates "universal" and "university".
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

// hashOf returns the FNV-1a hash, which is the same in every session and on every machine.
func hashOf[T string | []byte](s T) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * prime
	}
	return h
}

// fold combines the hashes of two stems, or of a phrase and the following stem.
func fold(a, b uint64) uint64 {
	high, low := bits.Mul64(a^0x9e3779b97f4a7c15, bits.RotateLeft64(b, 32)^0xd1342543de82ef95)
	return high ^ low
}

// seen is a set of at most maxNames keys that is cleared in constant time.
type seen struct {
	keys [2 * maxNames]uint64
	ages [2 * maxNames]uint32 // keys of the current age are in the set
	age  uint32
}

func (s *seen) clear() {
	if s.age++; s.age == 0 {
		s.ages = [2 * maxNames]uint32{}
		s.age = 1
	}
}

// add adds a key; false if it was present.
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
