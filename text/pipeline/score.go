package pipeline

import (
	"strings"

	"orbweaver/text/conllu"
	"orbweaver/text/segment"
	"orbweaver/text/tag"
)

// A Score is a pipeline's agreement with a treebank, in percent.
type Score struct {
	Words int // of the treebank

	// Of the raw text, F1 as in the CoNLL 2018 shared task: a token or sentence is right if its bounds are those of
	// one in the treebank, a tag or lemma if its token is right too.
	Tokens, Sentences, Tags, Lemmas float64

	// With the treebank's own sentences and tokens, the share of right words; lemmas by the predicted tags.
	GivenTags, GivenLemmas float64
}

// A Test compares a pipeline with a treebank. It is not safe for concurrent use.
type Test struct {
	pipeline *Pipeline
	sample   segment.Builder
	truth    []conllu.Word // per token; empty where a token is several words
	tags     share
	lemmas   share
	words    []string
	found    []tag.Tag
}

// A share counts right answers.
type share struct{ right, of int }

func (s *share) add(right bool) {
	s.of++
	if right {
		s.right++
	}
}

func (s share) percent() float64 { return 100 * float64(s.right) / float64(max(s.of, 1)) }

// NewTest returns a test of a pipeline without sentences.
func NewTest(p *Pipeline) *Test { return &Test{pipeline: p} }

// Add adds a sentence.
func (t *Test) Add(s *conllu.Sentence) {
	t.words = t.words[:0]
	for _, w := range s.Words {
		t.words = append(t.words, w.Form)
	}
	t.found = t.pipeline.tagger.Append(t.words, t.found[:0])
	for i, w := range s.Words {
		if want, ok := tag.Parse(w.XPOS); ok {
			t.tags.add(want == t.found[i])
		}
		if w.Lemma != "" {
			t.lemmas.add(t.pipeline.lemmas.Lemma(w.Form, t.found[i]) == lemmaOf(w))
		}
	}
	for _, word := range addTo(&t.sample, s) {
		if word < 0 {
			t.truth = append(t.truth, conllu.Word{})
		} else {
			t.truth = append(t.truth, s.Words[word])
		}
	}
}

// Score analyses the text of all added sentences and compares.
func (t *Test) Score() Score {
	gold := t.sample.Sample()
	d := t.pipeline.Read(gold.Text, "")
	s := Score{Words: t.tags.of, GivenTags: t.tags.percent(), GivenLemmas: t.lemmas.percent()}
	tokens, tags, lemmas := 0, 0, 0
	for i, j := 0, 0; i < len(gold.Tokens) && j < len(d.Tokens); {
		a, b := gold.Tokens[i], &d.Tokens[j]
		if a.Start == b.Start && a.End == b.End {
			tokens++
			if t.truth[i].XPOS != "" && b.Tag.String() == t.truth[i].XPOS {
				tags++
			}
			if b.Lemma == lemmaOf(t.truth[i]) {
				lemmas++
			}
		}
		if a.End <= b.End {
			i++
		}
		if b.End <= a.End {
			j++
		}
	}
	all := len(gold.Tokens) + len(d.Tokens)
	s.Tokens, s.Tags, s.Lemmas = f1(tokens, all), f1(tags, all), f1(lemmas, all)
	s.Sentences = f1(sameSentences(gold, d), len(gold.Sentences)+len(d.Sentences))
	return s
}

// sameSentences counts the sentences with equal bounds.
func sameSentences(gold segment.Sample, d *Document) int {
	found := make(map[segment.Token]bool, len(d.Sentences))
	for _, s := range d.Sentences {
		found[segment.Token{Start: d.Tokens[s.First].Start, End: d.Tokens[s.End-1].End}] = true
	}
	same := 0
	for _, s := range gold.Sentences {
		if found[segment.Token{Start: gold.Tokens[s.First].Start, End: gold.Tokens[s.End-1].End}] {
			same++
		}
	}
	return same
}

// f1 is the F1 in percent; all is the sum of both sides' sizes.
func f1(same, all int) float64 { return 200 * float64(same) / float64(max(all, 1)) }

// lemmaOf returns a treebank's lemma in a Lemmatizer's spelling.
func lemmaOf(w conllu.Word) string {
	return strings.ReplaceAll(strings.ToLower(w.Lemma), "\u2019", "'")
}
