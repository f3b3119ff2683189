package engine

import (
	"runtime"
	"slices"
	"time"

	"orbweaver/internal/machine"
)

// An absence is what the goroutine that decides does between two looks at its channel: hosts get no further request
// meanwhile, and nobody who asks an answer. It is measured in CPU time of that goroutine, so that the machine's load and
// the disk do not count; where the system does not tell it, in time. The goroutine is locked to its thread during an
// absence alone: waking up costs what it costs without the measure.

// AbsenceBounds returns the upper bounds of the classes of Absences, ascending.
func AbsenceBounds() []time.Duration {
	return []time.Duration{
		100 * time.Microsecond, 300 * time.Microsecond, time.Millisecond, 3 * time.Millisecond, 10 * time.Millisecond,
		30 * time.Millisecond, 100 * time.Millisecond, 300 * time.Millisecond, time.Second, 3 * time.Second,
	}
}

// Absences are those of a session.
type Absences struct {
	Counts  []int64       // by class; the last one is above all bounds
	Sum     time.Duration // of all
	Longest time.Duration
	Own     bool // CPU time of the goroutine that decides; false: time, with its waits
}

// Count is the number of absences.
func (a Absences) Count() (n int64) {
	for _, c := range a.Counts {
		n += c
	}
	return n
}

// An attendance measures absences.
type attendance struct {
	all    Absences
	bounds []time.Duration
	away   bool
	since  time.Duration
}

func newAttendance() attendance {
	a := attendance{bounds: AbsenceBounds()}
	a.all.Counts = make([]int64, len(a.bounds)+1)
	return a
}

// leave begins an absence, if none has begun.
func (a *attendance) leave() {
	if a.away {
		return
	}
	runtime.LockOSThread()
	a.since, a.all.Own = machine.ThreadTime()
	a.away = true
}

// look ends an absence, if there is one: the channel is looked at.
func (a *attendance) look() {
	if !a.away {
		return
	}
	now, own := machine.ThreadTime()
	runtime.UnlockOSThread()
	a.away = false
	a.note(now, own)
}

// glance is look, and leave at once, within an absence.
func (a *attendance) glance() {
	if !a.away {
		return
	}
	now, own := machine.ThreadTime()
	a.note(now, own)
	a.since = now
}

// note counts an absence that ended.
func (a *attendance) note(now time.Duration, own bool) {
	if own != a.all.Own {
		return
	}
	took := now - a.since
	at, _ := slices.BinarySearch(a.bounds, took)
	a.all.Counts[at]++
	a.all.Sum += took
	a.all.Longest = max(a.all.Longest, took)
}

// Absences returns those of the session so far. It must be called within Call, or when Run has returned.
func (c *Crawl) Absences() Absences {
	all := c.attends.all
	all.Counts = slices.Clone(all.Counts)
	return all
}
