package tag

import (
	"context"
	"math/rand/v2"
)

// Options say how a tagger is learned. The zero Options are good ones.
type Options struct {
	Seed       uint64      // of the order in which sentences are seen
	Epochs     int         // how often each sentence is seen in a round; 0 means 5
	Rounds     int         // how many perceptrons are learned and averaged; 0 means 2
	Dictionary *Dictionary // what is known of words, or nil

	// Progress, unless nil, receives each epoch, counted from 1, and its mistakes.
	Progress func(round, epoch, mistakes int)
}

// A Trainer learns a tagger from sentences with their tags. The same sentences in the same order with
// the same Options give the same model. It is for one goroutine, and for one Train.
type Trainer struct {
	options Options
	samples []sample
	lexicon census
	speller speller
}

// A sample is a sentence to learn from.
type sample struct {
	sentence
	want  []Tag     // Unknown where the treebank does not say
	sight [][]int32 // the features of each word; nil for one that has an only tag
}

// NewTrainer returns a Trainer that has seen nothing yet.
func NewTrainer(options Options) *Trainer {
	if options.Epochs <= 0 {
		options.Epochs = 5
	}
	if options.Rounds <= 0 {
		options.Rounds = 2
	}
	return &Trainer{options: options, lexicon: newCensus(options.Dictionary)}
}

// Add takes in the words of one sentence, each with its tag. Nothing is learned from a word whose tag
// is Unknown.
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

// Train learns from all sentences added and puts the tagger into the model.
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

// see gives every word what the lexicon says of it, and finds the features of all words. What the
// lexicon learned from the very occurrence of a word it does not say: of a word that was seen once
// nothing is known, as of one that never was.
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

// frequent is how often a feature that says nothing of tags must occur to be learned from.
const frequent = 3

// prune forgets the features that are not frequent.
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

// round learns a perceptron.
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

// learn tags the sentence with what was learned so far, and learns from that. It returns how many
// words were mistaken.
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
