// Package access knows what a crawl sends to which hosts beside a request, and how it reaches them: headers, cookies,
// credentials, client certificates, authorities, proxies, and logins.
//
// What is sent follows from the URL of a request alone, never from where it was found: a redirect or a link to another host takes nothing
// along. Secrets go over plain http only where a section's pattern names the scheme. Package client asks For before
// each exchange and reports cookies by Took; what it hands out has no secret in it.
//
// It makes no connection and reads no variable of the environment.
//
// This package is not part of the stable API.
package access

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"orbweaver/weburl"
)

// A Section is what some URLs get.
type Section struct {
	Hosts         []string // patterns of URLs, as weburl.CompileScope takes
	Headers       []Field
	Authorization string   // value of that header; empty: none
	Hidden        []string // the secrets above, and those of the login, in all their forms
	Cookies       bool
	Proxy         *url.URL         // http, https or socks5, with optional userinfo; nil: none of its own
	Certificate   *tls.Certificate // nil: none
	Authorities   *x509.CertPool   // nil: those of the client
	Login         *Login           // nil: none
	Archive       bool             // secret headers are handed out, to be archived
}

// A Field is a header.
type Field struct {
	Name, Value string
	Secret      bool
}

// A Route is how a host is reached. Connections of different routes are never shared.
type Route struct {
	Proxy       *url.URL
	Certificate *tls.Certificate
	Authorities *x509.CertPool
}

// An Entry is what one request gets.
type Entry struct {
	Fields  []Field
	Route   Route
	Hidden  []string // must be in no message, and no answer is to repeat it
	Archive bool
	cookies bool
	sealed  bool // its cookies are secrets
}

// Access answers for all sections of a crawl. A nil Access has none. It is safe for concurrent use.
type Access struct {
	sections []section
	logins   []*Login
	jar      *Jar

	// Withheld is called for the first request to each host that gets no secret because it goes over plain http. Nil: nobody is told.
	Withheld func(host string)

	mu   sync.Mutex
	told map[string]bool
}

// A section is a Section with its patterns compiled.
type section struct {
	Section
	urls    *weburl.Scope
	plainly *weburl.Scope // the patterns that name http, or are expressions; nil: none
	login   int           // number of the login
}

// maxTold bounds the hosts of which Withheld told.
const maxTold = 100

// New returns the access of sections. Cookies go into a jar, which the caller closes; it may be nil if no section has
// cookies. The error is that of a pattern.
func New(sections []Section, jar *Jar) (*Access, error) {
	a := &Access{jar: jar, told: map[string]bool{}}
	for _, s := range sections {
		urls, err := weburl.CompileScope(s.Hosts, nil, nil)
		if err != nil {
			return nil, err
		}
		one := section{Section: s, urls: urls, login: -1}
		if plain := slices.DeleteFunc(slices.Clone(s.Hosts), namesNoScheme); len(plain) > 0 {
			if one.plainly, err = weburl.CompileScope(plain, nil, nil); err != nil {
				return nil, err
			}
		}
		if s.Login != nil {
			one.login, one.Cookies = len(a.logins), true
			s.Login.jar, s.Login.urls = jar, urls
			a.logins = append(a.logins, s.Login)
		}
		a.sections = append(a.sections, one)
	}
	return a, nil
}

// namesNoScheme reports whether a pattern says nothing of plain http.
func namesNoScheme(pattern string) bool {
	pattern = strings.ToLower(strings.TrimSpace(pattern))
	return !strings.HasPrefix(pattern, "http://") && !strings.HasPrefix(pattern, "/")
}

// matches reports whether a section is for a URL, and whether the URL may have its secrets.
func (s *section) matches(url string) (is, secrets bool) {
	if is, _ = s.urls.Allows(url); !is || !strings.HasPrefix(url, "http://") {
		return is, is
	}
	if s.plainly != nil {
		secrets, _ = s.plainly.Allows(url)
	}
	return is, secrets
}

// For returns what a request to a canonical URL gets.
func (a *Access) For(url string) Entry {
	var e Entry
	if a == nil {
		return e
	}
	authorized, kept, withheld := false, false, false
	for i := range a.sections {
		s := &a.sections[i]
		is, secrets := s.matches(url)
		if !is {
			continue
		}
		for _, f := range s.Headers {
			switch {
			case slices.ContainsFunc(e.Fields, func(o Field) bool { return strings.EqualFold(o.Name, f.Name) }):
			case f.Secret && !secrets:
				withheld = true
			default:
				e.Fields = append(e.Fields, f)
			}
		}
		if s.Authorization != "" && !authorized {
			if authorized = true; secrets {
				e.Fields = append(e.Fields, Field{"Authorization", s.Authorization, true})
			}
			withheld = withheld || !secrets
		}
		if s.Cookies && !kept {
			kept, e.cookies = true, secrets
			withheld = withheld || !secrets
		}
		e.Route.add(s)
		e.Hidden = append(e.Hidden, s.Hidden...)
		e.Archive = e.Archive || s.Archive
		e.sealed = e.sealed || s.Cookies || s.Authorization != "" || len(s.Hidden) > 0
	}
	if e.cookies {
		if line := a.jar.line(url); line != "" {
			e.Fields = append(e.Fields, Field{"Cookie", line, true})
		}
	}
	if withheld {
		a.tell(weburl.Host(url))
	}
	return e
}

// add takes from a section what is not settled yet.
func (r *Route) add(s *section) {
	if r.Proxy == nil {
		r.Proxy = s.Proxy
	}
	if r.Certificate == nil {
		r.Certificate = s.Certificate
	}
	if r.Authorities == nil {
		r.Authorities = s.Authorities
	}
}

// tell tells once of a host that gets no secret.
func (a *Access) tell(host string) {
	a.mu.Lock()
	first := !a.told[host] && len(a.told) < maxTold
	if first {
		a.told[host] = true
	}
	a.mu.Unlock()
	if first && a.Withheld != nil {
		a.Withheld(host)
	}
}

// Took keeps the cookies of an answer, and removes them from its header unless they are to be archived. It reports
// whether that changed the cookies that a URL gets, to which the answer redirects; empty: it does not.
func (a *Access) Took(e Entry, url, redirect string, header http.Header) (changed bool) {
	if a == nil || !e.sealed && !e.cookies {
		return false
	}
	if lines := header["Set-Cookie"]; e.cookies && len(lines) > 0 {
		before := a.cookiesOf(redirect)
		a.jar.set(url, lines)
		changed = a.cookiesOf(redirect) != before
	}
	if !e.Archive {
		delete(header, "Set-Cookie")
	}
	return changed
}

// cookiesOf returns the cookies that a URL gets.
func (a *Access) cookiesOf(url string) string {
	for i := range a.sections {
		if is, secrets := a.sections[i].matches(url); is && a.sections[i].Cookies {
			if secrets {
				return a.jar.line(url)
			}
			break
		}
	}
	return ""
}

// Logins is the number of logins.
func (a *Access) Logins() int {
	if a == nil {
		return 0
	}
	return len(a.logins)
}

// Login returns the number of the login that a URL needs; false if it needs none, or may not have it.
func (a *Access) Login(url string) (n int, ok bool) {
	if a == nil || len(a.logins) == 0 {
		return 0, false
	}
	for i := range a.sections {
		s := &a.sections[i]
		if is, secrets := s.matches(url); is && s.login >= 0 {
			return s.login, secrets
		}
	}
	return 0, false
}

// At returns a login by its number.
func (a *Access) At(n int) *Login { return a.logins[n] }

// Keep has cookies written into the file of their jar from now on: the crawl has its folder, and this process owns it.
func (a *Access) Keep() {
	if a != nil && a.jar != nil {
		a.jar.mu.Lock()
		defer a.jar.mu.Unlock()
		a.jar.writes = true
	}
}

// Close saves the cookies. Close of a nil Access does nothing.
func (a *Access) Close() error {
	if a == nil || a.jar == nil {
		return nil
	}
	errs := []error{a.jar.Save()}
	for _, l := range a.logins {
		if l.Done != nil {
			errs = append(errs, l.Done())
		}
	}
	return errors.Join(errs...)
}
