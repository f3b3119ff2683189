package swget

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"orbweaver"
)

// half returns a focus in the middle of a search.
func half(tb testing.TB) (*web, *Focus) {
	tb.Helper()
	w, f := linked(tb), focus(tb, Options{Expression: "<http://x.test/ann> <foaf:knows>+[ASK {}]/ACT[save]"})
	proposals, err := f.Seeds(tb.Context(), w)
	for i := 0; err == nil && i < 2; i++ {
		for _, p := range proposals {
			w.ask(tb, f, p.Request)
		}
		proposals, _, err = f.EndRound(tb.Context(), orbweaver.Round{N: i + 1, Known: w})
	}
	if err != nil || len(proposals) == 0 {
		tb.Fatal(err, proposals)
	}
	return w, f
}

func snapshotOf(tb testing.TB, f *Focus) string {
	tb.Helper()
	var b bytes.Buffer
	if err := f.Snapshot(&b); err != nil {
		tb.Fatal(err)
	}
	return b.String()
}

// TestRestoreRefuses: an invalid snapshot leaves the focus unchanged.
func TestRestoreRefuses(t *testing.T) {
	_, f := half(t)
	good := snapshotOf(t, f)
	for _, tc := range []struct {
		name, old, new string
		want           error
	}{
		{"cut short", good[len(good)/2:], "", orbweaver.ErrDamaged},
		{"another version", `"version":1`, `"version":2`, orbweaver.ErrDamaged},
		{"another expression", `"of":"`, `"of":"0`, orbweaver.ErrForeign},
		{"a node twice", `"http://x.test/bob"`, `"http://x.test/cy"`, orbweaver.ErrDamaged},
		{"a visit of no node", `[[0,`, `[[77,`, orbweaver.ErrDamaged},
		{"a visit before the first", `"visits":[[0,0,0,-1`, `"visits":[[0,0,0,-2`, orbweaver.ErrDamaged},
		{"a visit that leads to itself", `"visits":[[0,0,0,-1`, `"visits":[[0,0,0,0`, orbweaver.ErrDamaged},
		{"a visit in no state", `"visits":[[0,0`, `"visits":[[0,99`, orbweaver.ErrDamaged},
		{"a visit to go on from that is none", `"current":[`, `"current":[99,`, orbweaver.ErrDamaged},
		{"a property twice", `"properties":[`, `"properties":["http://p/","http://p/",`, orbweaver.ErrDamaged},
		{"a node that nobody visits", `"nodes":[`, `"nodes":[{"iri":"http://z.test/"},`, orbweaver.ErrDamaged},
		{"a reason and a document", `"document":`, `"why":"absent","document":`, orbweaver.ErrDamaged},
	} {
		t.Run(tc.name, func(t *testing.T) {
			bad := strings.Replace(good, tc.old, tc.new, 1)
			if bad == good {
				t.Fatalf("nothing to spoil in %s", good)
			}
			if err := f.Restore(strings.NewReader(bad)); !errors.Is(err, tc.want) {
				t.Errorf("%v, not %v", err, tc.want)
			}
			if now := snapshotOf(t, f); now != good {
				t.Errorf("the focus changed to %s", now)
			}
		})
	}
}

// TestRestoreGoesOn: another process continues to the same result.
func TestRestoreGoesOn(t *testing.T) {
	w, f := half(t)
	_, other := half(t)
	other.begin()
	if err := other.Restore(strings.NewReader(snapshotOf(t, f))); err != nil {
		t.Fatal(err)
	}
	w.ask(t, f, orbweaver.Request{URL: "http://x.test/dan"})
	for _, each := range []*Focus{f, other} {
		if proposals, _, err := each.EndRound(t.Context(), orbweaver.Round{Known: w}); err != nil || len(proposals) > 0 || len(each.Saved()) != 4 {
			t.Errorf("%v, %v, saved %v", proposals, err, each.Saved())
		}
	}
	if a, b := snapshotOf(t, f), snapshotOf(t, other); a != b {
		t.Errorf("%s\nis not %s", a, b)
	}
}

// FuzzRestore: a focus restored from any accepted snapshot can continue.
func FuzzRestore(f *testing.F) {
	w, focus := half(f)
	good := snapshotOf(f, focus)
	if err := focus.Restore(strings.NewReader(good)); err != nil {
		f.Fatal(err)
	}
	f.Add([]byte{0, 0, 0, 255, 255, 0, 1, 1, 0, 0, 0, 0, 2, 1, 0, 0, 0, 1, 3, 1, 0, 1, 0, 0}, []byte{3}, []byte{2}, []byte{1})
	f.Fuzz(func(t *testing.T, visits, current, next, late []byte) {
		var s snapshot
		if err := json.Unmarshal([]byte(good), &s); err != nil {
			t.Fatal(err)
		}
		s.Visits = nil
		for six := range slices.Chunk(visits, 6) {
			var v [6]int32
			for i, b := range six {
				v[i] = int32(int8(b))
			}
			s.Visits = append(s.Visits, v)
		}
		s.Current, s.Next, s.Late = places(current), places(next), places(late)
		if !focus.restore(s) {
			return
		}
		for range 3 {
			if _, _, err := focus.EndRound(t.Context(), orbweaver.Round{Known: w}); err != nil {
				t.Fatal(err)
			}
		}
		if len(focus.Nodes()) != focus.Summary().Nodes {
			t.Fatal("nodes are lost")
		}
		again(t, focus)
	})
}

func places(bytes []byte) (all []int32) {
	for _, b := range bytes {
		all = append(all, int32(int8(b)))
	}
	return all
}
