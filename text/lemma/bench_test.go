package lemma_test

import (
	"context"
	"testing"

	"orbweaver/text/conllu"
	"orbweaver/text/lemma"
	"orbweaver/text/tag"
	"orbweaver/text/tag/prose"
)

// BenchmarkTokens measures tags, lemmas and both, in tokens a second, on one goroutine. The model comes from
// a short training on the whole treebank: it has the size of a fully trained one.
func BenchmarkTokens(b *testing.B) {
	var m tag.Model
	d := dictionary(b)
	trainer := tag.NewTrainer(tag.Options{Epochs: 3, Rounds: 1, Dictionary: d})
	treebank(b, "train.conllu", func(s *conllu.Sentence) { trainer.Add(tagged(s)) })
	if err := trainer.Train(context.Background(), &m); err != nil {
		b.Fatal(err)
	}
	tagger, err := tag.NewTagger(&m)
	if err != nil {
		b.Fatal(err)
	}
	l := learn(b, &m, d)
	fallback, err := prose.New()
	if err != nil {
		b.Fatal(err)
	}
	var all [][]string
	tokens := 0
	treebank(b, "dev.conllu", func(s *conllu.Sentence) {
		words, _ := tagged(s)
		all = append(all, words)
		tokens += len(words)
	})
	run := func(name string, f func(words []string, tags []tag.Tag) []tag.Tag) {
		b.Run(name, func(b *testing.B) {
			var tags []tag.Tag
			b.ReportAllocs()
			for b.Loop() {
				for _, words := range all {
					tags = f(words, tags[:0])
				}
			}
			b.ReportMetric(float64(tokens)*float64(b.N)/b.Elapsed().Seconds(), "tokens/s")
		})
	}
	run("tags", tagger.Append)
	run("prose", fallback.Append)
	run("both", func(words []string, tags []tag.Tag) []tag.Tag {
		tags = tagger.Append(words, tags)
		for i, word := range words {
			l.Lemma(word, tags[i])
		}
		return tags
	})
	b.Run("load", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := tag.NewTagger(&m); err != nil {
				b.Fatal(err)
			}
			if _, err := lemma.Open(&m); err != nil {
				b.Fatal(err)
			}
		}
	})
}
