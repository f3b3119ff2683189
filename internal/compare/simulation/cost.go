package simulation

import (
	"runtime"
	"runtime/debug"
	"time"
)

// A cost is what a simulated crawl cost in earnest.
type cost struct {
	wall   time.Duration
	cpu    time.Duration // 0: the system does not say
	memory int64         // bytes, at most at a time
	ledger int64         // bytes on disk
}

// A stopwatch measures a cost.
type stopwatch struct {
	began time.Time
	cpu   time.Duration
}

// startStopwatch begins, after what earlier crawls left is given back.
func startStopwatch() stopwatch {
	debug.FreeOSMemory()
	forgetPeak()
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
