package krs

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"orbweaver"
)

// TestShare: pages that another worker has learned count as if they were a worker's own, also after a snapshot; and it shares its own alone.
func TestShare(t *testing.T) {
	opts := Options{Snapshot: schema(t, []string{"Insulin Glucose", "Insulin Diabetes"}, nil)}
	own, other := focus(t, opts), focus(t, opts)
	learn := func(f *Focus, text string) {
		t.Helper()
		p := page(text)
		j := judge(t, f, p)
		j.Accepted = false
		if _, err := f.Learn(t.Context(), orbweaver.Outcome{Page: p, Actual: j}); err != nil {
			t.Fatal(err)
		}
	}
	share := func(f *Focus) []byte {
		t.Helper()
		var b bytes.Buffer
		if err := f.Share(&b); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	for i := range 20 {
		learn(own, fmt.Sprint("River Bridge ", strings.Repeat("Stone ", i+1)))
		learn(other, fmt.Sprint("Football Music ", strings.Repeat("Paper ", i+1)))
	}
	before := share(own)
	if own.Now().Background() != 0 {
		t.Fatalf("a background of %d pages", own.Now().Background())
	}
	if _, err := own.Take(t.Context(), map[string][]byte{"other": share(other)}); err != nil {
		t.Fatal(err)
	}
	if n := own.Now().Background(); n != 40 || !bytes.Equal(share(own), before) {
		t.Errorf("a background of %d pages", n)
	}
	var a, b bytes.Buffer
	again := focus(t, opts)
	if err := own.Snapshot(&a); err != nil {
		t.Fatal(err)
	}
	if err := again.Restore(bytes.NewReader(a.Bytes())); err != nil {
		t.Fatal(err)
	}
	if err := again.Snapshot(&b); err != nil || !bytes.Equal(a.Bytes(), b.Bytes()) || again.Now().Background() != 40 || again.Now().Digest() != own.Now().Digest() {
		t.Errorf("restored: %v, %d pages", err, again.Now().Background())
	}
	if _, err := own.Take(t.Context(), map[string][]byte{"other": []byte(`{"version":1}`)}); err == nil || own.Now().Background() != 40 {
		t.Errorf("of another KRS: %v", err)
	}
}

// TestGather: by a KRS that stays as it is, the threshold follows from the pages of all workers; where pages change it, their states can't be added up.
func TestGather(t *testing.T) {
	opts := Options{Snapshot: schema(t, topical, everyday)}
	whole, workers := focus(t, opts), []*Focus{focus(t, opts), focus(t, opts), focus(t, opts)}
	pages, _ := web(3, 90)
	for i, p := range pages {
		for _, f := range []*Focus{whole, workers[i%3]} {
			if _, err := f.Learn(t.Context(), orbweaver.Outcome{Page: p, Actual: judge(t, f, p)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	snapshot := func(f *Focus) []byte {
		t.Helper()
		var b bytes.Buffer
		if err := f.Snapshot(&b); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	f, all := focus(t, opts), map[string][]byte{}
	for i, w := range workers {
		all[fmt.Sprint(i)] = snapshot(w)
	}
	if err := f.Gather(t.Context(), all); err != nil || f.edge != whole.Now().Boundary(whole.met) || !bytes.Equal(f.met.Append(nil), whole.met.Append(nil)) {
		t.Errorf("%+v of %d pages, want %+v of %d: %v", f.edge, f.met.Pages(), whole.edge, whole.met.Pages(), err)
	}
	if err := f.Gather(t.Context(), map[string][]byte{"1": all["1"]}); err != nil || !bytes.Equal(snapshot(f), all["1"]) {
		t.Errorf("of one: %v", err)
	}
	learning := opts
	learning.Learn = true
	grown := focus(t, learning)
	p := page("Insulin Glucose Diabetes")
	if _, err := grown.Learn(t.Context(), orbweaver.Outcome{Page: p, Actual: orbweaver.Judgement{Accepted: true}}); err != nil {
		t.Fatal(err)
	}
	other := snapshot(focus(t, Options{Snapshot: schema(t, everyday, topical)}))
	for want, bad := range map[error][]byte{errors.ErrUnsupported: snapshot(grown), orbweaver.ErrDamaged: other} {
		if err := f.Gather(t.Context(), map[string][]byte{"0": all["0"], "1": bad}); !errors.Is(err, want) || !bytes.Equal(snapshot(f), all["1"]) {
			t.Errorf("want %v: %v", want, err)
		}
	}
}
