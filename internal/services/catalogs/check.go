package catalogs

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"orbweaver/fetch/client"
	"orbweaver/fetch/sparql"
	"orbweaver/kb/catalog"
	"orbweaver/weburl"
)

// parallel is how many hosts are asked at a time, each by one connection.
const parallel = 32

// CheckOptions say how endpoints are asked.
type CheckOptions struct {
	Rows   int    // how many rows are asked for, to see whether they come; 0: none
	Format string // of CheckFormats
}

// CheckFormats are the formats of Check, the first being that of an empty name.
func CheckFormats() []string { return []string{"table", "json"} }

// A Checked is what an endpoint was seen to do.
type Checked struct {
	Dataset  string         `json:"dataset"`           // the first that it serves, by name
	Others   []string       `json:"others,omitempty"`  // it serves, with the same default graphs
	Endpoint string         `json:"endpoint"`          // as the catalogue has it
	Graphs   []string       `json:"graphs,omitempty"`  // that were asked for
	Moved    string         `json:"moved,omitempty"`   // where redirects led to
	Up       bool           `json:"up"`                // it answered a query
	Ask      sparql.Known   `json:"ask,omitempty"`     // it answers ASK; empty: not seen
	Union    sparql.Known   `json:"union,omitempty"`   // and a query with UNION
	Count    sparql.Known   `json:"count,omitempty"`   // and one with COUNT
	Dialect  sparql.Dialect `json:"dialect,omitzero"`  // version, GET and POST, formats, make, rows at which it stops
	Millis   int64          `json:"millis,omitempty"`  // median time of an answer, read to its end
	Asked    int            `json:"asked"`             // requests
	Reason   string         `json:"reason,omitempty"`  // of the first question without an answer: a word of fetch/sparql
	Message  string         `json:"message,omitempty"` // what was said instead
}

// Check asks each endpoint of the datasets what it can do, a few small questions each, and prints it in the
// order of datasets. A host is asked one question at a time, with a delay; many hosts are asked at once.
// Robots.txt is not looked at: an endpoint is there to be asked by programs, and this is a user's asking.
// Endpoints that fail are no error.
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

// endpoints are those of datasets, each with its default graphs once.
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

// byHost are endpoints in queues, one for each host.
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
	slices.SortStableFunc(queues, func(a, b []*Checked) int { return cmp.Compare(len(b), len(a)) }) // the longest take longest
	return queues
}

// A check is under way.
type check struct {
	catalogs *Catalogs
	client   *client.Client
	delay    time.Duration
	rows     int
	total    int

	mu       sync.Mutex
	done, up int
}

// run asks all endpoints, those of a queue one after the other.
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
		k.tell(e)
	}
}

// tell counts an endpoint and draws progress.
func (k *check) tell(e *Checked) {
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
