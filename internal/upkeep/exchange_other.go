//go:build !linux

package upkeep

import (
	"errors"
	"fmt"
	"runtime"
)

// exchange fails: this system has no way to exchange two folders in one step.
func exchange(string, string) error {
	return fmt.Errorf("on %s a store cannot be replaced in one step: restore into a new folder: %w", runtime.GOOS, errors.ErrUnsupported)
}
