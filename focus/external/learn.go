package external

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"

	"orbweaver"
	"orbweaver/focus/accept"
)

// Learn counts a judged page, for the threshold, the budgets and the links of pages without an answer.
func (f *Focus) Learn(_ context.Context, o orbweaver.Outcome) (orbweaver.Lesson, error) {
	if o.Page == nil || o.Request.Purpose == orbweaver.ForSitemap {
		return orbweaver.Lesson{}, nil
	}
	t, lack, why := &f.state.tally, lacks(o.Actual), whyOf(o.Actual)
	alone := lack == RuleNotAsked && strings.HasPrefix(why, tooOften)
	if (lack == RuleNoAnswer || alone) && t.First == "" {
		t.FirstURL, t.First = o.Request.URL, why
	}
	if alone {
		t.Alone++
	}
	if lack == RuleNotAsked {
		t.NotAsked++
		f.state.breaker.Passed()
		return orbweaver.Lesson{}, nil
	}
	answer, err := f.answerOf(o.Page)
	if err != nil {
		return orbweaver.Lesson{}, err
	}
	t.Took += answer.Took
	t.Cost += answer.Cost
	switch {
	case lack == "":
		t.Answered++
		f.state.sum += o.Actual.Score
		f.state.accept.Add(o.Actual.Score)
		f.state.breaker.Answered()
	case answer.Down:
		t.Without++
		f.state.breaker.Failed()
	default:
		t.Without++
		f.state.breaker.Answered()
	}
	return orbweaver.Lesson{}, nil
}

// whyOf returns why a judgement has no answer.
func whyOf(j orbweaver.Judgement) string {
	for _, r := range j.Reasons {
		if r.Rule == RuleNoAnswer || r.Rule == RuleNotAsked {
			return r.Evidence
		}
	}
	return ""
}

// snapshotVersion changes when an older snapshot can no longer be read.
const snapshotVersion = 1

// maxSnapshot bounds the size of a snapshot, in bytes.
const maxSnapshot = 1 << 20

// A snapshot is the learned state, in JSON.
type snapshot struct {
	Version int     `json:"version"`
	Tally   Tally   `json:"tally"`
	Sum     float64 `json:"sum"`
	Breaker Breaker `json:"breaker"`
	Accept  []byte  `json:"accept"` // see accept.Read
}

// Snapshot writes the learned state: equal states give equal bytes.
func (f *Focus) Snapshot(w io.Writer) error {
	s := snapshot{snapshotVersion, f.state.tally, f.state.sum, f.state.breaker, f.state.accept.Append(nil)}
	if err := json.NewEncoder(w).Encode(s); err != nil {
		return fmt.Errorf("external focus: snapshot: %w", err)
	}
	return nil
}

// Restore replaces the learned state by a snapshot. An invalid snapshot leaves the focus unchanged and returns
// orbweaver.ErrDamaged.
func (f *Focus) Restore(r io.Reader) error {
	var s snapshot
	if err := json.NewDecoder(io.LimitReader(r, maxSnapshot)).Decode(&s); err != nil {
		return fmt.Errorf("external focus: snapshot: %w: %w", orbweaver.ErrDamaged, err)
	}
	t := s.Tally
	if s.Version != snapshotVersion || min(t.Answered, t.Without, t.NotAsked, t.Alone, t.NotAsked-t.Alone, int64(t.Took), int64(s.Breaker.Failures), int64(s.Breaker.Rest)) < 0 ||
		!(t.Cost >= 0) || math.IsInf(t.Cost, 0) || !(s.Sum >= 0 && s.Sum <= float64(t.Answered)*(1+1e-9)) || s.Breaker.Rest > longestRest {
		return fmt.Errorf("external focus: snapshot of version %d, tally %+v, sum %v: %w", s.Version, t, s.Sum, orbweaver.ErrDamaged)
	}
	calibration, err := accept.Read(s.Accept)
	if err != nil {
		return fmt.Errorf("external focus: snapshot: %w", err)
	}
	f.state = state{accept: calibration, tally: t, sum: s.Sum, breaker: s.Breaker}
	return nil
}
