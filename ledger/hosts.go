package ledger

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/cockroachdb/pebble/v2"
)

// A HostPages is what the listing behind Pages has of a host.
type HostPages struct {
	Host     string // without scheme and port
	Pages    int64  // as Pages lists them
	Accepted int64  // of these, by the current verdicts
	best     []int64
}

// A HostScan counts the pages of hosts in parts, so that a running crawl goes on in between. The zero value begins at the first host.
type HostScan struct {
	Hosts []HostPages // in the order of their labels from the last to the first
	place []byte      // key of the last row
}

// bestOfHost is the number of pages of a host whose links Links looks at.
const bestOfHost = 20

// CountHosts goes on with a scan for at most n rows of the listing, which must be up to date: see List. It returns false at the end.
func (l *Ledger) CountHosts(s *HostScan, n int) (more bool, err error) {
	prefix := []byte{tablePages, listedByHost}
	lower := prefix
	if s.place != nil {
		lower = append(s.place, 0)
	}
	it, err := l.db.NewIter(&pebble.IterOptions{LowerBound: lower, UpperBound: after(prefix)})
	if err != nil {
		return false, fmt.Errorf("ledger: %w", err)
	}
	defer it.Close()
	q := PageQuery{Accepted: true}
	for ok := it.First(); ok; ok = it.Next() {
		if n--; n < 0 {
			return true, nil
		}
		s.place = append(s.place[:0], it.Key()...)
		name, _, _ := bytes.Cut(it.Key()[2:], []byte{0})
		row, err := readListed(it.Key(), it.Value())
		if err != nil {
			return false, err
		}
		host := s.host(name)
		if row.flags&listedFailed != 0 {
			continue
		}
		host.Pages++
		if q.matches(row, l.state.ListedThreshold) {
			host.Accepted++
		}
		if len(host.best) < bestOfHost {
			host.best = append(host.best, row.n)
		}
	}
	return false, it.Error()
}

// host returns the host of a reversed name, which is the last or a new one.
func (s *HostScan) host(name []byte) *HostPages {
	if last := len(s.Hosts) - 1; last >= 0 && reversed(s.Hosts[last].Host) == string(name) {
		return &s.Hosts[last]
	}
	s.Hosts = append(s.Hosts, HostPages{Host: strings.Clone(reversed(string(name)))})
	return &s.Hosts[len(s.Hosts)-1]
}

// Links calls yield with the targets of the links of a host's best pages, of n pages at most.
func (l *Ledger) Links(h HostPages, n int, yield func(target string)) {
	for _, page := range h.best[:min(n, len(h.best))] {
		for target := range l.targets(page) {
			yield(target)
		}
	}
}
