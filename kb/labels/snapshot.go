package labels

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"math"
	"unicode/utf8"
)

// magic starts a snapshot. format is the version of the rest: parameters, counts, terms and pairs in the
// order of their numbers, and a SHA-256 of all preceding bytes. It changes when older models can no longer be
// read.
const (
	magic  = "orbweaver labels\n"
	format = 1
)

// maxParameters bounds the encoded parameters, in bytes.
const maxParameters = 1 << 16

// Snapshot writes the whole model: the same bytes for the same stream of items, whether or not the model was
// restored in between.
func (m *Model) Snapshot(w io.Writer) error {
	sum := sha256.New()
	e := encoder{w: bufio.NewWriterSize(io.MultiWriter(w, sum), 1<<16)}
	m.encode(&e)
	if err := e.w.Flush(); err != nil {
		return fmt.Errorf("snapshot of labels: %w", err)
	}
	if _, err := w.Write(sum.Sum(nil)); err != nil {
		return fmt.Errorf("snapshot of labels: %w", err)
	}
	return nil
}

// Digest identifies a model: two with the same digest are equal, and learn the same from the same items. It
// reads the whole model.
func (m *Model) Digest() string {
	sum := sha256.New()
	e := encoder{w: bufio.NewWriterSize(sum, 1<<16)}
	m.encode(&e)
	_ = e.w.Flush() // writing to a hash cannot fail
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// An encoder writes numbers; the bufio.Writer keeps the first error.
type encoder struct {
	w   *bufio.Writer
	buf [binary.MaxVarintLen64]byte
}

func (e *encoder) uint(x uint64) { _, _ = e.w.Write(e.buf[:binary.PutUvarint(e.buf[:], x)]) }

func (e *encoder) bytes(b []byte) {
	e.uint(uint64(len(b)))
	_, _ = e.w.Write(b)
}

// float writes a count with its bytes reversed, which makes integers short.
func (e *encoder) float(x float64) { e.uint(reverse(math.Float64bits(x))) }

func reverse(x uint64) uint64 {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], x)
	return binary.BigEndian.Uint64(b[:])
}

func (m *Model) encode(e *encoder) {
	_, _ = e.w.WriteString(magic)
	e.uint(format)
	parameters, _ := json.Marshal(m.p) // finite numbers: it cannot fail
	e.bytes(parameters)
	e.uint(uint64(m.items))
	e.float(m.weight)
	e.float(m.inc)
	e.uint(m.version)
	e.uint(uint64(len(m.terms.all)))
	e.uint(uint64(m.terms.hand))
	for i := range m.terms.all {
		t := &m.terms.all[i]
		e.bytes([]byte(t.text))
		e.float(t.n)
		e.float(t.head)
		e.uint(uint64(m.items - t.last))
		e.uint(uint64(t.generation))
		e.uint(uint64(t.state))
	}
	e.uint(uint64(m.pairs.used))
	e.uint(uint64(m.pairs.hand))
	for i := range m.pairs.used {
		p := m.pairs.at(i)
		e.uint(uint64(p.a))
		e.uint(uint64(p.b - p.a))
		e.float(p.n)
		e.uint(uint64(p.generation[0]))
		e.uint(uint64(p.generation[1]))
		flags := p.flags & supported
		if m.stale(p) { // omitted, because the time of its detection depends on the queues
			flags = 0
		}
		e.uint(uint64(p.bits[0]) | uint64(p.bits[1])<<4 | uint64(flags)<<8)
	}
}

// A decoder reads an encoder's output and hashes its bytes. After an error it returns zeros.
type decoder struct {
	r   *bufio.Reader
	sum hash.Hash
	one [1]byte
	err error
}

// ReadByte implements io.ByteReader.
func (d *decoder) ReadByte() (byte, error) {
	b, err := d.r.ReadByte()
	if err == nil {
		d.one[0] = b
		d.sum.Write(d.one[:])
	}
	return b, err
}

func (d *decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf("%w: "+format, append([]any{ErrDamaged}, args...)...)
	}
}

// uint reads a number of at most most.
func (d *decoder) uint(what string, most uint64) uint64 {
	if d.err != nil {
		return 0
	}
	x, err := binary.ReadUvarint(d)
	switch {
	case err != nil:
		d.fail("%s: %w", what, unexpected(err))
	case x > most:
		d.fail("%s is %d, at most %d", what, x, most)
	default:
		return x
	}
	return 0
}

// unexpected converts an end of file within a value to io.ErrUnexpectedEOF.
func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// float reads a count, which is neither negative nor infinite.
func (d *decoder) float(what string) float64 {
	x := math.Float64frombits(reverse(d.uint(what, math.MaxUint64)))
	if !(x >= 0) || math.IsInf(x, 0) || math.Signbit(x) {
		d.fail("%s is %v", what, x)
		return 0
	}
	return x
}

func (d *decoder) bytes(what string, most uint64) []byte {
	b := make([]byte, d.uint(what, most))
	d.full(what, b)
	return b
}

func (d *decoder) full(what string, b []byte) {
	if d.err != nil {
		return
	}
	if _, err := io.ReadFull(d.r, b); err != nil {
		d.fail("%s: %w", what, unexpected(err))
		return
	}
	d.sum.Write(b)
}

// Restore reads a model that Snapshot wrote. The error wraps ErrFormat for another version's snapshot and
// ErrDamaged for invalid content. Memory grows with the bytes read, not with the sizes that a damaged
// snapshot states.
func Restore(r io.Reader) (*Model, error) {
	d := &decoder{r: bufio.NewReaderSize(r, 1<<16), sum: sha256.New()}
	m, err := d.model()
	if err != nil {
		return nil, fmt.Errorf("snapshot of labels: %w", err)
	}
	return m, nil
}

func (d *decoder) model() (*Model, error) {
	start := make([]byte, len(magic))
	if d.full("start", start); d.err == nil && string(start) != magic {
		return nil, fmt.Errorf("it does not start as one: %w", ErrDamaged)
	}
	if version := d.uint("format", math.MaxUint64); d.err == nil && version != format {
		return nil, fmt.Errorf("format %d, this version reads %d: %w", version, format, ErrFormat)
	}
	m, err := d.begin()
	if err != nil {
		return nil, err
	}
	d.counts(m)
	d.terms(m)
	d.pairs(m)
	want := d.sum.Sum(nil)
	var sum [sha256.Size]byte
	if d.full("sum", sum[:]); d.err == nil && !bytes.Equal(want, sum[:]) {
		d.fail("its sum is another one")
	}
	if d.err != nil {
		return nil, d.err
	}
	m.requeueAll()
	return m, nil
}

// begin returns an empty model with a snapshot's parameters.
func (d *decoder) begin() (*Model, error) {
	text := d.bytes("parameters", maxParameters)
	if d.err != nil {
		return nil, d.err
	}
	var p Parameters
	if err := json.Unmarshal(text, &p); err != nil {
		return nil, fmt.Errorf("parameters: %w: %w", ErrDamaged, err)
	}
	m, err := New(p)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return m, nil
}

func (d *decoder) counts(m *Model) {
	m.items = int64(d.uint("items", math.MaxInt64))
	m.weight = d.float("weight of items")
	m.inc = d.float("weight of an item")
	m.version = d.uint("version", math.MaxUint64)
	if !(m.inc > 0) || m.inc >= math.Ldexp(1, scaleBits) {
		d.fail("weight of an item is %v", m.inc)
	}
}

func (d *decoder) terms(m *Model) {
	number := d.uint("number of terms", uint64(m.p.MaxTerms))
	m.terms.hand = uint32(d.uint("place among terms", max(number, 1)-1))
	for i := uint64(0); i < number && d.err == nil; i++ {
		t := term{text: string(d.bytes("term", maxText)), n: d.float("count"), head: d.float("count")}
		t.last = m.items - int64(d.uint("age", uint64(m.items)))
		t.generation = uint16(d.uint("generation", math.MaxUint16))
		t.state = uint8(d.uint("state", uint64(allStates)))
		if _, twice := m.terms.index[t.text]; twice || t.text == "" || !utf8.ValidString(t.text) {
			d.fail("term %q is none, or there twice", t.text)
		}
		if t.head > t.n {
			d.fail("term %q: counts %v of %v", t.text, t.head, t.n)
		}
		m.terms.index[t.text] = uint32(i)
		m.terms.all = append(m.terms.all, t)
	}
}

func (d *decoder) pairs(m *Model) {
	number := d.uint("number of pairs", uint64(m.p.MaxPairs))
	m.pairs.hand = uint32(d.uint("place among pairs", max(number, 1)-1))
	last := uint64(max(len(m.terms.all), 1) - 1)
	for i := uint64(0); i < number && d.err == nil; i++ {
		var p pair
		p.a = uint32(d.uint("first term of a pair", last))
		b := uint64(p.a) + d.uint("second term of a pair", last)
		p.n = d.float("count of a pair")
		p.generation[0] = uint16(d.uint("generation", math.MaxUint16))
		p.generation[1] = uint16(d.uint("generation", math.MaxUint16))
		bits := d.uint("bits of a pair", uint64(allBits)|uint64(allBits)<<4|uint64(supported)<<8)
		p.bits = [2]uint8{uint8(bits) & allBits, uint8(bits>>4) & allBits}
		p.flags = uint8(bits >> 8)
		if d.err == nil && (b <= uint64(p.a) || b > last) {
			d.fail("pair of terms %d and %d of %d", p.a, b, last+1)
		}
		if d.err != nil {
			return
		}
		p.b = uint32(b)
		d.check(m, &p)
		if _, twice := m.pairs.find(p.a, p.b); twice {
			d.fail("pair of terms %d and %d is there twice", p.a, p.b)
			return
		}
		m.pairs.add(p)
	}
}

// check validates a decoded pair.
func (d *decoder) check(m *Model, p *pair) {
	inForce := p.bits != [2]uint8{}
	switch {
	case inForce && (m.stale(p) || p.flags&supported == 0):
		d.fail("pair of terms %d and %d has rules without support", p.a, p.b)
	case !m.stale(p) && p.n > min(m.terms.all[p.a].n, m.terms.all[p.b].n), inForce && p.n == 0:
		d.fail("pair of terms %d and %d: count %v", p.a, p.b, p.n)
	}
}

// requeueAll rebuilds derived state: queues, and the terms' counts of rules.
func (m *Model) requeueAll() {
	for i := range m.pairs.used {
		p := m.pairs.at(i)
		for side, bits := range p.bits {
			t, x := p.given(side)
			m.terms.all[x].recount(bits, 1)
			if key := m.key(bits, p.n); key >= 0 {
				m.terms.all[t].out.push(entry{key, i})
			}
		}
		if p.flags&supported != 0 && m.p.HalfLife > 0 {
			p.flags |= queued
			m.fading.push(entry{p.n, i})
		}
	}
	for i := range m.terms.all {
		t := &m.terms.all[i]
		if t.waits = t.state & (frequent | common); t.waits&frequent != 0 {
			m.rare.push(entry{t.n, uint32(i)})
		}
		if t.waits&common != 0 {
			m.many.push(entry{t.n, uint32(i)})
		}
	}
}
