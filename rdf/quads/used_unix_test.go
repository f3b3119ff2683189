//go:build unix

package quads_test

import (
	"syscall"
	"testing"
	"time"
)

// used is the processor time that the process took, in all its threads, and how many bytes it had at most.
func used(b *testing.B) (cpu time.Duration, peak int64) {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), u.Maxrss << 10
}
