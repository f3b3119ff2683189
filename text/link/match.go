package link

// A Span is an occurrence of a label.
type Span struct {
	First, Last int // tokens, both inclusive
	Label       uint32
	from, to    int32 // parts, the last exclusive
	shape       shape
	plural      bool // the label is the singular of the text
	start       bool // at the start of its sentence
}

// A Matcher finds labels in documents. It is not safe for concurrent use.
type Matcher struct {
	gazetteer *Gazetteer
	parts     []part
	spans     []Span
	touched   byte // read only to prefetch
}

// NewMatcher returns a matcher of all labels of a gazetteer.
func NewMatcher(g *Gazetteer) *Matcher { return &Matcher{gazetteer: g} }

// Match returns all occurrences of labels, by first token, then shorter first; they may overlap. A label is aligned
// to tokens and crosses no end of a sentence, bracket or semicolon. The result is valid until the next call.
func (m *Matcher) Match(doc Document) []Span {
	m.read(doc)
	m.spans = m.spans[:0]
	far := len(m.gazetteer.prefixes) > nearby
	for i, p := range m.parts {
		if far && i%ahead == 0 {
			m.touch(i)
		}
		if p.stop || p.sign || i > 0 && m.parts[i-1].token == p.token {
			continue
		}
		m.matchAt(i)
	}
	return m.spans
}

const (
	nearby = 1 << 24 // bytes of a prefix table that fits the processor's cache
	ahead  = 32      // parts prefetched together
)

// touch prefetches what the next parts read: the table entries of words, the filter bits of pairs, and then the entries of the pairs that the
// filter lets through. So cache misses overlap.
func (m *Matcher) touch(from int) {
	parts := m.parts[from:min(from+ahead, len(m.parts))]
	touched, before := byte(0), uint64(hashStart)
	if from > 0 {
		before = step(hashStart, m.parts[from-1].hash)
	}
	var pairs [ahead]uint64
	for i, p := range parts {
		first := step(hashStart, p.hash)
		pairs[i] = step(before, p.hash)
		touched ^= m.gazetteer.touchEntry(first) ^ m.gazetteer.touchFilter(pairs[i])
		before = first
	}
	for _, pair := range pairs[:len(parts)] {
		if m.gazetteer.has(pair) {
			touched ^= m.gazetteer.touchEntry(pair)
		}
	}
	m.touched = touched
}

// matchAt finds the labels that start at a part.
func (m *Matcher) matchAt(from int) {
	hash := uint64(hashStart)
	for at := from; at < len(m.parts) && at-from < maxWords; at++ {
		p := &m.parts[at]
		if p.stop || p.sentence && at > from {
			return
		}
		before := hash
		hash = step(before, p.hash)
		value := uint32(0)
		if at == from || m.gazetteer.has(hash) {
			value = m.gazetteer.find(hash)
		}
		if at+1 == len(m.parts) || m.parts[at+1].token != p.token {
			m.end(from, at, value, before)
		}
		if value&goesOn == 0 {
			return
		}
	}
}

// end records the label that ends at a part, if any: before is the hash of the preceding words.
func (m *Matcher) end(from, at int, value uint32, before uint64) {
	p := &m.parts[at]
	plural := false
	if value&^goesOn == 0 && p.singular != 0 {
		value, plural = m.gazetteer.find(step(before, p.singular)), true
	}
	if value &^= goesOn; value == 0 {
		return
	}
	m.spans = append(m.spans, Span{
		First: int(m.parts[from].token), Last: int(p.token), Label: value - 1,
		from: int32(from), to: int32(at + 1),
		shape: shapeOf(m.parts[from : at+1]), plural: plural, start: m.parts[from].sentence,
	})
}

// read folds the document. In a sentence all in capitals, shapes are unknown.
func (m *Matcher) read(doc Document) {
	m.parts = m.parts[:0]
	sentences, start := doc.Sentences, 0
	for i, word := range doc.Words {
		n := len(m.parts)
		begins := i == 0
		for len(sentences) > 0 && sentences[0] <= i {
			begins = true
			sentences = sentences[1:]
		}
		if begins {
			uncase(m.parts[start:])
			start = n
		}
		m.parts = fold(m.parts, word, int32(i))
		if len(m.parts) == n {
			continue
		}
		if doc.Lemmas != nil {
			m.lemma(n, word, doc.Lemmas[i])
		}
	}
	uncase(m.parts[start:])
}

// lemma replaces the singular by rule with the lemma of a word; the parts of the word start at n.
func (m *Matcher) lemma(n int, word, lemma string) {
	last := len(m.parts) - 1
	end := len(m.parts)
	if lemma == word {
		m.parts[last].singular = 0
		return
	}
	m.parts = fold(m.parts, lemma, 0)
	if len(m.parts) == end {
		return // unknown lemma
	}
	hash := m.parts[len(m.parts)-1].hash
	same := len(m.parts)-end == end-n // as many parts: the lemma differs in the last one
	m.parts = m.parts[:end]
	if m.parts[last].singular = 0; same && hash != m.parts[last].hash {
		m.parts[last].singular = hash
	}
}

// uncase marks the first word of a sentence, and takes the shapes from one that is all in capitals.
func uncase(sentence []part) {
	if len(sentence) == 0 {
		return
	}
	first, uppers := true, 0
	for i := range sentence {
		p := &sentence[i]
		if first && !p.stop && !p.sign {
			p.sentence, first = true, false
		}
		switch p.shape {
		case upper:
			uppers++
		case lower, mixed:
			return
		}
	}
	if uppers < 2 {
		return
	}
	for i := range sentence {
		sentence[i].shape = caseless
	}
}
