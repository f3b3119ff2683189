package krs

import (
	"context"
	"fmt"

	"orbweaver/internal/console"
	"orbweaver/kb/krs"
)

// maxDropping is how often documents are dropped. Without some, others of their kind stand lower.
const maxDropping = 10

// drop removes the documents whose likeness, left out themselves, is below a threshold, until there are none or no others.
// It returns them in the order of removal, each with the likeness by which it went.
func drop(ctx context.Context, store *krs.Store, below float64) (dropped []krs.Standing, err error) {
	for range maxDropping {
		snapshot, err := store.Snapshot(krs.Options{})
		if err != nil {
			return dropped, err
		}
		low := snapshot.Standings()
		n := 0
		for n < len(low) && low[n].Likeness < below {
			n++
		}
		switch {
		case n == 0:
			return dropped, nil
		case n == len(low):
			return dropped, fmt.Errorf("all %d documents have a likeness below %g: choose a lower one for --drop-below (%w)", n, below, krs.ErrEmpty)
		}
		for _, d := range low[:n] {
			if err := ctx.Err(); err != nil {
				return dropped, err
			}
			if err := store.Remove(d.ID); err != nil {
				return dropped, err
			}
			dropped = append(dropped, d)
		}
	}
	return dropped, nil
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
