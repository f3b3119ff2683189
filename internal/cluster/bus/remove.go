package bus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/nats-io/nats.go/jetstream"
)

// Unnote removes a note, if it is still as it was at a revision; else the error wraps [ErrChanged].
func (b *Bus) Unnote(ctx context.Context, name string, revision uint64) error {
	if err := checkName("note", name); err != nil {
		return err
	}
	err := retry(ctx, func(ctx context.Context) error {
		return b.lostEntries(ctx, named(b.bucket.Purge(ctx, noteKey+name, jetstream.LastRevision(revision))))
	})
	if err == nil { // what says that it was removed goes too: as long as it is there, nobody can write a note of the name as one that was not there
		err = retry(ctx, func(ctx context.Context) error {
			stream, err := b.js.Stream(ctx, b.entryStream())
			if err != nil {
				return err
			}
			return stream.Purge(ctx, jetstream.WithPurgeSubject("$KV."+b.bucketName()+"."+noteKey+name))
		})
	}
	if err != nil {
		return fmt.Errorf("note %s: %w", name, err)
	}
	return nil
}

// RemoveFile removes a file, if there is one.
func (b *Bus) RemoveFile(ctx context.Context, name string) error {
	store, err := b.files(ctx)
	if err == nil {
		err = retry(ctx, func(ctx context.Context) error { return store.Delete(ctx, name) })
	}
	if err != nil && !errors.Is(err, jetstream.ErrObjectNotFound) {
		return fmt.Errorf("file %s: %w", name, err)
	}
	return nil
}

// RemoveParcels removes the stream with the parcels of a crawl, if there is one. Dial and Ensure make it anew.
func (b *Bus) RemoveParcels(ctx context.Context, crawl string) error {
	of := &Bus{o: Options{Crawl: crawl}}
	return b.removeStream(ctx, of.streamName())
}

// RemoveCrawl removes all that the servers keep of a crawl, but files and notes of others: its parcels, its entries, and the files whose names begin with the crawl's and
// a slash.
func (b *Bus) RemoveCrawl(ctx context.Context, crawl string) error {
	if err := checkName("crawl", crawl); err != nil {
		return err
	}
	of := &Bus{o: Options{Crawl: crawl}}
	return errors.Join(b.removeStream(ctx, of.streamName()), b.removeStream(ctx, of.entryStream()), b.removeFiles(ctx, crawl+"/"))
}

// removeFiles removes the files whose names begin so.
func (b *Bus) removeFiles(ctx context.Context, prefix string) error {
	store, err := b.files(ctx)
	if err != nil {
		return fmt.Errorf("files: %w", err)
	}
	all, err := store.List(ctx)
	if err != nil && !errors.Is(err, jetstream.ErrNoObjectsFound) {
		return fmt.Errorf("files: %w", named(err))
	}
	var problems []error
	for _, file := range all {
		if strings.HasPrefix(file.Name, prefix) {
			problems = append(problems, b.RemoveFile(ctx, file.Name))
		}
	}
	return errors.Join(problems...)
}

func (b *Bus) removeStream(ctx context.Context, name string) error {
	err := retry(ctx, func(ctx context.Context) error { return b.js.DeleteStream(ctx, name) })
	if err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
		return fmt.Errorf("stream %s: %w", name, err)
	}
	return nil
}

// WorkersOf returns the workers that have or had a session of a crawl, but those that left it for good: others have what they had.
func (b *Bus) WorkersOf(ctx context.Context, crawl string) (names []string, err error) {
	if err := checkName("crawl", crawl); err != nil {
		return nil, err
	}
	of := &Bus{o: Options{Crawl: crawl}}
	err = retry(ctx, func(ctx context.Context) error {
		names = nil
		bucket, err := b.js.KeyValue(ctx, of.bucketName())
		if errors.Is(err, jetstream.ErrBucketNotFound) {
			return nil // nobody has begun it
		}
		if err != nil {
			return err
		}
		watcher, err := bucket.WatchFiltered(ctx, []string{liveKey + "*"}, jetstream.IgnoreDeletes())
		if err != nil {
			return err
		}
		defer func() { _ = watcher.Stop() }() // it fails if the connection did
		for {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case e := <-watcher.Updates():
				if e == nil {
					return nil
				}
				var last beat
				if err := json.Unmarshal(e.Value(), &last); err != nil {
					return fmt.Errorf("entry %s: %w", e.Key(), err)
				}
				if !last.Over || !last.Leaves {
					names = append(names, strings.TrimPrefix(e.Key(), liveKey))
				}
			}
		}
	})
	if err != nil {
		return nil, fmt.Errorf("workers of crawl %s: %w", crawl, err)
	}
	return names, nil
}

// Kept is what the stream of parcels has.
type Kept struct {
	Parcels uint64 `json:"parcels"`
	Bytes   uint64 `json:"bytes"`
	Ever    uint64 `json:"ever"` // parcels that it has or had
}

// Kept returns what the stream with the parcels of a crawl has; nothing if there is none.
func (b *Bus) Kept(ctx context.Context, crawl string) (k Kept, err error) {
	if err := checkName("crawl", crawl); err != nil {
		return k, err
	}
	of := &Bus{o: Options{Crawl: crawl}}
	err = retry(ctx, func(ctx context.Context) error {
		stream, err := b.js.Stream(ctx, of.streamName())
		if err == nil {
			state := stream.CachedInfo().State
			k = Kept{state.Msgs, state.Bytes, state.LastSeq + 1 - max(stream.CachedInfo().Config.FirstSeq, 1)}
		}
		return err
	})
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return Kept{}, nil
	}
	return k, err
}
