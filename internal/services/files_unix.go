//go:build unix

package services

import "syscall"

// openFiles is how many files the process may have open; the system's own limit, which Go has raised to
// what is allowed.
func openFiles() int {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return 1024
	}
	return int(min(uint64(limit.Cur), 1<<20))
}
