package ledger_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// byLength is a partition of URLs.
func byLength(url string) int { return len(url) }

// outbox returns the numbers and parcels of the messages to a partition.
func outbox(t *testing.T, l *ledger.Ledger, partition int, from uint64) (numbers []uint64, all []step.Parcel) {
	t.Helper()
	for m, err := range l.Outbox(partition, from) {
		if err != nil {
			t.Fatal(err)
		}
		some, err := ledger.Parcels(m.Body)
		if err != nil {
			t.Fatal(err)
		}
		numbers, all = append(numbers, m.N), append(all, some...)
	}
	return numbers, all
}

// TestOutbox: what is for other workers stays, with all of its fields and numbered by partition, until it is delivered; also in the next session.
func TestOutbox(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	l.Divide(byLength)
	sent := []step.Parcel{{Proposal: proposal("http://b/1")}, {Proposal: proposal("http://bb/1"), Ahead: true}, {Proposal: proposal("http://b/2")}}
	commit := func(all ...step.Parcel) {
		t.Helper()
		if err := errors.Join(l.Commit(step.Batch{Away: all}), l.Flush()); err != nil {
			t.Fatal(err)
		}
	}
	commit(sent...)
	commit(sent[0])
	check := func(partition int, from uint64, numbers []uint64, want ...step.Parcel) {
		t.Helper()
		if got, all := outbox(t, l, partition, from); !slices.Equal(got, numbers) || !reflect.DeepEqual(all, want) {
			t.Errorf("partition %d from %d: %v %+v, want %v %+v", partition, from, got, all, numbers, want)
		}
	}
	check(10, 1, []uint64{1, 2}, sent[0], sent[2], sent[0])
	check(11, 1, []uint64{1}, sent[1])
	check(10, 2, []uint64{2}, sent[0])
	check(9, 1, nil)
	posted := func(want ...int) {
		t.Helper()
		if got, err := l.Posted(); err != nil || !slices.Equal(got, want) {
			t.Errorf("posted to %v, %v; want %v", got, err, want)
		}
	}
	posted(10, 11)
	posted()
	if err := l.Delivered(10, 0, 1); err != nil {
		t.Fatal(err)
	}
	closed(t, l)
	l = open(t, dir)
	l.Divide(byLength)
	defer closed(t, l)
	check(10, 1, []uint64{2}, sent[0])
	posted(10, 11)
	commit(sent[2])
	check(10, 3, []uint64{3}, sent[2])
	posted(10)
	if n, err := l.Sent(10); n != 3 || err != nil {
		t.Errorf("sent %d, %v", n, err)
	}
}

// TestLongMessages: what is for one partition goes into messages of bounded size.
func TestLongMessages(t *testing.T) {
	l := open(t, t.TempDir())
	defer closed(t, l)
	l.Divide(func(string) int { return 65535 })
	p := proposal("http://b/")
	p.Reasons[0].Evidence = strings.Repeat("x", 50_000)
	if err := errors.Join(l.Commit(step.Batch{Away: slices.Repeat([]step.Parcel{{Proposal: p}}, 20)}), l.Flush()); err != nil {
		t.Fatal(err)
	}
	if numbers, all := outbox(t, l, 65535, 1); len(numbers) != 7 || len(all) != 20 {
		t.Errorf("%d parcels in messages %v", len(all), numbers)
	}
}

// TestTaken: a delivery is taken once and in order, with the batch of what was made of it; what a kill took back is not taken.
func TestTaken(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	take := func(from string, first, last uint64) error {
		id, _ := l.Offer(orbweaver.Request{URL: fmt.Sprint("http://a/", from, first)})
		w := step.Waiting{ID: id, Proposal: proposal(fmt.Sprint("http://a/", from, first))}
		return l.Commit(step.Batch{Waiting: []step.Waiting{w}, Received: &step.Delivery{From: from, Partition: 3, First: first, Last: last}})
	}
	taken := func(from string, partition int, want uint64) {
		t.Helper()
		if n, err := l.Taken(from, partition); n != want || err != nil {
			t.Errorf("of %s to %d: %d, %v; want %d", from, partition, n, err, want)
		}
	}
	taken("u", 3, 0)
	if err := errors.Join(take("u", 1, 4), take("v", 1, 1), take("u", 5, 5)); err != nil {
		t.Fatal(err)
	}
	taken("u", 3, 5)
	taken("v", 3, 1)
	taken("u", 4, 0)
	closed(t, l)
	l = open(t, dir)
	taken("u", 3, 5)
	if err := take("u", 7, 7); err == nil {
		t.Error("a delivery was taken before the one before it")
	}
	if err := l.Close(); err == nil {
		t.Error("half a batch was kept")
	}
	l = open(t, dir)
	defer closed(t, l)
	taken("u", 3, 5)
}

// TestDamagedParcels: bytes that are no message are an error.
func TestDamagedParcels(t *testing.T) {
	for _, body := range []string{"\x05abc", "\x01\x05", "\xff", strings.Repeat("\xff", 20)} {
		if all, err := ledger.Parcels([]byte(body)); !errors.Is(err, orbweaver.ErrDamaged) {
			t.Errorf("%q: %v, %v", body, all, err)
		}
	}
}
