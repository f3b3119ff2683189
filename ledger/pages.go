package ledger

import (
	"bytes"
	"container/heap"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cockroachdb/pebble/v2"

	"orbweaver"
	"orbweaver/internal/database/kv"
	"orbweaver/weburl"
)

// The sort orders of Pages.
const (
	SortN     = "n"     // order of commits
	SortScore = "score" // from the largest down
	SortURL   = "url"
	SortBytes = "bytes" // from the largest down
	SortDepth = "depth"
)

// PageSorts returns the sort orders of Pages. Equal pages sort by number.
func PageSorts() []string { return []string{SortScore, SortN, SortURL, SortBytes, SortDepth} }

// A PageQuery selects and sorts the lines of Pages. The zero value lists all pages that were fetched, in the
// order of commits.
type PageQuery struct {
	Accepted bool    // only accepted pages, by the current threshold: see Line.Under
	Failed   bool    // also failures and redirects; ignored with Accepted
	Host     string  // only pages of this host and its subdomains; empty: all
	MinScore float64 // lowest score
	Class    string  // only pages of this class; empty: all
	Sort     string  // empty: SortN
	After    string  // cursor of the last line of the previous part; empty: from the start
	Offset   int     // lines to skip
	Limit    int     // most lines; 0: no limit

	// What the page says: these are looked for page by page.
	Type   string // media type, or its part before the slash; empty: any
	Lang   string // language, as in en; empty: any
	Entity string // only pages of which a reason names this entity, noun or term; empty: any
	Text   string // only pages whose title, snippet or URL has this text, in any case; empty: any

	Distinct  bool // not the pages that repeat another of the result
	Uncounted bool // the number of all matching lines is not asked for: it takes a look at each
}

// Check reports every error of a query. Errors wrap ErrInput.
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

// Cursor returns the position of a line in the query's order: PageQuery.After of the next part. It stays
// valid when pages are added or removed.
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

// order returns the listing order that answers a query.
func (q PageQuery) order() byte {
	return map[string]byte{SortScore: listedByScore, SortURL: listedByURL, SortBytes: listedByBytes, SortDepth: listedByDepth, SortN: listedByN}[q.sort()]
}

// place returns the key of the cursor After; nil if there is none.
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

// matches reports whether an outcome is in the result.
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

// reversedHost is reversed for a host as a person writes it: in Punycode if it is not ASCII, as addresses have it.
func reversedHost(written string) string {
	if strings.IndexFunc(written, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0 {
		if url, err := weburl.Canonical("http://" + written + "/"); err == nil {
			written = weburl.Hostname(url)
		}
	}
	return reversed(written)
}

// within reports whether a reversed host equals another or is a subdomain of it.
func within(host, of string) bool {
	rest, ok := strings.CutPrefix(host, reversedHost(of))
	return of == "" || ok && (rest == "" || rest[0] == '.')
}

// lowest returns the score below which nothing matches; false if there is no bound.
func (q PageQuery) lowest(threshold float64) (float64, bool) {
	if q.Accepted && threshold > 0 {
		return max(q.MinScore, threshold), true
	}
	return q.MinScore, q.MinScore > 0
}

// Pages ranges over the latest outcomes of page requests (URL, Accept, Query) that match a query, with
// current verdicts: see Committed. A list by score or number, of all hosts or of one with few subdomains,
// costs as much as the lines it returns and filters out. Any other list scans the rows of one order, some
// tens of bytes a page. Pages first updates its index: see List. It must be called by the committing
// goroutine. The crawl may continue between two lines: the lines are as of the first.
//
//go:noinline
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
			line := LineOf(o).Under(l.state.ListedThreshold)
			if !q.Holds(line) || q.Distinct && l.repeats(q, o) {
				return nil
			}
			if left--; !yield(line, nil) || left == 0 {
				return errStop
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStop) {
			yield(Line{}, err)
		}
	}
}

// Repeats reports whether a line of a query is of a page that repeats another of the result: the same bytes, or nearly the same text.
func (l *Ledger) Repeats(q PageQuery, line Line) bool {
	o, err := l.numbered(line.N)
	return err == nil && l.repeats(q, o)
}

func (l *Ledger) repeats(q PageQuery, o orbweaver.Outcome) bool {
	first, err := l.original(o)
	return err == nil && q.matches(listedOf(first), l.state.ListedThreshold) && q.Holds(LineOf(first).Under(l.state.ListedThreshold))
}

// original returns the outcome of the page that an outcome's page repeats, asked for in the same way or as a page. The error wraps
// ErrUnknown if there is none.
func (l *Ledger) original(o orbweaver.Outcome) (orbweaver.Outcome, error) {
	if o.Duplicate.URL == "" {
		return orbweaver.Outcome{}, orbweaver.ErrUnknown
	}
	id, known := l.Seen(orbweaver.Request{URL: o.Duplicate.URL, Accept: o.Request.Accept, State: o.Request.State})
	if !known {
		return l.Outcome(o.Duplicate.URL)
	}
	value, err := l.get(number(tableNumber, id))
	if err != nil || len(value) != 8 {
		return orbweaver.Outcome{}, orbweaver.ErrUnknown
	}
	return l.numbered(int64(binary.BigEndian.Uint64(value)))
}

// Count returns the number of lines of a query, ignoring its After, Offset, Limit and Distinct. It reads no outcome.
func (l *Ledger) Count(q PageQuery) (n int64, err error) {
	q.After, q.Offset, q.Limit = "", 0, 0
	order := q.order()
	if err := q.Check(); err != nil {
		return 0, err
	}
	if q.Host != "" || q.Accepted || q.MinScore > 0 {
		order = listedByScore // its non-matching rows can be skipped at once
	}
	err = l.rows(q, order, func(listed) error {
		n++
		return nil
	})
	return n, err
}

// rows calls do for each matching row, in an order of the listing.
func (l *Ledger) rows(q PageQuery, order byte, do func(listed) error) error {
	if err := q.Check(); err != nil {
		return err
	}
	if err := l.List(l.Unlisted()); err != nil {
		return err
	}
	s := l.db.NewSnapshot()
	m := &rowMerge{threshold: l.state.ListedThreshold}
	said, err := l.saying(s, q)
	if m.said = said; err == nil {
		err = m.open(s, q, order)
	}
	if err == nil {
		err = m.each(q, do)
	}
	l.rowsRead += m.read
	return errors.Join(err, m.close(), s.Close())
}

// maxHosts is the most hosts whose rows are merged. With more, all hosts are scanned.
const maxHosts = 64

// A rowMerge merges ranges of rows of one order.
type rowMerge struct {
	threshold float64
	said      numbers // what can match
	all       []kv.Iterator
	heap      rowHeap
	read      int64 // rows read, and host look-ups
}

// A rowHeap orders iterators by their current sort keys.
type rowHeap []rowHead

// A rowHead is an iterator; prefix is the length of its keys' part before the sort key.
type rowHead struct {
	it     kv.Iterator
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

// open opens the ranges: for a list of one host by score, the host and its subdomains; otherwise one range.
func (m *rowMerge) open(s kv.Snapshot, q PageQuery, order byte) error {
	place, err := q.place()
	if err != nil {
		return err
	}
	var from []byte // sort key after which a range begins
	if place != nil {
		from = place[1:]
	}
	if order == listedByScore && q.Host != "" {
		hosts, err := m.hosts(s, reversedHost(q.Host))
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

// add opens the range of a prefix, after a sort key.
func (m *rowMerge) add(s kv.Snapshot, prefix, from []byte, q PageQuery) error {
	lower := slices.Clone(prefix)
	if len(from) > 0 {
		lower = append(append(lower, from...), 0) // all keys have the same length after the sort key
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

// hosts returns a host and its subdomains, reversed, that have rows; maxHosts+1 if there are more.
func (m *rowMerge) hosts(s kv.Snapshot, host string) (found []string, err error) {
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

// each calls do for each matching row.
func (m *rowMerge) each(q PageQuery, do func(listed) error) error {
	for len(m.heap) > 0 {
		it := m.heap[0].it
		m.read++
		row, err := readListed(it.Key(), it.Value())
		if err != nil {
			return err
		}
		if m.said.has(row.n) && q.matches(row, m.threshold) {
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
