package source

import (
	"encoding/binary"
	"strconv"
	"strings"
)

// Strings keeps the strings a document used last, so that what repeats (predicates, types, subjects)
// is allocated and checked once. The zero value is ready.
type Strings struct{ slots [512]string }

// longest is the length of strings worth keeping, in bytes.
const longest = 1024

// Find returns the string equal to b if it is kept, and the slot it belongs to. The empty string
// always is.
func (s *Strings) Find(b []byte) (str string, slot int, ok bool) {
	slot = hash(b)
	str = s.slots[slot]
	return str, slot, str == string(b)
}

// Keep puts a string into the slot that Find named. A long one is not kept: it does not repeat, and
// 512 of them would be much.
func (s *Strings) Keep(slot int, str string) {
	if len(str) <= longest {
		s.slots[slot] = str
	}
}

// Of returns b as a string.
func (s *Strings) Of(b []byte) string {
	str, slot, ok := s.Find(b)
	if !ok {
		str = string(b)
		s.Keep(slot, str)
	}
	return str
}

// Join returns space and local as one string.
func (s *Strings) Join(space string, local []byte) string {
	slot := (hash(local) + len(space)) % len(s.slots)
	kept := s.slots[slot]
	if len(kept) == len(space)+len(local) && kept[len(space):] == string(local) && kept[:len(space)] == space {
		return kept
	}
	joined := space + string(local)
	s.Keep(slot, joined)
	return joined
}

// hash looks at the length and the last bytes: IRIs of a vocabulary differ there.
func hash(b []byte) int {
	h := uint64(len(b))
	if len(b) >= 8 {
		h = h<<56 ^ binary.LittleEndian.Uint64(b[len(b)-8:])
	} else {
		for _, c := range b {
			h = h<<8 | uint64(c)
		}
	}
	return int(h * 0x9E3779B97F4A7C15 >> 55)
}

// generated starts the labels of blank nodes that have none in the document.
const generated = "genid"

// A Labeller names blank nodes. Labels it makes up are "genid1", "genid2" and so on; the document's
// own are kept as they are, except that those which look like made-up ones get an "x" in front, and
// so do those which look like that: no two nodes ever get one label.
type Labeller struct{ last int }

// Fresh returns a label that no other node of the document has.
func (l *Labeller) Fresh() string {
	l.last++
	return generated + strconv.Itoa(l.last)
}

// Own returns the label for a label that the document uses.
func (l *Labeller) Own(label string) string {
	if strings.HasPrefix(strings.TrimLeft(label, "x"), generated) {
		return "x" + label
	}
	return label
}

// Names caches the expansions of the most recently used names. The zero value is ready.
type Names struct {
	slots [512]struct{ written, value string }
}

// Find returns the expansion of a name, empty if it is not cached, and its slot.
func (n *Names) Find(written []byte) (value string, slot int) {
	slot = hash(written)
	if s := &n.slots[slot]; s.written == string(written) {
		return s.value, slot
	}
	return "", slot
}

// Keep stores the expansion of a name in the slot that Find returned.
func (n *Names) Keep(slot int, written, value string) {
	if len(written) <= longest && len(value) <= longest {
		n.slots[slot].written, n.slots[slot].value = written, value
	}
}

// Forget clears the cache after a declaration changed the names.
func (n *Names) Forget() { *n = Names{} }
