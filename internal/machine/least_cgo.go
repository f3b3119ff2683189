//go:build cgo

package machine

// LeastSpace is the address space that a process needs that is linked with the C library: 2.0 GB, measured, for a crawl of 200
// hosts with two processors. Beside what Go reserves, each thread has 8 MB of stack and up to 64 MB of heap of its own.
const LeastSpace = 3072 << 20
