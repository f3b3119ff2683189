package door_test

import (
	"fmt"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver/server/door"
	"orbweaver/server/door/doortest"
)

// TestDribblingClients: a thousand clients that send and take some bytes every tenth of a second do not keep an honest one
// out, nor one whose answer takes long to make.
func TestDribblingClients(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := doortest.Listen(2000)
		server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/large" {
				_, _ = io.CopyN(w, endless{}, 64<<20)
				return
			}
			_, _ = io.Copy(io.Discard, r.Body)
			if r.URL.Path == "/worked-on" {
				<-time.After(400 * time.Millisecond)
			}
			fmt.Fprint(w, "ok")
		})}
		go func() { _ = server.Serve(door.Listen(l, 128, 50*time.Millisecond)) }()
		wait := doortest.Served(t, l, doortest.Requests{
			Honest: "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n", Large: "GET /large HTTP/1.1\r\nHost: 127.0.0.1\r\n",
			Post: "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n", Asked: "GET /worked-on HTTP/1.1\r\nHost: 127.0.0.1\r\n",
		})
		server.Close()
		wait()
	})
}
