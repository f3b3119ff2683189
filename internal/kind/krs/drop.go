package krs

import (
	"context"
	"errors"
	"fmt"

	"orbweaver/internal/console"
	"orbweaver/kb/krs"
)

// drop removes the documents whose likeness, left out themselves, is below a threshold, and returns them, the least typical
// first. It does so once: without them others stand elsewhere than they did.
func drop(ctx context.Context, store *krs.Store, below float64) ([]krs.Standing, error) {
	snapshot, err := store.Snapshot(krs.Options{})
	if err != nil {
		return nil, err
	}
	low := snapshot.Standings()
	n := 0
	for n < len(low) && low[n].Likeness < below {
		n++
	}
	if n == len(low) {
		return nil, fmt.Errorf("all %d documents have a likeness below %g: choose a lower one for --drop-below (%w)", n, below, krs.ErrEmpty)
	}
	for i, d := range low[:n] {
		if err := errors.Join(ctx.Err(), store.Remove(d.ID)); err != nil {
			return low[:i], err
		}
	}
	return low[:n], nil
}

// tellDropped prints what was dropped.
func (j *Jobs) tellDropped(dropped []krs.Standing, below float64) {
	console.Say(j.Out, "documents dropped, of a likeness below %g: %d", below, len(dropped))
	j.tellStandings(dropped)
}

// tellStandings prints documents with their likeness.
func (j *Jobs) tellStandings(all []krs.Standing) {
	for _, d := range all {
		console.Say(j.Out, "%9.3f  %s  %s", d.Likeness, console.Visible(d.Title, 60), console.Visible(d.ID, 120))
	}
}
