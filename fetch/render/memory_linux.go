package render

import "golang.org/x/sys/unix"

// limitMemory limits the private memory of a process and its future children. A process over the limit ends, as
// a crash of its page.
func limitMemory(pid int, bytes uint64) {
	_ = unix.Prlimit(pid, unix.RLIMIT_DATA, &unix.Rlimit{Cur: bytes, Max: bytes}, nil) // an error means that the process has ended: it will render no page
}
