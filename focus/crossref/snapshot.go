package crossref

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"orbweaver"
	"orbweaver/kb/stream"
	"orbweaver/text/item"
)

// snapshotVersion changes with the format. A snapshot of oneItem differs in the digest of its item alone.
const (
	snapshotVersion = 4
	oneItem         = 3
)

// maxSnapshot bounds the size of a snapshot, in bytes.
const maxSnapshot = 4 << 30

// A head is the first part of a snapshot.
type head struct {
	Version int                `json:"version"`
	Item    string             `json:"item"` // SHA-256 of the items
	Query   int                `json:"query"`
	Round   [2]int             `json:"round"`
	Sums    [2]float64         `json:"sums"`
	Rounds  []Figures          `json:"rounds,omitempty"`
	Told    map[string]float64 `json:"told,omitempty"` // relevance by verdicts, by URL
}

// itemDigest identifies the items.
func (f *Focus) itemDigest() string {
	sum := sha256.New()
	for _, p := range f.opts.items() {
		for _, part := range []string{p.URL, p.Title, p.Text, p.Lang} {
			fmt.Fprintf(sum, "%d %s", len(part), part)
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// Snapshot writes the state: equal states give equal bytes.
func (f *Focus) Snapshot(w io.Writer) error {
	h, err := json.Marshal(head{
		Version: snapshotVersion, Item: f.itemDigest(), Query: f.query[0].items,
		Round: [2]int{f.round.Pages, f.round.Accepted}, Sums: [2]float64{f.round.cosL0, f.round.cosItem}, Rounds: f.rounds, Told: f.told,
	})
	var model bytes.Buffer
	if err == nil {
		err = f.model.Snapshot(&model)
	}
	if err != nil {
		return fmt.Errorf("crossref focus: snapshot: %w", err)
	}
	var e encoder
	e.bytes(h)
	e.uint(uint64(model.Len()))
	if err := e.flush(w); err != nil {
		return err
	}
	if _, err := model.WriteTo(w); err != nil {
		return err
	}
	model = bytes.Buffer{} // large: release it early
	for i := range f.query {
		e.vector(f.query[i].terms)
		e.vector(f.query[i].labels)
	}
	e.layers(f.layers)
	e.uint(uint64(len(f.known.items)))
	for i := range f.known.items {
		if e.item(&f.known.items[i]); len(e.b) < flushed {
			continue
		}
		if err := e.flush(w); err != nil {
			return err
		}
	}
	e.feedback(&f.taught)
	if f.shared {
		return f.linksInto(&e, w)
	}
	return e.flush(w)
}

// Digest identifies the state.
func (f *Focus) Digest() string {
	h := sha256.New()
	if err := f.Snapshot(h); err != nil {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// digestOfOne identifies an item as snapshots of version oneItem do.
func digestOfOne(p *orbweaver.Page) string {
	sum := sha256.Sum256([]byte(p.URL + "\x00" + p.Title + "\x00" + p.Text + "\x00" + p.Lang))
	return hex.EncodeToString(sum[:])
}

// Restore replaces the state by a snapshot. An invalid snapshot leaves the focus unchanged and returns an
// error: orbweaver.ErrDamaged when it cannot be read, orbweaver.ErrForeign when it belongs to another item.
func (f *Focus) Restore(r io.Reader) error {
	b, err := io.ReadAll(io.LimitReader(r, maxSnapshot))
	if err != nil {
		return fmt.Errorf("crossref focus: snapshot: %w", err)
	}
	d := decoder{b: b}
	var h head
	if err := json.Unmarshal(d.bytes(), &h); err != nil || h.Version != snapshotVersion && h.Version != oneItem {
		return fmt.Errorf("crossref focus: snapshot of version %d: %w", h.Version, orbweaver.ErrDamaged)
	}
	if h.Item != f.itemDigest() && (h.Version != oneItem || len(f.query) != 1 || h.Item != digestOfOne(f.opts.Item)) {
		return fmt.Errorf("crossref focus: %s is not the item, or not the only one, that the crawl began with, or it was changed since: %w", f.opts.Item.URL, orbweaver.ErrForeign)
	}
	model, err := f.readModel(d.bytes())
	if err != nil {
		return err
	}
	again := Focus{opts: f.opts, model: model, known: newCollection(f.opts.MaxItems), rounds: h.Rounds}
	again.round = tally{h.Round[0], h.Round[1], h.Sums[0], h.Sums[1]}
	for i := range f.query {
		q := query{url: f.query[i].url, draft: f.query[i].draft, terms: d.vector(), labels: d.vector(), items: h.Query}
		again.query = append(again.query, q)
	}
	again.layers = d.layers()
	for range d.count(8) {
		again.known.items = append(again.known.items, d.item())
	}
	again.taught = d.feedback()
	if again.shared = !d.failed && len(d.b) > 0; again.shared {
		d.links(again.known.items)
	}
	if d.failed || len(d.b) > 0 || len(again.layers) == 0 || len(again.layers) > maxLayers || len(again.known.items) > f.opts.MaxItems {
		return fmt.Errorf("crossref focus: snapshot: values out of range: %w", orbweaver.ErrDamaged)
	}
	again.known.index()
	f.model, f.query, f.layers, f.known, f.round, f.rounds = model, again.query, again.layers, again.known, again.round, again.rounds
	f.taught, f.told, f.untold, f.judged, f.redone = again.taught, h.Told, nil, judged{}, redone{}
	f.shared, f.beside = again.shared, nil
	return nil
}

// readModel decodes the model of a snapshot, which must have the parameters of the focus's own.
func (f *Focus) readModel(snapshot []byte) (*stream.Model, error) {
	model, err := stream.New(f.model.Options)
	if err == nil {
		err = model.Restore(bytes.NewReader(snapshot))
	}
	switch {
	case errors.Is(err, stream.ErrForeign):
		return nil, fmt.Errorf("crossref focus: the crawl began with a model of other options: %w: %w", orbweaver.ErrForeign, err)
	case err != nil:
		return nil, fmt.Errorf("crossref focus: snapshot: %w: %w", orbweaver.ErrDamaged, err)
	}
	return model, nil
}

func (e *encoder) vector(v vector) {
	e.uint(uint64(len(v)))
	e.b = appendDims(e.b, v)
}

func (e *encoder) direction(to direction) {
	e.uint(uint64(len(to)))
	for _, id := range slices.Sorted(maps.Keys(to)) {
		e.b = binary.LittleEndian.AppendUint32(e.b, id)
		e.b = binary.LittleEndian.AppendUint64(e.b, math.Float64bits(to[id]))
	}
}

func (e *encoder) layers(all []layer) {
	e.uint(uint64(len(all)))
	for _, l := range all {
		e.uint(uint64(l.members))
		e.direction(l.terms)
		e.direction(l.labels)
	}
}

func (d *decoder) layers() (all []layer) {
	for range d.count(3) {
		all = append(all, layer{int(d.uint()), d.direction(), d.direction()})
	}
	return all
}

func (e *encoder) item(k *kept) {
	e.bytes([]byte(k.url))
	e.vector(k.terms)
	e.uint(uint64(len(k.main)))
	for _, t := range k.main {
		e.b = binary.LittleEndian.AppendUint32(e.b, t.ID)
		e.b = binary.LittleEndian.AppendUint64(e.b, math.Float64bits(t.Weight))
	}
	e.vector(k.labels)
	e.vector(k.near)
	e.standing(k.standing)
	e.uint(uint64(k.member + 1))
}

func (d *decoder) vector() vector {
	n := d.count(noteDim)
	v := readDims(d.b, n)
	d.b = d.b[noteDim*n:]
	return v
}

func (d *decoder) direction() direction {
	n := d.count(12)
	to := make(direction, n)
	for range n {
		to[binary.LittleEndian.Uint32(d.b)] = math.Float64frombits(binary.LittleEndian.Uint64(d.b[4:]))
		d.b = d.b[12:]
	}
	return to
}

func (d *decoder) mains() []item.Term {
	terms := make([]item.Term, d.count(12))
	for i := range terms {
		terms[i] = item.Term{ID: binary.LittleEndian.Uint32(d.b), Weight: math.Float64frombits(binary.LittleEndian.Uint64(d.b[4:]))}
		d.b = d.b[12:]
	}
	return terms
}

func (d *decoder) item() (k kept) {
	k.url, k.terms, k.main, k.labels, k.near, k.standing = string(d.bytes()), d.vector(), d.mains(), d.vector(), d.vector(), d.standing()
	k.member = int8(min(d.uint(), maxLayers)) - 1
	return k
}
