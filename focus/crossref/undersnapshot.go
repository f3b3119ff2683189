package crossref

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"orbweaver"
)

// maxBaseNote bounds the base's Note of a request.
const maxBaseNote = math.MaxUint16

// joinNotes returns the Note of a request: the length of the base's in two bytes, that Note, and the evidence.
func joinNotes(base []byte, e *evidence) []byte {
	graph := e.note()
	b := make([]byte, 0, 2+len(base)+len(graph))
	b = binary.LittleEndian.AppendUint16(b, uint16(min(len(base), maxBaseNote)))
	return append(append(b, base[:min(len(base), maxBaseNote)]...), graph...)
}

// splitNote is the reverse of joinNotes; false for a Note of another kind, such as a seed's.
func splitNote(note []byte) (base []byte, e evidence, ok bool) {
	if len(note) < 2 {
		return nil, e, false
	}
	end := 2 + int(binary.LittleEndian.Uint16(note))
	if end > len(note) {
		return nil, e, false
	}
	e, ok = readNote(note[end:])
	return note[2:end:end], e, ok
}

// underVersion is the first byte of an Under's snapshot: it changes with the format.
const underVersion = 1

// Snapshot writes the state: version, counts, the base's snapshot, the model, layers, pages, words. Equal states
// give equal bytes.
func (u *Under) Snapshot(w io.Writer) error {
	var base, model bytes.Buffer
	if err := u.Base.Snapshot(&base); err != nil {
		return err
	}
	f := u.graph
	if err := f.model.Snapshot(&model); err != nil {
		return fmt.Errorf("layers: snapshot: %w", err)
	}
	e := encoder{b: []byte{underVersion}}
	e.uint(uint64(u.pages))
	e.uint(uint64(u.next))
	e.b = binary.LittleEndian.AppendUint64(e.b, math.Float64bits(u.threshold))
	e.bytes(base.Bytes())
	e.bytes(model.Bytes())
	e.layers(f.layers)
	e.uint(uint64(len(f.known.items)))
	for i := range f.known.items {
		k := &f.known.items[i]
		e.item(k)
		if e.under(&k.under); len(e.b) < flushed {
			continue
		}
		if err := e.flush(w); err != nil {
			return err
		}
	}
	e.feedback(&f.taught)
	return e.flush(w)
}

// Restore replaces the state by a snapshot. An invalid one leaves the state unchanged and returns an error that wraps
// orbweaver.ErrDamaged, or what the base returns.
func (u *Under) Restore(r io.Reader) error {
	b, err := io.ReadAll(io.LimitReader(r, maxSnapshot))
	if err != nil {
		return fmt.Errorf("layers: snapshot: %w", err)
	}
	if len(b) == 0 || b[0] != underVersion {
		return fmt.Errorf("layers: the crawl began without layers, or with those of another version: %w", orbweaver.ErrForeign)
	}
	d := decoder{b: b[1:]}
	pages, next, threshold := d.uint(), d.uint(), math.Float64frombits(d.fixed(8))
	base := d.bytes()
	model, err := u.graph.readModel(d.bytes())
	if err != nil {
		return err
	}
	again := Focus{opts: u.graph.opts, model: model, known: newCollection(u.graph.opts.MaxItems), layers: d.layers()}
	for range d.count(8) {
		k := d.item()
		k.under = d.under()
		again.known.items = append(again.known.items, k)
	}
	again.taught = d.feedback()
	sane := !d.failed && len(d.b) == 0 && len(again.layers) > 0 && len(again.layers) <= maxLayers && len(again.known.items) <= again.opts.MaxItems
	if !sane || pages >= next || next >= math.MaxInt64 || !(threshold >= 0 && threshold <= 1) {
		return fmt.Errorf("layers: snapshot: values out of range: %w", orbweaver.ErrDamaged)
	}
	if err := u.Base.Restore(bytes.NewReader(base)); err != nil {
		return err
	}
	again.known.index()
	u.graph = &again
	u.pages, u.next, u.threshold, u.page = int64(pages), int64(next), threshold, viewed{}
	return nil
}

func (e *encoder) under(k *judgedItem) {
	e.b = binary.LittleEndian.AppendUint32(e.b, math.Float32bits(k.score))
	accepted := uint64(0)
	if k.accepted {
		accepted = 1
	}
	e.uint(uint64(len(k.linked))<<1 | accepted)
	for _, from := range k.linked {
		e.b = binary.LittleEndian.AppendUint64(e.b, uint64(from))
	}
}

func (d *decoder) under() (k judgedItem) {
	k.score = math.Float32frombits(uint32(d.fixed(4)))
	n := d.uint()
	if k.accepted = n&1 != 0; n>>1 > maxLinked {
		d.failed, d.b = true, nil
		return k
	}
	for range n >> 1 {
		k.linked = append(k.linked, key(d.fixed(8)))
	}
	return k
}
