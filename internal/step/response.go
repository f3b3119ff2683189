package step

import (
	"io"
	"net/http"
	"time"

	"orbweaver"
)

// A Response is the answer to a request, as received.
type Response struct {
	Request  orbweaver.Request
	Status   int           // HTTP status
	Header   http.Header   // canonical keys
	Redirect string        // canonical target of a 3xx; empty when there is none, or none to go to
	Body     io.ReadCloser // content coding (gzip, br, zstd) still on, transfer coding off; close it
	At       time.Time     // when it was received; from an archive: when it was archived
	Record   orbweaver.Ref // where the archive holds it
	Digest   string        // of the payload, as in Page, where somebody knows it already

	// Of the live Web only.
	Asked    http.Header // as sent
	Protocol string      // "http/1.1" or "h2"
	Address  string      // of the server: IP and port
	Started  time.Time   // when the server can be taken to have had the request
}
