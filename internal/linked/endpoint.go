package linked

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/internal/order"
	"orbweaver/internal/services/endpoints"
	"orbweaver/internal/step"
	"orbweaver/ledger"
	"orbweaver/weburl"
)

// maxEndpoints bounds the endpoints that are counted; further ones are left out.
const maxEndpoints = 100_000

// States of an endpoint.
const (
	Down     = "down"     // its host does not answer
	Failing  = "failing"  // its latest query failed
	Resting  = "resting"  // its latest query failed, and the host gets no request for a while
	Awaiting = "awaiting" // it was not asked yet
	Answers  = "answers"  // its latest query was answered
)

// An Endpoint is what a crawl asked of a SPARQL endpoint, or of a dataset on this machine, and how it is.
type Endpoint struct {
	URL      string            `json:"url"`                   // without parameters of the protocol
	Queries  int64             `json:"queries"`               // of this crawl, each counted once however often it was tried
	Answers  int64             `json:"answers"`               // of them
	Failures []Failed          `json:"failures"`              // of the others, the most frequent first
	InRow    int64             `json:"in_row,omitempty"`      // queries that failed since the latest answer
	Waiting  int               `json:"waiting,omitempty"`     // queries that wait
	AtLeast  bool              `json:"at_least,omitempty"`    // more may wait
	Known    *endpoints.Health `json:"observed,omitempty"`    // requests on the wire, of all crawls that share the record; nil: none were observed
	State    string            `json:"state"`                 // see the constants
	Again    time.Time         `json:"next_request,omitzero"` // when its host may be asked again, if that is known and to come
	Why      string            `json:"why"`                   // the state in a sentence
}

// A Failed is a number of queries that failed for a reason.
type Failed struct {
	Reason orbweaver.Failure `json:"reason"`
	N      int64             `json:"n"`
}

// answered counts a query.
func (l *Look) answered(line *ledger.Line) {
	url := endpoints.Bare(line.URL)
	a := l.asked[url]
	if a == nil {
		if len(l.asked) >= maxEndpoints {
			return
		}
		a = &asking{failures: map[orbweaver.Failure]int64{}}
		l.asked[strings.Clone(url)] = a
	}
	a.queries++
	if a.last = line.Error; a.last == "" {
		a.answers++
		a.row = 0
		return
	}
	a.row++
	a.failures[a.last]++
}

// endpoints returns the endpoints whose URL contains a name.
func (l *Look) endpoints(ctx context.Context, c Crawl, name string) (all []Endpoint, err error) {
	waiting, every, err := c.Waiting(ctx)
	if err != nil {
		return nil, err
	}
	urls, hosts := map[string]bool{}, map[string]bool{}
	for _, url := range slices.Concat(slices.Collect(maps.Keys(l.asked)), slices.Collect(maps.Keys(waiting))) {
		if strings.Contains(url, name) {
			urls[url], hosts[weburl.Host(url)] = true, true
		}
	}
	if len(urls) == 0 {
		return nil, nil
	}
	book, err := c.Book()
	if err != nil {
		return nil, err
	}
	accounts, err := c.Accounts(ctx, slices.Collect(maps.Keys(hosts)))
	if err != nil {
		return nil, err
	}
	for _, url := range slices.Sorted(maps.Keys(urls)) {
		e := Endpoint{URL: url, Failures: []Failed{}, Waiting: waiting[url], AtLeast: !every}
		if h, ok := book.Of(url); ok {
			e.Known = &h
		}
		e.judge(e.count(l.asked[url]), accounts[weburl.Host(url)], c.Running)
		all = append(all, e)
	}
	trouble := func(e Endpoint) int {
		return slices.Index([]string{Down, Resting, Failing, Awaiting, Answers}, e.State)
	}
	order.Stably(all, func(a, b Endpoint) int {
		return cmp.Or(cmp.Compare(trouble(a), trouble(b)), cmp.Compare(b.Queries, a.Queries))
	})
	return all, nil
}

// count sets the figures of an endpoint. It returns why its latest query failed, if it did.
func (e *Endpoint) count(a *asking) orbweaver.Failure {
	if a == nil {
		return ""
	}
	e.Queries, e.Answers, e.InRow = a.queries, a.answers, a.row
	for why, n := range a.failures {
		e.Failures = append(e.Failures, Failed{why, n})
	}
	order.By(e.Failures, func(a, b Failed) int {
		return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Reason, b.Reason))
	})
	return a.last
}

// judge sets the state of an endpoint.
func (e *Endpoint) judge(failed orbweaver.Failure, account step.Account, running bool) {
	if running && account.Rest.After(time.Now()) {
		e.Again = account.Rest
	}
	switch {
	case account.Down != "":
		e.State, e.Why = Down, "Its host is down: "+reason(account.Down)+". "+next(running)
	case e.Queries == 0:
		e.State, e.Why = Awaiting, "It was not asked yet."
	case failed == "":
		e.State, e.Why = Answers, "Its latest query was answered."
	case !e.Again.IsZero():
		e.State, e.Why = Resting, e.failing(failed)+" Its host rests after that, and is asked again then."
	default:
		e.State, e.Why = Failing, e.failing(failed)
		switch {
		case e.Waiting == 0:
			e.Why += " Nothing waits for it: it is not asked again."
		case running:
			e.Why += " It is asked again when its turn comes."
		default:
			e.Why += " The next session asks it again."
		}
	}
}

// failing says that the latest queries failed.
func (e *Endpoint) failing(why orbweaver.Failure) string {
	if e.InRow == 1 {
		return "Its latest query failed: " + reason(why) + "."
	}
	return fmt.Sprintf("Its latest %d queries failed, the last because %s.", e.InRow, reason(why))
}

// next says when a host that is down is asked again.
func next(running bool) string {
	if running {
		return "It gets one request after half a minute, then ever more rarely, up to half an hour apart, and is up with the first answer."
	}
	return "The next session asks it again."
}

// reason says in words why a query failed.
func reason(why orbweaver.Failure) string {
	words := map[orbweaver.Failure]string{
		orbweaver.ErrNoHost: "its name has no address", orbweaver.ErrLookup: "its name could not be looked up", orbweaver.ErrConnect: "it took no connection",
		orbweaver.ErrTLS: "no secure connection came about", orbweaver.ErrTimeout: "no answer came in time", orbweaver.ErrCut: "the connection ended before the answer did",
		orbweaver.ErrGaveUp: "its host failed too often to be asked again", orbweaver.ErrTooLarge: "the answer was larger than the limits allow",
		orbweaver.ErrQuery: "it cannot read or evaluate such a query", orbweaver.ErrForbidden: "it is not for us, or for those who log in",
		orbweaver.ErrNoEndpoint: "something else is at its address: a form, a page, nothing", orbweaver.ErrEndpoint: "it failed by itself, or is overloaded or under maintenance",
		orbweaver.ErrAnswer: "its answer ended early or could not be read", orbweaver.ErrMalformed: "its answer was no HTTP", orbweaver.ErrBadTarget: "it redirects to nowhere",
		orbweaver.ErrRedirects: "it redirects too often", orbweaver.ErrRobots: "robots.txt forbids it", orbweaver.ErrPrivate: "it is at a private address, which a crawl reaches with allow_private alone",
		orbweaver.ErrBadURL: "its address is none that a crawler may request", orbweaver.ErrAbsent: "the archive has no answer to it", orbweaver.ErrScope: "the scope excludes it",
	}
	return cmp.Or(words[why], "the reason is "+string(why))
}
