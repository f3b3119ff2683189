package starting

import (
	"fmt"

	"orbweaver"
	"orbweaver/internal/crawlfile"
	"orbweaver/weburl"
)

// Scoped says whether a URL is in the scope of a crawl.
type Scoped struct {
	URL  string `json:"url"`            // canonical, or as given if it is no URL
	In   bool   `json:"in"`             //
	Key  string `json:"key,omitempty"`  // that decided: scope.hosts, scope.include or scope.exclude; empty: there is no rule
	Rule string `json:"rule,omitempty"` // the pattern that decided; empty: none of Key covers the URL
	Why  string `json:"why"`            // the same in words
}

// ScopedBy tells of URLs as typed, which addressOf makes canonical. The error wraps ErrInput.
func ScopedBy(patterns crawlfile.Scope, urls []string, addressOf func(string) (string, error)) ([]Scoped, error) {
	scope, err := weburl.CompileScope(patterns.Include, patterns.Exclude, patterns.Hosts)
	if err != nil {
		return nil, fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
	}
	all := make([]Scoped, 0, len(urls))
	for _, url := range urls {
		address, err := addressOf(url)
		all = append(all, scopedBy(patterns, scope, url, address, err))
	}
	return all, nil
}

// scopedBy tells of a URL, or of a text that is none.
func scopedBy(patterns crawlfile.Scope, scope *weburl.Scope, written, url string, problem error) Scoped {
	if problem != nil {
		return Scoped{URL: written, Why: problem.Error()}
	}
	in, rule := scope.Allows(url)
	s := Scoped{URL: url, In: in, Rule: rule}
	switch {
	case in && rule == "":
		s.Why = "the crawl file limits no URLs"
		if len(patterns.Exclude) > 0 {
			s.Key, s.Why = "scope.exclude", "no pattern of scope.exclude covers it"
		}
	case in:
		s.Key = "scope.include"
		if len(patterns.Include) == 0 {
			s.Key = "scope.hosts"
		}
		s.Why = s.Key + " covers it: " + rule
	case rule != "":
		s.Key, s.Why = "scope.exclude", "scope.exclude covers it: "+rule
	default:
		s.Key = "scope.include"
		if only, err := weburl.CompileScope(nil, nil, patterns.Hosts); err == nil {
			if on, _ := only.Allows(url); !on {
				s.Key = "scope.hosts"
			}
		}
		s.Why = "no pattern of " + s.Key + " covers it"
	}
	return s
}
