package link

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"orbweaver/internal/order"
)

// A names holds the short forms of entities that a document has named in full.
type names struct {
	short map[uint64]int // hash of a word to a mention of the full name
	taken []bool         // by part: within a mention
}

// stands is the least similarity, as a share of the full name's, at which a label equal to the short name keeps its
// own meaning: after "Isaac Newton", "Newton" is the person, not the unit.
const stands = 0.8

// reset forgets all names; n is the number of parts.
func (b *names) reset(n int) {
	if b.short == nil {
		b.short = map[uint64]int{}
	}
	clear(b.short)
	b.taken = append(b.taken[:0], make([]bool, n)...)
}

func (b *names) free(s Span) bool { return !slices.Contains(b.taken[s.from:s.to], true) }

func (b *names) take(s Span) {
	for i := s.from; i < s.to; i++ {
		b.taken[i] = true
	}
}

// refer adds the mentions by partial names: a surname after the full name, an acronym that the document has defined.
func (l *Linker) refer(doc Document, chosen []scored) []scored {
	parts := l.matcher.parts
	all := chosen
	for i, next := int32(0), 0; i < int32(len(parts)); i++ {
		if next < len(chosen) && chosen[next].span.from == i {
			f := &all[next]
			if f.span.to-f.span.from == 1 {
				l.overrule(f, all)
			}
			l.learn(doc, f.span, next)
			i = f.span.to - 1
			next++
			continue
		}
		full, ok := l.back.short[parts[i].hash]
		if !ok || !l.alone(int(i)) {
			continue
		}
		f := all[full]
		f.span = Span{
			First: int(parts[i].token), Last: int(parts[i].token), from: i, to: i + 1, shape: parts[i].shape,
		}
		f.back = true
		all = append(all, f)
	}
	order.By(all, func(a, b scored) int { return cmp.Compare(a.span.First, b.span.First) })
	return all
}

// overrule replaces the meaning of a one-word mention by that of the full name it may abbreviate, if that is more
// probable.
func (l *Linker) overrule(f *scored, all []scored) {
	full, ok := l.back.short[l.matcher.parts[f.span.from].hash]
	if !ok || !l.alone(int(f.span.from)) {
		return
	}
	if named := all[full]; f.best[0].similarity < stands*named.best[0].similarity {
		f.best, f.n, f.back = named.best, named.n, true
	}
}

// alone reports whether a part is written as a name, is a whole token, and has no name beside it: "Olivia Newton" is
// another Newton.
func (l *Linker) alone(i int) bool {
	parts := l.matcher.parts
	if s := parts[i].shape; s != initial && s != mixed && s != upper {
		return false
	}
	if i > 0 && !parts[i].sentence {
		if before := parts[i-1]; before.token == parts[i].token || before.shape == initial && !before.sentence {
			return false
		}
	}
	if i+1 < len(parts) && !parts[i+1].sentence {
		if after := parts[i+1]; after.token == parts[i].token || after.shape == initial {
			return false
		}
	}
	return true
}

// learn notes the short forms of a full mention.
func (l *Linker) learn(doc Document, s Span, at int) {
	parts := l.matcher.parts[s.from:s.to]
	if len(parts) < 2 {
		return
	}
	if last := parts[len(parts)-1]; named(doc, parts) {
		l.back.short[last.hash] = at
	}
	behind := l.matcher.parts[s.to:]
	if len(behind) < 3 || !behind[0].stop || behind[1].shape != upper || !behind[2].stop {
		return
	}
	if acronym(doc.Words[behind[1].token], doc.Words[s.First:s.Last+1]) {
		l.back.short[behind[1].hash] = at
	}
}

// named reports whether parts are a name that its last word may abbreviate: all written as names, the first not a
// mere qualifier of places.
func named(doc Document, parts []part) bool {
	for _, p := range parts {
		if p.shape != initial && p.shape != mixed {
			return false
		}
	}
	switch strings.ToLower(doc.Words[parts[0].token]) {
	case "new", "north", "south", "east", "west", "northern", "southern", "eastern", "western", "central",
		"united", "great", "upper", "lower", "saint", "san", "santa", "the":
		return false
	}
	return utf8.RuneCountInString(doc.Words[parts[len(parts)-1].token]) > 2
}

// acronym reports whether letters are the initials of the words that begin with a capital.
func acronym(letters string, words []string) bool {
	for _, word := range words {
		first, _ := utf8.DecodeRuneInString(word)
		if first < 'A' || first > 'Z' {
			continue
		}
		if letters == "" || rune(letters[0]) != first {
			return false
		}
		letters = letters[1:]
	}
	return letters == ""
}
