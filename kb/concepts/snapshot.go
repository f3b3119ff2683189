package concepts

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// format is the first byte of a snapshot, and changes with it.
const format = 1

// maxSnapshot bounds a snapshot, in bytes: it has some 3 MB.
const maxSnapshot = 64 << 20

// Snapshot writes the model: the same bytes for the same documents in the same order.
func (m *Model) Snapshot(w io.Writer) error {
	b := []byte{format}
	b = binary.AppendUvarint(b, uint64(m.seen))
	b = binary.AppendUvarint(b, uint64(m.next))
	b = binary.AppendUvarint(b, uint64(m.grouped))
	b = binary.AppendUvarint(b, uint64(len(m.sample)))
	for _, doc := range m.sample {
		b = appendWeights(b, doc)
	}
	b = binary.AppendUvarint(b, uint64(len(m.all)))
	for i := range m.all {
		b = m.all[i].append(b)
	}
	for _, n := range m.recent {
		b = binary.AppendUvarint(b, uint64(n))
	}
	_, err := w.Write(b)
	return err
}

func (c *Concept) append(b []byte) []byte {
	leaf := uint64(0)
	if c.Leaf {
		leaf = 1
	}
	for _, n := range []uint64{uint64(c.Number), uint64(c.Above + 1), uint64(c.Items), leaf, uint64(len(c.Members))} {
		b = binary.AppendUvarint(b, n)
	}
	for _, x := range c.Members {
		own := byte(0)
		if x.Own {
			own = 1
		}
		b = binary.AppendUvarint(b, uint64(x.Label))
		b = append(appendFloat(appendFloat(b, x.P), x.Strength), own)
	}
	return appendWeights(b, c.Rule)
}

func appendFloat(b []byte, x float32) []byte {
	return binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
}

// appendWeights writes terms as differences to the one before, as they are in order.
func appendWeights(b []byte, list []Weight) []byte {
	b = binary.AppendUvarint(b, uint64(len(list)))
	before := uint32(0)
	for _, w := range list {
		b = appendFloat(binary.AppendUvarint(b, uint64(w.Term-before)), w.Weight)
		before = w.Term
	}
	return b
}

// Restore replaces the model, but for its half-life, by a snapshot; one of no bytes is that of an empty model. The error
// wraps ErrDamaged; then the model is unchanged.
func (m *Model) Restore(r io.Reader) error {
	b, err := io.ReadAll(io.LimitReader(r, maxSnapshot))
	if err != nil {
		return err
	}
	again := Model{halfLife: m.halfLife}
	if len(b) > 0 {
		d := decoder{b: b}
		if again.decode(&d); d.bad || len(d.b) > 0 {
			return fmt.Errorf("byte %d of %d: %w", len(b)-len(d.b), len(b), ErrDamaged)
		}
		again.reindex()
	}
	*m = again
	return nil
}

// decode reads a snapshot; it leaves the decoder bad after anything that no model has.
func (m *Model) decode(d *decoder) {
	d.check(d.byte() == format)
	m.seen = int64(d.uint(math.MaxInt64))
	m.next = int(d.uint(math.MaxInt32))
	m.grouped = int(d.uint(Sample))
	docs := d.uint(Sample)
	for i := uint64(0); i < docs && !d.bad; i++ {
		m.sample = append(m.sample, d.weights(Width))
	}
	d.check(uint64(m.seen) >= docs && m.grouped <= len(m.sample))
	n := int(d.uint(2*Leaves - 2))
	for range n {
		if d.bad {
			return
		}
		m.all = append(m.all, d.concept(m.next, n, m.grouped))
	}
	leaves := leavesOf(m.all)
	for i := range m.all {
		d.check(m.all[i].Leaf == (i < leaves) && (m.all[i].Above < 0 || m.all[i].Above > i && m.all[i].Above >= leaves))
	}
	d.check(leaves <= Leaves)
	for range leaves {
		m.recent = append(m.recent, int(d.uint(math.MaxInt32)))
	}
}

// A decoder reads what Snapshot wrote. After an error it is bad and returns zeros.
type decoder struct {
	b   []byte
	bad bool
}

func (d *decoder) check(ok bool) { d.bad = d.bad || !ok }

func (d *decoder) byte() byte {
	if len(d.b) == 0 {
		d.bad = true
		return 0
	}
	x := d.b[0]
	d.b = d.b[1:]
	return x
}

func (d *decoder) uint(most uint64) uint64 {
	x, n := binary.Uvarint(d.b)
	if n <= 0 || x > most {
		d.bad = true
		return 0
	}
	d.b = d.b[n:]
	return x
}

// float reads a finite number.
func (d *decoder) float() float32 {
	if len(d.b) < 4 {
		d.bad = true
		return 0
	}
	x := math.Float32frombits(binary.LittleEndian.Uint32(d.b))
	d.b = d.b[4:]
	d.check(!math.IsNaN(float64(x)) && !math.IsInf(float64(x), 0))
	return x
}

// weights reads at most a number of terms with positive weights, in order.
func (d *decoder) weights(most uint64) (list []Weight) {
	n := d.uint(most)
	before := uint64(0)
	for i := uint64(0); i < n && !d.bad; i++ {
		step := d.uint(math.MaxUint32)
		d.check(i == 0 || step > 0)
		before += step
		d.check(before <= math.MaxUint32)
		w := Weight{uint32(before), d.float()}
		d.check(w.Weight >= 0)
		list = append(list, w)
	}
	return list
}

// concept reads one of n concepts of grouped documents.
func (d *decoder) concept(numbers, n, grouped int) (c Concept) {
	c.Number, c.Above = int(d.uint(uint64(numbers))), int(d.uint(uint64(n)))-1
	c.Items, c.Leaf = int(d.uint(uint64(Sample))), d.uint(1) == 1
	d.check(c.Items > 0 && c.Items <= grouped)
	c.Share = float64(c.Items) / float64(max(grouped, 1))
	members := d.uint(maxMembers)
	for i := uint64(0); i < members && !d.bad; i++ {
		x := Member{Label: uint32(d.uint(math.MaxUint32)), P: d.float(), Strength: d.float()}
		own := d.byte()
		d.check(own <= 1 && x.P >= 0 && x.P <= 1)
		x.Own = own == 1
		c.Members = append(c.Members, x)
	}
	c.Rule = d.weights(Rule)
	return c
}
