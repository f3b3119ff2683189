package client

import (
	"crypto/tls"
	"encoding/binary"
	"errors"
	"io"
	"sync/atomic"
)

const (
	frameHead     = 9       // bytes before a frame's payload: RFC 9113, section 4.1
	lastFrame     = 0x9     // CONTINUATION, the last frame type of RFC 9113
	longestFrame  = 1 << 14 // largest payload without negotiation
	dataFrame     = 0x0
	priorityFrame = 0x2 // deprecated; means nothing to a client
	padded        = 0x8 // flag of DATA: its first byte is the length of its padding
)

// What a server may send over an HTTP/2 connection. Frames are all but DATA with data: a server needs a few for its
// settings and for pings, and per request one to twelve with heads. Bytes are of payloads: what is read, what fits
// into the windows of requests whose answers are not read to their ends, and heads.
const (
	firstFrames   = 128
	requestFrames = 64
	dataPerFrame  = 16 << 10 // bytes of data that allow one frame more: a server may measure the path by pings
	firstBytes    = 256 << 10
	requestBytes  = streamWindow + maxHead
)

// errFlood ends an HTTP/2 connection whose server sends much more than was asked for.
var errFlood = errors.New("HTTP/2 frames that no request asked for")

// A framed is an HTTP/2 connection without PRIORITY, and without frames of unknown types, which must be ignored (RFC 9113, section
// 5.5). The library ignores them too, but prints a line for each to standard error, so that a server could
// flood it.
//
// It ends with errFlood when the server has sent more frames or bytes than its requests so far allow, whether one
// is in progress or none: the library answers pings and skips what belongs to no stream for as long as they come.
type framed struct {
	*tls.Conn
	head [frameHead + 1]byte
	kept []byte // of head, not yet returned
	left int    // bytes of the payload not read yet
	data int    // bytes of data that no frame was allowed for yet

	frames, bytes atomic.Int64 // what the server may still send
	flooded       func()       // called once at errFlood
}

// newFramed returns a connection on which no request was made yet.
func newFramed(c *tls.Conn, flooded func()) *framed {
	f := &framed{Conn: c, flooded: flooded}
	f.frames.Store(firstFrames)
	f.bytes.Store(firstBytes)
	return f
}

// request allows what the answer to one request more may need, without its body.
func (f *framed) request() {
	f.frames.Add(requestFrames)
	f.bytes.Add(requestBytes)
}

// took allows as much as a reader took of a body.
func (f *framed) took(n int) { f.bytes.Add(int64(n)) }

// Read returns the bytes of known frames.
func (f *framed) Read(p []byte) (int, error) {
	for len(f.kept) == 0 && f.left == 0 {
		if err := f.next(); err != nil {
			return 0, err
		}
	}
	if len(f.kept) > 0 {
		n := copy(p, f.kept)
		f.kept = f.kept[n:]
		return n, nil
	}
	n, err := f.Conn.Read(p[:min(len(p), f.left)])
	f.left -= n
	return n, err
}

// next reads the head of a frame, and skips the frame if its type is unknown.
func (f *framed) next() error {
	head := f.head[:frameHead]
	if _, err := io.ReadFull(f.Conn, head); err != nil {
		return err
	}
	length := int(binary.BigEndian.Uint32(head) >> 8)
	data, left := length, length
	if head[3] == dataFrame && head[4]&padded != 0 && length > 0 {
		head = f.head[:]
		if _, err := io.ReadFull(f.Conn, head[frameHead:]); err != nil {
			return err
		}
		data, left = length-1-int(head[frameHead]), length-1
	}
	if !f.affords(head[3] == dataFrame && data > 0, data, length) {
		f.flooded()
		return errFlood
	}
	if (head[3] > lastFrame || head[3] == priorityFrame) && length <= longestFrame {
		_, err := io.CopyN(io.Discard, f.Conn, int64(length))
		return err
	}
	f.kept, f.left = head, left
	return nil
}

// affords takes a frame from what the server may send, and reports whether that sufficed.
func (f *framed) affords(hasData bool, data, length int) bool {
	if hasData {
		// Padding is the server's own choice, and as cheap to send as anything.
		f.data += data
		f.frames.Add(int64(f.data / dataPerFrame))
		f.data %= dataPerFrame
	} else if f.frames.Add(-1) < 0 {
		return false
	}
	return f.bytes.Add(-int64(length)) >= 0
}
