package bus

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// An Owner is who has a partition.
type Owner struct {
	Partition int
	Worker    string // empty: nobody since it was released
	Epoch     uint64
	Live      bool // the session may not be over: nobody else can claim it yet
}

// A sighting is the entry of a worker as it was seen last.
type sighting struct {
	revision uint64 // 0: there was none
	beat     beat
	at       time.Time // when it was first seen so
}

// A roster is what was seen of the workers. Its zero value has seen nobody.
type roster struct {
	mu   sync.Mutex
	seen map[string]sighting
}

// see takes note of a worker's entry.
func (r *roster) see(worker string, entry beat, revision uint64, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	known, met := r.seen[worker]
	if met && (revision == known.revision || revision != 0 && revision < known.revision) && entry.Session == known.beat.Session {
		return
	}
	if r.seen == nil {
		r.seen = map[string]sighting{}
	}
	r.seen[worker] = sighting{revision: revision, beat: entry, at: now}
}

// ended reports whether a session is over: by its entry, or since the entry has not changed for its lease and an eighth, for clocks
// run unequally.
func (r *roster) ended(worker, session string, now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	s, met := r.seen[worker]
	return met && (s.beat.Over || s.beat.Session != session || now.Sub(s.at) >= s.beat.Lease+s.beat.Lease/8)
}

// Owners returns the owners by partition, without those that never had one, as the servers know them now.
func (b *Bus) Owners(ctx context.Context) (map[int]Owner, error) {
	var deeds map[int]deed
	err := retry(ctx, func(ctx context.Context) error {
		deeds = map[int]deed{}
		watcher, err := b.bucket.WatchFiltered(ctx, []string{ownKey + "*", liveKey + "*"}, jetstream.IgnoreDeletes())
		if err != nil {
			return b.lostEntries(ctx, err)
		}
		defer func() { _ = watcher.Stop() }() // it fails if the connection did, and then there is nothing to stop
		for {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case e := <-watcher.Updates():
				if e == nil {
					return nil
				}
				if partition, d, err := b.sight(e.Key(), e.Value(), e.Revision()); err != nil {
					return err
				} else if d != nil {
					deeds[partition] = *d
				}
			}
		}
	})
	if err != nil {
		return nil, fmt.Errorf("owners: %w", err)
	}
	owners := map[int]Owner{}
	for partition, d := range deeds {
		owners[partition] = b.owner(partition, d)
	}
	return owners, nil
}

// owner is what is known of a partition's owner.
func (b *Bus) owner(partition int, d deed) Owner {
	live := d.Worker != "" && !b.roster.ended(d.Worker, d.Session, b.o.Now())
	return Owner{Partition: partition, Worker: d.Worker, Epoch: d.Epoch, Live: live}
}

// sight takes note of an entry. d is nil unless it is a partition's.
func (b *Bus) sight(key string, value []byte, revision uint64) (partition int, d *deed, err error) {
	if worker, ok := strings.CutPrefix(key, liveKey); ok {
		var last beat
		if err := json.Unmarshal(value, &last); err != nil {
			return 0, nil, fmt.Errorf("entry %s: %w", key, err)
		}
		b.roster.see(worker, last, revision, b.o.Now())
		return 0, nil, nil
	}
	d = &deed{}
	if err = json.Unmarshal(value, d); err == nil {
		partition, err = strconv.Atoi(strings.TrimPrefix(key, ownKey))
	}
	if err != nil {
		return 0, nil, fmt.Errorf("entry %s: %w", key, err)
	}
	return partition, d, nil
}

// Watch calls changed with the owner of each partition that has or had one, and again at each change, until ctx is done or changed
// returns an error. After a disconnection it tells of all again. That a lease has run out changes no entry: ask Owners. [ErrLost] if the entries were
// made anew.
func (b *Bus) Watch(ctx context.Context, changed func(Owner) error) error {
	prefix, made := "$KV."+b.bucketName()+".", uint64(0)
	return b.follow(ctx, reading{
		stream: b.entryStream(), filters: []string{prefix + ownKey + "*", prefix + liveKey + "*"},
		from: func(_ context.Context, info *jetstream.StreamInfo) (uint64, error) {
			if first := info.Config.FirstSeq; made != 0 && made != first {
				return 0, fmt.Errorf("%w: entries made anew", ErrLost)
			}
			made = info.Config.FirstSeq
			return 0, nil
		},
		take: func(m jetstream.Msg, meta *jetstream.MsgMetadata) error {
			partition, d, err := b.sight(strings.TrimPrefix(m.Subject(), prefix), m.Data(), meta.Sequence.Stream)
			if err != nil || d == nil {
				return err
			}
			return changed(b.owner(partition, *d))
		},
	})
}
