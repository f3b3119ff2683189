// Package linked looks at a crawl of linked data while it runs and at rest: which classes of links were predicted and which they truly
// are, in all, by rule and by host (tables I and II of the paper), and the health of the SPARQL endpoints that the crawl asks.
//
// A Look keeps what it counted of pages.jsonl: the next one reads what was added. What the classes of HTML pages are follows from
// the web graph, which is read anew, as a link may have been followed meanwhile.
package linked

import (
	"context"
	"slices"
	"sync"
	"time"

	"orbweaver"
	"orbweaver/eval"
	"orbweaver/internal/services/endpoints"
	"orbweaver/internal/step"
)

// A Crawl is what a Look reads of a crawl.
type Crawl struct {
	Journal  string            // path of pages.jsonl
	Outcomes int64             // lines of it that are committed
	State    string            // changes with what Graph answers, at rest
	Running  bool              // the graph is that of a running crawl
	Links    *eval.LinkOptions // nil: the focus predicts no classes
	Graph    eval.Graph

	Waiting  func(context.Context) (queries map[string]int, all bool, err error)        // waiting queries by endpoint; whether these are all
	Book     func() (*endpoints.Book, error)                                            // what crawls observed of endpoints; may be nil
	Accounts func(ctx context.Context, hosts []string) (map[string]step.Account, error) // of hosts of the live Web, those that have one
}

// A Query selects parts of Data.
type Query struct {
	Hosts     Part `json:"hosts,omitzero"`
	Endpoints Part `json:"endpoints,omitzero"`
}

// A Part is a part of a list.
type Part struct {
	Name  string `json:"name,omitempty"`  // only those whose name contains this; empty: all
	Skip  int    `json:"skip,omitempty"`  // rows
	Limit int    `json:"limit,omitempty"` // most rows; 0: 50, at most 1000
}

// Bounds of a part.
const (
	usualRows = 50
	mostRows  = 1000
)

// rows returns the number of rows of a part.
func (p Part) rows() int {
	if p.Limit <= 0 {
		return usualRows
	}
	return min(p.Limit, mostRows)
}

// of returns the part of a list.
func of[T any](p Part, all []T) []T {
	all = all[min(max(p.Skip, 0), len(all)):]
	return all[:min(p.rows(), len(all))]
}

// Data is what a crawl shows of linked data.
type Data struct {
	Outcomes       int64             `json:"outcomes"`          // that are counted
	Links          *Links            `json:"links,omitempty"`   // nil: no classes of links were predicted
	Triples        *eval.DataFigures `json:"triples,omitempty"` // by how they were found; nil: none were
	Hosts          []Host            `json:"hosts"`             // a part of those with requests, those with most first
	HostsTotal     int               `json:"hosts_total"`
	Endpoints      []Endpoint        `json:"endpoints"` // a part of those that were asked or will be, those in trouble first, then by queries
	EndpointsTotal int               `json:"endpoints_total"`
}

// A Look is all that was counted of a crawl. The zero value has counted nothing. It is safe for concurrent use.
type Look struct {
	mu    sync.Mutex
	links *eval.LinkCount
	data  eval.DataTally
	asked map[string]*asking // by endpoint
	journal
	pages []int64 // offsets of lines whose classes follow from the graph

	decided decided
}

// A decided is when classes were last determined by the graph.
type decided struct {
	outcomes int64
	state    string
	running  bool
	ended    time.Time
	took     time.Duration
}

// share is the part of the time that looks at a running crawl may spend in its graph: one in so many.
const share = 20

// Of looks at a crawl.
func (l *Look) Of(ctx context.Context, c Crawl, q Query) (d Data, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.read(ctx, c); err != nil {
		return d, err
	}
	d = Data{Outcomes: l.n, Hosts: []Host{}, Triples: l.data.Figures()}
	if c.Links != nil {
		if err := l.decide(ctx, c); err != nil {
			return d, err
		}
		if f := l.links.Figures(); f != nil {
			d.Links = linksOf(f)
		}
		hosts, total := l.links.Hosts(q.Hosts.Name, q.Hosts.Skip, q.Hosts.rows())
		d.HostsTotal = total
		for _, h := range hosts {
			d.Hosts = append(d.Hosts, hostOf(h))
		}
	}
	all, err := l.endpoints(ctx, c, q.Endpoints.Name)
	d.Endpoints, d.EndpointsTotal = slices.Clone(of(q.Endpoints, all)), len(all)
	if d.Endpoints == nil {
		d.Endpoints = []Endpoint{}
	}
	return d, err
}

// read counts the lines that were committed since the last look; all of them if they are not those of before.
func (l *Look) read(ctx context.Context, c Crawl) error {
	l.journal.path = c.Journal
	goes, err := l.open()
	defer l.close()
	if err != nil || l.file == nil {
		return err
	}
	if !goes || l.links == nil || l.n > c.Outcomes {
		l.rewind()
		options := eval.LinkOptions{}
		if c.Links != nil {
			options = *c.Links
		}
		l.links, l.data, l.asked, l.pages, l.decided = eval.NewLinkCount(options), eval.DataTally{}, map[string]*asking{}, nil, decided{}
	}
	for line, err := range l.lines(c.Outcomes) {
		if err != nil {
			return err
		}
		if l.data.Add(&line.Line); line.Query != "" {
			l.answered(&line.Line)
		} else if l.links.Add(&line.Line) {
			l.pages = append(l.pages, line.at)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// decide determines classes of HTML pages by the graph. Nothing is decided again at rest if nothing has changed, and while the crawl
// runs not more often than every twentieth of the time allows: until then the classes of new pages are open.
func (l *Look) decide(ctx context.Context, c Crawl) error {
	if l.links == nil { // there is no pages.jsonl yet
		l.links = eval.NewLinkCount(*c.Links)
	}
	was, now := l.decided, decided{outcomes: l.n, state: c.State, running: c.Running}
	if was.outcomes == now.outcomes && was.state == now.state && was.running == now.running && !c.Running {
		return nil
	}
	if c.Running && was.running && time.Since(was.ended) < share*was.took {
		return nil
	}
	began := time.Now()
	if err := l.links.Decide(l.urls(ctx, l.pages), c.Graph); err != nil {
		return err
	}
	now.ended = time.Now()
	now.took = now.ended.Sub(began)
	l.decided = now
	return nil
}

// asking is what lines tell of the queries to an endpoint.
type asking struct {
	queries, answers int64
	failures         map[orbweaver.Failure]int64
	last             orbweaver.Failure // of the latest query; empty: it was answered
	row              int64             // failures since the latest answer
}
