package ontology

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/text"
)

const (
	maxSuggestions  = 200
	pairSuggestions = 50 // places that words leave to pairs, as far as there are any
	minSupport      = 3  // pages that a suggestion surely has
	sameShare       = 0.5
)

// Suggestions returns what may be missing in the ontology, at most 200, best first by Score. They are
//
//   - words, and phrases of two or three of them, that are no entries and stand within ten words of
//     one that names an entity of some weight, or are named by a title or link of a page that names a
//     target: Entity is the one that stood nearest, or was named most, on most pages;
//   - pairs of such entities within ten words of each other that are more than two steps apart.
//
// The score is a contrast of pages about the topic with all others: every page counts with its own
// score as the one and with the rest as the other. Its measure is the log-likelihood ratio, mostly of
// the phrase as a name, that is as the whole of a title or anchor or of a piece of one, and a
// twentieth as much of the phrase in the text. The root of the sum, which grows as evidence does, is
// multiplied by the mean score of the pages titled so, shrunk towards that of all pages. A pair's is of the text alone, and no more than the
// ratio by which its two stand together rather than apart.
// What stands more often on other pages is left out.
//
// Only pages that name a target are counted, with Min all targets: what is missing is missing there. A page counts
// once, and the first 24 places on it that name an entity of weight are examined. Left out are stop words, numbers,
// parts of host names, what stands on nearly all pages of its host or is that host's name, and words that most pages
// have within one longer phrase. Also left out, unless titles and links name them for sure: words that stand less
// than four times as often near entities as on pages that name no target, adverbs, participles, and words of the
// calendar and of counts, as far as English tells them.
//
// Counts are kept in bounded memory by Space-Saving sketches, of 20 000 words and 1 500 pairs: the
// true number of pages is at most Count and at least Count − Error, and Error is at most the number
// of words (or pairs) counted so far, each once a page, divided by 20 000 (or 1 500). As long as there
// were no more different ones than that, it is 0. Contrasts are of the pages since a word got its
// place. At least three pages support a suggestion for certain. Text and
// Entity, counted in a few words' memory each, are the most frequent ones where one holds more than
// half (or a quarter) of the pages, else frequent ones. Examples are early pages, of a word not the first.
//
// What was decided is not suggested again.
func (f *Focus) Suggestions(context.Context) ([]orbweaver.Suggestion, error) {
	k := f.now.Load()
	pairs := best(f.suggestPairs(k), pairSuggestions)
	words := distinctWords(f.suggestWords(k), maxSuggestions-len(pairs))
	all := append(words, pairs...)
	slices.SortStableFunc(all, compareSuggested)
	out := make([]orbweaver.Suggestion, 0, len(all))
	ids := make(map[string]bool, len(all))
	for _, s := range all {
		if !ids[s.ID] { // two with one ID cannot be distinguished
			ids[s.ID] = true
			out = append(out, s.Suggestion)
		}
	}
	return out, nil
}

// suggested is a suggestion and what it is worth.
type suggested struct {
	orbweaver.Suggestion
	worth float64
}

func compareSuggested(a, b suggested) int {
	return cmp.Or(cmp.Compare(b.worth, a.worth), cmp.Compare(b.Count, a.Count), cmp.Compare(a.ID, b.ID))
}

func best(of []suggested, n int) []suggested {
	slices.SortFunc(of, compareSuggested)
	return of[:min(n, len(of))]
}

// idOf is the id of a key of some kind: eight hexadecimal digits.
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
		if slot.support() < minSupport || w.form == "" || g.isNoise(i) || isEntry(m, w.form) {
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

// isEntry reports whether a word or phrase has become an entry since it was counted.
func isEntry(m *text.Matcher, form string) bool {
	m.Forget()
	matches := m.Match(form)
	return len(matches) == 1 && matches[0].Start == 0 && matches[0].End == len(form)
}

// given returns the addresses there are.
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

// distinctWords returns the n best words and phrases, except those that most pages contain within one longer phrase:
// of "operating", "system" and "operating system" only the last.
func distinctWords(all []suggested, n int) []suggested {
	slices.SortFunc(all, compareSuggested)
	longer := map[string]int64{} // by part, in lower case: the greatest count of a phrase that has it
	for _, s := range all {
		for _, part := range parts(s.Text) {
			longer[part] = max(longer[part], s.Count)
		}
	}
	kept := all[:0]
	for _, s := range all {
		if len(kept) < n && float64(longer[strings.ToLower(s.Text)]) <= sameShare*float64(s.Count) {
			kept = append(kept, s)
		}
	}
	return kept
}

// parts returns the words and shorter phrases within a phrase, in lower case.
func parts(phrase string) (all []string) {
	phrase = strings.ToLower(phrase)
	cut := func(r rune) bool { return r == ' ' || r == '-' }
	first, last := strings.IndexFunc(phrase, cut), strings.LastIndexFunc(phrase, cut)
	if first < 0 {
		return nil
	}
	all = append(all, phrase[:first], phrase[last+1:])
	if first != last {
		all = append(all, phrase[:last], phrase[first+1:], phrase[first+1:last])
	}
	return all
}
