//go:build e2e && !linux

package cluster_test

import (
	"os"
	"testing"

	"orbweaver/internal/manners"
)

// TestMain keeps the tests out of the user's folder of hosts.
func TestMain(m *testing.M) {
	if err := os.Setenv(manners.Variable, "off"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
