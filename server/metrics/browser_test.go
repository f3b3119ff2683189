package metrics

import (
	"net"
	"testing"

	"orbweaver/server/door/doortest"
)

// TestNoPageReadsMetrics: in Chromium no page of another site reads metrics or profiles, DNS rebinding included.
func TestNoPageReadsMetrics(t *testing.T) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Skipf("no loopback: %v", err)
	}
	s := some().Serve(l, true)
	defer s.Close()
	doortest.Browsed(t, l.Addr().String(), "/metrics", "/debug/pprof/", "/debug/pprof/cmdline")
}
