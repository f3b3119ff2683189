package render

import "golang.org/x/sys/unix"

// limitMemory limits the private memory of a process and of the children it will have. What takes
// more ends by itself, as a crash of its page.
func limitMemory(pid int, bytes uint64) {
	_ = unix.Prlimit(pid, unix.RLIMIT_DATA, &unix.Rlimit{Cur: bytes, Max: bytes}, nil) // it ended: no page will be made
}
