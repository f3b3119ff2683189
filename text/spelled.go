package text

import "strings"

// A sign counts how a page writes the words of a spelling where its capitals are informative.
type sign struct{ so, otherwise int32 }

// A doubt is a match of a spelling where capitals are uninformative.
type doubt struct{ at, spelling, otherwise int32 }

// A verdict tells whether words are spelled as required.
type verdict uint8

// The verdicts, strongest first.
const (
	unlike  verdict = iota // they are other words
	against                // they have the same letters in another case, where case is informative
	unsure                 // capitals are uninformative
	sure
)

// Forget starts a new page: it drops the evidence about capitals.
func (m *Matcher) Forget() {
	for _, i := range m.touched {
		m.signs[i] = sign{}
	}
	m.touched = m.touched[:0]
}

// spelled looks for a spelling at a node that the tokens satisfy; of several the most certain wins.
func (m *Matcher) spelled(at *node, tokens []token, e *end) {
	folded := int32(-1)
	if e.n == len(tokens) {
		folded = e.form
	}
	best := against
	for i := at.careful; i >= 0; i = m.table.careful[i].next {
		s := &m.table.careful[i]
		v := m.written(s, tokens)
		switch {
		case v == unlike:
			continue
		case v == against:
			m.sign(i).otherwise++
			continue
		case v == sure:
			m.sign(i).so++
		}
		if v <= best {
			continue
		}
		best = v
		if *e = (end{s.form, len(tokens), -1, -1}); v == unsure {
			e.doubt, e.otherwise = i, folded
		}
	}
}

func (m *Matcher) sign(spelling int32) *sign {
	s := &m.signs[spelling]
	if *s == (sign{}) {
		m.touched = append(m.touched, spelling)
	}
	return s
}

// settle drops the doubtful matches that the page contradicts.
func (m *Matcher) settle() {
	for _, d := range m.doubts {
		s := m.signs[d.spelling]
		if s.so < s.otherwise || s.so == 0 && m.table.careful[d.spelling].common {
			m.found[d.at].Form = d.otherwise
		}
	}
	kept := m.found[:0]
	for _, f := range m.found {
		if f.Form >= 0 {
			kept = append(kept, f)
		}
	}
	m.found = kept
}

// written returns the verdict on the tokens: that of the worst word.
func (m *Matcher) written(s *spelling, tokens []token) verdict {
	worst := sure
	if s.dense && !m.stands(s.label, tokens[0].start, tokens[len(tokens)-1].end) {
		return unlike
	}
	for i, w := range s.words {
		t := tokens[i]
		worst = min(worst, m.word(w, bare(m.text[t.start:t.end]), t))
		if worst == unlike {
			return unlike
		}
	}
	return worst
}

func (m *Matcher) word(w written, there string, t token) verdict {
	there = straight(there)
	if m.table.lang == "de" && !sameVowels(there, w.text) {
		return unlike
	}
	switch w.care {
	case asIs:
		return m.wordAsIs(w.text, there, t)
	case literal:
		if isAlike(there, w.text) {
			return sure
		}
		return unlike
	case named, noun:
		return m.wordNamed(w, there, t)
	}
	return sure
}

// wordAsIs judges a word whose capitals are kept, such as AIDS.
func (m *Matcher) wordAsIs(w, there string, t token) verdict {
	if !isAlike(there, w) {
		return unlike
	}
	if m.uncased {
		return unsure
	}
	v := scene{m.text, t.start, t.end}
	casing, _ := casingOf(there)
	switch {
	case casing == lowerCase:
		return against
	case isAsIs(there, w):
		return unsureIf(casing == upperCase && v.loud(), sure)
	case casing == upperCase: // MYSQL
		return unsureIf(v.loud(), against)
	case casing == capitalised: // Aids in Africa
		return unsureIf(v.starts() && v.heading() || v.title(), against)
	}
	return against
}

func unsureIf(doubt bool, otherwise verdict) verdict {
	if doubt {
		return unsure
	}
	return otherwise
}

// wordNamed judges a word that has a first capital, such as Polish.
func (m *Matcher) wordNamed(w written, there string, t token) verdict {
	if w.care == named && (m.table.lang == "en" || m.table.lang == "") && !isAlike(there, w.text) {
		return unlike
	}
	switch {
	case m.uncased:
		return unsure
	case !startsHigh(there):
		return against
	}
	if v := (scene{m.text, t.start, t.end}); v.starts() || v.title() || v.loud() {
		return unsure
	}
	return sure
}

// outcries reports whether a word is in capitals among words that are not, as an abbreviation is, and is none of a
// form's phrases: AIDS is no plural of aid.
func (m *Matcher) outcries(form int32, t token) bool {
	if m.table.folded || t.end-t.start < 2 || m.uncased || class(m.text[t.start]) != upper || class(m.text[t.end-1]) != upper {
		return false
	}
	there := bare(m.text[t.start:t.end])
	if c, _ := casingOf(there); c != upperCase {
		return false
	}
	for at := range m.table.forms.of(form) {
		if strings.EqualFold(there, spelt(m.table.forms.label(form, at))) {
			return false
		}
	}
	return !scene{m.text, t.start, t.end}.loud()
}
