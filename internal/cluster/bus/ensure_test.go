package bus

import (
	"context"
	"testing"

	"github.com/nats-io/nats.go/jetstream"
)

// A late server has not heard yet of a stream that another worker has just made.
type late struct {
	jetstream.JetStream
	times   int // for so many questions
	updates int // and for so many changes
}

func (l *late) Stream(ctx context.Context, name string) (jetstream.Stream, error) {
	if l.times--; l.times >= 0 {
		return nil, jetstream.ErrStreamNotFound
	}
	return l.JetStream.Stream(ctx, name)
}

func (l *late) CreateStream(context.Context, jetstream.StreamConfig) (jetstream.Stream, error) {
	return nil, jetstream.ErrStreamNameAlreadyInUse
}

func (l *late) UpdateStream(ctx context.Context, c jetstream.StreamConfig) (jetstream.Stream, error) {
	if l.updates--; l.updates >= 0 {
		return nil, jetstream.ErrStreamNotFound
	}
	return l.JetStream.UpdateStream(ctx, c)
}

// TestEnsureLate: who asks a server that has not heard of a stream of others asks again, and does not end.
func TestEnsureLate(t *testing.T) {
	t.Parallel()
	b := dial(t, "w1", within(start(t)))
	b.js, b.o.Storage = &late{b.js, 3, 1}, 1<<20
	if err := b.Ensure(soon(t)); err != nil {
		t.Error(err)
	}
}
