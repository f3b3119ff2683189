package ledger

import (
	"github.com/cespare/xxhash/v2"

	"orbweaver"
)

// Twin returns the outcome, without what its page held, of the first page with the same content that was
// judged: the same bytes or else, near, the same title and nearly the same text. Text alone is not
// enough: pages made by one template differ in a name, and that may stand in the title alone. The first time it is asked, it reads all
// outcomes.
func (l *Ledger) Twin(p *orbweaver.Page) (before orbweaver.Outcome, near, ok bool) {
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

// loadDuplicates begins to know pages by their content. What cannot be read is not known.
func (l *Ledger) loadDuplicates() {
	l.duplicates = newDuplicates()
	for o, err := range l.Outcomes(0) {
		if err != nil {
			return
		}
		l.addDuplicate(&o)
	}
}

// addDuplicate lets a page be found by its content, unless it has its judgement from another.
func (l *Ledger) addDuplicate(o *orbweaver.Outcome) {
	p := o.Page
	if l.duplicates == nil || p == nil || p.Size == 0 || p.Rendered || o.Twin.URL != "" || o.Change != "" || o.Request.Purpose != orbweaver.ForPage {
		return
	}
	l.duplicates.put(o.N, xxhash.Sum64String(p.Digest), p.Simhash)
}
