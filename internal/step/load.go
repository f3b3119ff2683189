package step

import (
	"runtime"
	"sync/atomic"
)

// A Load counts the pages of the live Web whose answers have come, that are not decided yet, and that wait for no further answer. It is safe for concurrent use.
type Load struct{ pages atomic.Int64 }

// Add adds n pages, or removes them if n is negative.
func (l *Load) Add(n int64) { l.pages.Add(n) }

// Pages returns how many there are.
func (l *Load) Pages() int { return int(l.pages.Load()) }

// Alone reports whether there is one such page at most.
func (l *Load) Alone() bool { return l.pages.Load() <= 1 }

// Idle reports whether no page waits for a processor.
func (l *Load) Idle() bool { return l.pages.Load() <= int64(runtime.GOMAXPROCS(0)) }

// Heavy reports whether so many pages wait that the processors are what the crawl waits for.
func (l *Load) Heavy() bool { return l.pages.Load() > 8*int64(runtime.GOMAXPROCS(0)) }
