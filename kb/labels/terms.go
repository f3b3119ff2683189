package labels

import "math"

// States of a term.
const (
	frequent  uint8 = 1 << iota // held by items enough to be a label
	common                      // held by too many
	prominent                   // among the heaviest terms often enough
	allStates = frequent | common | prominent
)

// A term holds the counts of one term.
type term struct {
	text        string
	n           float64 // cf: items that hold it
	head        float64 // of those, in how many it is among the heaviest
	last        int64   // number of the latest item that holds it
	out         queue   // pairs with bits where it is given, by the n at which the next bit falls
	in          uint32  // pairs with bits where it is x
	alpha, beta uint32  // of those: rules, were it a label
	generation  uint16
	state       uint8
	waits       uint8 // of frequent and common: whether it stands in Model.rare, Model.many
}

// label reports whether the term is one.
func (t *term) label() bool { return t.state&(frequent|common|prominent) == frequent|prominent }

// terms are all by number.
type terms struct {
	all   []term
	index map[string]uint32
	hand  uint32 // where the next to be forgotten is looked for
}

// termHand is how many terms are examined for one to forget.
const termHand = 16

// victim is the number of a term that may be forgotten for another: the one with the least count of the
// next sixteen that nothing rests on; false: they all are needed. now is the item that is being learned.
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

// admit gives a new term a number, perhaps that of one that is forgotten; false: there is no room.
func (s *terms) admit(text string, most int, now int64) (number uint32, forgotten string, ok bool) {
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
	forgotten = t.text
	delete(s.index, forgotten)
	*t = term{text: text, generation: t.generation + 1}
	s.index[text] = number
	return number, forgotten, true
}
