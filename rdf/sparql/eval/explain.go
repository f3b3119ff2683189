package eval

import (
	"fmt"
	"strconv"
	"time"

	"orbweaver/rdf/sparql/plan"
)

// A measure is the measured figures of a node.
type measure struct {
	opened, rows int64
	inMemory     int64         // of opened, those read from columns
	took         time.Duration // including inputs
	scan         *scan         // of the node, if it is one
}

// measured counts and times an iterator.
type measured struct {
	iterator
	m *measure
}

func (x *execution) measured(n plan.Node) iterator {
	i, m := x.plain(n), &measure{}
	m.scan, _ = i.(*scan)
	x.stats[n] = m
	return &measured{i, m}
}

func (t *measured) open() {
	start := time.Now()
	t.iterator.open()
	t.m.opened++
	if t.m.scan != nil && t.m.scan.within {
		t.m.inMemory++
	}
	t.m.took += time.Since(start)
}

func (t *measured) next() bool {
	start := time.Now()
	ok := t.iterator.next()
	t.m.took += time.Since(start)
	if ok {
		t.m.rows++
	}
	return ok
}

// explain formats the plan.
func (x *execution) explain() string {
	return x.plan.Text(func(n plan.Node) string {
		text := "expected " + figure(plan.Estimate(n))
		if m := x.stats[n]; m != nil {
			text += fmt.Sprintf(", opened %d", m.opened)
			if m.inMemory > 0 {
				text += fmt.Sprintf(" (%d in memory)", m.inMemory)
			}
			text += fmt.Sprintf(", rows %d, %v", m.rows, m.took.Round(time.Microsecond))
		}
		return text
	})
}

// figure formats an estimate with two significant digits.
func figure(f float64) string {
	if f < 1e6 && f >= 10 || f == 0 {
		return strconv.FormatFloat(f, 'f', 0, 64)
	}
	return strconv.FormatFloat(f, 'g', 2, 64)
}
