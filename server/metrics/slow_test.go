package metrics

import (
	"testing"
	"testing/synctest"

	"orbweaver/server/door/doortest"
)

// TestSlowScrapers: a thousand slow clients do not keep Prometheus out.
func TestSlowScrapers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := doortest.Listen(2000)
		s := some().Serve(l, true)
		wait := doortest.Served(t, l, doortest.Requests{Honest: "GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n", Post: "POST /debug/pprof/symbol HTTP/1.1\r\nHost: 127.0.0.1\r\n"})
		s.Close()
		wait()
	})
}
