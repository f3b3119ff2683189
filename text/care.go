package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A care is the part of a word's spelling that a match must preserve.
type care uint8

const (
	free    care = iota // nothing: any case, any form that stems alike
	asIs                // every capital in its place: AIDS, MySQL, B52
	literal             // its letters, in any case: mp3
	named               // its first capital: Polish
	noun                // the same, in a language that capitalizes all nouns: Essen
)

// A written is a word of a phrase.
type written struct {
	text string
	care care
}

// habits record how the phrases of each list are written: the meaning of a capital depends on the rest of its list.
type habits struct {
	small map[list]bool // three of four terms start with a small letter: a capital marks a name
	loud  map[list]bool // most are all capitals without being abbreviations: capitals carry no information
}

// A list is the phrases with one language tag and the same spelling conventions.
type list struct {
	lang      string
	relations bool
}

func listOf(p Phrase) list { return list{p.Lang, p.Origin == Relation} }

const (
	longCapitals = 7 // a word in capitals with this many letters is no abbreviation
	minLoud      = 3 // number of phrases at which capitals count as a habit
	minSmall     = 3 // lower-case terms required per capitalized term
)

func habitsOf(phrases []Phrase) habits {
	type counts struct{ small, capital, loud, long, all int }
	by := map[list]*counts{}
	for _, p := range phrases {
		if p.Origin == Coined || p.Origin == Name {
			continue
		}
		c := by[listOf(p)]
		if c == nil {
			c = new(counts)
			by[listOf(p)] = c
		}
		c.all++
		if plainly(p.Text) {
			c.small++
			continue
		}
		first, loud, long := looks(spelt(p.Text))
		switch {
		case loud:
			c.loud++
			if long >= longCapitals {
				c.long++
			}
		case first == capitalised:
			c.capital++
		case first == lowerCase:
			c.small++
		}
	}
	h := habits{small: map[list]bool{}, loud: map[list]bool{}}
	for of, c := range by {
		h.small[of] = c.small > 0 && c.small >= minSmall*c.capital
		h.loud[of] = c.all >= minLoud && 2*c.loud > c.all && 4*c.long >= c.loud
	}
	return h
}

// A casing is the pattern of capitals in a word.
type casing uint8

const (
	uncased     casing = iota // no letter that has case
	lowerCase                 // plane
	capitalised               // Plane, A
	upperCase                 // AIDS
	mixedCase                 // iPhone, CDs
)

// casingOf returns a word's casing and its number of letters.
func casingOf(word string) (c casing, letters int) {
	uppers, lowers, first := 0, 0, false
	for _, r := range word {
		switch {
		case unicode.IsUpper(r) || unicode.IsTitle(r):
			first = first || letters == 0
			uppers++
			letters++
		case unicode.IsLower(r):
			lowers++
			letters++
		case unicode.IsLetter(r):
			letters++
		}
	}
	switch {
	case uppers+lowers == 0:
		return uncased, letters
	case uppers == 0:
		return lowerCase, letters
	case uppers == 1 && first:
		return capitalised, letters
	case lowers == 0:
		return upperCase, letters
	}
	return mixedCase, letters
}

// looks returns the casing of a phrase's first cased word, whether the phrase is all capitals, and the length in
// letters of its longest word.
func looks(phrase string) (first casing, loud bool, long int) {
	loud = true
	for word := range strings.FieldsFuncSeq(phrase, func(r rune) bool { return !wordRune(r) && !unicode.IsMark(r) }) {
		c, n := casingOf(word)
		if c == uncased {
			continue
		}
		if first == uncased {
			first = c
		}
		loud = loud && (c == upperCase || c == capitalised && n == 1)
		long = max(long, n)
	}
	return first, loud && first != uncased, long
}

// content is the minimum length in letters of a content word, approximately: titles capitalize such words, but not
// "of" and "the".
const content = 4

// carefully returns the words of a phrase for texts of a language; nil if no part of their spelling matters.
func (h habits) carefully(p Phrase, lang string) []written {
	if plainly(p.Text) {
		return nil
	}
	var scan Scanner
	var words []written
	var small, careful bool
	letters, loud := true, true // all words are single letters, or in capitals
	for scan.Reset(p.Text); scan.Next(); {
		w := straight(bare(scan.written()))
		c, n := casingOf(w)
		small = small || c == lowerCase && n >= content
		letters = letters && n == 1 && c == capitalised
		loud = loud && (c == upperCase || c == uncased)
		words = append(words, written{text: w})
	}
	if p.Origin == Coined && loud && len(words) > 1 { // AIR_TRAFFIC
		return nil
	}
	for i := range words {
		words[i].care = h.careOf(p, lang, words[i].text, i > 0 && small)
		if letters && len(words) > 1 {
			words[i].care = asIs // U.S.
		}
		careful = careful || words[i].care != free || lang == "de" && umlauted(words[i].text)
	}
	if !careful && !dense(scan.src) {
		return nil
	}
	return words
}

// spelt is a phrase in the normal form of words.
func spelt(phrase string) string {
	form, _ := normalise(phrase, nil)
	return straight(form)
}

// straight returns a word with the apostrophes of ASCII.
func straight(word string) string {
	if strings.Contains(word, "’") {
		return strings.ReplaceAll(word, "’", "'")
	}
	return word
}

// plainly reports whether a phrase is all small ASCII letters and blanks, as most are: its spelling does not matter.
func plainly(phrase string) bool {
	for i := range len(phrase) {
		if c := class(phrase[i]); c != lower && c != space {
			return false
		}
	}
	return true
}

// careOf returns the care of one word of a phrase; amid: other words precede it, some of them in small letters.
func (h habits) careOf(p Phrase, lang, w string, amid bool) care {
	of := listOf(p)
	c, letters := casingOf(w)
	digits := strings.ContainsFunc(w, unicode.IsDigit)
	switch {
	case letters > 0 && digits && c != lowerCase && c != uncased:
		return asIs
	case letters > 0 && digits:
		return literal
	case c == mixedCase || c == upperCase && !h.loud[of]:
		return asIs
	case c != capitalised || h.loud[of]:
		return free
	case writesNouns(lang):
		return noun
	case amid || p.Origin != Coined && h.small[of]:
		return named
	}
	return free
}

// writesNouns reports whether a language capitalizes all nouns.
func writesNouns(lang string) bool { return lang == "de" || lang == "lb" }

// bare returns a word as it stands in a text without the possessive 's.
func bare(word string) string {
	if n := len(word); n < 3 || word[n-1]|0x20 != 's' {
		return word
	}
	for _, mark := range [...]string{"'", "\u2019"} {
		if n := len(word) - len(mark) - 1; n > 0 && word[n:n+len(mark)] == mark {
			return word[:n]
		}
	}
	return word
}

// isAsIs reports whether a word occurs as written or as its plain plural: URL, URLs; GPSes; CD for CDs.
func isAsIs(there, w string) bool {
	switch n := len(there) - len(w); n {
	case 0:
		return there == w
	case 1:
		return there[:len(w)] == w && there[len(w)] == 's'
	case 2:
		return there[:len(w)] == w && there[len(w):] == "es" && w[len(w)-1]|0x20 == 's'
	case -1:
		return there == w[:len(there)] && w[len(there)] == 's' && !decimal(there)
	}
	return false
}

// decimal reports whether a word ends in a digit: 1990 is no singular of 1990s.
func decimal(word string) bool { return word != "" && class(word[len(word)-1]) == digit }

// isAlike is isAsIs with case ignored.
func isAlike(there, w string) bool {
	same := min(len(there), len(w))
	switch n := len(there) - len(w); n {
	case 1, -1:
		longer := there
		if n < 0 {
			longer = w
		}
		if longer[same]|0x20 != 's' || n < 0 && decimal(there) {
			return strings.EqualFold(there, w)
		}
	case 2:
		if !strings.EqualFold(there[same:], "es") || w[same-1]|0x20 != 's' {
			return strings.EqualFold(there, w)
		}
	default:
		return strings.EqualFold(there, w) // also where small and capital letters have different byte lengths
	}
	return strings.EqualFold(there[:same], w[:same])
}

// startsHigh reports whether a word starts with a capital.
func startsHigh(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(r) || unicode.IsTitle(r)
}
