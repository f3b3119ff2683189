package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"orbweaver"
	krsfocus "orbweaver/focus/krs"
	"orbweaver/internal/app/crawlfile"
	"orbweaver/kb/krs"
)

// newKRSFocus makes a focus by a KRS, which is read once and closed.
func newKRSFocus(f crawlfile.KRS) (orbweaver.Focus, error) {
	store, err := openKRS(f.File)
	if err != nil {
		return nil, krsError(err)
	}
	reading, err := openReading(store, f.File, KRSReading{Tagger: f.Tagger, Gazetteer: f.Gazetteer, Confidence: f.Confidence})
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	snapshot, err := store.Snapshot(krs.Options{})
	if err = errors.Join(err, store.Close()); err != nil {
		return nil, krsError(err)
	}
	rule, known := krsfocus.ParseRule(f.Rule)
	if !known {
		return nil, fmt.Errorf("focus.krs.rule: %q is none (%w)", f.Rule, orbweaver.ErrInput)
	}
	return krsfocus.New(krsfocus.Options{
		Snapshot: snapshot, Annotator: annotator{reading}, Rule: rule, Lang: reading.pipeline.Language(), Learn: f.Learn,
	})
}

// patient is how often a KRS that is in use is tried: others read it, for a moment.
const patient = 100

// openKRS opens a KRS that others may open at the same time, as the runs of a comparison do.
func openKRS(dir string) (store *krs.Store, err error) {
	for range patient {
		if store, err = krs.Open(dir, ""); !errors.Is(err, krs.ErrInUse) {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	return store, err
}

// An annotator finds the nouns of pages.
type annotator struct{ *reading }

// Annotate reads a page.
func (a annotator) Annotate(_ context.Context, p *orbweaver.Page) (krs.Document, error) {
	return a.read(p.URL, p.Title, p.Lang, p.Text), nil
}
