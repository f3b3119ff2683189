package lemma

import (
	"fmt"

	"orbweaver/text/tag"
)

// lemmaSection is the section of a lemmatizer in a model.
const lemmaSection = "lemma"

// New returns a Lemmatizer with the common irregular forms and the rules.
func New() *Lemmatizer {
	l := &Lemmatizer{words: map[string]*word{}}
	l.addCommon()
	return l
}

// Open reads the lemmatizer of a model. Errors wrap tag.ErrModel.
func Open(m *tag.Model) (*Lemmatizer, error) {
	data, ok := m.Section(lemmaSection)
	if !ok {
		return nil, fmt.Errorf("%w: it has no section %s", tag.ErrModel, lemmaSection)
	}
	l, err := read(tag.NewDecoder(data))
	if err != nil {
		return nil, fmt.Errorf("section %s: %w", lemmaSection, err)
	}
	return l, nil
}

func read(d *tag.Decoder) (*Lemmatizer, error) {
	n := d.Count(4) // least size of a word in bytes
	l := &Lemmatizer{words: make(map[string]*word, n)}
	words := make([]word, n)
	last := ""
	for i := range words {
		w := &words[i]
		form, ok := readString(d, last)
		if !ok || form <= last && i > 0 {
			return nil, fmt.Errorf("%w: word %d is out of place", tag.ErrModel, i)
		}
		w.form, w.classes = form, tag.Classes(d.Byte())
		for range int(d.Byte()) {
			tags := d.Uvarint()
			lemma, ok := readString(d, form)
			if !ok {
				return nil, fmt.Errorf("%w: a lemma of %q is broken", tag.ErrModel, form)
			}
			w.cases = append(w.cases, reading{tags, lemma})
		}
		l.words[form] = w
		last = form
	}
	if err := d.End(); err != nil {
		return nil, err
	}
	return l, nil
}

// readString reads a prefix-compressed string.
func readString(d *tag.Decoder, other string) (string, bool) {
	n := int(d.Byte())
	rest := d.Bytes(int(d.Byte()))
	if d.Failed() || n > len(other) || n+len(rest) > maxWord {
		return "", false
	}
	if len(rest) == 0 {
		return other[:n], true
	}
	return other[:n] + string(rest), true
}
