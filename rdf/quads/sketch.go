package quads

import (
	"encoding/binary"
	"slices"
)

// sketchSize is how many hashes a sketch has at most. The error of its estimate is 1/√126, 9 %.
const sketchSize = 128

// A sketch estimates the number of distinct IDs from the lowest of their hashes (Bar-Yossef and others, as in
// estimate). It depends on the set of IDs, not on their order, and sketches can be merged.
type sketch []uint64

// add reports whether the sketch changed: ever more rarely.
func (s *sketch) add(id ID) bool { return s.put(scatter(uint64(id))) }

func (s *sketch) put(h uint64) bool {
	if len(*s) == sketchSize && h >= (*s)[sketchSize-1] {
		return false
	}
	i, found := slices.BinarySearch(*s, h)
	if found {
		return false
	}
	if len(*s) == sketchSize {
		*s = (*s)[:sketchSize-1]
	}
	*s = slices.Insert(*s, i, h)
	return true
}

// merge adds the IDs of another sketch.
func (s *sketch) merge(other sketch) {
	for _, h := range other {
		if !s.put(h) && len(*s) == sketchSize && h > (*s)[sketchSize-1] {
			return
		}
	}
}

// count is exact below sketchSize.
func (s sketch) count() int64 {
	if len(s) < sketchSize {
		return int64(len(s))
	}
	return int64((sketchSize - 1) / (float64(s[sketchSize-1]) / (1 << 64)))
}

// scatter spreads IDs that hold values, too (the finalizer of splitmix64).
func scatter(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}

// A stat is the counts of a predicate.
type stat struct {
	quads             int64
	subjects, objects sketch
}

// add counts a quad that is new, and reports whether the sketches changed.
func (s *stat) add(q Quad) bool {
	s.quads++
	a, b := s.subjects.add(q.S), s.objects.add(q.O)
	return a || b
}

// remove uncounts a quad, and reports whether the sketches changed: they start anew when none is left.
func (s *stat) remove() bool {
	s.quads--
	if s.quads > 0 {
		return false
	}
	*s = stat{}
	return true
}

func (s *stat) predicate() Predicate {
	return Predicate{
		Quads:    s.quads,
		Subjects: min(s.quads, s.subjects.count()),
		Objects:  min(s.quads, s.objects.count()),
	}
}

// appendSketches writes both.
func (s *stat) appendSketches(b []byte) []byte {
	b = append(b, byte(len(s.subjects)))
	for _, list := range [...]sketch{s.subjects, s.objects} {
		for _, h := range list {
			b = binary.BigEndian.AppendUint64(b, h)
		}
	}
	return b
}

// readSketches is the inverse of appendSketches.
func (s *stat) readSketches(b []byte) bool {
	if len(b)%8 != 1 || int(b[0]) > len(b)/8 || int(b[0]) > sketchSize || len(b)/8-int(b[0]) > sketchSize {
		return false
	}
	n := int(b[0])
	b = b[1:]
	s.subjects, s.objects = nil, nil
	for i := 0; i < len(b); i += 8 {
		h := binary.BigEndian.Uint64(b[i:])
		if i/8 < n {
			s.subjects = append(s.subjects, h)
		} else {
			s.objects = append(s.objects, h)
		}
	}
	return slices.IsSorted(s.subjects) && slices.IsSorted(s.objects)
}
