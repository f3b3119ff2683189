package labels

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"orbweaver/internal/order"
)

// A Kind is the kind of a change.
type Kind string

// The kinds of changes: the paper's feature evolution, concept evolution, and concept drift.
const (
	OfTerm    Kind = "term"    // Subject is new, or was evicted
	OfLabel   Kind = "label"   // Subject became a label, or is no longer one
	OfRule    Kind = "rule"    // Object gives the label Subject: "alpha", "beta"
	OfBroader Kind = "broader" // Object is a label broader than the label Subject, not necessarily the nearest
	OfAlarm   Kind = "alarm"   // the labels of items have changed more than before: see kb/stream
	OfConcept Kind = "concept" // a broad concept came, went, or became more or less frequent: see kb/stream
)

// Alarmed is the Subject of an alarm: it is about all labels.
const Alarmed = "labels"

// A Change is one change caused by an item. Old is empty for an addition, New for a removal. Rules and edges
// are reported if their labels are labels after the item. Those that appear or disappear together with a
// label are not reported individually: Rules is their number.
type Change struct {
	Item    int64     `json:"item"` // number of the item, from 1
	ID      string    `json:"id,omitempty"`
	At      time.Time `json:"at,omitzero"`
	Kind    Kind      `json:"kind"`
	Subject string    `json:"subject"`
	Object  string    `json:"object,omitempty"`
	Old     string    `json:"old,omitempty"`
	New     string    `json:"new,omitempty"`
	P       float64   `json:"p,omitempty"`     // for a rule or an edge, its current probability
	Rules   int       `json:"rules,omitempty"` // for a label, the number of its Alpha and Beta rules

	// Of an alarm, New and Old are labels that came and went, separated by a comma, and P is the share of new
	// labels among those of items since the item Since; Before is that of the items before.
	//
	// Of a concept, Subject has its strongest labels, separated by a comma, Object its number, and P is the share of
	// items that have it, since concepts were computed last if New is "more" or "less"; Before is that of then.
	Before float64 `json:"before,omitempty"`
	Since  int64   `json:"since,omitempty"`
}

func (m *Model) record(c Change) {
	if c.Kind != OfTerm {
		m.version++
	}
	c.Item, c.ID, c.At = m.items, m.id, m.at
	m.changes = append(m.changes, c)
}

// recordPair records the changes of a pair.
func (m *Model) recordPair(before, after *pair) {
	for side := range 2 {
		ti, xi := after.given(side)
		t, x := &m.terms.all[ti], &m.terms.all[xi]
		if !x.label() {
			continue
		}
		p := after.n / t.n
		if old, now := ruleOf(before.bits[side]), ruleOf(after.bits[side]); old != now {
			m.record(Change{Kind: OfRule, Subject: x.text, Object: t.text, Old: old, New: now, P: p})
		}
		if old, now := before.over(side), after.over(side); old != now && t.label() {
			m.record(Change{Kind: OfBroader, Subject: t.text, Object: x.text, Old: edgeOf(old), New: edgeOf(now), P: p})
		}
	}
}

func ruleOf(bits uint8) string {
	switch {
	case bits&alphaBit != 0:
		return "alpha"
	case bits&betaBit != 0:
		return "beta"
	}
	return ""
}

func edgeOf(there bool) string {
	if there {
		return "broader"
	}
	return ""
}

// sortedChanges returns the changes of the item, sorted: within a kind, queue order would depend on past repairs.
func (m *Model) sortedChanges() []Change {
	for i := range m.changes {
		c := &m.changes[i]
		if at, known := m.terms.index[c.Subject]; known && c.Kind == OfLabel {
			c.Rules = int(m.terms.all[at].alpha + m.terms.all[at].beta)
		}
	}
	kinds := []Kind{OfTerm, OfLabel, OfRule, OfBroader}
	order.Stably(m.changes, func(a, b Change) int {
		return cmp.Or(cmp.Compare(slices.Index(kinds, a.Kind), slices.Index(kinds, b.Kind)),
			strings.Compare(a.Subject, b.Subject), strings.Compare(a.Object, b.Object))
	})
	return m.changes
}

// A Log writes changes to a stream, one JSON object per line, and keeps the latest. It is not safe for
// concurrent use.
type Log struct {
	to   *json.Encoder // nil: not written
	ring []Change
	next int // position of the next, once the ring is full
	size int
	err  error
}

// NewLog returns a log that keeps the latest size changes and writes all to w, which may be nil.
func NewLog(w io.Writer, size int) *Log {
	l := &Log{size: max(0, size)}
	if w != nil {
		l.to = json.NewEncoder(w)
		l.to.SetEscapeHTML(false)
	}
	return l
}

// Add logs changes. After a write error changes are only kept, and every call returns the error.
func (l *Log) Add(changes []Change) error {
	for i := range changes {
		if l.to != nil && l.err == nil {
			if err := l.to.Encode(&changes[i]); err != nil {
				l.err = fmt.Errorf("log of changes, item %d: %w", changes[i].Item, err)
			}
		}
		switch {
		case l.size == 0:
		case len(l.ring) < l.size:
			l.ring = append(l.ring, changes[i])
		default:
			l.ring[l.next] = changes[i]
			l.next = (l.next + 1) % l.size
		}
	}
	return l.err
}

// Latest returns the changes kept, oldest first.
func (l *Log) Latest() []Change {
	return append(append([]Change(nil), l.ring[l.next:]...), l.ring[:l.next]...)
}
