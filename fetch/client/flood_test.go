package client_test

import (
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/net/http2"

	"orbweaver"
	"orbweaver/fetch/client"
)

// A flood sends a frame over a connection of which stream 1 has been answered.
type flood struct {
	name  string
	write func(f *http2.Framer) error
	size  int // of a frame in bytes
}

func floods() []flood {
	page := make([]byte, 16<<10)
	return []flood{
		{"pings", func(f *http2.Framer) error { return f.WritePing(false, [8]byte{}) }, 17},
		{"unknown frames", func(f *http2.Framer) error { return f.WriteRawFrame(0xbb, 0, 0, page) }, 9 + len(page)},
		{"empty unknown frames", func(f *http2.Framer) error { return f.WriteRawFrame(0xbb, 0, 0, nil) }, 9},
		{"settings", func(f *http2.Framer) error { return f.WriteSettings() }, 9},
		{"window updates", func(f *http2.Framer) error { return f.WriteWindowUpdate(0, 1) }, 13},
		{"priorities", func(f *http2.Framer) error { return f.WritePriority(9, http2.PriorityParam{}) }, 14},
		{"data of a stream that ended", func(f *http2.Framer) error { return f.WriteData(1, false, page) }, 9 + len(page)},
		{"heads of a stream that ended", func(f *http2.Framer) error {
			return f.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: heads("x", "y"), EndHeaders: true})
		}, 14},
		{"padding of a stream that ended", func(f *http2.Framer) error { return f.WriteDataPadded(1, false, nil, page[:255]) }, 265},
	}
}

// TestIdleFloods: a server that sends frames over an idle connection loses it after a few hundred frames and two megabytes, and
// that is counted; the next request has a new connection.
func TestIdleFloods(t *testing.T) {
	ca := newCA(t)
	for _, tc := range floods() {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var sent atomic.Int64
				n := newNet(frames(t, ca, func(f *http2.Framer, stream uint32) {
					f.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: heads(":status", "200"), EndHeaders: true, EndStream: true})
					in(time.Second)
					for range 10_000 { // 10 s of them
						for range 100 {
							if tc.write(f) != nil {
								return
							}
							sent.Add(1)
						}
						in(time.Millisecond)
					}
				}))
				c := n.client(client.Options{Roots: ca.pool})
				if _, _, err := get(c, "https://a.test/"); err != nil {
					t.Fatal(err)
				}
				in(15 * time.Second)
				if frames, size := sent.Load(), sent.Load()*int64(tc.size); frames > 1000 || size > 4<<20 {
					t.Errorf("the client took %d frames, %d bytes", frames, size)
				}
				if c.Floods() != 1 {
					t.Errorf("%d floods counted, want 1", c.Floods())
				}
				if _, _, err := get(c, "https://a.test/"); err != nil || n.dials() != 2 {
					t.Errorf("afterwards: %v, %d connections, want 2", err, n.dials())
				}
				c.Close()
				n.conns.Wait()
			})
		})
	}
}

// TestFloodBesideABody: pings between the pieces of a body that is read do no harm as long as they are as few as a server
// needs to measure its path, and end the exchange when there are many.
func TestFloodBesideABody(t *testing.T) {
	ca := newCA(t)
	for _, tc := range []struct {
		name        string
		pings, size int // of each piece of the body
		failure     orbweaver.Failure
	}{
		{"one a piece", 1, 16 << 10, ""},
		{"none, small pieces", 0, 100, ""},
		{"many", 20, 16 << 10, orbweaver.ErrMalformed},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const pieces = 1000
				n := newNet(frames(t, ca, func(f *http2.Framer, stream uint32) {
					f.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: heads(":status", "200"), EndHeaders: true})
					piece := []byte(strings.Repeat("x", tc.size))
					for i := range pieces {
						for range tc.pings {
							if f.WritePing(false, [8]byte{}) != nil {
								return
							}
						}
						if f.WriteData(stream, i == pieces-1, piece) != nil {
							return
						}
						in(time.Millisecond) // the client's window opens again meanwhile
					}
				}))
				c := n.client(client.Options{Roots: ca.pool})
				resp, err := c.Fetch(t.Context(), orbweaver.Request{URL: "https://a.test/"})
				if err != nil {
					t.Fatal(err)
				}
				size, err := io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
				if wantFailure(t, err, tc.failure); tc.failure == "" && size != int64(pieces*tc.size) {
					t.Errorf("%d bytes", size)
				}
				c.Close()
				n.conns.Wait()
			})
		})
	}
}

// TestRestingHTTP2IsClosed: a connection whose host is not asked for 20 s is closed then, though nobody calls the client.
func TestRestingHTTP2IsClosed(t *testing.T) {
	ca := newCA(t)
	synctest.Test(t, func(t *testing.T) {
		var open atomic.Int32
		var writing sync.Mutex // streams are answered side by side
		inner := frames(t, ca, func(f *http2.Framer, stream uint32) {
			writing.Lock()
			defer writing.Unlock()
			f.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: heads(":status", "200"), EndHeaders: true, EndStream: true})
		})
		n := newNet(func(addr string, c net.Conn) {
			open.Add(1)
			defer open.Add(-1)
			inner(addr, c)
		})
		c := n.client(client.Options{Roots: ca.pool})
		for _, wait := range []time.Duration{15 * time.Second, 19 * time.Second} {
			if _, _, err := get(c, "https://a.test/"); err != nil {
				t.Fatal(err)
			}
			in(wait)
			if open.Load() != 1 || n.dials() != 1 {
				t.Errorf("after %v: %d of %d connections are open, want 1 of 1", wait, open.Load(), n.dials())
			}
		}
		in(2 * time.Second)
		if open.Load() != 0 {
			t.Error("the connection is open after 21 s")
		}
		c.Close()
		n.conns.Wait()
	})
}
