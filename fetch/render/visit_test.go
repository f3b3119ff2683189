package render_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"orbweaver/fetch/render"
)

// TestVisit: a person's steps on a page whose form scripts make, with a post, a redirect and a cookie of a script; the browser reaches nothing by
// itself, and errors do not tell what was filled in.
func TestVisit(t *testing.T) {
	b, err := render.New(render.Options{})
	if err != nil {
		t.Skip(err)
	}
	defer b.Close()
	var mu sync.Mutex
	var asked []string
	send := func(_ context.Context, to, _, mediaType string, body []byte) (int, http.Header, []byte, error) {
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, strings.TrimSpace(to+" "+string(body)))
		html := http.Header{"Content-Type": {"text/html"}}
		switch to {
		case "https://a.test/login":
			return 200, html, []byte(`<body><img src="https://other.test/i.png"><script>setTimeout(() => { document.cookie = "theme=dark; path=/";
				document.body.innerHTML = '<form method=post action=/in><input id=u name=u><input id=p type=password name=p><button>Go</button></form>' }, 30)</script>`), nil
		case "https://a.test/in":
			form, _ := url.ParseQuery(string(body))
			if mediaType != "application/x-www-form-urlencoded" || form.Get("p") != "geheim & sicher" {
				return 200, html, []byte("no"), nil
			}
			return 303, http.Header{"Location": {"/home"}}, nil, nil
		case "https://a.test/home":
			return 200, html, []byte("<p>Hello <b>anna</b> <a class=out>Log out</a>"), nil
		}
		return 404, html, nil, nil
	}
	steps := []render.Step{{Wait: "#u"}, {Fill: "#u", With: "anna"}, {Fill: "#p", With: "geheim & sicher"}, {Click: "button"}, {Wait: "a.out"}}
	seen, err := b.Visit(t.Context(), "https://a.test/login", steps, "a.out", "Hello anna", send)
	if err != nil || seen.URL != "https://a.test/home" || !seen.Found {
		t.Errorf("%+v, %v", seen, err)
	}
	if len(seen.Cookies) != 1 || seen.Cookies[0].String() != "theme=dark; Path=/; Secure" && seen.Cookies[0].String() != "theme=dark; Path=/" {
		t.Errorf("cookies %v", seen.Cookies)
	}
	if got, want := strings.Join(asked, "\n"), "https://a.test/login\nhttps://a.test/in u=anna&p=geheim+%26+sicher\nhttps://a.test/home"; got != want {
		t.Errorf("asked\n%s\nwant\n%s", got, want)
	}
	if seen, err := b.Visit(t.Context(), "https://a.test/home", nil, "a.out", "Hello bert", send); err != nil || seen.Found {
		t.Errorf("another text: %+v, %v", seen, err)
	}
}
