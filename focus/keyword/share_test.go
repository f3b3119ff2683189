package keyword

import (
	"bytes"
	"fmt"
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
