//go:build !windows

package folder

import (
	"errors"
	"os"
	"syscall"
)

// syncFolder makes the names in a folder durable, where the file system can do that.
func syncFolder(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	if err = dir.Sync(); errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		err = nil
	}
	return errors.Join(err, dir.Close())
}
