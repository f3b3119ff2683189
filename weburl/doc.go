// Package weburl handles URLs of web pages: canonical form, resolution against a base, the names of hosts and
// sites, and the scope of a crawl.
//
// It follows the WHATWG URL Standard, as browsers implement it, and the public suffix list. It guarantees that
// two spellings with the same serialisation give the same string, that canonicalization is idempotent, and that
// no input panics or takes more than linear time. It does not fetch, read robots.txt or evaluate what a page
// says about its own URL.
//
// Most links are plain ASCII and need only concatenation; a fast path handles those. The standard's full state
// machine in nlnwa/whatwg-url handles all others, and is the test oracle of the fast path.
package weburl

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/nlnwa/whatwg-url/url"
)

// MaxLength is the maximal length of a URL in bytes, as given and in canonical form.
const MaxLength = 8192

// ErrCredentials means that a URL contains a user name or password. This package never sends or stores them.
var ErrCredentials = errors.New("holds a user name or password")

// An invalid is an unusable URL with the reason.
type invalid struct{ url, why string }

// Error names the URL, shortened and without user name and password.
func (e *invalid) Error() string {
	shown := Redacted(e.url)
	if len(shown) > 200 {
		shown = shown[:200] + "…"
	}
	return fmt.Sprintf("URL %q: %s", shown, Redacted(e.why))
}

// Is makes errors.Is(err, ErrCredentials) hold.
func (e *invalid) Is(target error) bool {
	return target == ErrCredentials && e.why == ErrCredentials.Error()
}

// Canonical returns an absolute http(s) URL in canonical form: the WHATWG serialisation without its fragment
// and without the scheme's default port. An error names the URL; it means that the URL is malformed, relative,
// of another scheme, longer than MaxLength, or wraps ErrCredentials. For untrusted URLs, Bare and Base.Resolve
// drop a user name and password instead.
func Canonical(raw string) (string, error) { return canonical(raw, false) }

// Bare is Canonical for an untrusted URL: it drops a user name and password.
func Bare(raw string) (string, error) { return canonical(raw, true) }

func canonical(raw string, bare bool) (string, error) {
	s := trim(raw)
	if len(s) > MaxLength {
		return "", &invalid{raw, "longer than 8192 bytes"}
	}
	var buf [256]byte
	if b, ok := appendAbsolute(buf[:0], s); ok && len(b) <= MaxLength {
		if string(b) == raw {
			return raw, nil
		}
		return string(b), nil
	}
	return standard(s, nil, bare)
}

// standard parses with the standard's full state machine; base is nil for an absolute URL. If bare is set, a
// user name and password are dropped, otherwise they are an error.
func standard(s string, base *url.Url, bare bool) (canonical string, err error) {
	defer func() {
		if recover() != nil { // a defect of the library must cost only this link
			canonical, err = "", &invalid{s, "malformed"}
		}
	}()
	if !utf8.ValidString(s) {
		s = bytesEncoded(s)
	}
	u, err := parse(s, base)
	if err != nil {
		return "", &invalid{s, err.Error()}
	}
	return serialise(u, s, bare)
}

// parse parses with or without a base.
func parse(s string, base *url.Url) (*url.Url, error) {
	if base != nil {
		return base.Parse(s)
	}
	return url.Parse(s)
}

// serialise writes a parsed URL if a crawler can request it.
func serialise(u *url.Url, s string, bare bool) (string, error) {
	if scheme := u.Scheme(); scheme != "http" && scheme != "https" {
		return "", &invalid{s, "neither http nor https"}
	}
	if u.Hostname() == "" {
		return "", &invalid{s, "has no host"}
	}
	if u.Username() != "" || u.Password() != "" {
		if !bare {
			return "", &invalid{s, ErrCredentials.Error()}
		}
		u.SetUsername("")
		u.SetPassword("")
	}
	href := u.Href(true)
	if len(href) > MaxLength {
		return "", &invalid{s, "longer than 8192 bytes"}
	}
	return href, nil
}

// trim removes leading and trailing C0 controls and spaces, as the standard does.
func trim(s string) string {
	for len(s) > 0 && s[0] <= ' ' {
		s = s[1:]
	}
	for len(s) > 0 && s[len(s)-1] <= ' ' {
		s = s[:len(s)-1]
	}
	return s
}
