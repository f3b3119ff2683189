//go:build !unix

package services

// openFiles returns the number of files that the process may open.
func openFiles() int { return 1 << 14 }
