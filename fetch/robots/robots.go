// Package robots parses robots.txt by RFC 9309, compiled once for one crawler. A check of a path takes well
// under a microsecond if rules are few or have no asterisks, and allocates only if something is decoded or
// encoded. It also derives the rules from the outcome of the robots.txt request: see Judge.
//
// Beyond the RFC it supports Crawl-delay and Sitemap, which do not affect other lines (RFC 9309, section
// 2.2.4), and it accepts evident mistakes: the misspellings of Disallow and User-agent that Google's parser
// accepts, a forgotten colon between two words, and an incomplete byte order mark. Other similar keys are
// skipped, and "Allow: /x/index.html" does not apply to "/x/": the RFC compares octets.
//
// The caller fetches robots.txt and discards rules older than MaxAge.
//
// This package is not part of the stable API.
package robots

import "time"

// MaxSize is the number of bytes of a robots.txt that are parsed. RFC 9309, section 2.5, requires at least 500
// KiB; the rest leaves space for the line that the limit cuts, which is ignored.
const MaxSize = 512 << 10

// MaxAge is the lifetime of rules before robots.txt must be requested again: RFC 9309, section 2.4.
const MaxAge = 24 * time.Hour

// Rules are the rules of a robots.txt for one crawler. The zero value, and nil, allow everything. Rules are
// immutable and safe for concurrent use.
type Rules struct {
	Delay    time.Duration // Crawl-delay, at most a day; 0 when there is none
	Sitemaps []string      // of all groups, as written: many are relative

	written int   // number of rules for the crawler
	rules   index // matched against the path
	queries index // matched against the path in the second spelling: see normalizeQuery
}

// Disallowed returns rules that forbid everything, for hosts without a readable robots.txt (RFC 9309, section
// 2.3.1.4). Allows returns why as the deciding line.
func Disallowed(why string) *Rules {
	everything := rule{line: why, pattern: "/", literal: 1, octets: 1}
	return &Rules{written: 1, rules: newIndex([]rule{everything})}
}

// Len is the number of rules for the crawler in all its groups; an empty Disallow or Allow is none.
func (r *Rules) Len() int {
	if r == nil {
		return 0
	}
	return r.written
}

// Allows reports whether a path, with its query if it has one, may be requested, and the deciding line; "" if
// none. Of the matching rules, the one with the most octets decides, among equals Allow (RFC 9309, section
// 2.2.2). The time is linear in the path per rule tried; rules are tried if their literal prefix, up to the
// first asterisk, matches the path. Beyond a bound (thousands with asterisks and a long path) the answer is no.
func (r *Rules) Allows(path string) (allowed bool, line string) {
	if r == nil || len(r.rules.rules) == 0 || path == "/robots.txt" {
		return true, ""
	}
	if path == "" || path[0] != '/' {
		path = "/" + path
	}
	best, ok := r.rules.decide(normalize(path), nil)
	if ok && len(r.queries.rules) > 0 {
		best, ok = r.queries.decide(normalizeQuery(path), best)
	}
	switch {
	case !ok:
		return false, "robots.txt: more rules than can be tried"
	case best == nil:
		return true, ""
	}
	return best.allow, best.line
}
