package pipeline

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"orbweaver/text"
	"orbweaver/text/link"
	"orbweaver/text/segment"
	"orbweaver/text/tag"
)

// A workspace holds the buffers with which one goroutine reads a text.
type workspace struct {
	linker *link.Linker
	tokens []segment.Token
	tags   []tag.Tag
	words  []string
	lemmas []string
	names  []string // of tags
	starts []int    // of sentences
	lower  []byte
}

// usual is the largest number of tokens for which a workspace is reused.
const usual = 1 << 17

// Read reads a text in a language (BCP 47; "" and "und": the pipeline's own). A blank line ends a sentence. Text
// beyond 2 GiB is ignored.
func (p *Pipeline) Read(s, lang string) *Document {
	lang = text.Primary(lang)
	if lang == "" {
		lang = p.language
	}
	k := p.workspaces.Get().(*workspace)
	defer p.put(k)
	form := text.FormOf(s)
	d := &Document{Text: form.Text, Lang: lang, typeOf: p.typeOf, form: form}
	if lang == p.language {
		p.segment(k, d, p.segments)
		p.parse(k, d)
	} else {
		by := p.foreign[lang]
		if by == nil {
			by = p.foreign["mul"]
		}
		p.segment(k, d, by)
		p.stem(k, d)
	}
	if k.linker != nil {
		d.Mentions = k.link(d, lang == p.language)
	}
	return d
}

// put returns a workspace to the pool, without references to its text.
func (p *Pipeline) put(k *workspace) {
	if len(k.words) > usual {
		return
	}
	clear(k.words)
	clear(k.lemmas)
	p.workspaces.Put(k)
}

// segment splits the text into sentences and tokens.
func (p *Pipeline) segment(k *workspace, d *Document, by *segment.Segmenter) {
	k.tokens, d.Sentences = by.Append(d.Text, k.tokens[:0], nil)
	d.Tokens = make([]Token, len(k.tokens))
	k.words = k.words[:0]
	for i, t := range k.tokens {
		d.Tokens[i] = Token{Start: t.Start, End: t.End}
		k.words = append(k.words, d.Text[t.Start:t.End])
	}
}

// parse finds tags, lemmas, stop words and noun phrases.
func (p *Pipeline) parse(k *workspace, d *Document) {
	k.tags = k.tags[:0]
	for _, s := range d.Sentences {
		k.tags = p.tagger.Append(k.words[s.First:s.End], k.tags)
	}
	for i := range d.Tokens {
		t := &d.Tokens[i]
		t.Tag = k.tags[i]
		t.Lemma = p.lemmas.Lemma(k.words[i], t.Tag)
		t.Stop = isStop(p.language, k.words[i], t.Tag)
	}
	d.chunk()
}

// stem analyses a text in a language without a model, as far as possible.
func (p *Pipeline) stem(k *workspace, d *Document) {
	d.Degraded = fmt.Sprintf("language %q has no model: tokens and words in lower case only", d.Lang)
	if text.Stemmable(d.Lang) {
		d.Degraded = fmt.Sprintf("language %q has no model: tokens and stems only", d.Lang)
	}
	stemmer := p.stemmers.Get(d.Lang)
	defer p.stemmers.Put(d.Lang, stemmer)
	for i, word := range k.words {
		t := &d.Tokens[i]
		if t.Lemma = word; len(word) > longest || !hasLetter(word) {
			continue
		}
		k.lower = appendLower(k.lower[:0], word)
		if t.Lemma = stemmer.Stem(k.lower); t.Lemma == "" {
			t.Lemma = string(k.lower)
		}
		t.Stop = text.StopWord(d.Lang, k.lower)
	}
}

// longest is the maximum length in bytes of a word that is stemmed.
const longest = 256

// link finds the entities; parsed: tags and lemmas exist.
func (k *workspace) link(d *Document, parsed bool) []link.Mention {
	doc := link.Document{Words: k.words, Lang: d.Lang}
	k.starts = k.starts[:0]
	for _, s := range d.Sentences {
		k.starts = append(k.starts, int(s.First))
	}
	doc.Sentences = k.starts
	if parsed {
		k.lemmas, k.names = k.lemmas[:0], k.names[:0]
		for i := range d.Tokens {
			k.lemmas = append(k.lemmas, d.Tokens[i].Lemma)
			k.names = append(k.names, d.Tokens[i].Tag.String())
		}
		doc.Lemmas, doc.Tags = k.lemmas, k.names
	}
	return k.linker.Link(doc)
}

// isStop reports whether a word is a stop word. A few (US, IT, May, Will) are not if tagged as names.
func isStop(language, word string, t tag.Tag) bool {
	var room [16]byte
	if len(word) > len(room) {
		return false
	}
	lower, small := room[:0], false
	for i := range len(word) {
		c := word[i]
		if c >= utf8.RuneSelf {
			return word == "n\u2019t" || word == "\u2019s"
		}
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		} else {
			small = true
		}
		lower = append(lower, c)
	}
	switch string(lower) {
	case "mr.", "mrs.", "ms.":
		return true
	case "n't", "'s", "'ll", "'re", "'ve", "'m", "'d", "ca", "wo":
		return t.Class() != tag.Name
	}
	if t.Class() == tag.Name && (!small || string(lower) == "may" || string(lower) == "will") {
		return false
	}
	return text.StopWord(language, lower)
}

func hasLetter(s string) bool {
	for _, r := range s {
		if unicode.IsLetter(r) {
			return true
		}
	}
	return false
}

// hasSound reports whether a word has a letter or digit: some taggers tag signs as nouns.
func hasSound(s string) bool {
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return true
		}
	}
	return false
}

func appendLower(b []byte, s string) []byte {
	for _, r := range s {
		b = utf8.AppendRune(b, unicode.ToLower(r))
	}
	return b
}
