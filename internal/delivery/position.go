package delivery

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"orbweaver"
	"orbweaver/internal/atomicfile"
	"orbweaver/internal/sinks"
	"orbweaver/internal/takedown"
)

// A Position says what a sink has of a crawl. The zero value: nothing.
type Position struct {
	Outcomes  int64 `json:"outcomes"`            // it has what follows from these
	Decisions int64 `json:"decisions,omitempty"` // and from these

	// Verdicts of the first Settled outcomes are those by Threshold, those of later ones as they were when pages were judged.
	Settled   int64    `json:"settled,omitempty"`
	Threshold float64  `json:"threshold,omitempty"`
	Passing   *passing `json:"passing,omitempty"` // the pass that applies the next threshold; nil: none is under way

	Ended int64 `json:"ended,omitempty"` // outcomes as of the last end that it was told; again: it is told once more

	Removal   int64 `json:"removal,omitempty"`   // the last removal of pages whose verdicts Decisions does not count
	Withdrawn int64 `json:"withdrawn,omitempty"` // of the pages that removals withdraw, so many
}

// again is Ended after pages were removed.
const again = -1

// A passing is a pass over outcomes whose verdicts another threshold changes.
type passing struct {
	Upto      int64   `json:"upto"` // outcomes
	Threshold float64 `json:"threshold"`
	At        int64   `json:"at"` // those of them that are done
}

// kept is the content of a sink's file.
type kept struct {
	To      string `json:"to"`                // where it delivers: another place begins anew
	Repeats bool   `json:"repeats,omitempty"` // pages may have been requested again
	Position
}

func pathOf(folder, name string) string { return filepath.Join(folder, sinks.Kept, name+".json") }

// load returns the position of a sink of a crawl folder; the zero value if it has none, or had it for another place.
func load(folder, name, to string) (k kept, err error) {
	path := pathOf(folder, name)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return kept{To: to}, nil
	}
	if err == nil {
		if err = json.Unmarshal(text, &k); err != nil {
			err = fmt.Errorf("%s: %w: %w; remove the file to deliver all again", path, orbweaver.ErrDamaged, err)
		}
	}
	if k.To != to {
		k = kept{To: to}
	}
	return k, err
}

// unverdict leaves out of the decisions that a sink has those that removals removed since.
func (k *kept) unverdict(all []takedown.Withdrawal) {
	for _, w := range all {
		if w.Removal > k.Removal {
			k.Decisions, k.Removal = max(0, k.Decisions-w.Decisions), w.Removal
		}
	}
}

// keep makes a position durable.
func (k kept) keep(folder, name string) error {
	text, err := json.Marshal(k)
	if err == nil {
		err = os.MkdirAll(filepath.Join(folder, sinks.Kept), 0o777)
	}
	if err != nil {
		return err
	}
	return atomicfile.WriteFile(pathOf(folder, name), append(text, '\n'), 0o666)
}
