package crawlfolder

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
)

// The last line of a sealed file: the SHA-256 of all before it, in an HTML comment.
const (
	sealStart = "<!-- sha256:"
	sealEnd   = " -->\n"
)

// Sealed returns a writer that passes bytes on, and a function that writes the line by which SealBroken finds changes.
func Sealed(w io.Writer) (io.Writer, func() error) {
	sum := sha256.New()
	return io.MultiWriter(w, sum), func() error {
		_, err := io.WriteString(w, sealStart+hex.EncodeToString(sum.Sum(nil))+sealEnd)
		return err
	}
}

// SealBroken reports whether a file is not what was sealed. Files of earlier versions end without a seal: whole tells by their
// last bytes whether they have their end.
func SealBroken(path, whole string) (bool, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return false, err
	}
	at := bytes.LastIndex(b, []byte(sealStart))
	if at < 0 {
		return !bytes.HasSuffix(bytes.TrimSpace(b), []byte(whole)), nil
	}
	sum := sha256.Sum256(b[:at])
	return string(b[at:]) != sealStart+hex.EncodeToString(sum[:])+sealEnd, nil
}
