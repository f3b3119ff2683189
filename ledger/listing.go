package ledger

import (
	"encoding/binary"
	"fmt"
	"iter"
	"math"
	"strings"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/weburl"
)

// The listing is the index behind Pages. It has one row per sort order for the latest outcome of each page
// request (URL, Accept, Query), and one for what each outcome's page says (see saying.go). It is built when a session ends, or on
// demand, from the outcomes committed since the last time, together with the recall (see recall.go): a crawl that runs pays nothing
// for it, and folders of older versions work too. state.Listed is the last outcome in it, written after the rows.
//
// The key of a row is order, sort key, outcome number. Its value holds what filters need (see listed): only
// outcomes of the result are read.

// listing is the version of the rows. An index of another version is built again.
const listing = 2

// The orders of the listing: the second byte of a key of tablePages.
const (
	listedLatest  = 'k' // hash of URL, Accept and Query → number of the outcome that is listed
	listedByN     = 'n' // number
	listedByScore = 's' // score, descending
	listedByURL   = 'u' // URL, a zero byte
	listedByBytes = 'b' // bytes, descending
	listedByDepth = 'd' // depth
	listedByHost  = 'h' // host by its labels from the last to the first, a zero byte, score descending
	listedSaying  = 'x' // number; the value is what the page says
)

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

// List indexes up to n further outcomes for Pages and Recalled. Pages indexes all pending ones; a running crawl first
// calls List between its steps, so that no step waits long. Many at a time are sorted into tables beside the database, on all cores.
func (l *Ledger) List(n int64) error {
	if l.group.err != nil {
		return l.group.err
	}
	for last := min(l.state.Listed+n, l.state.N); l.state.Listed < last; {
		l.stir(last - l.state.Listed)
		if err := l.listUpTo(min(l.state.Listed+maxListed, last)); err != nil {
			l.group.err = fmt.Errorf("ledger: index of pages: %w", err) // a partial batch must not be written
			return l.group.err
		}
	}
	return nil
}

// listedOf returns the row content of an outcome.
func listedOf(o orbweaver.Outcome) listed {
	row := listed{
		n: o.N, score: o.Actual.Score, depth: int64(o.Request.Depth), class: o.Actual.Class,
		host: reversed(weburl.Hostname(o.Request.URL)), url: o.Request.URL,
	}
	if o.Page != nil {
		row.bytes = o.Page.Size
	}
	if o.Actual.Accepted {
		row.flags |= listedAccepted
	}
	if step.NoIndex(o.Actual) {
		row.flags |= listedNoIndex
	}
	if o.Err != nil || o.Redirect != "" {
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
	key := append(make([]byte, 0, 20+max(len(r.url), len(r.host))), tablePages, order)
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
