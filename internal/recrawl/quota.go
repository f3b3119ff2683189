package recrawl

// A Quota bounds the pages of each host when new ones are requested.
type Quota struct {
	most  int64             // 0: no bound
	pages map[string]int64  // there are, and requests for new ones
	hosts map[uint64]string // of requests that are bounded
}

// NewQuota returns a quota of so many pages of a host; 0: there is no bound.
func NewQuota(most int64) *Quota {
	return &Quota{most: most, pages: map[string]int64{}, hosts: map[uint64]string{}}
}

// Count adds a page of a host.
func (q *Quota) Count(host string) { q.pages[host]++ }

// Bound has a request for a new page count, and reports whether there is room for it now.
func (q *Quota) Bound(id uint64, host string) bool {
	if q.most == 0 {
		return true
	}
	q.hosts[id] = host
	return q.pages[host] < q.most
}

// Take begins a request for a new page; false: its host has all its pages.
func (q *Quota) Take(id uint64) bool {
	host, bounded := q.hosts[id]
	if bounded && q.pages[host] >= q.most {
		return false
	}
	if bounded {
		q.pages[host]++
	}
	return true
}

// Over ends a request that Take began; the page that it brought is counted by itself.
func (q *Quota) Over(id uint64) {
	if host, bounded := q.hosts[id]; bounded {
		q.pages[host]--
	}
}
