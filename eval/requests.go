package eval

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"orbweaver"
	"orbweaver/internal/coding/charset"
	"orbweaver/weburl"
)

const (
	maxRequestLine = 64 << 10   // bytes of a line of a request log
	maxRequests    = 10_000_000 // requests read of a log
)

// ReadRequests reads the first requests of a log, at most limit of them (0: ten million): a URL a line, in the order of
// the requests, up to the first tab. Blank lines, lines that start with # and requests of robots.txt files are skipped.
// URLs are returned in canonical form. The error names the line and wraps orbweaver.ErrInput.
func ReadRequests(r io.Reader, name string, limit int) (urls []string, err error) {
	if limit <= 0 || limit > maxRequests {
		limit = maxRequests
	}
	lines := bufio.NewScanner(charset.NewReader(r))
	lines.Buffer(nil, maxRequestLine)
	n := 0
	for len(urls) < limit && lines.Scan() {
		n++
		text, _, _ := strings.Cut(strings.TrimSpace(lines.Text()), "\t")
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		url, err := weburl.Canonical(text)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %q: %w; want a URL (%w)", name, n, shorten(text, 200), err, orbweaver.ErrInput)
		}
		if url != weburl.Host(url)+"/robots.txt" {
			urls = append(urls, url)
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fmt.Errorf("%s:%d: the line is longer than %d bytes (%w)", name, n+1, maxRequestLine, orbweaver.ErrInput)
	case err != nil:
		return nil, fmt.Errorf("%s: %w (%w)", name, err, orbweaver.ErrInput)
	case len(urls) == 0:
		return nil, fmt.Errorf("%s: it has no requests; want a URL a line (%w)", name, orbweaver.ErrInput)
	}
	return urls, nil
}
