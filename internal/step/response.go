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

	// Rendered returns the page as its scripts left it, HTML in UTF-8: of an archive that has it, or of a page that was just rendered. Nil:
	// there is none.
	Rendered func() ([]byte, error)
	Ran      bool // this is the page as its scripts left it: see pipeline.Made
	Told     bool // by an archive that has rendered pages: one that is not Rendered was not

	// Live Web only.
	Asked    http.Header // request header as sent
	Protocol string      // "http/1.1" or "h2"
	Address  string      // of the server: IP and port
	Started  time.Time   // time by which the server has received the request
	Flawed   int         // lines of its head that are no fields: left out or mended
	Cookies  bool        // the answer changed the cookies that the target of its Redirect gets
}
