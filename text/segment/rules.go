package segment

import "strings"

// rules are the lexical rules of a segmenter, in lower case except for abbreviations.
type rules struct {
	contracts     bool              // the language has clitics at its words
	cuts          map[string]string // lengths of a word's tokens except the last, one byte each; none: not split
	abbreviations map[string]bool   // without their last dot, as they are written
	prefixes      map[string]bool   // form one token with their hyphen and the word after it
	units         map[string]bool   // split from the number before them
	known         [maxWord + 1][26]uint32
	usage         *usage // nil: English
}

func newRules(language string) *rules {
	r := &rules{cuts: map[string]string{}, abbreviations: map[string]bool{}, prefixes: map[string]bool{}, units: map[string]bool{}}
	r.addWords(r.abbreviations, sharedAbbreviations)
	r.addWords(r.units, units)
	switch primary(language) {
	case "de", "lb", "gsw", "nds":
		r.learnGerman()
	case "en", "", "und":
		r.contracts = true
		r.addWords(r.abbreviations, englishAbbreviations)
		r.addWords(r.prefixes, englishPrefixes)
		for _, word := range strings.Fields(englishContractions) {
			r.addCut(strings.Split(word, "|"))
		}
	}
	return r
}

// primary returns the primary subtag of a language tag in lower case, at most maxWord bytes of it.
func primary(language string) string {
	if i := strings.IndexAny(language, "-_"); i >= 0 {
		language = language[:i]
	}
	language = strings.ToLower(language)
	return language[:min(len(language), maxWord)]
}

func (r *rules) addWords(to map[string]bool, words string) {
	for _, word := range strings.Fields(words) {
		to[word] = true
	}
}

// addCut adds the tokens of a word in lower case.
func (r *rules) addCut(tokens []string) {
	var lengths []byte
	for _, token := range tokens[:len(tokens)-1] {
		lengths = append(lengths, byte(len(token)))
	}
	r.setCut(strings.Join(tokens, ""), string(lengths))
}

func (r *rules) setCut(word, lengths string) {
	r.cuts[word] = lengths
	if i, j, ok := cell(word); ok {
		r.known[len(word)][i] |= 1 << j
	}
}

// cell returns the bit of a word in known: by its length, its first letter and its last.
func cell(word string) (i, j int, ok bool) {
	i, j = int(lowered(word[0]))-'a', int(lowered(word[len(word)-1]))-'a'
	return i, j, 0 <= i && i < 26 && 0 <= j && j < 26
}

// cutsOf returns the lengths of the tokens of a known core, except the last.
func (w *worker) cutsOf(core string) (lengths string, known bool) {
	if len(core) > maxWord {
		return "", false
	}
	if i, j, ok := cell(core); ok && w.known[len(core)][i]&(1<<j) == 0 {
		return "", false
	}
	lengths, known = w.cuts[string(w.lower(core))]
	return lengths, known
}

// lower returns a word of at most maxWord bytes in lower case. It is valid until the next call.
func (w *worker) lower(word string) []byte { return lowerInto(w.key[:], word) }

// isAbbreviation reports whether a dot right after a token may be part of it.
func (w *worker) isAbbreviation(t Token) bool {
	return w.isShortened(t.Of(w.text)) || w.isOrdinal(t) || t.End-t.Start == 1 && w.isSpaced(int(t.Start))
}

// isSpaced reports whether the letter at i is one of an abbreviation with blanks: "e. g.".
func (w *worker) isSpaced(i int) bool {
	return w.isLetterWithDot(i) && (i+3 < len(w.text) && w.text[i+2] == ' ' && w.isAnyLetterWithDot(i+3) ||
		i >= 3 && w.text[i-1] == ' ' && w.isLetterWithDot(i-3) && (i == 3 || classes[w.text[i-4]]&(letter|digit|high) == 0))
}

func (w *worker) isLetterWithDot(i int) bool { return isLower(w.text[i]) && w.isAnyLetterWithDot(i) }

func (w *worker) isAnyLetterWithDot(i int) bool {
	return i+1 < len(w.text) && classes[w.text[i]] == letter && w.text[i+1] == '.'
}

// isShortened reports whether a word is an abbreviation without its last dot: an initial (except I, which
// mostly is a word), letters with dots between, or a known one.
func (w *worker) isShortened(word string) bool {
	if len(word) > maxWord {
		return false
	}
	if classes[word[0]] != letter {
		return classes[word[0]] == high && w.abbreviations[word]
	}
	if len(word) == 1 && isUpper(word[0]) && word != "I" {
		return true
	}
	i := 1
	for i+1 < len(word) && word[i] == '.' && classes[word[i+1]] == letter { // a.b.c
		i += 2
	}
	return i > 1 && i == len(word) || w.abbreviations[word] || w.usage != nil && isStreet(word)
}
