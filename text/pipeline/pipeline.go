// Package pipeline analyses a text in one pass, from its bytes to its entities: sentences, tokens, parts of speech,
// lemmas, entities, noun phrases, nouns.
//
// It joins the packages below text and adds a chunk grammar for noun phrases and a small recogniser of name types. A
// language's learned parameters come from one model file; without it the tags are prose's, and sentences and lemmas
// come from rules. A text in another language than the model's is analysed as far as possible; the Document says how
// far.
//
// The Document is determined by pipeline, text and language. Time is linear in the text's length except for sorting,
// memory a small multiple of it; a token allocates nothing unless its lemma is new and not a part of it.
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

// The model sections of this package; the others belong to tag and lemma.
const (
	SegmentSection  = "segment"  // a segment.Model
	LanguageSection = "language" // a primary language subtag
)

// lemmaSection is lemma's; optional in a model.
const lemmaSection = "lemma"

// ErrLanguage means that no tagger exists for a language.
var ErrLanguage = errors.New("no tagger for this language")

// Options configure a pipeline. The zero Options read English without a model or entities.
type Options struct {
	Model      *tag.Model      // nil: prose's tagger, sentences and lemmas by rule
	Gazetteer  *link.Gazetteer // nil: no entity linking
	Confidence float64         // least similarity of a mention, 0 to 1; 0: 0.5
	Language   string          // of the model (BCP 47); empty: the model's own, else English

	// Type returns the type of an entity by its IRI, such as "PER"; "" if unknown: then its name decides. It must
	// be safe for concurrent use. nil: names decide.
	Type func(iri string) string
}

// A Pipeline reads texts. It is immutable and safe for concurrent use.
type Pipeline struct {
	language   string // primary subtag
	segments   *segment.Segmenter
	foreign    map[string]*segment.Segmenter // of other languages; "mul": of those without rules
	tagger     tagger
	lemmas     *lemma.Lemmatizer
	typeOf     func(iri string) string
	linked     bool
	stemmers   text.Stemmers
	workspaces sync.Pool // of *workspace
}

// A tagger tags the words of a sentence.
type tagger interface {
	Append(words []string, tags []tag.Tag) []tag.Tag
}

// New returns a pipeline. Errors wrap tag.ErrModel, segment.ErrModel or ErrLanguage.
func New(o Options) (*Pipeline, error) {
	language, err := languageOf(o)
	if err != nil {
		return nil, err
	}
	p := &Pipeline{language: language, foreign: map[string]*segment.Segmenter{}, typeOf: o.Type, linked: o.Gazetteer != nil}
	for _, lang := range []string{"en", "de", "mul"} {
		p.foreign[lang] = segment.For(lang)
	}
	if err := p.learn(o.Model); err != nil {
		return nil, err
	}
	if o.Confidence == 0 {
		o.Confidence = 0.5
	}
	p.workspaces.New = func() any {
		d := &workspace{}
		if o.Gazetteer != nil {
			d.linker = link.NewLinker(o.Gazetteer, link.Options{Confidence: o.Confidence})
		}
		return d
	}
	return p, nil
}

// Load returns a pipeline with the model in a file. Errors name the file and are those of New and tag.LoadModel;
// o.Model is ignored.
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

// Language returns the language of the pipeline's model, a primary subtag.
func (p *Pipeline) Language() string { return p.language }

// languageOf returns the language of the options, that of their model.
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
		return "", fmt.Errorf("%w: %q; the model is for %q", ErrLanguage, language, learned)
	case o.Model == nil && language != "en":
		return "", fmt.Errorf("%w: %q, and no model", ErrLanguage, language)
	}
	return language, nil
}

// learn loads what the model contains and uses rules for the rest.
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
