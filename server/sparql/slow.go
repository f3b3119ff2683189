package sparql

import (
	"io"
	"net/http"
	"time"

	"orbweaver/server/queue"
)

// What a client may take for a body: slowStart, and a second for each pace bytes.
const (
	slowStart = 2 * time.Second
	pace      = 16 << 10
)

// A paced body ends when its client sends it too slowly.
type paced struct {
	io.ReadCloser
	control *http.ResponseController
	began   time.Time
	last    time.Time // of all deadlines
	n       int64
}

// Read reads within the deadline of the next bytes.
func (p *paced) Read(b []byte) (int, error) {
	next := p.began.Add(slowStart + time.Duration(p.n)*time.Second/pace)
	if next.After(p.last) {
		next = p.last
	}
	_ = p.control.SetReadDeadline(next) // tests have no connection
	n, err := p.ReadCloser.Read(b)
	p.n += int64(n)
	if err != nil {
		_ = p.control.SetReadDeadline(p.last)
	}
	return n, err
}

// A lending writer lends its slot while a client takes bytes: one that takes them slowly keeps no query from running.
type lending struct {
	http.ResponseWriter
	slot *queue.Slot
}

// Write sends bytes.
func (l *lending) Write(p []byte) (int, error) { return l.slot.Writer(l.ResponseWriter).Write(p) }

// Unwrap is for http.ResponseController.
func (l *lending) Unwrap() http.ResponseWriter { return l.ResponseWriter }
