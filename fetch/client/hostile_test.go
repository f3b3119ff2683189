package client_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"io"
	"log"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"orbweaver"
	"orbweaver/fetch/client"
)

// frames is a server of HTTP/2 that does as it likes with the request on a stream, from the moment the
// request is there.
func frames(t *testing.T, ca *ca, hostile func(f *http2.Framer, stream uint32)) func(string, net.Conn) {
	config := ca.server("a.test", "h2")
	return func(_ string, c net.Conn) {
		s := tls.Server(c, config)
		preface := make([]byte, len(http2.ClientPreface))
		if _, err := io.ReadFull(s, preface); err != nil {
			return
		}
		f := http2.NewFramer(s, s)
		f.AllowIllegalWrites, f.AllowIllegalReads = true, true
		f.WriteSettings()
		var busy sync.WaitGroup
		defer busy.Wait()
		defer c.Close()
		for {
			frame, err := f.ReadFrame()
			if err != nil {
				return
			}
			if h, ok := frame.(*http2.HeadersFrame); ok {
				busy.Go(func() { hostile(f, h.StreamID) })
			}
		}
	}
}

// heads writes header fields, names and values in turn, as a block.
func heads(fields ...string) []byte {
	var b bytes.Buffer
	e := hpack.NewEncoder(&b)
	for i := 0; i < len(fields); i += 2 {
		e.WriteField(hpack.HeaderField{Name: fields[i], Value: fields[i+1]})
	}
	return b.Bytes()
}

// TestHostileHTTP2: whatever frames come, a request ends, with a failure of the list, in time, and
// nothing is left running.
func TestHostileHTTP2(t *testing.T) {
	ca := newCA(t)
	var printed bytes.Buffer // what the library says to whoever looks at standard error
	log.SetOutput(&printed)
	defer log.SetOutput(os.Stderr)
	const timeout, stall = 12 * time.Second, 4 * time.Second
	head := func(f *http2.Framer, stream uint32, end bool, fields ...string) {
		f.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: heads(fields...), EndHeaders: true, EndStream: end})
	}
	// flood writes until the client is gone, thousands at a time.
	flood := func(write func() error) {
		for {
			for range 5000 {
				if write() != nil {
					return
				}
			}
			in(time.Second)
		}
	}
	for _, tc := range []struct {
		name    string
		serve   func(f *http2.Framer, stream uint32)
		failure orbweaver.Failure
		after   time.Duration
	}{
		{"pings without end", func(f *http2.Framer, stream uint32) {
			flood(func() error { return f.WritePing(false, [8]byte{}) })
		}, orbweaver.ErrMalformed, 0},
		{"settings without end", func(f *http2.Framer, stream uint32) {
			flood(func() error { return f.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 1}) })
		}, orbweaver.ErrMalformed, 0},
		{"frames that nobody knows, without end", func(f *http2.Framer, stream uint32) {
			flood(func() error { return f.WriteRawFrame(0xbb, 0, stream, []byte("x")) })
		}, orbweaver.ErrMalformed, 0},
		{"no stream may be open", func(f *http2.Framer, stream uint32) {
			f.WriteSettings(http2.Setting{ID: http2.SettingMaxConcurrentStreams, Val: 0})
		}, orbweaver.ErrTimeout, timeout},
		{"a head that goes on without end", func(f *http2.Framer, stream uint32) {
			f.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: heads(":status", "200")})
			block := heads("x", strings.Repeat("x", 1000))
			flood(func() error { return f.WriteContinuation(stream, false, block) })
		}, orbweaver.ErrMalformed, 0},
		{"a head of empty pieces", func(f *http2.Framer, stream uint32) {
			f.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: heads(":status", "200")})
			flood(func() error { return f.WriteContinuation(stream, false, nil) })
		}, orbweaver.ErrMalformed, 0},
		{"a field that is said once and meant a thousand times", func(f *http2.Framer, stream uint32) {
			block := append(heads(":status", "200", "x", strings.Repeat("x", 3000)), bytes.Repeat([]byte{0x80 | 62}, 10_000)...)
			f.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: block, EndHeaders: true, EndStream: true})
		}, orbweaver.ErrMalformed, 0},
		{"a block that is none", func(f *http2.Framer, stream uint32) {
			f.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: bytes.Repeat([]byte{0xff}, 100), EndHeaders: true})
		}, orbweaver.ErrMalformed, 0},
		{"interim answers without end", func(f *http2.Framer, stream uint32) {
			flood(func() error {
				head(f, stream, false, ":status", "103", "link", "</a>")
				return f.WritePing(true, [8]byte{})
			})
		}, orbweaver.ErrMalformed, 0},
		{"no status", func(f *http2.Framer, stream uint32) { head(f, stream, true, "x", "y") }, orbweaver.ErrMalformed, 0},
		{"a status that is no number", func(f *http2.Framer, stream uint32) { head(f, stream, true, ":status", "abc") }, orbweaver.ErrMalformed, 0},
		{"a name in capitals", func(f *http2.Framer, stream uint32) { head(f, stream, true, ":status", "200", "X-A", "y") }, orbweaver.ErrMalformed, 0},
		{"a body longer than its length", func(f *http2.Framer, stream uint32) {
			head(f, stream, false, ":status", "200", "content-length", "1")
			f.WriteData(stream, true, []byte("three"))
		}, orbweaver.ErrMalformed, 0},
		{"a body shorter than its length", func(f *http2.Framer, stream uint32) {
			head(f, stream, false, ":status", "200", "content-length", "9")
			f.WriteData(stream, true, []byte("three"))
		}, orbweaver.ErrCut, 0},
		{"a body of empty frames", func(f *http2.Framer, stream uint32) {
			head(f, stream, false, ":status", "200")
			flood(func() error { return f.WriteData(stream, false, nil) })
		}, orbweaver.ErrMalformed, 0},
		{"a body of padding", func(f *http2.Framer, stream uint32) {
			head(f, stream, false, ":status", "200")
			flood(func() error { return f.WriteDataPadded(stream, false, nil, make([]byte, 255)) })
		}, orbweaver.ErrMalformed, 0},
		{"more than the window", func(f *http2.Framer, stream uint32) {
			head(f, stream, false, ":status", "200")
			for range 2000 {
				if f.WriteData(stream, false, make([]byte, 16<<10)) != nil {
					return
				}
			}
		}, orbweaver.ErrMalformed, 0},
		{"a frame too large", func(f *http2.Framer, stream uint32) {
			f.WriteRawFrame(http2.FrameData, 0, stream, make([]byte, 1<<20+1))
		}, orbweaver.ErrMalformed, 0},
		{"trailers without end", func(f *http2.Framer, stream uint32) {
			head(f, stream, false, ":status", "200")
			f.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: heads("x", "y"), EndStream: true})
			block := heads("x", strings.Repeat("x", 1000))
			flood(func() error { return f.WriteContinuation(stream, false, block) })
		}, orbweaver.ErrMalformed, 0},
		{"a promise that nobody wants", func(f *http2.Framer, stream uint32) {
			f.WritePushPromise(http2.PushPromiseParam{StreamID: stream, PromiseID: 2, BlockFragment: heads(":method", "GET"), EndHeaders: true})
		}, orbweaver.ErrMalformed, 0},
		{"a window that overflows", func(f *http2.Framer, stream uint32) {
			f.WriteWindowUpdate(0, 1<<31-1)
		}, orbweaver.ErrMalformed, 0},
		{"an answer to another stream", func(f *http2.Framer, stream uint32) { head(f, stream+2, true, ":status", "200") }, orbweaver.ErrTimeout, timeout},
		{"farewells without end", func(f *http2.Framer, stream uint32) {
			flood(func() error { return f.WriteGoAway(stream, http2.ErrCodeNo, []byte(strings.Repeat("x", 1000))) })
		}, orbweaver.ErrMalformed, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := newNet(frames(t, ca, tc.serve))
				c := n.client(client.Options{Roots: ca.pool, Timeout: timeout})
				began := time.Now()
				resp, err := c.Fetch(context.Background(), orbweaver.Request{URL: "https://a.test/"})
				if err == nil {
					in(time.Millisecond) // what the server says meanwhile is there before it is read
					_, err = io.Copy(io.Discard, resp.Body)
					resp.Body.Close()
				}
				wantFailure(t, err, tc.failure)
				if took := time.Since(began).Truncate(time.Second); took != tc.after {
					t.Errorf("took %v, want %v", took, tc.after)
				}
				c.Close()
				n.conns.Wait()
			})
		})
	}
	if lines := strings.Count(printed.String(), "\n"); lines > 5 {
		t.Errorf("%d lines were printed, as %.200q", lines, &printed)
	}
}
