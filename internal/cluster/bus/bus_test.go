package bus

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// start starts a server of its own folder that ends with the test.
func start(t testing.TB, change ...func(*ServerOptions)) *Server {
	t.Helper()
	o := ServerOptions{Name: "one", Folder: t.TempDir(), Storage: 1 << 30, Memory: 64 << 20}
	for _, c := range change {
		c(&o)
	}
	s, err := StartServer(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// dial connects a worker of the crawl "c" with 256 partitions.
func dial(t testing.TB, worker string, change func(*Options)) *Bus {
	t.Helper()
	o := Options{Crawl: "c", Worker: worker, Partitions: 256}
	change(&o)
	b, err := Dial(soon(t), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

// within is a connection within the process.
func within(s *Server) func(*Options) { return func(o *Options) { o.Server = s } }

// soon ends long after all that a test waits for.
func soon(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// shortly is how long a test waits for what must not happen.
func shortly(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 400*time.Millisecond)
	t.Cleanup(cancel)
	return ctx
}

// eventually asks until an answer is yes.
func eventually(t *testing.T, what string, f func() bool) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for ctx := soon(t); !f(); {
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("never: %s", what)
		}
	}
}

// TestDialAgain: what a crawl needs is made once; another number of partitions is another crawl, and what may change changes.
func TestDialAgain(t *testing.T) {
	t.Parallel()
	s := start(t)
	dial(t, "w1", within(s))
	b := dial(t, "w2", func(o *Options) { o.Server, o.Storage = s, 1<<20 })
	stream, err := b.js.Stream(soon(t), b.streamName())
	if err != nil || stream.CachedInfo().Config.MaxBytes != 1<<20 {
		t.Errorf("%v: %+v", err, stream.CachedInfo().Config)
	}
	_, err = Dial(soon(t), Options{Crawl: "c", Worker: "w3", Partitions: 128, Server: s})
	if !errors.Is(err, ErrOtherCrawl) || !strings.Contains(err.Error(), "256 partitions there, 128 here") {
		t.Error(err)
	}
	if _, err = Dial(soon(t), Options{Crawl: "other", Worker: "w3", Partitions: 128, Server: s}); err != nil {
		t.Error(err)
	}
	if _, err = Dial(soon(t), Options{Crawl: "three", Worker: "w3", Partitions: 128, Server: s, Replicas: 3}); !errors.Is(err, ErrUnfit) {
		t.Error(err)
	}
}

// TestHostileNames: what is no name is refused before it is part of a subject.
func TestHostileNames(t *testing.T) {
	t.Parallel()
	s := start(t)
	b := dial(t, "w", within(s))
	for _, name := range []string{
		"", " ", "a b", "a.b", "*", ">", "a.>", "../../etc", "a/b", `a\b`, "a\x00b", "a\r\nb", "ä", "http://a.test", "$JS.API", strings.Repeat("a", longestName+1),
	} {
		if _, err := Dial(soon(t), Options{Crawl: name, Worker: "w", Partitions: 1, Server: s}); !errors.Is(err, ErrName) {
			t.Errorf("crawl %q: %v", name, err)
		}
		if _, err := Dial(soon(t), Options{Crawl: "c", Worker: name, Partitions: 1, Server: s}); !errors.Is(err, ErrName) {
			t.Errorf("worker %q: %v", name, err)
		}
		if _, err := b.Answer(name, nil); !errors.Is(err, ErrName) {
			t.Errorf("answer %q: %v", name, err)
		}
		if _, err := b.Ask(soon(t), name, "q", nil); !errors.Is(err, ErrName) {
			t.Errorf("ask %q: %v", name, err)
		}
		if _, err := b.Ask(soon(t), "w", name, nil); !errors.Is(err, ErrName) {
			t.Errorf("ask for %q: %v", name, err)
		}
		if _, err := StartServer(ServerOptions{Name: name, Folder: t.TempDir()}); !errors.Is(err, ErrName) {
			t.Errorf("server %q: %v", name, err)
		}
	}
	for _, id := range []string{"", "a b", "a\r\nNats-Expected-Last-Sequence: 7", "ä", strings.Repeat("a", longestID+1)} {
		if _, err := b.Send(soon(t), 0, id, nil); !errors.Is(err, ErrName) {
			t.Errorf("parcel %q: %v", id, err)
		}
	}
	for _, name := range []string{"pages", "a.>", "*", "\r\n", "ä b", strings.Repeat("a", longestID)} {
		if got, err := b.Take(soon(t), name, 3, 2); err != nil || got != 2 {
			t.Errorf("quota %q: %d, %v", name, got, err)
		}
	}
	if _, err := b.Take(soon(t), "", 1, 1); !errors.Is(err, ErrName) {
		t.Error(err)
	}
}

// TestOptions: all that is wrong is said at once.
func TestOptions(t *testing.T) {
	t.Parallel()
	_, err := Dial(soon(t), Options{Crawl: "a b", Partitions: MaxPartitions + 1, Replicas: 7})
	for _, want := range []string{`crawl "a b"`, `worker ""`, "1001 partitions", "7 replicas", "either a server"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: lacks %s", err, want)
		}
	}
}

// TestOldServer: a server that is too old, or takes smaller messages, is refused.
func TestOldServer(t *testing.T) {
	t.Parallel()
	for info, want := range map[string]string{
		`"version":"2.9.25","max_payload":1048576`:       "version 2.9.25",
		`"version":"2.12.1","max_payload":1048576`:       "version 2.12.1",
		`"version":"2.15.2-RC.1","max_payload":65536`:    "max_payload is 65536",
		`"version":"nonsense","max_payload":1048576`:     "version nonsense",
		`"version":"2.12.1-beta.7","max_payload":999999`: "version 2.12.1-beta.7",
	} {
		_, err := Dial(soon(t), Options{Crawl: "c", Worker: "w", Partitions: 1, URLs: []string{pretender(t, info)}})
		if !errors.Is(err, ErrUnfit) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", info, err)
		}
	}
}

// TestNoJetStream: a server without JetStream is refused.
func TestNoJetStream(t *testing.T) {
	t.Parallel()
	plain, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true})
	if err != nil {
		t.Fatal(err)
	}
	plain.Start()
	defer plain.Shutdown()
	_, err = Dial(soon(t), Options{Crawl: "c", Worker: "w", Partitions: 1, URLs: []string{plain.ClientURL()}})
	if !errors.Is(err, ErrUnfit) {
		t.Error(err)
	}
}

// pretender listens as a server that says this of itself.
func pretender(t *testing.T, info string) (address string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			fmt.Fprintf(conn, "INFO {\"server_id\":\"x\",\"headers\":true,%s}\r\nPONG\r\n", info)
			t.Cleanup(func() { conn.Close() })
		}
	}()
	return "nats://" + l.Addr().String()
}

// TestServerFails: a server that can't start says why, and ends nothing else.
func TestServerFails(t *testing.T) {
	t.Parallel()
	s := start(t, func(o *ServerOptions) { o.Listen = "127.0.0.1:0" })
	for _, o := range []ServerOptions{
		{Name: "two", Folder: t.TempDir(), Listen: strings.TrimPrefix(s.URL(), "nats://")},
		{Name: "two", Folder: "/dev/null/folder"},
		{Name: "two"},
		{Name: "two", Folder: t.TempDir(), Listen: "nowhere"},
		{Name: "two", Folder: t.TempDir(), TLS: TLS{CA: "absent.pem"}},
		{Name: "two", Folder: t.TempDir(), Cluster: Cluster{Name: "c", Listen: "127.0.0.1:0", Routes: []string{"127.0.0.1:1"}}},
		{Name: "two", Folder: t.TempDir(), Listen: "127.0.0.1:0", Cluster: Cluster{Name: "c", Listen: "127.0.0.1:0"}},
		{Name: "two", Folder: t.TempDir(), Listen: "127.0.0.1:0", Cluster: Cluster{Name: "c", Listen: "127.0.0.1:x", Routes: []string{"127.0.0.1:1"}}},
		{Name: "two", Folder: t.TempDir(), Listen: "127.0.0.1:0", Cluster: Cluster{
			Name: "c", Listen: strings.TrimPrefix(s.URL(), "nats://"), Routes: []string{"127.0.0.1:1"},
		}},
	} {
		if two, err := StartServer(o); err == nil {
			t.Errorf("%+v starts", o)
			two.Close()
		} else {
			t.Log(err)
		}
	}
}
