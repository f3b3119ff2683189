package machine

import "math"

// Free returns how many bytes the disk of a folder has left. known is false where the system does not tell.
func Free(folder string) (bytes int64, known bool) {
	left, known := free(folder)
	return int64(min(left, math.MaxInt64)), known
}
