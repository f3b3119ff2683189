//go:build e2e

package effects_test

import (
	"os"
	"testing"

	"orbweaver/internal/manners"
)

// TestMain keeps the tests out of the user's folder of hosts: only crawls of this process share them.
func TestMain(m *testing.M) {
	if err := os.Setenv(manners.Variable, "off"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
