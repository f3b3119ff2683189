//go:build unix

package machine

import "golang.org/x/sys/unix"

// files returns the number of files that the process may open: the soft limit, which the Go runtime raises to the hard one.
func files() int {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &limit) != nil {
		return 1024
	}
	return int(min(uint64(limit.Cur), 1<<20))
}
