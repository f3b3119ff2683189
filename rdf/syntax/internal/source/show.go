package source

import (
	"strconv"
	"unicode/utf8"
)

// Show quotes the start of b for an error message, at most a few characters of it.
func Show(b []byte) string {
	const most = 16
	if len(b) == 0 {
		return "end of input"
	}
	n := 0
	for i := 0; i < most && n < len(b); i++ {
		_, size := utf8.DecodeRune(b[n:])
		if i > 0 && (b[n] == ' ' || b[n] == '\n' || b[n] == '\r' || b[n] == '\t') {
			break
		}
		n += size
	}
	return strconv.Quote(string(b[:n]))
}
