package simulation

import (
	"bytes"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// forgetPeak has the system measure peakMemory anew, where it may.
func forgetPeak() { _ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) }

// peakMemory is the most memory that the process had at a time, in bytes; 0: unknown.
func peakMemory() int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	var kilobytes int64
	if _, after, found := bytes.Cut(status, []byte("VmHWM:")); found {
		if _, err := fmt.Sscan(string(after), &kilobytes); err != nil {
			return 0
		}
	}
	return kilobytes << 10
}

// cpuTime is what the process took of the processors so far.
func cpuTime() time.Duration {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
