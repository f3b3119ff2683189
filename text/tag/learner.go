package tag

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
)

// margin is by how much the right tag must win, or the perceptron learns all the same.
const margin = 20

const (
	scale = 8 // steps of a weight in a model are one of a perceptron's.
	least = 4 // steps has a weight that is kept
)

// A learner is an averaged perceptron in the making: its weights are those of all moments, averaged.
type learner struct {
	numbers  map[uint64]int32 // of features, by key
	features []feature
	now      int64 // the moment: how many words were learned from in this round, plus one
	rounds   int

	// Of the word at hand:
	keys   []uint64
	active []int32 // its features
	scores scores
}

// A feature has a weight for each tag that it was ever found wrong about.
type feature struct {
	key     uint64
	weights []weight
}

type weight struct {
	tag   Tag
	value int32 // now
	since int64 // when it became that
	area  int64 // value times how long it was so, summed up to then
	sum   float64
}

// scores are sums of weights, by tag.
type scores [tags]int32

// best returns the tag with the highest score, of several the first.
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

// recall scores a word by its features.
func (l *learner) recall(sight []int32, memory []uint64) {
	l.active = l.ids(memory, append(l.active[:0], sight...))
	l.scores = scores{}
	for _, id := range l.active {
		for _, w := range l.features[id].weights {
			l.scores[w.tag] += w.value
		}
	}
}

// best returns the tag that the word at hand has most of.
func (l *learner) best() Tag { return l.scores.best() }

// learn moves the weights of the word at hand to the tag it should have, and away from the one it
// was, or was nearly, given instead.
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

// average ends a round: it keeps the average of each weight and starts again from none.
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

// section returns what was learned as a section of a model.
func (l *learner) section() []byte {
	slices.SortFunc(l.features, func(a, b feature) int { return cmp.Compare(a.key, b.key) })
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

// cells returns the weights of a feature as a Tagger has them.
func (l *learner) cells(f feature) (cells []int32) {
	for _, w := range f.weights {
		value := math.Round(w.sum / float64(l.rounds) * scale)
		value = min(max(value, -maxWeight), maxWeight)
		if math.Abs(value) >= least {
			cells = append(cells, int32(value)<<8|int32(w.tag))
		}
	}
	slices.SortFunc(cells, func(a, b int32) int { return cmp.Compare(a&0xff, b&0xff) })
	return cells
}
