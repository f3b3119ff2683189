//go:build !linux

package machine

// space returns the limit of the address space in bytes; 0: none.
func space() uint64 { return 0 }
