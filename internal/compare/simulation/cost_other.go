//go:build !linux

package simulation

import (
	"time"
)

// resetPeak does nothing: this system has no resettable peak.
func resetPeak() {}

// peakMemory returns 0, for unknown.
func peakMemory() int64 { return 0 }

// cpuTime returns 0, for unknown.
func cpuTime() time.Duration { return 0 }
