//go:build !cgo

package machine

// LeastSpace is the address space that a process needs: 1.3 GB, measured, for Go's reservations and a crawl of 200 hosts.
const LeastSpace = 1536 << 20
