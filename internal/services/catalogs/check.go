package catalogs

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"orbweaver/fetch/client"
	"orbweaver/fetch/sparql"
	"orbweaver/internal/order"
	"orbweaver/kb/catalog"
	"orbweaver/weburl"
)

// parallel is the number of hosts queried at a time, each over one connection.
const parallel = 32

// CheckOptions configures Check.
type CheckOptions struct {
	Rows   int    // number of rows to request as a test; 0: no test
	Format string // one of CheckFormats
}

// CheckFormats returns the formats of Check, the default first.
func CheckFormats() []string { return []string{"table", "json"} }

// Checked is the observed behaviour of an endpoint.
type Checked struct {
	Dataset  string         `json:"dataset"`           // the first dataset that it serves, by name
	Others   []string       `json:"others,omitempty"`  // other datasets with the same default graphs
	Endpoint string         `json:"endpoint"`          // as the catalogue has it
	Graphs   []string       `json:"graphs,omitempty"`  // default graphs of the queries
	Moved    string         `json:"moved,omitempty"`   // target of redirects
	Up       bool           `json:"up"`                // it answered a query
	Ask      sparql.Known   `json:"ask,omitempty"`     // ASK works; empty: not tested
	Union    sparql.Known   `json:"union,omitempty"`   // UNION works
	Count    sparql.Known   `json:"count,omitempty"`   // COUNT works
	Dialect  sparql.Dialect `json:"dialect,omitzero"`  // version, methods, formats, software, row limit
	Millis   int64          `json:"millis,omitempty"`  // median time of an answer, read to its end
	Asked    int            `json:"asked"`             // number of requests
	Reason   string         `json:"reason,omitempty"`  // class of the first unanswered query, as in fetch/sparql
	Message  string         `json:"message,omitempty"` // error message of the endpoint
}

// Check tests each endpoint of the datasets with a few cheap queries, and prints its behaviour in the
// order of datasets. It sends a host one query at a time, with a delay, and queries many hosts in
// parallel. It ignores robots.txt, because endpoints are made for programs and it acts for a user. A
// failing endpoint is not an error.
func (c *Catalogs) Check(ctx context.Context, s Sources, o CheckOptions) error {
	datasets, err := c.load(ctx, s)
	if err != nil {
		return err
	}
	all := endpoints(datasets)
	web := c.connect(s, endpointTime)
	defer web.Close()
	k := &check{catalogs: c, client: web, delay: s.Delay, rows: o.Rows, total: len(all)}
	k.run(ctx, byHost(all))
	if err := ctx.Err(); err != nil {
		return err
	}
	if o.Format == "json" {
		return asJSON(c.Out, all)
	}
	return checkTable(c.Out, all)
}

// endpoints returns the endpoints of datasets, each combination with default graphs once.
func endpoints(datasets []catalog.Dataset) []*Checked {
	var all []*Checked
	known := map[string]*Checked{}
	for _, d := range datasets {
		for _, address := range d.Endpoints {
			key := address + "\n" + lines(d.Graphs)
			if other := known[key]; other != nil {
				other.Others = append(other.Others, d.Name)
				continue
			}
			known[key] = &Checked{Dataset: d.Name, Endpoint: address, Graphs: d.Graphs}
			all = append(all, known[key])
		}
	}
	return all
}

// byHost groups endpoints into queues, one per host.
func byHost(all []*Checked) (queues [][]*Checked) {
	at := map[string]int{}
	for _, e := range all {
		host := weburl.Hostname(e.Endpoint)
		i, known := at[host]
		if !known {
			i = len(queues)
			at[host] = i
			queues = append(queues, nil)
		}
		queues[i] = append(queues[i], e)
	}
	order.Stably(queues, func(a, b []*Checked) int { return cmp.Compare(len(b), len(a)) }) // longest queue first
	return queues
}

// check is the state of Check.
type check struct {
	catalogs *Catalogs
	client   *client.Client
	delay    time.Duration
	rows     int
	total    int

	mu       sync.Mutex
	done, up int
}

// run tests all endpoints, those of a queue one after the other.
func (k *check) run(ctx context.Context, queues [][]*Checked) {
	var all sync.WaitGroup
	turns := make(chan []*Checked)
	for range min(parallel, len(queues)) {
		all.Go(func() {
			for queue := range turns {
				k.queue(ctx, queue)
			}
		})
	}
	for _, queue := range queues {
		turns <- queue
	}
	close(turns)
	all.Wait()
	if k.catalogs.Terminal && k.total > 0 {
		say(k.catalogs.Err, "")
	}
}

func (k *check) queue(ctx context.Context, queue []*Checked) {
	for i, e := range queue {
		if i > 0 && wait(ctx, k.delay) != nil || ctx.Err() != nil {
			return
		}
		p := &probe{check: k, Checked: e, endpoint: sparql.Endpoint{URL: e.Endpoint, Graphs: e.Graphs}}
		p.run(ctx)
		k.count(e)
	}
}

// count counts a tested endpoint and redraws the progress line.
func (k *check) count(e *Checked) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.done++
	if e.Up {
		k.up++
	}
	if k.catalogs.Terminal {
		fmt.Fprintf(k.catalogs.Err, "\r%d of %s asked, %d up\x1b[K", k.done, counted(k.total, "endpoint"), k.up)
	}
}
