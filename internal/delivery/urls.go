package delivery

import (
	"hash/maphash"

	"orbweaver/sink"
)

// urls are the URLs of the pages that a sink has, as hashes. Only a crawl whose pages are requested again needs them: elsewhere a page that
// is not accepted was never accepted before. The nil value has none and takes none.
type urls struct {
	seed maphash.Seed
	all  map[uint64]struct{}
}

func (u *urls) has(url string) bool {
	if u == nil || u.all == nil {
		return false
	}
	_, is := u.all[maphash.String(u.seed, url)]
	return is
}

// note takes an item into account.
func (u *urls) note(i sink.Item) {
	if u == nil {
		return
	}
	if u.all == nil {
		u.seed, u.all = maphash.MakeSeed(), map[uint64]struct{}{}
	}
	switch i.Kind {
	case sink.Accepted:
		u.all[maphash.String(u.seed, i.URL)] = struct{}{}
	case sink.Withdrawn:
		delete(u.all, maphash.String(u.seed, i.URL))
	}
}
