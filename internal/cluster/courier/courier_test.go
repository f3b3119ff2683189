package courier_test

import (
	"bytes"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"orbweaver/internal/cluster/courier"
	"orbweaver/ledger"
)

// an office with messages to one partition.
type office struct {
	posted   bool
	messages []ledger.Message
}

const partition = 7

func (o *office) put(n uint64) {
	o.messages = append(o.messages, ledger.Message{N: n, Body: fmt.Appendf(nil, "%d ", n)})
	o.posted = true
}

func (o *office) Posted() ([]int, error) {
	if o.posted {
		o.posted = false
		return []int{partition}, nil
	}
	return nil, nil
}

func (o *office) Outbox(_ int, from uint64) iter.Seq2[ledger.Message, error] {
	return func(yield func(ledger.Message, error) bool) {
		for _, m := range o.messages {
			if m.N >= from && !yield(m, nil) {
				return
			}
		}
	}
}

func (o *office) Delivered(_ int, after, upTo uint64) error {
	o.messages = slices.DeleteFunc(o.messages, func(m ledger.Message) bool { return m.N > after && m.N <= upTo })
	return nil
}

// TestBadRoads: over a way that loses, repeats and reorders, a receiver that takes what comes next has every message once and in order, and the
// office is empty then; also if the sender forgets all in between, as a new process does.
func TestBadRoads(t *testing.T) {
	for seed := range uint64(200) {
		dice := rand.New(rand.NewPCG(seed, 1))
		var o office
		var road []courier.Bundle
		var answers []uint64
		send := func(b courier.Bundle) error {
			for range dice.IntN(3) {
				road = append(road, b)
			}
			return nil
		}
		manner := courier.Manner{Linger: 20 * time.Millisecond, Patience: time.Second}
		s := courier.NewSender(&o, send, manner)
		now, last, got, taken := time.Unix(1000, 0), uint64(0), "", uint64(0)
		want := ""
		for step := 0; step < 2000 || len(o.messages) > 0; step++ {
			if step > 100_000 {
				t.Fatalf("seed %d: %d messages are left", seed, len(o.messages))
			}
			now = now.Add(time.Duration(dice.IntN(100)) * time.Millisecond)
			if step < 2000 && dice.IntN(2) == 0 {
				last++
				o.put(last)
				want += fmt.Sprint(last, " ")
			}
			if dice.IntN(500) == 0 {
				s, o.posted = courier.NewSender(&o, send, manner), true
			}
			if err := s.Post(now); err != nil {
				t.Fatal(err)
			}
			dice.Shuffle(len(road), func(i, j int) { road[i], road[j] = road[j], road[i] })
			if len(road) > 0 {
				b := road[0]
				road = road[1:]
				if b.First == taken+1 {
					got, taken = got+string(bytes.Join(b.Bodies, nil)), b.Last
				}
				if dice.IntN(3) > 0 {
					answers = append(answers, taken)
				}
			}
			if len(answers) > 0 && dice.IntN(2) == 0 {
				if err := s.Taken(partition, answers[0], now); err != nil {
					t.Fatal(err)
				}
				answers = answers[1:]
			}
		}
		if got != want {
			t.Fatalf("seed %d: taken %q, want %q", seed, got, want)
		}
		if at, waits := s.Next(); waits {
			t.Errorf("seed %d: it waits until %v for nothing", seed, at)
		}
	}
}

// TestBundles: messages wait for others as long as they linger, travel together, and no more than the window is on its way.
func TestBundles(t *testing.T) {
	var o office
	var sent []courier.Bundle
	s := courier.NewSender(&o, func(b courier.Bundle) error { sent = append(sent, b); return nil }, courier.Manner{Linger: time.Second, Patience: time.Minute})
	now := time.Unix(1000, 0)
	post := func(want ...string) {
		t.Helper()
		sent = nil
		if err := s.Post(now); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, b := range sent {
			got = append(got, fmt.Sprintf("%d-%d", b.First, b.Last))
		}
		if !slices.Equal(got, want) {
			t.Errorf("at %v: sent %v, want %v", now, got, want)
		}
	}
	for n := uint64(1); n <= courier.Window+5; n++ {
		o.put(n)
	}
	post()
	if at, ok := s.Next(); !ok || !at.Equal(now.Add(time.Second)) {
		t.Errorf("next at %v, %v", at, ok)
	}
	now = now.Add(time.Second)
	post("1-256")
	now = now.Add(time.Second)
	post()
	if err := s.Taken(partition, 256, now); err != nil {
		t.Fatal(err)
	}
	post("257-261")
	if at, ok := s.Next(); !ok || !at.Equal(now.Add(time.Minute)) {
		t.Errorf("next at %v, %v", at, ok)
	}
	now = now.Add(time.Minute)
	post("257-261")
	s.Forget(partition)
	if _, ok := s.Next(); ok || len(o.messages) != 5 {
		t.Errorf("%d messages, waits %v", len(o.messages), ok)
	}
}

// TestSpacing: what comes soon after something was sent waits for more.
func TestSpacing(t *testing.T) {
	var o office
	sent := 0
	s := courier.NewSender(&o, func(courier.Bundle) error { sent++; return nil }, courier.Manner{Linger: 50 * time.Millisecond, Spacing: 250 * time.Millisecond, Patience: time.Minute})
	begun := time.Unix(1000, 0)
	for i := range uint64(100) { // one each 10 ms
		now := begun.Add(time.Duration(i) * 10 * time.Millisecond)
		o.put(i + 1)
		if err := s.Post(now); err != nil {
			t.Fatal(err)
		}
	}
	if sent != 4 { // at 50, 300, 550 and 800 ms
		t.Errorf("%d bundles in a second", sent)
	}
	if err := s.Post(begun.Add(2 * time.Second)); err != nil {
		t.Fatal(err)
	}
	later := begun.Add(10 * time.Second)
	o.put(101)
	if err := s.Post(later); err != nil {
		t.Fatal(err)
	}
	if at, ok := s.Next(); !ok || !at.Equal(later.Add(50*time.Millisecond)) { // after a silence it waits for others only
		t.Errorf("the next bundle at %v, %v", at, ok)
	}
}
