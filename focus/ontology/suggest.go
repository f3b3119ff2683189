package ontology

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/internal/order"
	"orbweaver/text"
)

const (
	maxSuggestions  = 200
	pairSuggestions = 50 // suggestions reserved for pairs, as far as there are any
	minSupport      = 3  // minimum number of pages that certainly support a suggestion
	sameShare       = 0.5
)

// Suggestions returns what the ontology may lack, at most 200 suggestions, best first by Score. They are
//
//   - words, and phrases of two or three words beside abbreviations and initials, that are not entries and occur within ten words of one that
//     names a weighted entity, or name a page in a title or link on a page that names a target: Entity is
//     the one that was nearest, or named most, on most pages;
//   - pairs of such entities within ten words of each other that are more than two steps apart.
//
// The score contrasts on-topic pages with all others: every page counts with its own score as on-topic and
// with the rest as off-topic. The measure is the log-likelihood ratio of the phrase as a name (a whole title
// or anchor, or a piece of one) plus a twentieth of that in the text. The root of the sum is multiplied by
// the mean score of pages titled so, shrunk towards that of all pages. The score of a pair uses the text
// alone, and is capped by the ratio for its two entities occurring together. Phrases that are more frequent
// on off-topic pages are left out.
//
// Only pages that name a target are counted, with Min all targets. A page counts once, and its first 24
// places that name a weighted entity are examined. Stop words, numbers, parts of host names, boilerplate and
// the name of a host, and words that on most pages are part of one longer phrase are left out. So are, unless
// titles and links confirm them as names: words less than four times as frequent near entities as on pages
// that name no target, adverbs, participles, and words of the calendar and of counts, in English.
//
// Counts use Space-Saving sketches of 20 000 words and 1 500 pairs: the true number of pages is between Count
// − Error and Count, and Error is at most the number of words (or pairs) counted so far, each once per page,
// divided by 20 000 (or 1 500). With no more distinct ones than that, it is 0. Contrasts cover the pages
// since a word got its slot. At least three pages certainly support a suggestion. Text and Entity are the
// most frequent ones if one holds more than half (or a quarter) of the pages, else frequent ones. Examples
// are early pages, of a word not the first.
//
// Last come entities that count for little, at most 20: see suggestLittle.
//
// Decided suggestions are not made again.
func (f *Focus) Suggestions(context.Context) ([]orbweaver.Suggestion, error) {
	k := f.now.Load()
	pairs := best(f.suggestPairs(k), pairSuggestions)
	words := distinctWords(f.suggestWords(k), maxSuggestions-len(pairs))
	all := append(words, pairs...)
	order.Stably(all, compareSuggested)
	out := make([]orbweaver.Suggestion, 0, len(all))
	ids := make(map[string]bool, len(all))
	for _, s := range all {
		if !ids[s.ID] { // a repeated ID: suggestions with one ID cannot be distinguished
			ids[s.ID] = true
			out = append(out, s.Suggestion)
		}
	}
	return append(out, f.suggestLittle(k)...), nil
}

// suggested is a suggestion with its score.
type suggested struct {
	orbweaver.Suggestion
	worth float64
}

func compareSuggested(a, b suggested) int {
	return cmp.Or(cmp.Compare(b.worth, a.worth), cmp.Compare(b.Count, a.Count), cmp.Compare(a.ID, b.ID))
}

func best(of []suggested, n int) []suggested {
	order.By(of, compareSuggested)
	return of[:min(n, len(of))]
}

// idOf returns the ID of a key of some kind: eight hexadecimal digits.
func idOf(kind string, key uint64) string {
	h := fold(hashOf(kind), key)
	return fmt.Sprintf("%08x", uint32(h^h>>32))
}

func (f *Focus) suggestWords(k *knowledge) (all []suggested) {
	m := k.lexicon.Matcher("")
	defer m.Release()
	g := f.gaps
	for i := range g.wordsOf {
		w, slot := &g.wordsOf[i], &g.words.slots[i]
		if slot.support() < minSupport || w.form == "" || g.isNoise(i) || repeats(w.form) || isEntry(m, w.form) {
			continue
		}
		entity := w.most()
		weight := k.weights.page[entity]
		id := idOf(orbweaver.SuggestWord, slot.key)
		if weight <= 0 || f.decided[id] {
			continue
		}
		s := suggested{Suggestion: orbweaver.Suggestion{
			ID: id, Kind: orbweaver.SuggestWord, Text: w.form, Entity: k.ontology.Entity(int(entity)).IRI,
			Count: slot.count, Error: slot.excess, Examples: slices.Clone(given(w.examples)),
		}}
		if g.judge(&s, w); s.Off <= s.On {
			all = append(all, s)
		}
	}
	return all
}

// isEntry reports whether a word or phrase has become an entry since it was counted, or is one entry over and over: "plane planes".
func isEntry(m *text.Matcher, form string) bool {
	m.Forget()
	form = strings.TrimSuffix(form, ".") // of an abbreviation
	matches, end := m.Match(form), 0
	for i, match := range matches {
		if match.Form != matches[0].Form || match.Start-end != min(i, 1) { // a space or hyphen stands between two
			return false
		}
		end = match.End
	}
	return end == len(form)
}

// repeats reports whether a phrase is one word over and over.
func repeats(form string) bool {
	words := strings.FieldsFunc(text.Key(form), func(r rune) bool { return r == ' ' || r == '-' })
	return len(words) > 1 && len(slices.Compact(words)) == 1
}

// given returns the non-empty URLs.
func given(of *[examples]string) []string {
	n := 0
	for n < len(of) && of[n] != "" {
		n++
	}
	return of[:n:n]
}

func (f *Focus) suggestPairs(k *knowledge) (all []suggested) {
	g := f.gaps
	for i := range g.pairsOf {
		p, slot := &g.pairsOf[i], &g.pairs.slots[i]
		weight := min(k.weights.page[p.a], k.weights.page[p.b])
		if slot.support() < minSupport || weight <= 0 || k.ontology.Close(int(p.a), int(p.b)) {
			continue
		}
		a, b := k.ontology.Entity(int(p.a)), k.ontology.Entity(int(p.b))
		id := idOf(orbweaver.SuggestPair, fold(hashOf(a.IRI), hashOf(b.IRI)))
		if f.decided[id] {
			continue
		}
		s := suggested{Suggestion: orbweaver.Suggestion{
			ID: id, Kind: orbweaver.SuggestPair, Text: a.Name + " – " + b.Name, Entity: a.IRI, Other: b.IRI,
			Count: slot.count, Error: slot.excess, Examples: slices.Clone(given(&p.examples)),
		}}
		if f.judgePair(&s, p); s.Off <= s.On {
			all = append(all, s)
		}
	}
	return all
}

// distinctWords returns the n best words and phrases, except those that on most pages are part of one longer
// phrase: of "operating", "system" and "operating system" only the last.
func distinctWords(all []suggested, n int) []suggested {
	order.By(all, compareSuggested)
	longer := map[string]int64{} // by part, in lower case: the greatest count of a phrase that contains it
	for _, s := range all {
		for _, part := range parts(s.Text) {
			longer[part] = max(longer[part], s.Count)
		}
	}
	kept := all[:0]
	for _, s := range all {
		if len(kept) < n && float64(longer[text.Key(s.Text)]) <= sameShare*float64(s.Count) {
			kept = append(kept, s)
		}
	}
	return kept
}

// parts returns the words and shorter phrases within a phrase, in lower case.
func parts(phrase string) (all []string) {
	phrase = text.Key(phrase)
	cut := func(r rune) bool { return r == ' ' || r == '-' }
	for start := 0; start < len(phrase); {
		for end := start; end < len(phrase); end++ {
			if n := strings.IndexFunc(phrase[end:], cut); n >= 0 {
				end += n
			} else {
				end = len(phrase)
			}
			if part := phrase[start:end]; part != phrase {
				all = append(all, part)
			}
		}
		n := strings.IndexFunc(phrase[start:], cut)
		if n < 0 {
			break
		}
		start += n + 1
	}
	return all
}
