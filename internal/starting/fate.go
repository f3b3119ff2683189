// Package starting helps users start a crawl and fix one that did not start: it explains seeds that yielded
// no page, names the limit that ended a crawl, and writes starter crawl files. It fetches nothing, and
// neutralizes terminal control sequences in text from the Web.
package starting

import (
	"cmp"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/fetch/guard"
	"orbweaver/internal/console"
	"orbweaver/internal/order"
	"orbweaver/internal/step"
)

// ErrNothing is the failure of a crawl that ended without fetching a page. The command line maps it to a separate exit
// status.
const ErrNothing orbweaver.Failure = "nothing-fetched"

// ErrHostsDown and ErrNetworkDown are the failures of a crawl that ended while requests waited that may be answered later:
// the same command goes on. The command line maps each to its exit status.
const (
	ErrHostsDown   orbweaver.Failure = "hosts-down"
	ErrNetworkDown orbweaver.Failure = "network-down"
)

// A Fate is the reason why a seed gave no page.
type Fate struct {
	Seed string
	At   string            // the URL that failed, if the seed redirected to it; otherwise empty
	Why  orbweaver.Failure // a failure, or the reason for which a link is refused
	Rule string            // the scope pattern, the robots.txt line or the focus's reason

	Status int    // HTTP status
	Detail string // details of the failure
	Proxy  bool   // the crawl uses a proxy
	Web    bool   // the crawl is over an archive

	Searched bool // a search engine named the seed
}

// Reason returns the reason on one line.
func (f Fate) Reason() string {
	words := f.words()
	if f.At != "" {
		words += ", at " + console.Visible(f.At, shownURL) + ", where it redirects to"
	}
	return words
}

// Maximum lengths of shown text from the Web, in characters.
const (
	shownURL  = 200
	shownText = 160
)

func (f Fate) words() string {
	rule := console.Visible(f.Rule, shownText)
	switch string(f.Why) {
	case step.RefusedScope:
		if rule == "" {
			return "out of scope: no pattern of scope covers it"
		}
		return "out of scope: excluded by " + rule
	case step.RefusedRobots:
		return "robots.txt forbids it: " + cmp.Or(rule, "no line is known any more")
	case step.RefusedDropped:
		return strings.TrimSuffix("the focus dropped it: "+rule, ": ")
	}
	switch f.Why {
	case orbweaver.ErrStatus:
		return strings.TrimSpace(fmt.Sprintf("status %d %s", f.Status, statusText(f.Status)))
	case orbweaver.ErrAbsent:
		return "the archive does not have it"
	}
	return strings.TrimSuffix(fmt.Sprintf("%s: %s", f.Why, console.Visible(f.Detail, shownText)), ": ")
}

// Mend returns what the user can do, as a sentence without a full stop.
func (f Fate) Mend() string {
	switch string(f.Why) {
	case step.RefusedScope:
		return "let scope admit it, or name another seed"
	case step.RefusedRobots:
		if f.Web {
			return "name a seed that it allows, or write web: {robots: ignore}"
		}
		return "name a seed that it allows; politeness.contact says who asks"
	case step.RefusedDropped:
		return "name a seed that the focus follows"
	}
	switch f.Why {
	case orbweaver.ErrStatus:
		return mendStatus(f.Status)
	case orbweaver.ErrPrivate:
		if f.led() {
			return "a stranger's page led there, which a crawl does not follow: name another seed"
		}
		return "if this network is yours, write allow_private: [" + f.network() + "]"
	case orbweaver.ErrBadURL:
		port, refused := f.port()
		if !refused || f.led() {
			break
		}
		return "if a website is there, write allow_ports: [" + port + "]"
	case orbweaver.ErrAbsent:
		return "name a page of the archive: orbweaver replay lists them"
	}
	return mendFailure(f.Why, f.Proxy)
}

// mendStatus is Mend for a response with an error status.
func mendStatus(status int) string {
	switch {
	case status == 401, status == 407:
		return "it is for those who log in, which a crawl cannot: name a public page"
	case status == 403, status == 451:
		return "the server does not let this crawler in: politeness.contact and user_agent say who asks"
	case status == 404, status == 410:
		return "check its address in a browser"
	case status == 429, status == 503:
		return "the server wants fewer requests: run the same command later, politeness.delay may be longer"
	case status >= 500:
		return "the server failed: run the same command later"
	}
	return "look at it in a browser, and name another seed"
}

// mendFailure is Mend for a request that failed before or during the response.
func mendFailure(why orbweaver.Failure, proxied bool) string {
	proxy := ""
	if proxied {
		proxy = ", and politeness.proxy"
	}
	switch why {
	case orbweaver.ErrNoHost:
		return "check the spelling of the host" + proxy
	case orbweaver.ErrLookup:
		return "check this machine's network, then run the same command" + proxy
	case orbweaver.ErrConnect, orbweaver.ErrGaveUp, orbweaver.ErrCut:
		return "check host and port" + proxy + "; if they are right, run the same command later"
	case orbweaver.ErrTLS:
		return "look at the certificate in a browser; without encryption the seed begins with http://"
	case orbweaver.ErrTimeout:
		return "run the same command later, or give it longer: politeness: {timeout: 2m}"
	case orbweaver.ErrTooLarge:
		return "raise limits.body"
	case step.ErrWall:
		return "the site lets no crawler in: ask its owner, who may admit user_agent, for its data or an API"
	case step.ErrSoft404:
		return "check its address in a browser"
	case step.ErrConsent:
		return "the site shows nothing before its reader consents: name a page behind that, or another seed"
	case step.ErrLogin:
		return "the page is for those who log in: see login in the crawl file, or name a public page"
	case step.ErrParked:
		return "nobody uses the domain any more: name another seed"
	case step.ErrMaintenance:
		return "the site is being worked on: run the same command later"
	case orbweaver.ErrRedirects:
		return "name the address that it leads to, or raise limits.redirects"
	}
	return "look at it in a browser, and name another seed"
}

// network returns the private network of the refused address in the failure's detail, such as "10.0.0.0/8".
func (f Fate) network() string {
	g := guard.New(false, nil)
	network := "127.0.0.0/8"
	for word := range strings.FieldsSeq(f.Detail) {
		addr, err := netip.ParseAddr(strings.Trim(word, ",;:[]()"))
		if err != nil {
			continue
		}
		if n, special := g.Network(addr); special {
			network = n.String() // an embedded address (NAT64, 6to4) comes last
		}
	}
	return network
}

// port returns the port in the failure's detail, if the guard refused it.
func (f Fate) port() (port string, refused bool) {
	_, rest, _ := strings.Cut(f.Detail, "port ")
	port, _, refused = strings.Cut(rest, " belongs to another protocol")
	return port, refused
}

// led reports whether others chose the address: the user did not name it, and is not told to open it.
func (f Fate) led() bool { return f.At != "" || f.Searched }

// statusText returns a short meaning of a status in parentheses.
func statusText(status int) string {
	switch status {
	case 401:
		return "(log in)"
	case 403:
		return "(forbidden)"
	case 404:
		return "(not found)"
	case 410:
		return "(gone)"
	case 429:
		return "(too many requests)"
	}
	if status >= 500 {
		return "(the server failed)"
	}
	return ""
}

// Failure returns the failure of a request's error and the rest of its message.
func Failure(err error) (why orbweaver.Failure, detail string) {
	why = orbweaver.FailureOf(err)
	_, detail, found := strings.Cut(err.Error(), ": "+string(why)+": ")
	if !found {
		detail = strings.TrimSuffix(strings.TrimSuffix(err.Error(), string(why)), ": ")
		if _, rest, named := strings.Cut(detail, ": "); named { // "fetch URL: …"
			detail = rest // without the request, which the seed names
		} else {
			detail = ""
		}
	}
	return why, detail
}

// Lines formats fates as lines: each seed with its reason, and after each group with the same Mend the remedy. Beyond
// most, it only counts seeds.
func Lines(fates []Fate, most int) []string {
	var lines []string
	for i, f := range fates[:min(len(fates), most)] {
		lines = append(lines, console.Visible(f.Seed, shownURL)+": "+f.Reason())
		if mend := f.Mend(); i+1 >= min(len(fates), most) || fates[i+1].Mend() != mend {
			lines = append(lines, "    → "+mend)
		}
	}
	if more := len(fates) - most; more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	return lines
}

// Sorted groups fates by Mend, the groups in the order of their first seeds.
func Sorted(fates []Fate) []Fate {
	first := map[string]int{}
	for i, f := range fates {
		if _, known := first[f.Mend()]; !known {
			first[f.Mend()] = i
		}
	}
	sorted := slices.Clone(fates)
	order.Stably(sorted, func(a, b Fate) int { return cmp.Compare(first[a.Mend()], first[b.Mend()]) })
	return sorted
}
