package assembly

import (
	"runtime/metrics"
	"time"
)

// paceTime is the time over which the pages of a second are counted; a second at least.
const paceTime = 10 * time.Second

// A pace tells how many pages a crawl gets in a second now. It looks when somebody asks: the count goes over the time since a look about
// ten seconds ago, or since the last look if that is longer ago. Its methods run on the goroutine that decides.
type pace struct {
	from, last look
	rate       float64
}

// A look is the number of pages at a time.
type look struct {
	at    time.Time
	pages int64
}

// of returns the pages of a second, of a crawl that has so many pages now; 0 until the second look, a second after the first.
func (p *pace) of(pages int64, now time.Time) float64 {
	if p.from.at.IsZero() {
		p.from = look{now, pages}
		p.last = p.from
		return 0
	}
	if now.Sub(p.from.at) > paceTime && now.Sub(p.last.at) >= time.Second {
		p.from, p.last = p.last, look{now, pages}
	}
	if over := now.Sub(p.from.at); over >= time.Second {
		p.rate = float64(pages-p.from.pages) / over.Seconds()
	}
	return p.rate
}

// memory is the number of bytes that this process has of the machine: those of Go, without what it gave back.
func memory() int64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64() - samples[1].Value.Uint64())
}
