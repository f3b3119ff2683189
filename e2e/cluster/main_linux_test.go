//go:build e2e

package cluster_test

import (
	"fmt"
	"os"
	"testing"

	"orbweaver/internal/manners"
)

// TestMain keeps the tests out of the user's folder of hosts, and is a worker for those that begin processes.
func TestMain(m *testing.M) {
	if err := os.Setenv(manners.Variable, "off"); err != nil {
		panic(err)
	}
	if len(os.Args) == 3 && os.Args[1] == asWorker {
		if err := work(os.Args[2]); err != nil {
			fmt.Fprintln(os.Stderr, "ended:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}
