package ledger

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"maps"
	"runtime"
	"slices"
	"strings"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/objstorage/objstorageprovider"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"
	"golang.org/x/sync/errgroup"

	"orbweaver"
	"orbweaver/internal/database/kv"
	"orbweaver/internal/order"
	"orbweaver/internal/step"
)

const (
	maxListed  = 1 << 15 // outcomes that List processes at a time: about a kilobyte of memory each
	fewListed  = 1 << 12 // outcomes whose rows go into a batch; those of more are sorted into a table
	listBlocks = 16 << 10
)

// An unlisted is what the index has of an outcome. It keeps nothing of the outcome's record.
type unlisted struct {
	listed
	request   orbweaver.Request // its URL, Accept and Query
	hash      uint64            // of these
	traits    [][]byte          // rows of the recall
	said      []byte
	threshold float64
	removed   bool
}

// listUpTo indexes the outcomes up to a number. If interrupted, it repeats the work over the existing rows.
func (l *Ledger) listUpTo(last int64) error {
	if err := l.apply(false); err != nil {
		return err
	}
	if l.state.Listed == 0 { // an older version without this index may have continued the crawl: existing rows are stale
		w := &l.group.writer
		if err := errors.Join(w.b.DeleteRange([]byte{tablePages}, []byte{tablePages + 1}, nil), w.b.DeleteRange([]byte{tableRecall}, []byte{tableRecall + 1}, nil)); err != nil {
			return err
		}
		l.group.begun = true
		if err := l.apply(false); err != nil {
			return err
		}
	}
	all, err := l.unlisted(l.state.Listed+1, last)
	if err != nil {
		return err
	}
	before, err := l.listedBefore(all)
	if err != nil {
		return err
	}
	rows := &listRows{}
	threshold, latest := 0.0, map[uint64]struct{}{}
	for _, o := range slices.Backward(all) {
		if threshold == 0 {
			threshold = o.threshold
		}
		if o.removed {
			continue
		}
		rows.setAll(o)
		if _, superseded := latest[o.hash]; superseded {
			continue
		}
		latest[o.hash] = struct{}{}
		if err := l.relist(rows, o, before[o.hash]); err != nil {
			return err
		}
	}
	if err := l.putRows(rows, len(all)); err != nil {
		return err
	}
	if threshold > 0 {
		l.state.ListedThreshold = threshold
	}
	l.group.begun, l.state.Listed, l.state.Listing = true, last, listing
	return l.apply(false)
}

// unlisted reads the outcomes from one number to another, in order, on all cores.
func (l *Ledger) unlisted(from, to int64) ([]unlisted, error) {
	all := make([]unlisted, to-from+1)
	err := inParts(uint64(from), uint64(to)+1, func(_ int, from2, to2 uint64) error {
		it, err := l.db.NewIter(&pebble.IterOptions{LowerBound: number(tableOutcome, from2), UpperBound: number(tableOutcome, to2)})
		if err != nil {
			return err
		}
		n := from2
		for ok := it.First(); ok && err == nil; ok = it.Next() {
			if !bytes.Equal(it.Key(), number(tableOutcome, n)) {
				break
			}
			d := decoding(it.Value())
			var o orbweaver.Outcome
			if o, err = done(&d, "outcome", d.outcome()); err == nil {
				all[n-uint64(from)] = l.unlistedOf(o)
			}
			n++
		}
		if err = errors.Join(err, it.Close()); err == nil && n < to2 {
			err = lost("outcome", n, pebble.ErrNotFound)
		}
		return err
	})
	return all, err
}

// inParts calls do with as many parts of a range as there are cores, at once; the last bound is not part of it.
func inParts(from, to uint64, do func(part int, from, to uint64) error) error {
	var g errgroup.Group
	parts := uint64(runtime.GOMAXPROCS(0))
	for i := range parts {
		first, beyond := from+(to-from)*i/parts, from+(to-from)*(i+1)/parts
		if first < beyond {
			g.Go(func() error { return do(int(i), first, beyond) })
		}
	}
	return g.Wait()
}

// unlistedOf returns what the index has of an outcome.
func (l *Ledger) unlistedOf(o orbweaver.Outcome) unlisted {
	u := unlisted{threshold: step.ThresholdOf(o), removed: orbweaver.FailureOf(o.Err) == orbweaver.ErrRemoved}
	if u.removed {
		return u
	}
	u.request = orbweaver.Request{URL: strings.Clone(o.Request.URL), Accept: strings.Clone(o.Request.Accept), Query: strings.Clone(o.Request.Query)}
	u.listed, u.hash, u.said = listedOf(o), l.identity(u.request), sayingOf(o)
	u.url, u.class, u.host = u.request.URL, strings.Clone(u.class), strings.Clone(u.host)
	u.traits = slices.Collect(recallRows(o))
	return u
}

// A listRow is a row to be set, or to be removed if it has no value.
type listRow struct{ key, value []byte }

// listRows are the rows of an index, by the first two bytes of their keys.
type listRows struct {
	lots map[[2]byte][]listRow
}

func (r *listRows) set(key, value []byte) {
	if r.lots == nil {
		r.lots = map[[2]byte][]listRow{}
	}
	lot := [2]byte(key[:2])
	r.lots[lot] = append(r.lots[lot], listRow{key, value})
}

// setAll sets the rows of an outcome that have nothing to do with earlier ones.
func (r *listRows) setAll(o unlisted) {
	for _, key := range o.traits {
		r.set(key, []byte{})
	}
	if len(o.said) > 0 {
		r.set(sayingKey(o.n), o.said)
	}
}

// latestKey is the key of the number of a request's listed outcome.
func latestKey(hash uint64) []byte {
	return binary.BigEndian.AppendUint64([]byte{tablePages, listedLatest}, hash)
}

// listedBefore returns the numbers of the outcomes that are listed for requests, by the hashes of these. It looks them up in the order of their
// keys: a request has its first outcome mostly, and what is not there costs a look into each level of the database.
func (l *Ledger) listedBefore(all []unlisted) (map[uint64]int64, error) {
	before := map[uint64]int64{}
	if l.state.Listed == 0 {
		return before, nil
	}
	hashes := make([]uint64, len(all))
	for i, o := range all {
		hashes[i] = o.hash
	}
	slices.Sort(hashes)
	it, err := l.db.NewIter(&pebble.IterOptions{LowerBound: []byte{tablePages, listedLatest}, UpperBound: []byte{tablePages, listedLatest + 1}})
	if err != nil {
		return nil, err
	}
	for _, hash := range hashes {
		key := latestKey(hash)
		if !it.SeekGE(key) {
			break
		}
		if !bytes.Equal(it.Key(), key) {
			continue
		}
		if len(it.Value()) != 8 {
			return nil, errors.Join(orbweaver.ErrDamaged, it.Close())
		}
		before[hash] = int64(binary.BigEndian.Uint64(it.Value()))
	}
	return before, errors.Join(it.Error(), it.Close())
}

// relist replaces the listed outcome of a request, whose number is before; 0: it has none.
func (l *Ledger) relist(rows *listRows, o unlisted, before int64) error {
	if before > 0 && before != o.n { // else it is listed already, by a List that was interrupted
		if err := l.unlist(rows, before, o.request); err != nil {
			return err
		}
	}
	rows.set(latestKey(o.hash), binary.BigEndian.AppendUint64(nil, uint64(o.n)))
	value := o.append(nil)
	for key := range o.rows() {
		rows.set(key, value)
	}
	return nil
}

// unlist removes the rows of a request's outcome that was listed before.
func (l *Ledger) unlist(rows *listRows, n int64, r orbweaver.Request) error {
	before, err := l.numbered(n)
	if s := before.Request; err != nil || r.URL != s.URL || r.Accept != s.Accept || r.Query != s.Query {
		return err
	}
	for row := range listedOf(before).rows() {
		rows.set(row, nil)
	}
	return nil
}

// putRows writes the rows of n outcomes.
func (l *Ledger) putRows(rows *listRows, n int) error {
	if n > fewListed {
		return l.ingest(rows)
	}
	w := &l.group.writer
	for _, lot := range rows.lots {
		for _, row := range lot {
			if l.group.begun = true; row.value == nil {
				w.delete(row.key)
			} else {
				w.set(row.key, row.value)
			}
			if w.b.Len() > maxGroup {
				if err := l.apply(false); err != nil {
					return err
				}
			}
		}
	}
	return w.err
}

// ingest writes rows into a table beside the database, which takes it in one step.
func (l *Ledger) ingest(rows *listRows) (err error) {
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for _, lot := range rows.lots {
		g.Go(func() error {
			order.By(lot, func(a, b listRow) int { return bytes.Compare(a.key, b.key) })
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	if err := l.Sync(); err != nil { // the table is durable at once: no row may tell of an outcome that a power cut takes
		return err
	}
	fs := l.db.FS()
	folder := fs.PathJoin(l.db.Path(), "listing")
	defer func() { err = errors.Join(err, fs.RemoveAll(folder)) }()
	if err := fs.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	name := fs.PathJoin(folder, "rows")
	if err := l.writeTable(name, rows); err != nil {
		return err
	}
	return l.db.Ingest(context.Background(), []string{name})
}

// writeTable writes sorted rows to a file.
func (l *Ledger) writeTable(name string, rows *listRows) error {
	f, err := l.db.FS().Create(name, vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	opts := kv.TableOptions(l.db.TableFormat())
	opts.BlockSize = listBlocks
	w := sstable.NewWriter(objstorageprovider.NewFileWritable(f), opts)
	for _, lot := range order.Collected(maps.Keys(rows.lots), func(a, b [2]byte) int { return bytes.Compare(a[:], b[:]) }) {
		for _, row := range rows.lots[lot] {
			if row.value == nil {
				err = w.Delete(row.key)
			} else {
				err = w.Set(row.key, row.value)
			}
			if err != nil {
				return errors.Join(err, w.Close())
			}
		}
	}
	return w.Close()
}
