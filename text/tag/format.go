package tag

import (
	"encoding/binary"
	"fmt"
	"math"
)

// The words section: the number of words; then, for each, the difference of its key from the previous one,
// its tag set, its kinds and its only tag.
//
// The weights section: the version of the feature set, the number of features; then, for each, the difference
// of its key, the number of weights, and each weight with its tag.

// appendWord appends a word to a section.
func appendWord(b []byte, distance uint64, e entry) []byte {
	b = binary.AppendUvarint(b, distance)
	b = binary.AppendUvarint(b, uint64(e.seen))
	b = binary.AppendUvarint(b, uint64(e.kinds))
	return append(b, byte(e.only))
}

func (t *Tagger) readWords(d *Decoder) error {
	n := d.Count(4)
	t.words, t.entries = newTable(n), make([]entry, n)
	var keys ascending
	for i := range t.entries {
		key := d.Uvarint()
		seen, k, only := d.Uvarint(), d.Uvarint(), Tag(d.Byte())
		if seen > math.MaxUint16 || k > uint64(allKinds) || only >= tags {
			return fmt.Errorf("%w: word %d has invalid properties", ErrModel, i)
		}
		t.entries[i] = entry{seen: uint16(seen), kinds: kinds(k), only: only}
		if d.Failed() || !keys.next(key, i) || !t.words.put(keys.last, uint32(i+1)) {
			return fmt.Errorf("%w: word %d is out of place", ErrModel, i)
		}
	}
	return nil
}

// ascending decodes keys stored as differences.
type ascending struct{ last uint64 }

// next advances by a difference to key i; false if the key does not exceed the previous one.
func (a *ascending) next(distance uint64, i int) bool {
	if distance >= 1<<keyBits-a.last || distance == 0 && i > 0 {
		return false
	}
	a.last += distance
	return true
}

// appendFeature appends a feature with its weights to a section; cells has the layout of Tagger.cells.
func appendFeature(b []byte, distance uint64, cells []int32) []byte {
	b = binary.AppendUvarint(b, distance)
	b = append(b, byte(len(cells)))
	for _, c := range cells {
		b = append(b, byte(c))
		b = binary.AppendVarint(b, int64(c>>8))
	}
	return b
}

func (t *Tagger) readWeights(d *Decoder) error {
	if v := d.Uvarint(); v != features {
		return fmt.Errorf("%w: learned with features %d, this program has %d", ErrModel, v, features)
	}
	n := d.Count(4)
	t.weights = newTable(n)
	var keys ascending
	for i := range n {
		distance, count := d.Uvarint(), int(d.Byte())
		if count == 0 || count >= int(tags) || len(t.cells) >= 1<<26-int(tags) {
			return fmt.Errorf("%w: feature %d has %d weights", ErrModel, i, count)
		}
		value, err := t.readFeature(d, i, count)
		if err != nil {
			return err
		}
		if d.Failed() || !keys.next(distance, i) || !t.weights.put(keys.last, value) {
			return fmt.Errorf("%w: feature %d is out of place", ErrModel, i)
		}
	}
	return nil
}

// readFeature reads the weights of feature i and returns its value in the table.
func (t *Tagger) readFeature(d *Decoder, i, count int) (uint32, error) {
	at := len(t.cells)
	last := Unknown
	for range count {
		tag, weight := Tag(d.Byte()), d.Varint()
		if tag <= last || tag >= tags || weight < -maxWeight || weight > maxWeight {
			return 0, fmt.Errorf("%w: feature %d weighs %d for tag %d", ErrModel, i, weight, tag)
		}
		t.cells = append(t.cells, int32(weight)<<8|int32(tag))
		last = tag
	}
	if count < crowd {
		return uint32(at<<6 | count), nil
	}
	var l lanes
	for _, cell := range t.cells[at:] {
		l.add(Tag(cell), cell>>8)
	}
	t.cells = t.cells[:at]
	t.crowds = append(t.crowds, l)
	return uint32((len(t.crowds)-1)<<6 | crowded), nil
}
