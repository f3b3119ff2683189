package charset

import (
	"bytes"
	"compress/flate"
	_ "embed"
	"io"
	"math/bits"
	"strings"
	"sync"
	"unicode"
)

// packedModels are made by learn.go.
//
//go:embed models.bin
var packedModels []byte

// A script is what a language is written in, as far as costs go.
type script uint8

const (
	none script = iota // no letter
	latin
	cyrillic
	greek
	hebrew
	arabic
	thai
	han // with kana and Hangul
	other
)

// scripts are the names in models.bin.
var scripts = map[string]script{
	"Latin": latin, "Cyrillic": cyrillic, "Greek": greek, "Hebrew": hebrew, "Arabic": arabic, "Thai": thai, "Han": han,
}

// A model says what the characters of a language cost, in bits. It never changes.
type model struct {
	script script
	place  []uint8        // places in table of letters, by their number among all, from 1; 0: none of the language
	table  []byte         // costs of each letter after each, two in a byte
	n      int            // letters, with that which is none
	rank   map[rune]uint8 // of a language without alphabet: costs of its frequent characters
}

// A library is all models. It never changes.
type library struct {
	models  []*model        // English first
	letters map[rune]uint16 // all letters of alphabets beyond ASCII, by number from 128
	usual   []symbol        // the characters below firstUnusual
}

// firstUnusual is the end of the characters that are looked up: most alphabets, and marks.
const firstUnusual = 0x700

// known is made when it is needed first.
var known = sync.OnceValue(func() *library {
	l := &library{letters: map[rune]uint16{}}
	data, err := io.ReadAll(flate.NewReader(bytes.NewReader(packedModels)))
	if err != nil {
		panic(err) // it is a part of the program
	}
	for len(data) > 0 {
		line, rest, _ := bytes.Cut(data, []byte("\n"))
		fields := strings.Fields(string(line))
		m := &model{script: scripts[fields[1]]}
		if m.script == han {
			m.rankAll(fields[2])
		} else {
			m.n = l.place(m, fields[2]) + 1
			size := (m.n*m.n + 1) / 2
			m.table, rest = rest[:size], rest[size:]
		}
		l.models, data = append(l.models, m), rest
	}
	usual := make([]symbol, firstUnusual)
	for r := range usual {
		usual[r] = l.symbol(rune(r))
	}
	l.usual = usual
	return l
})

// maxLetters is more than the letters of all alphabets.
const maxLetters = 512

// place gives the letters of a model their places.
func (l *library) place(m *model, letters string) (n int) {
	m.place = make([]uint8, maxLetters)
	for _, r := range letters {
		n++
		if r < 0x80 {
			m.place[r] = uint8(n)
			continue
		}
		if _, ok := l.letters[r]; !ok {
			l.letters[r] = uint16(128 + len(l.letters))
		}
		m.place[l.letters[r]] = uint8(n)
	}
	return n
}

// rankAll gives frequent characters their costs: Zipf's law, the first about one in twenty.
func (m *model) rankAll(letters string) {
	m.rank = map[rune]uint8{}
	i := 0
	for _, r := range letters {
		m.rank[r] = uint8(5 + bits.Len(uint(i/12)))
		i++
	}
}

// after is the cost of a letter after another, by their places.
func (m *model) after(last, next uint8) int {
	i := int(last)*m.n + int(next)
	return int(m.table[i/2] >> (4 * (i % 2)) & 15)
}

// A symbol is a character as all models see it.
type symbol struct {
	r      rune   // in lower case
	number uint16 // in the library; 0: no letter of any alphabet
	script script
	shape  shape
	cost   uint8 // of a character that is no letter, or a letter of a foreign script
}

// A shape is what a character is in a word.
type shape uint8

const (
	gap shape = iota // no letter
	lower
	upper
	uncased
)

// symbols returns the characters of a text.
func (l *library) symbols(text []byte) []symbol {
	all := make([]symbol, 0, len(text))
	for _, r := range string(text) {
		all = append(all, l.symbol(r))
	}
	return all
}

func (l *library) symbol(r rune) symbol {
	if int(r) < len(l.usual) {
		return l.usual[r]
	}
	s := symbolOf(r)
	if s.r < 0x80 {
		s.number = uint16(s.r)
	} else {
		s.number = l.letters[s.r]
	}
	return s
}

// Costs in bits of what is no letter of the language at hand.
const (
	costASCII    = 5  // digits, blanks, punctuation
	costCommon   = 8  // quotation marks, dashes
	costForeign  = 13 // letters that the language lacks
	costSign     = 15 // other signs
	costScript   = 17 // letters of other scripts
	costControl  = 26 // C1 controls, private use, unassigned
	costInvalid  = 40
	costCase     = 7 // an upper-case letter after a lower-case one
	costHan      = 15
	costFullwide = 7  // 、 。
	costUpper    = 2  // any
	costFew      = 12 // letters of a script in a text without others of it
	costSwitch   = 5  // to or from a word of another script
	costMixed    = 10 // a letter beside one of another script
)

func symbolOf(r rune) symbol {
	s := symbol{r: r}
	switch {
	case r < 0x80:
		s.cost = costASCII
		switch c := r | 0x20; {
		case c >= 'a' && c <= 'z':
			s.script, s.shape, s.r = latin, lower, c
			if r != c {
				s.shape = upper
			}
		case r < ' ' && r != '\n' && r != '\t' && r != '\r' || r == 0x7f:
			s.cost = costControl
		}
		return s
	case r == unicode.ReplacementChar:
		s.cost = costInvalid
		return s
	case strings.ContainsRune("\u00a0’“”„–—«»…‘‚·•°§©®€£™", r):
		s.cost = costCommon
		return s
	}
	return letterOf(r, s)
}

// letterOf is symbolOf for what is neither ASCII nor frequent.
func letterOf(r rune, s symbol) symbol {
	s.script, s.cost = scriptOf(r), costScript
	switch {
	case s.script == none:
		s.cost = signCost(r)
		return s
	case unicode.IsUpper(r):
		if s.shape, s.r = upper, unicode.ToLower(r); s.r < 0x80 { // İ: of Turkish as ı
			s.r = 'ı'
		}
	case unicode.IsLower(r):
		s.shape = lower
	default:
		s.shape = uncased
	}
	return s
}

func signCost(r rune) uint8 {
	switch {
	case r >= 0x3000 && r <= 0x301f, r >= 0xff01 && r <= 0xff0f, r == 0xff1a, r == 0xff1b, r == 0xff1f, r == 0x30fb:
		return costFullwide
	case r < 0xa0, unicode.Is(unicode.Co, r), !unicode.IsGraphic(r) && !unicode.Is(unicode.Cf, r):
		return costControl
	}
	return costSign
}

// scriptOf is the script of a letter or mark beyond ASCII.
func scriptOf(r rune) script {
	switch {
	case r < 0xc0:
		if r == 0xaa || r == 0xba || r == 0xb5 {
			return latin
		}
		return none
	case r < 0x250:
		if r == 0xd7 || r == 0xf7 {
			return none
		}
		return latin
	case r >= 0x300 && r < 0x370, r >= 0x1e00 && r < 0x1f00:
		return latin
	case r >= 0x370 && r < 0x400 && unicode.IsLetter(r):
		return greek
	case r >= 0x400 && r < 0x530:
		return cyrillic
	case r >= 0x591 && r < 0x5f5:
		return hebrew
	case r >= 0x600 && r < 0x700:
		return arabic
	case r >= 0xe00 && r < 0xe80:
		return thai
	case r >= 0x3041 && r < 0x3100 && r != 0x30fb, r >= 0x3400 && r < 0xa000, r >= 0xac00 && r < 0xd7a4, r == 0x3005:
		return han
	case unicode.IsLetter(r):
		return other
	}
	return none
}

// cost is what a text costs in a language, in bits, or more than most.
func (m *model) cost(text []symbol, english *model, most int) (cost int) {
	last, before := uint8(0), symbol{} // last is the place of the letter before, of English's after ASCII
	native := false
	for _, s := range text {
		cost += joint(before, s)
		if s.script != none && native != (s.script == m.script) && m.script != latin {
			cost += costSwitch
			native = !native
		}
		at := uint8(0)
		switch {
		case m.script == latin:
			if at = m.place[s.number]; at == 0 {
				cost += m.foreign(s)
			}
			cost += m.after(last, at)
		case s.r < 0x80:
			if at = english.place[s.number]; at == 0 {
				cost += int(s.cost)
			}
			if before.r < 0x80 || m.script == han {
				cost += english.after(last, at)
			} else {
				cost += m.after(last, 0)
			}
		case m.script == han:
			cost += m.ranked(s)
		default:
			if before.r < 0x80 {
				last = 0
			}
			if at = m.place[s.number]; at == 0 {
				cost += m.foreign(s)
			}
			cost += m.after(last, at)
		}
		if cost > most {
			break
		}
		last, before = at, s
	}
	return cost
}

// joint is the cost of a character beside another whatever the language.
func joint(before, s symbol) (cost int) {
	if s.shape == upper {
		cost = costUpper
	}
	switch {
	case s.script == none || before.script == none:
	case s.script != before.script:
		cost += costMixed
	case before.shape == lower && s.shape == upper:
		cost += costCase
	}
	return cost
}

// foreign is the cost of what is no letter of the language.
func (m *model) foreign(s symbol) int {
	if s.script == m.script {
		return costForeign
	}
	return int(s.cost)
}

// ranked is the cost of a character of a language without alphabet.
func (m *model) ranked(s symbol) int {
	if c, ok := m.rank[s.r]; ok {
		return int(c)
	}
	if s.script == han {
		return costHan
	}
	return int(s.cost)
}
