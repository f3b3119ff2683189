package door_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"orbweaver/server/door"
)

// TestCheck: who may ask a server at 127.0.0.1:80 that is also called crawl.test, and lets pages of https://lab.test ask.
func TestCheck(t *testing.T) {
	o := door.Options{Hosts: []string{"crawl.test"}, Origins: []string{"https://lab.test"}}
	for _, tc := range []struct {
		name, host string
		header     []string
		status     int
	}{
		{"a program", "127.0.0.1:80", nil, 200},
		{"a name", "Crawl.test:80", nil, 200},
		{"localhost", "localhost", nil, 200},
		{"IPv6", "[::1]:80", nil, 200},
		{"rebound", "evil.test", nil, 421},
		{"rebound, below localhost", "evil.localhost", nil, 421},
		{"no host", "", nil, 421},
		{"typed", "127.0.0.1", []string{"Sec-Fetch-Site", "none", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}, 200},
		{"own page", "127.0.0.1", []string{"Sec-Fetch-Site", "same-origin"}, 200},
		{"a link elsewhere", "127.0.0.1", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}, 200},
		{"a frame elsewhere", "127.0.0.1", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe"}, 403},
		{"an image elsewhere", "127.0.0.1", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "image"}, 403},
		{"another port's page", "127.0.0.1", []string{"Sec-Fetch-Site", "same-site", "Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "image"}, 403},
		{"a foreign origin", "127.0.0.1", []string{"Origin", "https://evil.test"}, 403},
		{"a sandboxed page", "127.0.0.1", []string{"Origin", "null"}, 403},
		{"an origin let in", "127.0.0.1", []string{"Origin", "https://lab.test", "Sec-Fetch-Site", "cross-site"}, 200},
		{"this machine", "127.0.0.1", []string{"Origin", "http://localhost:9999"}, 200},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Host = tc.host
		for i := 0; i < len(tc.header); i += 2 {
			r.Header.Set(tc.header[i], tc.header[i+1])
		}
		w := httptest.NewRecorder()
		o.Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "ok") })).ServeHTTP(w, r)
		if w.Code != tc.status {
			t.Errorf("%s: status %d, want %d", tc.name, w.Code, tc.status)
		}
	}
}

// TestSlowClients: a thousand clients that hold connections of a listener with room for 32, with half a request, a part of a
// body, or an answer that they do not read, do not keep an honest one out.
func TestSlowClients(t *testing.T) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Skipf("no loopback: %v", err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/large" {
			_, _ = io.CopyN(w, endless{}, 64<<20)
			return
		}
		_, _ = io.Copy(io.Discard, r.Body)
		fmt.Fprint(w, "ok")
	})}
	go func() { _ = server.Serve(door.Listen(l, 32, 10*time.Millisecond)) }()
	defer server.Close()
	begin := []string{
		"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ",
		"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000\r\n\r\nx",
		"GET /large HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
		"",
	}
	for i := range 1000 {
		c, err := net.Dial("tcp4", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		_, _ = io.WriteString(c, begin[i%len(begin)]) // it may be closed already
	}
	for range 5 {
		c, err := net.Dial("tcp4", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(c, "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
		answer, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil || answer.StatusCode != http.StatusOK {
			t.Errorf("an honest client: %v", err)
		}
		c.Close()
	}
}

type endless struct{}

func (endless) Read(b []byte) (int, error) { return len(b), nil }
