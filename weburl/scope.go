package weburl

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// A Scope decides which URLs a crawl may request. It is immutable and safe for concurrent use. The nil Scope
// allows everything.
//
// A pattern is one of
//   - a host, "boeing.com" or "boeing.com:8080": the host and its subdomains, with any port if none is
//     given;
//   - a host and a path, "boeing.com/history/*": the same hosts, and the path with its query must
//     match; "*" matches any string, anywhere in the path. An optional scheme in front must match
//     too;
//   - a regular expression between slashes, "/\.pdf$/", found anywhere in the canonical URL.
type Scope struct {
	hosts, include, exclude patternSet
}

// CompileScope compiles the patterns of a scope; an empty list has no effect. The error joins all problems,
// each naming its list and pattern.
func CompileScope(include, exclude, hosts []string) (*Scope, error) {
	var s Scope
	var problems []error
	for _, list := range []struct {
		set      *patternSet
		name     string
		patterns []string
	}{{&s.include, "include", include}, {&s.exclude, "exclude", exclude}, {&s.hosts, "hosts", hosts}} {
		problems = append(problems, list.set.compile(list.name, list.patterns))
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	return &s, nil
}

// Allows reports whether a canonical URL is in scope, and the deciding pattern as written; "" if none decided.
// The rules in order: the URL must match one of hosts, if there are any; it must match none of exclude; it must
// match one of include, if there are any.
func (s *Scope) Allows(url string) (ok bool, rule string) {
	if s == nil {
		return true, ""
	}
	if !s.hosts.empty() {
		if rule, ok = s.hosts.match(url); !ok {
			return false, ""
		}
	}
	if excluded, hit := s.exclude.match(url); hit {
		return false, excluded
	}
	if !s.include.empty() {
		return swap(s.include.match(url))
	}
	return true, rule
}

// swap converts the result of match to that of Allows.
func swap(rule string, ok bool) (bool, string) { return ok, rule }

// A patternSet is one list of patterns. Plain hosts may be many: they take one lookup per label; the others are
// tried in order.
type patternSet struct {
	plain  map[string]string // host, or host:port, to the pattern as written
	others []pattern
}

// A pattern is a regular expression, or hosts with a path. Its written form identifies it in results.
type pattern struct {
	written      string
	expression   *regexp.Regexp // nil: the other fields apply
	scheme       string         // "http" or "https"; empty: either
	host, port   string
	pathAndQuery string // "*" matches any string
}

// compile fills an empty set.
func (set *patternSet) compile(list string, patterns []string) error {
	var problems []error
	for _, written := range patterns {
		if err := set.add(strings.TrimSpace(written)); err != nil {
			problems = append(problems, fmt.Errorf("scope: %s: pattern %q: %w", list, written, err))
		}
	}
	return errors.Join(problems...)
}

// add compiles one pattern.
func (set *patternSet) add(written string) error {
	if len(written) > 1 && written[0] == '/' && written[len(written)-1] == '/' {
		return set.addExpression(written)
	}
	scheme, rest := "", written
	if i := strings.Index(written, "://"); i >= 0 {
		scheme, rest = strings.ToLower(written[:i]), written[i+3:]
	}
	name, path, hasPath := strings.Cut(rest, "/")
	if err := checkPattern(scheme, name); err != nil {
		return err
	}
	canonical, err := Canonical(schemeOr(scheme) + "://" + name + "/" + path)
	if err != nil {
		return err
	}
	host, port := hostPort(canonical)
	if !hasPath && scheme == "" {
		set.addHost(host, port, written)
		return nil
	}
	p := pattern{written: written, scheme: scheme, host: host, port: port, pathAndQuery: "*"}
	if hasPath {
		p.pathAndQuery = canonical[originEnd(canonical):]
	}
	set.others = append(set.others, p)
	return nil
}

// schemeOr returns the scheme to parse a pattern with.
func schemeOr(scheme string) string {
	if scheme == "" {
		return "http"
	}
	return scheme
}

// checkPattern returns an error for an invalid scheme or host.
func checkPattern(scheme, host string) error {
	switch {
	case scheme != "" && scheme != "http" && scheme != "https":
		return errors.New("neither http nor https")
	case host == "":
		return errors.New("names no host; a regular expression stands between slashes")
	case strings.HasPrefix(host, "*."):
		return fmt.Errorf("a host covers its subdomains, write %q", host[2:])
	case strings.ContainsAny(host, "*@"):
		return errors.New("* may stand in the path only, and no user's name")
	}
	return nil
}

// addExpression adds a pattern between slashes.
func (set *patternSet) addExpression(written string) error {
	if len(written) == 2 {
		return errors.New("an empty regular expression matches everything")
	}
	expression, err := regexp.Compile(written[1 : len(written)-1])
	if err != nil {
		return err
	}
	set.others = append(set.others, pattern{written: written, expression: expression})
	return nil
}

// addHost adds a plain host; of two equal ones the first names them.
func (set *patternSet) addHost(host, port, written string) {
	if set.plain == nil {
		set.plain = make(map[string]string)
	}
	if port != "" {
		host += ":" + port
	}
	if _, known := set.plain[host]; !known {
		set.plain[host] = written
	}
}

// empty says whether the set has no patterns.
func (set *patternSet) empty() bool { return len(set.plain) == 0 && len(set.others) == 0 }

// match returns the pattern that a URL matches: the plain host with most labels, else the first of the others.
func (set *patternSet) match(url string) (string, bool) {
	if set.empty() {
		return "", false
	}
	host, port := hostPort(url)
	if len(set.plain) > 0 {
		if written, ok := set.matchHost(host, port); ok {
			return written, true
		}
	}
	for i := range set.others {
		if set.others[i].match(url, host, port) {
			return set.others[i].written, true
		}
	}
	return "", false
}

// matchHost looks up a host, then its parent domains.
func (set *patternSet) matchHost(host, port string) (string, bool) {
	for host != "" {
		if written, ok := set.plain[host]; ok {
			return written, true
		}
		if port != "" {
			if written, ok := set.plain[host+":"+port]; ok {
				return written, true
			}
		}
		_, host, _ = strings.Cut(host, ".")
	}
	return "", false
}

// match reports whether a URL with parsed host and port matches the pattern.
func (p *pattern) match(url, host, port string) bool {
	if p.expression != nil {
		return p.expression.MatchString(url)
	}
	if p.port != "" && p.port != port || !inDomain(host, p.host) {
		return false
	}
	if p.scheme != "" && !strings.HasPrefix(url, p.scheme+"://") {
		return false
	}
	return matchStars(p.pathAndQuery, url[originEnd(url):])
}

// inDomain reports whether a host is a domain or a subdomain of it.
func inDomain(host, domain string) bool {
	return strings.HasSuffix(host, domain) &&
		(len(host) == len(domain) || host[len(host)-len(domain)-1] == '.')
}

// matchStars reports whether a pattern, in which "*" matches any string, matches all of s. It takes the
// earliest place for each part between stars, which is correct because only the last part is anchored at the
// end.
func matchStars(pattern, s string) bool {
	first, rest, starred := strings.Cut(pattern, "*")
	if !starred {
		return pattern == s
	}
	if !strings.HasPrefix(s, first) {
		return false
	}
	s = s[len(first):]
	for {
		part, next, more := strings.Cut(rest, "*")
		if !more {
			return strings.HasSuffix(s, part)
		}
		i := strings.Index(s, part)
		if i < 0 {
			return false
		}
		s, rest = s[i+len(part):], next
	}
}
