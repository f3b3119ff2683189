// Package pipeline reads a text once, from its bytes to what it speaks of: sentences, tokens, parts of
// speech, lemmas, entities, noun phrases, nouns.
//
// It joins the parts below text and adds little of its own: a chunk grammar for noun phrases, and a
// small recogniser of what kind of thing a name is the name of. What was learned of a language comes
// from one model file; without it the tags are prose's, and sentences and lemmas are by rule. A text in
// another language than the model's is read as far as possible, and the Document says how far.
//
// The same pipeline, text and language give the same Document always. A text costs time linear in its
// length, but for sorting, and memory of a small multiple of it; a token costs no allocation of its
// own, unless its lemma is no part of it and not known.
package pipeline

import (
	"errors"
	"fmt"
	"sync"

	"orbweaver/text"
	"orbweaver/text/lemma"
	"orbweaver/text/link"
	"orbweaver/text/segment"
	"orbweaver/text/tag"
	"orbweaver/text/tag/prose"
)

// The sections of a model that are this package's; the others are those of tag and lemma.
const (
	SegmentSection  = "segment"  // a segment.Model
	LanguageSection = "language" // a primary language subtag
)

// lemmaSection is lemma's; a model may be without it.
const lemmaSection = "lemma"

// ErrLanguage says that there is nothing to tag a language with.
var ErrLanguage = errors.New("no tagger for this language")

// Options say what a pipeline is made of. The zero Options read English, without a model and entities.
type Options struct {
	Model      *tag.Model      // nil: prose's tagger, sentences and lemmas by rule
	Gazetteer  *link.Gazetteer // nil: no mentions
	Confidence float64         // that a mention needs, 0 to 1; 0: 0.5
	Language   string          // of the model (BCP 47); empty: as it says, else English

	// Type tells what an entity is, "PERSON" say, by its IRI; "" where it is not known: then its name
	// tells. It is called by many goroutines. nil: names tell.
	Type func(iri string) string
}

// A Pipeline reads texts. It never changes: any number of goroutines may share it.
type Pipeline struct {
	language string // primary subtag
	segments *segment.Segmenter
	foreign  *segment.Segmenter // for all other languages
	tagger   tagger
	lemmas   *lemma.Lemmatizer
	typeOf   func(iri string) string
	linked   bool
	stemmers text.Stemmers
	desks    sync.Pool // of *desk
}

// A tagger gives the words of a sentence their tags.
type tagger interface {
	Append(words []string, tags []tag.Tag) []tag.Tag
}

// New returns a pipeline. Errors wrap tag.ErrModel, segment.ErrModel or ErrLanguage.
func New(o Options) (*Pipeline, error) {
	language, err := languageOf(o)
	if err != nil {
		return nil, err
	}
	p := &Pipeline{language: language, foreign: segment.For("mul"), typeOf: o.Type, linked: o.Gazetteer != nil}
	if err := p.learn(o.Model); err != nil {
		return nil, err
	}
	if o.Confidence == 0 {
		o.Confidence = 0.5
	}
	p.desks.New = func() any {
		d := &desk{}
		if o.Gazetteer != nil {
			d.linker = link.NewLinker(o.Gazetteer, link.Options{Confidence: o.Confidence})
		}
		return d
	}
	return p, nil
}

// Load returns a pipeline by the model in a file. Errors name it, and are those of New and
// tag.LoadModel; o.Model is not looked at.
func Load(path string, o Options) (*Pipeline, error) {
	var err error
	if o.Model, err = tag.LoadModel(path); err != nil {
		return nil, err
	}
	p, err := New(o)
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", path, err)
	}
	return p, nil
}

// Language returns the language that the pipeline has a model for, a primary subtag.
func (p *Pipeline) Language() string { return p.language }

// languageOf returns the language of the options, which is that of their model.
func languageOf(o Options) (string, error) {
	language, learned := text.Primary(o.Language), ""
	if o.Model != nil {
		data, _ := o.Model.Section(LanguageSection)
		learned = text.Primary(string(data))
	}
	switch {
	case language == "" && learned == "":
		return "en", nil
	case language == "":
		return learned, nil
	case learned != "" && learned != language:
		return "", fmt.Errorf("%w: %q, the model is for %q", ErrLanguage, language, learned)
	case o.Model == nil && language != "en":
		return "", fmt.Errorf("%w: %q, and no model", ErrLanguage, language)
	}
	return language, nil
}

// learn takes what is in a model, and rules for what is not.
func (p *Pipeline) learn(m *tag.Model) (err error) {
	p.segments, p.lemmas = segment.For(p.language), lemma.New()
	if m == nil {
		p.tagger, err = prose.New()
		return err
	}
	if p.tagger, err = tag.NewTagger(m); err != nil {
		return err
	}
	if data, ok := m.Section(SegmentSection); ok {
		learned, err := segment.Parse(data)
		if err != nil {
			return fmt.Errorf("section %s: %w", SegmentSection, err)
		}
		p.segments = learned.Segmenter()
	}
	if _, ok := m.Section(lemmaSection); ok {
		p.lemmas, err = lemma.Open(m)
	}
	return err
}
