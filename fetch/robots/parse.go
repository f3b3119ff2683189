package robots

import (
	"bytes"
	"strconv"
	"strings"
	"time"
)

// maxDelay bounds a Crawl-delay: a longer one is a refusal or a mistake.
const maxDelay = 24 * time.Hour

// Parse reads a robots.txt for a crawler. agent is its product token ("orbweaver"), or a User-Agent that starts
// with one ("orbweaver/1.0 (+http://…)") or has it in browser style ("Mozilla/5.0 (compatible;
// orbweaver/1.0)"); case is ignored. All groups for that name apply together; without one, those of "*" do.
// Unreadable lines are skipped; no input is an error. Pass at least the first MaxSize bytes: a line that the
// limit cuts is ignored.
func Parse(body []byte, agent string) *Rules {
	p := parser{agent: ownToken(agent)}
	for body = whole(body); len(body) > 0; {
		end := bytes.IndexAny(body, "\r\n") // the second byte of \r\n ends an empty line, which is harmless
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

// whole returns the complete lines within the limit, without the byte order mark.
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
	named    bool // a group for the agent was seen
	own, all group
	sitemaps []string

	inAgents     bool // no rule since the last User-agent
	toOwn, toAll bool // the current group is for the agent, for all
}

// A group is the rules for one name so far.
type group struct {
	delay   time.Duration
	written int
	plain   []rule
	queries []rule // the second spelling of rules that have one
}

// rules is the result of Parse.
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
		if len(value) > 0 && !bytes.ContainsAny(value, " \t") {
			p.sitemaps = append(p.sitemaps, string(value))
		}
	}
}

// split splits a line at its colon. A line of two words may lack the colon.
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

// trim removes ASCII white space: other white space belongs to a path.
func trim(s []byte) []byte {
	return bytes.Trim(s, " \t\v\f")
}

// A field is the key of a line.
type field int

const (
	unknown field = iota
	userAgent
	allow
	disallow
	crawlDelay
	sitemap
)

// fieldOf recognizes a key in any case, and its unambiguous misspellings.
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

// userAgent opens a group, or adds a crawler to the one being opened.
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

// delay reads a Crawl-delay in seconds for the current crawlers; the first one counts. It is no rule of the
// RFC, so a User-agent line after it still extends the same group.
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

// groups are the groups of the current line.
func (p *parser) groups() []*group {
	switch {
	case p.toOwn: // once the agent has a group, those of "*" do not count
		return []*group{&p.own}
	case p.toAll && !p.named:
		return []*group{&p.all}
	}
	return nil
}
