package recrawl

import "time"

// hints count how right a host was in what its sitemaps and feeds said of the times of changes.
type hints struct {
	right, late int // changes that it told of, and that it did not
	empty       int // visits that found no change that it had told of
}

// due reports whether what a host tells of changes is worth a visit.
func (h hints) due() bool { return h.empty < 5 || h.empty <= h.right }

// rests reports whether a page of which a host tells no change has none.
func (h hints) rests() bool { return h.right >= 3 && h.late*10 <= h.right }

// Hint notes that a sitemap or feed which was read at a time says when a page was last modified. A page modified since its last visit is due,
// unless the host told of changes that were none; one that was not is up to date as of then, once the host was right three times and
// wrong at most once in ten.
func (s *Schedule) Hint(id uint64, modified, at time.Time) {
	e, ok := s.entries[id]
	if !ok || e.taken || e.Gone > 0 || e.Failed > 0 || s.opts.Times != nil {
		return
	}
	switch {
	case modified.After(at):
		return
	case modified.After(e.Last):
		e.hinted = modified
	default:
		e.denied = at
	}
	s.plan(e, e.frequency)
}

// heed moves a visit by what was hinted since the last one.
func (s *Schedule) heed(e *entry) {
	h := s.hints[e.host]
	switch {
	case e.hinted.After(e.Last) && h.due():
		e.next = min(e.next, max(seconds(e.hinted), seconds(e.Last.Add(s.opts.Least))))
	case e.denied.After(e.Last) && h.rests() && e.frequency > 0:
		e.next = max(e.next, seconds(e.denied)+Day.Seconds()/e.frequency)
	}
}

// judge counts what a visit tells of a host's hints.
func (s *Schedule) judge(e *entry, changed bool) {
	h := &s.hints[e.host]
	told, denied := e.hinted.After(e.Last), e.denied.After(e.Last)
	switch {
	case told && changed:
		h.right++
	case told:
		h.empty++
	case denied && changed:
		h.late++
	}
	e.hinted, e.denied = time.Time{}, time.Time{}
}
