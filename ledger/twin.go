package ledger

import (
	"github.com/cespare/xxhash/v2"

	"orbweaver"
)

// Duplicate returns the outcome, without what its page held, of the first page with the same content that was
// judged: the same bytes or else, near, the same title and nearly the same text. Text alone is not
// enough: pages made by one template differ in a name, and that may stand in the title alone. The first time it is asked, it reads all
// outcomes.
func (l *Ledger) Duplicate(p *orbweaver.Page) (before orbweaver.Outcome, near, ok bool) {
	if l.twins == nil {
		l.loadTwins()
	}
	if p.Size == 0 || p.Rendered {
		return before, false, false
	}
	if n, ok := l.twins.same(xxhash.Sum64String(p.Digest)); ok {
		if before, err := l.numbered(n); err == nil && before.Page != nil && before.Page.Digest == p.Digest {
			return before, false, true
		}
	}
	n, ok := l.twins.near(p.Simhash)
	if !ok {
		return before, false, false
	}
	before, err := l.numbered(n)
	return before, true, err == nil && before.Page != nil && before.Page.Title == p.Title && p.Title != ""
}

// loadTwins begins to know pages by their content. What cannot be read is not known.
func (l *Ledger) loadTwins() {
	l.twins = newTwins()
	for o, err := range l.Outcomes(0) {
		if err != nil {
			return
		}
		l.twin(&o)
	}
}

// twin lets a page be found by its content, unless it has its judgement from another.
func (l *Ledger) twin(o *orbweaver.Outcome) {
	p := o.Page
	if l.twins == nil || p == nil || p.Size == 0 || p.Rendered || o.Duplicate.URL != "" || o.Change != "" || o.Request.Purpose != orbweaver.ForPage {
		return
	}
	l.twins.put(o.N, xxhash.Sum64String(p.Digest), p.Simhash)
}
