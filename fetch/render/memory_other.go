//go:build !linux

package render

// limitMemory does nothing where a process cannot be limited from outside: the limit of the
// browser's own, on what scripts hold, is left.
func limitMemory(int, uint64) {}
