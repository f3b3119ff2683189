package stream

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"orbweaver/kb/concepts"
	"orbweaver/kb/labels"
)

// snapshotMagic starts a snapshot; its last byte is the version. A snapshot of ungroupedMagic has no concepts, one of
// unwatchedMagic no detector of drift either: they start with the next document.
const (
	snapshotMagic  = "orbstream\x03"
	ungroupedMagic = "orbstream\x02"
	unwatchedMagic = "orbstream\x01"
)

// maxPart bounds each part of a snapshot, in bytes.
const maxPart = 1 << 30

// Snapshot writes the model as one stream: the same bytes for the same documents in the same order.
func (m *Model) Snapshot(w io.Writer) error {
	options, err := json.Marshal(m.Options)
	if err != nil {
		return err
	}
	parts := [][]byte{options}
	for _, snapshot := range []func(io.Writer) error{m.Labels.Snapshot, m.Terms.Snapshot, m.churn.snapshot, m.Groups.Snapshot} {
		var part bytes.Buffer
		if err := snapshot(&part); err != nil {
			return err
		}
		parts = append(parts, part.Bytes())
	}
	if _, err := io.WriteString(w, snapshotMagic); err != nil {
		return err
	}
	for _, part := range parts {
		if _, err := w.Write(binary.AppendUvarint(nil, uint64(len(part)))); err != nil {
			return err
		}
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// Restore replaces the model by a snapshot. After an error, which wraps ErrDamaged, ErrFormat, or ErrForeign
// if the snapshot has other Options, the model is unchanged.
func (m *Model) Restore(r io.Reader) error {
	b, err := io.ReadAll(io.LimitReader(r, 5*maxPart))
	if err != nil {
		return err
	}
	var parts [5][]byte
	stored, ours := parts[:], false
	for i, magic := range []string{snapshotMagic, ungroupedMagic, unwatchedMagic} {
		if b, ours = bytes.CutPrefix(b, []byte(magic)); ours {
			stored = parts[:len(parts)-i]
			break
		}
	}
	if !ours {
		return fmt.Errorf("a model's snapshot: %w", ErrFormat)
	}
	for i := range stored {
		n, size := binary.Uvarint(b)
		if size <= 0 || n > uint64(len(b)-size) {
			return fmt.Errorf("a model's snapshot: %w", ErrDamaged)
		}
		parts[i], b = b[size:size+int(n)], b[size+int(n):]
	}
	return m.replace(parts, len(b) > 0)
}

// replace replaces the model by the parts of a snapshot.
func (m *Model) replace(parts [5][]byte, more bool) error {
	options, learned, terms := parts[0], parts[1], parts[2]
	churn, err := decodeChurn(parts[3])
	var o Options
	if err := errors.Join(err, json.Unmarshal(options, &o)); err != nil || more {
		return fmt.Errorf("a model's snapshot: %w", ErrDamaged)
	}
	if o.WordNet = m.Options.WordNet; o != m.Options {
		return fmt.Errorf("a model's snapshot: learned with other options, %s: %w", options, ErrForeign)
	}
	again, err := labels.Restore(bytes.NewReader(learned))
	if errors.Is(err, labels.ErrFormat) {
		return fmt.Errorf("a model's snapshot: %w: %w", ErrFormat, err)
	}
	groups := concepts.New(m.Options.HalfLife)
	if err == nil {
		err = groups.Restore(bytes.NewReader(parts[4]))
	}
	if err == nil {
		err = m.Terms.Restore(bytes.NewReader(terms))
	}
	if err != nil {
		return fmt.Errorf("a model's snapshot: %w: %w", ErrDamaged, err)
	}
	m.Labels, m.churn, m.Groups = again, churn, groups
	return nil
}
