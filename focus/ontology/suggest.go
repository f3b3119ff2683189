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
	sameShare       = 0.8
)

// Suggestions returns what may be missing in the ontology, at most 200, best first: by Count times
// the weight of the entity for the targets, of a pair the lesser weight. They are
//
//   - words, and phrases of two or three of them, that are no entries and stand within ten words of
//     one that names an entity of some weight: Entity is the one that stood nearest on most pages;
//   - pairs of such entities within ten words of each other that are more than two steps apart.
//
// Only pages that name a target are counted, with Min all targets: what is missing is missing there. A
// page counts once, and the first 24 places on it that name an entity of weight are looked at. Left
// out are stop words, numbers, words that stand less than four times as often near entities as on
// pages that name no target, and words that nearly all pages have within one longer phrase.
//
// Counts are kept in bounded memory by Space-Saving sketches, of 5 000 words and 1 500 pairs: the
// true number of pages is at most Count and at least Count − Error, and Error is at most the number
// of words (or pairs) counted so far, each once a page, divided by 5 000 (or 1 500). As long as there
// were no more different ones than that, it is 0. At least three pages support a suggestion for certain. Text and
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
		if !ids[s.ID] { // two of one id are told apart by nobody
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
		if slot.support() < minSupport || w.form == "" || !g.peculiar(i) || isEntry(m, w.form) {
			continue
		}
		entity := w.most()
		weight := k.weights.page[entity]
		id := idOf(orbweaver.SuggestWord, slot.key)
		if weight <= 0 || f.decided[id] {
			continue
		}
		all = append(all, suggested{orbweaver.Suggestion{
			ID: id, Kind: orbweaver.SuggestWord, Text: w.form, Entity: k.ontology.Entity(int(entity)).IRI,
			Count: slot.count, Error: slot.excess, Examples: slices.Clone(given(w.examples)),
		}, float64(slot.count) * weight})
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
		all = append(all, suggested{orbweaver.Suggestion{
			ID: id, Kind: orbweaver.SuggestPair, Text: a.Name + " – " + b.Name, Entity: a.IRI, Other: b.IRI,
			Count: slot.count, Error: slot.excess, Examples: slices.Clone(given(&p.examples)),
		}, float64(slot.count) * weight})
	}
	return all
}

// distinctWords returns the n best words and phrases, but for those of which nearly all pages have
// them within one longer phrase: of "operating", "system" and "operating system" the last is wanted.
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
		if len(kept) < n && float64(longer[strings.ToLower(s.Text)]) < sameShare*float64(s.Count) {
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
