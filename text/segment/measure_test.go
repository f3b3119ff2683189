package segment

import (
	"sync"
	"testing"
)

// A span is the extent of a token or a sentence, as in the CoNLL 2018 evaluation.
type span struct{ start, end int32 }

// f1 returns the F1 of the found spans against the truth, both in order, in percent.
func f1(truth, found []span) float64 {
	right := 0
	for i, j := 0, 0; i < len(truth) && j < len(found); {
		switch a, b := truth[i], found[j]; {
		case a == b:
			right++
			i++
			j++
		case a.start < b.start || a.start == b.start && a.end < b.end:
			i++
		default:
			j++
		}
	}
	return 200 * float64(right) / float64(len(truth)+len(found))
}

func spansOf(tokens []Token, sentences []Sentence) (t, s []span) {
	for _, x := range tokens {
		t = append(t, span{x.Start, x.End})
	}
	for _, x := range sentences {
		s = append(s, span{tokens[x.First].Start, tokens[x.End-1].End})
	}
	return t, s
}

// measure returns the F1 of tokens and of sentences on a part of the treebanks.
func measure(s *Segmenter, gold Sample) (tokens, sentences float64) {
	goldTokens, goldSentences := spansOf(gold.Tokens, gold.Sentences)
	foundTokens, foundSentences := spansOf(s.Append(gold.Text, nil, nil))
	return f1(goldTokens, foundTokens), f1(goldSentences, foundSentences)
}

// learned returns the model trained on the treebank's training part, once.
func learned(tb testing.TB) *Model {
	tb.Helper()
	train := treebank(tb, "train")
	trained.Do(func() {
		var err error
		if trained.Model, err = Learn("en", train); err != nil {
			tb.Fatal(err)
		}
	})
	return trained.Model
}

var trained struct {
	sync.Once
	*Model
}

// The thresholds are up to half a point below the measured values.
func TestTreebanks(t *testing.T) {
	m := learned(t)
	b, err := m.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	if m, err = Parse(b); err != nil {
		t.Fatal(err)
	}
	t.Logf("the model has %d bytes", len(b))
	for _, tc := range []struct {
		part              string
		tokens, sentences float64 // learned
		byRule, ends      float64
	}{
		{"dev", 98.8, 88.8, 98.7, 81.2},
		{"test", 98.8, 87.5, 98.7, 79.2},
		{"pud", 99.4, 97.5, 99.4, 98.1},
	} {
		gold := treebank(t, tc.part)
		tokens, sentences := measure(m.Segmenter(), gold)
		byRule, ends := measure(For("en"), gold)
		t.Logf("%s: learned: tokens %.2f, sentences %.2f; by rule: %.2f, %.2f", tc.part, tokens, sentences, byRule, ends)
		if tokens < tc.tokens || sentences < tc.sentences || byRule < tc.byRule || ends < tc.ends {
			t.Errorf("%s: below %v", tc.part, tc)
		}
	}
}

func benchmark(b *testing.B, s *Segmenter) {
	text := treebank(b, "dev").Text
	tokens, sentences := s.Append(text, nil, nil)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		tokens, sentences = s.Append(text, tokens[:0], sentences[:0])
	}
}

func BenchmarkByRule(b *testing.B)  { benchmark(b, For("en")) }
func BenchmarkLearned(b *testing.B) { benchmark(b, learned(b).Segmenter()) }

func BenchmarkLearn(b *testing.B) {
	train := treebank(b, "train")
	for b.Loop() {
		if _, err := Learn("en", train); err != nil {
			b.Fatal(err)
		}
	}
}
