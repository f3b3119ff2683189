package labelmodel

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/kb/labels"
	"orbweaver/kb/stream"
)

// Bounds of a timeline.
const (
	usualBins = 100
	mostBins  = 500
	mostLog   = 256 << 20 // bytes of a log that are read for it
)

// A Span is a stretch of the stream with the changes that its documents caused.
type Span struct {
	From    int64     `json:"from"` // number of its first document
	To      int64     `json:"to"`   // of its last
	At      time.Time `json:"at,omitzero"`
	Labels  Turnover  `json:"labels"`
	Rules   Turnover  `json:"rules"`
	Broader Turnover  `json:"broader"`
	Alarms  int       `json:"alarms"`
	Stand   int       `json:"stand"` // labels at its end
}

// A Turnover counts what came and went.
type Turnover struct {
	Came int `json:"came"`
	Went int `json:"went"`
}

func (t *Turnover) count(c labels.Change) {
	switch {
	case c.Old == "":
		t.Came++
	case c.New == "":
		t.Went++
	}
}

// A Timeline is how a model changed along its stream.
type Timeline struct {
	Items int64  `json:"items"` // documents learned
	Spans []Span `json:"spans"` // of equal length, the oldest first; empty: no log
	Whole bool   `json:"whole"` // all of the log was read; if not, the latest spans lack changes
}

// Timeline counts the changes of the model in n stretches of its stream; 0: 100, at most 500. A model without a log has none.
func (b *Book) Timeline(ctx context.Context, n int) (t Timeline, err error) {
	t.Items, t.Spans, t.Whole = b.Model.Labels.Items(), []Span{}, true
	f, err := b.log()
	if f == nil || err != nil || t.Items == 0 {
		return t, err
	}
	defer f.Close()
	if n <= 0 {
		n = usualBins
	}
	n = int(min(int64(min(n, mostBins)), t.Items))
	for i := range int64(n) {
		t.Spans = append(t.Spans, Span{From: i*t.Items/int64(n) + 1, To: (i + 1) * t.Items / int64(n)})
	}
	in := &io.LimitedReader{R: f, N: mostLog}
	at := 0
	_, err = b.read(ctx, in, func(c labels.Change) bool {
		for at+1 < n && t.Spans[at].To < c.Item {
			at++
		}
		t.Spans[at].count(c)
		return true
	})
	t.Whole = in.N > 0
	stand := 0
	for i := range t.Spans {
		stand += t.Spans[i].Labels.Came - t.Spans[i].Labels.Went
		t.Spans[i].Stand = stand
	}
	return t, err
}

func (s *Span) count(c labels.Change) {
	if s.At.IsZero() {
		s.At = c.At
	}
	switch c.Kind {
	case labels.OfLabel:
		s.Labels.count(c)
	case labels.OfRule:
		s.Rules.count(c)
	case labels.OfBroader:
		s.Broader.count(c)
	case labels.OfAlarm:
		s.Alarms++
	}
}

// A ChangeQuery selects changes of a model.
type ChangeQuery struct {
	Kind  labels.Kind `json:"kind,omitempty"`  // empty: all but terms
	Label string      `json:"label,omitempty"` // key: only changes of this label
	From  int64       `json:"from,omitempty"`  // number of the first document
	After int64       `json:"after,omitempty"` // cursor: ChangePart.Next of the part before
	Limit int         `json:"limit,omitempty"` // 0: 50; at most 1 000
}

// A ChangeTold is a change in words.
type ChangeTold struct {
	Item  int64       `json:"item"`            // number of the document that caused it
	ID    string      `json:"id,omitempty"`    // its URL or name
	At    time.Time   `json:"at,omitzero"`     // its date
	Kind  labels.Kind `json:"kind"`            //
	Words string      `json:"words"`           // what changed
	Label string      `json:"label,omitempty"` // key of the label that changed
}

// A ChangePart is a part of the changes, the oldest first.
type ChangePart struct {
	Changes []ChangeTold `json:"changes"`
	Next    int64        `json:"next,omitempty"` // cursor of the next part; 0: none
}

// Changes returns a part of the log of changes. The error wraps ErrInput for a kind that is none.
func (b *Book) Changes(ctx context.Context, q ChangeQuery) (p ChangePart, err error) {
	p.Changes = []ChangeTold{}
	kinds := []labels.Kind{"", labels.OfTerm, labels.OfLabel, labels.OfRule, labels.OfBroader, labels.OfAlarm, labels.OfConcept}
	if !slices.Contains(kinds, q.Kind) {
		return p, fmt.Errorf("kind %q: it is one of %v (%w)", q.Kind, kinds[1:], orbweaver.ErrInput)
	}
	f, err := b.log()
	if f == nil || err != nil {
		return p, err
	}
	defer f.Close()
	if _, err = f.Seek(max(0, q.After), io.SeekStart); err != nil {
		return p, fmt.Errorf("%s: %w", console.Relative(f.Name()), err)
	}
	limit := usualRows
	if q.Limit > 0 {
		limit = min(q.Limit, mostRows)
	}
	wanted, _ := DriftOptions{Kind: q.Kind}.filter() // without Since it has no error
	end, err := b.read(ctx, f, func(c labels.Change) bool {
		if c.Item >= q.From && wanted(c) && (q.Label == "" || c.Subject == q.Label) {
			p.Changes = append(p.Changes, b.tell(c))
		}
		return len(p.Changes) < limit
	})
	if len(p.Changes) == limit {
		p.Next = max(0, q.After) + end
	}
	return p, err
}

// log opens the log of changes; nil if the model has none.
func (b *Book) log() (*os.File, error) {
	f, err := os.Open(filepath.Join(b.Dir, stream.DriftFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return f, err
}

// read gives the changes that are committed, until give returns false; end is the number of bytes that were read.
func (b *Book) read(ctx context.Context, from io.Reader, give func(c labels.Change) bool) (end int64, err error) {
	in, items := bufio.NewReaderSize(from, maxChange), b.Model.Labels.Items()
	for n := 0; ; n++ {
		if n%1024 == 0 && ctx.Err() != nil {
			return end, ctx.Err()
		}
		line, err := in.ReadSlice('\n')
		if errors.Is(err, io.EOF) { // a line that is not whole is being written
			return end, nil
		}
		var c labels.Change
		if err == nil {
			err = json.Unmarshal(line, &c)
		}
		if err != nil {
			return end, fmt.Errorf("%s: %d bytes behind the beginning of what was asked for: %w (%w)", filepath.Join(b.Dir, stream.DriftFile), end, err, orbweaver.ErrInput)
		}
		end += int64(len(line))
		if c.Item <= items && !give(c) {
			return end, nil
		}
	}
}

// tell says a change in words.
func (b *Book) tell(c labels.Change) ChangeTold {
	t := ChangeTold{Item: c.Item, ID: c.ID, At: c.At, Kind: c.Kind, Words: tellChange(b.Model, c)}
	if b.Model.Labels.Is(c.Subject) {
		t.Label = c.Subject
	}
	return t
}
