package tag

import (
	"cmp"
	"encoding/binary"
	"math"

	"orbweaver/internal/order"
)

// margin is the score margin of the right tag below which the perceptron learns.
const margin = 20

const (
	scale = 8 // integer steps per unit of a perceptron weight
	least = 4 // smallest magnitude of a stored weight, in steps
)

// A learner is an averaged perceptron in training: its final weights are averages over time.
type learner struct {
	numbers  map[uint64]int32 // of features, by key
	features []feature
	now      int64 // time: words learned from in this round, plus one
	rounds   int

	// Of the current word:
	keys   []uint64
	active []int32 // its features
	scores scores
}

// A feature has a weight for each tag with a training error.
type feature struct {
	key     uint64
	weights []weight
}

type weight struct {
	tag   Tag
	value int32 // current value
	since int64 // time of the last change
	area  int64 // integral of value over time up to since
	sum   float64
}

// scores are sums of weights, by tag.
type scores [tags]int32

// best returns the tag with the highest score, and the first of equals.
func (s *scores) best() Tag {
	b := Unknown + 1
	for t := b + 1; t < tags; t++ {
		if s[t] > s[b] {
			b = t
		}
	}
	return b
}

func newLearner() *learner {
	return &learner{numbers: map[uint64]int32{}, keys: make([]uint64, 0, memoryKeys), now: 1}
}

// ids appends the numbers of features to ids.
func (l *learner) ids(keys []uint64, ids []int32) []int32 {
	for _, key := range keys {
		id, ok := l.numbers[key]
		if !ok {
			id = int32(len(l.features))
			l.numbers[key] = id
			l.features = append(l.features, feature{key: key})
		}
		ids = append(ids, id)
	}
	return ids
}

// recall computes the scores of a word from its features.
func (l *learner) recall(sight []int32, memory []uint64) {
	l.active = l.ids(memory, append(l.active[:0], sight...))
	l.scores = scores{}
	for _, id := range l.active {
		for _, w := range l.features[id].weights {
			l.scores[w.tag] += w.value
		}
	}
}

// best returns the most frequent tag of the current word.
func (l *learner) best() Tag { return l.scores.best() }

// learn moves the weights of the current word towards the right tag, and away from the predicted or nearly
// predicted one.
func (l *learner) learn(got, want Tag) {
	if got == want {
		score := l.scores[want]
		l.scores[want] = math.MinInt32
		got = l.best()
		if score-l.scores[got] > margin {
			l.now++
			return
		}
	}
	for _, id := range l.active {
		l.add(id, want, 1)
		l.add(id, got, -1)
	}
	l.now++
}

func (l *learner) add(id int32, tag Tag, d int32) {
	weights := l.features[id].weights
	for i := range weights {
		if w := &weights[i]; w.tag == tag {
			w.area += int64(w.value) * (l.now - w.since)
			w.value, w.since = w.value+d, l.now
			return
		}
	}
	l.features[id].weights = append(weights, weight{tag: tag, value: d, since: l.now})
}

// average ends a round: it stores the average of each weight and resets them.
func (l *learner) average() {
	for _, f := range l.features {
		for i := range f.weights {
			w := &f.weights[i]
			area := w.area + int64(w.value)*(l.now-w.since)
			*w = weight{tag: w.tag, since: 1, sum: w.sum + float64(area)/float64(l.now)}
		}
	}
	l.now = 1
	l.rounds++
}

// section encodes the result as a section of a model.
func (l *learner) section() []byte {
	order.By(l.features, func(a, b feature) int { return cmp.Compare(a.key, b.key) })
	var body []byte
	n, last := uint64(0), uint64(0)
	for _, f := range l.features {
		if cells := l.cells(f); len(cells) > 0 {
			body = appendFeature(body, f.key-last, cells)
			last = f.key
			n++
		}
	}
	head := binary.AppendUvarint(nil, features)
	return append(binary.AppendUvarint(head, n), body...)
}

// cells returns the weights of a feature in the layout of Tagger.cells.
func (l *learner) cells(f feature) (cells []int32) {
	for _, w := range f.weights {
		value := math.Round(w.sum / float64(l.rounds) * scale)
		value = min(max(value, -maxWeight), maxWeight)
		if math.Abs(value) >= least {
			cells = append(cells, int32(value)<<8|int32(w.tag))
		}
	}
	order.By(cells, func(a, b int32) int { return cmp.Compare(a&0xff, b&0xff) })
	return cells
}
