package bus

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Sizes.
const (
	maxPayload = 1 << 20
	// MaxBody is the largest body of a parcel or a question, in bytes: 1 MiB less room for headers. Callers split what is larger.
	MaxBody = maxPayload - 4<<10
	// MaxAnswer is the largest answer to a question, in bytes.
	MaxAnswer = 64 << 20
	// MaxPartitions is the largest number of partitions.
	MaxPartitions = 1000
)

// Window is how long the stream knows a parcel's id, and keeps another of the same id away.
const Window = 2 * time.Minute

// oldestServer is the first version whose losses under test are mended as far as they are known.
const oldestServer = "2.12.2"

// A Program is what others see of the program of a worker.
type Program struct {
	Version string `json:"version,omitempty"`
	Speaks  int    `json:"speaks,omitempty"` // version of the messages that it sends and understands
}

// Options say to which servers and as whom a worker speaks.
type Options struct {
	Crawl  string // letters, digits, - and _
	Worker string // unique in the crawl, the same at each start; likewise
	Program

	Server         *Server  // in this process; it needs neither URLs nor credentials
	URLs           []string // nats://host:port, of one or more servers of a cluster
	User, Password string
	Token          string
	TLS            TLS

	Partitions int   // the same for all workers of the crawl, MaxPartitions at most
	Replicas   int   // of all that is kept: 1, 3 or 5; 0: as many as there are, and of what is not there 1
	Storage    int64 // bytes that parcels may take; 0: as much as the server has

	Now func() time.Time         // by which leases are over; time.Now unless said
	Log func(level, text string) // of the connection; nil: nobody is told
}

// A Bus is a worker's connection. It goes on by itself after disconnections: calls wait for servers until their context is done.
// It is safe for concurrent use.
type Bus struct {
	o       Options
	conn    *nats.Conn
	js      jetstream.JetStream
	bucket  jetstream.KeyValue
	sent    anchor // of the parcels sent
	roster  roster
	closing context.Context // of what answers
	close   context.CancelFunc
	answers sync.WaitGroup

	mu        sync.Mutex
	connected chan struct{} // closed at the next reconnection
}

// Dial connects to servers, and makes what the crawl needs there unless it is there. It waits for servers, and for their leader,
// until ctx is done. Errors wrap [ErrCredentials], [ErrUnfit], [ErrOtherCrawl] and [ErrName].
func Dial(ctx context.Context, o Options) (*Bus, error) {
	if err := o.check(); err != nil {
		return nil, fmt.Errorf("bus: %w", err)
	}
	b := &Bus{o: o, connected: make(chan struct{})}
	if b.o.Now == nil {
		b.o.Now = time.Now
	}
	b.closing, b.close = context.WithCancel(context.Background())
	err := b.connect(ctx)
	if err == nil {
		err = b.Ensure(ctx)
	}
	if err != nil {
		b.Close()
		return nil, fmt.Errorf("bus of crawl %s: %w", o.Crawl, err)
	}
	return b, nil
}

// check returns all that is wrong with the options.
func (o Options) check() error {
	errs := []error{checkName("crawl", o.Crawl), checkName("worker", o.Worker)}
	if o.Partitions < 1 || o.Partitions > MaxPartitions {
		errs = append(errs, fmt.Errorf("%d partitions: 1 to %d", o.Partitions, MaxPartitions))
	}
	if o.Replicas < 0 || o.Replicas > 5 {
		errs = append(errs, fmt.Errorf("%d replicas: 1 to 5", o.Replicas))
	}
	if (o.Server == nil) == (len(o.URLs) == 0) {
		errs = append(errs, errors.New("either a server of this process or URLs"))
	}
	return errors.Join(errs...)
}

// connect connects, and looks whether the server will do.
func (b *Bus) connect(ctx context.Context) error {
	options, err := b.options()
	if err != nil {
		return err
	}
	var p pause
	for {
		b.conn, err = nats.Connect(strings.Join(b.o.URLs, ","), options...)
		if err == nil {
			break
		}
		if refused(err) {
			return fmt.Errorf("%w: %w", ErrCredentials, err)
		}
		if stop := p.wait(ctx); stop != nil {
			return fmt.Errorf("%w (last: %w)", stop, err)
		}
	}
	if version := b.conn.ConnectedServerVersion(); older(version, oldestServer) {
		return fmt.Errorf("%w: version %s, older than %s", ErrUnfit, version, oldestServer)
	}
	if size := b.conn.MaxPayload(); size < maxPayload {
		return fmt.Errorf("%w: max_payload is %d, less than %d", ErrUnfit, size, maxPayload)
	}
	if b.js, err = jetstream.New(b.conn); err != nil {
		return err
	}
	return b.hasJetStream(ctx)
}

// hasJetStream returns ErrUnfit if nobody answers for JetStream. In a cluster that has just started it may be a moment until someone does.
func (b *Bus) hasJetStream(ctx context.Context) error {
	p := pause{next: firstPause}
	for try := 0; ; try++ {
		within, cancel := context.WithTimeout(ctx, attemptTime)
		_, err := b.js.AccountInfo(within)
		cancel()
		silent := errors.Is(err, nats.ErrNoResponders) || errors.Is(err, jetstream.ErrJetStreamNotEnabled) || errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount)
		if !silent { // no leader yet is for the calls that need one
			return nil
		}
		if try == 6 {
			return fmt.Errorf("%w: no JetStream: %w", ErrUnfit, err)
		}
		if err := p.wait(ctx); err != nil {
			return err
		}
	}
}

// options translates the options.
func (b *Bus) options() ([]nats.Option, error) {
	options := []nats.Option{
		nats.Name(b.o.Crawl + "/" + b.o.Worker), nats.Timeout(attemptTime), nats.MaxReconnects(-1), nats.ReconnectWait(100 * time.Millisecond),
		nats.ReconnectBufSize(-1), // what can't be sent now is tried again, by those who wait for its acknowledgement
		nats.PingInterval(10 * time.Second),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { b.say("warn", err) }),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) { b.say("warn", fmt.Errorf("disconnected: %w", err)) }),
		nats.ReconnectHandler(func(conn *nats.Conn) {
			b.say("info", fmt.Errorf("connected again to %s", conn.ConnectedServerName()))
			b.reconnected()
		}),
	}
	if s := b.o.Server; s != nil {
		return append(options, nats.InProcessServer(s.server), credentials(s.options.User, s.options.Password, s.options.Token)), nil
	}
	if b.o.TLS.used() {
		config, err := b.o.TLS.config()
		if err != nil {
			return nil, err
		}
		options = append(options, nats.Secure(config))
	}
	return append(options, credentials(b.o.User, b.o.Password, b.o.Token)), nil
}

// credentials is how a client says who it is.
func credentials(user, password, token string) nats.Option {
	if token != "" {
		return nats.Token(token)
	}
	return nats.UserInfo(user, password)
}

// refused reports whether a connection failed for what does not pass.
func refused(err error) bool {
	for _, e := range []error{nats.ErrAuthorization, nats.ErrAuthExpired, nats.ErrAuthRevoked, nats.ErrSecureConnRequired, nats.ErrSecureConnWanted} {
		if errors.Is(err, e) {
			return true
		}
	}
	// The other side's reason comes as an alert, which has no type of its own.
	return strings.Contains(err.Error(), "tls: ") || strings.Contains(err.Error(), "x509: ")
}

// older reports whether a version, 2.15.2 or 2.15.2-RC.1, is below another.
func older(version, than string) bool {
	a, b := numbers(version), numbers(than)
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}

func numbers(version string) (n [3]int) {
	version, _, _ = strings.Cut(version, "-")
	for i, part := range strings.SplitN(version, ".", 3) {
		n[i], _ = strconv.Atoi(part) // what is no number is old
	}
	return n
}

// say tells of the connection.
func (b *Bus) say(level string, err error) {
	if b.o.Log != nil {
		b.o.Log(level, err.Error())
	}
}

// reconnected wakes those who read.
func (b *Bus) reconnected() {
	b.mu.Lock()
	defer b.mu.Unlock()
	close(b.connected)
	b.connected = make(chan struct{})
}

// untilReconnected returns a context that ends at the next reconnection.
func (b *Bus) untilReconnected(ctx context.Context) (context.Context, context.CancelFunc) {
	b.mu.Lock()
	connected := b.connected
	b.mu.Unlock()
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		defer cancel()
		select {
		case <-connected:
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

// Close ends the connection, and waits for answers under way. A session is not ended: see [Session.Leave].
func (b *Bus) Close() {
	b.mu.Lock() // no answer begins from here on
	b.close()
	b.mu.Unlock()
	b.answers.Wait()
	if b.conn != nil {
		b.conn.Close()
	}
}

// tag returns a text that nobody else has.
func tag() string { return rand.Text()[:16] }
