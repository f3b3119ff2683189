package client

import (
	"encoding/base64"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/internal/step"
)

// A secret is what no message tells and no answer is to repeat: user name and password of a proxy as they are, as in
// a URL, and as in Proxy-Authorization; likewise what Access sends. A nil secret is none. An answer with a content coding is not searched.
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

// leastHidden is the least length of a text that is looked for: shorter ones occur by chance.
const leastHidden = 6

// secretsOf returns the secret of several texts; nil: there is none that can be looked for.
func secretsOf(texts []string) *secret {
	s := &secret{}
	for _, text := range texts {
		if len(text) >= leastHidden {
			s.forms, s.longest = append(s.forms, text), max(s.longest, len(text))
		}
	}
	if s.forms == nil {
		return nil
	}
	return s
}

// and returns a secret with the forms of both.
func (s *secret) and(other *secret) *secret {
	if other == nil {
		return s
	}
	return &secret{slices.Concat(s.forms, other.forms), max(s.longest, other.longest)}
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
	if g.x.search.in(string(g.tail)) {
		g.err = g.x.echoed()
		return 0, g.err
	}
	g.tail = append(g.tail[:0], g.tail[max(0, len(g.tail)-g.x.search.longest):]...)
	return n, err
}

// echoed is the failure of an answer that repeats the secret: a crawl folder that held it could not be shared.
func (x *exchange) echoed() error {
	return x.fail(orbweaver.ErrMalformed, "the answer repeats a secret that was sent with the request, or the user name and password of the proxy")
}

// searched returns an answer whose body ends where it repeats a secret. The error says that its head does.
func (x *exchange) searched(answer *http.Response, resp *step.Response) error {
	if x.search == nil {
		return nil
	}
	if x.search.echoes(answer) {
		return x.echoed()
	}
	if resp.Body != http.NoBody {
		resp.Body = &guarded{ReadCloser: resp.Body, x: x}
	}
	return nil
}
