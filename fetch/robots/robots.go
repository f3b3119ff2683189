// Package robots parses robots.txt by RFC 9309, compiled once for one crawler: a check of a path costs well under a
// microsecond if rules are few or have no asterisks, and no allocation unless something is decoded or encoded. It
// also derives the rules from the outcome of the robots.txt request: see Judge.
//
// Beyond the RFC it knows Crawl-delay and Sitemap, which never change how the rest is read (RFC 9309, section 2.2.4),
// and it accepts evident mistakes: the misspellings of Disallow and User-agent that Google's parser accepts, a
// forgotten colon between two words, and a byte order mark of which bytes are missing. Other keys that merely look
// alike are skipped, and "Allow: /x/index.html" does not apply to "/x/": the RFC compares octets.
//
// Fetching robots.txt, and keeping rules no longer than MaxAge, is not its business.
//
// This package is not part of the stable API.
package robots

import "time"

// MaxSize is how many bytes of a robots.txt are read. RFC 9309, section 2.5, asks for 500 KiB at
// least; the rest is room for the line that the limit cuts, which is left out.
const MaxSize = 512 << 10

// MaxAge is the lifetime of rules before robots.txt must be requested again: RFC 9309, section 2.4.
const MaxAge = 24 * time.Hour

// Rules are what a robots.txt says to one crawler. The zero value, and nil, allow everything. Rules
// never change after Parse: any number of goroutines may ask them.
type Rules struct {
	Delay    time.Duration // Crawl-delay, at most a day; 0 when there is none
	Sitemaps []string      // absolute ones only, as written, whoever they are for

	written int   // how many rules there were for the crawler
	rules   index // asked with the path
	queries index // asked with the path in the second spelling: see normalizeQuery
}

// Disallowed returns rules that allow nothing, for hosts whose robots.txt cannot be had (RFC 9309,
// section 2.3.1.4). Why is what Allows gives as the line that decided.
func Disallowed(why string) *Rules {
	everything := rule{line: why, pattern: "/", literal: 1, octets: 1}
	return &Rules{written: 1, rules: newIndex([]rule{everything})}
}

// Len is the number of rules for the crawler, those of all its groups together; an empty Disallow or
// Allow is none.
func (r *Rules) Len() int {
	if r == nil {
		return 0
	}
	return r.written
}

// Allows reports whether a path, with its query if it has one, may be requested, and the deciding line; "" if none.
// Of the rules that match, the one with the most octets decides, of equal ones Allow (RFC 9309, section 2.2.2). The
// time is linear in the path per tried rule; tried are the rules whose literal prefix, up to the first asterisk,
// matches the path. Beyond a bound (thousands with asterisks and a long path) the answer is no.
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
