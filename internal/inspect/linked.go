package inspect

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"

	"orbweaver/internal/assembly"
	"orbweaver/internal/kind"
	"orbweaver/internal/linked"
	"orbweaver/internal/services/endpoints"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// LinkedData returns the classes of links of the crawl, and the health of its SPARQL endpoints.
func (h *Handle) LinkedData(ctx context.Context, q linked.Query) (linked.Data, error) {
	d, err := linkedCall.ask(ctx, h, q)
	if errors.Is(err, errNotBegun) {
		return linked.Data{Hosts: []linked.Host{}, Endpoints: []linked.Endpoint{}}, nil
	}
	return d, err
}

var linkedCall = call[linked.Query, linked.Data]{name: "linked", do: func(ctx context.Context, p *spot, q linked.Query) (d linked.Data, err error) {
	web := assembly.WebGraph{Ledger: p.ledger}
	c := linked.Crawl{
		Journal: filepath.Join(p.file.Output, ledger.JournalFile), Running: p.run != nil, Links: kind.AbilitiesOf(p.file.Focus).Links, Graph: web,
		Waiting: p.waitingQueries,
	}
	c.Accounts, c.Book = p.accounts, p.book
	if err := p.between(ctx, func() { c.Outcomes, c.State = p.ledger.Outcomed(), p.ledger.Progress().Ended }); err != nil {
		return d, err
	}
	if p.run != nil {
		c.Graph = assembly.MovingGraph{WebGraph: web, Between: func(f func()) error { return p.between(ctx, f) }}
	}
	return p.linked.Of(ctx, c, q)
}}

// book returns what is known of endpoints.
func (k *Knowledge) book() (*endpoints.Book, error) {
	if k.run != nil {
		return k.run.C.Book, nil
	}
	return endpoints.Load(assembly.EndpointsPath(k.file))
}

// accounts returns the accounts of hosts.
func (k *Knowledge) accounts(ctx context.Context, hosts []string) (found map[string]step.Account, err error) {
	found = map[string]step.Account{}
	ended := k.between(ctx, func() {
		if k.run != nil {
			for _, host := range hosts {
				if a, known := k.run.Turns.Account(host); known {
					found[host] = a
				}
			}
			return
		}
		for a, failed := range k.ledger.Accounts() {
			if err = failed; err != nil {
				return
			}
			if slices.Contains(hosts, a.Host) {
				found[a.Host] = a
			}
		}
	})
	return found, cmp.Or(ended, err)
}

// waitingAtOnce bounds the waiting requests that are looked at for queries.
const waitingAtOnce = 5000

// waitingQueries counts waiting queries by endpoint, among the first that wait.
func (k *Knowledge) waitingQueries(ctx context.Context) (queries map[string]int, all bool, err error) {
	queries, n := map[string]int{}, 0
	ended := k.between(ctx, func() {
		for w, failed := range k.ledger.AllWaiting() {
			if err = cmp.Or(failed, ctx.Err()); err != nil {
				return
			}
			if n++; n > waitingAtOnce {
				return
			}
			if w.Query != "" {
				queries[endpoints.Bare(w.URL)]++
			}
		}
	})
	return queries, n <= waitingAtOnce, cmp.Or(ended, err)
}
