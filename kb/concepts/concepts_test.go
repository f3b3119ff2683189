package concepts

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"orbweaver/internal/tier"
	"orbweaver/text/item"
)

// mixedDoc is a document of eight terms of one subject of six and four of all.
func mixedDoc(i int) []item.Term {
	h := mixed(uint64(i))
	subject := uint32(h % 6)
	var doc []item.Term
	for k := range uint64(12) {
		h = mixed(h + k)
		id := 1000 + uint32(h%50)
		if k < 8 {
			id = 1 + subject*40 + uint32(h%40)
		}
		if !slices.ContainsFunc(doc, func(t item.Term) bool { return t.ID == id }) {
			doc = append(doc, item.Term{ID: id, Weight: 1 + float64(h>>8%4)})
		}
	}
	slices.SortFunc(doc, func(a, b item.Term) int { return int(a.ID) - int(b.ID) })
	return doc
}

func subjectOf(i int) int { return int(mixed(uint64(i)) % 6) }

func every(uint32) bool { return true }

func learned(t *testing.T, m *Model, from, to int) (changes []Change) {
	t.Helper()
	for i := from; i < to; i++ {
		changes = append(changes, m.Learn(mixedDoc(i), every)...)
	}
	return changes
}

func snapshotOf(t *testing.T, m *Model) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := m.Snapshot(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestSubjects: leaves hold documents of one subject, concepts follow from them, and terms of all subjects are noise.
func TestSubjects(t *testing.T) {
	m := New(0)
	learned(t, m, 0, 1000)
	all := m.Concepts()
	if len(all) == 0 {
		t.Fatal("no concepts")
	}
	of := map[int]map[int]int{}
	for i := 1000; i < 2000; i++ {
		h := m.Classify(mixedDoc(i))
		if len(h.Concepts) == 0 || !all[h.Concepts[0]].Leaf || len(h.Because) == 0 || h.Cosine <= 0 || h.Cosine > 1.0001 {
			t.Fatalf("document %d: %+v", i, h)
		}
		for k, at := range h.Concepts[1:] {
			if all[h.Concepts[k]].Above != at {
				t.Fatalf("document %d: %v", i, h.Concepts)
			}
		}
		leaf := h.Concepts[0]
		if of[leaf] == nil {
			of[leaf] = map[int]int{}
		}
		of[leaf][subjectOf(i)]++
	}
	right := 0
	for _, subjects := range of {
		most := 0
		for _, n := range subjects {
			most = max(most, n)
		}
		right += most
	}
	if right < 950 {
		t.Errorf("%d of 1 000 documents have the subject of their leaf", right)
	}
	for i, c := range all {
		if c.Above >= 0 && (c.Above <= i || all[c.Above].Items <= c.Items) || c.Items == 0 || len(c.Rule) > Rule {
			t.Errorf("concept %d: %+v", i, c)
		}
		for _, x := range c.Members {
			if x.Label >= 1000 && all[i].Items > 100 {
				t.Errorf("a term of all subjects, %d, belongs to %d documents with P %.2f", x.Label, c.Items, x.P)
			}
		}
	}
}

// TestResumed: a model that is restored at any point becomes the same as one that was not.
func TestResumed(t *testing.T) {
	for _, halfLife := range []float64{1000, 0}[:tier.Of(1, 2)] {
		whole := New(halfLife)
		changes := learned(t, whole, 0, 6500)
		for _, at := range []int{250, 4100, 0, 100, 999}[:tier.Of(2, 5)] {
			half := New(halfLife)
			told := learned(t, half, 0, at)
			again := New(halfLife)
			if err := again.Restore(bytes.NewReader(snapshotOf(t, half))); err != nil {
				t.Fatal(at, err)
			}
			if !bytes.Equal(snapshotOf(t, again), snapshotOf(t, half)) {
				t.Errorf("at %d: another snapshot", at)
			}
			told = append(told, learned(t, again, at, 6500)...)
			if !bytes.Equal(snapshotOf(t, again), snapshotOf(t, whole)) || !reflect.DeepEqual(told, changes) {
				t.Errorf("at %d: another model", at)
			}
		}
	}
}

// TestDamaged: a snapshot cut anywhere, or with more behind it, is refused and changes nothing.
func TestDamaged(t *testing.T) {
	m := New(0)
	learned(t, m, 0, 300)
	whole := snapshotOf(t, m)
	for n := 1; n < len(whole); n += 97 {
		if err := New(0).Restore(bytes.NewReader(whole[:n])); !errors.Is(err, ErrDamaged) {
			t.Fatalf("%d of %d bytes: %v", n, len(whole), err)
		}
	}
	if err := m.Restore(bytes.NewReader(append(slices.Clone(whole), 0))); !errors.Is(err, ErrDamaged) || !bytes.Equal(snapshotOf(t, m), whole) {
		t.Error("a byte more: ", err)
	}
	if err := m.Restore(bytes.NewReader(nil)); err != nil || len(m.Concepts()) != 0 {
		t.Error("no bytes: ", err)
	}
}

func FuzzRestore(f *testing.F) {
	m := New(0)
	for i := range 260 {
		m.Learn(mixedDoc(i), every)
	}
	var b bytes.Buffer
	if err := m.Snapshot(&b); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		m := New(0)
		if m.Restore(bytes.NewReader(data)) != nil {
			return
		}
		h := m.Classify(mixedDoc(1))
		if len(h.Concepts) > 2*Leaves {
			t.Error("a concept is above itself")
		}
		m.Learn(mixedDoc(1), every)
	})
}

// TestShift: a subject that becomes more frequent is told, with its shares.
func TestShift(t *testing.T) {
	m := New(0)
	learned(t, m, 0, 1000)
	var changes []Change
	for i := 1000; m.seen < 2000; i++ {
		if subjectOf(i) < 2 {
			changes = append(changes, m.Learn(mixedDoc(i), every)...)
		}
	}
	var more, less float64
	for _, c := range changes {
		switch {
		case c.Came || c.Gone:
		case c.Share > c.Before:
			more += c.Share - c.Before
		default:
			less += c.Before - c.Share
		}
	}
	if more < 0.3 || less < 0.3 {
		t.Errorf("grew by %.2f, fell by %.2f", more, less)
	}
}

func TestDue(t *testing.T) {
	var at []int64
	for n := range int64(10_001) {
		if due(n) {
			at = append(at, n)
		}
	}
	if got := fmt.Sprint(at); got != "[250 500 1000 2000 4000 6000 8000 10000]" {
		t.Error(got)
	}
}

// TestTells: of a concept with half of all documents (odds 1) a label needs P 0.8 (odds 4); of one with a tenth
// (odds 1/9) one half, whose odds are 9 times those.
func TestTells(t *testing.T) {
	for _, tc := range []struct {
		p, share float64
		want     bool
	}{{0.8, 0.5, true}, {0.79, 0.5, false}, {0.5, 0.1, true}, {0.49, 0.1, false}, {1, 0.5, true}} {
		if got := tells(tc.p, tc.share); got != tc.want {
			t.Errorf("P %v, share %v: %v", tc.p, tc.share, got)
		}
	}
}

// TestCover: rows (0.9, 0, 0), (0.5, 0.5, 0.4), (0, 0.6, 0): the second adds 1.4 to (0, 0, 0), more than 0.9 or 0.6;
// then the first 0.4, then the third 0.1. Documents have the row of their highest cosine: the first, third, second.
func TestCover(t *testing.T) {
	g := &grouping{docs: make([][]Weight, 3), of: make([]int, 3)}
	n := g.cover([][]float32{{0.9, 0, 0}, {0.5, 0.5, 0.4}, {0, 0.6, 0}})
	if n != 3 || fmt.Sprint(g.of) != "[1 2 0]" {
		t.Error(n, g.of)
	}
}

// TestClosest: mean cosines of parts of 1, 2 and 4 documents: 1/(1·2) = 0.5, 3/(1·4) = 0.75, 4.8/(2·4) = 0.6.
func TestClosest(t *testing.T) {
	parts := []*part{{items: 1, to: []float64{1, 1, 3}}, {items: 2, to: []float64{1, 4, 4.8}}, {items: 4, to: []float64{3, 4.8, 16}}}
	if i, j := closest(parts); i != 0 || j != 2 {
		t.Error(i, j)
	}
}

// TestThinned: of a chain 1 < 2 < 3 < 4 of 30, 50, 90, 100 documents above leaves, 3 has more than four fifths of 4 and
// goes; 2 is then below 4.
func TestThinned(t *testing.T) {
	leaf := func(above, items int) Concept { return Concept{Leaf: true, Above: above, Items: items} }
	all := []Concept{leaf(5, 10), leaf(5, 20), leaf(6, 20), leaf(7, 40), leaf(8, 10), {Above: 6, Items: 30}, {Above: 7, Items: 50}, {Above: 8, Items: 90}, {Above: -1, Items: 100}}
	var got []int
	for _, c := range thinned(all) {
		got = append(got, c.Above)
	}
	if fmt.Sprint(got) != "[5 5 6 7 7 6 7 -1]" {
		t.Error(got)
	}
}

// TestUnit: (3, 4) has length 5; the heaviest hundred terms stay; weights that are no numbers are none.
func TestUnit(t *testing.T) {
	doc := unit([]item.Term{{ID: 2, Weight: 3}, {ID: 1, Weight: 4}})
	if !reflect.DeepEqual(doc, []Weight{{1, 0.8}, {2, 0.6}}) {
		t.Error(doc)
	}
	var many []item.Term
	for i := range uint32(300) {
		many = append(many, item.Term{ID: i, Weight: float64(i)})
	}
	if doc := unit(many); len(doc) != Width || doc[0].Term != 200 {
		t.Error(len(doc), doc[0])
	}
	if unit([]item.Term{{ID: 1, Weight: math.NaN()}}) != nil || unit(nil) != nil {
		t.Error("a document of nothing")
	}
}
