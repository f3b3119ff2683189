// Package prose tags words without a trained model, with the tagger and the built-in English model of
// github.com/jdkato/prose.
//
// It is less accurate than a trained model, and lacks the tags of web treebanks for addresses and hyphens.
package prose

import (
	"fmt"
	"sync"

	"github.com/jdkato/prose/v3/tag"
	"github.com/jdkato/prose/v3/token"

	penn "orbweaver/text/tag"
)

// A Tagger tags the words of sentences. It is safe for concurrent use.
type Tagger struct {
	tagger *tag.Tagger
	pool   sync.Pool // of *[]token.Token
}

// New returns a Tagger. The first call in a process decodes the model.
func New() (*Tagger, error) {
	tagger, err := tag.New()
	if err != nil {
		return nil, fmt.Errorf("prose: %w", err)
	}
	return &Tagger{tagger: tagger}, nil
}

// usual is the largest sentence, in words, whose buffer is reused.
const usual = 4096

// Append appends the tags of the words of one sentence to tags. Every word gets one.
func (t *Tagger) Append(words []string, tags []penn.Tag) []penn.Tag {
	tokens, _ := t.pool.Get().(*[]token.Token)
	if tokens == nil {
		tokens = new([]token.Token)
	}
	*tokens = (*tokens)[:0]
	for _, word := range words {
		*tokens = append(*tokens, token.Token{Text: plain(word)})
	}
	t.tagger.TagTokens(*tokens)
	for i, word := range words {
		tags = append(tags, pennTag(word, (*tokens)[i].Tag))
	}
	if len(words) <= usual {
		clear(*tokens)
		t.pool.Put(tokens)
	}
	return tags
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

// pennTag returns the Penn tag for a tag of prose.
func pennTag(word, name string) penn.Tag {
	switch word {
	case "-":
		return penn.HYPH
	case "(", "[", "{":
		return penn.LRB
	case ")", "]", "}":
		return penn.RRB
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
