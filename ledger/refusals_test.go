package ledger_test

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// links returns n links out of scope: nine in ten lead to one host and share a rule.
func links(from, n int) []step.Refusal {
	list := make([]step.Refusal, n)
	for i := range list {
		at := from + i
		list[i] = step.Refusal{Reason: step.RefusedScope, Rule: "big.example", URL: fmt.Sprintf("http://big.example/%d", at), Parent: "http://a/"}
		if at%10 == 0 {
			list[i].Rule, list[i].URL = "", fmt.Sprintf("http://small%d.example/", at%70)
		}
	}
	return list
}

// TestRefused: links are counted by reason and rule; hosts are estimated from the sample.
func TestRefused(t *testing.T) {
	l := open(t, t.TempDir())
	defer closed(t, l)
	if got := l.Refused(); len(got) != 0 {
		t.Fatalf("nothing was refused: %+v", got)
	}
	for at := 0; at < 50_000; at += 100 {
		refusals := append(links(at, 100), step.Refusal{Reason: step.RefusedDropped, Rule: "anchor", Evidence: "e", URL: fmt.Sprintf("http://d/%d", at)})
		if err := l.Commit(step.Batch{Refusals: refusals}); err != nil {
			t.Fatal(err)
		}
	}
	got := l.Refused()
	if len(got) != 2 || got[0].Reason != step.RefusedScope || got[0].Links != 50_000 || got[1].Links != 500 {
		t.Fatalf("%+v", got)
	}
	if want := []step.Tally{{Name: "big.example", Links: 45_000}, {Name: "", Links: 5000}}; !reflect.DeepEqual(got[0].Rules, want) {
		t.Errorf("rules %+v, want %+v", got[0].Rules, want)
	}
	// of 1000 drawn, 900 are of the big host; the chance of one to be off by 50 is under one in 10 million
	if big := got[0].Hosts[0]; big.Name != "big.example" || math.Abs(float64(big.Links)-45_000) > 2500 {
		t.Errorf("hosts %+v", got[0].Hosts)
	}
	if r, ok := l.Refusal(step.RefusedDropped, "http://d/100"); !ok || r.Rule != "anchor" || r.Evidence != "e" {
		t.Errorf("the dropped link: %+v, %v", r, ok)
	}
	if _, ok := l.Refusal(step.RefusedDropped, "http://big.example/1"); ok {
		t.Error("a link is told for a reason that is not its own")
	}
}

// TestRefusedOverSessions: reopening the ledger does not change the summary.
func TestRefusedOverSessions(t *testing.T) {
	const n, stride = 6000, 150
	once, often := t.TempDir(), t.TempDir()
	whole := open(t, once)
	for at := 0; at < n; at += stride {
		if err := whole.Commit(step.Batch{Refusals: links(at, stride)}); err != nil {
			t.Fatal(err)
		}
		l := open(t, often)
		if err := l.Commit(step.Batch{Refusals: links(at, stride)}); err != nil {
			t.Fatal(err)
		}
		closed(t, l)
	}
	l := open(t, often)
	defer closed(t, l)
	defer closed(t, whole)
	if a, b := whole.Refused(), l.Refused(); !reflect.DeepEqual(a, b) || a[0].Links != n {
		t.Errorf("in one session %+v\nin many %+v", a, b)
	}
	for at := range n {
		url := links(at, 1)[0].URL
		_, a := whole.Refusal(step.RefusedScope, url)
		_, b := l.Refusal(step.RefusedScope, url)
		if a != b {
			t.Fatalf("%s is in the sample of one of both", url)
		}
	}
}

// TestRefusedIsBounded: many rules and long texts take bounded space.
func TestRefusedIsBounded(t *testing.T) {
	l := open(t, t.TempDir())
	defer closed(t, l)
	long := make([]byte, 1<<20)
	for i := range 1000 {
		r := step.Refusal{Reason: step.RefusedRobots, Rule: fmt.Sprintf("Disallow: /%d", i), URL: "http://a/" + string(long)}
		if err := l.Commit(step.Batch{Refusals: []step.Refusal{r}}); err != nil {
			t.Fatal(err)
		}
	}
	got := l.Refused()[0]
	if got.Links != 1000 || len(got.Rules) > 300 || got.Rules[0].Name != "" || len(got.Examples[0]) > 4096 {
		t.Errorf("%d links, %d rules, the first %+v", got.Links, len(got.Rules), got.Rules[0])
	}
}

// TestLook checks the look-ups of explain.
func TestLook(t *testing.T) {
	l := open(t, t.TempDir())
	defer closed(t, l)
	first, second := orbweaver.Request{URL: "http://a/page"}, orbweaver.Request{URL: "http://a/1"}
	put(t, l, orbweaver.Proposal{Request: first}, outcome(first))
	id := put(t, l, orbweaver.Proposal{Request: second}, nil)
	if found, known := l.Find(second.URL); !known || found != id {
		t.Errorf("found %d, %v", found, known)
	}
	if _, known := l.Find("http://a/2"); known {
		t.Error("what is linked only is not known")
	}
	if w, waits, err := l.Waits(id); err != nil || !waits || w.URL != second.URL {
		t.Errorf("%+v, %v, %v", w, waits, err)
	}
	done, _ := l.Find(first.URL)
	if _, waits, err := l.Waits(done); err != nil || waits {
		t.Errorf("what is done waits: %v, %v", waits, err)
	}
	for url := range l.WaitingURLs() {
		if url != second.URL {
			t.Errorf("%s waits", url)
		}
	}
	n := 0
	for o, err := range l.Linking("http://a/2") {
		if n++; err != nil || o.Request.URL != first.URL || !o.Page.NoFollow {
			t.Errorf("%+v, %v", o, err)
		}
	}
	if n != 1 {
		t.Errorf("%d pages link there", n)
	}
	if _, known, err := l.Account("http://a"); known || err != nil {
		t.Errorf("an account of a host that was not asked: %v", err)
	}
	if err := l.Commit(step.Batch{Accounts: []step.Account{{Host: "http://a", Asked: 3}}}); err != nil {
		t.Fatal(err)
	}
	if a, known, err := l.Account("http://a"); !known || err != nil || a.Asked != 3 {
		t.Errorf("%+v, %v", a, err)
	}
}

// BenchmarkRefusals measures the cost of 60 refused links per page.
func BenchmarkRefusals(b *testing.B) {
	for _, n := range []int{0, 60} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			l, err := ledger.Open(b.TempDir())
			if err != nil {
				b.Fatal(err)
			}
			refusals := links(0, n)
			for b.Loop() {
				if err := l.Commit(step.Batch{Refusals: refusals}); err != nil {
					b.Fatal(err)
				}
			}
			if err := l.Close(); err != nil {
				b.Fatal(err)
			}
		})
	}
}
