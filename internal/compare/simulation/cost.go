package simulation

import (
	"runtime"
	"runtime/debug"
	"time"
)

// cost is the real cost of a simulated crawl.
type cost struct {
	wall   time.Duration
	cpu    time.Duration // 0: unknown on this system
	memory int64         // peak, in bytes
	ledger int64         // bytes on disk
}

// stopwatch measures a cost.
type stopwatch struct {
	began time.Time
	cpu   time.Duration
}

// startStopwatch starts a stopwatch after a garbage collection.
func startStopwatch() stopwatch {
	debug.FreeOSMemory()
	resetPeak()
	return stopwatch{time.Now(), cpuTime()}
}

func (m stopwatch) read() cost {
	c := cost{wall: time.Since(m.began), cpu: cpuTime() - m.cpu, memory: peakMemory()}
	if c.memory == 0 {
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		c.memory = int64(stats.Sys)
	}
	return c
}
