package bus

import (
	"context"
	"fmt"
	"maps"
	"time"
)

// Desks are what workers own beside partitions: each has a number, and is one worker's at a time, as a partition is. No state goes with a desk, and whoever is there takes
// that of a worker that is gone.

func deskEntry(desk int) string { return fmt.Sprintf("%s%03d", deskKey, desk) }

// ClaimDesk makes this worker the owner of a desk, as Claim does of a partition. first: nobody had it before, as far as the servers know.
func (s *Session) ClaimDesk(ctx context.Context, desk int) (epoch uint64, first bool, err error) {
	if desk < 0 || desk >= MaxPartitions {
		return 0, false, fmt.Errorf("desk %d of %d", desk, MaxPartitions)
	}
	if epoch, first, err = s.claim(ctx, deskEntry(desk), 0); err != nil {
		err = fmt.Errorf("desk %d: %w", desk, err)
	}
	return epoch, first, err
}

// sit takes note of who has which desk.
func (r *roster) sit(desks map[int]deed, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.desks, r.looked = maps.Clone(desks), now
}

// Desks returns who has which desk, without those that nobody ever had, as of the last look at entries by [Bus.Owners], and how long ago that was.
func (b *Bus) Desks() (owners map[int]Owner, age time.Duration) {
	b.roster.mu.Lock()
	desks, looked := b.roster.desks, b.roster.looked
	b.roster.mu.Unlock()
	owners = map[int]Owner{}
	for desk, d := range desks {
		owners[desk] = b.owner(desk, d)
	}
	return owners, b.o.Now().Sub(looked)
}
