package pages

import (
	"cmp"
	"fmt"
	"html/template"
	"net/url"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"orbweaver/kb/editing"
	"orbweaver/studio/workspace"
)

// words are the functions of templates: how the studio writes what it shows.
var words = template.FuncMap{
	"shown": shown, "short": func(s string) string { return cut(shown(s), 90) }, "line": func(s string) string { return cut(shown(s), 300) },
	"link": link, "score": func(f float64) string { return fmt.Sprintf("%.2f", f) }, "share": share, "count": count, "size": size,
	"ago": func(at time.Time) string { return ago(time.Since(at)) }, "stamp": func(at time.Time) string { return at.UTC().Format(time.RFC3339) },
	"span": span, "state": stateWord, "pagePath": pagePath, "escape": url.QueryEscape, "crawlPath": crawlPath, "host": hostOf,
	"rate": rate, "mean": mean, "rateOf": rateOf, "hostname": hostname, "precision": precision, "duration": duration, "abilities": abilities,
	"endpointState": func(state string) string { return cmp.Or(endpointStates[state], shown(state)) },
	"percent":       func(share float64) float64 { return 100 * share },
	"name":          editing.NameOf, "finding": findingWord,
	"said": func(said string) string { return verdictWords[said] }, "signed": func(f float64) string { return fmt.Sprintf("%+.1f", f) },
}

// shown is foreign text as it may be shown: without the characters that change the direction or the shape of what is around them.
func shown(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t':
			return r
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == '\uFEFF', r == '\u200B', r == '\u2028', r == '\u2029':
			return '\uFFFD'
		}
		return r
	}, s)
}

// cut is the first n bytes of a text, or fewer: whole characters.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// link is an address that may stand in a link: of the Web, or empty.
func link(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return ""
	}
	return u.String()
}

// hostOf is the host of an address.
func hostOf(address string) string {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		return u.Host
	}
	return address
}

// pagePath is the path of the studio's page about a page.
func pagePath(id, address string) string {
	return crawlPath(id) + "/page?" + url.Values{"url": {address}}.Encode()
}

// share is a part of a whole in percent.
func share(part, whole int64) string {
	if whole == 0 {
		return "–"
	}
	return fmt.Sprintf("%.0f %%", 100*float64(part)/float64(whole))
}

// count is a number with its thousands apart.
func count(n any) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "\u202F" + digits[i:]
	}
	return digits
}

// size is a number of bytes for people.
func size(bytes int64) string {
	n, unit := float64(bytes), 0
	units := []string{"B", "kB", "MB", "GB", "TB"}
	for n >= 1000 && unit < len(units)-1 {
		n, unit = n/1000, unit+1
	}
	if unit == 0 {
		return fmt.Sprintf("%d B", bytes)
	}
	return fmt.Sprintf("%.1f %s", n, units[unit])
}

// span is a duration for people.
func span(d time.Duration) string {
	switch {
	case d >= 48*time.Hour:
		return fmt.Sprintf("%d days", d/(24*time.Hour))
	case d >= 2*time.Hour:
		return fmt.Sprintf("%d hours", d/time.Hour)
	case d >= 2*time.Minute:
		return fmt.Sprintf("%d minutes", d/time.Minute)
	case d >= time.Second:
		return d.Round(time.Second / 10).String()
	}
	return d.Round(time.Millisecond).String()
}

// ago is a time that has passed.
func ago(d time.Duration) string {
	if d < 10*time.Second {
		return "just now"
	}
	return span(d) + " ago"
}

// stateWord says a state in words.
func stateWord(s workspace.State) string {
	return map[workspace.State]string{
		workspace.New: "has not begun", workspace.Queued: "waits for others", workspace.Running: "runs", workspace.Paused: "is paused",
		workspace.Stopped: "is stopped", workspace.Ended: "is over", workspace.Broken: "has problems",
	}[s]
}

// ends are the reasons why a crawl is over, each with what to do next.
var ends = map[string][2]string{
	"exhausted":    {"Nothing waits: all links that the crawl may follow were followed.", "Look at the results. For more, add seeds or widen the scope in the crawl file, and start it again."},
	"limit":        {"A limit of the crawl file is reached.", "Look at the results. For more, raise the limit in the crawl file, and start it again."},
	"saturated":    {"Hardly anything is left to accept: the rule of the crawl file ended it.", "Look at the results. For more, lower stop.saturation in the crawl file, and start it again."},
	"refreshed":    {"All pages were asked again.", "Look at the results."},
	"unreachable":  {"All that waits is at hosts that do not exist, or that the crawl must not reach.", "Check the spelling of the seeds and the scope in the crawl file."},
	"hosts-down":   {"All that waits is at hosts that do not answer.", "Start it again later: it asks them once more."},
	"network-down": {"No host answered: the network of this machine is down.", "Start it again when the network is back: it goes on where it was."},
	"interrupted":  {"The crawl was stopped.", "Start it again: it goes on where it was."},
}

// Situation says in words how a crawl stands, and what to do next.
func situation(c workspace.Crawl) (why, next string) {
	switch c.State {
	case workspace.New:
		return "It has not begun.", "Start it: it begins with the seeds of its crawl file."
	case workspace.Queued:
		return "It waits for others to end.", "Nothing is to be done: it begins by itself."
	case workspace.Running:
		if c.Elsewhere {
			return "Another process of this machine runs it.", "You can watch it, pause it and stop it here."
		}
		return "It fetches pages, the most promising first.", "Watch it, or pause it to change something."
	case workspace.Paused:
		return "It starts no requests until you resume it.", "Resume it, or stop it: either way nothing is lost."
	case workspace.Stopped:
		return "It was stopped before it was over.", "Start it: it goes on where it was."
	case workspace.Broken:
		return "Its crawl file has problems, so it cannot run.", "Correct the crawl file: the problems below say where."
	}
	if fetchedNothing(c) {
		return "No page was fetched.", "The words below say why. Mend the crawl file, and start it again: it begins afresh."
	}
	if words, ok := ends[c.End]; ok {
		return words[0], words[1]
	}
	return c.End, "Look at the results."
}

// fetchedNothing reports whether a crawl is over without a page. It begins afresh, by any crawl file.
func fetchedNothing(c workspace.Crawl) bool {
	return c.State == workspace.Ended && c.Status != nil && c.Status.Progress.Pages == 0 && c.Error != ""
}

// findingWord is a kind of finding about an ontology in words.
func findingWord(kind string) string {
	said := map[string]string{
		"hierarchy-cycle": "stands above itself", "class-and-property": "class and property", "undeclared": "not declared", "no-entry": "no name",
		"ambiguous-entry": "name of many", "unreachable": "out of reach",
	}
	if words, ok := said[kind]; ok {
		return words
	}
	return kind
}
