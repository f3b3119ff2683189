package bus

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// A Session is a worker's proof that it is alive, for as long as it renews it. All its partitions are claimed under it, and are free when
// it is over.
//
// Two kinds of entries keep that: live.WORKER has the session with a mark that changes at each renewal, own.PARTITION its owner, under which session, and
// the epoch. To renew is one message whatever the number of partitions; a partition's entry is written when its owner changes,
// and at no other time. Whoever wants the partition of a worker whose entry did not change for a lease first sets that entry to
// over, by compare-and-set: either that fails, since the worker has renewed, or no renewal succeeds any more. So a partition
// never changes hands while its owner may believe in its lease, even if the one who takes it saw nothing for long.
//
// A lease is counted by each one's own clock: by the owner from before it sent the renewal, by others from when they
// saw the entry change, and an eighth longer. No machine reads the time of another. A Session is safe for concurrent use.
type Session struct {
	bus   *Bus
	id    string
	lease time.Duration

	leaves   atomic.Bool
	clear    atomic.Bool
	until    atomic.Pointer[time.Time] // it can be read while a renewal waits for servers
	mu       sync.Mutex                // of one renewal at a time too
	revision uint64
	over     bool
}

// A beat is the entry of a worker.
type beat struct {
	Session string        `json:"session"`
	Lease   time.Duration `json:"lease"`
	Over    bool          `json:"over,omitempty"`
	Leaves  bool          `json:"leaves,omitempty"` // it wants no partitions
	Clear   bool          `json:"clear,omitempty"`  // it has nothing that others lack, but of its partitions
	Tag     string        `json:"tag"`
	Program
}

// A deed is the entry of a partition.
type deed struct {
	Worker  string        `json:"worker,omitempty"` // empty: released
	Session string        `json:"session,omitempty"`
	Lease   time.Duration `json:"lease,omitempty"`
	Epoch   uint64        `json:"epoch"`
	Tag     string        `json:"tag"`
	Estate
}

// An Estate says what the owner of a partition has to take in before anything else: the parcels of the owner before, after one number, up to another, that the two know to
// count. The zero Estate is none.
type Estate struct {
	From  string `json:"from,omitempty"`
	After uint64 `json:"after,omitempty"` // the owner before had taken those up to here itself
	UpTo  uint64 `json:"up_to,omitempty"`
}

// Prefixes of keys.
const (
	liveKey = "live."
	ownKey  = "own."
	deskKey = "desk."
)

func deedKey(partition int) string { return fmt.Sprintf("%s%03d", ownKey, partition) }

// Join begins a session of this worker. [ErrTaken] while an older one under its name may be alive: after a crash, try again until
// its lease is over.
func (b *Bus) Join(ctx context.Context, lease time.Duration) (*Session, error) {
	if lease <= 0 {
		return nil, fmt.Errorf("lease of %v", lease)
	}
	worker := b.o.Worker
	var last beat
	revision, err := b.get(ctx, liveKey+worker, &last)
	if err != nil {
		return nil, fmt.Errorf("session of %s: %w", worker, err)
	}
	b.roster.see(worker, last, revision, b.o.Now())
	if revision > 0 && !b.roster.ended(worker, last.Session, b.o.Now()) {
		return nil, fmt.Errorf("session of %s: %w", worker, ErrTaken)
	}
	s := &Session{bus: b, id: tag(), lease: lease}
	s.clear.Store(revision == 0 || last.Clear)
	start := b.o.Now()
	s.revision, err = b.put(ctx, liveKey+worker, beat{Session: s.id, Lease: lease, Clear: s.clear.Load(), Tag: tag(), Program: b.o.Program}, revision)
	if errors.Is(err, errConflict) {
		return nil, fmt.Errorf("session of %s: %w", worker, ErrTaken)
	}
	if err != nil {
		return nil, fmt.Errorf("session of %s: %w", worker, err)
	}
	s.lasts(start)
	return s, nil
}

// Until is when the lease is over, by the clock of the Bus, unless it is renewed. The worker must have stopped by then whatever others may
// not do beside it.
func (s *Session) Until() time.Time { return *s.until.Load() }

// Lapsed reports whether the lease is over: a worker that was stopped for a while asks before it does what others may not do beside it.
func (s *Session) Lapsed() bool { return !s.bus.o.Now().Before(s.Until()) }

// lasts notes that the lease was renewed.
func (s *Session) lasts(start time.Time) {
	until := start.Add(s.lease)
	s.until.Store(&until)
}

// Renew makes the lease a whole one again, from before the call. [ErrSession] if another worker has declared the session over: all its
// partitions are lost, and only a new session can claim again. Any other error leaves it unknown, and the lease as it was.
func (s *Session) Renew(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.write(ctx, false)
}

// Leaving tells others, with the next renewal, that this worker wants no partitions any more.
func (s *Session) Leaving() { s.leaves.Store(true) }

// Clear says, with the next renewal, whether this worker has nothing that others lack, but of its own partitions: what it has sent was taken. At first that is as it was told
// in the session before.
func (s *Session) Clear(is bool) { s.clear.Store(is) }

// Leave ends the session: its partitions are free at once.
func (s *Session) Leave(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.write(ctx, true)
	if errors.Is(err, ErrSession) {
		return nil
	}
	return err
}

// write writes the entry of the worker.
func (s *Session) write(ctx context.Context, over bool) error {
	b, key := s.bus, liveKey+s.bus.o.Worker
	for !s.over {
		start := b.o.Now()
		revision, err := b.put(ctx, key, beat{Session: s.id, Lease: s.lease, Over: over, Leaves: s.leaves.Load(), Clear: s.clear.Load(), Tag: tag(), Program: b.o.Program}, s.revision)
		if err == nil {
			s.revision, s.over = revision, over
			s.lasts(start)
			return nil
		}
		if !errors.Is(err, errConflict) {
			return fmt.Errorf("session of %s: %w", b.o.Worker, err)
		}
		var found beat
		at, err := b.get(ctx, key, &found)
		if err != nil {
			return fmt.Errorf("session of %s: %w", b.o.Worker, err)
		}
		s.over = at == 0 || found.Over || found.Session != s.id
		s.revision = at // an earlier call of ours, given up before its answer came
	}
	return fmt.Errorf("session of %s: %w", b.o.Worker, ErrSession)
}

// valid returns ErrSession unless the session can claim.
func (s *Session) valid() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over || s.Lapsed() {
		return fmt.Errorf("session of %s: %w", s.bus.o.Worker, ErrSession)
	}
	return nil
}

// Claim makes this worker the owner of a partition that is free, or whose owner's session is over, and returns the epoch, which is larger than any before and
// than known, the largest that the caller knows of. A partition of its own keeps its epoch. [ErrOwned] while another
// worker's lease may not be over: that is counted from the first look at the worker's entry, by Claim, [Bus.Owners] or
// [Bus.Watch]. Two that claim at once: one wins.
func (s *Session) Claim(ctx context.Context, partition int, known uint64) (epoch uint64, err error) {
	if partition < 0 || partition >= s.bus.o.Partitions {
		return 0, fmt.Errorf("partition %d of %d", partition, s.bus.o.Partitions)
	}
	if epoch, _, err = s.claim(ctx, deedKey(partition), known); err != nil {
		return 0, fmt.Errorf("partition %d: %w", partition, err)
	}
	return epoch, nil
}

// claim makes this worker the owner of what an entry stands for. first: there was no entry.
func (s *Session) claim(ctx context.Context, key string, known uint64) (epoch uint64, first bool, err error) {
	for p := (pause{}); ; {
		epoch, first, err = s.tryClaim(ctx, key, known)
		if errors.Is(err, errConflict) && p.wait(ctx) == nil {
			continue
		}
		break
	}
	if err == nil {
		err = s.valid()
	}
	return epoch, first, err
}

func (s *Session) tryClaim(ctx context.Context, key string, known uint64) (epoch uint64, first bool, err error) {
	b := s.bus
	if err := s.valid(); err != nil {
		return 0, false, err
	}
	var d deed
	revision, err := b.get(ctx, key, &d)
	if err != nil {
		return 0, false, err
	}
	if d.Worker == b.o.Worker && d.Session == s.id {
		return d.Epoch, false, nil
	}
	if d.Worker != "" {
		if err := b.bury(ctx, d); err != nil {
			return 0, false, err
		}
	}
	if revision == 0 {
		if d.Epoch, err = b.firstEpoch(ctx); err != nil {
			return 0, false, err
		}
	}
	epoch = max(d.Epoch, known) + 1
	_, err = b.put(ctx, key, deed{Worker: b.o.Worker, Session: s.id, Lease: s.lease, Epoch: epoch, Tag: tag(), Estate: d.Estate}, revision)
	return epoch, revision == 0, err
}

// bury makes sure that the session of an owner is over, and stays so; ErrOwned if it may not be.
func (b *Bus) bury(ctx context.Context, d deed) error {
	var last beat
	revision, err := b.get(ctx, liveKey+d.Worker, &last)
	if err != nil {
		return err
	}
	if revision == 0 { // lost: the owner finds out when it renews, a lease from now at the latest
		last = beat{Session: d.Session, Lease: d.Lease}
	}
	b.roster.see(d.Worker, last, revision, b.o.Now())
	if last.Session != d.Session || last.Over {
		return nil
	}
	if !b.roster.ended(d.Worker, d.Session, b.o.Now()) {
		return fmt.Errorf("%w: %s", ErrOwned, d.Worker)
	}
	last.Over, last.Tag = true, tag()
	_, err = b.put(ctx, liveKey+d.Worker, last, revision)
	return err
}

// firstEpoch is what epochs start above where none is known: the second in which the entries were made, so that those of entries that
// were lost are smaller. Partitions do not change hands each second.
func (b *Bus) firstEpoch(ctx context.Context) (first uint64, err error) {
	err = retry(ctx, func(ctx context.Context) error {
		stream, err := b.js.Stream(ctx, b.entryStream())
		if err == nil {
			first = stream.CachedInfo().Config.FirstSeq >> perSecond
		}
		return err
	})
	return first, err
}

// Release gives a partition of this session back, with its estate. One that is another's stays so.
func (s *Session) Release(ctx context.Context, partition int, left Estate) error {
	b := s.bus
	for {
		var d deed
		revision, err := b.get(ctx, deedKey(partition), &d)
		if err == nil {
			if d.Worker != b.o.Worker || d.Session != s.id {
				return nil
			}
			_, err = b.put(ctx, deedKey(partition), deed{Epoch: d.Epoch, Tag: tag(), Estate: left}, revision)
		}
		switch {
		case err == nil:
			return nil
		case !errors.Is(err, errConflict):
			return fmt.Errorf("partition %d: %w", partition, err)
		}
	}
}
