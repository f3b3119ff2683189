package ledger

import (
	"github.com/cespare/xxhash/v2"

	"orbweaver"
)

// Duplicate returns the outcome, without its page's content, of the first page with the same content that was judged: the
// same bytes or, near, the same title and nearly the same text. Text alone is not enough: pages from one template may
// differ in nothing but the name in their titles. The first call reads all outcomes.
func (l *Ledger) Duplicate(p *orbweaver.Page) (before orbweaver.Outcome, near, ok bool) {
	if l.duplicates == nil {
		l.loadDuplicates()
	}
	if p.Size == 0 || p.Rendered {
		return before, false, false
	}
	if n, ok := l.duplicates.same(xxhash.Sum64String(p.Digest)); ok {
		if before, err := l.numbered(n); err == nil && before.Page != nil && before.Page.Digest == p.Digest {
			return before, false, true
		}
	}
	n, ok := l.duplicates.near(p.Simhash)
	if !ok {
		return before, false, false
	}
	before, err := l.numbered(n)
	return before, true, err == nil && before.Page != nil && before.Page.Title == p.Title && p.Title != ""
}

// loadDuplicates builds the index of contents. Pages after an unreadable outcome are not in it.
func (l *Ledger) loadDuplicates() {
	l.duplicates = newDuplicates()
	for o, err := range l.Outcomes(0) {
		if err != nil {
			return
		}
		l.addDuplicate(&o)
	}
}

// addDuplicate indexes a page's content, unless the page takes its judgement from another.
func (l *Ledger) addDuplicate(o *orbweaver.Outcome) {
	p := o.Page
	if l.duplicates == nil || p == nil || p.Size == 0 || p.Rendered || o.Duplicate.URL != "" || o.Change != "" || o.Request.Purpose != orbweaver.ForPage {
		return
	}
	l.duplicates.put(o.N, xxhash.Sum64String(p.Digest), p.Simhash)
}
