package machine

import (
	"math"

	"golang.org/x/sys/unix"
)

// space returns the limit of the address space in bytes; 0: none.
func space() uint64 {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_AS, &limit) != nil || uint64(limit.Cur) >= math.MaxInt64 {
		return 0
	}
	return uint64(limit.Cur)
}
