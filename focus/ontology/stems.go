package ontology

import (
	"iter"
	"unicode/utf8"

	"orbweaver"
	"orbweaver/text"
)

const (
	maxStems = 16 // per request
	maxStem  = 32 // bytes; longer words do not recur
)

// stems are the distinct stems of the words in the anchors of one request's links, in order of first
// occurrence, at most maxStems of them. A Note holds them in this form: each is preceded by a byte with its
// length.
type stems []byte

// all iterates over the stems, which must not be modified.
func (s stems) all() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for len(s) > 0 {
			end := 1 + int(s[0])
			if !yield(s[1:end:end]) {
				return
			}
			s = s[end:]
		}
	}
}

// valid reports whether decoded bytes are stems, as far as all and add require.
func (s stems) valid() bool {
	for n := 0; len(s) > 0; n++ {
		if n == maxStems || !proper(len(s[1:]), int(s[0])) {
			return false
		}
		s = s[1+int(s[0]):]
	}
	return true
}

// proper reports whether space bytes can hold a stem of a length.
func proper(space, length int) bool { return 0 < length && length <= min(space, maxStem) }

// add appends a stem to a list in which a request's stems start at from. It skips invalid and duplicate
// stems, and those beyond maxStems.
func (s stems) add(from int, stem []byte) stems {
	if !proper(len(stem), len(stem)) {
		return s
	}
	n := 0
	for at := from; at < len(s); at += 1 + int(s[at]) {
		if n++; n == maxStems || string(s[at+1:at+1+int(s[at])]) == string(stem) {
			return s
		}
	}
	return append(append(s, byte(len(stem))), stem...)
}

// read appends the stems of an anchor's first words to a list in which a request's stems start at from.
func (s stems) read(from int, anchor string, c *counter, stemmer *text.Stemmer) stems {
	c.words.Reset(anchor)
	for n := 0; n < maxStems && c.words.Next(); n++ {
		if c.b = stemmer.Append(c.b[:0], c.words.Word()); utf8.Valid(c.b) {
			s = s.add(from, c.b)
		}
	}
	return s
}

// prepareStems reads the anchors of each target's links.
func (c *counter) prepareStems(found *findings, p *orbweaver.Page, stemmer *text.Stemmer) {
	found.stems = make(stems, 0, 16*len(found.Targets))
	for _, first := range found.Targets {
		from := len(found.stems)
		for l := range found.To(first) {
			found.stems = found.stems.read(from, p.Links[l.At].Anchor, c, stemmer)
		}
		found.ends = append(found.ends, int32(len(found.stems)))
	}
}

// stemsOf returns the stems of the target at a position.
func (found *findings) stemsOf(target int) stems {
	if len(found.ends) == 0 {
		return nil
	}
	from := int32(0)
	if target > 0 {
		from = found.ends[target-1]
	}
	return found.stems[from:found.ends[target]]
}
