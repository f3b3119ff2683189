package ledger

import (
	"bytes"
	"container/heap"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/cockroachdb/pebble/v2"

	"orbweaver"
)

// The orders that Pages lists in.
const (
	SortN     = "n"     // order of commits
	SortScore = "score" // from the largest down
	SortURL   = "url"
	SortBytes = "bytes" // from the largest down
	SortDepth = "depth"
)

// PageSorts are the orders that Pages lists in. Pages that are equal in one come in the order of their numbers.
func PageSorts() []string { return []string{SortScore, SortN, SortURL, SortBytes, SortDepth} }

// A PageQuery says which pages Pages lists, and how. The zero value lists all that answered, in the order of commits.
type PageQuery struct {
	Accepted bool    // accepted pages alone, by the threshold of now: see Line.Under
	Failed   bool    // failures and redirects too; Accepted leaves them out
	Host     string  // pages of this host and its subdomains alone; empty: all
	MinScore float64 // pages of this score at least
	Class    string  // pages of this class alone; empty: all
	Sort     string  // empty: SortN
	After    string  // the cursor of the last line of the part before; empty: from the start
	Offset   int     // how many to skip
	Limit    int     // how many at most; 0: all
}

// Check finds all that is wrong with a query. Errors wrap ErrInput.
func (q PageQuery) Check() error {
	var problems []error
	wrong := func(format string, args ...any) {
		problems = append(problems, fmt.Errorf(format+" (%w)", append(args, orbweaver.ErrInput)...))
	}
	if q.Sort != "" && !slices.Contains(PageSorts(), q.Sort) {
		wrong("sort %q: pages are sorted by %s", q.Sort, strings.Join(PageSorts(), ", "))
	} else if _, err := q.place(); err != nil {
		wrong("cursor %q: it is not of a list sorted by %s", q.After, q.sort())
	}
	if q.Offset < 0 {
		wrong("offset %d: it is 0 or more", q.Offset)
	}
	if q.Limit < 0 {
		wrong("limit %d: it is 1 or more, or 0 for all", q.Limit)
	}
	return errors.Join(problems...)
}

// Cursor is where a line stands in the query's order: PageQuery.After of the next part. It stays valid when pages come
// and go.
func (q PageQuery) Cursor(l Line) string {
	row := listed{n: l.N, score: l.Score, bytes: l.Bytes, depth: int64(l.Depth), url: l.URL}
	return hex.EncodeToString(row.key(q.order())[1:])
}

func (q PageQuery) sort() string {
	if q.Sort == "" {
		return SortN
	}
	return q.Sort
}

// order is the order of the listing that a query is answered in.
func (q PageQuery) order() byte {
	return map[string]byte{SortScore: listedByScore, SortURL: listedByURL, SortBytes: listedByBytes, SortDepth: listedByDepth, SortN: listedByN}[q.sort()]
}

// place is the key that the cursor stands for; nil for none.
func (q PageQuery) place() ([]byte, error) {
	if q.After == "" {
		return nil, nil
	}
	key, err := hex.DecodeString(q.After)
	if err == nil && (len(key) < 9 || key[0] != q.order()) {
		err = orbweaver.ErrInput
	}
	return key, err
}

// matches reports whether an outcome is to be listed.
func (q PageQuery) matches(r listed, threshold float64) bool {
	failed := r.flags&listedFailed != 0
	switch {
	case failed && (q.Accepted || !q.Failed), r.score < q.MinScore, q.Class != "" && q.Class != r.class, !within(r.host, q.Host):
		return false
	case !q.Accepted:
		return true
	case threshold > 0:
		return r.score >= threshold && r.flags&listedNoIndex == 0
	}
	return r.flags&listedAccepted != 0
}

// within reports whether a host, reversed, is another or below it.
func within(host, of string) bool {
	rest, ok := strings.CutPrefix(host, reversed(of))
	return of == "" || ok && (rest == "" || rest[0] == '.')
}

// lowest is the score below which nothing matches; false when any may.
func (q PageQuery) lowest(threshold float64) (float64, bool) {
	if q.Accepted && threshold > 0 {
		return max(q.MinScore, threshold), true
	}
	return q.MinScore, q.MinScore > 0
}

// Pages ranges over the latest outcomes of page requests (URL, Accept, Query) that a query asks for, with verdicts as of now:
// see Committed. A list by score or number, of all hosts or of one with few subdomains, costs what it returns, and what its
// filters leave out on the way there; any other passes over the rows of one order, some tens of bytes a page. It first
// brings its index up to date: see List. It is for the goroutine that commits. A crawl may go on between two lines: they
// are as of the first.
func (l *Ledger) Pages(q PageQuery) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		left, skip := q.Limit, q.Offset
		err := l.rows(q, q.order(), func(r listed) error {
			if skip > 0 {
				skip--
				return nil
			}
			o, err := l.numbered(r.n)
			if err != nil {
				return err
			}
			if left--; !yield(LineOf(o).Under(l.state.ListedThreshold), nil) || left == 0 {
				return errStop
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStop) {
			yield(Line{}, err)
		}
	}
}

// Count is how many lines Pages has for a query from its start on, whatever its After, Offset and Limit. It reads no outcome.
func (l *Ledger) Count(q PageQuery) (n int64, err error) {
	q.After, q.Offset, q.Limit = "", 0, 0
	order := q.order()
	if err := q.Check(); err != nil {
		return 0, err
	}
	if q.Host != "" || q.Accepted || q.MinScore > 0 {
		order = listedByScore // of which most rows are passed over at once
	}
	err = l.rows(q, order, func(listed) error {
		n++
		return nil
	})
	return n, err
}

// rows calls do with each row that matches, in an order of the listing.
func (l *Ledger) rows(q PageQuery, order byte, do func(listed) error) error {
	if err := q.Check(); err != nil {
		return err
	}
	if err := l.List(l.Unlisted()); err != nil {
		return err
	}
	s := l.db.NewSnapshot()
	m := &rowMerge{threshold: l.state.ListedThreshold}
	err := m.open(s, q, order)
	if err == nil {
		err = m.each(q, do)
	}
	l.rowsRead += m.read
	return errors.Join(err, m.close(), s.Close())
}

// maxHosts is how many hosts are merged. Beyond, the rows of all hosts are looked at.
const maxHosts = 64

// A rowMerge reads ranges of rows of one order, merged.
type rowMerge struct {
	threshold float64
	all       []*pebble.Iterator
	heap      rowHeap
	read      int64 // rows, and hosts looked for
}

// A rowHeap has iterators by the sort keys they stand at.
type rowHeap []rowHead

// A rowHead is an iterator; prefix is how much of its keys goes before the sort key.
type rowHead struct {
	it     *pebble.Iterator
	prefix int
}

func (h rowHead) key() []byte { return h.it.Key()[h.prefix:] }

func (h rowHeap) Len() int           { return len(h) }
func (h rowHeap) Less(i, j int) bool { return bytes.Compare(h[i].key(), h[j].key()) < 0 }
func (h rowHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *rowHeap) Push(x any)        { *h = append(*h, x.(rowHead)) }
func (h *rowHeap) Pop() any {
	last := len(*h) - 1
	head := (*h)[last]
	*h = (*h)[:last]
	return head
}

// open finds the ranges: of a list by score of one host those of the host and its subdomains, else one.
func (m *rowMerge) open(s *pebble.Snapshot, q PageQuery, order byte) error {
	place, err := q.place()
	if err != nil {
		return err
	}
	var from []byte // sort key that a range begins behind
	if place != nil {
		from = place[1:]
	}
	if order == listedByScore && q.Host != "" {
		hosts, err := m.hosts(s, reversed(q.Host))
		if err != nil {
			return err
		}
		if len(hosts) <= maxHosts {
			for _, host := range hosts {
				if err := m.add(s, append([]byte{tablePages, listedByHost}, host+"\x00"...), from, q); err != nil {
					return err
				}
			}
			return nil
		}
	}
	return m.add(s, []byte{tablePages, order}, from, q)
}

// add opens the range of a prefix, behind a sort key.
func (m *rowMerge) add(s *pebble.Snapshot, prefix, from []byte, q PageQuery) error {
	lower := slices.Clone(prefix)
	if len(from) > 0 {
		lower = append(append(lower, from...), 0) // keys have one length behind the sort key: the next is above
	}
	upper := after(prefix)
	if byScore := prefix[1] == listedByScore || prefix[1] == listedByHost; byScore {
		if lowest, bounded := q.lowest(m.threshold); bounded {
			upper = after(appendDescending(slices.Clone(prefix), lowest))
		}
	}
	if bytes.Compare(lower, upper) >= 0 {
		return nil
	}
	it, err := s.NewIter(&pebble.IterOptions{LowerBound: lower, UpperBound: upper})
	if err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	m.all = append(m.all, it)
	if m.read++; it.First() {
		heap.Push(&m.heap, rowHead{it, len(prefix)})
	}
	return nil
}

// hosts are a host and its subdomains, reversed, that have rows; one more than maxHosts when there are more.
func (m *rowMerge) hosts(s *pebble.Snapshot, host string) (found []string, err error) {
	prefix := append([]byte{tablePages, listedByHost}, host...)
	it, err := s.NewIter(&pebble.IterOptions{LowerBound: append(slices.Clone(prefix), '.'), UpperBound: append(slices.Clone(prefix), '.'+1)})
	if err != nil {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	found = append(found, host)
	for ok := it.First(); ok && len(found) <= maxHosts; m.read++ {
		name, _, _ := bytes.Cut(it.Key()[2:], []byte{0})
		found = append(found, string(name))
		ok = it.SeekGE(append(append([]byte{tablePages, listedByHost}, name...), 1))
	}
	return found, it.Close()
}

// each calls do with each row that matches.
func (m *rowMerge) each(q PageQuery, do func(listed) error) error {
	for len(m.heap) > 0 {
		it := m.heap[0].it
		m.read++
		row, err := readListed(it.Key(), it.Value())
		if err != nil {
			return err
		}
		if q.matches(row, m.threshold) {
			if err := do(row); err != nil {
				return err
			}
		}
		if it.Next() {
			heap.Fix(&m.heap, 0)
		} else {
			heap.Pop(&m.heap)
		}
	}
	return nil
}

func (m *rowMerge) close() (err error) {
	for _, it := range m.all {
		err = errors.Join(err, it.Close())
	}
	return err
}
