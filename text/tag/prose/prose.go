// Package prose tags words without a trained model, as the tagger of github.com/jdkato/prose does with its built-in English model:
// the model is that module's, packed, and tags are the same. What looks up the model is of this package, and several times as fast.
//
// It is less accurate than a trained model, and lacks the tags of web treebanks for addresses and hyphens.
package prose

import (
	"fmt"
	"sync"

	penn "orbweaver/text/tag"
)

// A Tagger tags the words of sentences. It is safe for concurrent use.
type Tagger struct {
	model    *model
	one, two uint8     // tags before a sentence, the nearer first
	pool     sync.Pool // of *reading
}

// New returns a Tagger. The first call in a process decodes the model.
func New() (*Tagger, error) {
	m, err := english()
	if err != nil {
		return nil, fmt.Errorf("prose: %w", err)
	}
	return &Tagger{model: m, one: m.tagAt("-START-"), two: m.tagAt("-START2-")}, nil
}

// usual is the largest sentence, in words, whose buffer is reused.
const usual = 4096

// Append appends the tags of the words of one sentence to tags. Every word gets one.
func (t *Tagger) Append(words []string, tags []penn.Tag) []penn.Tag {
	r, _ := t.pool.Get().(*reading)
	if r == nil {
		r = new(reading)
	}
	r.read(t.model, words)
	one, two := t.one, t.two
	for i, word := range words {
		tag, n := t.tag(r, i, word, one, two)
		tags = append(tags, tag)
		one, two = n, one
	}
	if len(words) <= usual {
		t.pool.Put(r)
	}
	return tags
}

// tag returns the tag of word i behind two tags, and its number in the model.
func (t *Tagger) tag(r *reading, i int, word string, one, two uint8) (penn.Tag, uint8) {
	m, as := t.model, plain(word)
	if name, ok := fixed(as); ok {
		return pennTag(word, name), m.tagAt(name)
	}
	class, ok := m.surely(r.cells[i+2], as)
	if !ok {
		class = m.predict(r, i, as, one, two)
	}
	if tag, ok := sign(word); ok {
		return tag, class
	}
	return m.penn[class], class
}

// plain returns a sign as written in the model's training text.
func plain(word string) string {
	switch word {
	case "\u201c":
		return "``"
	case "\u201d":
		return "''"
	case "n\u2019t":
		return "n't"
	case "\u2019s":
		return "'s"
	}
	return word
}

// sign returns the tag of a sign that web treebanks tag otherwise.
func sign(word string) (penn.Tag, bool) {
	switch word {
	case "-":
		return penn.HYPH, true
	case "(", "[", "{":
		return penn.LRB, true
	case ")", "]", "}":
		return penn.RRB, true
	}
	return penn.Unknown, false
}

// pennTag returns the Penn tag for a tag of prose.
func pennTag(word, name string) penn.Tag {
	if tag, ok := sign(word); ok {
		return tag
	}
	switch name {
	case "(":
		return penn.LRB
	case ")":
		return penn.RRB
	case "":
		return penn.NN
	}
	if t, ok := penn.Parse(name); ok {
		return t
	}
	return penn.NN
}
