package client_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver"
	"orbweaver/fetch/client"
)

func TestAnswers(t *testing.T) {
	const ok = "HTTP/1.1 200 OK\r\n"
	for _, tc := range []struct {
		name, answer string
		body         string
		failure      orbweaver.Failure
		status       int // 0: 200
	}{
		{"a length", ok + "Content-Length: 2\r\n\r\nhi", "hi", "", 0},
		{"no length: until the end", ok + "\r\nhello", "hello", "", 0},
		{"HTTP/1.0", "HTTP/1.0 200 OK\r\n\r\nhello", "hello", "", 0},
		{"chunks", ok + "Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n3\r\n ho\r\n0\r\n\r\n", "hi ho", "", 0},
		{"chunks with a trailer", ok + "Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nX: y\r\n\r\n", "hi", "", 0},
		{"chunks and a length: chunks count", ok + "Content-Length: 99\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n", "hi", "", 0},
		{"longer than its length", ok + "Content-Length: 2\r\n\r\nhi and more", "hi", "", 0},
		{"no reason", "HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", "", "", 0},
		{"no content", "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n", "", "", 204},
		{"not modified has no body", "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", "", "", 304},
		{"an interim answer", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 404 No\r\nContent-Length: 1\r\n\r\nx", "x", "", 404},
		{"ten interim answers", strings.Repeat("HTTP/1.1 100 Continue\r\n\r\n", 10) + ok + "\r\n", "", "", 0},
		{"eleven", strings.Repeat("HTTP/1.1 100 Continue\r\n\r\n", 11) + ok + "\r\n", "", orbweaver.ErrMalformed, 0},
		{"a switch of protocols", "HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n", "", orbweaver.ErrMalformed, 0},
		{"nothing at all", "", "", orbweaver.ErrCut, 0},
		{"half a status line", "HTTP/1.1 20", "", orbweaver.ErrCut, 0},
		{"half a head", ok + "Content-Len", "", orbweaver.ErrCut, 0},
		{"HTTP/0.9", "<html>hello", "", orbweaver.ErrMalformed, 0},
		{"garbage first", "\r\n\r\n" + ok + "\r\n", "", orbweaver.ErrMalformed, 0},
		{"another protocol", "SSH-2.0-OpenSSH_9\r\n", "", orbweaver.ErrMalformed, 0},
		{"HTTP/2.0 in plain text", "HTTP/2.0 200 OK\r\n\r\n", "", orbweaver.ErrMalformed, 0},
		{"a status of one digit", "HTTP/1.1 2 OK\r\n\r\n", "", orbweaver.ErrMalformed, 0},
		{"a status below 100", "HTTP/1.1 099 OK\r\n\r\n", "", orbweaver.ErrMalformed, 0},
		{"a negative length", ok + "Content-Length: -1\r\n\r\nhi", "", orbweaver.ErrMalformed, 0},
		{"two lengths", ok + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nhi", "", orbweaver.ErrMalformed, 0},
		{"a length of words", ok + "Content-Length: two\r\n\r\nhi", "", orbweaver.ErrMalformed, 0},
		{"an unknown transfer coding", ok + "Transfer-Encoding: gzip, chunked\r\n\r\n", "", orbweaver.ErrMalformed, 0},
		{"one endless header", ok + "X: " + strings.Repeat("x", 300<<10), "", orbweaver.ErrMalformed, 0},
		{"endless headers", ok + strings.Repeat("X: x\r\n", 60_000), "", orbweaver.ErrMalformed, 0},
		{"endless interim answers", strings.Repeat("HTTP/1.1 100 C\r\nX: "+strings.Repeat("x", 40_000)+"\r\n\r\n", 9) + ok + "\r\n", "", orbweaver.ErrMalformed, 0},
		{"a head of 200 kB", ok + "X: " + strings.Repeat("x", 200<<10) + "\r\n\r\nhi", "hi", "", 0},
		{"shorter than its length", ok + "Content-Length: 9\r\n\r\nhi", "hi", orbweaver.ErrCut, 0},
		{"chunks without an end", ok + "Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n", "hi", orbweaver.ErrCut, 0},
		{"a chunk cut short", ok + "Transfer-Encoding: chunked\r\n\r\n9\r\nhi", "hi", orbweaver.ErrCut, 0},
		{"a chunk of no length", ok + "Transfer-Encoding: chunked\r\n\r\nzz\r\nhi\r\n", "", orbweaver.ErrMalformed, 0},
		{"a chunk of too great a length", ok + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\nhi\r\n", "", orbweaver.ErrMalformed, 0},
		{"a chunk longer than it says", ok + "Transfer-Encoding: chunked\r\n\r\n1\r\nhi\r\n0\r\n\r\n", "h", orbweaver.ErrMalformed, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := newNet(answering(tc.answer, true))
				c := n.client(client.Options{})
				defer c.Close()
				resp, body, err := get(c, "http://a.test/")
				wantFailure(t, err, tc.failure)
				if tc.failure == "" || tc.body != "" {
					want := max(tc.status, 200)
					if resp == nil || resp.Status != want || body != tc.body {
						t.Errorf("got %+v, %q; want %d, %q", resp, body, want, tc.body)
					}
				}
				if err != nil && !strings.HasPrefix(err.Error(), "fetch http://a.test/: "+string(tc.failure)+": ") {
					t.Errorf("message %q", err)
				}
				if err != nil && len(err.Error()) > 400 {
					t.Errorf("a message of %d bytes", len(err.Error()))
				}
			})
		})
	}
}

// TestFlawsOfHeads: a line that browsers ignore loses nothing before or after it.
func TestFlawsOfHeads(t *testing.T) {
	for _, tc := range []struct{ name, flaw string }{
		{"no colon", "hello"},
		{"words", "This server is cached by x"},
		{"the status again", "HTTP/1.1 200 OK"},
		{"one letter", "a"},
		{"no name", ": x"},
		{"a blank in a name", "X Y: z"},
		{"a bracket in a name", "X(Y): z"},
		{"a quote in a name", "\"X\": z"},
		{"an umlaut in a name", "Gr\u00f6\u00dfe: 5"},
		{"a byte that is no text", "\xff: 5"},
		{"a NUL", "\x00"},
		{"a tag of HTML", "<meta name=x>"},
		{"a tag with a colon", "<link href=http://a.test/>"},
		{"a blank before the colon", "X-Y : z"},
		{"a tab before the colon", "X-Y\t: z"},
		{"an empty value", "X-Y:"},
		{"a control in a value", "X-Y: a\x01b"},
		{"a return in a value", "X-Y: a\rb"},
		{"a continued line", "X-Y: a\r\n  b"},
		{"a continued line without a colon", "hello\r\n  world: x"},
		{"an error of PHP", "Warning: foo() in /x.php:5"},
		{"a transfer coding that is none", "Transfer-Encoding: identity"},
		{"an empty transfer coding", "Transfer-Encoding:"},
		{"a carriage return more", "hello\r"},
	} {
		for _, head := range []string{"HTTP/1.1 200 OK\r\nX-First: 1\r\n%\r\nContent-Length: 2\r\n\r\nhi", "HTTP/1.1 200 OK\nX-First: 1\n%\nContent-Length: 2\n\nhi",
			"HTTP/1.1 200 OK\r\n%\r\nX-First: 1\r\nContent-Length: 2\r\n\r\nhi", "HTTP/1.1 200 OK\r\nX-First: 1\r\nTransfer-Encoding: chunked\r\n%\r\nContent-Length: 2\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
			"HTTP/1.1 103 Early Hints\r\n%\r\n\r\nHTTP/1.1 200 OK\r\nX-First: 1\r\nContent-Length: 2\r\n\r\nhi"} {
			synctest.Test(t, func(t *testing.T) {
				n := newNet(answering(strings.ReplaceAll(head, "%", tc.flaw), true))
				c := n.client(client.Options{})
				defer c.Close()
				resp, body, err := get(c, "http://a.test/")
				if err != nil || body != "hi" || resp.Header.Get("X-First") != "1" || resp.Header.Get("Content-Length") != "2" && !strings.Contains(head, "chunked") {
					t.Errorf("%s: %q, %+v, %v", tc.name, body, resp, err)
				}
				if err == nil && tc.name == "no colon" && resp.Flawed != 1 {
					t.Errorf("%s: %d flaws", tc.name, resp.Flawed)
				}
			})
		}
	}
}

func TestResponse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		var head string
		n := newNet(func(_ string, c net.Conn) {
			var b [4096]byte
			got, _ := c.Read(b[:])
			head = string(b[:got])
			in(20 * time.Millisecond)
			io.WriteString(c, "HTTP/1.1 301 Moved\r\nLOCATION: ../x y\r\n")
			in(time.Second)
			io.WriteString(c, "Content-Length: 0\r\n\r\n")
		})
		c := n.client(client.Options{UserAgent: "orbweaver/1 (+http://a.test)"})
		defer c.Close()
		resp, err := c.FetchIf(t.Context(), orbweaver.Request{URL: "http://a.test:8080/a/b?c", Accept: "text/turtle"}, `W/"1"`, "Sat, 01 Jan 2000 00:00:00 GMT\r\nX: y")
		if err != nil {
			t.Fatal(err)
		}
		const want = "GET /a/b?c HTTP/1.1\r\nHost: a.test:8080\r\nUser-Agent: orbweaver/1 (+http://a.test)\r\n" +
			"Accept: text/turtle\r\nAccept-Encoding: gzip, br, zstd\r\nIf-None-Match: W/\"1\"\r\n" +
			"If-Modified-Since: Sat, 01 Jan 2000 00:00:00 GMTX: y\r\n\r\n"
		if head != want {
			t.Errorf("asked %q, want %q", head, want)
		}
		asked := resp.Asked.Get("Host") + "|" + resp.Asked.Get("Accept") + "|" + resp.Asked.Get("If-None-Match")
		if asked != `a.test:8080|text/turtle|W/"1"` || len(resp.Asked) != 6 {
			t.Errorf("Asked: %v", resp.Asked)
		}
		if resp.Redirect != "http://a.test:8080/x%20y" || resp.Header.Get("Location") != "../x y" {
			t.Errorf("Redirect %q", resp.Redirect)
		}
		if resp.Protocol != "http/1.1" || resp.Address != public+":8080" {
			t.Errorf("%s at %s", resp.Protocol, resp.Address)
		}
		if started := resp.Started.Sub(began); started != 20*time.Millisecond {
			t.Errorf("started after %v: the first byte came after 20ms", started)
		}
		if at := resp.At.Sub(began); at != 1020*time.Millisecond {
			t.Errorf("head after %v", at)
		}
	})
}

func TestStartedOfAFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		n := newNet(func(_ string, c net.Conn) {
			http.ReadRequest(bufio.NewReader(c))
			in(3 * time.Second)
		})
		c := n.client(client.Options{})
		defer c.Close()
		_, _, err := get(c, "http://a.test/")
		wantFailure(t, err, orbweaver.ErrCut)
		var f interface{ Started() time.Time }
		if !errors.As(err, &f) || f.Started().Sub(began) != 3*time.Second {
			t.Errorf("%v: started after %v", err, f.Started().Sub(began))
		}
	})
}

func TestBadURLs(t *testing.T) {
	n := newNet(nil)
	c := n.client(client.Options{})
	for _, url := range []string{
		"", "a.test", "ftp://a.test/", "http://", "http:///x", "http://a.test:99999/", "http://a.test:x/",
		"http://a.test/\r\nX: y", "http://a.test/a b", "http://a\x00.test/", "http://a.test/ü", "http://[]/",
	} {
		_, err := c.Fetch(t.Context(), orbweaver.Request{URL: url})
		if got := orbweaver.FailureOf(err); got != orbweaver.ErrBadURL {
			t.Errorf("%q: %v", url, err)
		}
	}
	if n.dials() != 0 || len(n.lookups) != 0 {
		t.Errorf("dialed %v, looked up %v", n.dialed, n.lookups)
	}
}

func TestCancelled(t *testing.T) {
	for _, tc := range []struct {
		name  string
		serve func(net.Conn)
	}{
		{"before the head", func(c net.Conn) {}},
		{"in the head", func(c net.Conn) { io.WriteString(c, "HTTP/1.1 200 OK\r\n") }},
		{"in the body", func(c net.Conn) { io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhi") }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := newNet(func(_ string, c net.Conn) {
					http.ReadRequest(bufio.NewReader(c))
					tc.serve(c)
					io.Copy(io.Discard, c)
				})
				c := n.client(client.Options{})
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(time.Second, cancel)
				began := time.Now()
				_, _, err := getWith(ctx, c, "http://a.test/")
				if !errors.Is(err, context.Canceled) || time.Since(began) != time.Second {
					t.Errorf("%v after %v", err, time.Since(began))
				}
				n.conns.Wait() // the connection is closed without Close
			})
		})
	}
}
