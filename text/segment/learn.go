package segment

import (
	"errors"
	"strings"
)

// ErrNothing means that there are no training sentences.
var ErrNothing = errors.New("no sentences to learn segmentation from")

// Learn trains a model for a language (see For) from samples of Builders, such as a treebank's training part.
// It takes some seconds per hundred thousand words. The same samples give the same model. Its only error is
// ErrNothing.
func Learn(language string, samples ...Sample) (*Model, error) {
	m := &Model{language: primary(language), cuts: map[string]string{}, abbreviations: map[string]bool{}, prefixes: map[string]bool{}}
	sentences := 0
	for _, s := range samples {
		sentences += len(s.Sentences)
	}
	if sentences == 0 {
		return nil, ErrNothing
	}
	m.learnDots(samples)
	m.learnHyphens(samples)
	m.learnCuts(samples)
	m.lexicon = countCases(samples).lexicon()
	m.weights = weigh(lessonsOf(m, samples))
	return m, nil
}

// A tally is the evidence for a property of a word, less the evidence against it.
type tally map[string]int

// learnDots learns abbreviations: words that usually keep their dot within sentences.
func (m *Model) learnDots(samples []Sample) {
	kept := tally{}
	for _, s := range samples {
		for _, sentence := range s.Sentences {
			for i := sentence.First; i+1 < sentence.End; i++ {
				t, next := s.Tokens[i], s.Tokens[i+1]
				word := t.Of(s.Text)
				if stem, ok := strings.CutSuffix(word, "."); ok && stem != "" && classes[stem[0]] == letter {
					kept[stem]++
				} else if next.Start == t.End && next.Of(s.Text) == "." && i+2 < sentence.End {
					kept[word]--
				}
			}
		}
	}
	for word, n := range kept {
		if n > 0 && len(word) <= maxWord {
			m.abbreviations[word] = true
		}
	}
}

// learnHyphens learns prefixes that form one token with their hyphen and the word after it, and exceptions.
func (m *Model) learnHyphens(samples []Sample) {
	kept := tally{}
	for _, s := range samples {
		for i, t := range s.Tokens {
			word := t.Of(s.Text)
			if prefix, rest, ok := strings.Cut(word, "-"); ok && rest != "" && len(prefix) <= maxWord && only(prefix, letter) {
				kept[lowerOf(prefix)]++
			} else if i+2 < len(s.Tokens) && len(word) <= maxWord && only(word, letter) && s.Tokens[i+1].Of(s.Text) == "-" &&
				t.End == s.Tokens[i+1].Start && s.Tokens[i+1].End == s.Tokens[i+2].Start {
				kept[lowerOf(word)]--
			}
		}
	}
	base := newRules(m.language)
	for prefix, n := range kept {
		if n != 0 && n > 0 != base.prefixes[prefix] {
			m.prefixes[prefix] = n > 0
		}
	}
}

// learnCuts learns the tokens of words that the rules split differently from the samples.
func (m *Model) learnCuts(samples []Sample) {
	r := m.rules()
	seen := map[string]tally{} // word in lower case → lengths of its tokens → how often
	byRule := map[string]string{}
	for _, s := range samples {
		starts := make(map[int]int, len(s.Tokens)) // where tokens start → their indices
		for i, t := range s.Tokens {
			starts[int(t.Start)] = i
		}
		w := worker{rules: r, judge: habit{}, text: s.Text}
		w.watch = func(start, end int) {
			i, ok := starts[start]
			if !ok || end-start > maxWord {
				return
			}
			lengths, ok := lengthsOf(s.Tokens[i:], end)
			if !ok {
				return
			}
			key := lowerOf(s.Text[start:end])
			if seen[key] == nil {
				seen[key] = tally{}
				byRule[key] = r.lengths(s.Text[start:end])
			}
			seen[key][lengths]++
		}
		w.run()
	}
	for key, patterns := range seen {
		best := byRule[key]
		for lengths, n := range patterns {
			if n > patterns[best] || n == patterns[best] && best != byRule[key] && lengths < best {
				best = lengths
			}
		}
		if best != byRule[key] {
			m.cuts[key] = best
		}
	}
}

// lengths returns the lengths of the tokens of a core by the rules, except the last.
func (r *rules) lengths(core string) string {
	w := worker{rules: r, text: core}
	w.core(0, len(core))
	for i, t := range w.tokens {
		w.tokens[i] = plain(t)
	}
	lengths, _ := lengthsOf(w.tokens, len(core))
	return lengths
}

// lengthsOf returns the lengths of the first tokens up to end, except the last, and whether one ends there.
func lengthsOf(tokens []Token, end int) (lengths string, ok bool) {
	var b []byte
	for _, t := range tokens {
		if int(t.End) >= end {
			return string(b), int(t.End) == end
		}
		b = append(b, byte(t.End-t.Start))
	}
	return "", false
}

// lowerOf returns a word of at most maxWord bytes in lower case.
func lowerOf(word string) string {
	var b [maxWord]byte
	return string(lowerInto(b[:], word))
}
