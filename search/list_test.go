package search

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
)

// FuzzPart: bytes of the database are read as a list, or refused; never is a document out of order, nor
// more read than there is.
func FuzzPart(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		l := randomList(r)
		f.Add(l.first, append(append(l.header(nil), l.docs...), l.at...))
	}
	f.Add(uint64(1), []byte{1, 0, 1, 2})
	f.Fuzz(func(t *testing.T, first uint64, value []byte) {
		p, ok := readPart(first, value)
		if !ok {
			return
		}
		var d decoder
		n, before := 0, uint64(0)
		for d.start(p); d.next(); n++ {
			if d.number <= before || d.number > p.last || len(d.entries) == 0 || len(d.entries) > maxFields {
				t.Fatalf("%d behind %d, %v", d.number, before, d.entries)
			}
			before = d.number
			for _, e := range d.entries {
				if places := d.placesIn(e.field); len(places) != int(e.times) && !d.bad {
					t.Fatalf("%d positions, not %d", len(places), e.times)
				}
			}
		}
		if !d.bad && (n != p.count || before != p.last) {
			t.Fatalf("%d documents up to %d, not %d up to %d", n, before, p.count, p.last)
		}
	})
}

func randomList(r *rand.Rand) *list {
	l := &list{term: "tterm"}
	number := uint64(0)
	for range 1 + r.IntN(20) {
		number += 1 + r.Uint64N(200)
		l.begin(number)
		for field := range uint8(maxFields) {
			place := uint32(0)
			for r.IntN(3) == 0 {
				place += r.Uint32N(300)
				l.add(field, place, r.IntN(2) == 0, true)
				place++
			}
		}
		l.add(maxFields-1, 1<<20, true, true)
		l.end()
	}
	return l
}

// TestList: what is written is read, positions or not, and copied as it is.
func TestList(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		l := randomList(r)
		value := append(append(l.header(nil), l.docs...), l.at...)
		p, ok := readPart(l.first, value)
		if !ok {
			t.Fatalf("%x is refused", value)
		}
		var all, some, raw decoder
		all.start(p)
		some.start(p)
		again := &list{term: l.term}
		for raw.start(p); raw.next(); {
			if !all.next() || !some.next() {
				t.Fatal("one ends before the other")
			}
			again.copy(raw.number, raw.raw(), raw.rawPlaces())
			for _, e := range all.entries {
				want := all.placesIn(e.field)
				if len(want) != int(e.times) || !slices.IsSorted(want) {
					t.Fatalf("%v: %v", e, want)
				}
				if r.IntN(3) == 0 && !slices.Equal(some.placesIn(e.field), want) {
					t.Fatalf("%v: other positions where some were not read", e)
				}
			}
		}
		if !bytes.Equal(append(append(again.header(nil), again.docs...), again.at...), value) {
			t.Fatal("the copy is another")
		}
	}
}

// FuzzValues: no bytes make a reader of other values panic.
func FuzzValues(f *testing.F) {
	v := newInverted(1, usual())
	f.Add(appendTable(nil, []record{{id: 5, norm: 1, lengths: lengths{0, 3}}, {id: 6}}))
	f.Add((&totals{next: 5, docs: 2, langs: []string{"de"}, fields: []field{{"title", 2, 7}}}).append(nil))
	var s Store
	v.put(7, []numbered{{Text{Text: "running stars are stars"}, 3}}, &s.stemmers)
	f.Add(v.appendWaiting(nil, 0))
	f.Fuzz(func(t *testing.T, b []byte) {
		var all totals
		if all.read(b) && !bytes.Equal(all.append(nil), b) {
			var again totals
			if !again.read(all.append(nil)) {
				t.Fatal("totals are not read again")
			}
		}
		if table, ok := readTable(9, b); ok {
			last := 9 + table.count - 1
			table.id(last)
			table.norm(last)
			table.length(last, maxFields-1)
			table.records()
		}
		if w, ok := readWaiting(1, b); ok {
			for i := range w.len() {
				w.term(i)
			}
			w.find("tstar")
		}
	})
}
