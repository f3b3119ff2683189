// Package ongoing is what a crawl that goes on for long tells of itself: its logins, and what is left to accept.
package ongoing

import (
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/step"
)

// Ways of a login.
const (
	WayForm    = "form"    // the fields of a form are posted
	WaySteps   = "steps"   // a browser does what a person would do
	WayCookies = "cookies" // a person provides cookies
)

// A Login is a login of the crawl file, and how it stands. Nothing of it is a secret.
type Login struct {
	step.LoginState
	For  []string `json:"for"`            // patterns of the URLs that it is for
	Way  string   `json:"way"`            // see the constants
	When string   `json:"when,omitempty"` // CSS selector of what a page has for somebody who is logged in
	Text string   `json:"text,omitempty"` // text that it has
	Most int      `json:"tries_at_most"`  // in a row, after which a person is waited for
}

// Logins returns the logins of a crawl file, in its order. now are those of the session under way; nil: none is.
func Logins(file *crawlfile.Crawl, now []step.LoginState) []Login {
	all := []Login{}
	for _, h := range file.HTTP {
		if h.Login == nil {
			continue
		}
		l := Login{For: h.Hosts, Way: WayCookies, When: h.Login.When.Selector, Text: h.Login.When.Text, Most: h.Login.Tries}
		l.Number, l.State, l.Hosts = len(all), step.LoginUnused, []string{}
		if l.Name = h.Login.URL; l.Name == "" {
			l.Name = h.Login.Check
		}
		switch {
		case len(h.Login.Steps) > 0:
			l.Way = WaySteps
		case len(h.Login.Post) > 0:
			l.Way = WayForm
		}
		for _, s := range now {
			if s.Number == l.Number {
				name := l.Name
				l.LoginState = s
				l.Name, l.Hosts = name, append([]string{}, s.Hosts...)
			}
		}
		all = append(all, l)
	}
	return all
}
