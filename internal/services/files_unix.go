//go:build unix

package services

import "syscall"

// openFiles returns the number of files that the process may open: the system's soft limit, which the Go
// runtime raises to the hard limit.
func openFiles() int {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return 1024
	}
	return int(min(uint64(limit.Cur), 1<<20))
}
