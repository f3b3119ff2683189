package bus

import (
	"context"
	"fmt"
	"net"
	"sync"
	"testing"
)

// TestAllAway: when all servers were away and are back, parcels go on, and owners are who they were. It is the
// longest test, since servers take seconds to elect a leader twice: it stands first, so that the others run beside it.
func TestAllAway(t *testing.T) {
	t.Parallel()
	c := startTrio(t, func(o *ServerOptions) { o.User, o.Password, o.SyncAlways = "crawler", "secret", true })
	as := func(o *Options) { o.URLs, o.Replicas, o.User, o.Password = c.urls(), 3, "crawler", "secret" }
	p := open(t, dial(t, "sender", as), dial(t, "reader", as))
	session, err := p.sender.Join(soon(t), lease)
	if err != nil {
		t.Fatal(err)
	}
	epoch, err := session.Claim(soon(t), 3, 0)
	if err != nil {
		t.Fatal(err)
	}
	p.pass(t)
	c.stop(0, 1, 2)
	c.start(t, 0, 1, 2)
	p.pass(t)
	if owners, err := p.reader.Owners(soon(t)); err != nil || owners[3].Epoch != epoch || owners[3].Worker != "sender" {
		t.Errorf("%+v, %v", owners, err)
	}
	if err := session.Renew(soon(t)); err != nil {
		t.Error(err)
	}
}

// A trio is a cluster of three servers on loopback, which can be stopped and started again where they were.
type trio struct {
	options [3]ServerOptions
	servers [3]*Server
}

// startTrio starts a cluster.
func startTrio(t *testing.T, change func(*ServerOptions)) *trio {
	t.Helper()
	c := &trio{}
	var routes []string
	for range c.options {
		routes = append(routes, free(t))
	}
	for i := range c.options {
		c.options[i] = ServerOptions{
			Name: fmt.Sprintf("s%d", i), Folder: t.TempDir(), Listen: free(t), Storage: 1 << 30, Memory: 64 << 20,
			Cluster: Cluster{Name: "trio", Listen: routes[i], Routes: routes},
		}
		if change != nil {
			change(&c.options[i])
		}
	}
	c.start(t, 0, 1, 2)
	t.Cleanup(func() { c.stop(0, 1, 2) })
	return c
}

// free returns an address at which nobody listens.
func free(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// start starts servers, all at once.
func (c *trio) start(t *testing.T, which ...int) {
	t.Helper()
	var wg sync.WaitGroup
	for _, i := range which {
		wg.Go(func() {
			s, err := StartServer(c.options[i])
			if err != nil {
				t.Error(err)
			}
			c.servers[i] = s
		})
	}
	wg.Wait()
	if t.Failed() {
		t.FailNow()
	}
}

// stop stops servers, all at once.
func (c *trio) stop(which ...int) {
	var wg sync.WaitGroup
	for _, i := range which {
		if s := c.servers[i]; s != nil {
			wg.Go(s.Close)
		}
		c.servers[i] = nil
	}
	wg.Wait()
}

func (c *trio) urls() (urls []string) {
	for _, o := range c.options {
		urls = append(urls, "nats://"+o.Listen)
	}
	return urls
}

// leader returns the number of the server that leads the stream of parcels.
func (c *trio) leader(t *testing.T, b *Bus) (leader int) {
	t.Helper()
	eventually(t, "a leader", func() bool {
		stream, err := b.js.Stream(soon(t), b.streamName())
		if err != nil || stream.CachedInfo().Cluster == nil {
			return false
		}
		for i, o := range c.options {
			if stream.CachedInfo().Cluster.Leader == o.Name {
				leader = i
				return true
			}
		}
		return false
	})
	return leader
}

// A passage is a worker that sends to another.
type passage struct {
	sender, reader *Bus
	arrived        chan Parcel
	ended          chan error
	sent           int
}

// open makes the passage of two workers.
func open(t *testing.T, sender, reader *Bus) *passage {
	t.Helper()
	p := &passage{sender: sender, reader: reader, arrived: make(chan Parcel, 64), ended: make(chan error, 1)}
	ctx, cancel := context.WithCancel(soon(t))
	t.Cleanup(cancel)
	go func() {
		p.ended <- reader.Receive(ctx, every(), nil, func(parcel Parcel) error { p.arrived <- parcel; return nil }, nil)
	}()
	return p
}

// pass sends some parcels, some of them twice, and waits for each.
func (p *passage) pass(t *testing.T) {
	t.Helper()
	for range 5 {
		id := fmt.Sprint(p.sent)
		for range 1 + p.sent%2 {
			send(t, p.sender, 3, id, "")
		}
		select {
		case got := <-p.arrived:
			if got.ID != id {
				t.Fatalf("%s received, %s sent", got.ID, id)
			}
		case err := <-p.ended:
			t.Fatal(err)
		}
		p.sent++
	}
}

// TestLeaderAway: parcels go on while the server that leads their stream is away, and when it is back. The servers know each other by certificate and
// token.
func TestLeaderAway(t *testing.T) {
	t.Parallel()
	files := found(t).files(t, "one")
	c := startTrio(t, func(o *ServerOptions) { o.Token, o.TLS = "token", files })
	as := func(o *Options) { o.URLs, o.Replicas, o.Token, o.TLS = c.urls(), 3, "token", files }
	p := open(t, dial(t, "sender", as), dial(t, "reader", as))
	p.pass(t)
	leader := c.leader(t, p.sender)
	c.stop(leader)
	p.pass(t)
	c.start(t, leader)
	p.pass(t)
}
