//go:build e2e && linux

package cluster_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"orbweaver/engine"
	"orbweaver/fetch/client"
	"orbweaver/internal/assembly"
	"orbweaver/internal/cluster/addresses"
	"orbweaver/internal/cluster/bus"
	"orbweaver/internal/cluster/courier"
	"orbweaver/internal/cluster/record"
	"orbweaver/internal/cluster/worker"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/manners"
	"orbweaver/internal/run"
	"orbweaver/internal/services/wire"
	"orbweaver/internal/starting"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// asWorker is the first argument of a test binary that is a worker.
const asWorker = "as-worker"

// An order is what a worker is to do.
type order struct {
	Worker     string
	Servers    []string // URLs
	Web        string   // where connections to the web begin
	Hosts      map[string]string
	Seeds      []string
	Expect     int
	Partitions int
	Replicas   int
	Lease      time.Duration
	Checkpoint time.Duration
	Delay      time.Duration
	Folder     string
	Storage    string // empty: none
}

// A process is the state of a worker that its standard input changes.
type process struct {
	order order
	jump  atomic.Int64 // seconds by which its clock is wrong
	slow  atomic.Int64 // nanoseconds that a flush takes more
	drain chan struct{}
	stop  context.CancelFunc
}

// now is the time of day by a clock that was set anew: time that has passed is measured as ever.
func (p *process) now() time.Time {
	t := time.Now()
	if jump := p.jump.Load(); jump != 0 {
		wall := (*uint64)(unsafe.Pointer(&t)) // a flag, 33 bits of seconds and 30 of nanoseconds; what has passed is in the next word
		*wall += uint64(jump) << 30
	}
	return t
}

// obey reads what a test wants of the worker. It ends with the test.
func (p *process) obey() {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		what, value, _ := strings.Cut(in.Text(), " ")
		switch what {
		case "drain":
			close(p.drain)
		case "stop":
			p.stop()
		case "clock":
			d, _ := time.ParseDuration(value)
			p.jump.Store(int64(d / time.Second))
		case "slow":
			d, _ := time.ParseDuration(value)
			p.slow.Store(int64(d))
		}
	}
	os.Exit(2)
}

// work is the life of a worker.
func work(text string) error {
	p := &process{drain: make(chan struct{})}
	if err := json.Unmarshal([]byte(text), &p.order); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	p.stop = stop
	go p.obey()
	o := p.order
	b, err := bus.Dial(ctx, bus.Options{Crawl: "test", Worker: o.Worker, URLs: o.Servers, Partitions: o.Partitions, Replicas: o.Replicas, Now: p.now})
	if err != nil {
		return err
	}
	defer b.Close()
	kept, err := p.storage(ctx)
	if err != nil {
		return err
	}
	w, err := worker.Join(ctx, worker.Options{
		Bus: b, Worker: o.Worker, Expect: o.Expect, Folder: filepath.Join(o.Folder, "crawl"), Record: kept, Checkpoint: o.Checkpoint, Lease: o.Lease, Block: 8,
		Partitions: o.Partitions, Addresses: addresses.Times{Grant: 2 * o.Lease / 3, Slack: o.Lease / 3}, Manner: courier.Manner{Linger: 20 * time.Millisecond, Patience: time.Second},
	})
	if err != nil {
		return err
	}
	go func() {
		<-p.drain
		w.Drain()
	}()
	err = errors.Join(p.crawl(ctx, w), w.Close(context.WithoutCancel(ctx)))
	if errors.Is(err, starting.ErrNothing) || w.Drained() && errors.Is(err, console.ErrInterrupted) { // it had nothing to do, or has no more
		return nil
	}
	return err
}

// storage opens the record, if there is one.
func (p *process) storage(ctx context.Context) (*record.Record, error) {
	if p.order.Storage == "" {
		return nil, nil
	}
	return record.Open(ctx, p.order.Storage, "test")
}

// crawl is the session of the crawl.
func (p *process) crawl(ctx context.Context, w *worker.Worker) error {
	o := p.order
	file := filepath.Join(o.Folder, "live.yaml")
	text := fmt.Sprintf("seeds: [%s]\nfocus: {breadth_first: {}}\nallow_private: true\ntraps: off\noutput: %s\npoliteness: {delay: %v, contact: me@example.org, timeout: 10s}\n",
		strings.Join(o.Seeds, ", "), filepath.Join(o.Folder, "crawl"), o.Delay)
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		return err
	}
	a := &job.Job{Console: console.Console{Out: os.Stdout, Err: os.Stderr}, Alone: true, Wire: wire.Wire{
		Options: client.Options{Resolve: p.resolve, Dial: p.dial}, Hosts: manners.New(),
	}}
	_, err := run.Session(ctx, a, assembly.FromFile(a, file), 0, run.Hooks{
		Share: func(cfg *engine.Config, l *ledger.Ledger) (func(context.Context, *engine.Crawl) (step.Progress, error), error) {
			flush := cfg.Flush
			cfg.Flush = func() error {
				if slow := time.Duration(p.slow.Load()); slow > 0 {
					<-time.After(slow)
				}
				return flush()
			}
			return w.Run, w.Share(cfg, l)
		},
	})
	return err
}

// resolve is the names of the web.
func (p *process) resolve(_ context.Context, name string) ([]netip.Addr, error) {
	at, known := p.order.Hosts[name]
	if !known {
		return nil, &net.DNSError{Err: "no such host", Name: name, IsNotFound: true}
	}
	addr, err := netip.ParseAddr(at)
	return []netip.Addr{addr}, err
}

// dial connects to an address of the web, through the test.
func (p *process) dial(ctx context.Context, addr netip.AddrPort) (net.Conn, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", p.order.Web)
	if err == nil {
		_, err = fmt.Fprintf(conn, "%s %s\n", p.order.Worker, addr)
	}
	return conn, err
}
