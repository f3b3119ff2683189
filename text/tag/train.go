package tag

import (
	"context"
	"math/rand/v2"
)

// Options configure training. The zero Options are the defaults.
type Options struct {
	Seed       uint64      // of the order of sentences
	Epochs     int         // passes over the treebank per round; 0 means 5
	Rounds     int         // number of perceptrons that are trained and averaged; 0 means 2
	Dictionary *Dictionary // nil: none

	// Progress, unless nil, is called after each epoch, counted from 1, with its number of mistakes.
	Progress func(round, epoch, mistakes int)
}

// A Trainer trains a tagger on tagged sentences. The same sentences in the same order with the same Options
// give the same model. It is not safe for concurrent use and serves one Train.
type Trainer struct {
	options Options
	samples []sample
	lexicon census
	speller speller
}

// A sample is a training sentence.
type sample struct {
	sentence
	want  []Tag     // Unknown where the treebank has no tag
	sight [][]int32 // features of each word; nil for a word with an only tag
}

// NewTrainer returns a Trainer without sentences.
func NewTrainer(options Options) *Trainer {
	if options.Epochs <= 0 {
		options.Epochs = 5
	}
	if options.Rounds <= 0 {
		options.Rounds = 2
	}
	return &Trainer{options: options, lexicon: newCensus(options.Dictionary)}
}

// Add adds the words of one sentence with their tags. Words tagged Unknown are not learned.
func (t *Trainer) Add(words []string, tags []Tag) {
	s := sample{want: append([]Tag(nil), tags...)}
	own := s.reset(len(words))
	for i, form := range words {
		t.speller.read(&own[i], form)
		t.lexicon.add(&own[i], t.speller.lower[:t.speller.n], tags[i])
	}
	s.survey()
	t.samples = append(t.samples, s)
}

// Train trains on all added sentences and puts the tagger into the model.
func (t *Trainer) Train(ctx context.Context, m *Model) error {
	l := newLearner()
	t.see(l)
	for round := range t.options.Rounds {
		if err := t.round(ctx, l, round); err != nil {
			return err
		}
		l.average()
	}
	m.Put(wordsSection, t.lexicon.section())
	m.Put(weightsSection, l.section())
	return nil
}

// see sets the lexicon entry and the features of every word. The entry excludes the occurrence itself: a word
// that occurs once has no entry, like an unknown word.
func (t *Trainer) see(l *learner) {
	var keys []uint64
	for i := range t.samples {
		s := &t.samples[i]
		for k, want := range s.want {
			s.words[k+edge].entry = t.lexicon.without(&s.words[k+edge], want)
		}
	}
	for i := range t.samples {
		s := &t.samples[i]
		s.sight = make([][]int32, len(s.want))
		for k := range s.want {
			if s.words[k+edge].only == Unknown {
				keys = s.around(k, s.self(k, keys[:0]))
				s.sight[k] = l.ids(keys, make([]int32, 0, len(keys)))
			}
		}
	}
	t.prune(l)
}

// frequent is the least number of occurrences of a learned feature, unless it involves tags.
const frequent = 3

// prune drops the features that are not frequent.
func (t *Trainer) prune(l *learner) {
	occurs := make([]uint32, len(l.features))
	for _, s := range t.samples {
		for _, ids := range s.sight {
			for _, id := range ids {
				occurs[id]++
			}
		}
	}
	for _, s := range t.samples {
		for k, ids := range s.sight {
			kept := ids[:0]
			for _, id := range ids {
				if occurs[id] >= frequent {
					kept = append(kept, id)
				}
			}
			s.sight[k] = kept
		}
	}
}

// round trains one perceptron.
func (t *Trainer) round(ctx context.Context, l *learner, round int) error {
	order := make([]int, len(t.samples))
	for i := range order {
		order[i] = i
	}
	random := rand.New(rand.NewPCG(t.options.Seed, uint64(round)))
	for epoch := range t.options.Epochs {
		random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		mistakes := 0
		for n, i := range order {
			if n%64 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			mistakes += t.samples[i].learn(l)
		}
		if t.options.Progress != nil {
			t.options.Progress(round+1, epoch+1, mistakes)
		}
	}
	return nil
}

// learn tags the sentence with the current weights and updates them. It returns the number of mistakes.
func (s *sample) learn(l *learner) (mistakes int) {
	var t1, t2 Tag
	for i, want := range s.want {
		got := s.words[i+edge].only
		if got == Unknown {
			l.recall(s.sight[i], s.memory(i, t1, t2, l.keys[:0]))
			got = l.best()
			if want != Unknown {
				l.learn(got, want)
				if got != want {
					mistakes++
				}
			}
		}
		t1, t2 = got, t1
	}
	return mistakes
}
