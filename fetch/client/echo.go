package client

import (
	"encoding/base64"
	"io"
	"net/http"
	"net/url"
	"strings"

	"orbweaver"
)

// A secret is the user name and password of a proxy, in the forms in which an answer may repeat them: as they are, as in
// a URL, and as in Proxy-Authorization. A nil secret is none. An answer with a content coding is not searched.
type secret struct {
	forms   []string
	longest int
}

func newSecret(u *url.Userinfo) *secret {
	if u == nil {
		return nil
	}
	password, _ := u.Password()
	plain := u.Username() + ":" + password
	s := &secret{forms: []string{plain, base64.StdEncoding.EncodeToString([]byte(plain))}}
	if written := u.String(); written != plain {
		s.forms = append(s.forms, written)
	}
	for _, form := range s.forms {
		s.longest = max(s.longest, len(form))
	}
	return s
}

// in reports whether a text repeats the secret.
func (s *secret) in(text string) bool {
	if s == nil {
		return false
	}
	for _, form := range s.forms {
		if strings.Contains(text, form) {
			return true
		}
	}
	return false
}

// hidden returns a text without the secret.
func (s *secret) hidden(text string) string {
	if s == nil {
		return text
	}
	for _, form := range s.forms {
		text = strings.ReplaceAll(text, form, "***")
	}
	return text
}

// echoes reports whether the head of an answer repeats the secret.
func (s *secret) echoes(answer *http.Response) bool {
	if s == nil {
		return false
	}
	for name, values := range answer.Header {
		if s.in(name) || s.in(strings.Join(values, "\n")) {
			return true
		}
	}
	return s.in(answer.Status)
}

// A guarded is a body that ends with ErrMalformed where it repeats the secret.
type guarded struct {
	io.ReadCloser
	x    *exchange
	tail []byte // the last bytes read, in which the secret may have begun
	err  error
}

// Read returns the body's bytes.
func (g *guarded) Read(p []byte) (int, error) {
	if g.err != nil {
		return 0, g.err
	}
	n, err := g.ReadCloser.Read(p)
	g.tail = append(g.tail, p[:n]...)
	if g.x.hide.in(string(g.tail)) {
		g.err = g.x.echoed()
		return 0, g.err
	}
	g.tail = append(g.tail[:0], g.tail[max(0, len(g.tail)-g.x.hide.longest):]...)
	return n, err
}

// echoed is the failure of an answer that repeats the secret: a crawl folder that held it could not be shared.
func (x *exchange) echoed() error {
	return x.fail(orbweaver.ErrMalformed, "the answer repeats the user name and password of the proxy")
}
