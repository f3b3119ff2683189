package eval

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"orbweaver"
	"orbweaver/internal/order"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

const (
	maxHosts    = 100_000 // hosts counted separately; later ones are merged
	shownHosts  = 30      // hosts a report names
	maxDepth    = 30      // depths counted separately; deeper ones are merged
	maxFailures = 200     // reasons counted separately
	keptPages   = 10_000  // pages remembered for the results, and as many copies of them

	ruleScript        = "needs-script"   // the reason of a page without text before its scripts run
	ruleDuplicate     = "duplicate"      // of a page with the bytes of another
	ruleNearDuplicate = "near-duplicate" // of a page with nearly the text of another
	ruleNoText        = "no-text"        // of a document without text
	ruleSender        = "sender"         // of what came instead of a page: whose it is
)

// tally collects the data of a crawl report in one pass. A page counts once, by its last line; in the curve by
// its first. Memory is bounded except for the curve's and the standings' few bytes per page.
type tally struct {
	curve     *Curve
	pages     standings
	standing  count             // current pages
	gone      int               // pages that no longer exist
	hosts     map[string]uint32 // index by host, in order of first occurrence
	names     []string          // by number
	counts    []count           // by number
	lateHosts count             // of the hosts beyond maxHosts
	graph     graphTally
	depths    [maxDepth + 1]count
	bands     [maxDepth + 1][scoreBands]int
	failures  map[string]int
	failed    int
	redirects int
	sources   int
	queries   int
	bytes     int64
	threshold float64 // acceptance threshold, from the last line with one
	scripted  int     // pages without text before their scripts run
	made      [mades]int
	best      best
	copies    best // pages that duplicate another
	sample    Sample
	fates     fates
	parts     partsTally
	data      DataTally
}

// lateHost is the number of every host beyond maxHosts.
const lateHost = maxHosts

// count is of distinct pages.
type count struct{ pages, accepted int }

// add counts a page n times; n is 1 or -1.
func (c *count) add(accepted bool, n int) {
	c.pages += n
	if accepted {
		c.accepted += n
	}
}

func newTally(truth Truth, reachable int) *tally {
	return &tally{curve: NewCurve(truth, reachable), hosts: map[string]uint32{}, failures: map[string]int{}}
}

func (t *tally) add(l ledger.Line) {
	t.curve.take(&l)
	t.fates.add(l)
	t.sample.Add(l)
	t.data.Add(&l)
	if l.Threshold > 0 {
		t.threshold = l.Threshold
	}
	if !isKept(&l) { // else its bytes are those of the previous line
		t.bytes += max(0, l.Bytes)
	}
	if l.Query != "" {
		t.queries++
	}
	switch {
	case l.Error == step.ErrSource:
		t.sources++
	case l.Error != "":
		t.fail(l)
	case l.Redirect != "":
		t.redirects++
	}
	if l.Query == "" {
		t.place(&l)
	}
}

// place makes a line the current one of its page.
func (t *tally) place(l *ledger.Line) {
	s, known := t.pages.of(l.URL, isPage(l))
	if s == nil {
		return
	}
	there := isPage(l) || isKept(l) && !s.gone
	if known {
		if s.form != formOf(l.Accept) && (!there || s.outranks(l)) {
			return
		}
		t.count(s, -1)
		t.best.drop(l.URL)
		t.copies.drop(l.URL)
	}
	if s.gone = !there; there {
		host := s.host
		if !known {
			host = t.host(hostOf(l.URL))
			t.graph.reached(t.hosts, l.Parent, host)
		}
		*s = standing{host: host, depth: uint8(min(max(l.Depth, 0), maxDepth)), band: uint8(bandOf(l.Score)), form: formOf(l.Accept),
			accepted: l.Accepted, scripted: slices.ContainsFunc(l.Reasons, func(r orbweaver.Reason) bool { return r.Rule == ruleScript }), made: madeOf(l)}
		s.set, s.parts = t.parts.of(l)
		if originalOf(*l) != "" {
			t.copies.offer(*l)
		} else {
			t.best.offer(*l)
		}
	}
	t.count(s, 1)
}

// count adds or removes the counts of a page.
func (t *tally) count(s *standing, n int) {
	if s.gone {
		t.gone += n
		return
	}
	t.standing.add(s.accepted, n)
	t.parts.add(s, n)
	t.depths[s.depth].add(s.accepted, n)
	t.bands[s.depth][s.band] += n
	if s.scripted {
		t.scripted += n
	}
	t.made[s.made] += n
	if s.host == lateHost {
		t.lateHosts.add(s.accepted, n)
		return
	}
	t.counts[s.host].add(s.accepted, n)
}

// host returns the number of a host.
func (t *tally) host(name string) uint32 {
	if id, ok := t.hosts[name]; ok {
		return id
	}
	if len(t.hosts) >= maxHosts {
		return lateHost
	}
	name = strings.Clone(name) // or the map would keep whole URLs alive
	id := uint32(len(t.names))
	t.hosts[name] = id
	t.names, t.counts = append(t.names, name), append(t.counts, count{})
	return id
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

// fail counts a failure by its reason, and a response also by its HTTP status.
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

// failuresText says how many requests failed, and with which statuses and other reasons; "0" without any.
func (t *tally) failuresText() string {
	if t.failed == 0 {
		return "0"
	}
	var failed step.Failures
	for reason, n := range t.failures { // sums of integers: in any order
		word, status, _ := strings.Cut(reason, " ")
		code, _ := strconv.Atoi(status)
		failed.AddMany(orbweaver.Failure(word), code, int64(n))
	}
	return printable(failed.Text(shownReasons), 400)
}

// share is a row of a report: a name, counts and the length of its bar, 0..100.
type share struct {
	Name, Meaning   string
	Pages, Accepted int
	Bar             float64
}

// topHosts returns the hosts with most accepted pages, then most pages, at most shownHosts, and all others as
// one row. Equals are in order of name.
func (t *tally) topHosts() []share {
	rows := make([]share, 0, len(t.hosts))
	for id, c := range t.counts {
		if c.pages > 0 {
			rows = append(rows, share{Name: t.names[id], Pages: c.pages, Accepted: c.accepted})
		}
	}
	order.By(rows, func(a, b share) int {
		return cmp.Or(cmp.Compare(b.Accepted, a.Accepted), cmp.Compare(b.Pages, a.Pages), cmp.Compare(a.Name, b.Name))
	})
	shown := rows[:min(shownHosts, len(rows))]
	others := share{Pages: t.lateHosts.pages, Accepted: t.lateHosts.accepted}
	for _, r := range rows[len(shown):] {
		others.Pages += r.Pages
		others.Accepted += r.Accepted
	}
	for i := range shown {
		shown[i].Name = printable(shown[i].Name, 200)
	}
	shown = barred(shown)
	if n := len(rows) - len(shown); n > 0 {
		others.Name = strconv.Itoa(n) + " others"
		if t.lateHosts.pages > 0 {
			others.Name = "more than " + others.Name
		}
		shown = append(slices.Clone(shown), others) // without a bar, which would dwarf the others
	}
	return shown
}

// byDepth returns a row per depth, up to the deepest that has a page.
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

// byFailure returns a row per reason, the most frequent first; Pages are requests here.
func (t *tally) byFailure() []share {
	rows := make([]share, 0, len(t.failures))
	for reason, n := range t.failures { // sorted below by a total order
		rows = append(rows, share{Name: printable(reason, 100), Meaning: meaning(reason), Pages: n})
	}
	order.By(rows, func(a, b share) int {
		return cmp.Or(cmp.Compare(b.Pages, a.Pages), cmp.Compare(a.Name, b.Name))
	})
	for i := range rows {
		rows[i].Bar = 100 * ratio(rows[i].Pages, rows[0].Pages)
	}
	return rows
}

// scriptedPages is the number of pages without text before their scripts run; "" if none.
func (t *tally) scriptedPages() string {
	switch t.scripted {
	case 0:
		return ""
	case 1:
		return "1 page has no text before its scripts run; render: {when: empty} would read it."
	}
	return strconv.Itoa(t.scripted) + " pages have no text before their scripts run; render: {when: empty} would read them."
}

// made is what became of a page's scripts.
type made uint8

const (
	madeNot    made = iota // not rendered
	madeOther              // it says something else than the page received
	madeSame               // it says the same
	madeAny                // rendered, and not compared
	madeFailed             // it could not be rendered
	mades
)

func madeOf(l *ledger.Line) made {
	switch r := l.Rendering; {
	case r != nil && r.Scripts == step.ScriptsFailed:
		return madeFailed
	case !l.Rendered:
		return madeNot
	case r != nil && r.Scripts == step.ScriptsChanged:
		return madeOther
	case r != nil:
		return madeSame
	}
	return madeAny
}

// renderedPages says how many pages a browser rendered; "" if none.
func (t *tally) renderedPages() string {
	n := t.made[madeOther] + t.made[madeSame] + t.made[madeAny]
	if n+t.made[madeFailed] == 0 {
		return ""
	}
	text := plural(n, "page was rendered", "pages were rendered")
	if compared := t.made[madeOther] + t.made[madeSame]; compared > 0 {
		text += fmt.Sprintf(": %d say something else by their scripts, %d the same", t.made[madeOther], t.made[madeSame])
	}
	if failed := t.made[madeFailed]; failed > 0 {
		text += "; " + plural(failed, "page could not be rendered, and is what was received", "pages could not be rendered, and are what was received")
	}
	return text + "."
}

// plural counts things by their words.
func plural(n int, one, many string) string {
	if n == 1 {
		many = one
	}
	return strconv.Itoa(n) + " " + many
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

// meaning explains a failure; unknown ones are returned unchanged.
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
	case "logs-out":
		return "it ends the session that the crawl is logged in with"
	case "bad-url":
		return "no address on the Web, or a port of another protocol"
	case "no-such-host":
		return "the name has no address"
	case "lookup":
		return "the name could not be looked up"
	case "private":
		return "an address that a crawl must not reach"
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
	case "source":
		return "fetched for its links alone"
	case "error":
		return "no connection, no answer in time, or another failure of the network"
	}
	return ""
}
