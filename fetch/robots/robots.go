// Package robots reads robots.txt as RFC 9309 has it, compiled once for one crawler, so that asking
// costs a few comparisons.
//
// Fetching robots.txt, and what a failure to fetch it means, is not its business.
package robots

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// MaxSize is how many bytes of a robots.txt are read; RFC 9309, section 2.5, asks for 500 KiB at
// least.
const MaxSize = 500 << 10

// maxDelay bounds a Crawl-delay: more is no delay but a refusal, or a mistake.
const maxDelay = 24 * time.Hour

// Rules are what a robots.txt says to one crawler. The zero value allows everything. Rules never
// change after Parse.
type Rules struct {
	Delay    time.Duration // Crawl-delay; 0 when there is none
	Sitemaps []string      // as written, whoever they are for

	rules []rule // longest pattern first, of equal ones Allow first: the first that matches decides
}

// A rule is one Allow or Disallow.
type rule struct {
	allow  bool
	line   string   // as written, for people
	parts  []string // of the pattern, between its asterisks, normalized
	length int      // of the pattern in octets
	ends   bool     // with $: the pattern must match to the end
}

// Disallowed returns rules that allow nothing, for hosts whose robots.txt cannot be had (RFC 9309,
// section 2.3.1.4).
func Disallowed(why string) *Rules {
	return &Rules{rules: []rule{{line: why, parts: []string{""}}}}
}

// Parse reads a robots.txt for the crawler of a product token ("orbweaver"), or of a User-Agent that
// starts with one ("orbweaver/1.0 (+http://…)"), matched without regard to case. All groups of that name count together; without one, those of "*" do. What cannot be
// read is skipped; no input is an error.
func Parse(body []byte, agent string) *Rules {
	body = body[:min(len(body), MaxSize)]
	body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
	p := parser{agent: productToken(agent)}
	for line := range bytes.FieldsFuncSeq(body, func(r rune) bool { return r == '\n' || r == '\r' }) {
		p.line(string(line))
	}
	if p.named {
		return p.own.sorted(p.sitemaps)
	}
	return p.all.sorted(p.sitemaps)
}

// A parser reads line by line: a run of User-agent lines opens a group.
type parser struct {
	agent    string
	named    bool // a group of the agent's own was seen
	own, all Rules
	sitemaps []string

	inAgents     bool // the last line that counts was a User-agent
	toOwn, toAll bool // whom the group is for
}

func (p *parser) line(line string) {
	line, _, _ = strings.Cut(line, "#")
	key, value, ok := strings.Cut(line, ":")
	if !ok {
		return
	}
	value = strings.TrimSpace(value)
	switch key = strings.ToLower(strings.TrimSpace(key)); key {
	case "user-agent":
		p.userAgent(value)
	case "allow", "disallow":
		p.inAgents = false
		if value != "" {
			p.add(compile(key == "allow", value))
		}
	case "crawl-delay":
		p.inAgents = false
		p.delay(value)
	case "sitemap":
		p.sitemaps = append(p.sitemaps, value)
	}
}

// userAgent opens a group, or names one more crawler for the one that is being opened.
func (p *parser) userAgent(value string) {
	if !p.inAgents {
		p.toOwn, p.toAll = false, false
	}
	p.inAgents = true
	switch token := productToken(value); {
	case value == "*" || strings.HasPrefix(value, "* "):
		p.toAll = true
	case token == p.agent && token != "":
		p.toOwn, p.named = true, true
	}
}

// productToken is the part of a User-agent line that names a crawler: letters, underscores, hyphens.
func productToken(s string) string {
	end := strings.IndexFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_' || r == '-')
	})
	if end >= 0 {
		s = s[:end]
	}
	return strings.ToLower(s)
}

func (p *parser) add(r rule) {
	if p.toOwn {
		p.own.rules = append(p.own.rules, r)
	}
	if p.toAll {
		p.all.rules = append(p.all.rules, r)
	}
}

// delay reads a Crawl-delay in seconds; the first of a group stands.
func (p *parser) delay(value string) {
	seconds, err := strconv.ParseFloat(value, 64)
	if err != nil || !(seconds > 0) {
		return
	}
	d := time.Duration(min(seconds, maxDelay.Seconds()) * float64(time.Second))
	if p.toOwn && p.own.Delay == 0 {
		p.own.Delay = d
	}
	if p.toAll && p.all.Delay == 0 {
		p.all.Delay = d
	}
}

// sorted puts the rules in the order in which they decide.
func (r *Rules) sorted(sitemaps []string) *Rules {
	slices.SortStableFunc(r.rules, func(a, b rule) int {
		if a.length != b.length {
			return cmp.Compare(b.length, a.length)
		}
		switch {
		case a.allow == b.allow:
			return 0
		case a.allow:
			return -1
		}
		return 1
	})
	r.Sitemaps = sitemaps
	return r
}

// compile makes a rule of a pattern: * is anything, a $ at the end is the end.
func compile(allow bool, pattern string) rule {
	r := rule{allow: allow, line: "Disallow: " + pattern}
	if allow {
		r.line = "Allow: " + pattern
	}
	pattern, r.ends = strings.CutSuffix(normalize(pattern), "$")
	r.length = len(pattern)
	for part := range strings.SplitSeq(pattern, "*") {
		r.parts = append(r.parts, part)
	}
	return r
}

// Allows reports whether a path, with its query if it has one, may be asked for, and the line that
// decided; "" when none did.
func (r *Rules) Allows(path string) (allowed bool, line string) {
	if r == nil || len(r.rules) == 0 || path == "/robots.txt" {
		return true, ""
	}
	if path == "" {
		path = "/"
	}
	path = normalize(path)
	for i := range r.rules {
		if r.rules[i].matches(path) {
			return r.rules[i].allow, r.rules[i].line
		}
	}
	return true, ""
}

// matches takes each part at its first place after the one before: with * between them no other
// choice matches more. The time is linear in the path for each part.
func (r *rule) matches(path string) bool {
	first, last := r.parts[0], len(r.parts)-1
	if !strings.HasPrefix(path, first) {
		return false
	}
	rest := path[len(first):]
	for i, part := range r.parts[1:] {
		if r.ends && i+1 == last {
			return strings.HasSuffix(rest, part)
		}
		at := strings.Index(rest, part)
		if at < 0 {
			return false
		}
		rest = rest[at+len(part):]
	}
	return !r.ends || rest == ""
}

// normalize writes a path or pattern in the one way in which RFC 9309, section 2.2.2, compares them:
// octets beyond ASCII encoded, unreserved ones decoded, hexadecimal digits in upper case.
func normalize(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r == '%' || r >= 0x80 || r <= ' ' }) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]) {
			if v := unhex(s[i+1])<<4 | unhex(s[i+2]); isUnreserved(v) {
				b.WriteByte(v)
			} else {
				b.WriteString(strings.ToUpper(s[i : i+3]))
			}
			i += 2
			continue
		}
		if c >= 0x80 || c <= ' ' {
			const digits = "0123456789ABCDEF"
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func unhex(c byte) byte {
	switch {
	case c <= '9':
		return c - '0'
	case c >= 'a':
		return c - 'a' + 10
	}
	return c - 'A' + 10
}

// isUnreserved is RFC 3986, section 2.3.
func isUnreserved(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
		c == '-' || c == '.' || c == '_' || c == '~'
}
