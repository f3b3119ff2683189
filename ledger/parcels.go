package ledger

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/cockroachdb/pebble/v2"

	"orbweaver"
	"orbweaver/internal/step"
)

// Of a crawl that several workers share, each has a ledger. A proposal of a request that another owns goes into the group of its batch, as
// part of a message to the partition of the request. A message stays until the owner of the partition has taken it; the owner's ledger has
// the number of the last one that it took of each sender, in the batch of what it made of it. So whatever a courier loses, repeats or reorders,
// each message is taken once, in order.

// maxMessage is the size from which a message is not extended, in bytes.
const maxMessage = 128 << 10

// A parcels is what a ledger keeps for other workers and knows of them.
type parcels struct {
	divide func(url string) int // a URL's partition; nil: the crawl has one worker
	open   map[int][][]byte     // messages of the group, by partition
	size   int                  // of these, in bytes
	posted map[int]struct{}     // partitions to which messages were written, since Posted
	began  bool                 // Posted was called
	sent   map[int]uint64       // number of the last message by partition, as far as known
	taken  map[sender]uint64    // number of the last message taken, as far as known
}

// A sender is a worker with a partition to which it sends.
type sender struct {
	from      string
	partition int
}

// A Message is one of the messages to a partition.
type Message struct {
	N    uint64
	Body []byte // see Parcels
}

// LessonPartition is the partition of parcels with a Lesson, which are for all.
const LessonPartition = 65_535

// Divide says to which partition, from 0 to 65 534, the requests of a URL belong. It must be called before the first Commit with parcels.
func (l *Ledger) Divide(partition func(url string) int) { l.parcels.divide = partition }

// exchange puts what a batch has for other workers, and of them, into its group.
func (l *Ledger) exchange(w *writer, batch step.Batch) error {
	if len(batch.Away) > 0 {
		if err := l.away(batch.Away); err != nil {
			return err
		}
	}
	for _, d := range batch.Inherited {
		if err := l.inherit(w, d); err != nil {
			return err
		}
	}
	if batch.Received == nil {
		return nil
	}
	return l.take(w, *batch.Received)
}

// away puts parcels into the messages of the group.
func (l *Ledger) away(all []step.Parcel) error {
	p := &l.parcels
	if p.divide == nil {
		return errors.New("parcels of a crawl that is not divided")
	}
	if p.open == nil {
		p.open, p.posted = map[int][][]byte{}, map[int]struct{}{}
	}
	var one []byte
	for _, parcel := range all {
		to := LessonPartition
		switch {
		case parcel.Taken != nil:
			to = parcel.Taken.Partition
		case parcel.Lesson == nil:
			to = p.divide(parcel.URL)
		}
		var err error
		if one, err = appendParcel(one[:0], parcel); err != nil {
			return err
		}
		messages := p.open[to]
		if last := len(messages) - 1; last < 0 || len(messages[last]) >= maxMessage {
			messages = append(messages, nil)
		}
		last := len(messages) - 1
		messages[last] = appendString(messages[last], string(one))
		p.open[to] = messages
		p.size += len(one)
	}
	return nil
}

// post writes the messages of the group.
func (l *Ledger) post(w *writer) error {
	p := &l.parcels
	for _, to := range slices.Sorted(maps.Keys(p.open)) {
		n, err := l.Sent(to)
		if err != nil {
			return err
		}
		for _, body := range p.open[to] {
			n++
			w.set(outboxKey(to, n), body)
		}
		p.sent[to], p.posted[to] = n, struct{}{}
		w.set(partitionKey(tableSent, to), binary.BigEndian.AppendUint64(nil, n))
	}
	clear(p.open)
	p.size = 0
	return nil
}

// partitionKey is the key of a partition in a table.
func partitionKey(table byte, partition int) []byte {
	return binary.BigEndian.AppendUint16([]byte{table}, uint16(partition))
}

func outboxKey(partition int, n uint64) []byte {
	return binary.BigEndian.AppendUint64(partitionKey(tableOutbox, partition), n)
}

// Sent returns the number of the last message to a partition; 0: there was none.
func (l *Ledger) Sent(partition int) (uint64, error) {
	p := &l.parcels
	if n, known := p.sent[partition]; known {
		return n, nil
	}
	n, err := l.word(partitionKey(tableSent, partition))
	if err != nil {
		return 0, err
	}
	if p.sent == nil {
		p.sent = map[int]uint64{}
	}
	p.sent[partition] = n
	return n, nil
}

// word reads a number of eight bytes; 0 if there is none.
func (l *Ledger) word(key []byte) (uint64, error) {
	value, err := l.get(key)
	switch {
	case errors.Is(err, pebble.ErrNotFound):
		return 0, nil
	case err == nil && len(value) != 8:
		err = errShort
	}
	if err != nil {
		return 0, fmt.Errorf("ledger: %w", l.damage(err))
	}
	return binary.BigEndian.Uint64(value), nil
}

// Outbox ranges over the messages to a partition from a number on that are in the database and not delivered, in order. It may run beside Commit.
func (l *Ledger) Outbox(partition int, from uint64) iter.Seq2[Message, error] {
	return func(yield func(Message, error) bool) {
		it, err := l.db.NewIter(&pebble.IterOptions{LowerBound: outboxKey(partition, from), UpperBound: after(partitionKey(tableOutbox, partition))})
		if err != nil {
			yield(Message{}, fmt.Errorf("ledger: %w", err))
			return
		}
		for ok := it.First(); ok; ok = it.Next() {
			if len(it.Key()) != 11 {
				yield(Message{}, fmt.Errorf("ledger: %w", l.damage(errShort)))
				break
			}
			if !yield(Message{N: binary.BigEndian.Uint64(it.Key()[3:]), Body: slices.Clone(it.Value())}, nil) {
				break
			}
		}
		if err := errors.Join(it.Error(), it.Close()); err != nil {
			yield(Message{}, fmt.Errorf("ledger: %w", err))
		}
	}
}

// Posted returns the partitions to which messages were written since its last call, ascending; at first, all to which there are any.
func (l *Ledger) Posted() (all []int, err error) {
	if p := &l.parcels; p.began {
		all = slices.Sorted(maps.Keys(p.posted))
	} else if all, err = l.undelivered(); err != nil {
		return nil, err
	}
	l.parcels.began = true
	clear(l.parcels.posted)
	return all, nil
}

// undelivered returns the partitions to which there are messages.
func (l *Ledger) undelivered() (all []int, err error) {
	it, err := l.iterate(tableOutbox)
	if err != nil {
		return nil, err
	}
	for it.Valid() {
		partition := int(binary.BigEndian.Uint16(it.Key()[1:]))
		all = append(all, partition)
		it.SeekGE(after(partitionKey(tableOutbox, partition)))
	}
	return all, errors.Join(it.Error(), it.Close())
}

// Delivered drops the messages to a partition after one number up to another: what their receiver made of them is on its disk.
func (l *Ledger) Delivered(partition int, after, upTo uint64) error {
	b := l.db.NewBatch()
	var err error
	for n := after + 1; n <= upTo && err == nil; n++ {
		err = b.Delete(outboxKey(partition, n), nil)
	}
	if err == nil {
		err = l.db.Apply(b, pebble.NoSync)
	}
	if err = errors.Join(err, b.Close()); err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	return nil
}

// Taken returns the number of the last message of a worker to a partition that was taken; 0: none.
func (l *Ledger) Taken(from string, partition int) (uint64, error) {
	p, key := &l.parcels, sender{from, partition}
	if n, known := p.taken[key]; known {
		return n, nil
	}
	n, err := l.word(takenKey(key))
	if err != nil {
		return 0, err
	}
	if p.taken == nil {
		p.taken = map[sender]uint64{}
	}
	p.taken[key] = n
	return n, nil
}

func takenKey(s sender) []byte {
	return append(partitionKey(tableTaken, s.partition), s.from...)
}

// take notes a delivery with the batch of what was made of it.
func (l *Ledger) take(w *writer, d step.Delivery) error {
	last, err := l.Taken(d.From, d.Partition)
	if err != nil {
		return err
	}
	if d.First != last+1 || d.Last < d.First {
		return fmt.Errorf("messages %d to %d of %s to partition %d are not the next after %d", d.First, d.Last, d.From, d.Partition, last)
	}
	key := sender{d.From, d.Partition}
	l.parcels.taken[key] = d.Last
	w.set(takenKey(key), binary.BigEndian.AppendUint64(nil, d.Last))
	return nil
}

// inherit notes up to which message those of a worker to a partition were taken, unless more were.
func (l *Ledger) inherit(w *writer, d step.Delivery) error {
	last, err := l.Taken(d.From, d.Partition)
	if err != nil || last >= d.Last {
		return err
	}
	key := sender{d.From, d.Partition}
	l.parcels.taken[key] = d.Last
	w.set(takenKey(key), binary.BigEndian.AppendUint64(nil, d.Last))
	return nil
}

// TakenOf ranges over the numbers of the last messages of each worker to partitions that were taken.
func (l *Ledger) TakenOf(partition int) (all []step.Delivery, err error) {
	l.settle()
	err = l.scan(partitionKey(tableTaken, partition), func(key, value []byte) error {
		if len(value) != 8 {
			return orbweaver.ErrDamaged
		}
		all = append(all, step.Delivery{From: string(key[3:]), Partition: partition, Last: binary.BigEndian.Uint64(value)})
		return nil
	})
	return all, err
}

// Outstanding reports whether there are messages that their receivers have not taken, as far as they are in the database. It may run beside Commit.
func (l *Ledger) Outstanding() (bool, error) {
	it, err := l.iterate(tableOutbox)
	if err != nil {
		return false, err
	}
	some := it.Valid()
	return some, errors.Join(it.Error(), it.Close())
}

// Settled reports whether a request waits or was asked, here or elsewhere. It must be called from the goroutine that offers.
func (l *Ledger) Settled(id uint64) (bool, error) {
	if _, done := l.group.outcomes[id]; done {
		return true, nil
	}
	if _, waits, err := l.Waits(id); waits || err != nil {
		return waits, err
	}
	l.settle()
	done, err := l.has(number(tableNumber, id))
	if !done && err == nil {
		done, err = l.has(number(tableElsewhere, id))
	}
	return done, err
}

// Asked ranges over the requests that were made here, or elsewhere before, for the owner of their partition.
//
//go:noinline
func (l *Ledger) Asked() iter.Seq2[orbweaver.Request, error] {
	return func(yield func(orbweaver.Request, error) bool) {
		for o, err := range l.Outcomes(0) {
			if !yield(o.Request, err) || err != nil {
				return
			}
		}
		l.settle()
		err := l.scan([]byte{tableElsewhere}, func(_, value []byte) error {
			d := decoding(value)
			r := orbweaver.Request{URL: d.string(), Accept: d.string(), Query: d.string(), State: d.string()}
			r, err := done(&d, "request asked elsewhere", r)
			if !yield(r, err) || err != nil {
				return errStop
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStop) {
			yield(orbweaver.Request{}, err)
		}
	}
}

// The kinds of parcels that are no proposals, in their encoding.
const (
	parcelKnown = iota + 1
	parcelAccount
	parcelTaken
	parcelLesson
)

// appendNews writes what a parcel is beside a proposal; nothing of one that is none of it.
func appendNews(b []byte, p step.Parcel) ([]byte, error) {
	switch {
	case p.Known:
		return append(b, parcelKnown), nil
	case p.Account != nil:
		value, err := json.Marshal(p.Account)
		return appendString(append(b, parcelAccount), string(value)), err
	case p.Lesson != nil:
		return appendString(append(b, parcelLesson), string(p.Lesson)), nil
	case p.Taken != nil:
		b = appendString(append(b, parcelTaken), p.Taken.From)
		return binary.AppendUvarint(binary.AppendUvarint(b, uint64(p.Taken.Partition)), p.Taken.Last), nil
	}
	return b, nil
}

// news reads what appendNews wrote.
func (d *decoder) news(p *step.Parcel) {
	if d.s == "" {
		return
	}
	switch d.byte() {
	case parcelKnown:
		p.Known = true
	case parcelAccount:
		p.Account = &step.Account{}
		if json.Unmarshal([]byte(d.string()), p.Account) != nil {
			d.fail()
		}
	case parcelLesson:
		p.Lesson = []byte(d.string())
	case parcelTaken:
		p.Taken = &step.Delivery{From: d.string(), Partition: int(d.uint()), Last: d.uint()}
	default:
		d.fail()
	}
}

// appendParcel writes a parcel.
func appendParcel(b []byte, p step.Parcel) ([]byte, error) {
	note := p.Note
	p.Note = nil
	b = appendWaiting(b, step.Waiting{Proposal: p.Proposal, Ahead: p.Ahead})
	b = appendString(b, string(note))
	return appendNews(appendStrings(b, p.Keys), p)
}

// Bundle writes the bodies of messages as one, for Bundled.
func Bundle(bodies [][]byte) (b []byte) {
	for _, body := range bodies {
		b = appendString(b, string(body))
	}
	return b
}

// Bundled reads what Bundle wrote: the parcels of each message. The error wraps orbweaver.ErrDamaged.
func Bundled(b []byte) (messages [][]step.Parcel, err error) {
	for d := decoding(b); len(d.s) > 0; {
		parcels, err := Parcels([]byte(d.string()))
		if _, failed := done(&d, "bundle", 0); err != nil || failed != nil {
			return nil, errors.Join(err, failed)
		}
		messages = append(messages, parcels)
	}
	return messages, nil
}

// Parcels reads the body of a Message. The error wraps orbweaver.ErrDamaged.
func Parcels(body []byte) (all []step.Parcel, err error) {
	whole := decoding(body)
	for len(whole.s) > 0 {
		d := decoder{s: whole.string()}
		w := d.waiting(0)
		p := step.Parcel{Proposal: w.Proposal, Ahead: w.Ahead}
		if note := d.string(); note != "" {
			p.Note = []byte(note)
		}
		p.Keys = d.strings()
		d.news(&p)
		if p, err = done(&d, "parcel", p); err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	_, err = done(&whole, "message", 0)
	return all, err
}
