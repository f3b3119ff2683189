//go:build !linux

package simulation

import (
	"time"
)

// forgetPeak does nothing where a system cannot measure a peak anew.
func forgetPeak() {}

// peakMemory is unknown.
func peakMemory() int64 { return 0 }

// cpuTime is unknown.
func cpuTime() time.Duration { return 0 }
