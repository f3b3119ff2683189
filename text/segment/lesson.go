package segment

import (
	"math"
	"math/rand/v2"
)

// A lesson is a gap of a sample, and whether a sentence ends there.
type lesson struct {
	view view
	ends bool
}

// folds is the number of parts of a sample. The lexicon for lessons of one part is learned from the other
// parts, because less is known about new text than about training text.
const folds = 16

// A teacher is a judge that answers by a sample, and records lessons.
type teacher struct {
	lexicons [folds]lexicon // by fold, of all that is not in it
	truth    map[int32]bool // where sentences end
	size     int            // of the sample's text
	lessons  []lesson
}

func (t *teacher) ends(g *gap) bool {
	at := g.tokens[g.last].End
	l := lesson{ends: t.truth[at]}
	x := &t.lexicons[foldOf(at, t.size)]
	s := g.lookNear(&l.view, x)
	g.lookFar(&l.view, x, &s)
	t.lessons = append(t.lessons, l)
	return l.ends
}

// foldOf returns the fold of an offset in a text of a given size.
func foldOf(at int32, size int) int { return int(at) * folds / (size + 1) }

// lessonsOf makes lessons of all gaps of the samples.
func lessonsOf(m *Model, samples []Sample) []lesson {
	t := &teacher{}
	s := &Segmenter{rules: m.rules(), judge: t, lexicon: &m.lexicon}
	all := countCases(samples)
	for _, sample := range samples {
		t.size = len(sample.Text)
		t.truth = make(map[int32]bool, len(sample.Sentences))
		for _, sentence := range sample.Sentences {
			t.truth[sample.Tokens[sentence.End-1].End] = true
		}
		for fold := range t.lexicons {
			others := *all
			others.subtract(countFold(sample, fold))
			t.lexicons[fold] = others.lexicon()
		}
		s.Append(sample.Text, nil, nil)
	}
	return t.lessons
}

// Cases count, by hash, how often words were in lower case, and capitalized within sentences.
type cases [1 << lexiconBits]struct{ lower, capital int32 }

func countCases(samples []Sample) *cases {
	c := &cases{}
	for _, s := range samples {
		c.count(s, s.Sentences)
	}
	return c
}

// countFold counts the sentences that start in one fold of a sample.
func countFold(s Sample, fold int) *cases {
	c := &cases{}
	for i, sentence := range s.Sentences {
		if foldOf(s.Tokens[sentence.First].Start, len(s.Text)) == fold {
			c.count(s, s.Sentences[i:i+1])
		}
	}
	return c
}

func (c *cases) count(s Sample, sentences []Sentence) {
	for _, sentence := range sentences {
		for i := sentence.First; i < sentence.End; i++ {
			word := s.Tokens[i].Of(s.Text)
			at := &c[place(hashOf(word))]
			switch {
			case isLower(word[0]):
				at.lower++
			case i > sentence.First && len(word) > 1 && isUpper(word[0]) && isLower(word[1]):
				at.capital++
			}
		}
	}
}

func (c *cases) subtract(d *cases) {
	for i := range c {
		c[i].lower -= d[i].lower
		c[i].capital -= d[i].capital
	}
}

// lexicon says how words are written, as kinds from lowerAsRule on.
func (c *cases) lexicon() (x lexicon) {
	for i := range c {
		switch lower, capital := c[i].lower, c[i].capital; {
		case lower+capital == 0:
			x[i] = uint8(unknown - lowerAsRule)
		case lower > 8*capital:
			x[i] = 0
		case capital > 4*lower:
			x[i] = uint8(name - lowerAsRule)
		default:
			x[i] = uint8(lowerOrName - lowerAsRule)
		}
	}
	return x
}

// Parameters of learning: logistic regression by AdaGrad (Duchi et al. 2011), averaged over epochs.
const (
	epochs = 12
	rate   = 0.1
	decay  = 1e-3 // of weights, at each step
	rarest = 2    // rarer features have no weight
)

// weigh learns the weights of features.
func weigh(lessons []lesson) []int8 {
	const size = 1 << weightBits
	seen := make([]int32, size)
	for _, l := range lessons {
		for _, i := range l.view {
			seen[i]++
		}
	}
	w, squares, sum := make([]float64, size), make([]float64, size), make([]float64, size)
	random := rand.New(rand.NewPCG(1, 2))
	for range epochs {
		random.Shuffle(len(lessons), func(i, j int) { lessons[i], lessons[j] = lessons[j], lessons[i] })
		for i := range lessons {
			lessons[i].step(w, squares, seen)
		}
		for i := range w {
			sum[i] += w[i] / epochs
		}
	}
	weights := make([]int8, size)
	for i, x := range sum {
		weights[i] = int8(max(-127, min(127, math.Round(x*unit))))
	}
	return weights
}

// step moves the weights of one lesson's features.
func (l *lesson) step(w, squares []float64, seen []int32) {
	sum := 0.0
	for _, i := range l.view {
		sum += w[i]
	}
	wrong := -1 / (1 + math.Exp(-sum))
	if l.ends {
		wrong++
	}
	for _, i := range l.view {
		if seen[i] < rarest {
			continue
		}
		g := wrong - decay*w[i]
		squares[i] += g * g
		w[i] += rate * g / (math.Sqrt(squares[i]) + 1e-3)
	}
}
