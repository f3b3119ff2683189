//go:build e2e

package studio_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"

	"orbweaver/studio"
	"orbweaver/studio/workspace"
)

// serve serves a workspace on loopback, and returns its address.
func serve(t *testing.T, o studio.Options) string {
	t.Helper()
	ws, err := workspace.Open(t.TempDir(), workspace.Options{Spare: -1})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Skipf("no loopback: %v", err)
	}
	o.Workspace = ws
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- studio.New(o).Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		if err := errors.Join(<-done, ws.Close()); err != nil {
			t.Error(err)
		}
	})
	return l.Addr().String()
}

// A client sends requests as a browser or a program does.
type client struct {
	t    *testing.T
	addr string
	http *http.Client
}

func newClient(t *testing.T, addr string) *client {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &client{t, addr, &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// send sends a request with header lines, and returns status and answer.
func (c *client) send(method, path, body string, lines ...string) (int, http.Header, string) {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), method, "http://"+c.addr+path, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	for _, line := range lines {
		name, value, _ := strings.Cut(line, ": ")
		if r.Header.Set(name, value); name == "Host" {
			r.Host = value
		}
	}
	response, err := c.http.Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return response.StatusCode, response.Header, string(text)
}

const (
	html = "Accept: text/html"
	form = "Content-Type: application/x-www-form-urlencoded"
)
