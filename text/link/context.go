package link

import (
	"encoding/binary"
	"slices"
	"sort"
)

// A surroundings is what stands in a document: words with their places, and entities that it surely
// mentions.
type surroundings struct {
	words    []uint64           // feature << 32 | part, ascending
	entities []uint64           // features of those surely mentioned, ascending
	counts   map[uint32]int     // by entity: places where it may be meant
	wide     map[uint32]float64 // by entity: gain of the document
}

// reset reads the words of a document.
func (s *surroundings) reset(parts []part) {
	s.words, s.entities = s.words[:0], s.entities[:0]
	for i, p := range parts {
		if !p.stop && !p.sign {
			s.words = append(s.words, uint64(wordFeature(p.hash))<<32|uint64(i))
		}
	}
	slices.Sort(s.words)
	if s.wide == nil {
		s.counts = map[uint32]int{}
		s.wide = map[uint32]float64{}
	}
	clear(s.wide)
	clear(s.counts)
}

// mention adds an entity that the document may mention, or surely does; settle ends it.
func (s *surroundings) mention(entity uint32, sure bool) {
	s.counts[entity]++
	if sure {
		s.entities = append(s.entities, uint64(entityFeature(entity)))
	}
}

func (s *surroundings) settle() {
	slices.Sort(s.entities)
	s.entities = slices.Compact(s.entities)
}

// times is how often the document may mention an entity.
func (s *surroundings) times(entity uint32) int { return s.counts[entity] }

// gain is how much more probable the surroundings of a span are if an entity is mentioned there, by its
// logarithm: that of the words close by, and of the whole document. known says that the entity has a context.
func (s *surroundings) gain(g *Gazetteer, entity uint32, from, to int32) (nearby, wide float64, known bool) {
	context := g.context(entity)
	if len(context) == 0 {
		return 0, 0, false
	}
	wide, counted := s.wide[entity]
	self := uint64(entityFeature(entity))
	words := s.words
	for ; len(context) > 0; context = context[4:] {
		f := binary.LittleEndian.Uint32(context)
		feature, gain := uint64(f>>8), float64(f&0xff)/gainUnit
		words = words[sort.Search(len(words), func(i int) bool { return words[i] >= feature<<32 }):]
		if len(words) > 0 && words[0]>>32 == feature {
			if !counted {
				wide += gain
			}
			if within(words, feature, from-window, from) || within(words, feature, to, to+window) {
				nearby += gain
			}
		}
		if !counted && feature != self && mentions(s.entities, feature) {
			wide += gain
		}
	}
	s.wide[entity] = wide
	return nearby, wide, true
}

// within reports whether a feature stands among the parts from, to to exclusive.
func within(words []uint64, feature uint64, from, to int32) bool {
	first := feature<<32 | uint64(max(0, from))
	i := sort.Search(len(words), func(i int) bool { return words[i] >= first })
	return i < len(words) && words[i] < feature<<32|uint64(max(0, to))
}

func mentions(entities []uint64, feature uint64) bool {
	_, ok := slices.BinarySearch(entities, feature)
	return ok
}
