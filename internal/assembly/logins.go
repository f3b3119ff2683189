package assembly

import (
	"context"
	"fmt"
	"time"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/fetch/access"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/step"
	"orbweaver/page"
	"orbweaver/weburl"
)

// logins are the logins of a crawl file, as the engine wants them.
type logins struct{ c *Crawl }

// maxLoginPage bounds a page of a login, in bytes.
const maxLoginPage = 4 << 20

// Of returns the number of the login that a URL needs.
func (l logins) Of(url string) (n int, ok bool) { return l.c.Access.Login(url) }

// Sign returns why an answer looks like one for somebody who is not logged in.
func (l logins) Sign(n int, response *step.Response, payload []byte) string {
	return l.c.Access.At(n).Sign(response.Status, response.Redirect, response.Header, payload)
}

// Tries returns how often a login is tried, and the first wait.
func (l logins) Tries(n int) (int, time.Duration) {
	return l.c.Access.At(n).Tries, l.c.Access.At(n).Wait
}

// Enter logs in.
func (l logins) Enter(ctx context.Context, n int, visit engine.Exchange) (was bool, err error) {
	return l.c.Access.At(n).Enter(ctx, func(ctx context.Context, to, accept, mediaType string, body []byte) (*access.Answer, error) {
		response, payload, err := visit(ctx, weburl.Host(to), func(ctx context.Context) (*step.Response, []byte, error) {
			return l.ask(ctx, orbweaver.Request{URL: to, Accept: accept}, mediaType, body)
		})
		if err == nil {
			payload, err = page.Decode(response.Header, payload, maxLoginPage)
		}
		if err != nil {
			return nil, err
		}
		return &access.Answer{URL: to, Status: response.Status, Header: response.Header, Redirect: response.Redirect, Body: payload}, nil
	})
}

// ask makes one exchange.
func (l logins) ask(ctx context.Context, r orbweaver.Request, mediaType string, body []byte) (response *step.Response, payload []byte, err error) {
	if mediaType == "" {
		response, err = l.c.Client.Fetch(ctx, r)
	} else {
		response, err = l.c.Client.Post(ctx, r, mediaType, body)
	}
	if err != nil {
		return nil, nil, err
	}
	payload, err = pipeline.Payload(response, maxLoginPage, nil)
	return response, payload, err
}

// Tell tells people of a login that is lost, and of one that is there again.
func (l logins) Tell(s step.Login) {
	s = l.c.named(s)
	switch {
	case s.Why == "":
		l.c.Env.Say("logged in at %s: the crawl goes on there", s.Name)
	case s.Stuck && s.Tries == 0:
		l.c.Env.Say("warning: logins at %s are in vain: %s. Its hosts wait; orbweaver resume tries again", s.Name, s.Why)
	case s.Stuck:
		l.c.Env.Say("warning: not logged in at %s, and %d tries failed: %s. Its hosts wait; orbweaver resume tries again", s.Name, s.Tries, s.Why)
	default:
		l.c.Env.Say("warning: not logged in at %s: %s. Its hosts wait; the next try is at %s", s.Name, s.Why, s.Next.Local().Format(time.TimeOnly))
	}
}

// TellLogout tells people of a URL that is not requested any more.
func (l logins) TellLogout(url string) {
	l.c.Env.Say("warning: %s logs the crawl out: the session was gone each time after it, and it is not asked for again", url)
}

// named returns a login with its name.
func (c *Crawl) named(s step.Login) step.Login {
	l := c.Access.At(s.Number)
	if s.Name = l.URL; s.Name == "" {
		s.Name = l.Check
	}
	return s
}

// LostLogins returns the logins that a session tries in vain. It runs on the decider goroutine.
func (c *Crawl) LostLogins(session *engine.Crawl) []step.Login {
	lost := session.LostLogins()
	for i, s := range lost {
		lost[i] = c.named(s)
	}
	return lost
}

// tellWithheld tells that a host gets no secret.
func (c *Crawl) tellWithheld(host string) {
	c.Log.Warn("no secret is sent over plain http", "host", host, "mend", fmt.Sprintf("if it is meant, name the scheme in hosts of the section of http: %s", host))
}

// cookiesInMemory reports whether a crawl keeps cookies without a jar in its folder.
func cookiesInMemory(f *crawlfile.Crawl) bool {
	some := false
	for _, h := range f.HTTP {
		if h.Cookies != nil && h.Cookies.Key != "" {
			return false
		}
		some = some || h.Cookies != nil || h.Login != nil
	}
	return some
}
