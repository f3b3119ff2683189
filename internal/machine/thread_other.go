//go:build !linux

package machine

import "time"

// ThreadTime returns the time of day, since the start of the process: the system does not tell the CPU time of a thread.
func ThreadTime() (used time.Duration, own bool) { return time.Since(started), false }

// ProcessTime returns zero: the system does not tell.
func ProcessTime() time.Duration { return 0 }

// started is what times of day are counted from.
var started = time.Now()
