//go:build e2e

package program_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// The host and port that the files of cases name.
const (
	caseHost = "127.0.40.1"
	caseAddr = caseHost + ":18200"
)

// mostAsked requests of one case are more than any of them needs: a crawl that goes on is ended.
const mostAsked = 400

// A rawWeb answers with bytes from files: those of the first row of map.tsv that fits.
type rawWeb struct {
	rows    []rawAnswer
	tooMuch context.Context // is over when the web was asked too often
	end     context.CancelFunc

	mu  sync.Mutex
	log []rawRequest
}

// A rawAnswer is a row: a target or *, the answer, and a cookie that must be sent.
type rawAnswer struct {
	target, cookie string
	answer         []byte
}

type rawRequest struct{ method, target, cookie string }

// serveRaw serves a folder until the test ends. What its files call caseAddr becomes the address of the
// server.
func serveRaw(t *testing.T, folder string) *rawWeb {
	t.Helper()
	listener, err := net.Listen("tcp4", caseHost+":0")
	if err != nil {
		t.Fatal(err)
	}
	addr := listener.Addr().String()
	w := &rawWeb{}
	w.tooMuch, w.end = context.WithCancel(context.Background())
	for line := range strings.Lines(string(read(t, filepath.Join(folder, "map.tsv")))) {
		cells := append(strings.Split(strings.TrimSuffix(line, "\n"), "\t"), "")
		if len(cells) < 3 || cells[0] == "" || cells[0][0] == '#' {
			continue
		}
		answer := readdress(read(t, filepath.Join(folder, cells[1])), addr)
		w.rows = append(w.rows, rawAnswer{cells[0], cells[2], answer})
	}
	crawl := filepath.Join(folder, "crawl.yaml")
	write(t, crawl, strings.ReplaceAll(string(read(t, crawl)), caseAddr, addr))
	var open sync.WaitGroup
	open.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return // closed
			}
			stop := context.AfterFunc(w.tooMuch, func() { conn.Close() })
			open.Go(func() { defer stop(); w.serve(conn) })
		}
	})
	t.Cleanup(func() { listener.Close(); w.end(); open.Wait() })
	return w
}

// readdress writes another address for caseAddr into an answer, also where that is packed, and keeps its
// length right.
func readdress(answer []byte, addr string) []byte {
	head, body, _ := bytes.Cut(answer, []byte("\r\n\r\n"))
	other := unpacked(body)
	if other != nil && bytes.Contains(other, []byte(caseAddr)) {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		_, _ = w.Write(bytes.ReplaceAll(other, []byte(caseAddr), []byte(addr)))
		_ = w.Close() // neither fails: it goes to memory
		other = packed.Bytes()
	} else {
		other = bytes.ReplaceAll(body, []byte(caseAddr), []byte(addr))
	}
	if bytes.Equal(other, body) {
		return bytes.ReplaceAll(answer, []byte(caseAddr), []byte(addr))
	}
	length := func(b []byte) []byte { return fmt.Appendf(nil, "\r\nContent-Length: %d", len(b)) }
	head = bytes.Replace(head, length(body), length(other), 1)
	return bytes.Join([][]byte{bytes.ReplaceAll(head, []byte(caseAddr), []byte(addr)), other}, []byte("\r\n\r\n"))
}

// unpacked returns the content of a whole gzip file, and nil of anything else.
func unpacked(body []byte) []byte {
	r, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil
	}
	content, err := io.ReadAll(r)
	if err != nil {
		return nil
	}
	return content
}

// serve answers the requests of a connection.
func (w *rawWeb) serve(conn net.Conn) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	for {
		req, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		if _, err := io.Copy(io.Discard, req.Body); err != nil {
			return
		}
		answer := w.answer(rawRequest{req.Method, req.RequestURI, req.Header.Get("Cookie")})
		if _, err := conn.Write(answer); err != nil {
			return
		}
	}
}

func (w *rawWeb) answer(r rawRequest) []byte {
	w.mu.Lock()
	w.log = append(w.log, r)
	if len(w.log) > mostAsked {
		w.end()
	}
	w.mu.Unlock()
	for _, row := range w.rows {
		fits := row.target == r.target || row.target == "*" && r.target != "/robots.txt"
		if fits && strings.Contains(r.cookie, row.cookie) {
			return row.answer
		}
	}
	return []byte("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
}

// requests returns what the web was asked so far.
func (w *rawWeb) requests() []rawRequest {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.log)
}
