package tag

// features is the version of the feature set; models of other versions are unusable. Change it with every
// change of keys: here, in word.go and in sentence.go.
const features = 1

// Numbers of keys of a word: of the word itself, of its context, and of the previous tags.
const (
	selfKeys   = 22
	aroundKeys = 20
	memoryKeys = 13
	allKeys    = selfKeys + aroundKeys + memoryKeys
)

// key returns the feature key of a template, by its number, with two values: keyBits bits.
func key(template, x, y uint64) uint64 {
	return mix(x+template<<56, y+template*0xa0761d6478bd642f) >> (64 - keyBits)
}

// Shapes that are typical of names.
const (
	letterCase = startsUpper | allUpper
	caps       = letterCase | hasDigit
)

// how returns the form of the sentence and whether word i starts it.
func (s *sentence) how(i int) uint64 { return s.form<<1 | s.marks[i].initial }

// standing returns the part of the context that self depends on, as a number: words with equal standing have
// equal self keys.
func (s *sentence) standing(i int) uint64 {
	return mix(s.words[i+edge].exact, s.how(i)<<1|s.marks[i].quoted)
}

// self appends the keys of word i itself.
func (s *sentence) self(i int, keys []uint64) []uint64 {
	o, m, how := &s.words[i+edge], s.marks[i], s.how(i)
	dress := uint64(o.look&caps)<<8 | how
	seen, kinds := uint64(o.seen), uint64(o.kinds)
	return append(keys,
		key(0, 0, 0),
		key(1, o.exact, 0),
		key(2, o.lower, 0),
		key(3, o.shape, m.initial),
		key(4, uint64(o.look), how),
		key(5, o.suffix(1), 0),
		key(6, o.suffix(2), 0),
		key(7, o.suffix(3), 0),
		key(8, o.suffix(4), 0),
		key(9, o.suffix(5), 0),
		key(10, o.prefix(1), 0),
		key(11, o.prefix(2), 0),
		key(12, o.prefix(3), 0),
		key(13, o.prefix(4), 0),
		key(14, o.suffix(3), uint64(o.look&(startsUpper|laterUpper|hasHyphen))),
		key(15, o.suffix(3), dress),
		key(16, o.lower, dress),
		key(17, o.exact, m.quoted),
		key(18, seen, 0),
		key(19, seen, uint64(o.look&letterCase)<<2|s.form),
		key(20, kinds, uint64(o.look&letterCase)),
		key(21, kinds, dress),
	)
}

// around appends the keys of the context of word i.
func (s *sentence) around(i int, keys []uint64) []uint64 {
	w := s.words[i : i+2*edge+1]
	b2, b1, o, a1, a2 := &w[0], &w[1], &w[2], &w[3], &w[4]
	seen, kinds := uint64(o.seen), uint64(o.kinds)
	return append(keys,
		key(22, b1.lower, 0),
		key(23, a1.lower, 0),
		key(24, b2.lower, 0),
		key(25, a2.lower, 0),
		key(26, b1.lower, o.lower),
		key(27, o.lower, a1.lower),
		key(28, b1.suffix(3), 0),
		key(29, a1.suffix(3), 0),
		key(30, a1.shape, uint64(o.look)),
		key(31, b1.shape, uint64(o.look)),
		key(32, uint64(o.look&caps)<<16|uint64(b1.look&caps)<<8|uint64(a1.look&caps), s.how(i)),
		key(33, uint64(a1.seen), 0),
		key(34, seen, uint64(a1.seen)),
		key(35, uint64(b1.seen), seen),
		key(36, uint64(a2.seen), uint64(a1.seen)),
		key(37, o.suffix(2), uint64(a1.seen)),
		key(38, uint64(a1.kinds), kinds),
		key(39, kinds, uint64(b1.kinds)),
		key(40, uint64(a1.kinds), seen),
		key(41, uint64(a1.kinds), seen<<32|o.suffix(2)),
	)
}

// memory appends the keys of the tags of the previous two words, t1 being the nearer.
func (s *sentence) memory(i int, t1, t2 Tag, keys []uint64) []uint64 {
	w := s.words[i : i+2*edge+1]
	b1, o, a1, a2 := &w[1], &w[2], &w[3], &w[4]
	one, seen := uint64(t1), uint64(o.seen)
	two := one<<8 | uint64(t2)
	return append(keys,
		key(64, one, 0),
		key(65, two, 0),
		key(66, one, o.lower),
		key(67, one, seen),
		key(68, two, seen),
		key(69, one, seen<<32|uint64(a1.seen)),
		key(70, two, uint64(a1.seen)),
		key(71, one, a1.lower),
		key(72, one, o.suffix(3)),
		key(73, one, uint64(o.kinds)),
		key(74, one, uint64(o.look)<<8|s.form),
		key(75, uint64(t2), b1.lower),
		key(76, one, uint64(a1.seen)<<32|uint64(a2.seen)),
	)
}
