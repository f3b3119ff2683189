package client

import (
	"crypto/tls"
	"encoding/binary"
	"io"
)

const (
	frameHead    = 9       // bytes before a frame's payload: RFC 9113, section 4.1
	lastFrame    = 0x9     // CONTINUATION, the last frame type of RFC 9113
	longestFrame = 1 << 14 // largest payload without negotiation
)

// A framed is an HTTP/2 connection without frames of unknown types, which must be ignored (RFC 9113, section
// 5.5). The library ignores them too, but prints a line for each to standard error, so that a server could
// flood it.
type framed struct {
	*tls.Conn
	head [frameHead]byte
	kept []byte // of head, not yet returned
	left int    // bytes of the payload not read yet
}

// Read returns the bytes of known frames.
func (f *framed) Read(p []byte) (int, error) {
	for len(f.kept) == 0 && f.left == 0 {
		if _, err := io.ReadFull(f.Conn, f.head[:]); err != nil {
			return 0, err
		}
		length := int(binary.BigEndian.Uint32(f.head[:]) >> 8)
		if f.head[3] <= lastFrame || length > longestFrame {
			f.kept, f.left = f.head[:], length
		} else if _, err := io.CopyN(io.Discard, f.Conn, int64(length)); err != nil {
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
