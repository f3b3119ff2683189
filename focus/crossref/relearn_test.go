package crossref

import (
	"bytes"
	"errors"
	"testing"

	"orbweaver"
)

// TestRelearn: a page that a person finds relevant joins layer 0, however unlike the item, and pages like it score higher at once; one that is not
// leaves it. What words near links are worth follows the verdicts at the end of the round. Withdrawn, it is as before.
func TestRelearn(t *testing.T) {
	f := apiaries(t, 4, nil)
	scoreOf := func(f *Focus, text string) float64 {
		j, err := f.Judge(t.Context(), page("http://p.test/new", text))
		if err != nil {
			t.Fatal(err)
		}
		return j.Score
	}
	worth := func(f *Focus, words string) float64 {
		x, _ := f.Worth(beside(f, words))
		return x
	}
	chess, bees := scoreOf(f, "chess rook"), worth(f, "apiary")
	for _, letter := range []string{"a", "b", "c", "d"} {
		url := "http://p.test/gambit" + letter
		_, err := f.Relearn(t.Context(), orbweaver.Outcome{Request: orbweaver.Request{URL: url}}, 1)
		bad := "http://p.test/apiary" + letter
		_, other := f.Relearn(t.Context(), orbweaver.Outcome{Request: orbweaver.Request{URL: bad}}, 0)
		if err = errors.Join(err, other); err != nil {
			t.Fatal(err)
		}
	}
	if now := scoreOf(f, "chess rook"); now < chess+0.2 {
		t.Errorf("chess scores %v, then %v", chess, now)
	}
	if j, err := f.Untaught(t.Context(), page("http://p.test/new", "chess rook")); err != nil || j.Score > chess+0.01 {
		t.Errorf("untaught: chess scores %v %v, before %v", j.Score, err, chess)
	}
	endRound(t, f, 2, nil)
	if good, bad := worth(f, "gambit"), worth(f, "apiary"); good <= bad || bad >= bees {
		t.Errorf("beside gambit %v, beside apiary %v, before %v", good, bad, bees)
	}
	for i := range f.known.items {
		k := &f.known.items[i]
		if relevance, ok := f.told[k.url]; ok && (k.member == 0) != (relevance == 1) {
			t.Errorf("%s is of layer %d", k.url, k.member)
		}
	}
	var kept, twice bytes.Buffer
	again := focus(t, nil)
	if err := errors.Join(f.Snapshot(&kept), again.Restore(bytes.NewReader(kept.Bytes())), again.Snapshot(&twice)); err != nil || !bytes.Equal(kept.Bytes(), twice.Bytes()) {
		t.Fatalf("restored: %v", err)
	}
	for url := range f.told {
		if _, err := again.Unlearn(t.Context(), url); err != nil {
			t.Fatal(err)
		}
	}
	endRound(t, again, 3, nil)
	if now := scoreOf(again, "chess rook"); now > chess+0.01 {
		t.Errorf("withdrawn, chess scores %v, before %v", now, chess)
	}
}
