package store

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"net/netip"
	"time"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/krsdb"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/eval"
	"orbweaver/server/sparql"
)

// ServeJob configures Serve.
type ServeJob struct {
	Data    QueryData
	Listen  string // address and port; port 0: any that is free
	Update  bool   // clients may update the data: the folder's store, or the files' data in memory
	Time    time.Duration
	MaxRows int64
	Web     bool     // SERVICE and LOAD reach the Web
	Private bool     // they reach private addresses too
	Hosts   []string // host names accepted in requests, besides localhost and IP addresses
	Origins []string // origins of browser pages that may query, besides this machine's; "*": any
}

// Serve answers SPARQL over HTTP until ctx ends, which is not an error. It prints the address. The error
// wraps ErrInput when the data cannot be read or the address cannot be listened on.
func Serve(ctx context.Context, a *job.Job, job ServeJob) error {
	if job.Update && krsdb.Is(job.Data.Crawl) {
		return unchangeable(job.Data.Crawl)
	}
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", job.Listen)
	if err != nil {
		return fmt.Errorf("--listen %s: %w (%w)", job.Listen, err, orbweaver.ErrInput)
	}
	live, end, err := servedStore(ctx, a, job.Data)
	if err != nil {
		_ = l.Close()
		return err
	}
	opts := sparql.Options{Time: job.Time, MaxRows: job.MaxRows, Hosts: job.Hosts, Origins: job.Origins}
	if job.Update {
		opts.Updates = live
	}
	opts.Extend = func(ctx context.Context, r quads.Reader, o eval.Options) (eval.Options, func() error) {
		text := &textSearch{store: r, open: indexInMemory(r)}
		if folder, is := live.(*folderStore); is {
			text.open = func(ctx context.Context) (*Index, error) { return folder.Index(ctx, 0) }
		}
		return computed(r, text.with(ctx, o)), text.Close
	}
	if job.Web {
		web := federationOf(a, job.Private)
		defer web.Close()
		opts.Service, opts.Loader = web, web
	}
	if job.Data.Crawl != "" {
		opts.MaxQuads = math.MaxInt64 // the quads are on disk
	}
	if err := printServe(a, live, l.Addr(), job); err != nil {
		_ = l.Close()
		return errors.Join(err, end())
	}
	return errors.Join(sparql.New(live, opts).Serve(ctx, l), end())
}

// servable is a store that can be served and updated.
type servable interface {
	sparql.Store
	sparql.Updater
}

// servedStore opens the store of a folder, the RDF of a KRS, or a store in memory with the data of files. The caller must call
// the returned function to close it.
func servedStore(ctx context.Context, a *job.Job, d QueryData) (servable, func() error, error) {
	if krsdb.Is(d.Crawl) {
		s, err := openKRS(d.Crawl)
		if err != nil {
			return nil, nil, err
		}
		return s, s.store.Close, nil
	}
	if d.Crawl != "" {
		return serveFolder(ctx, a, d.Crawl)
	}
	memory, err := loadData(ctx, a, d)
	if err != nil {
		return nil, nil, err
	}
	return sparql.NewMemory(memory), func() error { return nil }, nil
}

// printServe prints what is served at which address, and warns if other machines can reach it.
func printServe(a *job.Job, live servable, addr net.Addr, job ServeJob) error {
	r, release, err := live.Snapshot()
	if err != nil {
		return err
	}
	n, err := r.Count(quads.Pattern{S: quads.Any, P: quads.Any, O: quads.Any, G: quads.Any})
	if err = errors.Join(err, release()); err != nil {
		return err
	}
	at, err := netip.ParseAddrPort(addr.String())
	if err == nil && !at.Addr().IsLoopback() {
		may := "read the data"
		if job.Update {
			may = "read and change the data"
		}
		console.Say(a.Err, "warning: %s is reachable from other machines: anyone who connects can %s", at, may)
		if at.Addr().IsUnspecified() {
			at = netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), at.Port())
		}
	}
	here := "http://" + at.String()
	changes := "changes are refused"
	switch {
	case job.Update && job.Data.Crawl != "":
		changes = "changes are kept in the folder"
	case job.Update:
		changes = "changes are made in memory, and lost at the end"
	}
	console.Say(a.Out, "%d statements; %s", n, changes)
	console.Say(a.Out, "  SPARQL       %s/sparql", here)
	console.Say(a.Out, "  graph store  %s/graphs", here)
	console.Say(a.Out, "  statistics   %s/.well-known/void", here)
	console.Say(a.Out, "Ctrl-C ends it")
	return nil
}
