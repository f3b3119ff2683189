package eval

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"orbweaver"
	"orbweaver/ledger"
)

const (
	maxHosts    = 100_000 // hosts counted one by one; those first met later are counted together
	shownHosts  = 30      // hosts a report names
	maxDepth    = 30      // depths counted one by one; deeper ones are counted together
	maxFailures = 200     // reasons counted one by one
	bestPages   = 50      // pages a report names

	ruleScript = "needs-script" // the reason of a page that has no text before its scripts run
)

// tally counts what a report of one crawl shows, in one pass. Its memory is bounded but for the curve's
// few bytes a request.
type tally struct {
	curve     *Curve
	hosts     map[string]*count
	lateHosts count // of the hosts beyond maxHosts
	depths    [maxDepth + 1]count
	failures  map[string]int
	failed    int
	redirects int
	queries   int
	bytes     int64
	scripted  int // pages that have no text before their scripts run
	best      best
}

// count is of distinct pages.
type count struct{ pages, accepted int }

func (c *count) add(s step) {
	c.pages += int(s & stepPage)
	c.accepted += int(s & stepAccepted / stepAccepted)
}

func newTally(truth Truth, reachable int) *tally {
	return &tally{curve: NewCurve(truth, reachable), hosts: map[string]*count{}, failures: map[string]int{}}
}

func (t *tally) add(l ledger.Line) {
	s := t.curve.take(&l)
	t.bytes += max(0, l.Bytes)
	if l.Query != "" {
		t.queries++
	}
	switch {
	case l.Error != "":
		t.fail(l)
	case l.Redirect != "":
		t.redirects++
	}
	if s&(stepPage|stepAccepted) == 0 {
		return
	}
	if s&stepPage != 0 && slices.ContainsFunc(l.Reasons, func(r orbweaver.Reason) bool { return r.Rule == ruleScript }) {
		t.scripted++
	}
	t.host(hostOf(l.URL)).add(s)
	t.depths[min(max(l.Depth, 0), maxDepth)].add(s)
	t.best.offer(l)
}

func (t *tally) host(name string) *count {
	if c, ok := t.hosts[name]; ok {
		return c
	}
	if len(t.hosts) >= maxHosts {
		return &t.lateHosts
	}
	c := &count{}
	t.hosts[strings.Clone(name)] = c // or the map would keep whole URLs alive
	return c
}

// hostOf cuts the host, with its port, out of a canonical URL.
func hostOf(url string) string {
	_, rest, found := strings.Cut(url, "://")
	if !found {
		rest = url
	}
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		rest = rest[:end]
	}
	return rest[strings.LastIndexByte(rest, '@')+1:]
}

// fail counts a failure by its reason, answers by their HTTP status too.
func (t *tally) fail(l ledger.Line) {
	t.failed++
	reason := string(l.Error)
	if reason == "status" && l.Status > 0 {
		reason += " " + strconv.Itoa(l.Status)
	}
	if _, ok := t.failures[reason]; !ok && len(t.failures) >= maxFailures {
		reason = "other"
	}
	t.failures[reason]++
}

// share is a row of a report: a name, counts and how long its bar is, 0..100.
type share struct {
	Name, Meaning   string
	Pages, Accepted int
	Bar             float64
}

// topHosts returns the hosts with most accepted pages, then most pages, at most shownHosts, and all
// others as one row. Equals stand by name.
func (t *tally) topHosts() []share {
	rows := make([]share, 0, len(t.hosts))
	for name, c := range t.hosts { // sorted below by a total order
		rows = append(rows, share{Name: name, Pages: c.pages, Accepted: c.accepted})
	}
	slices.SortFunc(rows, func(a, b share) int {
		return cmp.Or(cmp.Compare(b.Accepted, a.Accepted), cmp.Compare(b.Pages, a.Pages), cmp.Compare(a.Name, b.Name))
	})
	shown := rows[:min(shownHosts, len(rows))]
	others := share{Pages: t.lateHosts.pages, Accepted: t.lateHosts.accepted}
	for _, r := range rows[len(shown):] {
		others.Pages += r.Pages
		others.Accepted += r.Accepted
	}
	shown = barred(shown)
	if n := len(rows) - len(shown); n > 0 {
		others.Name = strconv.Itoa(n) + " others"
		if t.lateHosts.pages > 0 {
			others.Name = "more than " + others.Name
		}
		shown = append(slices.Clone(shown), others) // without a bar: it would dwarf all that have a name
	}
	return shown
}

// byDepth returns a row a depth, up to the deepest that has a page.
func (t *tally) byDepth() []share {
	var rows []share
	for depth, c := range t.depths {
		rows = append(rows, share{Name: strconv.Itoa(depth), Pages: c.pages, Accepted: c.accepted})
	}
	rows[maxDepth].Name += " and more"
	for len(rows) > 0 && rows[len(rows)-1].Pages == 0 {
		rows = rows[:len(rows)-1]
	}
	return barred(rows)
}

// byFailure returns a row a reason, the most frequent first; Pages are requests here.
func (t *tally) byFailure() []share {
	rows := make([]share, 0, len(t.failures))
	for reason, n := range t.failures { // sorted below by a total order
		rows = append(rows, share{Name: reason, Meaning: meaning(reason), Pages: n})
	}
	slices.SortFunc(rows, func(a, b share) int {
		return cmp.Or(cmp.Compare(b.Pages, a.Pages), cmp.Compare(a.Name, b.Name))
	})
	for i := range rows {
		rows[i].Bar = 100 * ratio(rows[i].Pages, rows[0].Pages)
	}
	return rows
}

// scriptedPages says how many pages only a browser could read; "" when there are none.
func (t *tally) scriptedPages() string {
	switch t.scripted {
	case 0:
		return ""
	case 1:
		return "1 page has no text before its scripts run; render: {when: empty} would read it."
	}
	return strconv.Itoa(t.scripted) + " pages have no text before their scripts run; render: {when: empty} would read them."
}

// barred gives each row a bar by its accepted pages, the longest being full.
func barred(rows []share) []share {
	most := 0
	for _, r := range rows {
		most = max(most, r.Accepted)
	}
	for i := range rows {
		rows[i].Bar = 100 * ratio(rows[i].Accepted, most)
	}
	return rows
}

// meaning explains a reason of failure to people; unknown ones explain themselves.
func meaning(reason string) string {
	word, _, _ := strings.Cut(reason, " ")
	switch word {
	case "absent":
		return "the archive has no such URL"
	case "status":
		return "answered, but neither 2xx nor a redirect"
	case "redirects":
		return "too many redirects, or a loop"
	case "bad-redirect":
		return "a redirect to nowhere a crawler can go"
	case "too-large":
		return "a body above the limit"
	case "malformed":
		return "no HTTP, or a broken coding"
	case "unreadable":
		return "the page could not be read"
	case "out-of-scope":
		return "the crawl file’s scope excludes it"
	case "robots":
		return "robots.txt forbids it"
	case "bad-url":
		return "no address on the Web"
	case "no-such-host":
		return "the name has no address"
	case "lookup":
		return "the name could not be looked up"
	case "private":
		return "an address that a crawl must not reach: see allow_private"
	case "connect":
		return "no connection"
	case "tls":
		return "no secure connection: certificate or handshake"
	case "timeout":
		return "no answer in time, or not all of it"
	case "cut-short":
		return "the connection ended before the answer did"
	case "host-down":
		return "its host failed too often to be asked again"
	case "error":
		return "no connection, no answer in time, or another failure of the network"
	}
	return ""
}
