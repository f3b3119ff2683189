package crawlfile

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"orbweaver/internal/crawlfile/notation"
	"orbweaver/weburl"
)

// An HTTP is a section of http: what some hosts are sent beside a request, and how they are reached.
type HTTP struct {
	Hosts       []string     `yaml:"hosts" need:"yes" type:"list of patterns" doc:"The URLs that the section is for, in the patterns of scope. Over plain http, secrets are sent only where the pattern names the scheme, as in http://intranet.example; a regular expression begins with ^http."`
	Headers     Values       `yaml:"headers" type:"map of name to text, {env: NAME} or {file: PATH}" doc:"Headers of each request. A value from a variable of the environment or a file is a secret."`
	Cookies     *Cookies     `yaml:"cookies" short:"file" type:"path, or section" doc:"Keeps cookies and sends them back. cookies: {} begins without any; cookies: PATH is short for {file: PATH}."`
	Auth        *Auth        `yaml:"auth" type:"section" doc:"Credentials of each request. Exactly one of basic and bearer."`
	Login       *Login       `yaml:"login" type:"section" doc:"How the crawl logs in, and how it sees that it is logged in. It keeps cookies."`
	Logout      string       `yaml:"logout" default:"skip" oneof:"skip|follow" doc:"Whether links that end a session, by their URL or text (/logout, ?action=logout, Sign out), are followed where the section has a login or cookies of a file. What ends a session without looking so is found when the session is gone after it, and is not asked for a third time."`
	Certificate *Certificate `yaml:"certificate" type:"section" doc:"The certificate that the crawl shows to servers that ask for one."`
	Authorities []string     `yaml:"authorities" as:"files" type:"path, or list of paths" doc:"PEM files of authorities that may sign servers' certificates, beside those of the system."`
	Proxy       *Proxy       `yaml:"proxy" short:"url" type:"URL, or section" doc:"The proxy through which the hosts are reached, instead of politeness.proxy."`
	Archive     string       `yaml:"archive" default:"off" oneof:"off|on" doc:"Whether the archive keeps the secret headers of requests, and the Set-Cookie headers of responses."`
}

// Cookies says where cookies come from and where they stay.
type Cookies struct {
	File string `yaml:"file" as:"file" type:"path" doc:"Cookies to begin with, as browsers and curl export them: the Netscape format. When the file is newer than the jar, it is read again."`
	Key  string `yaml:"key" as:"file" type:"path" doc:"A file with at least 32 bytes, the key of cookies.jar in the crawl folder. Without a key cookies are kept in memory, and lost when the session ends. A crawl has one jar, and one key."`
}

// Auth is what a request is authenticated with.
type Auth struct {
	Basic  *Basic  `yaml:"basic" type:"section" doc:"User and password (RFC 7617)."`
	Bearer *Secret `yaml:"bearer" type:"{env: NAME} or {file: PATH}" doc:"A token (RFC 6750)."`
}

// Basic is a user with a password.
type Basic struct {
	User     string `yaml:"user" need:"yes" doc:"The user's name."`
	Password Secret `yaml:"password" need:"yes" type:"{env: NAME} or {file: PATH}" doc:"The password."`
}

// A Login is how the crawl logs in: by a form that it posts, by steps in the browser, or, with neither, by cookies that a person
// provides.
type Login struct {
	URL   string        `yaml:"url" type:"URL" doc:"The page with the form, at one of hosts. Required with post and steps."`
	Post  Values        `yaml:"post" type:"map of field to text, {env: NAME} or {file: PATH}" doc:"The form's fields and their values. The form on the page that has these fields is posted with its hidden fields; without such a form the fields are posted to url."`
	Steps []Step        `yaml:"steps" type:"list of sections" doc:"What a person would do on the page, in the browser (render.browser). Each step has one of fill, click and wait."`
	When  When          `yaml:"when" need:"yes" short:"selector" type:"CSS selector, or section" doc:"The crawl is logged in when a page has this. when: a.logout is short for {selector: a.logout}."`
	Check string        `yaml:"check" type:"URL" doc:"A page that shows whether the crawl is logged in. Default: the page that the login ends at."`
	Tries int           `yaml:"tries" default:"5" min:"1" max:"100" doc:"Tries in a row, after which the hosts wait for orbweaver resume."`
	Wait  time.Duration `yaml:"wait" default:"30s" min:"1s" max:"24h" doc:"Wait after the first try that failed; doubled after each."`
}

// A Step is something that a person does in a browser.
type Step struct {
	Fill  string `yaml:"fill" type:"CSS selector" doc:"A field to fill in with the text of with."`
	With  Phrase `yaml:"with" type:"text, {env: NAME} or {file: PATH}" doc:"The text of fill."`
	Click string `yaml:"click" type:"CSS selector" doc:"An element to click on."`
	Wait  string `yaml:"wait" type:"CSS selector" doc:"An element to wait for."`
}

// When is what a page has for somebody who is logged in.
type When struct {
	Selector string `yaml:"selector" type:"CSS selector" doc:"An element of the page."`
	Text     string `yaml:"text" doc:"A text of the page."`
}

// A Certificate is a client certificate with its key.
type Certificate struct {
	File string `yaml:"file" as:"file" need:"yes" type:"path" doc:"The certificate and those between it and its authority, as PEM."`
	Key  string `yaml:"key" as:"file" type:"path" doc:"Its private key, as PEM, not encrypted. Default: it stands in file."`
}

// A Proxy reaches hosts for the crawl.
type Proxy struct {
	URL      string `yaml:"url" need:"yes" type:"URL" doc:"Its address: http://, https:// or socks5://."`
	User     string `yaml:"user" doc:"The user's name."`
	Password Secret `yaml:"password" type:"{env: NAME} or {file: PATH}" doc:"The password."`
}

// A Secret names where a secret is.
type Secret = notation.Secret

// A Phrase is a text as it is, or a secret.
type Phrase struct {
	Plain  string
	Secret Secret
}

// A Value is a text with a name.
type Value struct {
	Name string
	Phrase
}

// Values are texts with names, in the order of the file.
type Values []Value

// secret reads {env: NAME} or {file: PATH}. What else stands there may be the secret itself: no message repeats it.
func (d *decoding) secret(s *Secret, n *node, key string) {
	const hint = "write {env: NAME} or {file: PATH}: a crawl file holds no secret"
	*s = Secret{}
	if n.kind != mapNode || len(n.entries) != 1 || n.entries[0].key != "env" && n.entries[0].key != "file" {
		d.problem(key, "must name a variable of the environment or a file", hint)
		return
	}
	e := n.entries[0]
	path := join(key, e.key)
	d.places[path] = e.at
	switch {
	case e.value.kind != textNode || strings.TrimSpace(e.value.text) == "":
		d.problem(path, "must be a name", hint)
	case e.key == "env" && d.within != "":
		d.problem(path, "names a variable of the environment, which is not allowed here", "write {file: PATH}, or run this crawl by orbweaver crawl")
	case e.key == "env" && (strings.ContainsFunc(e.value.text, notOfName) || '0' <= e.value.text[0] && e.value.text[0] <= '9'):
		d.problem(path, "is no name of a variable", "letters, digits and _") // it may be the secret
	case e.key == "env":
		s.Env = e.value.text
	default:
		d.text(reflect.ValueOf(&s.File).Elem(), field{as: "file", need: true}, e.value, path)
	}
}

// notOfName reports whether a rune stands in no name of a variable of the environment.
func notOfName(r rune) bool {
	return r != '_' && (r > 'z' || !isLetter(r) && (r < '0' || r > '9'))
}

// decode reads a text, or a secret.
func (t *Phrase) decode(d *decoding, n *node, key string) {
	*t = Phrase{}
	if n.kind == mapNode || n.kind == listNode {
		d.secret(&t.Secret, n, key)
		return
	}
	if n.kind == nullNode {
		d.problem(key, "is empty", "")
		return
	}
	if t.Plain = n.text; strings.ContainsFunc(n.text, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
		d.problem(key, "holds a control character", "")
	}
}

// decode reads a map of texts and secrets.
func (v *Values) decode(d *decoding, n *node, key string) {
	*v = nil
	if n.kind != mapNode {
		d.problem(key, "must be a map of names to values", "")
		return
	}
	for _, e := range n.entries {
		path := join(key, e.key)
		d.places[path] = e.at
		value := Value{Name: e.key}
		value.Phrase.decode(d, e.value, path)
		*v = append(*v, value)
	}
}

// secret prints where a secret is; nil for the zero value.
func (p printer) secret(s Secret) any {
	switch {
	case s.Env != "":
		return []pair{{"env", notation.Quoted(s.Env)}}
	case s.File != "":
		return []pair{{"file", notation.Quoted(p.path(s.File))}}
	}
	return nil
}

// printed prints a text; nil for the zero value.
func (t Phrase) printed(p printer) any {
	if t.Secret != (Secret{}) {
		return p.secret(t.Secret)
	}
	if t.Plain == "" {
		return nil
	}
	return notation.Quoted(t.Plain)
}

// printed prints the values; nil if there are none.
func (v Values) printed(p printer) any {
	var pairs []pair
	for _, value := range v {
		text := value.Phrase.printed(p)
		if text == nil {
			text = `""`
		}
		pairs = append(pairs, pair{value.Name, text})
	}
	if pairs == nil {
		return nil
	}
	return pairs
}

// checkHTTP reports sections of http that contradict themselves, or hold a secret.
func (d *decoding) checkHTTP(c *Crawl) {
	key := ""
	for i := range c.HTTP {
		h, at := &c.HTTP[i], d.item("http", i)
		for n, pattern := range h.Hosts {
			d.checkHosts(pattern, d.item(join(at, "hosts"), n))
		}
		d.checkHeaders(h.Headers, join(at, "headers"))
		if h.Cookies != nil && h.Cookies.Key != "" {
			if key != "" && key != h.Cookies.Key {
				d.problem(join(at, "cookies.key"), "is another key than that of a section before", "a crawl has one jar, and one key")
			}
			key = h.Cookies.Key
		}
		if a := h.Auth; a != nil && !d.troubled(join(at, "auth")) && (a.Basic == nil) == (a.Bearer == nil) {
			d.problem(join(at, "auth"), "takes exactly one of basic and bearer", "")
		}
		if h.Login != nil {
			d.checkLogin(h, join(at, "login"))
		}
		if h.Proxy != nil {
			d.checkProxy(h.Proxy, join(at, "proxy"))
		}
	}
}

// checkHosts reports a pattern that does not compile, or that may give secrets to hosts that nobody meant.
func (d *decoding) checkHosts(pattern, key string) {
	pattern = strings.TrimSpace(pattern)
	if strings.HasPrefix(pattern, "/") && !strings.HasPrefix(pattern, "/^http") {
		d.problem(key, "bad pattern "+shorten(pattern)+": it says who gets secrets, and may match anywhere in a URL", `begin it with ^http, as in /^https:\/\/(www\.)?example\.org\//`)
		return
	}
	d.checkPattern(key, []string{pattern}, 0, func(p []string) error { return compileError(p, nil, nil) })
}

// checkHeaders reports headers that are not a crawl file's to set, and secrets.
func (d *decoding) checkHeaders(headers Values, key string) {
	for i, h := range headers {
		at := join(key, h.Name)
		name := strings.ToLower(h.Name)
		switch {
		case h.Name == "" || strings.ContainsFunc(h.Name, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune("()<>@,;:\\\"/[]?={}", r) }):
			d.problem(at, "is no name of a header", "")
		case slices.ContainsFunc(headers[:i], func(o Value) bool { return strings.EqualFold(o.Name, h.Name) }):
			d.problem(at, "is there twice", "")
		case name == "authorization" || name == "cookie":
			d.problem(at, "is not set here", "use auth or cookies")
		case name == "user-agent":
			d.problem(at, "is not set here", "use politeness.user_agent")
		case slices.Contains(notation.OwnHeaders(), name), strings.HasPrefix(name, "proxy-"), strings.HasPrefix(name, "sec-"):
			d.problem(at, "is not a crawl file's to set", "")
		case h.Plain != "" && notation.Secretive(name):
			d.problem(at, "looks like a secret, and a crawl file holds none", "write {env: NAME} or {file: PATH}")
		}
	}
}

// checkLogin reports a login that cannot work.
func (d *decoding) checkLogin(h *HTTP, key string) {
	l := h.Login
	if l.When == (When{}) && !d.troubled(join(key, "when")) && d.given(join(key, "when")) {
		d.problem(join(key, "when"), "says nothing", "write a CSS selector, or {text: TEXT}")
	}
	switch {
	case len(l.Post) > 0 && len(l.Steps) > 0:
		d.problem(join(key, "steps"), "cannot be beside post", "log in by one of them")
	case len(l.Post)+len(l.Steps) > 0 && l.URL == "":
		d.problem(join(key, "url"), "is missing", "the page with the form")
	case len(l.Post)+len(l.Steps) == 0 && l.Check == "":
		d.problem(key, "has neither post nor steps", "with cookies that a person provides, name a page to check them by: check: URL")
	}
	d.checkOwn(&l.URL, h.Hosts, join(key, "url"))
	d.checkOwn(&l.Check, h.Hosts, join(key, "check"))
	for _, f := range l.Post {
		if f.Plain != "" && notation.Secretive(f.Name) {
			d.problem(join(key, "post."+f.Name), "looks like a secret, and a crawl file holds none", "write {env: NAME} or {file: PATH}")
		}
	}
	for i, s := range l.Steps {
		at := d.item(join(key, "steps"), i)
		if n := len(nonempty(s.Fill, s.Click, s.Wait)); n != 1 {
			d.problem(at, fmt.Sprintf("has %d of fill, click and wait", n), "a step has one")
		}
		if s.Fill == "" && s.With != (Phrase{}) {
			d.problem(join(at, "with"), "has no field", "add fill: SELECTOR")
		}
		if s.Fill != "" && s.With.Plain != "" && notation.Secretive(s.Fill) {
			d.problem(join(at, "with"), "looks like a secret, and a crawl file holds none", "write {env: NAME} or {file: PATH}")
		}
	}
}

// nonempty returns the texts that are not empty.
func nonempty(texts ...string) []string {
	return slices.DeleteFunc(texts, func(s string) bool { return s == "" })
}

// checkOwn makes a URL canonical. It must be at one of the hosts of its section.
func (d *decoding) checkOwn(url *string, hosts []string, key string) {
	if *url == "" {
		return
	}
	canonical, err := weburl.Canonical(*url)
	if err != nil {
		msg, hint := badURL(*url, err)
		d.problem(key, msg, hint)
		return
	}
	*url = canonical
	scope, err := weburl.CompileScope(hosts, nil, nil)
	if ok, _ := scope.Allows(canonical); err == nil && !ok {
		d.problem(key, "is at none of the section's hosts", "its cookies and fields are sent to these alone")
	}
}

// checkProxy reports proxies that are none, and passwords.
func (d *decoding) checkProxy(p *Proxy, key string) {
	at := join(key, "url")
	if !d.given(at) {
		at = key
	}
	proxy, ok := proxyURL(p.URL, "http", "https", "socks5")
	switch {
	case d.troubled(key):
	case !ok:
		d.problem(at, shorten(p.URL)+" is no proxy", "write it as http://proxy.example:3128 or socks5://proxy.example:1080")
	case proxy.User != nil:
		d.problem(at, "holds a user name or password", "write {url: URL, user: NAME, password: {env: NAME}}")
	case (p.User == "") != (p.Password == Secret{}):
		d.problem(key, "has one of user and password", "a proxy takes both, or none")
	}
}
