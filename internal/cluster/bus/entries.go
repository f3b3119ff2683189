package bus

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// get reads an entry. Its revision is 0, and v is left alone, if there is none.
func (b *Bus) get(ctx context.Context, key string, v any) (revision uint64, err error) {
	value, revision, err := b.read(ctx, key)
	if err != nil || revision == 0 {
		return 0, err
	}
	if err := json.Unmarshal(value, v); err != nil {
		return 0, fmt.Errorf("entry %s: %w", key, err)
	}
	return revision, nil
}

// read reads an entry as it is.
func (b *Bus) read(ctx context.Context, key string) (value []byte, revision uint64, err error) {
	err = retry(ctx, func(ctx context.Context) error {
		entry, err := b.bucket.Get(ctx, key)
		switch {
		case errors.Is(err, jetstream.ErrKeyNotFound):
			value, revision = nil, 0
			return nil
		case err == nil:
			value, revision = entry.Value(), entry.Revision()
		}
		return b.lostEntries(ctx, err)
	})
	return value, revision, err
}

// put is swap for a value as JSON.
func (b *Bus) put(ctx context.Context, key string, v any, revision uint64) (uint64, error) {
	value, err := json.Marshal(v)
	if err != nil {
		return 0, err
	}
	return b.swap(ctx, key, value, revision)
}

// swap writes an entry if it is still as it was at a revision, 0 for none; else errConflict. An attempt whose answer was lost may have
// written: what is found then is ours if it is the same, so that values of entries that others write too have a tag.
func (b *Bus) swap(ctx context.Context, key string, value []byte, revision uint64) (now uint64, err error) {
	attempts := 0
	err = retry(ctx, func(ctx context.Context) error {
		attempts++
		msg := &nats.Msg{Subject: "$KV." + b.bucketName() + "." + key, Data: value, Header: nats.Header{}}
		ack, err := b.js.PublishMsg(ctx, msg, jetstream.WithExpectLastSequencePerSubject(revision), jetstream.WithRetryAttempts(0))
		if err == nil {
			now = ack.Sequence
			return nil
		}
		return b.lostEntries(ctx, named(err))
	})
	if !errors.Is(err, errConflict) || attempts == 1 {
		return now, err
	}
	found, at, again := b.read(ctx, key)
	if again == nil && at > revision && bytes.Equal(found, value) {
		return at, nil
	}
	return 0, errors.Join(err, again)
}

// lostEntries says so if a call failed since the bucket is not there any more.
func (b *Bus) lostEntries(ctx context.Context, err error) error {
	if errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrNoStreamResponse) {
		return b.present(ctx, b.entryStream(), err)
	}
	return err
}

// present returns ErrLost if there surely is no such stream, else err. A server that has just come back may not know of it yet.
func (b *Bus) present(ctx context.Context, stream string, err error) error {
	p := pause{next: 100 * time.Millisecond}
	for range 4 {
		if _, missing := b.js.Stream(ctx, stream); !errors.Is(missing, jetstream.ErrStreamNotFound) {
			return errors.Join(err, jetstream.ErrNoStreamResponse) // passing: there is no leader, or it is there again
		}
		if stop := p.wait(ctx); stop != nil {
			return stop
		}
	}
	return fmt.Errorf("%w: no stream %s", ErrLost, stream)
}
