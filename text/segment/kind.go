package segment

// Kinds of tokens, by form and by the learned case of words.
const (
	absent      uint32 = iota // there is no token
	initial                   // one capital
	lowerAsRule               // has a capital, but seldom so within a sentence
	lowerOrName               // has a capital, as often within sentences
	name                      // has a capital everywhere
	unknown                   // has a capital and was never seen
	capitals
	lower
	numeral
	clock // a number with a colon or slash
	address
	hostOrFile
	period
	exclamation // or question
	dots
	comma
	colon
	semicolon
	emoticon
	straightQuote
	dash
	bullet
	closer
	opener
	foreign // any mark beyond ASCII
	angle
	ruler // a line drawn
	others
)

// A lexicon maps hashes of words to their usual case: 0 to 3, for the kinds from lowerAsRule on.
type lexicon [1 << lexiconBits]uint8

const lexiconBits = 16

func (x *lexicon) of(hash uint32) uint8 { return x[place(hash)] }

func place(hash uint32) uint32 { return hash * 0x9e3779b9 >> (32 - lexiconBits) }

// hashOf is that of a token in lower case, of at most 16 bytes.
func hashOf(s string) uint32 {
	h := uint32(2166136261)
	for i := range min(len(s), 16) {
		h = (h ^ uint32(lowered(s[i]))) * 16777619
	}
	return h
}

// kind returns the kind of a token, whose hash is given.
func (x *lexicon) kind(s string, hash uint32) uint32 {
	if s == "" {
		return absent
	}
	if classes[s[0]]&(letter|digit) != 0 {
		return x.wordKind(s, hash)
	}
	return markKind(s)
}

func (x *lexicon) wordKind(s string, hash uint32) uint32 {
	c := s[0]
	if len(s) > 4 {
		if k := compoundKind(s); k != absent {
			return k
		}
	}
	switch {
	case isDigit(c):
		return numeral
	case isLower(c):
		return lower
	case len(s) == 1:
		return initial
	case isUpper(s[1]):
		return capitals
	}
	return lowerAsRule + uint32(x.of(hash))
}

// compoundKind returns the kind of a word with marks in it, absent for any other.
func compoundKind(s string) uint32 {
	for i := 1; i+1 < len(s); i++ {
		switch s[i] {
		case '@', '/', ':':
			if isDigit(s[0]) {
				return clock
			}
			return address
		case '.':
			if i > 1 && isLower(s[len(s)-1]) {
				return hostOrFile
			}
		}
	}
	return absent
}

func markKind(s string) uint32 {
	long := len(s) > 1
	switch s[0] {
	case '.':
		if long && classes[s[1]] == letter {
			return hostOrFile
		}
		return either(long, dots, period)
	case '!', '?':
		return exclamation
	case ',':
		return comma
	case ':':
		return either(long, emoticon, colon)
	case ';':
		return either(long, emoticon, semicolon)
	case '"':
		return straightQuote
	case '-':
		return either(len(s) > 4, ruler, dash)
	case '*':
		return bullet
	}
	switch {
	case s == "…":
		return dots
	case isCloser(s) && !isOpener(s):
		return closer
	case isOpener(s):
		return opener
	case s[0] >= 0x80:
		return foreign
	case len(s) > 3 || s[0] == '_' || s[0] == '=' || s[0] == '#':
		return ruler
	case s[0] == '<' || s[0] == '>' || s[0] == '|':
		return angle
	}
	return others
}

func either(which bool, yes, no uint32) uint32 {
	if which {
		return yes
	}
	return no
}
