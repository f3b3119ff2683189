package bus

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// TestLetters: a letter reaches the worker that hears it, and nobody else; to one that does not it is lost.
func TestLetters(t *testing.T) {
	t.Parallel()
	s := start(t, func(o *ServerOptions) {})
	a, b := dial(t, "a", within(s)), dial(t, "b", within(s))
	heard := make(chan string, 9)
	stop, err := a.Hear("news", func(body []byte) { heard <- string(body) })
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range [][3]string{{"b", "news", "to nobody"}, {"a", "olds", "of another name"}, {"a", "news", "one"}, {"a", "news", "two"}} {
		if err := b.Tell(l[0], l[1], []byte(l[2])); err != nil {
			t.Error(err)
		}
	}
	if one, two := <-heard, <-heard; one != "one" || two != "two" {
		t.Errorf("heard %s and %s", one, two)
	}
	if err := b.Tell("a", "news", []byte(strings.Repeat("x", MaxBody+1))); !errors.Is(err, ErrTooLarge) {
		t.Error(err)
	}
	if err := b.Tell("a.b", "news", nil); !errors.Is(err, ErrName) {
		t.Error(err)
	}
	stop()
	if err := b.Tell("a", "news", []byte("late")); err != nil || len(heard) > 0 {
		t.Errorf("%v, %d more", err, len(heard))
	}
}

// TestDesks: a desk is one worker's until its session is over, and then of who claims it; each time under another epoch.
func TestDesks(t *testing.T) {
	t.Parallel()
	s := start(t, func(o *ServerOptions) {})
	a, b := dial(t, "a", within(s)), dial(t, "b", within(s))
	one, err := a.Join(soon(t), time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	two, err := b.Join(soon(t), time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	epoch, first, err := one.ClaimDesk(soon(t), 7)
	if err != nil || !first || epoch == 0 {
		t.Fatalf("epoch %d, first %v, %v", epoch, first, err)
	}
	if _, _, err := two.ClaimDesk(soon(t), 7); !errors.Is(err, ErrOwned) {
		t.Errorf("claimed while another has it: %v", err)
	}
	if owners, err := b.Owners(soon(t)); err != nil || len(owners) > 0 {
		t.Errorf("partitions %v, %v", owners, err)
	}
	desks, age := b.Desks()
	if d := desks[7]; len(desks) != 1 || d.Worker != "a" || !d.Live || d.Epoch != epoch || age > time.Minute {
		t.Errorf("%v, %v ago", desks, age)
	}
	if err := one.Leave(soon(t)); err != nil {
		t.Fatal(err)
	}
	again, first, err := two.ClaimDesk(soon(t), 7)
	if err != nil || first || again <= epoch {
		t.Errorf("epoch %d after %d, first %v, %v", again, epoch, first, err)
	}
	if _, _, err := two.ClaimDesk(soon(t), MaxPartitions); err == nil {
		t.Error("a desk too many")
	}
}
