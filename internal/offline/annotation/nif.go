package annotation

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"orbweaver/rdf"
	"orbweaver/rdf/syntax/turtle"
	"orbweaver/text/link"
	"orbweaver/text/segment"
)

// Namespaces of NIF 2.0.
const (
	nif     = "http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#"
	itsrdf  = "http://www.w3.org/2005/11/its/rdf#"
	rdfType = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
)

// textNIF writes NIF 2.0 as Turtle: each string is a resource, named by its character range (RFC 5147).
type textNIF struct {
	out *turtle.Writer
	err error

	doc     *textDocument
	context rdf.Term
	bytes   int // bytes of the text counted so far
	runes   int // characters in them
}

func (t *textNIF) close() error { return t.out.Close() }

func (t *textNIF) write(d *textDocument) error {
	t.doc, t.bytes, t.runes = d, 0, 0
	t.context = t.named(0, utf8.RuneCountInString(d.Text))
	t.span(t.context, 0, utf8.RuneCountInString(d.Text), "Context")
	t.say(t.context, nif+"isString", rdf.NewString(d.Text))
	for i, s := range d.Sentences {
		from := t.count(int(d.Tokens[s.First].Start))
		starts := make([]int, 0, s.End-s.First+1) // of the tokens, and their ends
		ends := make([]int, 0, s.End-s.First)
		for _, token := range d.Tokens[s.First:s.End] {
			starts, ends = append(starts, t.count(int(token.Start))), append(ends, t.count(int(token.End)))
		}
		sentence := t.named(from, ends[len(ends)-1])
		t.span(sentence, from, ends[len(ends)-1], "Sentence")
		t.anchor(sentence, d.Between(int(s.First), int(s.End)-1))
		t.sentence(sentence, d.Sentences[i], starts, ends)
	}
	t.out.Settle()
	return t.err
}

// sentence writes the words and mentions of a sentence.
func (t *textNIF) sentence(sentence rdf.Term, s segment.Sentence, starts, ends []int) {
	d, first := t.doc, int(s.First)
	for i := first; i < int(s.End); i++ {
		word := t.named(starts[i-first], ends[i-first])
		t.span(word, starts[i-first], ends[i-first], "Word")
		t.anchor(word, d.Of(i))
		t.say(word, nif+"sentence", sentence)
		if k := &d.Tokens[i]; k.Tag.String() != "" {
			t.say(word, nif+"posTag", rdf.NewString(k.Tag.String()))
			t.say(word, nif+"lemma", rdf.NewString(k.Lemma))
		} else {
			t.say(word, nif+"stem", rdf.NewString(k.Lemma))
		}
		m := mentionEnding(d, i)
		if m == nil || m.First < first {
			continue
		}
		if m.First < i {
			word = t.named(starts[m.First-first], ends[i-first])
			t.span(word, starts[m.First-first], ends[i-first], "Phrase")
			t.anchor(word, d.Between(m.First, i))
		}
		t.say(word, itsrdf+"taIdentRef", rdf.NewIRI(escaped(m.IRI)))
		t.say(word, itsrdf+"taConfidence", rdf.NewTyped(strconv.FormatFloat(m.Similarity, 'f', 4, 64), strings.Replace(rdf.XSDString, "string", "decimal", 1)))
	}
}

// mentionEnding returns the mention that ends with a token, nil for none.
func mentionEnding(d *textDocument, i int) *link.Mention {
	at, found := slices.BinarySearchFunc(d.Mentions, i, func(m link.Mention, i int) int { return cmp.Compare(m.Last, i) })
	if !found {
		return nil
	}
	return &d.Mentions[at]
}

// say writes a statement unless an earlier one failed.
func (t *textNIF) say(s rdf.Term, p string, o rdf.Term) {
	if t.err == nil {
		if t.err = t.out.Write(rdf.Triple{S: s, P: rdf.NewIRI(p), O: o}); t.err != nil {
			t.err = fmt.Errorf("%s: %w", t.doc.name, t.err)
		}
	}
}

// named returns the resource for a byte range of the text.
func (t *textNIF) named(from, to int) rdf.Term {
	return rdf.NewIRI(fmt.Sprintf("%s#char=%d,%d", t.doc.base, from, to))
}

// span writes the class and the character range of a string.
func (t *textNIF) span(s rdf.Term, from, to int, class string) {
	index := strings.Replace(rdf.XSDString, "string", "nonNegativeInteger", 1)
	t.say(s, rdfType, rdf.NewIRI(nif+class))
	t.say(s, rdfType, rdf.NewIRI(nif+"RFC5147String"))
	t.say(s, nif+"beginIndex", rdf.NewTyped(strconv.Itoa(from), index))
	t.say(s, nif+"endIndex", rdf.NewTyped(strconv.Itoa(to), index))
}

// anchor writes the context and the text of a string.
func (t *textNIF) anchor(s rdf.Term, text string) {
	t.say(s, nif+"referenceContext", t.context)
	t.say(s, nif+"anchorOf", rdf.NewString(text))
}

// count returns the number of characters before a byte offset. Offsets must not decrease from call to
// call.
func (t *textNIF) count(at int) int {
	t.runes += utf8.RuneCountInString(t.doc.Text[t.bytes:at])
	t.bytes = at
	return t.runes
}
