package client

import (
	"crypto/tls"
	"encoding/binary"
	"io"
)

const (
	frameHead    = 9       // bytes before a frame's payload: RFC 9113, section 4.1
	lastFrame    = 0x9     // the last type of frame that the RFC knows: CONTINUATION
	longestFrame = 1 << 14 // of those that may be sent unasked
)

// A framed is a connection of HTTP/2 without the frames of unknown types, which are to be
// ignored (RFC 9113, section 5.5). The library ignores them too, but prints a line for each to
// standard error: as many as a server likes.
type framed struct {
	*tls.Conn
	head [frameHead]byte
	kept []byte // of head, still to be given out
	left int    // bytes of the payload still to come
}

// Read returns what known frames are made of.
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
