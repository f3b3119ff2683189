package access

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// A site is a web with a form, in memory. Visits see it as if the jar's cookies were sent.
type site struct {
	pages map[string]string // by URL; "→URL" redirects, "!N" is a status
	posts []string
	after map[string]string // pages after a POST with the right password
}

func (s *site) visit(_ context.Context, to, _, mediaType string, body []byte) (*Answer, error) {
	if mediaType != "" {
		s.posts = append(s.posts, to+" "+string(body))
		if form, _ := url.ParseQuery(string(body)); form.Get("password") == "right" {
			s.pages = s.after
		}
	}
	text, ok := s.pages[to]
	a := &Answer{URL: to, Status: 200, Header: http.Header{"Content-Type": {"text/html"}}, Body: []byte(text)}
	switch {
	case !ok:
		a.Status = 404
	case strings.HasPrefix(text, "→"):
		a.Status, a.Redirect = 302, strings.TrimPrefix(text, "→")
	}
	return a, nil
}

const form = `<form method=get action=/search><input name=q><input name=user><input name=password></form>
<form method=POST action="../in?x=1"><input type=hidden name=csrf value="a&amp;b"><input name=user value=nobody><input type=password name=password>
<input type=checkbox name=stay value=1 checked><input type=checkbox name=spam value=1><input type=submit name=go value=Go></form>`

func TestEnterByForm(t *testing.T) {
	const home = `<p>Hello <a class=logout href=/out>Log  out</a></p>`
	for _, tc := range []struct {
		name, page, password, check string
		text                        string
		posts, err                  string
	}{
		{name: "with the form's hidden fields, to its address", page: form, password: "right", posts: "https://a.test/in?x=1 csrf=a%26b&password=right&stay=1&user=anna"},
		{name: "without a form, to the login's", page: "nothing here", password: "right", posts: "https://a.test/door/login password=right&user=anna"},
		{name: "wrong password", page: form, password: "wrong", posts: "https://a.test/in?x=1 csrf=a%26b&password=wrong&stay=1&user=anna", err: "shows no .logout after the login"},
		{name: "a form that a stranger gets", page: strings.Replace(form, "../in", "https://evil.test/in", 1), password: "right", err: "at none of the section's hosts"},
		{name: "a form over plain http", page: strings.Replace(form, "../in", "http://a.test/in", 1), password: "right", err: "not over https"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			in := map[string]string{"https://a.test/in?x=1": "→https://a.test/home", "https://a.test/door/login": "→https://a.test/home", "https://a.test/home": home}
			s := &site{pages: map[string]string{"https://a.test/door/login": tc.page, "https://a.test/in?x=1": "wrong", "https://a.test/home": "log in first"}, after: in}
			when, err := NewCondition(".logout", "Log out")
			if err != nil {
				t.Fatal(err)
			}
			l := &Login{URL: "https://a.test/door/login", Post: []Pair{{"user", "anna"}, {"password", tc.password}}, When: when}
			newAccess(t, Section{Hosts: []string{"a.test"}, Login: l})
			was, err := l.Enter(t.Context(), s.visit)
			if was || tc.err == "" && err != nil || tc.err != "" && (err == nil || !strings.Contains(err.Error(), tc.err)) {
				t.Errorf("%v, %v; want %q", was, err, tc.err)
			}
			if got := strings.Join(s.posts, "\n"); got != tc.posts {
				t.Errorf("posted %q, want %q", got, tc.posts)
			}
			if err == nil && l.page() != "https://a.test/home" {
				t.Errorf("ended at %q", l.page())
			}
		})
	}
}

// TestEnterAgain: with cookies, the crawl first sees whether it is logged in already; cookies of a person are all there is without a form.
func TestEnterAgain(t *testing.T) {
	when, err := NewCondition("", "Hello anna")
	if err != nil {
		t.Fatal(err)
	}
	l := &Login{Check: "https://a.test/me", When: when}
	a := newAccess(t, Section{Hosts: []string{"a.test"}, Login: l})
	s := &site{pages: map[string]string{"https://a.test/me": "<p>Hello\n <b>anna</b>"}}
	if _, err := l.Enter(t.Context(), s.visit); err == nil {
		t.Error("logged in without a cookie")
	}
	a.jar.set("https://a.test/", []string{"sid=1"})
	if was, err := l.Enter(t.Context(), s.visit); !was || err != nil {
		t.Errorf("%v, %v", was, err)
	}
	s.pages["https://a.test/me"] = "<script>Hello anna</script>"
	if was, err := l.Enter(t.Context(), s.visit); was || err == nil || !strings.Contains(err.Error(), "https://a.test/me") {
		t.Errorf("%v, %v", was, err)
	}
}

func TestSign(t *testing.T) {
	when, err := NewCondition("nav a.logout", "")
	if err != nil {
		t.Fatal(err)
	}
	html, in, out := http.Header{"Content-Type": {"text/html; charset=utf-8"}}, "<nav><a class='x logout'>", "<nav><a class=login>"
	l := &Login{URL: "https://a.test/login", When: when}
	for i, tc := range []struct {
		status         int
		redirect, body string
		header         http.Header
		want           bool
	}{
		{200, "", in, html, false},
		{200, "", out, html, true},
		{200, "", out, http.Header{"Content-Type": {"text/turtle"}}, false},
		{404, "", out, html, false},
		{401, "", in, html, true},
		{403, "", in, html, true},
		{302, "https://a.test/login?next=%2F", "", nil, true},
		{302, "https://a.test/next", "", nil, false},
	} {
		if got := l.Sign(tc.status, tc.redirect, tc.header, []byte(tc.body)); (got != "") != tc.want {
			t.Errorf("%d: %q", i, got)
		}
	}
	l.plain.Store(true)
	if got := l.Sign(200, "", html, []byte(out)); got != "" {
		t.Errorf("a mark that scripts make: %q", got)
	}
}

func FuzzForm(f *testing.F) {
	f.Add(form)
	when, err := NewCondition("a.b > c", "x")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, page string) {
		l := &Login{URL: "https://a.test/login", Post: []Pair{{"user", "anna"}}, When: when}
		a := &Answer{URL: "https://a.test/login", Status: 200, Header: http.Header{}, Body: []byte(page)}
		to, fields := l.form(a)
		l.marks(a)
		_ = fmt.Sprint(to, fields.Encode())
	})
}
