package frontier_test

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"orbweaver/frontier"
)

// A scratch is an in-memory file whose left-th operation fails; 0: none does.
type scratch struct {
	bytes  []byte
	left   int
	closed bool
}

var errScratch = errors.New("no such luck")

func (s *scratch) use() error {
	if s.left--; s.left == 0 {
		return errScratch
	}
	return nil
}

func (s *scratch) ReadAt(p []byte, at int64) (int, error) {
	if at+int64(len(p)) > int64(len(s.bytes)) {
		return 0, io.ErrUnexpectedEOF
	}
	return copy(p, s.bytes[at:]), s.use()
}

func (s *scratch) WriteAt(p []byte, at int64) (int, error) {
	if end := int(at) + len(p); end > len(s.bytes) {
		s.bytes = slices.Grow(s.bytes, end-len(s.bytes))[:end]
	}
	return copy(s.bytes[at:], p), s.use()
}

func (s *scratch) Close() error {
	s.closed = true
	return nil
}

// bounded returns options with a memory budget and a file.
func bounded(opts frontier.Options, memory int64, s *scratch) frontier.Options {
	opts.Memory = memory
	opts.Spill = func() (frontier.Spill, error) { return s, s.use() }
	return opts
}

// TestTheFileChangesNothing performs random operations with and without a budget.
func TestTheFileChangesNothing(t *testing.T) {
	for _, tc := range []struct {
		name string
		opts frontier.Options
	}{
		{"archive", frontier.Options{}},
		{"budget", frontier.Options{HostPages: 300}},
		{"delays", frontier.Options{Delay: time.Second, Connections: 2}},
		{"live", frontier.Options{Live: true, Delay: 200 * time.Millisecond, Connections: 2}},
	} {
		for seed := range uint64(3) {
			memory := []int64{1, 40_000, 55_000}[seed]
			t.Run(fmt.Sprint(tc.name, " ", seed), func(t *testing.T) {
				t.Parallel()
				s := &scratch{}
				w := &pair{t: t, rng: rand.New(rand.NewPCG(seed, 9)), now: start(), free: frontier.New(tc.opts),
					tight: frontier.New(bounded(tc.opts, memory, s))}
				w.run()
				if err := w.tight.Close(); err != nil || !s.closed {
					t.Errorf("closed: %v, %v", s.closed, err)
				}
			})
		}
	}
}

// TestTheFileIsUsedAgain: many requests come, go and are rescored at three hosts.
func TestTheFileIsUsedAgain(t *testing.T) {
	s := &scratch{}
	f := frontier.New(bounded(frontier.Options{}, 200_000, s))
	rng := rand.New(rand.NewPCG(1, 1))
	most, next := 0, uint64(0)
	for i := range 200_000 {
		if next++; i < 30_000 || i%2 == 0 {
			f.Add(entry{ID: next, Host: string(rune('a' + next%3)), Score: rng.Float64()}.waiting())
		} else if _, _, ok := f.Next(start()); !ok {
			t.Fatal("no turn", f.Err())
		}
		if i%3 == 0 {
			f.Rescore(rng.Uint64N(next), rng.Float64())
		}
		most = max(most, f.Spilled())
	}
	if f.Err() != nil || most < 15_000 {
		t.Fatalf("%d in the file at most, %v", most, f.Err())
	}
	if held := len(s.bytes) / 12; held > 4*most {
		t.Errorf("the file has %d slots, and never had more than %d requests", held, most)
	}
}

// TestWhatIsOutdatedGoes: nine in ten of the requests at ten hosts leave, repeatedly.
func TestWhatIsOutdatedGoes(t *testing.T) {
	s := &scratch{}
	f := frontier.New(bounded(frontier.Options{}, 1, s))
	rng := rand.New(rand.NewPCG(3, 3))
	most, next := 0, uint64(0)
	for range 7 {
		for range 45_000 {
			next++
			f.Add(entry{ID: next, Host: string(rune('a' + next%10)), Score: rng.Float64()}.waiting())
		}
		most = max(most, f.Spilled())
		for _, id := range f.Group("*") {
			if rng.IntN(10) > 0 {
				f.Drop(id)
			}
		}
	}
	if held := len(s.bytes) / 12; f.Err() != nil || most < 30_000 || held > 2*most {
		t.Errorf("%d slots for %d requests at most: %v", held, most, f.Err())
	}
}

// TestAFileThatFails: the file fails at the first operation, at the second, and so on.
func TestAFileThatFails(t *testing.T) {
	for left := 1; ; left += 1 + left/5 {
		s := &scratch{left: left}
		f := frontier.New(bounded(frontier.Options{}, 1, s))
		rng := rand.New(rand.NewPCG(2, 2))
		for id := range uint64(2500) {
			f.Add(entry{ID: id, Host: "a", Score: rng.Float64(), Keys: []string{"k"}}.waiting())
		}
		f.Rescore(7, 9)
		f.Drop(8)
		f.Select(1000)
		f.Unselect()
		f.Standing(1, start())
		f.Waits("http://a")
		for id := range uint64(300) {
			f.Rank(id)
			f.Take(id, start())
		}
		given := 0
		for range 300 {
			if _, wait, ok := f.Next(start()); ok {
				given++
			} else if wait >= 0 {
				t.Fatalf("use %d: wait %v", left, wait)
			}
		}
		if f.Len() > 2499 || len(f.Group("k")) != f.Len() {
			t.Fatalf("use %d: %d wait, %d of the group", left, f.Len(), len(f.Group("k")))
		}
		if s.left > 0 {
			if f.Err() != nil || given != 300 {
				t.Fatalf("%d given, %v", given, f.Err())
			}
			return
		}
		if !errors.Is(f.Err(), errScratch) {
			t.Fatalf("use %d: %v", left, f.Err())
		}
		if _, _, ok := f.Next(start()); ok || f.Take(999, start()) {
			t.Fatalf("use %d: a turn after a failure", left)
		}
	}
}

func TestANumberTooLarge(t *testing.T) {
	f := frontier.New(frontier.Options{})
	f.Add(entry{ID: 1, Host: "a"}.waiting())
	f.Add(entry{ID: 1 << 32, Host: "a"}.waiting())
	if _, _, ok := f.Next(start()); ok || f.Err() == nil || f.Len() != 1 {
		t.Errorf("%v, %d wait, %v", ok, f.Len(), f.Err())
	}
}
