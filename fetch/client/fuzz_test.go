package client_test

import (
	"io"
	"net"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/fetch/client"
)

// FuzzAnswer: whatever a server sends, an exchange comes to an end: an answer that makes sense, or one
// failure of the list.
func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{
		"", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", "HTTP/1.0 301 Moved\nLocation: //x\n\nbody",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\nhi\r\n0\r\nA: b\r\n\r\n",
		"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 304 X\r\nKeep-Alive: timeout=3\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, answer []byte) {
		n := newNet(func(_ string, c net.Conn) {
			var b [4096]byte
			c.Read(b[:])
			c.Write(answer)
		})
		c := n.client(client.Options{Timeout: 20 * time.Second})
		resp, err := c.Fetch(t.Context(), orbweaver.Request{URL: "http://a.test/"})
		if err == nil {
			if resp.Status < 200 || resp.Status > 999 || resp.Started.IsZero() || resp.Header == nil {
				t.Errorf("%+v", resp)
			}
			_, err = io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
		}
		switch f := orbweaver.FailureOf(err); f {
		case "", orbweaver.ErrCut, orbweaver.ErrMalformed:
		default:
			t.Errorf("%v", err)
		}
		c.Close()
		n.conns.Wait()
	})
}
