//go:build !unix

package app

// openFiles is how many files the process may have open.
func openFiles() int { return 1 << 14 }
