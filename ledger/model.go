package ledger

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/cockroachdb/pebble/v2"
	"github.com/klauspost/compress/zstd"

	"orbweaver"
	"orbweaver/internal/step"
)

// A snapshot from leastPacked bytes on is compressed; none has more than maxModel bytes.
const (
	leastPacked = 64 << 10
	maxModel    = 8 << 30
)

// setModel replaces the focus's snapshot, which includes what was committed so far: rounds that ended before need no replay.
func (l *Ledger) setModel(w *writer, snapshot []byte) {
	s := &l.state
	s.ModelN, s.ModelPacked = s.N, false
	if len(snapshot) >= leastPacked {
		packer, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true), zstd.WithWindowSize(1<<20))
		if err == nil {
			snapshot, s.ModelPacked = packer.EncodeAll(snapshot, nil), true
			err = packer.Close()
		}
		if err != nil && w.err == nil {
			w.err = err
		}
	}
	w.set([]byte{tableModel}, snapshot)
	if err := w.b.DeleteRange([]byte{tableModel, 0}, []byte{tableModel + 1}, nil); err != nil && w.err == nil {
		w.err = err
	}
}

// Model returns the focus's last snapshot and the number of the last outcome in it; nil if there is none.
func (l *Ledger) Model() (snapshot []byte, n int64, err error) {
	l.settle()
	snapshot, err = l.get([]byte{tableModel})
	if errors.Is(err, pebble.ErrNotFound) {
		return nil, 0, nil
	}
	if err == nil && l.state.ModelPacked {
		snapshot, err = unpackModel(snapshot)
	}
	return snapshot, l.state.ModelN, err
}

func unpackModel(packed []byte) ([]byte, error) {
	reader, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxModel))
	if err != nil {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	defer reader.Close()
	snapshot, err := reader.DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("ledger: the focus's snapshot: %w: %w", orbweaver.ErrDamaged, err)
	}
	return snapshot, nil
}

// EndedRounds returns the rounds that ended after the focus's last snapshot, in order.
func (l *Ledger) EndedRounds() (rounds []step.EndedRound, err error) {
	l.settle()
	err = l.scan([]byte{tableModel}, func(key, value []byte) error {
		if len(key) == 1 {
			return nil // the snapshot
		}
		after, size := binary.Uvarint(value)
		if len(key) != 9 || size <= 0 || after > uint64(l.state.N) {
			return fmt.Errorf("ledger: a round that ended: %w", orbweaver.ErrDamaged)
		}
		r := step.EndedRound{N: int(binary.BigEndian.Uint64(key[1:])), After: int64(after), Note: append([]byte(nil), value[size:]...)}
		rounds = append(rounds, r)
		return nil
	})
	return rounds, err
}
