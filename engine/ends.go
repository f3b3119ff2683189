package engine

import (
	"strings"

	"orbweaver"
)

// The reasons why a crawl is over, in words.
const (
	EndExhausted = "nothing waits"
	EndCut       = "what is left is beyond a limit or forbidden"
	EndRequests  = endLimit + "requests"
	EndPages     = endLimit + "pages"
	EndBytes     = endLimit + "bytes"
	EndTime      = endLimit + "time"
	EndPerHost   = endLimit + "pages per host"
	EndHostsDown = "all that waits is at hosts that are down"
	EndNoHosts   = "all that waits is at hosts that do not exist, must not be reached, or answer with walls"
	EndNetwork   = "this machine's network is down"
	EndRefreshed = "all was asked again"
	EndSaturated = "hardly anything is left to accept"

	endLimit = "limit of "
)

// ends maps the reasons that are no limits to what End returns.
var ends = map[string]string{
	EndExhausted: "exhausted", EndCut: "exhausted", EndHostsDown: "hosts-down", EndNoHosts: "unreachable", EndNetwork: "network-down", EndRefreshed: "refreshed",
	EndSaturated: "saturated",
}

// End returns a reason why a crawl is over as one word: exhausted, limit, hosts-down, network-down, unreachable,
// refreshed or saturated; empty for an empty reason and for words that are none.
func End(words string) string {
	if strings.HasPrefix(words, endLimit) {
		return "limit"
	}
	return ends[words]
}

// Exhausted reports whether a crawl ended since no request was left that it could make.
func Exhausted(words string) bool { return words == EndExhausted || words == EndCut }

// Passes reports whether a crawl ended for a reason that passes: the same crawl may go on later.
func Passes(words string) bool { return words == EndHostsDown || words == EndNetwork }

// exhaustion says why a session is over in which no request can be made any more.
func (c *Crawl) exhaustion() string {
	var down, dead int
	if c.cfg.Live != nil {
		_, _, down = c.cfg.Live.Hosts.Prospect(0)
		dead = len(c.cfg.Live.Hosts.Down())
	}
	switch {
	case down > 0:
		return EndHostsDown
	case c.refreshes():
		return EndRefreshed
	case dead > 0:
		return EndNoHosts
	case len(c.cfg.Frontier.Group("*")) > 0:
		return EndPerHost
	}
	if c.cut() {
		return EndCut
	}
	return EndExhausted
}

// cut reports whether a limit kept something from the crawl: links (see step.Refused.Cuts), or documents larger than limits.body.
func (c *Crawl) cut() bool {
	for _, r := range c.cfg.Ledger.Refused() {
		if r.Cuts(c.progress.Threshold) {
			return true
		}
	}
	return c.cfg.Ledger.Failed(orbweaver.ErrTooLarge) > 0
}
