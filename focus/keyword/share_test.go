package keyword

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"orbweaver"
)

// TestShare: however pages are split among workers, after sharing each has the counts that one worker has of all pages, also after a snapshot; and shares its
// own alone.
func TestShare(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 2))
	learn := func(f *Focus, p *orbweaver.Page, score float64) {
		o := orbweaver.Outcome{Page: &orbweaver.Page{Title: p.Title, Text: p.Text}, Actual: orbweaver.Judgement{Score: score}}
		if _, err := f.Learn(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	share := func(f *Focus) []byte {
		var b bytes.Buffer
		if err := f.Share(&b); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	whole := focus(t, "glider", "wing")
	workers := []*Focus{focus(t, "glider", "wing"), focus(t, "glider", "wing"), focus(t, "glider", "wing")}
	own := []*Focus{focus(t, "glider", "wing"), focus(t, "glider", "wing"), focus(t, "glider", "wing")}
	for range 50 {
		p, score, i := page("", []string{"a glider", "the wing of a glider", "a wing", "weather"}[rng.IntN(4)]), rng.Float64(), rng.IntN(3)
		learn(whole, p, score)
		learn(own[i], p, score)
		learn(workers[i], p, score)
		if k := rng.IntN(3); rng.IntN(3) == 0 {
			if _, err := workers[k].Take(t.Context(), map[string][]byte{"x": share(workers[(k+1)%3]), "y": share(workers[(k+2)%3])}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for k, f := range workers {
		if _, err := f.Take(t.Context(), map[string][]byte{"x": share(workers[(k+1)%3]), "y": share(workers[(k+2)%3])}); err != nil {
			t.Fatal(err)
		}
		var a, b bytes.Buffer
		again := focus(t, "glider", "wing")
		if err := f.Snapshot(&a); err != nil {
			t.Fatal(err)
		}
		if err := again.Restore(bytes.NewReader(a.Bytes())); err != nil {
			t.Fatal(err)
		}
		for _, one := range []*Focus{f, again} {
			if got, want := fmt.Sprint(one.rarity, one.accept.Threshold()), fmt.Sprint(whole.rarity, whole.accept.Threshold()); got != want {
				t.Errorf("worker %d: %s, want %s", k, got, want)
			}
			if !bytes.Equal(share(one), share(own[k])) {
				t.Errorf("worker %d shares %s, want %s", k, share(one), share(own[k]))
			}
		}
		if err := again.Snapshot(&b); err != nil || !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Errorf("worker %d restored: %v", k, err)
		}
	}
	before := share(whole)
	if _, err := whole.Take(t.Context(), map[string][]byte{"x": []byte(`{"version":1,"pages":1,"df":{"wing":2}}`)}); err == nil || !bytes.Equal(share(whole), before) {
		t.Errorf("damaged: %v", err)
	}
}

// TestGather: what workers counted of their own pages adds up, whatever they took of each other; of one worker it is what that has.
func TestGather(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 3))
	bytesOf := func(write func(io.Writer) error) []byte {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	whole := focus(t, "glider", "wing")
	workers := []*Focus{focus(t, "glider", "wing"), focus(t, "glider", "wing"), focus(t, "glider", "wing")}
	for range 60 {
		p, i := page("", []string{"a glider", "the wing of a glider", "a wing", "weather"}[rng.IntN(4)]), rng.IntN(3)
		for _, f := range []*Focus{whole, workers[i]} {
			if _, err := f.Learn(t.Context(), orbweaver.Outcome{Page: &orbweaver.Page{Text: p.Text}, Actual: orbweaver.Judgement{Score: float64(i) / 3}}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := workers[0].Take(t.Context(), map[string][]byte{"x": bytesOf(workers[1].Share)}); err != nil {
			t.Fatal(err)
		}
	}
	all := map[string][]byte{"a": bytesOf(workers[0].Snapshot), "b": bytesOf(workers[1].Snapshot), "c": bytesOf(workers[2].Snapshot)}
	f := focus(t, "glider", "wing")
	if err := f.Gather(t.Context(), all); err != nil || !bytes.Equal(bytesOf(f.Snapshot), bytesOf(whole.Snapshot)) {
		t.Errorf("%s, want %s: %v", bytesOf(f.Snapshot), bytesOf(whole.Snapshot), err)
	}
	if err := f.Gather(t.Context(), map[string][]byte{"b": all["b"]}); err != nil || !bytes.Equal(bytesOf(f.Snapshot), all["b"]) {
		t.Errorf("of one: %s, want %s: %v", bytesOf(f.Snapshot), all["b"], err)
	}
	for _, bad := range []string{"", `{"version":1,"pages":1,"df":{"wing":2}}`, `{"version":1,"pages":1,"df":{"mast":1}}`} {
		if err := f.Gather(t.Context(), map[string][]byte{"a": all["a"], "b": []byte(bad)}); !errors.Is(err, orbweaver.ErrDamaged) || !bytes.Equal(bytesOf(f.Snapshot), all["b"]) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
