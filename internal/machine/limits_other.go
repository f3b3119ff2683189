//go:build !unix

package machine

// files returns the number of files that the process may open.
func files() int { return 1 << 14 }
