package access

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"

	"orbweaver/internal/coding"
	"orbweaver/internal/coding/charset"
	"orbweaver/weburl"
)

const (
	maxHops   = 10      // redirects of one step of a login
	maxLooked = 4 << 20 // bytes of a page in which a condition is looked for
)

// A Login is how a crawl logs in, and how it sees that it is logged in: by posting the fields of a form, by what Browse
// does, or, with neither, by cookies that a person provides.
type Login struct {
	URL   string // page with the form
	Check string // page that shows whether the crawl is logged in; empty: where the login ends
	Post  []Pair // fields of the form
	When  Condition
	Tries int           // in a row, after which a person is waited for
	Wait  time.Duration // after the first try; doubled after each

	// Browse logs in by a browser, which reaches hosts by send. It returns the page that the login ended at and the cookies that
	// scripts set, or why it failed. Nil: there are no steps.
	Browse func(ctx context.Context, send Send) (page string, cookies []*http.Cookie, err error)
	Done   func() error // releases what Browse needs; nil: nothing

	jar   *Jar
	urls  *weburl.Scope
	plain atomic.Bool // the condition holds in a browser alone: pages as they come say nothing
}

// A Pair is a field of a form.
type Pair struct{ Name, Value string }

// A Visit makes one exchange of a login when the turn of its host comes. With a body it is a POST of that media type. It returns a
// body without content coding.
type Visit func(ctx context.Context, url, accept, mediaType string, body []byte) (*Answer, error)

// Send is a Visit for a browser: it refuses hosts that are not the login's.
type Send = Visit

// An Answer is the response to a Visit.
type Answer struct {
	URL      string
	Status   int
	Header   http.Header
	Redirect string // canonical target of a 3xx
	Body     []byte
}

// A Condition is what a page has for somebody who is logged in. Both parts must hold; an empty one does.
type Condition struct {
	Selector cascadia.Sel
	Text     string
	Written  string // for messages
}

// NewCondition returns the condition of a CSS selector and a text. The error is that of the selector.
func NewCondition(selector, text string) (Condition, error) {
	c := Condition{Text: strings.Join(strings.Fields(text), " "), Written: selector}
	if c.Written == "" {
		c.Written = fmt.Sprintf("text %q", c.Text)
	}
	if selector == "" {
		return c, nil
	}
	var err error
	c.Selector, err = cascadia.Parse(selector)
	return c, err
}

// holds reports whether a decoded page of a media type meets the condition.
func (c Condition) holds(page []byte, mediaType string) bool {
	text, _ := charset.Text(page[:min(len(page), maxLooked)], mediaType)
	doc, err := html.Parse(bytes.NewReader(text))
	if err != nil || c.Selector != nil && cascadia.Query(doc, c.Selector) == nil {
		return false
	}
	return c.Text == "" || strings.Contains(textOf(doc), c.Text)
}

// textOf is the text of a page, spaces reduced.
func textOf(doc *html.Node) string {
	var b strings.Builder
	for n := range doc.Descendants() {
		if n.Type == html.TextNode && n.Parent.Data != "script" && n.Parent.Data != "style" {
			b.WriteString(n.Data)
			b.WriteByte(' ')
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// Enter logs in. was reports that it was not necessary. No error has a secret in it.
func (l *Login) Enter(ctx context.Context, visit Visit) (was bool, err error) {
	if err := l.jar.Refresh(); err != nil {
		return false, err
	}
	if page := l.page(); page != "" && l.jar.line(page) != "" {
		if last, err := l.shown(ctx, visit, page); err != nil || last == nil {
			return err == nil, err
		}
	}
	var last *Answer
	switch {
	case l.Browse != nil:
		last, err = l.browse(ctx, visit)
	case len(l.Post) > 0:
		last, err = l.post(ctx, visit)
	default:
		return false, fmt.Errorf("%s shows no %s with the cookies that there are", l.Check, l.When.Written)
	}
	if err != nil {
		return false, err
	}
	l.jar.end(l.URL, last.URL)
	return false, l.jar.Save()
}

// page is the page by which the crawl sees whether it is logged in; empty: not known yet.
func (l *Login) page() string {
	if l.Check != "" {
		return l.Check
	}
	return l.jar.endOf(l.URL)
}

// shown asks for a page. It returns nil if that shows the mark of somebody who is logged in, and otherwise the answer.
func (l *Login) shown(ctx context.Context, visit Visit, page string) (*Answer, error) {
	last, err := l.follow(ctx, visit, page, "", nil)
	if err != nil || !l.marks(last) && !l.plain.Load() {
		return last, err
	}
	if l.plain.Load() && l.turnedAway(last.Status, last.Redirect) != "" {
		return last, nil
	}
	return nil, nil
}

// marks reports whether an answer is a page with the mark.
func (l *Login) marks(a *Answer) bool {
	return a.Status/100 == 2 && l.When.holds(a.Body, a.Header.Get("Content-Type"))
}

// follow makes a request and follows its redirects, by GET.
func (l *Login) follow(ctx context.Context, visit Visit, to, mediaType string, body []byte) (*Answer, error) {
	for range maxHops {
		answer, err := visit(ctx, to, "", mediaType, body)
		if err != nil {
			return nil, err
		}
		if answer.Status/100 != 3 || answer.Redirect == "" {
			return answer, nil
		}
		to, mediaType, body = answer.Redirect, "", nil
	}
	return nil, errors.New("too many redirects")
}

// post fills in the form and posts it.
func (l *Login) post(ctx context.Context, visit Visit) (*Answer, error) {
	page, err := l.follow(ctx, visit, l.URL, "", nil)
	if err != nil {
		return nil, err
	}
	to, fields := l.form(page)
	if ok, _ := l.urls.Allows(to); !ok || strings.HasPrefix(l.URL, "https://") && !strings.HasPrefix(to, "https://") {
		return nil, fmt.Errorf("the form at %s is sent to %s, which is at none of the section's hosts, or not over https", l.URL, to)
	}
	last, err := l.follow(ctx, visit, to, "application/x-www-form-urlencoded", []byte(fields.Encode()))
	if err != nil {
		return nil, err
	}
	if l.Check != "" {
		if last, err = l.follow(ctx, visit, l.Check, "", nil); err != nil {
			return nil, err
		}
	}
	if !l.marks(last) {
		return nil, fmt.Errorf("%s answers %d and shows no %s after the login", last.URL, last.Status, l.When.Written)
	}
	return last, nil
}

// form returns where the form of a page is sent, and its fields with ours: that of the first form with all of ours, or else ours alone
// and the login's URL.
func (l *Login) form(page *Answer) (to string, fields url.Values) {
	fields, to = url.Values{}, l.URL
	text, _ := charset.Text(page.Body, page.Header.Get("Content-Type"))
	if doc, err := html.Parse(bytes.NewReader(text)); err == nil {
		for n := range doc.Descendants() {
			if n.Type == html.ElementNode && n.Data == "form" && strings.EqualFold(attribute(n, "method"), "post") {
				if found := inputs(n); l.has(found) {
					fields, to = found, weburl.Target(page.URL, attribute(n, "action"))
					if attribute(n, "action") == "" {
						to = page.URL
					}
					break
				}
			}
		}
	}
	for _, p := range l.Post {
		fields.Set(p.Name, p.Value)
	}
	return to, fields
}

// has reports whether a form has all fields of the login.
func (l *Login) has(fields url.Values) bool {
	for _, p := range l.Post {
		if !fields.Has(p.Name) {
			return false
		}
	}
	return true
}

// inputs returns the fields of a form with the values that a browser would send.
func inputs(form *html.Node) url.Values {
	fields := url.Values{}
	for n := range form.Descendants() {
		name := attribute(n, "name")
		if n.Type != html.ElementNode || name == "" || n.Data != "input" && n.Data != "textarea" && n.Data != "select" {
			continue
		}
		switch strings.ToLower(attribute(n, "type")) {
		case "submit", "button", "image", "reset", "file":
		case "checkbox", "radio":
			if _, checked := lookUp(n, "checked"); checked {
				fields.Add(name, attribute(n, "value"))
			}
		default:
			fields.Add(name, attribute(n, "value"))
		}
	}
	return fields
}

func attribute(n *html.Node, name string) string {
	value, _ := lookUp(n, name)
	return value
}

func lookUp(n *html.Node, name string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

// browse logs in by the browser. Whether pages as they come show the mark is seen afterwards.
func (l *Login) browse(ctx context.Context, visit Visit) (*Answer, error) {
	send := func(ctx context.Context, to, accept, mediaType string, body []byte) (*Answer, error) {
		if ok, _ := l.urls.Allows(to); !ok {
			return nil, fmt.Errorf("%s is at none of the section's hosts", weburl.Host(to))
		}
		return visit(ctx, to, accept, mediaType, body)
	}
	page, cookies, err := l.Browse(ctx, send)
	if err != nil {
		return nil, err
	}
	lines := make([]string, len(cookies))
	for i, c := range cookies {
		lines[i] = written(c)
	}
	l.jar.set(page, lines)
	if l.Check != "" {
		page = l.Check
	}
	last, err := l.follow(ctx, visit, page, "", nil)
	if err == nil {
		l.plain.Store(!l.marks(last))
	}
	return last, err
}

// turnedAway returns why a status or a redirect looks like one for somebody who is not logged in; empty: it does not.
func (l *Login) turnedAway(status int, redirect string) string {
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return fmt.Sprintf("answer %d", status)
	case redirect != "" && l.URL != "" && withoutQuery(redirect, l.URL) == withoutQuery(l.URL, l.URL):
		return "redirect to " + l.URL
	}
	return ""
}

// withoutQuery cuts the query off a URL, unless that of the login is what makes it one.
func withoutQuery(u, login string) string {
	if strings.Contains(login, "?") {
		return u
	}
	u, _, _ = strings.Cut(u, "?")
	return u
}

// Sign returns why an answer to a request for a page looks like one for somebody who is not logged in; empty: it does not. body
// has the content coding of its header.
func (l *Login) Sign(status int, redirect string, header http.Header, body []byte) string {
	if why := l.turnedAway(status, redirect); why != "" {
		return why
	}
	kind := header.Get("Content-Type")
	if status/100 != 2 || l.plain.Load() || !strings.Contains(strings.ToLower(kind), "html") {
		return ""
	}
	plain, err := coding.Decode(header["Content-Encoding"], body, maxLooked)
	if err != nil || l.When.holds(plain, kind) {
		return ""
	}
	return "a page without " + l.When.Written
}
