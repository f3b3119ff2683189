// Package spans collects the byte ranges of a page that support the reasons of a judgement, for focuses that
// implement orbweaver.Evidencer.
//
// This package is not part of the stable API.
package spans

import (
	"cmp"

	"orbweaver"

	"orbweaver/internal/order"
)

// Most is the maximum number of spans of a page.
const Most = 1000

// A List is the spans of one page. Beyond Most, the first span of each name has precedence over the second of
// any, and so on, so that a frequent name does not crowd out others. The zero List is empty.
type List struct {
	met  map[name]int
	kept []ranked
}

type name struct{ rule, name, iri string }

// ranked is a span with its rank among those of the same name.
type ranked struct {
	orbweaver.Span
	nth int
}

// Add adds a span.
func (l *List) Add(span orbweaver.Span) {
	if l.met == nil {
		l.met = map[name]int{}
	}
	of := name{span.Rule, span.Name, span.IRI}
	nth := l.met[of]
	if nth == Most {
		return
	}
	l.met[of] = nth + 1
	if len(l.kept) == 4*Most {
		l.cut()
	}
	l.kept = append(l.kept, ranked{span, nth})
}

// cut truncates the list to Most spans.
func (l *List) cut() {
	order.By(l.kept, func(a, b ranked) int { return cmp.Or(cmp.Compare(a.nth, b.nth), compare(a.Span, b.Span)) })
	l.kept = l.kept[:min(len(l.kept), Most)]
}

// Sorted returns the spans in the order of orbweaver.Evidencer.
func (l *List) Sorted() []orbweaver.Span {
	l.cut()
	spans := make([]orbweaver.Span, len(l.kept))
	for i, r := range l.kept {
		spans[i] = r.Span
	}
	order.By(spans, compare)
	return spans
}

// compare puts the title before the text.
func compare(a, b orbweaver.Span) int {
	return cmp.Or(cmp.Compare(b.Field, a.Field), cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End),
		cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Name, b.Name), cmp.Compare(a.IRI, b.IRI))
}
