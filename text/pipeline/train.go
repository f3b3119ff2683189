package pipeline

import (
	"context"
	"strings"

	"orbweaver/text"
	"orbweaver/text/conllu"
	"orbweaver/text/lemma"
	"orbweaver/text/segment"
	"orbweaver/text/tag"
)

// A Trainer trains a pipeline's model on a treebank with Penn tags (XPOS). The same sentences in the same order with
// the same options give the same model. It is not safe for concurrent use and serves one Train.
type Trainer struct {
	language string
	tags     *tag.Trainer
	lemmas   *lemma.Trainer
	sample   segment.Builder
	words    []string
	given    []tag.Tag
}

// NewTrainer returns a Trainer for a language (BCP 47) without sentences. The dictionary among the options serves
// tags and lemmas.
func NewTrainer(language string, o tag.Options) *Trainer {
	return &Trainer{language: text.Primary(language), tags: tag.NewTrainer(o), lemmas: lemma.NewTrainer(o.Dictionary)}
}

// Add adds a sentence.
func (t *Trainer) Add(s *conllu.Sentence) {
	t.words, t.given = t.words[:0:0], t.given[:0:0] // the tag trainer may keep them
	for _, w := range s.Words {
		given, _ := tag.Parse(w.XPOS)
		t.words, t.given = append(t.words, w.Form), append(t.given, given)
		t.lemmas.Add(w.Form, given, w.Lemma)
	}
	t.tags.Add(t.words, t.given)
	addTo(&t.sample, s)
}

// Train builds the model. Errors are those of ctx, or wrap segment.ErrNothing.
func (t *Trainer) Train(ctx context.Context) (*tag.Model, error) {
	segments, err := segment.Learn(t.language, t.sample.Sample())
	if err != nil {
		return nil, err
	}
	data, err := segments.AppendBinary(nil)
	if err != nil {
		return nil, err
	}
	m := &tag.Model{}
	m.Put(SegmentSection, data)
	m.Put(LanguageSection, []byte(t.language))
	t.lemmas.Train(m)
	return m, t.tags.Train(ctx, m)
}

// addTo adds a sentence to a sample, and returns each token's word, -1 for a token of several words, since their
// forms do not compose it.
func addTo(b *segment.Builder, s *conllu.Sentence) (words []int) {
	if s.Document || s.Paragraph {
		b.EndBlock()
	}
	add := func(form string, joined bool, word int) {
		b.Add(form, !joined)
		words = append(words, word)
	}
	spans := s.Spans
	for i := 0; i < len(s.Words); i++ {
		if len(spans) == 0 || spans[0].First != i {
			add(s.Words[i].Form, s.Words[i].Joined, i)
			continue
		}
		span := spans[0]
		spans = spans[1:]
		var forms strings.Builder
		for _, w := range s.Words[span.First : span.Last+1] {
			forms.WriteString(w.Form)
		}
		if forms.String() != span.Form {
			add(span.Form, span.Joined, -1)
		} else {
			for j := span.First; j <= span.Last; j++ {
				add(s.Words[j].Form, j < span.Last || span.Joined, j)
			}
		}
		i = span.Last
	}
	b.EndSentence()
	return words
}
