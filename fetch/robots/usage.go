package robots

import (
	"bytes"
	"slices"
	"strings"
)

// Limits of reading preferences. What is beyond is not looked at.
const (
	maxUsages = 1000 // lines about use in a robots.txt
	maxNamed  = 64   // crawlers that one line is for
)

// A Usage is a line of a robots.txt that says how what a host serves may be used, as opposed to requested: Content-Usage
// (draft-ietf-aipref-attach) or Content-Signal (contentsignals.org).
type Usage struct {
	Field  string   // "content-usage" or "content-signal"
	Agents []string // product tokens of its group, in lower case, sorted; "*": all crawlers, also where the line is in no group
	Value  string   // as written, without the path: "train-ai=n"

	rule rule
}

// A Usages is what a robots.txt says of uses. The zero value, and nil, say nothing. It is immutable.
type Usages struct {
	lines []Usage
	named []string
}

// ParseUsages reads the lines about use in all groups of a robots.txt, and the names in its User-agent lines. No input is an error: lines that
// cannot be read are skipped. As in Parse, MaxSize bytes count.
func ParseUsages(body []byte) *Usages {
	u, agents, opening := &Usages{}, []string{"*"}, false
	for line := range bytes.FieldsFuncSeq(whole(body), func(r rune) bool { return r == '\r' || r == '\n' }) {
		line, _, _ = bytes.Cut(line, []byte("#"))
		key, value, ok := split(trim(line))
		if !ok {
			continue
		}
		field := strings.ToLower(string(key))
		switch {
		case fieldOf(key) == userAgent:
			if !opening {
				agents = nil
			}
			opening = true
			agents = u.name(agents, string(value))
		case field == "content-usage", field == "content-signal":
			opening = false
			if len(u.lines) < maxUsages && len(agents) > 0 {
				u.lines = append(u.lines, usageOf(field, agents, string(value)))
			}
		case fieldOf(key) == allow, fieldOf(key) == disallow:
			opening = false
		}
	}
	slices.Sort(u.named)
	u.named = slices.Compact(u.named)
	return u
}

// name adds a crawler to those of a group.
func (u *Usages) name(agents []string, value string) []string {
	token := productToken(value)
	if strings.HasPrefix(value, "*") {
		token = "*"
	}
	if token == "" || len(agents) >= maxNamed || slices.Contains(agents, token) {
		return agents
	}
	if len(u.named) < maxUsages*maxNamed {
		u.named = append(u.named, token)
	}
	return append(agents, token)
}

// usageOf reads a line. A Content-Usage may begin with the pattern of a path.
func usageOf(field string, agents []string, value string) Usage {
	pattern := "/"
	if first, rest, ok := strings.Cut(value, " "); field == "content-usage" && (strings.HasPrefix(value, "/") || strings.HasPrefix(value, "*")) {
		pattern, value = first, strings.TrimSpace(rest)
		if !ok {
			value = ""
		}
	}
	agents = slices.Sorted(slices.Values(agents))
	return Usage{Field: field, Agents: agents, Value: value, rule: compile(true, pattern)}
}

// Named returns the product tokens of all User-agent lines, in lower case, sorted.
func (u *Usages) Named() []string {
	if u == nil {
		return nil
	}
	return u.named
}

// For returns the lines about a path, with its query if it has one, in the order of the file: all Content-Signal, and of the Content-Usage
// lines of one group those with the longest pattern that matches.
func (u *Usages) For(path string) (all []Usage) {
	if u == nil {
		return nil
	}
	path = normalize(path)
	longest := map[string]int32{}
	matches := func(l *Usage) bool {
		return l.Value != "" && l.rule.possible() && strings.HasPrefix(path, l.rule.pattern[:l.rule.literal]) && l.rule.matches(path)
	}
	for i := range u.lines {
		if l := &u.lines[i]; matches(l) {
			group := l.Field + " " + strings.Join(l.Agents, " ")
			longest[group] = max(longest[group], l.rule.octets)
		}
	}
	for i := range u.lines {
		if l := &u.lines[i]; matches(l) && l.rule.octets == longest[l.Field+" "+strings.Join(l.Agents, " ")] {
			all = append(all, *l)
		}
	}
	return all
}

// Match reports whether a pattern as in an Allow line matches a path, with its query if it has one.
func Match(pattern, path string) bool {
	r := compile(true, pattern)
	path = normalize(path)
	return r.possible() && strings.HasPrefix(path, r.pattern[:r.literal]) && r.matches(path)
}
