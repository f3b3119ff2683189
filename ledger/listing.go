package ledger

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math"
	"strings"

	"github.com/cockroachdb/pebble/v2"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/weburl"
)

// The listing is the index behind Pages. It has one row per sort order for the latest outcome of each page
// request (URL, Accept, Query). It is built on demand, from the outcomes committed since the last time: a
// crawl without listings has no cost, and folders of older versions work too. state.Listed is the last
// outcome in it, written in the batch of the rows.
//
// The key of a row is order, sort key, outcome number. Its value holds what filters need (see listed): only
// outcomes of the result are read.

// The orders of the listing: the second byte of a key of tablePages.
const (
	listedLatest  = 'k' // hash of URL, Accept and Query → number of the outcome that is listed
	listedByN     = 'n' // number
	listedByScore = 's' // score, descending
	listedByURL   = 'u' // URL, a zero byte
	listedByBytes = 'b' // bytes, descending
	listedByDepth = 'd' // depth
	listedByHost  = 'h' // host by its labels from the last to the first, a zero byte, score descending
)

// maxListed is the number of outcomes that List processes at a time, with a hash of each in memory.
const maxListed = 1 << 18

// A listed is the content of a row.
type listed struct {
	n            int64
	score        float64
	bytes, depth int64
	flags        byte
	class        string
	host         string // labels from the last to the first
	url          string // in keys only
}

// The flags of a listed.
const (
	listedAccepted = 1 << iota // by the verdict at the time of the judgement
	listedNoIndex
	listedFailed // an error or a redirect
)

// Unlisted returns the number of outcomes not in the index behind Pages.
func (l *Ledger) Unlisted() int64 { return l.state.N - l.state.Listed }

// List indexes up to n further outcomes for Pages. Pages indexes all pending ones; a running crawl first
// calls List between its steps, so that no step waits long.
func (l *Ledger) List(n int64) error {
	if l.group.err != nil {
		return l.group.err
	}
	for last := min(l.state.Listed+n, l.state.N); l.state.Listed < last; {
		if err := l.listUpTo(min(l.state.Listed+maxListed, last)); err != nil {
			l.group.err = fmt.Errorf("ledger: index of pages: %w", err) // a partial batch must not be written
			return l.group.err
		}
	}
	return nil
}

// listUpTo indexes the outcomes up to a number, latest first, and skips superseded ones. If interrupted, it
// repeats the work over the existing rows.
func (l *Ledger) listUpTo(last int64) error {
	if err := l.apply(false); err != nil {
		return err
	}
	w := &l.group.writer
	if l.state.Listed == 0 { // an older version without this index may have continued the crawl: existing rows are stale
		if err := w.b.DeleteRange([]byte{tablePages}, []byte{tablePages + 1}, nil); err != nil {
			return err
		}
	}
	it, err := l.db.NewIter(&pebble.IterOptions{
		LowerBound: number(tableOutcome, uint64(l.state.Listed+1)), UpperBound: number(tableOutcome, uint64(last+1)),
	})
	if err != nil {
		return err
	}
	threshold, latest := 0.0, map[uint64]struct{}{}
	for it.Last(); err == nil && it.Valid(); it.Prev() {
		d := decoding(it.Value())
		var o orbweaver.Outcome
		if o, err = done(&d, "outcome", d.outcome()); err != nil {
			break
		}
		if threshold == 0 {
			threshold = step.ThresholdOf(o)
		}
		if orbweaver.FailureOf(o.Err) == orbweaver.ErrRemoved {
			continue
		}
		h := l.identity(orbweaver.Request{URL: o.Request.URL, Accept: o.Request.Accept, Query: o.Request.Query})
		if _, superseded := latest[h]; superseded {
			continue
		}
		latest[h] = struct{}{}
		if l.group.begun = true; l.group.b.Len() > maxGroup {
			err = l.apply(false)
		}
		err = cmp.Or(err, l.relist(w, h, o))
	}
	if err = errors.Join(err, it.Close()); err != nil {
		return err
	}
	if threshold > 0 {
		l.state.ListedThreshold = threshold
	}
	l.group.begun, l.state.Listed = true, last
	return l.apply(false)
}

// relist replaces the listed outcome of a request.
func (l *Ledger) relist(w *writer, hash uint64, o orbweaver.Outcome) error {
	key := binary.BigEndian.AppendUint64([]byte{tablePages, listedLatest}, hash)
	if l.state.Listed > 0 {
		if err := l.unlist(w, key, o.Request); err != nil {
			return err
		}
	}
	w.set(key, binary.BigEndian.AppendUint64(nil, uint64(o.N)))
	row := listedOf(o)
	w.scratch = row.append(w.scratch[:0])
	for key := range row.rows() {
		w.set(key, w.scratch)
	}
	return nil
}

// unlist removes the rows of a request's listed outcome.
func (l *Ledger) unlist(w *writer, key []byte, r orbweaver.Request) error {
	value, err := l.get(key)
	switch {
	case errors.Is(err, pebble.ErrNotFound):
		return nil
	case err != nil:
		return err
	case len(value) != 8:
		return orbweaver.ErrDamaged
	}
	before, err := l.numbered(int64(binary.BigEndian.Uint64(value)))
	if s := before.Request; err != nil || r.URL != s.URL || r.Accept != s.Accept || r.Query != s.Query {
		return err
	}
	for row := range listedOf(before).rows() {
		w.delete(row)
	}
	return nil
}

// listedOf returns the row content of an outcome.
func listedOf(o orbweaver.Outcome) listed {
	line := LineOf(o)
	row := listed{
		n: line.N, score: line.Score, bytes: line.Bytes, depth: int64(line.Depth), class: line.Class,
		host: reversed(weburl.Hostname(line.URL)), url: line.URL,
	}
	if line.Accepted {
		row.flags |= listedAccepted
	}
	if line.NoIndex {
		row.flags |= listedNoIndex
	}
	if line.Error != "" || line.Redirect != "" {
		row.flags |= listedFailed
	}
	return row
}

// rows ranges over the keys of a row, one per order.
func (r listed) rows() iter.Seq[[]byte] {
	return func(yield func(key []byte) bool) {
		for _, order := range []byte{listedByN, listedByScore, listedByURL, listedByBytes, listedByDepth, listedByHost} {
			if !yield(r.key(order)) {
				return
			}
		}
	}
}

// key returns the key of a row in an order.
func (r listed) key(order byte) []byte {
	key := []byte{tablePages, order}
	switch order {
	case listedByScore:
		key = appendDescending(key, r.score)
	case listedByURL:
		key = append(append(key, r.url...), 0)
	case listedByBytes:
		key = binary.BigEndian.AppendUint64(key, ^uint64(r.bytes))
	case listedByDepth:
		key = binary.BigEndian.AppendUint64(key, uint64(r.depth)^1<<63)
	case listedByHost:
		key = appendDescending(append(append(key, r.host...), 0), r.score)
	}
	return binary.BigEndian.AppendUint64(key, uint64(r.n))
}

// append writes the value of a row.
func (r listed) append(b []byte) []byte {
	b = appendFloat(append(b, r.flags), r.score)
	b = appendString(binary.AppendVarint(binary.AppendVarint(b, r.bytes), r.depth), r.class)
	return appendString(b, r.host)
}

// readListed reads a row.
func readListed(key, value []byte) (listed, error) {
	if len(key) < 10 {
		return listed{}, fmt.Errorf("ledger: index of pages: %w", orbweaver.ErrDamaged)
	}
	d := decoding(value)
	r := listed{n: int64(binary.BigEndian.Uint64(key[len(key)-8:])), flags: d.byte(), score: d.float(),
		bytes: d.int(), depth: d.int(), class: d.string(), host: d.string()}
	return done(&d, "index of pages", r)
}

// appendDescending appends a number so that keys sort in descending order of numbers.
func appendDescending(b []byte, f float64) []byte {
	bits := math.Float64bits(f + 0) // turns -0 into 0
	if bits>>63 == 0 {
		bits ^= math.MaxInt64
	}
	return binary.BigEndian.AppendUint64(b, bits)
}

// reversed returns a host's labels from last to first, so that subdomains sort after their host.
func reversed(host string) string {
	if strings.IndexByte(host, '.') < 0 {
		return host
	}
	var b strings.Builder
	b.Grow(len(host))
	for end := len(host); ; {
		dot := strings.LastIndexByte(host[:end], '.')
		b.WriteString(host[dot+1 : end])
		if dot < 0 {
			return b.String()
		}
		b.WriteByte('.')
		end = dot
	}
}
