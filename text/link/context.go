package link

import (
	"encoding/binary"
	"slices"
	"sort"
)

// A surroundings is a document's context: words with their positions, and certain entities.
type surroundings struct {
	words    []uint64           // feature << 32 | part, ascending
	entities []uint64           // features of the certain entities, ascending
	counts   map[uint32]int     // by entity: number of possible mentions
	wide     map[uint32]float64 // by entity: gain from the whole document
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

// mention adds a possible or certain entity of the document; call settle after the last.
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

// times is the number of possible mentions of an entity.
func (s *surroundings) times(entity uint32) int { return s.counts[entity] }

// gain is the log likelihood ratio of a span's surroundings given that an entity is mentioned there: for nearby
// words, and for the whole document. known: the entity has a context.
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

// within reports whether a feature occurs among parts [from, to).
func within(words []uint64, feature uint64, from, to int32) bool {
	first := feature<<32 | uint64(max(0, from))
	i := sort.Search(len(words), func(i int) bool { return words[i] >= first })
	return i < len(words) && words[i] < feature<<32|uint64(max(0, to))
}

func mentions(entities []uint64, feature uint64) bool {
	_, ok := slices.BinarySearch(entities, feature)
	return ok
}
