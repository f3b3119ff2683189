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
	Redirect string        // canonical target of a 3xx; empty: none, or not a URL to request
	Body     io.ReadCloser // with content coding (gzip, br, zstd), without transfer coding; must be closed
	At       time.Time     // time of receipt; from an archive: time of archiving
	Record   orbweaver.Ref // position in the archive
	Digest   string        // digest of the payload, as in Page; empty: not computed yet

	// Live Web only.
	Asked    http.Header // request header as sent
	Protocol string      // "http/1.1" or "h2"
	Address  string      // of the server: IP and port
	Started  time.Time   // time by which the server has received the request
}
