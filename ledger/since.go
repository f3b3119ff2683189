package ledger

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/cockroachdb/pebble/v2"

	"orbweaver"
	"orbweaver/internal/database/kv"
	"orbweaver/internal/step"
	"orbweaver/rdf"
	"orbweaver/rdf/quads"
)

// What a ledger has beyond a position can be copied into another, beside the crawl: outcomes with the links and statements of their pages, and
// requests that wait. Of several workers of a crawl one folder is made that way, and the partitions of a worker go to others.

// A Position is how far a ledger was copied.
type Position struct {
	Outcomes int64             `json:"outcomes"`           // up to this number
	Requests uint64            `json:"requests"`           // likewise
	Messages map[int]uint64    `json:"messages,omitempty"` // to partitions, likewise
	Taken    map[string]uint64 `json:"taken,omitempty"`    // messages of others, likewise, by partition and sender
	Accounts int64             `json:"accounts,omitempty"` // as of this outcome
}

// An Entry is something that a ledger has: exactly one of its fields is set.
type Entry struct {
	Outcome *orbweaver.Outcome // whose page has its links' targets, and its statements
	Links   []orbweaver.Link   // of an outcome without a page that leads on: a source
	Waiting *step.Waiting      // with the number that the ledger gave it
	Account *step.Account
	Taken   *step.Delivery // Last alone counts, beside From and Partition
	Message *Letter        // that its receiver has not taken
}

// A Letter is a message and the partition to which it goes.
type Letter struct {
	Partition int
	Message
}

// An Excerpt is entries in their encoding, in an order in which they can be taken in.
type Excerpt struct {
	Entries  []byte // for Entries
	To       Position
	More     bool // there are more: it was bounded
	Progress step.Progress
	Archive  []byte // mark, at least as far as the records of the outcomes
}

// The kinds of entries in their encoding.
const (
	entryOutcome = 'o'
	entryWaiting = 'w'
	entryAccount = 'h'
	entryTaken   = 'z'
	entryMessage = 'x'
)

// Since returns what was written since a position, as of one moment: outcomes first, then what waits of the requests known since, then, once these are
// all, accounts, and what was exchanged with other workers. It is bounded to about a number of bytes. It may run beside Commit.
func (l *Ledger) Since(p Position, most int) (*Excerpt, error) {
	snapshot := l.db.NewSnapshot()
	x := &excerpt{l: l, r: snapshot, most: most, Excerpt: Excerpt{To: p}}
	err := errors.Join(x.all(), snapshot.Close())
	if err != nil {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	return &x.Excerpt, nil
}

// An excerpt is an Excerpt in the making.
type excerpt struct {
	Excerpt
	l    *Ledger
	r    kv.Snapshot
	most int
	one  []byte // scratch
}

// add adds an entry; false: it was the last for now.
func (x *excerpt) add(kind byte, body []byte) bool {
	x.Entries = append(x.Entries, kind)
	x.Entries = appendString(x.Entries, string(body))
	x.More = len(x.Entries) >= x.most
	return !x.More
}

func (x *excerpt) all() error {
	var s state
	value, err := x.get([]byte{tableState})
	if err != nil || value == nil {
		return err
	}
	if err := json.Unmarshal(value, &s); err != nil {
		return fmt.Errorf("%w: %w", orbweaver.ErrDamaged, err)
	}
	x.Progress, x.Archive = s.Progress, s.Archive
	if err := x.outcomes(); err != nil || x.More {
		return err
	}
	if err := x.waiting(s.Next); err != nil || x.More {
		return err
	}
	if x.To.Accounts < s.N {
		x.To.Accounts = s.N
		if err := x.accounts(); err != nil {
			return err
		}
	}
	if err := x.taken(); err != nil {
		return err
	}
	return x.letters()
}

// get reads a value, nil if there is none.
func (x *excerpt) get(key []byte) ([]byte, error) {
	value, closer, err := x.r.Get(key)
	if errors.Is(err, pebble.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, x.l.damage(err)
	}
	return slices.Clone(value), closer.Close()
}

// scan calls do for each key of a table from a key on, until it returns false.
func (x *excerpt) scan(from []byte, do func(key, value []byte) (bool, error)) error {
	it, err := x.r.NewIter(&pebble.IterOptions{LowerBound: from, UpperBound: []byte{from[0] + 1}})
	if err != nil {
		return err
	}
	more := true
	for ok := it.First(); ok && more && err == nil; ok = it.Next() {
		more, err = do(it.Key(), it.Value())
	}
	return errors.Join(err, it.Error(), it.Close())
}

func (x *excerpt) outcomes() error {
	quads := x.l.quads.store.Over(x.r)
	return x.scan(number(tableOutcome, uint64(x.To.Outcomes)+1), func(key, value []byte) (bool, error) {
		x.To.Outcomes = int64(binary.BigEndian.Uint64(key[1:]))
		d := decoding(value)
		o, err := done(&d, "outcome", d.outcome())
		if err != nil {
			return false, err
		}
		links, err := x.get(number(tableOut, uint64(o.N)))
		if err != nil {
			return false, err
		}
		x.one = appendString(appendString(x.one[:0], string(value)), string(links))
		if err := x.statements(quads, o); err != nil {
			return false, err
		}
		return x.add(entryOutcome, x.one), nil
	})
}

// dirShift is the place of a literal's direction in the byte of its kind.
const dirShift = 4

// statements appends the statements of an outcome's page, if it is the latest of its request.
func (x *excerpt) statements(r quads.Reader, o orbweaver.Outcome) error {
	if o.Page == nil {
		return nil
	}
	id, err := x.get(number(tableSeen, x.l.identity(o.Request)))
	if err != nil || len(id) != 8 {
		return err
	}
	n, err := x.get(number(tableNumber, binary.BigEndian.Uint64(id)))
	if err != nil || len(n) != 8 || int64(binary.BigEndian.Uint64(n)) != o.N {
		return err
	}
	name, err := x.get(number(tableGraph, binary.BigEndian.Uint64(id)))
	if err != nil || name == nil {
		return err
	}
	graph, known, err := r.Lookup(rdf.NewIRI(string(name)))
	if err != nil || !known {
		return err
	}
	for q, err := range matching(r, quads.Pattern{S: quads.Any, P: quads.Any, O: quads.Any, G: graph}) {
		if err != nil {
			return err
		}
		for _, t := range [...]rdf.Term{q.S, q.P, q.O} {
			x.one = append(x.one, byte(t.Kind)|byte(t.Dir)<<dirShift)
			for _, s := range [...]string{t.Value, t.Datatype, t.Lang} {
				x.one = appendString(x.one, s)
			}
		}
	}
	return nil
}

// waiting adds the requests below a number that wait.
func (x *excerpt) waiting(below uint64) error {
	err := x.scan(number(tableWaiting, x.To.Requests+1), func(key, value []byte) (bool, error) {
		id := binary.BigEndian.Uint64(key[1:])
		opinion, err := x.l.opinion(id) // newer than the snapshot, or gone: the request is asked meanwhile
		if err != nil {
			return false, err
		}
		keys, err := x.get(number(tableKeys, id))
		if err != nil {
			return false, err
		}
		x.To.Requests = id
		x.one = binary.AppendUvarint(x.one[:0], id)
		for _, part := range [...]string{string(value), opinion, string(keys)} {
			x.one = appendString(x.one, part)
		}
		return x.add(entryWaiting, x.one), nil
	})
	if err == nil && !x.More && below > 0 {
		x.To.Requests = below - 1
	}
	return err
}

func (x *excerpt) accounts() error {
	return x.scan([]byte{tableHost}, func(_, value []byte) (bool, error) {
		x.add(entryAccount, value)
		x.More = false
		return true, nil
	})
}

func (x *excerpt) taken() error {
	to := maps.Clone(x.To.Taken)
	if to == nil {
		to = map[string]uint64{}
	}
	x.To.Taken = to
	return x.scan([]byte{tableTaken}, func(key, value []byte) (bool, error) {
		name := fmt.Sprintf("%d/%s", binary.BigEndian.Uint16(key[1:]), key[3:])
		if n := binary.BigEndian.Uint64(value); to[name] < n {
			to[name] = n
		} else {
			return true, nil
		}
		x.one = appendString(append(x.one[:0], key[1:3]...), string(key[3:]))
		x.add(entryTaken, append(x.one, value...))
		x.More = false
		return true, nil
	})
}

// letters adds the messages that their receivers have not taken.
func (x *excerpt) letters() error {
	to := maps.Clone(x.To.Messages)
	if to == nil {
		to = map[int]uint64{}
	}
	x.To.Messages = to
	return x.scan([]byte{tableOutbox}, func(key, value []byte) (bool, error) {
		if len(key) != 11 {
			return false, errShort
		}
		p, n := int(binary.BigEndian.Uint16(key[1:])), binary.BigEndian.Uint64(key[3:])
		if n <= to[p] {
			return true, nil
		}
		to[p] = n
		return x.add(entryMessage, append(append(x.one[:0], key[1:]...), value...)), nil
	})
}

// Entries decodes entries. The error wraps orbweaver.ErrDamaged.
func Entries(encoded []byte) ([]Entry, error) {
	var all []Entry
	for d := decoding(encoded); len(d.s) > 0; {
		kind, body := d.byte(), decoder{}
		body.s = d.string()
		e, err := entryOf(kind, &body)
		if err = errors.Join(d.err, err); err != nil {
			return nil, fmt.Errorf("ledger: entry %d: %w: %w", len(all), orbweaver.ErrDamaged, err)
		}
		all = append(all, e)
	}
	return all, nil
}

// entryOf decodes an entry.
func entryOf(kind byte, d *decoder) (e Entry, err error) {
	switch kind {
	case entryOutcome:
		var o orbweaver.Outcome
		o, e.Links, err = outcomeEntry(d)
		e.Outcome = &o
	case entryWaiting:
		id, record, opinion, listed := d.uint(), d.string(), d.string(), d.string()
		var w step.Waiting
		if w, err = held(id, record, opinion); err == nil {
			w.Keys, err = keys(listed)
		}
		e.Waiting = &w
	case entryAccount:
		e.Account = &step.Account{}
		err = json.Unmarshal([]byte(d.s), e.Account)
	case entryTaken:
		e.Taken = &step.Delivery{Partition: int(d.byte())<<8 | int(d.byte()), From: d.string()}
		if len(d.s) != 8 {
			d.fail()
			break
		}
		e.Taken.Last = binary.BigEndian.Uint64([]byte(d.s))
	case entryMessage:
		if len(d.s) < 10 {
			d.fail()
			break
		}
		key := []byte(d.s[:10])
		e.Message = &Letter{int(binary.BigEndian.Uint16(key)), Message{binary.BigEndian.Uint64(key[2:]), []byte(d.s[10:])}}
	default:
		err = fmt.Errorf("kind %q is of another version", kind)
	}
	return e, errors.Join(d.err, err)
}

// outcomeEntry decodes an outcome with the links and the statements of its page; of one without a page, the links are beside.
func outcomeEntry(d *decoder) (o orbweaver.Outcome, beside []orbweaver.Link, err error) {
	record, links := decoder{s: d.string()}, decoder{s: d.string()}
	if o, err = done(&record, "outcome", record.outcome()); err != nil {
		return o, nil, err
	}
	for last := ""; len(links.s) > 0; {
		last = links.after(last)
		beside = append(beside, orbweaver.Link{To: last})
	}
	if o.Page == nil {
		return o, beside, links.err
	}
	o.Page.Links = beside
	var all []rdf.Quad
	term := func() rdf.Term {
		kind := d.byte()
		return rdf.Term{
			Kind: rdf.Kind(kind & (1<<dirShift - 1)), Dir: rdf.Direction(kind >> dirShift),
			Value: d.string(), Datatype: d.string(), Lang: d.string(),
		}
	}
	for len(d.s) > 0 {
		all = append(all, rdf.Quad{S: term(), P: term(), O: term()})
	}
	if len(all) > 0 {
		o.Page.Quads = func(yield func(rdf.Quad, error) bool) {
			for _, q := range all {
				if !yield(q, nil) {
					return
				}
			}
		}
	}
	return o, nil, links.err
}

// TakeIn commits an outcome of another ledger, with the links of one without a page (Entry.Links), unless one of the same request is there. The outcome gets the next number. taken is false if
// nothing was committed.
func (l *Ledger) TakeIn(o orbweaver.Outcome, links []orbweaver.Link, p step.Progress) (taken bool, err error) {
	id, fresh := l.Offer(o.Request)
	if !fresh {
		_, done := l.group.outcomes[id]
		if !done {
			if done, err = l.has(number(tableNumber, id)); err != nil {
				return false, err
			}
		}
		if done {
			return false, nil
		}
	}
	return true, l.Commit(step.Batch{Done: id, Outcome: &o, Links: links, Progress: p, Elsewhere: elsewhere(fresh, id, o.Request)})
}

// elsewhere is the numbering of a request that never waited here.
func elsewhere(fresh bool, id uint64, r orbweaver.Request) []step.Numbered {
	if !fresh {
		return nil
	}
	return []step.Numbered{{ID: id, Request: r}}
}
