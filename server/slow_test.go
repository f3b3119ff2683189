package server

import (
	"testing"
	"testing/synctest"

	"orbweaver/server/door/doortest"
)

// TestSlowCallers: a thousand slow clients of the control socket do not keep an honest one out.
func TestSlowCallers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := doortest.Listen(2000)
		s := start(l, newHandler(&fake{}, nil))
		wait := doortest.Served(t, l, doortest.Requests{Honest: "GET /status HTTP/1.1\r\nHost: crawl\r\n", Post: "POST /add HTTP/1.1\r\nHost: crawl\r\nContent-Type: application/json\r\n"})
		_ = s.Close() // bodies that still dribble are cut off, and it says so
		wait()
	})
}
