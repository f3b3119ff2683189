package ongoing

import (
	"context"
	"iter"
	"sync"
	"time"

	"orbweaver"
	"orbweaver/internal/saturation"
	"orbweaver/ledger"
)

// A Meter estimates what is left to accept while a session goes on. Outcomes of earlier sessions are read when it is first asked, beside
// the crawl. It is safe for concurrent use. The methods of a nil Meter do nothing.
type Meter struct {
	before  int64
	earlier func() iter.Seq2[ledger.Line, error]

	ctx  context.Context // of the reading
	end  context.CancelFunc
	once sync.Once
	read chan struct{} // closed when the lines before were read
	err  error         // of the reading

	mu        sync.Mutex
	curve     *saturation.Curve
	threshold float64
	last      *saturation.Estimate
}

// patience is how long who asks waits for the lines of earlier sessions: who asks again has them then.
const patience = 300 * time.Millisecond

// NewMeter returns a meter for a session after so many outcomes; earlier ranges over their lines. Who calls it calls Close.
func NewMeter(before int64, earlier func() iter.Seq2[ledger.Line, error]) *Meter {
	m := &Meter{before: before, earlier: earlier, curve: saturation.From(before), read: make(chan struct{})}
	m.ctx, m.end = context.WithCancel(context.Background())
	if before == 0 {
		m.once.Do(func() { close(m.read) })
	}
	return m
}

// Close ends the reading of earlier lines.
func (m *Meter) Close() {
	if m == nil {
		return
	}
	m.end()
	m.once.Do(func() { close(m.read) }) // it was never asked
	<-m.read
}

// Add counts an outcome of the session. One that repeats a request does not count.
func (m *Meter) Add(o orbweaver.Outcome) {
	if m == nil || o.Change != "" {
		return
	}
	line := ledger.LineOf(o)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.curve.Add(&line)
	if line.Threshold > 0 {
		m.threshold = line.Threshold
	}
}

// Estimate returns what is left while so many requests wait, as of a look that is at most a fortieth of the requests old; nil: too little is
// known, or the lines of earlier sessions are still read.
func (m *Meter) Estimate(ctx context.Context, waiting int64) *saturation.Estimate {
	if m == nil || !m.whole(ctx) {
		return nil
	}
	m.mu.Lock()
	if e := m.last; e != nil && m.curve.Requests() < saturation.After(e.Requests) {
		m.mu.Unlock()
		return e
	}
	curve, threshold := m.curve.Clone(), m.threshold
	m.mu.Unlock()
	e, ok := curve.Estimate(threshold, waiting)
	if !ok {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.last = &e
	return &e
}

// Curve returns a copy of what was counted; nil: the lines of earlier sessions are still read.
func (m *Meter) Curve(ctx context.Context) *saturation.Curve {
	if m == nil || !m.whole(ctx) {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.curve.Clone()
}

// whole reports whether all lines are counted. It begins to read those of earlier sessions, and waits a moment for them.
func (m *Meter) whole(ctx context.Context) bool {
	m.once.Do(func() { go m.prime() })
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case <-m.read:
		return m.err == nil && m.ctx.Err() == nil
	case <-late.C:
	case <-ctx.Done():
	}
	return false
}

// prime counts the lines of earlier sessions.
func (m *Meter) prime() {
	defer close(m.read)
	curve, threshold := &saturation.Curve{}, 0.0
	for line, err := range m.earlier() {
		if m.err = err; err != nil || curve.Requests() >= m.before || m.ctx.Err() != nil {
			break
		}
		if curve.Add(&line); line.Threshold > 0 {
			threshold = line.Threshold
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.curve.Join(curve)
	if m.threshold == 0 {
		m.threshold = threshold
	}
}
