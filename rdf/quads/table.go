package quads

import (
	"cmp"
	"encoding/binary"
)

// An Order is the order of quads: by its first position, then by the second, and so on.
type Order uint8

// The orders.
const (
	SPOG Order = iota
	POSG
	OSPG
	GSPO
)

// A key is a quad with its IDs in the order of a table.
type key [4]ID

// key returns a quad as a key.
func (o Order) key(q Quad) key {
	switch o {
	case SPOG:
		return key{q.S, q.P, q.O, q.G}
	case POSG:
		return key{q.P, q.O, q.S, q.G}
	case OSPG:
		return key{q.O, q.S, q.P, q.G}
	}
	return key{q.G, q.S, q.P, q.O}
}

// quad is the inverse of key.
func (o Order) quad(k *key) Quad {
	switch o {
	case SPOG:
		return Quad{k[0], k[1], k[2], k[3]}
	case POSG:
		return Quad{S: k[2], P: k[0], O: k[1], G: k[3]}
	case OSPG:
		return Quad{S: k[1], P: k[2], O: k[0], G: k[3]}
	}
	return Quad{S: k[1], P: k[2], O: k[3], G: k[0]}
}

// compare orders keys.
func (k *key) compare(other *key) int {
	i := 0
	for i < len(k)-1 && k[i] == other[i] {
		i++
	}
	return cmp.Compare(k[i], other[i])
}

// A table is one ordering of the quads of the default graph, or of those of the named ones. Keys of the
// former end in Default.
type table uint8

const (
	defaultSPO table = iota
	defaultPOS
	defaultOSP
	namedSPO
	namedPOS
	namedOSP
	namedGSPO
	tables
)

func (t table) order() Order {
	if t >= namedSPO {
		return Order(t - namedSPO)
	}
	return Order(t)
}

// side is the part of the store that a table is of.
func (t table) side() side {
	if t >= namedSPO {
		return sideNamed
	}
	return sideDefault
}

// width is how many IDs of a key are stored.
func (t table) width() int {
	if t >= namedSPO {
		return 4
	}
	return 3
}

// A side is the default graph, or all the others. What is counted is counted for each.
type side uint8

const (
	sideDefault side = iota
	sideNamed
	sides
)

// tables are those that have each quad of a side, the first of them in the order SPOG.
func (s side) tables() (first, last table) {
	if s == sideDefault {
		return defaultSPO, defaultOSP
	}
	return namedSPO, namedGSPO
}

func sideOf(graph ID) side {
	if graph == Default {
		return sideDefault
	}
	return sideNamed
}

// appendKey writes a key as stored: its significant IDs, eight bytes each.
func (t table) appendKey(b []byte, k *key) []byte {
	for i := range t.width() {
		b = binary.BigEndian.AppendUint64(b, uint64(k[i]))
	}
	return b
}

// readKey is the inverse of appendKey.
func (t table) readKey(b []byte, k *key) bool {
	if len(b) != 8*t.width() {
		return false
	}
	k[0] = ID(binary.BigEndian.Uint64(b))
	k[1] = ID(binary.BigEndian.Uint64(b[8:]))
	k[2] = ID(binary.BigEndian.Uint64(b[16:]))
	k[3] = Default
	if len(b) == 32 {
		k[3] = ID(binary.BigEndian.Uint64(b[24:]))
	}
	return true
}
