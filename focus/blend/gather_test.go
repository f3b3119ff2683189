package blend

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"orbweaver"
)

// A gathering toy counts what all workers learned.
type gathering struct{ toy }

func (g *gathering) Gather(_ context.Context, snapshots map[string][]byte) error {
	sum := 0
	for _, s := range snapshots {
		one := toy{word: g.word}
		if err := one.Restore(bytes.NewReader(s)); err != nil {
			return err
		}
		sum += one.learned
	}
	g.learned = sum
	return nil
}

// gatheringOf returns a blend of toys that gather.
func gatheringOf(t *testing.T, words ...string) *Focus {
	t.Helper()
	opts := Options{Combine: Any}
	for _, w := range words {
		opts.Parts = append(opts.Parts, Part{Name: w, Weight: 1, Focus: &gathering{toy{word: w}}})
	}
	f, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	return f.(*Focus)
}

func snapshotOf(t *testing.T, f *Focus) string {
	t.Helper()
	var b bytes.Buffer
	if err := f.Snapshot(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestGather: parts gather what the same parts have learned, and what links led to adds up.
func TestGather(t *testing.T) {
	whole, workers := gatheringOf(t, "a", "b"), []*Focus{gatheringOf(t, "a", "b"), gatheringOf(t, "a", "b"), gatheringOf(t, "a", "b")}
	for i := range 40 {
		for _, f := range []*Focus{whole, workers[i%3]} {
			start := read(t, f, "start", orbweaver.Link{To: "http://p.test/next", Anchor: []string{"a", "b", "c"}[i%3]})
			j, err := f.Judge(t.Context(), start)
			plan, failed := f.Plan(t.Context(), start, j)
			if err = errors.Join(err, failed); err != nil {
				t.Fatal(err)
			}
			p := read(t, f, []string{"a", "a b", "nothing"}[i%3])
			o := orbweaver.Outcome{Request: plan[0].Request, Predicted: plan[0].Judgement, Page: p}
			if o.Actual, err = f.Judge(t.Context(), p); err == nil {
				_, err = f.Learn(t.Context(), o)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	all := map[string][]byte{}
	for i, f := range workers {
		all[fmt.Sprint(i)] = []byte(snapshotOf(t, f))
	}
	f := gatheringOf(t, "a", "b")
	if err := f.Gather(t.Context(), all); err != nil {
		t.Fatal(err)
	}
	for i, part := range f.parts {
		want := whole.parts[i]
		if part.Focus.(*gathering).learned != 40 || part.links.reach.of != want.links.reach.of || !bytes.Equal(part.pages.Append(nil), want.pages.Append(nil)) {
			t.Errorf("part %s: %d learned, links %v, want %v", part.Name, part.Focus.(*gathering).learned, part.links.reach.of, want.links.reach.of)
		}
	}
	if f.taught != whole.taught || f.next <= f.taught {
		t.Errorf("%d links followed, want %d; the next ranking is at %d", f.taught, whole.taught, f.next)
	}
	again := gatheringOf(t, "a", "b")
	if err := again.Restore(strings.NewReader(snapshotOf(t, f))); err != nil || snapshotOf(t, again) != snapshotOf(t, f) {
		t.Errorf("restored: %v", err)
	}
	if err := again.Gather(t.Context(), map[string][]byte{"1": all["1"]}); err != nil || snapshotOf(t, again) != string(all["1"]) {
		t.Errorf("of one it is another: %v", err)
	}
	damaged := bytes.Replace(all["1"], []byte("b 1"), []byte("c 1"), 1)
	for _, bad := range [][]byte{nil, all["1"][:9], damaged, []byte(snapshotOf(t, gatheringOf(t, "a", "c")))} {
		if err := again.Gather(t.Context(), map[string][]byte{"0": all["0"], "1": bad}); !errors.Is(err, orbweaver.ErrDamaged) || snapshotOf(t, again) != string(all["1"]) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if err := joined(t, Any, "a", "b").Gather(t.Context(), all); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("parts that can't: %v", err)
	}
}
