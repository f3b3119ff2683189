package urlwords

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"orbweaver"
)

// stateForm is the version of the encoding.
const stateForm = 1

// Append appends all that the model learned; nothing, if it met no list.
func (m *Model) Append(b []byte) []byte {
	if !m.Lists() {
		return b
	}
	b = append(b, stateForm)
	b = floats(b, m.listed, m.pages, m.worth, m.squares, m.next)
	for _, s := range []scale{m.links, m.urls} {
		b = floats(floats(b, s.n...), s.worth...)
	}
	b = binary.AppendUvarint(b, uint64(len(m.order)))
	for _, name := range m.order {
		one := m.features[name]
		b = append(binary.AppendUvarint(b, uint64(len(name))), name...)
		b = floats(b, one.texts, one.textWorth, one.urls, one.urlWorth, one.listed)
	}
	return b
}

func floats(b []byte, all ...float64) []byte {
	for _, x := range all {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	return b
}

// errState reports an invalid encoding.
var errState = errors.New("not what was written")

// Restore decodes a model; nothing gives one that met no list. The error wraps orbweaver.ErrDamaged.
func Restore(b []byte) (*Model, error) {
	m := New()
	if len(b) == 0 {
		return m, nil
	}
	in := decoder{b: b[1:], bad: b[0] != stateForm}
	for _, x := range []*float64{&m.listed, &m.pages, &m.worth, &m.squares, &m.next} {
		*x = in.float()
	}
	for _, s := range []scale{m.links, m.urls} {
		for _, list := range [][]float64{s.n, s.worth} {
			for i := range list {
				list[i] = in.float()
			}
		}
	}
	for n := in.number(maxFeatures); n > 0 && !in.bad; n-- {
		name := in.text()
		if m.features[name] != nil {
			in.bad = true
			break
		}
		one := m.add(name)
		for _, x := range []*float64{&one.texts, &one.textWorth, &one.urls, &one.urlWorth, &one.listed} {
			*x = in.float()
		}
	}
	if in.bad || len(in.b) > 0 || m.listed < 1 {
		return nil, fmt.Errorf("words of URLs: %w: %w", orbweaver.ErrDamaged, errState)
	}
	return m, nil
}

// A decoder reads a state. After the first error all numbers are 0 and all strings empty.
type decoder struct {
	b   []byte
	bad bool
}

// float reads a sum: at least 0, and finite.
func (d *decoder) float() float64 {
	if d.bad || len(d.b) < 8 {
		d.bad = true
		return 0
	}
	x := math.Float64frombits(binary.LittleEndian.Uint64(d.b))
	if d.b = d.b[8:]; !(x >= 0) || math.IsInf(x, 0) {
		d.bad = true
		return 0
	}
	return x
}

func (d *decoder) number(limit int) int {
	n, size := binary.Uvarint(d.b)
	if d.bad || size <= 0 || n > uint64(limit) {
		d.bad = true
		return 0
	}
	d.b = d.b[size:]
	return int(n)
}

func (d *decoder) text() string {
	n := d.number(len(d.b))
	if d.bad || n > len(d.b) {
		d.bad = true
		return ""
	}
	s := string(d.b[:n])
	d.b = d.b[n:]
	return s
}
