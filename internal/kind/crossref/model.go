package crossref

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"orbweaver"
	"orbweaver/internal/offline/labelmodel"
	"orbweaver/kb/labels"
	"orbweaver/kb/stream"
)

// roundsFile has the figures of a cross-reference crawl's rounds, within its folder.
const roundsFile = "rounds.json"

// beginningModel returns the initial model of terms and labels of a cross-reference crawl.
func beginningModel(f section) (m *stream.Model, err error) {
	if f.Model == "" {
		m, err = stream.New(stream.Options{Terms: f.TermsPerItem, HalfLife: f.HalfLife, WordNet: f.WordNet})
		if errors.Is(err, stream.ErrWordNet) {
			err = fmt.Errorf("focus.crossref.wordnet: %w (%w)", err, orbweaver.ErrInput)
		}
		return m, err
	}
	if m, _, err = labelmodel.Open(f.Model, f.WordNet); err != nil {
		return nil, fmt.Errorf("focus.crossref.model: %w", err)
	}
	if learned := m.Options.HalfLife; f.HalfLife != 0 && f.HalfLife != learned {
		return nil, fmt.Errorf("focus.crossref.half_life: the model in %s was learned with %g, and not %g (%w)", f.Model, learned, f.HalfLife, orbweaver.ErrInput)
	}
	return m, nil
}

// A driftBook is the log of model changes of a crawl. It buffers changes until the crawl folder exists.
type driftBook struct {
	waits []labels.Change
	log   *stream.Drift
}

// add writes changes, so that they outlive this process.
func (b *driftBook) add(changes []labels.Change) error {
	if b.log == nil {
		b.waits = append(b.waits, changes...)
		return nil
	}
	return errors.Join(b.log.Add(changes), b.log.Flush())
}

// open opens the log in the folder of a crawl; a new log starts with a copy of the initial model's.
func (b *driftBook) open(dir, model string, begun bool) (err error) {
	waits := slices.Clone(b.waits)
	if b.waits = nil; begun { // then the item is not new to the model
		waits = nil
	} else if model != "" {
		at, err := labelmodel.Locate(model)
		if err == nil {
			err = stream.CopyDrift(at, dir, math.MaxInt64)
		}
		if err != nil {
			return err
		}
	}
	if b.log, err = stream.OpenDrift(dir, math.MaxInt64); err != nil || len(waits) == 0 {
		return err
	}
	return b.add(waits)
}

// close closes the log, if it is open.
func (b *driftBook) close() error {
	if b.log == nil {
		return nil
	}
	return b.log.Close()
}
