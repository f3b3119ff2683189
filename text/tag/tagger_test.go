package tag_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"orbweaver/text/tag"
)

// lessons are training sentences: word/tag.
const lessons = `the/DT dog/NN barks/VBZ ./.
the/DT dogs/NNS bark/VBP ./.
a/DT cat/NN sleeps/VBZ ./.
cats/NNS sleep/VBP ./.
the/DT bark/NN of/IN a/DT tree/NN
I/PRP saw/VBD the/DT cat/NN sleep/VB ./.
Rex/NNP sleeps/VBZ near/IN the/DT tree/NN ./.
we/PRP saw/VBD Rex/NNP bark/VB ./.
a/DT saw/NN cuts/VBZ trees/NNS ./.`

// cutWords splits word/tag pairs.
func cutWords(tb testing.TB, line string) (words []string, tags []tag.Tag) {
	for _, pair := range strings.Fields(line) {
		word, name, _ := strings.Cut(pair, "/")
		of, ok := tag.Parse(name)
		if !ok {
			tb.Fatalf("%s has no tag", pair)
		}
		words, tags = append(words, word), append(tags, of)
	}
	return words, tags
}

// small returns a model trained on the lessons.
func small(tb testing.TB) *tag.Model {
	tb.Helper()
	d := &tag.Dictionary{
		Words:     map[string]tag.Classes{"jump": tag.Verb, "fence": tag.Noun, "dog": tag.Noun, "bark": tag.Noun | tag.Verb},
		Irregular: []tag.Irregular{{Form: "saw", Base: "see", Class: tag.Verb}},
	}
	trainer := tag.NewTrainer(tag.Options{Dictionary: d})
	for range 4 {
		for line := range strings.Lines(lessons) {
			trainer.Add(cutWords(tb, line))
		}
	}
	trainer.Add([]string{"who", "knows"}, []tag.Tag{tag.Unknown, tag.Unknown})
	trainer.Add(nil, nil)
	var m tag.Model
	if err := trainer.Train(context.Background(), &m); err != nil {
		tb.Fatal(err)
	}
	return &m
}

func tagger(tb testing.TB) *tag.Tagger {
	tb.Helper()
	t, err := tag.NewTagger(small(tb))
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

// TestLessons: trained words are tagged right, and unknown words by analogy.
func TestLessons(t *testing.T) {
	tagger := tagger(t)
	for _, line := range append(strings.Split(lessons, "\n"), "the/DT fence/NN of/IN a/DT cat/NN", "Tom/NNP sleeps/VBZ ./.") {
		words, want := cutWords(t, line)
		if got := tagger.Append(words, nil); !slices.Equal(got, want) {
			t.Errorf("%v: %v", line, got)
		}
	}
	if got := tagger.Append(nil, []tag.Tag{tag.CC}); !slices.Equal(got, []tag.Tag{tag.CC}) {
		t.Errorf("no words: %v", got)
	}
}

// TestSameModel: training is repeatable to the byte, and depends on the seed.
func TestSameModel(t *testing.T) {
	var files [2]bytes.Buffer
	for i := range files {
		if _, err := small(t).WriteTo(&files[i]); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(files[0].Bytes(), files[1].Bytes()) {
		t.Error("two trainings, two models")
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	trainer := tag.NewTrainer(tag.Options{Progress: func(int, int, int) { cancel() }})
	trainer.Add(cutWords(t, "a/DT dog/NN"))
	var m tag.Model
	if err := trainer.Train(ctx, &m); !errors.Is(err, context.Canceled) || len(m.Names()) > 0 {
		t.Errorf("%v, sections %v", err, m.Names())
	}
}

// TestAnyWords: all words get a tag, and concurrent calls agree.
func TestAnyWords(t *testing.T) {
	tagger := tagger(t)
	words := []string{
		"", "\xff\xfe", strings.Repeat("x", 1<<20), strings.Repeat("\U0001d4d0", 200), "\u2019", "İ", "don\u2019t", "\"",
		strings.Repeat("-a", 100), "\x00", "ẞ", "日本語", "-----", "A", strings.Repeat("s", 63) + "İ",
	}
	for range 5000 {
		words = append(words, "bark")
	}
	want := tagger.Append(words, nil)
	if len(want) != len(words) || slices.Contains(want, tag.Unknown) {
		t.Fatalf("%d words, %d tags, %v", len(words), len(want), want[:15])
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 5 {
				if got := tagger.Append(words[:40], nil); !slices.Equal(got[:30], want[:30]) {
					t.Errorf("%v, not %v", got, want[:40])
				}
			}
		})
	}
	all.Wait()
}

func TestNoAllocation(t *testing.T) {
	tagger := tagger(t)
	words, tags := cutWords(t, "The/DT dogs/NNS bark/VBP near/IN Ünterberg/NNP ./.")
	if n := testing.AllocsPerRun(100, func() { tags = tagger.Append(words, tags[:0]) }); n >= 1 {
		t.Errorf("%v allocations a sentence", n)
	}
}
