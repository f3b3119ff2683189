package labels

import "math"

// States of a term.
const (
	frequent  uint8 = 1 << iota // enough items have it to be a label
	common                      // too many items have it
	prominent                   // often enough among the heaviest terms
	allStates = frequent | common | prominent
)

// A term holds the counts of one term.
type term struct {
	text        string
	n           float64 // cf: items that have it
	head        float64 // those in which it is among the heaviest terms
	last        int64   // number of the latest item that has it
	out         queue   // pairs with flags where it is given, by the n at which the next flag falls
	in          uint32  // pairs with flags where it is x
	alpha, beta uint32  // of those: its rules, if it is a label
	generation  uint16
	state       uint8
	waits       uint8 // of frequent and common: whether it is in Model.rare, Model.many
}

// label reports whether the term is a label.
func (t *term) label() bool { return t.state&(frequent|common|prominent) == frequent|prominent }

// terms holds all terms by number.
type terms struct {
	all   []term
	index map[string]uint32
	hand  uint32 // position of the next eviction candidate
}

// termHand is the number of terms examined to evict one.
const termHand = 16

// victim returns the number of a term that may be evicted: the one with the least count of the next sixteen
// that nothing depends on; false if all are needed. now is the current item.
func (s *terms) victim(now int64) (found uint32, ok bool) {
	for range min(termHand, len(s.all)) {
		i := s.hand
		s.hand = (s.hand + 1) % uint32(len(s.all))
		t := &s.all[i]
		needed := len(t.out) > 0 || t.in > 0 || t.state&(frequent|common) != 0 || t.last == now || t.generation == math.MaxUint16
		if !needed && (!ok || t.n < s.all[found].n) {
			found, ok = i, true
		}
	}
	return found, ok
}

// admit assigns a number to a new term, possibly that of an evicted one; false if there is none.
func (s *terms) admit(text string, most int, now int64) (number uint32, evicted string, ok bool) {
	if len(s.all) < most {
		i := uint32(len(s.all))
		s.all = append(s.all, term{text: text})
		s.index[text] = i
		return i, "", true
	}
	if number, ok = s.victim(now); !ok {
		return 0, "", false
	}
	t := &s.all[number]
	evicted = t.text
	delete(s.index, evicted)
	*t = term{text: text, generation: t.generation + 1}
	s.index[text] = number
	return number, evicted, true
}
