package text

import (
	"math"
	"slices"
)

// maxVocabulary bounds the distinct stems of a collection; later stems are ignored.
const maxVocabulary = 1 << 20

// A Collection compares texts by the terms they share, rare terms counting more. Add fills it, Weigh computes the
// weights once; after that it is safe for concurrent use.
//
// A text is a vector of tf·idf: tf is how often a term occurs in it, idf = ln(N/n), N texts in the collection, n of
// them with the term. A term of every text weighs 0. The vectors have unit length; each costs 8 bytes per distinct
// term, at most 40 kB, and the vocabulary of at most 1 048 576 stems about 100 bytes per stem.
type Collection struct {
	numbers map[string]uint32 // number of each stem, in order of first occurrence
	holding []int32           // document frequency by stem number
	texts   [][]weighed       // by text: terms by number, ascending
}

// A weighed is a term of a text with its count before Weigh, its weight after.
type weighed struct {
	term   uint32
	weight float32
}

// Add adds a text and returns its number, from 0. The order of texts matters to no comparison beyond the rounding of
// floats, as long as the vocabulary is not full.
func (c *Collection) Add(t Terms) int {
	if c.numbers == nil {
		c.numbers = map[string]uint32{}
	}
	text := make([]weighed, 0, len(t.Stems))
	for i, stem := range t.Stems {
		if number, ok := c.number(stem); ok {
			c.holding[number]++
			text = append(text, weighed{number, float32(t.Counts[i])})
		}
	}
	slices.SortFunc(text, func(a, b weighed) int { return int(a.term) - int(b.term) })
	c.texts = append(c.texts, text)
	return len(c.texts) - 1
}

// number returns the number of a stem; false when the vocabulary is full.
func (c *Collection) number(stem string) (uint32, bool) {
	number, known := c.numbers[stem]
	if known {
		return number, true
	}
	if len(c.holding) == maxVocabulary {
		return 0, false
	}
	number = uint32(len(c.holding))
	c.numbers[stem] = number
	c.holding = append(c.holding, 0)
	return number, true
}

// Len returns the number of texts.
func (c *Collection) Len() int { return len(c.texts) }

// Weigh turns counts into tf·idf vectors of unit length. Call it once, after the last Add.
func (c *Collection) Weigh() {
	idf := make([]float64, len(c.holding))
	for number, n := range c.holding {
		idf[number] = math.Log(float64(len(c.texts)) / float64(n))
	}
	for _, text := range c.texts {
		weigh(text, idf)
	}
	c.numbers = nil // Cosines needs numbers, not stems
}

// weigh turns the counts of one text into weights. Products are converted so that no machine fuses
// them with the sum, which would round otherwise.
func weigh(text []weighed, idf []float64) {
	squares := 0.0
	for _, t := range text {
		w := float64(t.weight) * idf[t.term]
		squares += float64(w * w)
	}
	length := math.Sqrt(squares)
	for i, t := range text {
		text[i].weight = 0
		if length > 0 {
			text[i].weight = float32(float64(t.weight) * idf[t.term] / length)
		}
	}
}

// Cosines compares a text with every text of the weighed collection, itself included: by number, 0
// (nothing in common, or no term that weighs) to 1. It costs time linear in the collection.
func (c *Collection) Cosines(of int) []float64 {
	spread := make([]float32, len(c.holding))
	for _, t := range c.texts[of] {
		spread[t.term] = t.weight
	}
	cosines := make([]float64, len(c.texts))
	for i, text := range c.texts {
		sum := 0.0
		for _, t := range text {
			sum += float64(float64(t.weight) * float64(spread[t.term]))
		}
		cosines[i] = min(1, sum)
	}
	return cosines
}
