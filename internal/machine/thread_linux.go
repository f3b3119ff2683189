package machine

import (
	"time"

	"golang.org/x/sys/unix"
)

// ThreadTime returns the CPU time that the calling thread used so far: a goroutine that measures itself between two
// calls locks its thread meanwhile. own is false if the system does not tell; used is the time of day's then, which
// counts waits, too.
func ThreadTime() (used time.Duration, own bool) {
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t) != nil {
		return time.Since(started), false
	}
	return time.Duration(t.Nano()), true
}

// ProcessTime returns the CPU time that this process used so far, or zero if the system does not tell.
func ProcessTime() time.Duration {
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t) != nil {
		return 0
	}
	return time.Duration(t.Nano())
}

// started is what times of day are counted from.
var started = time.Now()
