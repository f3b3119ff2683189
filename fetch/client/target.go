package client

import (
	"fmt"
	"strconv"
	"strings"

	"orbweaver"
	"orbweaver/weburl"
)

// A target is a URL split for a request.
type target struct {
	host      string // scheme, name and port: the key of politeness
	authority string // name and port, as in the header Host
	name      string // of the host, or its address without brackets
	port      uint16
	path      string // with the query, never empty
	secure    bool
}

// parseTarget splits a canonical http(s) URL, or a host alone. The error names the problem and wraps ErrBadURL.
func parseTarget(url string) (target, error) {
	scheme, rest, found := strings.Cut(url, "://")
	t := target{secure: scheme == "https", port: 80}
	if !found || !t.secure && scheme != "http" {
		return t, fmt.Errorf("%w: not of http or https", orbweaver.ErrBadURL)
	}
	if t.secure {
		t.port = 443
	}
	rest, _, _ = strings.Cut(rest, "#")
	t.path = "/"
	if end := strings.IndexAny(rest, "/?"); end >= 0 {
		rest, t.path = rest[:end], rest[end:]
	}
	if t.path[0] == '?' {
		t.path = "/" + t.path
	}
	t.host = weburl.Host(url)
	t.authority = rest[strings.LastIndexByte(rest, '@')+1:]
	if !printable(t.authority) || !printable(t.path) {
		return t, fmt.Errorf("%w: characters that no canonical URL holds", orbweaver.ErrBadURL)
	}
	return t, t.splitPort()
}

// splitPort sets name and port from the authority.
func (t *target) splitPort() error {
	t.name = t.authority
	if colon := strings.LastIndexByte(t.name, ':'); colon > strings.LastIndexByte(t.name, ']') {
		port, err := strconv.ParseUint(t.name[colon+1:], 10, 16)
		if err != nil {
			return fmt.Errorf("%w: port %q", orbweaver.ErrBadURL, t.name[colon+1:])
		}
		t.name, t.port = t.name[:colon], uint16(port)
	}
	t.name = strings.TrimSuffix(strings.TrimPrefix(t.name, "["), "]")
	if t.name == "" {
		return fmt.Errorf("%w: no host", orbweaver.ErrBadURL)
	}
	return nil
}

// printable reports whether s has only visible ASCII characters, so that it cannot end a line or a word of a
// request head.
func printable(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] >= 0x7f {
			return false
		}
	}
	return true
}
