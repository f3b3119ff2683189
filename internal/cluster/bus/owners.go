package bus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
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
	Estate         // to be taken in, or taken in before
}

// A Member is a worker that has a session.
type Member struct {
	Worker string
	Live   bool // the session may not be over
	Leaves bool // it wants no partitions
	Clear  bool // it had nothing that others lack, but of its partitions, when it was heard of last
	Program
}

// Members returns the workers that the Bus has seen, by name, as of its last look at entries by [Bus.Owners] or [Bus.Watch].
func (b *Bus) Members() (all []Member) {
	now := b.o.Now()
	b.roster.mu.Lock()
	defer b.roster.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(b.roster.seen)) {
		s := b.roster.seen[name]
		all = append(all, Member{Worker: name, Live: s.revision > 0 && !s.beat.Over && now.Sub(s.at) < s.beat.Lease+s.beat.Lease/8, Leaves: s.beat.Leaves, Clear: s.beat.Clear, Program: s.beat.Program})
	}
	return all
}

// First reports whether this worker is the first of the crawl that asked for a name, now or earlier.
func (b *Bus) First(ctx context.Context, name string) (bool, error) {
	_, err := b.put(ctx, "first."+name, b.o.Worker, 0)
	if err == nil || !errors.Is(err, errConflict) {
		return err == nil, err
	}
	var first string
	_, err = b.get(ctx, "first."+name, &first)
	return first == b.o.Worker, err
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

	desks  map[int]deed // as of the last look
	looked time.Time
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
	deeds, desks := map[int]deed{}, map[int]deed{}
	err := retry(ctx, func(ctx context.Context) error {
		clear(deeds)
		clear(desks)
		watcher, err := b.bucket.WatchFiltered(ctx, []string{ownKey + "*", liveKey + "*", deskKey + "*"}, jetstream.IgnoreDeletes())
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
				number, d, err := b.sight(e.Key(), e.Value(), e.Revision())
				switch {
				case err != nil:
					return err
				case d == nil:
				case strings.HasPrefix(e.Key(), deskKey):
					desks[number] = *d
				default:
					deeds[number] = *d
				}
			}
		}
	})
	if err != nil {
		return nil, fmt.Errorf("owners: %w", err)
	}
	b.roster.sit(desks, b.o.Now())
	owners := map[int]Owner{}
	for partition, d := range deeds {
		owners[partition] = b.owner(partition, d)
	}
	return owners, nil
}

// Owner returns the owner of a partition, as the servers know it now; the zero Owner if there never was one.
func (b *Bus) Owner(ctx context.Context, partition int) (Owner, error) {
	var d deed
	revision, err := b.get(ctx, deedKey(partition), &d)
	if err != nil || revision == 0 {
		return Owner{}, err
	}
	return b.owner(partition, d), nil
}

// Asked reports whether a worker of the crawl has asked for a name by [Bus.First].
func (b *Bus) Asked(ctx context.Context, name string) (bool, error) {
	var first string
	revision, err := b.get(ctx, "first."+name, &first)
	return revision > 0, err
}

// owner is what is known of a partition's owner.
func (b *Bus) owner(partition int, d deed) Owner {
	live := d.Worker != "" && !b.roster.ended(d.Worker, d.Session, b.o.Now())
	return Owner{Partition: partition, Worker: d.Worker, Epoch: d.Epoch, Live: live, Estate: d.Estate}
}

// sight takes note of an entry. d is nil unless it is a partition's or a desk's.
func (b *Bus) sight(key string, value []byte, revision uint64) (number int, d *deed, err error) {
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
		number, err = strconv.Atoi(strings.TrimPrefix(strings.TrimPrefix(key, ownKey), deskKey))
	}
	if err != nil {
		return 0, nil, fmt.Errorf("entry %s: %w", key, err)
	}
	return number, d, nil
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
