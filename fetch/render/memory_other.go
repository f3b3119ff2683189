//go:build !linux

package render

// limitMemory does nothing on this platform; only the browser's own limit, on the memory of scripts, applies.
func limitMemory(int, uint64) {}
