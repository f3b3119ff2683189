package crossref

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/kb/labels"
	"orbweaver/kb/stream"
)

// TestKilledAndResumed kills a crawl after every page. The resumed focus has the latest snapshot, taken every 17th page, and
// learns what came since and ends the rounds since again; it continues as without the interruption.
func TestKilledAndResumed(t *testing.T) {
	wide := func(o *Options) { o.Theta = 0.2 } // so that outer layers have members
	whole, killed := newWeb(1), newWeb(1)
	f, g := focus(t, wide), focus(t, wide)
	var model string
	var since []func(*Focus)
	outer := 0 // bytes of notes
	for n := 1; len(whole.waiting) > 0; n++ {
		whole.step(t, f)
		o := killed.step(t, g)
		since = append(since, func(f *Focus) { teach(t, f, o) })
		if n%10 == 0 {
			note := g.RoundNote()
			outer += len(note)
			since = append(since, func(f *Focus) {
				if err := f.ReplayRound(n/10, note); err != nil {
					t.Fatal(err)
				}
			})
		}
		if n%17 == 1 {
			model, since = snapshotOf(t, g), nil
		}
		g = focus(t, wide)
		if err := g.Restore(strings.NewReader(model)); err != nil {
			t.Fatal(err)
		}
		for _, again := range since {
			again(g)
		}
	}
	if outer < 20 {
		t.Errorf("outer layers have no members: notes of %d bytes", outer)
	}
	if whole.log.String() != killed.log.String() || f.Digest() != g.Digest() || f.Digest() == "" {
		t.Errorf("killed and resumed:\n%s\nwant:\n%s", killed.log.String(), whole.log.String())
	}
	if len(whole.done) < 50 || len(f.Rounds()) < 5 {
		t.Errorf("nothing to compare: %d pages, %d rounds", len(whole.done), len(f.Rounds()))
	}
}

func TestSnapshotsThatCannotBeRead(t *testing.T) {
	f := focus(t, nil)
	learn(t, f, page("a", "bee honey hive"), page("b", "chess rook"))
	good := snapshotOf(t, f)
	before := f.Digest()
	for n := range len(good) {
		if err := f.Restore(strings.NewReader(good[:n])); !errors.Is(err, orbweaver.ErrDamaged) {
			t.Fatalf("cut at %d: %v", n, err)
		}
	}
	if err := f.Restore(strings.NewReader(good + "x")); !errors.Is(err, orbweaver.ErrDamaged) {
		t.Errorf("more than it should be: %v", err)
	}
	other := focus(t, func(o *Options) { o.Item = page("http://p.test/other", "river lake") })
	if err := other.Restore(strings.NewReader(good)); !errors.Is(err, orbweaver.ErrForeign) {
		t.Errorf("of another item: %v", err)
	}
	if f.Digest() != before {
		t.Error("what could not be read changed the focus")
	}
}

// TestRoundsThatCannotBeReplayed: a note of other layers or items changes nothing.
func TestRoundsThatCannotBeReplayed(t *testing.T) {
	f := focus(t, nil)
	learn(t, f, page("a", "bee honey hive"), page("b", "chess rook"))
	before := f.Digest()
	for _, note := range []string{"", "\x00", "\x00\x00\x00", "\x01\x02\x00", "\x05\x00", "\x01"} {
		if err := f.ReplayRound(1, []byte(note)); !errors.Is(err, orbweaver.ErrDamaged) || f.Digest() != before {
			t.Errorf("%q: %v", note, err)
		}
	}
	if err := f.ReplayRound(1, []byte("\x01\x01\x00")); err != nil || f.known.items[1].member != 1 {
		t.Errorf("%+v, %v", f.known.items[1], err)
	}
}

// TestModelGoesOn: a crawl starts with the model of another one, and changes are reported.
func TestModelGoesOn(t *testing.T) {
	changes := 0
	f := focus(t, func(o *Options) {
		o.Changed = func(c []labels.Change) error { changes += len(c); return nil }
	})
	for range 20 {
		learn(t, f, page("a", "bee honey hive"), page("b", "chess rook"))
	}
	if changes < 10 {
		t.Errorf("%d changes, and there are 10 terms or more", changes)
	}
	dir := t.TempDir()
	if err := f.Model().Write(dir, nil); err != nil {
		t.Fatal(err)
	}
	m, _, err := stream.Read(dir, "")
	if err != nil || m.Digest() != f.model.Digest() {
		t.Fatalf("it is another: %v", err)
	}
	if g := focus(t, func(o *Options) { o.Model = m }); g.model.Terms.N() != 42 {
		t.Errorf("%d items, not the 41 learned before and its own", g.model.Terms.N())
	}
	var full error
	deaf := focus(t, func(o *Options) { o.Changed = func([]labels.Change) error { return full } })
	full = io.ErrShortWrite
	if _, err := deaf.Learn(t.Context(), orbweaver.Outcome{Page: page("c", "zither")}); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("changes that could not be changes: %v", err)
	}
}

func TestItemsAreBounded(t *testing.T) {
	c := newCollection(8)
	for i := range 100 {
		k := kept{url: string(rune('a' + i)), member: outside}
		k.standing[0] = float32(i%7) / 7
		c.add(k)
		if len(c.items) > 8 || len(c.at) != len(c.items) || c.find(keyOf(k.url)) == nil {
			t.Fatalf("%d items, %d keys after %d", len(c.items), len(c.at), i)
		}
	}
	c.add(kept{url: c.items[3].url, member: 2})
	if c.items[3].member != 2 {
		t.Error("an item that came again is not replaced")
	}
}

func TestNotes(t *testing.T) {
	e := evidence{links: 3, rest: 0.5, parents: []parent{{page: 7, relevance: 0.25}}, anchor: vector{{1, 2}}, context: vector{{3, 4}, {5, 6}}}
	got, ok := readNote(e.note())
	if !ok || got.links != 3 || got.rest != 0.5 || !slices.Equal(got.parents, e.parents) || !slices.Equal(got.anchor, e.anchor) || !slices.Equal(got.context, e.context) {
		t.Errorf("%+v, %v", got, ok)
	}
	all := evidence{}
	for i := range 40 {
		all = all.merge(evidence{links: 1, parents: []parent{{page: key(i), relevance: float64(i) / 64}}})
	}
	sum := all.rest
	for _, p := range all.parents {
		sum += p.relevance
	}
	if all.links != 40 || len(all.parents) != maxParents || all.best() != 39./64 || sum != 780./64 {
		t.Errorf("%d links, %d parents, best %v, sum %v", all.links, len(all.parents), all.best(), sum)
	}
}

// FuzzReadNote: a decoded Note is encoded unchanged.
func FuzzReadNote(f *testing.F) {
	e := evidence{links: 1, parents: []parent{{page: 1, relevance: 0.5}}, anchor: vector{{1, 2}}}
	f.Add(e.note())
	f.Add([]byte("x"))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, note []byte) {
		e, ok := readNote(note)
		if ok && len(e.note()) != len(note) {
			t.Errorf("%q: %+v", note, e)
		}
	})
}

// FuzzRestore: no snapshot makes a focus panic, and a rejected one leaves it unchanged.
func FuzzRestore(f *testing.F) {
	x := focus(f, nil)
	learn(f, x, page("a", "bee honey hive"))
	f.Add([]byte(snapshotOf(f, x)))
	f.Add([]byte("{}"))
	f.Fuzz(func(t *testing.T, b []byte) {
		g := focus(t, nil)
		before := g.Digest()
		if g.Restore(strings.NewReader(string(b))) != nil && g.Digest() != before {
			t.Error("it was changed")
		}
	})
}

func TestQuery(t *testing.T) {
	f := focus(t, func(o *Options) { o.Item = page("x", "bee honey honey honey hive hive") })
	for n, want := range []string{"", "honey", "honey hive", "honey hive bee", "honey hive bee"} {
		if got := f.Query(n); got != want {
			t.Errorf("%d terms: %q, want %q", n, got, want)
		}
	}
}

// TestSnapshotOfOneItem: a snapshot of the version before several items, without a detector of drift and concepts, is read.
func TestSnapshotOfOneItem(t *testing.T) {
	f := focus(t, nil)
	learn(t, f, page("a", "bee honey hive"), page("b", "chess rook"))
	d := decoder{b: []byte(snapshotOf(t, f))}
	var h head
	if err := json.Unmarshal(d.bytes(), &h); err != nil {
		t.Fatal(err)
	}
	h.Version, h.Item = oneItem, digestOfOne(f.opts.Item)
	older, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.TrimPrefix(string(d.bytes()), "orbstream\x03")
	rest := decoder{b: []byte(parts)}
	for range 3 {
		rest.bytes()
	}
	var e encoder
	e.bytes(older)
	e.bytes([]byte("orbstream\x01" + parts[:len(parts)-len(rest.b)]))
	g := focus(t, nil)
	if err := g.Restore(strings.NewReader(string(e.b) + string(d.b))); err != nil {
		t.Fatal(err)
	}
	if g.model.Digest() != f.model.Digest() || len(g.known.items) != len(f.known.items) || len(g.layers) != len(f.layers) || g.layers[0].members != f.layers[0].members {
		t.Error("the focus is another")
	}
	other := focus(t, func(o *Options) { o.Item = page("http://p.test/other", "river lake") })
	if err := other.Restore(strings.NewReader(string(e.b) + string(d.b))); !errors.Is(err, orbweaver.ErrForeign) {
		t.Errorf("of another item: %v", err)
	}
}
