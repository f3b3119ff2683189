package takedown

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"orbweaver"
	"orbweaver/internal/atomicfile"
	"orbweaver/internal/sinks"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// A Withdrawal is what a removal leaves for a sink to be told: it stands in the crawl folder, with the URLs, until the sink was told of them.
type Withdrawal struct {
	Removal   int64    `json:"removal"`             // number of the removal, from 1
	N         int64    `json:"n"`                   // outcomes that the crawl had then
	Decisions int64    `json:"decisions,omitempty"` // of those that the sink has, so many were removed
	URLs      []string `json:"urls"`                // of pages that the sink may have
}

// withdrawn is the path of the withdrawals of a sink: a line for each removal, oldest first.
func withdrawn(dir, sink string) string {
	return filepath.Join(dir, sinks.Kept, sink+".removed.jsonl")
}

// Withdrawals returns what removals left for a sink of a crawl folder, oldest first.
func Withdrawals(dir, sink string) (all []Withdrawal, err error) {
	path := withdrawn(dir, sink)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for in := json.NewDecoder(bytes.NewReader(text)); err == nil; {
		var w Withdrawal
		if err = in.Decode(&w); err == nil {
			all = append(all, w)
		}
	}
	if !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: %w: %w", path, orbweaver.ErrDamaged, err)
	}
	return all, nil
}

// Withdrew removes the withdrawals of a sink that was told of them.
func Withdrew(dir, sink string) error { return os.Remove(withdrawn(dir, sink)) }

// A standing is what a sink's file says of what it has.
type standing struct {
	To        string  `json:"to"`
	Decisions int64   `json:"decisions"`
	Removal   int64   `json:"removal"`
	Threshold float64 `json:"threshold"`
	Passing   *struct {
		Threshold float64 `json:"threshold"`
	} `json:"passing"`
}

// A telling gathers the withdrawal of one sink.
type telling struct {
	Withdrawal
	sink    string
	earlier []Withdrawal
	from    float64 // pages of this score and more may be accepted there; 0: those that the crawl accepted
	has     map[string]bool
}

// tellings returns a telling for each sink of a crawl folder that has something and was not told of a removal yet.
func (c *compiled) tellings(dir string, removal int64, l *ledger.Ledger) (all []*telling, err error) {
	names, err := os.ReadDir(filepath.Join(dir, sinks.Kept))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	progress := l.Progress()
	for _, file := range names {
		name, is := strings.CutSuffix(file.Name(), ".json")
		text, err := os.ReadFile(filepath.Join(dir, sinks.Kept, file.Name()))
		var s standing
		if err != nil || !is || json.Unmarshal(text, &s) != nil || s.To == "" {
			continue // no sink's, or one that a delivery finds damaged
		}
		t := &telling{Withdrawal: Withdrawal{Removal: removal, N: progress.Requests}, sink: name, from: progress.Threshold, has: map[string]bool{}}
		if t.earlier, err = Withdrawals(dir, name); err != nil {
			return nil, err
		}
		has, told := s.Decisions, false
		for _, w := range t.earlier {
			if told = told || w.Removal == removal; w.Removal > s.Removal {
				has -= w.Decisions
			}
		}
		if told {
			continue // before the removal was interrupted
		}
		t.lower(s.Threshold)
		if s.Passing != nil {
			t.lower(s.Passing.Threshold)
		}
		if err := t.decisions(c, l, has); err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}

// lower takes a threshold into account.
func (t *telling) lower(threshold float64) {
	if threshold > 0 && (t.from == 0 || threshold < t.from) {
		t.from = threshold
	}
}

// decisions counts the verdicts that are removed among those that the sink has. Pages that one accepted may be there.
func (t *telling) decisions(c *compiled, l *ledger.Ledger, has int64) error {
	n := int64(0)
	for d, err := range l.Decisions() {
		if err != nil {
			return err
		}
		if n++; d.Page == "" || !c.url(d.Page) {
			continue
		}
		if n <= has {
			t.Decisions++
		}
		if d.Accepted {
			t.page(d.Page)
		}
	}
	return nil
}

func (t *telling) page(url string) {
	if !t.has[url] {
		t.has[url], t.URLs = true, append(t.URLs, url)
	}
}

// outcome takes an outcome that is removed into account.
func (t *telling) outcome(o orbweaver.Outcome) {
	if o.Page != nil && (o.Actual.Accepted || t.from > 0 && step.AcceptedFrom(o.Actual, t.from)) {
		t.page(o.Request.URL)
	}
}

// keep makes the withdrawal durable.
func (t *telling) keep(dir string) error {
	if len(t.URLs) == 0 && t.Decisions == 0 {
		return nil
	}
	var b bytes.Buffer
	for _, w := range append(t.earlier, t.Withdrawal) {
		line, err := json.Marshal(w)
		if err != nil {
			return err
		}
		b.Write(append(line, '\n'))
	}
	return atomicfile.WriteFile(withdrawn(dir, t.sink), b.Bytes(), 0o666)
}
