package simulation

import (
	"bytes"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// resetPeak resets the peak of peakMemory, if the system permits it.
func resetPeak() { _ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) }

// peakMemory returns the peak memory of the process, in bytes; 0: unknown.
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

// cpuTime returns the CPU time of the process so far.
func cpuTime() time.Duration {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
