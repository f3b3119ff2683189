//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package manners

import "errors"

// openFolder fails: this system has no lock that ends with its process.
func openFolder(string) (store, int64, error) {
	return nil, 0, errors.New("this system cannot lock files for the time of a process")
}
