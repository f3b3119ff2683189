package crossref

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"orbweaver"
	"orbweaver/kb/labels"
	"orbweaver/text/item"
)

// A Model is what items taught of terms and labels: what one crawl learned another can begin with.
type Model struct {
	Terms  *item.State
	Labels *labels.Model

	names   map[uint32]string // of terms that labels know: as they were first shown, since labels go by names
	numbers map[string]uint32 // the other way; of terms of one name the first
}

// maxNames is how many names are kept before those of forgotten terms are looked for.
const maxNames = 1 << 18

// NewModel has learned nothing. Labels will be learned from that many terms of an item, 2 to 100.
func NewModel(termsPerItem int) *Model {
	p := labels.Default()
	p.Terms = termsPerItem
	learned, err := labels.New(p)
	if err != nil { // the range of TermsPerItem is within that of labels
		panic(err)
	}
	return &Model{Terms: newState(), Labels: learned, names: map[uint32]string{}, numbers: map[string]uint32{}}
}

func newState() *item.State { return item.NewState(item.Options{Terms: maxTerms}) }

// take learns from an item and returns its terms, of its labels only if it is to.
func (m *Model) take(d item.Draft, url string, withLabels bool) vector {
	terms := compact(m.Terms.Take(d).Terms)
	if withLabels && len(terms) > 0 {
		m.Labels.Learn(m.named(terms, url))
		if len(m.names) > maxNames {
			m.prune()
		}
	}
	return terms
}

// named is an item as labels know it, by its heaviest terms. Terms get their names here.
func (m *Model) named(terms vector, url string) labels.Item {
	terms = terms.heaviest(m.Labels.Parameters().Terms)
	it := labels.Item{ID: url, Terms: make([]labels.Term, 0, len(terms))}
	for _, d := range terms {
		if name := m.name(d.id); name != "" {
			it.Terms = append(it.Terms, labels.Term{Text: name, Weight: float64(d.weight)})
		}
	}
	return it
}

// known is named for an item that nothing is learned from: terms without a name are left out.
func (m *Model) known(terms vector) labels.Item {
	terms = terms.heaviest(m.Labels.Parameters().Terms)
	it := labels.Item{Terms: make([]labels.Term, 0, len(terms))}
	for _, d := range terms {
		if name, ok := m.names[d.id]; ok {
			it.Terms = append(it.Terms, labels.Term{Text: name, Weight: float64(d.weight)})
		}
	}
	return it
}

// Name is what labels call a term, by its number in Terms; false: they do not know it.
func (m *Model) Name(id uint32) (string, bool) {
	name, ok := m.names[id]
	return name, ok
}

func (m *Model) name(id uint32) string {
	name, ok := m.names[id]
	if !ok {
		name, _ = m.Terms.Text(id)
		m.call(id, name)
	}
	return name
}

func (m *Model) call(id uint32, name string) {
	m.names[id] = name
	if first, ok := m.numbers[name]; !ok || id < first {
		m.numbers[name] = id
	}
}

// prune forgets the names of forgotten terms, unless labels are called so.
func (m *Model) prune() {
	labelled := map[string]bool{}
	for _, l := range m.Labels.Labels() {
		labelled[l.Text] = true
	}
	maps.DeleteFunc(m.names, func(id uint32, name string) bool {
		_, there := m.Terms.Text(id)
		return !there && !labelled[name]
	})
	clear(m.numbers)
	for id, name := range m.names {
		m.call(id, name)
	}
}

// labelsOf classifies an item as of now. It returns the vector of its labels, and how many of them do not
// follow from a term alone: they were inferred.
func (f *Focus) labelsOf(terms vector) (v vector, inferred int) {
	if f.opts.NoLabels || len(terms) == 0 {
		return nil, 0
	}
	held := f.model.Labels.Classify(f.model.known(terms))
	for _, h := range held {
		if h.By != labels.ByTerm {
			inferred++
		}
		v = append(v, dim{f.model.numbers[h.Label], float32(h.Strength)})
	}
	return v.sorted(), inferred
}

// modelMagic begins a model; its last byte is the version.
const modelMagic = "orbcross\x01"

// maxModel bounds each part of a model that is read, in bytes.
const maxModel = 1 << 30

// Snapshot writes the model: the same bytes for the same items in the same order.
func (m *Model) Snapshot(w io.Writer) error {
	var terms, learned bytes.Buffer
	if err := errors.Join(m.Terms.Snapshot(&terms), m.Labels.Snapshot(&learned)); err != nil {
		return fmt.Errorf("crossref: model: %w", err)
	}
	e := encoder{b: []byte(modelMagic)}
	e.bytes(terms.Bytes())
	e.bytes(learned.Bytes())
	e.uint(uint64(len(m.names)))
	for _, id := range slices.Sorted(maps.Keys(m.names)) {
		e.uint(uint64(id))
		e.bytes([]byte(m.names[id]))
	}
	_, err := w.Write(e.b)
	return err
}

// ReadModel reads a model that Snapshot wrote. The error wraps orbweaver.ErrDamaged where none did.
func ReadModel(r io.Reader) (*Model, error) {
	b, err := io.ReadAll(io.LimitReader(r, 3*maxModel))
	if err != nil {
		return nil, fmt.Errorf("crossref: model: %w", err)
	}
	if !bytes.HasPrefix(b, []byte(modelMagic)) {
		return nil, fmt.Errorf("crossref: this is no model of this version: %w", orbweaver.ErrDamaged)
	}
	d := decoder{b: b[len(modelMagic):]}
	m := &Model{Terms: newState(), names: map[uint32]string{}, numbers: map[string]uint32{}}
	err = m.Terms.Restore(bytes.NewReader(d.bytes()))
	if err == nil {
		m.Labels, err = labels.Restore(bytes.NewReader(d.bytes()))
	}
	for range d.count(2) {
		id := d.uint()
		m.call(uint32(id), string(d.bytes()))
	}
	if err == nil && (d.failed || len(d.b) > 0) {
		err = errors.New("it ends too early or too late")
	}
	if err != nil {
		return nil, fmt.Errorf("crossref: model: %w: %w", orbweaver.ErrDamaged, err)
	}
	return m, nil
}

// An encoder writes numbers and bytes.
type encoder struct{ b []byte }

func (e *encoder) uint(n uint64) { e.b = binary.AppendUvarint(e.b, n) }

func (e *encoder) bytes(b []byte) {
	e.uint(uint64(len(b)))
	e.b = append(e.b, b...)
}

// A decoder reads what an encoder wrote. After a failure it reads zeros.
type decoder struct {
	b      []byte
	failed bool
}

func (d *decoder) uint() uint64 {
	n, size := binary.Uvarint(d.b)
	if size <= 0 {
		d.failed, d.b = true, nil
		return 0
	}
	d.b = d.b[size:]
	return n
}

// count reads how many parts follow, of so many bytes at least.
func (d *decoder) count(size int) int {
	n := d.uint()
	if n > uint64(len(d.b)/size) {
		d.failed, d.b = true, nil
		return 0
	}
	return int(n)
}

func (d *decoder) bytes() []byte {
	n := d.count(1)
	b := d.b[:n]
	d.b = d.b[n:]
	return b
}
