package archive

import (
	"crypto/sha1"
	"encoding/base32"
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"strings"
)

// digestOf formats a SHA-1 as WARC does.
func digestOf(sum [sha1.Size]byte) string {
	var b [37]byte
	copy(b[:], "sha1:")
	base32.StdEncoding.Encode(b[5:], sum[:])
	return string(b[:])
}

// emptyDigest is the digest of no bytes.
const emptyDigest = "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"

func parseDigest(s string) (sum [sha1.Size]byte, ok bool) {
	text, ok := strings.CutPrefix(s, "sha1:")
	if !ok || len(text) != 32 {
		return sum, false
	}
	_, err := base32.StdEncoding.Decode(sum[:], []byte(text))
	return sum, err == nil
}

// digestKey is the part of a digest that is the key of the table of payloads.
func digestKey(sum [sha1.Size]byte) uint64 { return binary.BigEndian.Uint64(sum[:8]) }

// recordID is a UUID of version 5 (RFC 9562, section 5.5) over names, in the project's name space.
func recordID(names ...string) string {
	b := append(make([]byte, 0, 512), "orbweaver/archive"...)
	for _, name := range names {
		b = strconv.AppendInt(append(b, 0), int64(len(name)), 10)
		b = append(append(b, 0), name...)
	}
	sum := sha1.Sum(b)
	id := sum[:16]
	id[6] = id[6]&0x0f | 0x50
	id[8] = id[8]&0x3f | 0x80
	b = append(b[:0], "<urn:uuid:"...)
	for i, part := range [...][]byte{id[:4], id[4:6], id[6:8], id[8:10], id[10:]} {
		if i > 0 {
			b = append(b, '-')
		}
		b = hex.AppendEncode(b, part)
	}
	return string(append(b, '>'))
}
