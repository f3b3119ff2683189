package bus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Names of what a crawl has at the servers.
func (b *Bus) streamName() string  { return "ow-" + b.o.Crawl + "-parcels" }
func (b *Bus) bucketName() string  { return "ow-" + b.o.Crawl }
func (b *Bus) entryStream() string { return "KV_" + b.bucketName() }
func (b *Bus) subject(partition int) string {
	return fmt.Sprintf("ow.%s.p.%03d", b.o.Crawl, partition)
}

// metaKey is the entry of what all workers of a crawl must have alike.
const metaKey = "meta"

// A meta is what all workers of a crawl must have alike.
type meta struct {
	Partitions int `json:"partitions"`
}

// Ensure makes the stream, the bucket and the entry of the crawl unless they are there, and changes replicas and size if they
// are others. Dial does it; after [ErrLost] it is called again.
func (b *Bus) Ensure(ctx context.Context) error {
	if err := b.ensureStream(ctx, b.entries()); err != nil {
		return fmt.Errorf("entries: %w", err)
	}
	err := retry(ctx, func(ctx context.Context) (err error) {
		b.bucket, err = b.js.KeyValue(ctx, b.bucketName())
		if errors.Is(err, jetstream.ErrBucketNotFound) { // its stream is there: another server has not heard of it yet
			err = errors.Join(err, jetstream.ErrNoStreamResponse)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("entries: %w", err)
	}
	if err := b.ensureMeta(ctx); err != nil {
		return err
	}
	if err := b.ensureStream(ctx, b.parcels()); err != nil {
		return fmt.Errorf("parcels: %w", err)
	}
	return nil
}

// parcels is the stream of parcels. Full, it refuses parcels rather than drop old ones.
func (b *Bus) parcels() jetstream.StreamConfig {
	size := b.o.Storage
	if size <= 0 {
		size = -1
	}
	return jetstream.StreamConfig{
		Name: b.streamName(), Subjects: []string{fmt.Sprintf("ow.%s.p.*", b.o.Crawl)}, Retention: jetstream.LimitsPolicy,
		Discard: jetstream.DiscardNew, Duplicates: Window, MaxBytes: size, MaxMsgSize: maxPayload, Storage: jetstream.FileStorage,
		Replicas: max(1, b.o.Replicas), FirstSeq: firstSequence(),
	}
}

// entries is the stream beneath the bucket: as the client makes it, but for where it starts, and that the leader alone answers:
// who reads to compare and set must not read from one that is behind.
func (b *Bus) entries() jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name: b.entryStream(), Subjects: []string{"$KV." + b.bucketName() + ".>"}, MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew,
		Duplicates: Window, MaxBytes: -1, MaxMsgSize: -1, Storage: jetstream.FileStorage, Replicas: max(1, b.o.Replicas), AllowRollup: true, DenyDelete: true,
		FirstSeq: firstSequence(),
	}
}

// A stream starts at the second in which it was made, times 2³⁰: no stream has so many messages a second that one made anew could start
// below the end of the last.
const perSecond = 30

func firstSequence() uint64 { return uint64(time.Now().Unix()) << perSecond }

// ensureStream makes a stream, or changes what may be others of it.
func (b *Bus) ensureStream(ctx context.Context, config jetstream.StreamConfig) error {
	return retry(ctx, func(ctx context.Context) error {
		stream, err := b.js.Stream(ctx, config.Name)
		if errors.Is(err, jetstream.ErrStreamNotFound) {
			if stream, err = b.js.CreateStream(ctx, config); errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
				stream, err = b.js.Stream(ctx, config.Name) // another worker was faster
			}
		}
		if err != nil {
			return notHeard(err)
		}
		known := stream.CachedInfo().Config
		if b.o.Replicas == 0 {
			config.Replicas = known.Replicas
		}
		if known.Replicas == config.Replicas && known.MaxBytes == config.MaxBytes {
			return nil
		}
		known.Replicas, known.MaxBytes = config.Replicas, config.MaxBytes
		_, err = b.js.UpdateStream(ctx, known)
		return notHeard(err)
	})
}

// notHeard is an error about a stream that is there. If a server has not heard of it yet, it passes.
func notHeard(err error) error {
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return errors.Join(err, jetstream.ErrNoStreamResponse)
	}
	return named(err)
}

// ensureMeta writes the entry of the crawl, or compares it.
func (b *Bus) ensureMeta(ctx context.Context) error {
	want := meta{Partitions: b.o.Partitions}
	value, err := json.Marshal(want)
	if err != nil {
		return err
	}
	var known meta
	for p := (pause{}); ; {
		_, err = b.swap(ctx, metaKey, value, 0)
		if !errors.Is(err, errConflict) {
			return err
		}
		revision, err := b.get(ctx, metaKey, &known)
		if err != nil {
			return err
		}
		if revision > 0 {
			break
		}
		if err := p.wait(ctx); err != nil { // what another worker just wrote is not to be read yet
			return err
		}
	}
	if known != want {
		return fmt.Errorf("%w: %d partitions there, %d here", ErrOtherCrawl, known.Partitions, want.Partitions)
	}
	return nil
}
