package ontology

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"orbweaver/text"
)

const (
	maxShort    = 6 // bytes of the longest abbreviation within names, without its dot
	maxInitials = 8 // letters of a run of initials
	maxParts    = 6 // words of a name, with abbreviations and initials
)

// beforeNames reports whether an abbreviation, as it is written without its dot, stands before names or within them.
func beforeNames(word string) bool {
	switch word {
	case "St", "Ste", "Mt", "Mts", "Ft", "Pt", "Dr", "Prof", "Mr", "Mrs", "Ms", "Mme", "Messrs", "Rev", "Hon", "Gen", "Lt", "Col", "Maj",
		"Capt", "Cmdr", "Sgt", "Adm", "Gov", "Sen", "Rep", "Pres":
		return true
	}
	return false
}

// afterNames reports whether an abbreviation, as it is written without its dot, ends names.
func afterNames(word string) bool {
	switch word {
	case "Jr", "Sr", "Bros", "Inc", "Ltd", "Co", "Corp", "Esq":
		return true
	}
	return false
}

// A reader reads the words that names may consist of: those of a Scanner, but with the dot of an abbreviation
// as part of it ("Mount St. Helens"), and with initials, and letters with dots between, as one word ("J. S.
// Bach", "U.S. Navy").
type reader struct {
	words text.Scanner
	src   string
	until int  // end of the initials read last
	end   int  // of the word
	short bool // the word is initials or an abbreviation: a name may have it beside its three words
	open  bool // the word only begins or goes on: no name ends with it
	runs  [2 * maxInitials]byte
	word  []byte
}

func (r *reader) reset(src string) {
	r.words.Reset(src)
	r.src, r.until = src, 0
}

// next reads a word; false at the end.
func (r *reader) next() bool {
	for r.words.Next() {
		if r.words.Start() >= r.until {
			r.read()
			return true
		}
	}
	return false
}

// read completes the word that the scanner read.
func (r *reader) read() {
	start, end := r.words.Start(), r.words.End()
	r.word, r.end, r.short, r.open = r.words.Word(), end, false, false
	if end >= len(r.src) || r.src[end] != '.' || !isCapital(r.src[start]) {
		return
	}
	switch n := end - start; {
	case n == 1:
		r.initials(start)
	case n > maxShort:
	case beforeNames(r.src[start:end]):
		if r.short = capitalAfter(r.src, end+1); r.short {
			r.end, r.open = end+1, true
		}
	case afterNames(r.src[start:end]) && !goesOn(r.src, end+1):
		r.end, r.short = end+1, true
	}
}

// initials reads the initials at start, or the letters with dots between, if a name has them: two letters and
// more without a blank stand for themselves, others before a capital letter. One I is mostly a word.
func (r *reader) initials(start int) {
	if start > 0 && strings.IndexByte(".@/", r.src[start-1]) >= 0 {
		return
	}
	run, spaced, i := r.runs[:0], false, start
	for i+1 < len(r.src) && isCapital(r.src[i]) && r.src[i+1] == '.' && len(run) < len(r.runs) {
		run = append(run, r.src[i]|0x20, '.')
		i += 2
		if i+2 < len(r.src) && r.src[i] == ' ' && isCapital(r.src[i+1]) && r.src[i+2] == '.' {
			spaced = true
			i++
		}
	}
	ahead := capitalAfter(r.src, i)
	alone := len(run) > 2 && !spaced
	if goesOn(r.src, i) || !alone && !ahead || len(run) == 2 && run[0] == 'i' {
		return
	}
	r.word, r.end, r.until, r.short, r.open = run, i, i, !alone, ahead
}

// start is where the word starts.
func (r *reader) start() int { return r.words.Start() }

// abbreviated reports whether the word is an abbreviation or initials.
func (r *reader) abbreviated() bool { return r.end != r.words.End() }

// isWithin reports whether the word is part of a host name or the like in a text, of which the reader reads what
// begins at from.
func (r *reader) isWithin(s string, from int) bool {
	return !r.abbreviated() && within(s, from+r.start(), from+r.end)
}

// stem returns the hash of the word's singular in a text, of which the reader reads what begins at from. DNA differs
// from dna, and AIDS from the forms of aid.
func (r *reader) stem(s string, from int, english bool) uint64 {
	if !r.abbreviated() {
		if written, ok := text.AsWritten(s, from+r.start(), from+r.end); ok {
			return hashOf(text.Fold(written))
		}
	}
	return hashOfWord(r.word, english)
}

func isCapital(c byte) bool { return 'A' <= c && c <= 'Z' }

// goesOn reports whether a letter or digit stands at i.
func goesOn(s string, i int) bool {
	c, _ := utf8.DecodeRuneInString(s[i:])
	return unicode.IsLetter(c) || unicode.IsDigit(c)
}

// capitalAfter reports whether a blank and a word with a capital letter stand at i.
func capitalAfter(s string, i int) bool {
	if i+1 >= len(s) || s[i] != ' ' {
		return false
	}
	return startsCapital(s[i+1:])
}

// startsCapital reports whether a text begins with a capital letter.
func startsCapital(s string) bool {
	c, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(c)
}
