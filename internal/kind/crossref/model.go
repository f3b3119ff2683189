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
		m, err = stream.New(stream.Options{Terms: f.TermsPerItem, HalfLife: f.HalfLife, WordNet: f.WordNet, Rules: f.thresholds()})
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
	return m, f.sameThresholds(m.Options.Rules)
}

// thresholds returns the thresholds of the section.
func (f *section) thresholds() stream.Rules {
	return stream.Rules{
		Alpha: value(f.Alpha, 0), Beta: value(f.Beta, 0), Broader: value(f.Tau, 0), Delta: value(f.Delta, 0), Exact: f.Rules == paper,
	}
}

// value returns the value of a key that may be missing.
func value[T any](given *T, missing T) T {
	if given == nil {
		return missing
	}
	return *given
}

// sameThresholds reports thresholds of the section that are not those of the model.
func (f *section) sameThresholds(learned stream.Rules) error {
	var problems []error
	have := learned.Parameters()
	other := func(is bool, key string, asked, was any) {
		if is {
			problems = append(problems, fmt.Errorf("focus.crossref.%s: %v, but the model in %s was learned with %v: leave the key out, or learn another model with labels train (%w)",
				key, asked, f.Model, was, orbweaver.ErrInput))
		}
	}
	other(f.Alpha != nil && *f.Alpha != have.Alpha, "alpha", value(f.Alpha, 0), have.Alpha)
	other(f.Beta != nil && *f.Beta != have.Beta, "beta", value(f.Beta, 0), have.Beta)
	other(f.Tau != nil && *f.Tau != have.Broader, "tau", value(f.Tau, 0), have.Broader)
	other(f.Delta != nil && *f.Delta != learned.Delta, "delta", value(f.Delta, 0), learned.Delta)
	was := "certain"
	if learned.Exact {
		was = paper
	}
	switch {
	case f.Mode == paper && !learned.Exact:
		problems = append(problems, fmt.Errorf("focus.crossref.model: the rules of %s are certain, and mode is paper: learn it with labels train --rules paper (%w)", f.Model, orbweaver.ErrInput))
	default:
		other(f.Rules != "" && f.Rules != was, "rules", f.Rules, was)
	}
	return errors.Join(problems...)
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
	if err := b.log.Add(changes); err != nil {
		return err
	}
	return b.log.Flush()
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
