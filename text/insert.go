package text

import (
	"slices"
	"strings"
)

// An insertion fills a table.
type insertion struct {
	*table
	stemmer *Stemmer
	words   Scanner
	path    []uint32
	stem    []byte
}

// insert adds the phrase with a number; words hold its cares, nil if spelling does not matter.
func (t *insertion) insert(number int32, words []written) {
	p := t.forms.phrases[number].Text
	t.path = t.number(t.path[:0], p)
	if len(t.path) == 0 {
		return
	}
	at := t.reach(t.path)
	if words == nil {
		if t.nodes[at].form < 0 {
			t.nodes[at].form = t.forms.grow()
		}
		t.forms.add(t.nodes[at].form, number)
		return
	}
	form := t.spell(at, number, words, -1)
	if last := words[len(words)-1]; last.care == asIs || last.care == literal { // GPSs, whose stem is another
		plural := t.number(nil, last.text+"s")
		if len(plural) == 1 && plural[0] != t.path[len(t.path)-1] {
			t.path[len(t.path)-1] = plural[0]
			t.spell(t.reach(t.path), number, words, form)
		}
	}
}

// number appends the numbers of a phrase's stems, numbering new ones; nil if it is too long.
func (t *insertion) number(dst []uint32, phrase string) []uint32 {
	for t.words.Reset(phrase); t.words.Next(); {
		if len(dst) == maxPhrase {
			return nil
		}
		t.stem = t.stemmer.Append(t.stem[:0], t.words.Word())
		n := t.stems[string(t.stem)]
		if n == 0 {
			n = t.learn(string(t.stem))
		}
		dst = append(dst, n)
		if t.lang == "de" && !t.folded {
			if plain, ok := withoutUmlauts(string(t.words.Word())); ok {
				t.alias(string(t.stemmer.Append(nil, []byte(plain))), n)
			}
		}
	}
	return dst
}

// learn numbers a new stem.
func (t *insertion) learn(stem string) uint32 {
	n := uint32(len(t.first))
	t.stems[stem] = n
	t.first = append(t.first, 0)
	if t.starts != nil {
		t.starts.add(stem)
	}
	if t.folded {
		return n
	}
	if t.lang == "ar" {
		for prefix := range arabicPrefixes() {
			t.alias(prefix+stem, n)
		}
	}
	for _, particle := range koreanParticles(stem) {
		t.alias(stem+particle, n)
	}
	return n
}

// alias maps a string to a stem, unless the string is a stem itself.
func (t *insertion) alias(of string, stem uint32) {
	if t.aliases == nil {
		t.aliases = map[string]uint32{}
	}
	if t.aliases[of] == 0 {
		t.aliases[of] = stem
	}
}

// reach returns the node at the end of a path.
func (t *insertion) reach(path []uint32) uint32 {
	at := t.first[path[0]]
	if at == 0 {
		at = t.grow()
		t.first[path[0]] = at
	}
	for _, stem := range path[1:] {
		t.nodes[at].more = true
		key := uint64(at)<<32 | uint64(stem)
		child := t.next[key]
		if child == 0 {
			child = t.grow()
			t.next[key] = child
		}
		at = child
	}
	return at
}

// spell adds a phrase with a required spelling. form is the form of another path to it, -1 for none; spell returns
// its own.
func (t *insertion) spell(at uint32, phrase int32, words []written, form int32) int32 {
	last := int32(-1)
	for i := t.nodes[at].careful; i >= 0; i = t.careful[i].next {
		if slices.Equal(t.careful[i].words, words) {
			if form < 0 {
				t.forms.add(t.careful[i].form, phrase)
			}
			return t.careful[i].form
		}
		last = i
	}
	if form < 0 {
		form = t.forms.grow()
		t.forms.add(form, phrase)
	}
	n := int32(len(t.careful))
	if last < 0 {
		t.nodes[at].careful = n
	} else {
		t.careful[last].next = n
	}
	common := len(words) == 1 && StopWord(t.lang, []byte(strings.ToLower(words[0].text)))
	label := strings.TrimSpace(spelt(t.forms.phrases[phrase].Text))
	t.careful = append(t.careful, spelling{
		words: slices.Clone(words), form: form, next: -1, common: common, dense: dense(label), label: label,
	})
	return form
}
