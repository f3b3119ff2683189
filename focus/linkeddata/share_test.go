package linkeddata

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"orbweaver"
)

// sharedBy returns what a focus shares.
func sharedBy(tb testing.TB, f *Focus) []byte {
	tb.Helper()
	var b bytes.Buffer
	if err := f.Share(&b); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// TestShare: what one worker learned of words of links, and its classifier of links, others know; each link is learned once, also after a snapshot.
func TestShare(t *testing.T) {
	for _, online := range []bool{false, true} {
		fresh := func() *Focus {
			return newFocus(t, func(o *Options) {
				if o.Beyond.LearnTerms = true; online {
					o.Classifier = Online
				}
			})
		}
		one, two := fresh(), fresh()
		sharedBy(t, one) // from now on it keeps links for others
		teach := func(n int) {
			for i := range n {
				led(t, one, listing("en", fmt.Sprintf("x/%d pedigree", i)), fmt.Sprintf("http://a.test/x/%d", i), "text/turtle")
			}
		}
		rank := func(f *Focus) orbweaver.Judgement {
			return f.Rerank(nil, follow(t, f, listing("en", "y pedigree"), "http://a.test/y"))
		}
		before := rank(two)
		teach(20)
		lesson := sharedBy(t, one)
		for range 3 { // once is enough
			if _, err := two.Take(t.Context(), map[string][]byte{"one": lesson}); err != nil {
				t.Fatal(err)
			}
			two = restoredFocus(t, fresh(), two)
		}
		if after := rank(two); after.Class != ClassR || before.Class == ClassR || !online && after.Score != rank(one).Score { // of folders each knows its own
			t.Errorf("online %v: %s %v, untaught %s, teacher %v", online, after.Class, after.Score, before.Class, rank(one).Score)
		}
		if online && two.model.Outcomes() != 20 {
			t.Errorf("%d links learned", two.model.Outcomes())
		}
		if got, err := lessonOf(sharedBy(t, two)); err != nil || len(got.words.list) > 0 || got.links > 0 {
			t.Errorf("online %v: it shares %d words, %d links of others: %v", online, len(got.words.list), got.links, err)
		}
	}
}

// restoredFocus gives a fresh focus the state of another, and checks that its snapshot is the same.
func restoredFocus(tb testing.TB, fresh, of *Focus) *Focus {
	tb.Helper()
	var a, b bytes.Buffer
	err := errors.Join(of.Snapshot(&a), fresh.Restore(bytes.NewReader(a.Bytes())), fresh.Snapshot(&b))
	if err != nil || !bytes.Equal(a.Bytes(), b.Bytes()) {
		tb.Fatalf("restored: %v", err)
	}
	return fresh
}

// FuzzTake: whatever a worker shares is taken or refused, and what is refused changes nothing.
func FuzzTake(f *testing.F) {
	fresh := func(tb testing.TB) *Focus { return newFocus(tb, func(o *Options) { o.Classifier = Online }) }
	one := fresh(f)
	sharedBy(f, one)
	p := page("http://a.test/")
	p.Links = []orbweaver.Link{{To: "http://a.test/x", Anchor: "pedigree", Origin: orbweaver.FromAnchor}}
	learn(f, one, answer(follow(f, one, p, p.Links[0].To).Request, "text/turtle"))
	f.Add(sharedBy(f, one))
	f.Fuzz(func(t *testing.T, body []byte) {
		two := fresh(t)
		before := sharedBy(t, two)
		if _, err := two.Take(t.Context(), map[string][]byte{"x": body}); err != nil && !errors.Is(err, orbweaver.ErrDamaged) {
			t.Errorf("%v", err)
		}
		if after := sharedBy(t, two); !bytes.Equal(before, after) {
			t.Errorf("its own is %q, before %q", after, before)
		}
		restoredFocus(t, fresh(t), two)
	})
}
