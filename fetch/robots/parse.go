package robots

import (
	"bytes"
	"strconv"
	"strings"
	"time"
)

// maxDelay bounds a Crawl-delay: more is no delay but a refusal, or a mistake.
const maxDelay = 24 * time.Hour

// Parse reads a robots.txt for a crawler, which is named by its product token ("orbweaver") or by a
// User-Agent that starts with one ("orbweaver/1.0 (+http://…)") or has it where browsers are
// imitated ("Mozilla/5.0 (compatible; orbweaver/1.0)"), matched without regard to case. All groups
// of that name count together; without one, those of "*" do. What cannot be read is skipped; no
// input is an error. Give it MaxSize bytes at least, if there are so many: the line that the limit
// cuts does not count.
func Parse(body []byte, agent string) *Rules {
	p := parser{agent: ownToken(agent)}
	for body = whole(body); len(body) > 0; {
		end := bytes.IndexAny(body, "\r\n") // of \r\n the second ends an empty line, which says nothing
		if end < 0 {
			p.line(body)
			break
		}
		p.line(body[:end])
		body = body[end+1:]
	}
	if p.named {
		return p.own.rules(p.sitemaps)
	}
	return p.all.rules(p.sitemaps)
}

// whole returns the whole lines within the limit, without the byte order mark.
func whole(body []byte) []byte {
	if len(body) >= MaxSize {
		body = body[:MaxSize]
		body = body[:bytes.LastIndexAny(body, "\r\n")+1]
	}
	for _, mark := range []byte("\xef\xbb\xbf") { // some tools leave a part of it
		if len(body) == 0 || body[0] != mark {
			break
		}
		body = body[1:]
	}
	return body
}

// A parser reads line by line: a run of User-agent lines opens a group.
type parser struct {
	agent    string
	named    bool // a group of the agent's own was seen
	own, all group
	sitemaps []string

	inAgents     bool // no rule came since the last User-agent
	toOwn, toAll bool // the agents that the group is for
}

// A group is all that was said to one name so far.
type group struct {
	delay   time.Duration
	written int
	plain   []rule
	queries []rule // the rules that have a second spelling, in that
}

// rules makes what Parse returns.
func (g *group) rules(sitemaps []string) *Rules {
	return &Rules{
		Delay:    g.delay,
		Sitemaps: sitemaps,
		written:  g.written,
		rules:    newIndex(g.plain),
		queries:  newIndex(g.queries),
	}
}

func (p *parser) line(line []byte) {
	line, _, _ = bytes.Cut(line, []byte("#"))
	key, value, ok := split(trim(line))
	if !ok {
		return
	}
	switch fieldOf(key) {
	case userAgent:
		p.userAgent(string(value))
	case allow:
		p.rule(true, value)
	case disallow:
		p.rule(false, value)
	case crawlDelay:
		p.delay(string(value))
	case sitemap:
		if isAbsolute(value) {
			p.sitemaps = append(p.sitemaps, string(value))
		}
	}
}

// split parts a line at its colon. A line of two words without one is taken as if it had it.
func split(line []byte) (key, value []byte, ok bool) {
	if key, value, ok = bytes.Cut(line, []byte(":")); ok {
		return trim(key), trim(value), true
	}
	space := bytes.IndexAny(line, " \t")
	if space < 0 {
		return nil, nil, false
	}
	key, value = line[:space], trim(line[space:])
	return key, value, !bytes.ContainsAny(value, " \t")
}

// trim takes off the white space of ASCII: any other belongs to a path.
func trim(s []byte) []byte {
	return bytes.Trim(s, " \t\v\f")
}

// A field is what a line is about.
type field int

const (
	unknown field = iota
	userAgent
	allow
	disallow
	crawlDelay
	sitemap
)

// fieldOf knows a key in any case, and the misspellings of it that leave no doubt.
func fieldOf(key []byte) field {
	var buffer [12]byte
	if len(key) > len(buffer) {
		return unknown
	}
	for i, c := range key {
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		buffer[i] = c
	}
	switch string(buffer[:len(key)]) {
	case "user-agent", "useragent", "user agent":
		return userAgent
	case "allow":
		return allow
	case "disallow", "dissallow", "dissalow", "disalow", "diaslow", "diasllow", "disallaw":
		return disallow
	case "crawl-delay":
		return crawlDelay
	case "sitemap", "site-map":
		return sitemap
	}
	return unknown
}

// userAgent opens a group, or names one more crawler for the one that is being opened.
func (p *parser) userAgent(value string) {
	if !p.inAgents {
		p.toOwn, p.toAll = false, false
	}
	p.inAgents = true
	switch token := productToken(value); {
	case value == "*" || strings.HasPrefix(value, "* ") || strings.HasPrefix(value, "*\t"):
		p.toAll = true
	case token == p.agent && token != "":
		p.toOwn, p.named = true, true
	}
}

// ownToken is the product token of a User-Agent, in lower case.
func ownToken(agent string) string {
	if _, after, ok := strings.Cut(agent, "(compatible; "); ok {
		if token := productToken(after); token != "" {
			return token
		}
	}
	return productToken(agent)
}

// productToken is the part of a User-agent line that names a crawler, in lower case: letters,
// underscores and hyphens, up to the first other character (RFC 9309, section 2.2.1).
func productToken(s string) string {
	end := strings.IndexFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_' || r == '-')
	})
	if end >= 0 {
		s = s[:end]
	}
	return strings.ToLower(s)
}

// rule adds an Allow or Disallow to the group; without a group it is ignored.
func (p *parser) rule(allow bool, value []byte) {
	p.inAgents = false
	if len(value) == 0 || !p.toOwn && !p.toAll {
		return
	}
	plain := compile(allow, string(value))
	query, second := plain.inQuery()
	for _, g := range p.groups() {
		g.written++
		if !plain.possible() {
			continue
		}
		g.plain = append(g.plain, plain)
		if second {
			g.queries = append(g.queries, query)
		}
	}
}

// delay reads a Crawl-delay in seconds, for the crawlers named so far; the first stands. It is no
// rule of the RFC's, so a User-agent line after it still belongs to the same group.
func (p *parser) delay(value string) {
	end := strings.IndexFunc(value, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
	if end >= 0 {
		value = value[:end] // "10s", "10 seconds"
	}
	seconds, err := strconv.ParseFloat(value, 64)
	if seconds <= 0 || err != nil && seconds == 0 {
		return
	}
	d := time.Duration(min(seconds, maxDelay.Seconds()) * float64(time.Second))
	for _, g := range p.groups() {
		if g.delay == 0 {
			g.delay = d
		}
	}
}

// groups are the groups that the line being read belongs to.
func (p *parser) groups() []*group {
	switch {
	case p.toOwn: // once there is a group of its own, those of "*" do not count
		return []*group{&p.own}
	case p.toAll && !p.named:
		return []*group{&p.all}
	}
	return nil
}

// isAbsolute reports whether a sitemap can be requested as written.
func isAbsolute(value []byte) bool {
	scheme, rest, ok := bytes.Cut(value, []byte("://"))
	return ok && len(rest) > 0 && (strings.EqualFold(string(scheme), "http") || strings.EqualFold(string(scheme), "https"))
}
