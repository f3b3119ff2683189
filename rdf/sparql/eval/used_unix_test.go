//go:build unix

package eval_test

import (
	"syscall"
	"testing"
	"time"
)

// processor returns the processor time of the process, over all threads.
func processor(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
