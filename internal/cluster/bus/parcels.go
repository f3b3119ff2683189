package bus

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// A Parcel is bytes that a worker sent to a partition.
type Parcel struct {
	Partition int
	Seq       uint64 // of the stream: grows over the parcels of all partitions
	ID        string
	Body      []byte
}

// longestID bounds the id of a parcel.
const longestID = 256

// fewFilters is up to how many partitions the server filters. Each filter costs: of 40 000 parcels of 256 partitions, those of 8 are
// read in 0.12 s, all in 0.22 s, those of 64 by filters in 0.54 s. Beyond, a reader gets all parcels and drops those of others.
const fewFilters = 8

// anew is a step of sequences that no stream makes between two parcels of one worker, unless it was made anew.
const anew = 1 << (perSecond - 1)

// Send sends a parcel, and returns its sequence when the stream has it, on a majority of its replicas. It waits for servers until ctx is
// done; a parcel that may or may not have arrived is sent again with its id, 1 to 256 visible letters of ASCII, and kept once. Parcels
// of one goroutine stand in the stream in the order in which they were sent.
//
// [ErrFull] until others trim the stream. [ErrLost], with a sequence, if this parcel has arrived and the stream has lost some that
// this Bus had sent before; without one, if there is no stream.
func (b *Bus) Send(ctx context.Context, partition int, id string, body []byte) (seq uint64, err error) {
	if err := b.checkParcel(partition, id, body); err != nil {
		return 0, err
	}
	before := b.sent.at()
	var ack *jetstream.PubAck
	err = retry(ctx, func(ctx context.Context) (err error) {
		msg := &nats.Msg{Subject: b.subject(partition), Data: body, Header: nats.Header{}}
		ack, err = b.js.PublishMsg(ctx, msg, jetstream.WithMsgID(id), jetstream.WithRetryAttempts(0))
		if errors.Is(err, jetstream.ErrNoStreamResponse) {
			return b.present(ctx, b.streamName(), err)
		}
		return named(err)
	})
	if err != nil {
		return 0, fmt.Errorf("parcel %s: %w", id, err)
	}
	if ack.Duplicate {
		return ack.Sequence, nil
	}
	if before > 0 && (ack.Sequence <= before || ack.Sequence-before >= anew) {
		b.sent.set(ack.Sequence, id)
		return ack.Sequence, fmt.Errorf("%w: the stream had a parcel at %d, and is at %d", ErrLost, before, ack.Sequence)
	}
	b.sent.raise(ack.Sequence, id)
	return ack.Sequence, nil
}

func (b *Bus) checkParcel(partition int, id string, body []byte) error {
	if partition < 0 || partition >= b.o.Partitions {
		return fmt.Errorf("parcel %q: partition %d of %d", id, partition, b.o.Partitions)
	}
	if id == "" || len(id) > longestID || strings.ContainsFunc(id, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return fmt.Errorf("parcel %q: %w: 1 to %d visible letters of ASCII", id, ErrName, longestID)
	}
	if len(body) > MaxBody {
		return fmt.Errorf("parcel %s: %w: %d bytes of %d", id, ErrTooLarge, len(body), MaxBody)
	}
	return nil
}

// Receive delivers the parcels of some partitions in the order of the stream, each once, until ctx is done or deliver returns an error; it
// returns that error. After disconnections it goes on. after says up to which sequence a partition's parcels are
// delivered already: whoever has all partitions delivered by one Receive may set all to the largest sequence among them. passed, unless it is nil, is told up to which sequence all was
// delivered. The server leaves out what is for other partitions if there are few of these here: then it is told of no more than the last that was delivered.
//
// [ErrLost] if the stream does not go on from what after and the parcels sent and received by this Bus say: it was wiped or made anew, it ends before, or has
// another parcel there. What lies between what others sent last and were told to be kept, and what nobody has received yet, only
// the senders can notice: [Bus.Send].
func (b *Bus) Receive(ctx context.Context, partitions []int, after map[int]uint64, deliver func(Parcel) error, passed func(seq uint64)) error {
	if len(partitions) == 0 {
		<-ctx.Done()
		return ctx.Err()
	}
	in := &inbox{bus: b, after: map[int]uint64{}, deliver: deliver, passed: passed}
	r := reading{stream: b.streamName(), from: in.from, take: in.take}
	for _, p := range partitions {
		if p < 0 || p >= b.o.Partitions {
			return fmt.Errorf("partition %d of %d", p, b.o.Partitions)
		}
		in.after[p] = after[p]
	}
	if in.all = len(in.after) > fewFilters; !in.all {
		for p := range in.after {
			r.filters = append(r.filters, b.subject(p))
		}
	}
	return b.follow(ctx, r)
}

// An inbox is what one Receive has delivered.
type inbox struct {
	bus     *Bus
	after   map[int]uint64 // by partition
	all     bool           // the server filters nothing: sequences have no gaps
	last    anchor         // of what was read
	deliver func(Parcel) error
	passed  func(seq uint64) // nil: nobody is told
}

// from implements reading: it compares the stream with what is known of it.
func (in *inbox) from(ctx context.Context, info *jetstream.StreamInfo) (uint64, error) {
	first, last, start := info.Config.FirstSeq, info.State.LastSeq, ^uint64(0)
	for partition, seq := range in.after {
		if seq != 0 && (seq < first || seq > last) {
			return 0, fmt.Errorf("%w: partition %d was read up to %d, the stream has %d to %d", ErrLost, partition, seq, first, last)
		}
		start = min(start, seq+1)
	}
	if err := in.bus.holds(ctx, info, &in.bus.sent); err != nil {
		return 0, err
	}
	if err := in.bus.holds(ctx, info, &in.last); err != nil {
		return 0, err
	}
	if at := in.last.at(); at > 0 {
		start = at + 1
		if info.State.FirstSeq > start {
			return 0, fmt.Errorf("%w: read up to %d, the stream was trimmed up to %d", ErrLost, at, info.State.FirstSeq-1)
		}
	}
	return start, nil
}

// take implements reading.
func (in *inbox) take(m jetstream.Msg, meta *jetstream.MsgMetadata) error {
	seq, id := meta.Sequence.Stream, m.Headers().Get(jetstream.MsgIDHeader)
	if at := in.last.at(); in.all && at > 0 && seq != at+1 {
		return fmt.Errorf("%w: the stream has nothing between %d and %d", ErrLost, at, seq)
	}
	partition, err := strconv.Atoi(m.Subject()[strings.LastIndexByte(m.Subject(), '.')+1:])
	if err != nil {
		return fmt.Errorf("parcel %d: subject %s", seq, m.Subject())
	}
	if after, wanted := in.after[partition]; wanted && seq > after {
		if err := in.deliver(Parcel{Partition: partition, Seq: seq, ID: id, Body: m.Data()}); err != nil {
			return err
		}
		in.after[partition] = seq
	}
	in.last.set(seq, id)
	if in.passed != nil {
		in.passed(seq)
	}
	return nil
}

// Trim drops the parcels up to a sequence. All workers must have received theirs up to there. A worker whose partitions are quiet sends
// a parcel to one of them: when it is back, everything before it was delivered.
func (b *Bus) Trim(ctx context.Context, upTo uint64) error {
	err := retry(ctx, func(ctx context.Context) error {
		stream, err := b.js.Stream(ctx, b.streamName())
		if err != nil {
			return err
		}
		upTo = min(upTo, stream.CachedInfo().State.LastSeq) // beyond it, the stream would go on above a gap
		return stream.Purge(ctx, jetstream.WithPurgeSequence(upTo+1))
	})
	if err != nil {
		return fmt.Errorf("trim up to %d: %w", upTo, err)
	}
	return nil
}

// An anchor is the last parcel known to be in the stream.
type anchor struct {
	mu  sync.Mutex
	seq uint64 // 0: none
	id  string
}

func (a *anchor) at() uint64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.seq
}

func (a *anchor) set(seq uint64, id string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.seq, a.id = seq, id
}

// raise is set, if seq is larger.
func (a *anchor) raise(seq uint64, id string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if seq > a.seq {
		a.seq, a.id = seq, id
	}
}

// holds returns ErrLost unless the stream has, or had, a parcel where it was. An anchor that is lost is dropped, so that each loss is told
// once.
func (b *Bus) holds(ctx context.Context, info *jetstream.StreamInfo, a *anchor) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.seq == 0 || a.seq >= info.Config.FirstSeq && a.seq < info.State.FirstSeq { // trimmed
		return nil
	}
	seq, found := a.seq, ""
	if seq >= info.Config.FirstSeq && seq <= info.State.LastSeq {
		stream, err := b.js.Stream(ctx, b.streamName())
		if err != nil {
			return err
		}
		m, err := stream.GetMsg(ctx, seq)
		if err != nil && !errors.Is(err, jetstream.ErrMsgNotFound) {
			return err
		}
		if err == nil {
			found = m.Header.Get(jetstream.MsgIDHeader)
		}
	}
	if found == a.id {
		return nil
	}
	err := fmt.Errorf("%w: parcel %s was at %d, where the stream has %q", ErrLost, a.id, seq, found)
	a.seq, a.id = 0, ""
	return err
}
