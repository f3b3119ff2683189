package weburl

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// PathWords returns the part of a URL that may contain words: its path without leading slash and extension,
// with valid escapes decoded.
func PathWords(address string) string {
	if i := strings.Index(address, "://"); i >= 0 {
		address = address[i+3:]
	}
	i := strings.IndexByte(address, '/')
	if i < 0 {
		return ""
	}
	path := address[i+1:]
	if i := strings.IndexByte(path, '#'); i >= 0 {
		path = path[:i]
	}
	if i := strings.IndexByte(path, '?'); i >= 0 {
		path = path[:i]
	}
	if i := strings.LastIndexByte(path, '.'); i > strings.LastIndexByte(path, '/') && len(path)-i <= 6 {
		path = path[:i]
	}
	return unescaped(path)
}

// HostWords returns the host of a URL as it is read: a label in Punycode (RFC 3492) as the letters it stands for.
func HostWords(hostname string) string {
	if !strings.Contains(hostname, "xn--") {
		return hostname
	}
	name, err := idna.Punycode.ToUnicode(hostname)
	if err != nil {
		return hostname
	}
	return name
}

// unescaped decodes the valid escapes of a path: UTF-8, or Latin-1 as of old if it is none.
func unescaped(path string) string {
	if strings.IndexByte(path, '%') < 0 {
		return path
	}
	out, high := make([]byte, 0, len(path)), false
	for i := 0; i < len(path); i++ {
		c := path[i]
		if c == '%' && i+2 < len(path) {
			if v, err := strconv.ParseUint(path[i+1:i+3], 16, 8); err == nil {
				c, i = byte(v), i+2
			}
		}
		high = high || c >= utf8.RuneSelf
		out = append(out, c)
	}
	if !high || utf8.Valid(out) {
		return string(out)
	}
	runes := make([]rune, len(out))
	for i, c := range out {
		runes[i] = rune(c)
	}
	return string(runes)
}
