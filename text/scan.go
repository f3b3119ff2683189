package text

import (
	"unicode"
	"unicode/utf8"
)

// maxWord is the number of bytes kept of a word; the rest is skipped.
const maxWord = 256

// A Scanner cuts a text into words, without allocating. The zero Scanner is ready for Reset. It is not safe for
// concurrent use.
//
// A word is a run of letters, marks and digits, in lower case. Inside it
//   - English clitics belong to it ("don't", "we'll"), the possessive 's is dropped
//     ("plane's" is plane); any other apostrophe divides ("l'avion" is l, avion);
//   - hyphens divide, so that "object-oriented" and "object oriented" are the same two words;
//   - a point or comma between digits belongs to it ("1.1", "1,000");
//   - "++" and "#" at its end belong to it ("c++", "c#");
//   - characters without a shape, such as soft hyphens and zero-width joiners, are left out.
//
// Scripts written without spaces (Han, Hiragana) give one word a character. Bytes that are no UTF-8 divide. Words are
// in one normal form, however the text writes them: composed, without ligatures and full width (see Fold).
type Scanner struct {
	src   string // the text in normal form
	edits []edit // where it departs from the text
	pos   int
	start int
	end   int
	block bool
	word  []byte
	key   key  // key of word, if short
	plain bool // the word is all ASCII letters and digits, and short
}

// Reset starts on a new text.
func (s *Scanner) Reset(src string) {
	s.src, s.edits = normalise(src, s.edits)
	s.pos, s.start, s.end, s.block = 0, 0, 0, false
	s.word = s.word[:0]
}

// Next moves to the next word; false says that there is none.
func (s *Scanner) Next() bool {
	if !s.skip() {
		return false
	}
	s.start = s.pos
	if s.plain = s.readPlain(); !s.plain {
		s.read()
		s.key = keyOf(s.word)
	}
	s.end = s.pos
	return true
}

// Word returns the current word in lower case, at most 256 bytes of it, valid until Next or Reset.
func (s *Scanner) Word() []byte { return s.word }

// Start returns the byte offset of the current word in the text.
func (s *Scanner) Start() int { return inText(s.edits, s.start, true) }

// End returns the byte offset behind the current word.
func (s *Scanner) End() int { return inText(s.edits, s.end, false) }

// AsWritten returns the current word if its capitals matter: see the function of this name.
func (s *Scanner) AsWritten() (word string, ok bool) { return AsWritten(s.src, s.start, s.end) }

// written is the current word with its capitals.
func (s *Scanner) written() string { return s.src[s.start:s.end] }

// NewBlock reports whether a blank line stands before the current word.
func (s *Scanner) NewBlock() bool { return s.block }

// skip moves to the first byte of the next word and notes blank lines on the way.
func (s *Scanner) skip() bool {
	s.block = false
	lines, pos, src := 0, s.pos, s.src
	for pos < len(src) {
		switch c := src[pos]; class(c) {
		case lower, upper, digit:
			s.pos = pos
			return true
		case line:
			if lines++; lines == 2 {
				s.block = true
			}
			pos++
		case space:
			pos++
		case high:
			r, n := utf8.DecodeRuneInString(src[pos:])
			if wordRune(r) {
				s.pos = pos
				return true
			}
			if !unicode.IsSpace(r) {
				lines = 0
			}
			pos += n
		default:
			lines = 0
			pos++
		}
	}
	s.pos = pos
	return false
}

// readPlain reads a word of at most 16 ASCII letters and digits that no sign can extend, as nearly all are; false:
// the word at pos is of another kind and nothing was read.
func (s *Scanner) readPlain() bool {
	k, n := plain(s.src, s.pos)
	if n == 0 || n > maxKey {
		return false
	}
	if end := s.pos + n; end < len(s.src) && goesOn(s.src[end], s.src[end-1]) {
		return false
	}
	if cap(s.word) < maxKey {
		s.word = make([]byte, 0, maxWord)
	}
	s.word = s.word[:maxKey]
	k.put(s.word)
	s.word = s.word[:n]
	s.key = k
	s.pos += n
	return true
}

// read reads the word that starts at pos. It always advances.
func (s *Scanner) read() {
	s.word = s.word[:0]
	for s.pos < len(s.src) {
		c := s.src[s.pos]
		switch class(c) {
		case lower, digit:
			s.keep(c)
			s.pos++
		case upper:
			s.keep(c | 0x20)
			s.pos++
		case high:
			if !s.readRune() {
				return
			}
		case joiner:
			if !s.readJoiner(c) {
				return
			}
		default:
			return
		}
	}
}

func (s *Scanner) keep(c byte) {
	if len(s.word) < maxWord {
		s.word = append(s.word, c)
	}
}

// readRune adds one non-ASCII character to the word; false: the word ends.
func (s *Scanner) readRune() bool {
	r, n := utf8.DecodeRuneInString(s.src[s.pos:])
	switch {
	case r == '\u2019':
		return len(s.word) > 0 && s.readApostrophe(n)
	case r == '\u0307' && len(s.word) > 0 && s.word[len(s.word)-1] == 'i': // İ in lower case by Unicode's full rules
		s.pos += n
		return true
	case alone(r):
		if s.start != s.pos {
			return false
		}
		s.word = utf8.AppendRune(s.word, r)
		s.pos += n
		return false
	case !wordRune(r) && !unicode.IsMark(r):
		return false
	}
	if len(s.word) <= maxWord-utf8.UTFMax {
		s.word = utf8.AppendRune(s.word, lowerOf(r))
	}
	s.pos += n
	return true
}

// readJoiner consumes an ASCII sign that may continue or end a word.
func (s *Scanner) readJoiner(c byte) bool {
	switch c {
	case '\'':
		return s.readApostrophe(1)
	case '.', ',':
		if class(s.src[s.pos-1]) != digit || class(s.at(s.pos+1)) != digit {
			return false
		}
		s.keep(c)
		s.pos++
		return true
	}
	if !letter(s.src[s.pos-1]) {
		return false
	}
	if c == '+' {
		if s.at(s.pos+1) == '+' && !s.wordAt(s.pos+2) && s.at(s.pos+2) != '+' {
			s.keep('+')
			s.keep('+')
			s.pos += 2
		}
	} else if next := s.at(s.pos + 1); next != '#' && !s.wordAt(s.pos+1) { // "#"
		s.keep('#')
		s.pos++
	}
	return false
}

// readApostrophe consumes an apostrophe of n bytes and the clitic that follows, if any.
func (s *Scanner) readApostrophe(n int) bool {
	at := s.pos + n
	end := at
	for end < len(s.src) && end-at < 3 && letter(s.src[end]) {
		end++
	}
	if end == at || end-at > 2 || s.wordAt(end) || !clitic(s.src[at]|0x20, s.at(at+1)|0x20, end-at) {
		return false
	}
	if end-at == 1 && s.src[at]|0x20 == 's' {
		s.pos = end
		return false
	}
	s.keep('\'')
	for _, c := range []byte(s.src[at:end]) {
		s.keep(c | 0x20)
	}
	s.pos = end
	return false
}

// at returns the byte at offset i, 0 behind the end.
func (s *Scanner) at(i int) byte {
	if i < len(s.src) {
		return s.src[i]
	}
	return 0
}

// wordAt reports whether a character of a word stands at offset i.
func (s *Scanner) wordAt(i int) bool {
	if i >= len(s.src) {
		return false
	}
	if s.src[i] < utf8.RuneSelf {
		return letter(s.src[i]) || class(s.src[i]) == digit
	}
	r, _ := utf8.DecodeRuneInString(s.src[i:])
	return wordRune(r) || unicode.IsMark(r)
}
