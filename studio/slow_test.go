package studio_test

import (
	"context"
	"errors"
	"net"
	"testing"
	"testing/synctest"

	"orbweaver/internal/tier"
	"orbweaver/server/door/doortest"
	"orbweaver/studio"
	"orbweaver/studio/assets"
	"orbweaver/studio/workspace"
)

// A distant listener is one of an address of other machines, where the studio serves no frames on a port of the system's.
type distant struct{ *doortest.Pipe }

func (distant) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 80} }

// TestSlowClients: a thousand slow clients, of which many take a large answer slowly, do not keep an honest one from the studio.
func TestSlowClients(t *testing.T) {
	tier.Long(t, "it takes minutes under the race detector")
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		ws, err := workspace.Open(dir, workspace.Options{Spare: -1})
		if err != nil {
			t.Fatal(err)
		}
		l := doortest.Listen(2000)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() {
			ended <- studio.New(studio.Options{Workspace: ws, Token: "all", ReadToken: "some", Open: true}).Serve(ctx, distant{l})
		}()
		const head = " HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer some\r\n"
		wait := doortest.Served(t, l, doortest.Requests{
			Honest: "GET /api/v1/workspace" + head, Large: "GET " + assets.Path("layout.js") + head, Post: "POST /api/v1/validate?name=x" + head,
		})
		cancel()
		if err := errors.Join(<-ended, ws.Close()); err != nil {
			t.Error(err)
		}
		wait()
	})
}
