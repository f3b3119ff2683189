package guard_test

import (
	"errors"
	"testing"

	"orbweaver"
	"orbweaver/fetch/guard"
)

// TestPort: ports of other protocols are refused unless they are open, and those of the Web never.
func TestPort(t *testing.T) {
	g := guard.New(true, nil, 6667)
	for _, port := range []uint16{0, 1, 22, 25, 110, 143, 465, 587, 993, 2049, 6000, 6566, 10080} {
		if err := g.Port(port); !errors.Is(err, orbweaver.ErrBadURL) {
			t.Errorf("port %d: %v", port, err)
		}
	}
	for _, port := range []uint16{80, 443, 8080, 8443, 3000, 9200, 6667, 65535} {
		if err := g.Port(port); err != nil {
			t.Errorf("port %d: %v", port, err)
		}
	}
}
