package bus

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/nats-io/nats.go/jetstream"
)

// ErrChanged says that a note is not as it was when it was read.
var ErrChanged = errConflict

const noteKey = "note."

// Note writes a note under a name, if it is still as it was at a revision, 0 for none; else the error wraps [ErrChanged].
func (b *Bus) Note(ctx context.Context, name string, v any, revision uint64) (now uint64, err error) {
	if err := checkName("note", name); err != nil {
		return 0, err
	}
	if now, err = b.put(ctx, noteKey+name, v, revision); err != nil {
		err = fmt.Errorf("note %s: %w", name, err)
	}
	return now, err
}

// Noted reads a note. The revision is 0, and v is left alone, if there is none.
func (b *Bus) Noted(ctx context.Context, name string, v any) (revision uint64, err error) {
	if err := checkName("note", name); err != nil {
		return 0, err
	}
	return b.get(ctx, noteKey+name, v)
}

// Notes returns all notes by name.
func (b *Bus) Notes(ctx context.Context) (all map[string]json.RawMessage, err error) {
	if all, err = b.under(ctx, noteKey); err != nil {
		err = fmt.Errorf("notes: %w", err)
	}
	return all, err
}

// under returns all entries of a prefix, by the rest of their keys.
func (b *Bus) under(ctx context.Context, prefix string) (all map[string]json.RawMessage, err error) {
	err = retry(ctx, func(ctx context.Context) error {
		all = map[string]json.RawMessage{}
		watcher, err := b.bucket.WatchFiltered(ctx, []string{prefix + "*"}, jetstream.IgnoreDeletes())
		if err != nil {
			return b.lostEntries(ctx, err)
		}
		defer func() { _ = watcher.Stop() }()
		for {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case e := <-watcher.Updates():
				if e == nil {
					return nil
				}
				all[e.Key()[len(prefix):]] = e.Value()
			}
		}
	})
	return all, err
}

// MaxFile is the size of the largest file, in bytes.
const MaxFile = 256 << 20

// files is the store of files of all crawls.
func (b *Bus) files(ctx context.Context) (store jetstream.ObjectStore, err error) {
	err = retry(ctx, func(ctx context.Context) error {
		store, err = b.js.ObjectStore(ctx, "ow-files")
		if errors.Is(err, jetstream.ErrBucketNotFound) || errors.Is(err, jetstream.ErrStreamNotFound) {
			store, err = b.js.CreateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: "ow-files", Replicas: max(1, b.o.Replicas), Storage: jetstream.FileStorage})
		}
		return named(err)
	})
	return store, err
}

// EnsureFiles makes the store of files unless it is there.
func (b *Bus) EnsureFiles(ctx context.Context) error {
	_, err := b.files(ctx)
	return err
}

// PutFile keeps a file under a name, in place of one that was there.
func (b *Bus) PutFile(ctx context.Context, name string, body []byte) error {
	if len(body) > MaxFile {
		return fmt.Errorf("file %s: %w: %d bytes of %d", name, ErrTooLarge, len(body), MaxFile)
	}
	store, err := b.files(ctx)
	if err == nil {
		_, err = store.Put(ctx, jetstream.ObjectMeta{Name: name}, bytes.NewReader(body))
	}
	if err != nil {
		return fmt.Errorf("file %s: %w", name, named(err))
	}
	return nil
}

// File returns a file; ErrLost if there is none.
func (b *Bus) File(ctx context.Context, name string) ([]byte, error) {
	store, err := b.files(ctx)
	if err != nil {
		return nil, err
	}
	object, err := store.Get(ctx, name)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return nil, fmt.Errorf("file %s: %w", name, ErrLost)
	}
	if err != nil {
		return nil, fmt.Errorf("file %s: %w", name, err)
	}
	stop := context.AfterFunc(ctx, func() { _ = object.Close() }) // what is replaced meanwhile never comes whole
	defer stop()
	body, err := io.ReadAll(io.LimitReader(object, MaxFile+1))
	return body, errors.Join(err, ctx.Err(), object.Close())
}

// Present reports whether this bus reaches its servers now.
func (b *Bus) Present() bool { return b.conn.IsConnected() }

// Crawl returns the name of the crawl.
func (b *Bus) Crawl() string { return b.o.Crawl }
