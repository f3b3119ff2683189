//go:build linux || darwin || freebsd

package machine

import "golang.org/x/sys/unix"

// free returns how many bytes the disk of a folder has left.
func free(folder string) (bytes uint64, known bool) {
	var s unix.Statfs_t
	if unix.Statfs(folder, &s) != nil {
		return 0, false
	}
	return uint64(s.Bavail) * uint64(s.Bsize), true
}
