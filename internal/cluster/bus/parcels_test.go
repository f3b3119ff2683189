package bus

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"
)

// every lists the partitions of the tests' crawl.
func every() (all []int) {
	for p := range 256 {
		all = append(all, p)
	}
	return all
}

// errEnough ends a Receive without an error of its own.
var errEnough = errors.New("enough")

// receive receives n parcels.
func receive(t *testing.T, b *Bus, partitions []int, after map[int]uint64, n int) (got []Parcel) {
	t.Helper()
	err := b.Receive(soon(t), partitions, after, func(p Parcel) error {
		if got = append(got, p); len(got) < n {
			return nil
		}
		return errEnough
	}, nil)
	if !errors.Is(err, errEnough) {
		t.Fatalf("after %d parcels: %v", len(got), err)
	}
	return got
}

// send sends a parcel.
func send(t *testing.T, b *Bus, partition int, id, body string) uint64 {
	t.Helper()
	seq, err := b.Send(soon(t), partition, id, []byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return seq
}

// TestParcels: parcels sent by several goroutines, many of them twice, are received once each, in the order of their partition. The
// connection breaks meanwhile.
func TestParcels(t *testing.T) {
	t.Parallel()
	const parcels, senders = 10_000, 8
	s := start(t, func(o *ServerOptions) { o.Listen = "127.0.0.1:0" })
	b := dial(t, "sender", within(s))
	reader := dial(t, "reader", func(o *Options) { o.URLs = []string{s.URL()} })
	var wg sync.WaitGroup
	for sender := range senders {
		wg.Go(func() {
			for n := sender; n < parcels; n += senders {
				id := fmt.Sprintf("w/1/%d", n)
				for range 1 + n/senders%2 {
					if _, err := b.Send(context.Background(), n%256, id, []byte(id)); err != nil {
						t.Error(err)
						return
					}
				}
			}
		})
	}
	last, total, before := map[int]int{}, 0, uint64(0)
	err := reader.Receive(soon(t), every(), nil, func(p Parcel) error {
		var n int
		if _, err := fmt.Sscanf(p.ID, "w/1/%d", &n); err != nil || string(p.Body) != p.ID || n%256 != p.Partition || p.Seq <= before {
			return fmt.Errorf("%+v after %d: %v", p, before, err)
		}
		if was, ok := last[p.Partition]; ok && n != was+256 || !ok && n != p.Partition {
			return fmt.Errorf("partition %d: %d after %d", p.Partition, n, was)
		}
		last[p.Partition], before = n, p.Seq
		if total++; total%2500 == 0 {
			if err := reader.conn.ForceReconnect(); err != nil {
				return err
			}
		}
		if total == parcels {
			return errEnough
		}
		return nil
	}, nil)
	if !errors.Is(err, errEnough) {
		t.Fatal(total, err)
	}
	wg.Wait()
	after := map[int]uint64{}
	for n, p := range receive(t, reader, every(), map[int]uint64{}, parcels) {
		if p.Seq <= after[p.Partition] {
			t.Fatalf("received again, parcel %d: %+v after %d", n, p, after[p.Partition])
		}
		after[p.Partition] = p.Seq
	}
	if err := reader.Receive(shortly(t), every(), after, func(p Parcel) error { return fmt.Errorf("%+v, which was sent twice", p) }, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

// TestReceiveSome: few partitions and many, from where each of them was.
func TestReceiveSome(t *testing.T) {
	t.Parallel()
	b := dial(t, "w", within(start(t)))
	var seqs []uint64
	for n := range 40 {
		seqs = append(seqs, send(t, b, n%20, fmt.Sprint(n), ""))
	}
	for _, tc := range []struct {
		name       string
		partitions []int
		after      map[int]uint64
		want       []string
	}{
		{"one", []int{3}, nil, []string{"3", "23"}},
		{"one, read before", []int{3}, map[int]uint64{3: seqs[3]}, []string{"23"}},
		{"one, named twice", []int{3, 3}, nil, []string{"3", "23"}},
		{"two, at different places", []int{3, 4}, map[int]uint64{3: seqs[23], 4: seqs[3]}, []string{"4", "24"}},
		{"many", []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, map[int]uint64{
			0: seqs[39], 1: seqs[39], 2: seqs[39], 3: seqs[39], 4: seqs[39], 5: seqs[39], 6: seqs[39], 7: seqs[39], 8: seqs[8],
		}, []string{"9", "28", "29"}},
	} {
		var got []string
		for _, p := range receive(t, b, tc.partitions, tc.after, len(tc.want)) {
			got = append(got, p.ID)
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
	if err := b.Receive(shortly(t), nil, nil, nil, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("none: %v", err)
	}
	if err := b.Receive(soon(t), []int{256}, nil, nil, nil); err == nil {
		t.Error("a partition that there is not")
	}
}

// TestSizes: the largest body goes through, a larger one does not; a full stream refuses until it is trimmed.
func TestSizes(t *testing.T) {
	t.Parallel()
	b := dial(t, "w", func(o *Options) { o.Server, o.Storage = start(t), 5<<20 })
	body := bytes.Repeat([]byte{'x'}, MaxBody)
	if _, err := b.Send(soon(t), 0, "large", append(body, 'x')); !errors.Is(err, ErrTooLarge) {
		t.Error(err)
	}
	var last uint64
	var err error
	sent := 0
	for err == nil && sent < 10 {
		var seq uint64
		if seq, err = b.Send(soon(t), 0, fmt.Sprintf("%0256d", sent), body); err == nil {
			last = seq
			sent++
		}
	}
	if !errors.Is(err, ErrFull) {
		t.Fatal(err)
	}
	got := receive(t, b, []int{0}, nil, sent)
	if end := got[sent-1]; !bytes.Equal(end.Body, body) || end.Seq != last {
		t.Errorf("%d bytes at %d, the last at %d", len(end.Body), end.Seq, last)
	}
	if err := b.Trim(soon(t), last-1); err != nil {
		t.Fatal(err)
	}
	if seq := send(t, b, 0, "next", "small"); seq != last+1 {
		t.Errorf("%d after %d", seq, last)
	}
	if got = receive(t, b, []int{0}, nil, 2); got[0].Seq != last {
		t.Errorf("first %d, trimmed up to %d", got[0].Seq, last-1)
	}
	for _, upTo := range []uint64{0, last + 1000, 7} {
		if err := b.Trim(soon(t), upTo); err != nil {
			t.Fatal(err)
		}
	}
	if seq := send(t, b, 0, "after-all", ""); seq != last+2 {
		t.Errorf("%d after %d", seq, last+1)
	}
}

// TestWiped: a store that was wiped is a loss to who read it and to who sent to it, once, and goes on above what was there.
func TestWiped(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	s := start(t, func(o *ServerOptions) { o.Folder, o.Listen = folder, "127.0.0.1:0" })
	address := s.URL()[len("nats://"):]
	reader := dial(t, "reader", func(o *Options) { o.URLs = []string{s.URL()} })
	sender := dial(t, "sender", func(o *Options) { o.URLs = []string{s.URL()} })
	session, err := sender.Join(soon(t), lease)
	if err != nil {
		t.Fatal(err)
	}
	epoch, err := session.Claim(soon(t), 7, 0)
	if err != nil {
		t.Fatal(err)
	}
	first, arrived, ended := send(t, sender, 7, "a", ""), make(chan Parcel, 9), make(chan error, 1)
	go func() {
		ended <- reader.Receive(soon(t), every(), nil, func(p Parcel) error { arrived <- p; return nil }, nil)
	}()
	<-arrived
	s.Close()
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	start(t, func(o *ServerOptions) { o.Folder, o.Listen = folder, address })
	if err := <-ended; !errors.Is(err, ErrLost) {
		t.Fatalf("running: %v", err)
	}
	if _, err := sender.Send(soon(t), 7, "b", nil); !errors.Is(err, ErrLost) {
		t.Errorf("sent to nothing: %v", err)
	}
	if err := session.Renew(soon(t)); !errors.Is(err, ErrLost) {
		t.Errorf("session: %v", err)
	}
	if err := reader.Ensure(soon(t)); err != nil {
		t.Fatal(err)
	}
	if err := session.Renew(soon(t)); !errors.Is(err, ErrSession) {
		t.Errorf("session: %v", err)
	}
	if session, err = sender.Join(soon(t), lease); err != nil {
		t.Fatal(err)
	}
	if again, err := session.Claim(soon(t), 7, 0); err != nil || again <= epoch {
		t.Errorf("epoch %d after %d, %v", again, epoch, err)
	}
	if err := reader.Receive(soon(t), every(), map[int]uint64{7: first}, nil, nil); !errors.Is(err, ErrLost) {
		t.Errorf("from where it was: %v", err)
	}
	seq, err := sender.Send(soon(t), 7, "c", nil)
	if !errors.Is(err, ErrLost) || seq <= first {
		t.Errorf("sent at %d after %d: %v", seq, first, err)
	}
	again := send(t, sender, 7, "a", "")
	if again <= seq {
		t.Errorf("%d after %d", again, seq)
	}
	if got := receive(t, reader, every(), map[int]uint64{7: seq}, 1); got[0].ID != "a" {
		t.Errorf("%+v", got)
	}
}

// TestOtherParcelThere: a stream that lost its end, and has grown since, is noticed by what stands where the last parcel was.
func TestOtherParcelThere(t *testing.T) {
	t.Parallel()
	b := dial(t, "w", within(start(t)))
	seq := send(t, b, 1, "a", "")
	b.sent.set(seq, "another")
	if err := b.Receive(soon(t), []int{1}, nil, nil, nil); !errors.Is(err, ErrLost) {
		t.Error(err)
	}
	if got := receive(t, b, []int{1}, nil, 1); got[0].ID != "a" {
		t.Error("told twice")
	}
	b.sent.set(seq+1, "beyond the end")
	if err := b.Receive(soon(t), []int{1}, nil, nil, nil); !errors.Is(err, ErrLost) {
		t.Error(err)
	}
	if err := b.Receive(soon(t), []int{1}, map[int]uint64{1: seq + 1}, nil, nil); !errors.Is(err, ErrLost) {
		t.Error(err)
	}
}
