package starting

import (
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

// ScopedBy tells of a URL, or of a text that is none.
func ScopedBy(patterns crawlfile.Scope, scope *weburl.Scope, written, url string, problem error) Scoped {
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
