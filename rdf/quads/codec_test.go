package quads

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// FuzzKeys: what a table stores comes back, its keys are ordered as their IDs, and bytes that are no key
// are refused.
func FuzzKeys(f *testing.F) {
	f.Add(uint64(1), uint64(2), uint64(3), uint64(4), []byte("12345678123456781234567812345678"))
	f.Add(uint64(math.MaxUint64), uint64(0), uint64(1)<<63, uint64(0), []byte("short"))
	f.Fuzz(func(t *testing.T, a, b, c, d uint64, raw []byte) {
		q, other := Quad{ID(a), ID(b), ID(c), ID(d)}, Quad{ID(d), ID(a), ID(b), ID(d)}
		first, last := sideOf(q.G).tables()
		for i := first; i <= last; i++ {
			k, o := i.order().key(q), i.order().key(other)
			stored, storedOther := i.appendKey(nil, &k), i.appendKey(nil, &o)
			if k.compare(&o) != slices.Compare(stored, storedOther) {
				t.Fatalf("table %d: %v and %v are ordered otherwise when stored", i, k, o)
			}
			var back key
			if !i.readKey(stored, &back) || i.order().quad(&back) != q {
				t.Fatalf("table %d: %v comes back as %v", i, q, back)
			}
			if i.readKey(raw, &back) != (len(raw) == 8*i.width()) {
				t.Fatalf("table %d: %x is read as %v", i, raw, back)
			}
		}
	})
}

// FuzzContent: no bytes make a term that is not what they say, or a panic.
func FuzzContent(f *testing.F) {
	for _, s := range []string{"", "\x00plain", "\x01\x02enhello", "\x02\x05http:1", "\x03\x02en\x01dx", "\x083", "\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"} {
		f.Add(s)
	}
	for _, s := range []string{"\x04\x02enhello", "\x05\x02enhello", "\x04\x00", "i1:ai1:bs1:c", "b1:xi1:bq12:i1:ai1:bs1:c", "i1:ai1:bl1:x2:en", "i1:ai9:b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, kind := range []Kind{KindLiteral, KindTriple} {
			term, err := termOf(newID(kind, 1), s)
			if err != nil {
				continue
			}
			again, err := termOf(newID(kind, 1), string(appendContent(nil, term)))
			if err != nil || again != Canonical(term) {
				t.Fatalf("%q is %#v, and that is %#v, %v", s, term, again, err)
			}
		}
	})
}

// FuzzSketches: bytes of the database are read as what was written, or refused.
func FuzzSketches(f *testing.F) {
	var st stat
	for i := range ID(300) {
		st.add(Quad{S: i, P: 1, O: i % 3})
		f.Add(st.appendSketches(nil))
	}
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		var st stat
		if !st.readSketches(b) {
			return
		}
		if again := st.appendSketches(nil); !slices.Equal(again, b) {
			t.Fatalf("%x is written as %x", b, again)
		}
		st.add(Quad{S: 1, P: 2, O: 3})
	})
}

// TestSketch: exact while small, near when large, the same whatever the order, and two make one.
func TestSketch(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, n := range []int{0, 1, 127, 1000, 100_000} {
		var forth, back, even, odd sketch
		for i := range n {
			id := newID(KindInteger, zero+uint64(i))
			forth.add(id)
			forth.add(newID(KindInteger, zero+uint64(r.IntN(i+1))))
			back.add(newID(KindInteger, zero+uint64(n-1-i)))
			if i%2 == 0 {
				even.add(id)
			} else {
				odd.add(id)
			}
		}
		even.merge(odd)
		if !slices.Equal(forth, back) || !slices.Equal(forth, even) {
			t.Errorf("%d: the order matters", n)
		}
		off := math.Abs(float64(forth.count()-int64(n))) / float64(max(n, 1))
		if n < sketchSize && off > 0 || off > 0.25 {
			t.Errorf("%d counted as %d", n, forth.count())
		}
	}
}

// TestTree: a tree holds what a sorted list does, and its snapshots what that did.
func TestTree(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	var now tree
	var then tree
	var want, was []key
	for i := range 40_000 {
		k := key{ID(r.IntN(40)), ID(r.IntN(40)), ID(r.IntN(4))}
		at, there := slices.BinarySearchFunc(want, k, func(a, b key) int { return a.compare(&b) })
		if growing := i/10_000%2 == 0; r.IntN(10) < 2 == growing {
			if now.remove(k) != there {
				t.Fatalf("remove %v: there %v", k, there)
			}
			if there {
				want = slices.Delete(want, at, at+1)
			}
		} else {
			if now.insert(k) == there {
				t.Fatalf("insert %v: there %v", k, there)
			}
			if !there {
				want = slices.Insert(want, at, k)
			}
		}
		if i%1500 == 0 {
			if !slices.Equal(then.all(), was) || !slices.Equal(now.all(), want) || now.size != int64(len(want)) {
				t.Fatalf("after %d changes the tree is another", i)
			}
			now.freeze()
			then, was = now, slices.Clone(want)
		}
		scan := treeScan{root: now.root}
		if got, ok := (key{}), at < len(want); i%7 == 0 && (scan.seek(&k, &got) != ok || ok && got != want[at]) {
			t.Fatalf("seek %v: %v, not %v", k, got, want[at])
		}
	}
	for _, k := range slices.Clone(want) {
		if !now.remove(k) {
			t.Fatalf("%v is not there", k)
		}
	}
	if now.root != nil || !slices.Equal(then.all(), was) {
		t.Error("something is left, or went")
	}
	full := build(want, 0)
	if !slices.Equal(full.all(), want) {
		t.Error("a built tree is another")
	}
}

func (t tree) all() (keys []key) {
	scan := treeScan{root: t.root}
	var k key
	for ok := scan.seek(&key{}, &k); ok; ok = scan.next(&k) {
		keys = append(keys, k)
	}
	return keys
}
