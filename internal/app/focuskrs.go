package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"orbweaver"
	"orbweaver/fetch/spotlight"
	krsfocus "orbweaver/focus/krs"
	"orbweaver/internal/app/crawlfile"
	"orbweaver/internal/app/wire"
	"orbweaver/internal/krsdb"
	"orbweaver/kb/krs"
)

// newKRSFocus makes a focus by a KRS, which is read once and closed.
func newKRSFocus(ctx context.Context, f crawlfile.KRS) (orbweaver.Focus, error) {
	store, err := openKRS(ctx, f.File)
	if err != nil {
		return nil, krsError(err)
	}
	reading, snapshot, seeds, err := openTopic(store, f)
	if err = errors.Join(err, store.Close()); err != nil {
		return nil, krsError(err)
	}
	rule, known := krsfocus.ParseRule(f.Rule)
	if !known {
		return nil, fmt.Errorf("focus.krs.rule: %q is none (%w)", f.Rule, orbweaver.ErrInput)
	}
	focus, err := krsfocus.New(krsfocus.Options{
		Snapshot: snapshot, Annotator: annotator{reading}, Rule: rule, Lang: reading.pipeline.Language(), Learn: f.Learn,
	})
	if err == nil && reading.settings.Linking != byGazetteer {
		reading.linker, err = newLinker(reading.settings, wire.Wire{}, crawlfile.Private{})
	}
	if err != nil {
		return nil, err
	}
	return &krsFocus{focus, reading, seeds}, nil
}

// openTopic reads what a focus needs of a KRS.
func openTopic(store *krs.Store, f crawlfile.KRS) (r *reading, s *krs.Snapshot, seeds []string, err error) {
	other := KRSReading{Tagger: f.Tagger, Gazetteer: f.Gazetteer, Confidence: f.Confidence, Spotlight: f.Spotlight}
	if f.Linking != asBuilt {
		other.Linking = f.Linking
	}
	if r, err = openReading(store, f.File, other); err == nil {
		s, err = store.Snapshot(krs.Options{})
	}
	if err == nil {
		seeds, err = drawSeeds(store, f)
	}
	return r, s, seeds, err
}

// asBuilt is the linking of a crawl that links as the corpus was.
const asBuilt = "built"

// reachSpotlight has a focus that asks a server of Spotlight reach it over a wire, at private addresses too
// that are allowed, and look for answers in what is kept; kept is the focus's then. Any other focus stays
// as it is.
func reachSpotlight(f orbweaver.Focus, via wire.Wire, private crawlfile.Private, kept ...*spotlight.Store) error {
	k, ok := f.(*krsFocus)
	if !ok || k.reading.linker == nil {
		return closeKept(kept)
	}
	l, err := newLinker(k.reading.settings, via, private, kept...)
	if err != nil {
		return err
	}
	err = k.reading.linker.Close()
	k.reading.linker = l
	return err
}

// A krsFocus is a focus by a KRS that has seeds of its own.
type krsFocus struct {
	*krsfocus.Focus
	reading *reading
	seeds   []string
}

// Seeds are documents of the corpus.
func (k *krsFocus) Seeds(context.Context, orbweaver.Known) (all []orbweaver.Proposal, err error) {
	for _, url := range k.seeds {
		all = append(all, orbweaver.Proposal{
			Request: orbweaver.Request{URL: url},
			Judgement: orbweaver.Judgement{
				Score:   1,
				Reasons: []orbweaver.Reason{{Rule: "seed", Evidence: url, Weight: 1}},
			},
		})
	}
	return all, nil
}

// patient is how often a KRS that is in use is tried: others read it, for a moment.
const patient = 100

// openKRS opens a KRS that others may open at the same time, as the runs of a comparison do.
func openKRS(ctx context.Context, dir string) (store *krs.Store, err error) {
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for range patient {
		if store, err = krsdb.Open(dir, ""); !errors.Is(err, orbweaver.ErrBusy) {
			break
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return store, err
}

// An annotator finds the nouns of pages.
type annotator struct{ *reading }

// Annotate reads a page.
func (a annotator) Annotate(ctx context.Context, p *orbweaver.Page) (krs.Document, error) {
	return a.read(ctx, p.URL, p.Title, p.Lang, p.Text)
}
