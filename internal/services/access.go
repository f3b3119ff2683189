package services

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"orbweaver"
	"orbweaver/fetch/access"
	"orbweaver/fetch/render"
	"orbweaver/internal/crawlfile"
	"orbweaver/weburl"
)

// JarFile is the file of the crawl folder with its cookies, encrypted.
const JarFile = "cookies.jar"

// maxSecret is the most bytes of a file with a secret.
const maxSecret = 64 << 10

// OpenAccess reads the secrets that http of a crawl file names, and its jar; nil without a section. Errors name the key, wrap
// orbweaver.ErrInput, and repeat no secret. All problems are reported at once. path is that of the crawl file, for these; folder is
// the crawl folder; empty: cookies stay in memory.
func OpenAccess(path string, f *crawlfile.Crawl, folder string) (*access.Access, error) {
	if len(f.HTTP) == 0 || f.Web != nil {
		return nil, nil
	}
	var sections []access.Section
	var problems []error
	var key, from string
	cookies := false
	for i := range f.HTTP {
		h := &f.HTTP[i]
		r := &reading{file: f, at: fmt.Sprintf("%s: http[%d]", path, i+1)}
		sections = append(sections, r.section(h))
		problems = append(problems, r.problems...)
		if c := h.Cookies; c != nil {
			key = cmp.Or(key, c.Key)
			from = cmp.Or(from, c.File)
			if c.File != "" && c.File != from {
				problems = append(problems, fmt.Errorf("%s.cookies.file: a crawl has one jar, which begins with the cookies of one file (%w)", r.at, orbweaver.ErrInput))
			}
		}
		cookies = cookies || h.Cookies != nil || h.Login != nil
	}
	if folder == "" {
		key = ""
	}
	var jar *access.Jar
	if cookies && errors.Join(problems...) == nil {
		var err error
		if jar, err = access.OpenJar(filepath.Join(folder, JarFile), key, from); err != nil {
			problems = append(problems, fmt.Errorf("%s: http: %w", path, err))
		}
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	return access.New(sections, jar)
}

// A reading reads what one section of http names.
type reading struct {
	file     *crawlfile.Crawl
	at       string // the section
	hidden   []string
	problems []error
}

func (r *reading) problem(key string, err error) {
	r.problems = append(r.problems, fmt.Errorf("%s.%s: %w (%w)", r.at, key, err, orbweaver.ErrInput))
}

func (r *reading) section(h *crawlfile.HTTP) access.Section {
	s := access.Section{Hosts: h.Hosts, Cookies: h.Cookies != nil, Archive: h.Archive == "on"}
	for _, v := range h.Headers {
		s.Headers = append(s.Headers, access.Field{Name: v.Name, Value: r.text(v.Phrase, "headers."+v.Name), Secret: v.Secret != (crawlfile.Secret{})})
	}
	if a := h.Auth; a != nil && a.Basic != nil {
		s.Authorization = r.basic(a.Basic.User, r.secret(a.Basic.Password, "auth.basic.password"))
	} else if a != nil {
		s.Authorization = "Bearer " + r.secret(*a.Bearer, "auth.bearer")
	}
	if h.Certificate != nil {
		s.Certificate = r.certificate(h.Certificate)
	}
	if len(h.Authorities) > 0 {
		s.Authorities = r.authorities(h.Authorities)
	}
	if h.Proxy != nil {
		s.Proxy = r.proxy(h.Proxy)
	}
	if h.Login != nil {
		s.Login = r.login(h.Login)
	}
	s.Hidden = r.hidden
	return s
}

// ReadSecret returns what a key names; nil for the zero value. The error wraps ErrInput.
func ReadSecret(s crawlfile.Secret, key string) ([]byte, error) {
	section, name, _ := strings.Cut(key, ".")
	r := reading{at: section}
	text := r.secret(s, name)
	if err := errors.Join(r.problems...); err != nil || text == "" {
		return nil, err
	}
	return []byte(text), nil
}

// secret reads a secret, whose forms are then hidden.
func (r *reading) secret(s crawlfile.Secret, key string) string {
	var text string
	switch {
	case s.Env != "":
		value, ok := os.LookupEnv(s.Env)
		if !ok || value == "" {
			r.problem(key+".env", fmt.Errorf("the environment has no %s", s.Env))
			return ""
		}
		text = value
	case s.File != "":
		file, err := os.Open(s.File)
		if err != nil {
			r.problem(key+".file", err)
			return ""
		}
		defer file.Close()
		content, err := io.ReadAll(io.LimitReader(file, maxSecret+1))
		text = strings.TrimRight(string(content), "\r\n")
		switch {
		case err != nil:
			r.problem(key+".file", err)
		case text == "":
			r.problem(key+".file", fmt.Errorf("%s is empty", s.File))
		case len(content) > maxSecret:
			r.problem(key+".file", fmt.Errorf("%s is larger than %d bytes", s.File, maxSecret))
		}
	}
	if strings.ContainsFunc(text, func(c rune) bool { return c < ' ' || c == 0x7f }) {
		r.problem(key, errors.New("the secret holds a line's end or another control character"))
		return ""
	}
	r.hide(text)
	return text
}

// hide hides a text as it is, and as in URLs and forms.
func (r *reading) hide(text string) {
	r.hidden = append(r.hidden, text)
	for _, form := range []string{url.QueryEscape(text), url.PathEscape(text)} {
		if form != text {
			r.hidden = append(r.hidden, form)
		}
	}
}

// basic returns the value of Authorization for a user and a password.
func (r *reading) basic(user, password string) string {
	text := base64.StdEncoding.EncodeToString([]byte(user + ":" + password))
	r.hidden = append(r.hidden, text)
	return "Basic " + text
}

// text returns a text as it is, or a secret.
func (r *reading) text(p crawlfile.Phrase, key string) string {
	if p.Secret == (crawlfile.Secret{}) {
		return p.Plain
	}
	return r.secret(p.Secret, key)
}

func (r *reading) certificate(c *crawlfile.Certificate) *tls.Certificate {
	made, err := tls.LoadX509KeyPair(c.File, cmp.Or(c.Key, c.File))
	if err != nil {
		r.problem("certificate", err)
		return nil
	}
	return &made
}

// authorities returns those of the system and of files.
func (r *reading) authorities(files []string) *x509.CertPool {
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		switch {
		case err != nil:
			r.problem("authorities", err)
		case !bytes.Contains(text, []byte("BEGIN CERTIFICATE")) || !pool.AppendCertsFromPEM(text):
			r.problem("authorities", fmt.Errorf("%s holds no certificate as PEM", path))
		}
	}
	return pool
}

func (r *reading) proxy(p *crawlfile.Proxy) *url.URL {
	to, err := url.Parse(p.URL)
	if err != nil { // the crawl file was checked
		r.problem("proxy.url", errors.New("is no URL"))
		return nil
	}
	if p.User != "" {
		password := r.secret(p.Password, "proxy.password")
		r.basic(p.User, password)
		to.User = url.UserPassword(p.User, password)
	}
	return to
}

func (r *reading) login(l *crawlfile.Login) *access.Login {
	when, err := access.NewCondition(l.When.Selector, l.When.Text)
	if err != nil {
		r.problem("login.when", fmt.Errorf("no CSS selector: %w", err))
	}
	made := &access.Login{URL: l.URL, Check: l.Check, When: when, Tries: l.Tries, Wait: l.Wait}
	for _, v := range l.Post {
		made.Post = append(made.Post, access.Pair{Name: v.Name, Value: r.text(v.Phrase, "login.post."+v.Name)})
	}
	if len(l.Steps) > 0 {
		r.browse(l, made)
	}
	return made
}

// browse has a login take its steps in a browser, which starts with the first one.
func (r *reading) browse(l *crawlfile.Login, made *access.Login) {
	var steps []render.Step
	for i, s := range l.Steps {
		with := r.text(s.With, fmt.Sprintf("login.steps[%d].with", i+1))
		steps = append(steps, render.Step{Fill: s.Fill, With: with, Click: s.Click, Wait: s.Wait})
	}
	browser, err := render.New(render.Options{Browser: r.file.Render.Browser, MaxBody: r.file.Limits.Body, UserAgent: r.file.Politeness.UserAgent})
	if err != nil {
		r.problem("login.steps", err)
		return
	}
	made.Done = browser.Close
	made.Browse = func(ctx context.Context, send access.Send) (string, []*http.Cookie, error) {
		seen, err := browser.Visit(ctx, l.URL, steps, l.When.Selector, made.When.Text, sender(send))
		if err == nil && !seen.Found {
			err = fmt.Errorf("%s shows no %s after the steps", seen.URL, made.When.Written)
		}
		if err != nil {
			return "", nil, err
		}
		page, err := weburl.Canonical(seen.URL)
		return page, seen.Cookies, err
	}
}

// sender makes the requests of a browser by those of a login.
func sender(send access.Send) render.Sender {
	return func(ctx context.Context, url, accept, mediaType string, body []byte) (int, http.Header, []byte, error) {
		to, err := weburl.Canonical(url)
		if err != nil {
			return 0, nil, nil, err
		}
		answer, err := send(ctx, to, accept, mediaType, body)
		if err != nil {
			return 0, nil, nil, err
		}
		header := answer.Header.Clone()
		header.Del("Content-Encoding") // it was removed
		return answer.Status, header, answer.Body, nil
	}
}
