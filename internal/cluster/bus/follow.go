package bus

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// What is asked of a server at once, and how soon a silent one is noticed (twice heartbeat).
const (
	pullMessages = 512
	pullBytes    = 8 << 20
	heartbeat    = 2 * time.Second
	forgotten    = 30 * time.Second // after which a server drops a consumer that nobody reads
)

// A reading reads a stream in its order. The client's own ordered consumer would go on in a stream made anew as if nothing had
// happened; a reading has a look at the stream each time before it goes on.
type reading struct {
	stream  string
	filters []string // all subjects if empty
	// from looks at the stream, and says from which sequence to read on; 0: from the last message of each subject.
	from func(ctx context.Context, info *jetstream.StreamInfo) (uint64, error)
	take func(m jetstream.Msg, meta *jetstream.MsgMetadata) error
}

// fatal marks errors of the caller, and losses: they end a reading.
type fatal struct{ error }

// errGap says that the server or the connection left out a message.
var errGap = errors.New("message left out")

// follow reads until ctx is done, or a function of the reading returns an error, which it returns.
func (b *Bus) follow(ctx context.Context, r reading) error {
	var p pause
	for missing := 0; ; {
		before := b.o.Now()
		err := b.readOn(ctx, r)
		if stop := ctx.Err(); stop != nil {
			return stop
		}
		var end fatal
		if errors.As(err, &end) {
			return end.error
		}
		if b.conn.IsClosed() {
			return fmt.Errorf("stream %s: %w", r.stream, err)
		}
		if missing++; !errors.Is(err, jetstream.ErrStreamNotFound) {
			missing = 0
		}
		if missing == 4 { // a server that has just come back may not know of it yet
			return fmt.Errorf("%w: no stream %s", ErrLost, r.stream)
		}
		b.say("info", fmt.Errorf("stream %s is read again: %w", r.stream, err))
		if b.o.Now().Sub(before) > longestPause {
			p = pause{}
		}
		if missing > 0 {
			p.next = max(p.next, 100*time.Millisecond)
		}
		if err := p.wait(ctx); err != nil {
			return err
		}
	}
}

// readOn makes a consumer and reads by it until it fails.
func (b *Bus) readOn(ctx context.Context, r reading) error {
	ctx, cancel := b.untilReconnected(ctx)
	defer cancel()
	consumer, err := b.consumer(ctx, r)
	if err != nil {
		return err
	}
	defer b.forget(r.stream, consumer.CachedInfo().Name)
	messages, err := consumer.Messages(jetstream.PullMaxMessagesWithBytesLimit(pullMessages, pullBytes), jetstream.PullHeartbeat(heartbeat))
	if err != nil {
		return err
	}
	defer messages.Stop()
	for next := uint64(1); ; next++ {
		m, err := messages.Next(jetstream.NextContext(ctx))
		if err != nil {
			return err
		}
		meta, err := m.Metadata()
		if err != nil {
			return err
		}
		if meta.Sequence.Consumer != next {
			return errGap
		}
		if err := r.take(m, meta); err != nil {
			return fatal{err}
		}
	}
}

// consumer makes a consumer that goes on where the reading is.
func (b *Bus) consumer(ctx context.Context, r reading) (jetstream.Consumer, error) {
	ctx, cancel := context.WithTimeout(ctx, attemptTime)
	defer cancel()
	stream, err := b.js.Stream(ctx, r.stream)
	if err != nil {
		return nil, err
	}
	from, err := r.from(ctx, stream.CachedInfo())
	switch {
	case errors.Is(err, ErrLost):
		return nil, fatal{err}
	case err != nil:
		return nil, err
	}
	config := jetstream.ConsumerConfig{
		AckPolicy: jetstream.AckNonePolicy, FilterSubjects: r.filters, MemoryStorage: true, Replicas: 1, InactiveThreshold: forgotten,
		DeliverPolicy: jetstream.DeliverLastPerSubjectPolicy,
	}
	if from > 0 {
		config.DeliverPolicy, config.OptStartSeq = jetstream.DeliverByStartSequencePolicy, from
	}
	return stream.CreateConsumer(ctx, config)
}

// forget removes a consumer, if the server can be asked; else it goes by itself.
func (b *Bus) forget(stream, consumer string) {
	if !b.conn.IsConnected() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), longestPause)
	defer cancel()
	_ = b.js.DeleteConsumer(ctx, stream, consumer) // the server does, after a time
}
