package weburl

import (
	"net/url"
	"strings"
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
	if strings.IndexByte(path, '%') >= 0 {
		if decoded, err := url.PathUnescape(path); err == nil {
			return decoded
		}
	}
	return path
}
