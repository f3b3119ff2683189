package linkeddata

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"orbweaver"
)

// walk simulates a crawl without an engine: outcomes follow from the focus's own plans, with redirects and
// failures among them.
func walk(t testing.TB, seed uint64, steps int, choose func(*Options)) []orbweaver.Outcome {
	t.Helper()
	rnd := rand.New(rand.NewPCG(seed, 0))
	f := newFocus(t, choose)
	url := func() string {
		return fmt.Sprintf("http://%c.test/%s%c%s", 'a'+rnd.IntN(3), strings.Repeat("d/", rnd.IntN(3)), 'a'+rnd.IntN(12),
			[]string{"", "/", ".rdf", ".html"}[rnd.IntN(4)])
	}
	waiting := []orbweaver.Proposal{{Request: orbweaver.Request{URL: "http://a.test/"}}}
	var all []orbweaver.Outcome
	for len(all) < steps {
		i := rnd.IntN(len(waiting))
		q := waiting[i]
		r := q.Request
		waiting = append(slices.Delete(waiting, i, i+1), orbweaver.Proposal{Request: orbweaver.Request{URL: url()}})
		o := orbweaver.Outcome{N: int64(len(all) + 1), Request: r}
		kind := rnd.IntN(8)
		if strings.HasPrefix(r.URL, "http://c.test") && rnd.IntN(16) > 0 {
			kind = 0 // a host of which most is gone
		}
		switch kind {
		case 0:
			o.Err = orbweaver.ErrStatus
		case 1:
			o.Redirect = url()
			r.Redirects = append(slices.Clone(r.Redirects), r.URL)
			r.URL = o.Redirect
			waiting = append(waiting, orbweaver.Proposal{Request: r, Judgement: q.Judgement})
		default:
			mediaType := "text/html"
			if rnd.IntN(3) == 0 {
				mediaType = "text/turtle"
			}
			o = answer(r, mediaType, url(), url(), url())
			_, plan := decide(t, f, o.Page)
			for _, q := range plan {
				q.Parent = r.URL
				waiting = append(waiting, q)
			}
		}
		o.Predicted = q.Judgement
		all = append(all, o)
	}
	return all
}

func snapshot(t testing.TB, f *Focus) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := f.Snapshot(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestFold: a focus restored from a snapshot that learns the later outcomes equals the original and returns
// the same.
func TestFold(t *testing.T) {
	for _, choose := range []func(*Options){
		nil,
		func(o *Options) { o.Method = DomainRanking },
		func(o *Options) { o.Hosts = HostsGreedy },
		func(o *Options) { o.Hosts = HostsBandit },
		func(o *Options) { o.Classifier, o.Seed = Online, 3 },
		func(o *Options) { o.Classifier, o.Hosts = Online, HostsBandit },
	} {
		outcomes := walk(t, 7, 300, choose)
		whole := newFocus(t, choose)
		var snapshots [][]byte
		var stale [][]string
		for _, o := range outcomes {
			snapshots = append(snapshots, snapshot(t, whole))
			stale = append(stale, learn(t, whole, o))
		}
		end := snapshot(t, whole)
		if len(whole.similar.folders.list) < 3 || len(whole.documents.list) < 30 {
			t.Fatal("little was learned")
		}
		for from := 0; from < len(outcomes); from += 71 {
			f := newFocus(t, choose)
			if err := f.Restore(bytes.NewReader(snapshots[from])); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(snapshot(t, f), snapshots[from]) {
				t.Errorf("restored after %d outcomes, it is not the same", from)
			}
			for i, o := range outcomes[from:] {
				o.Page = again(o.Page)
				if got := learn(t, f, o); !slices.Equal(got, stale[from+i]) {
					t.Fatalf("restored after %d outcomes, stale at %d are %v, not %v", from, from+i, got, stale[from+i])
				}
			}
			if !bytes.Equal(snapshot(t, f), end) {
				t.Errorf("restored after %d outcomes, it learned something else", from)
			}
			for _, o := range outcomes {
				if o.Page != nil {
					j, plan := decide(t, whole, o.Page)
					k, planned := decide(t, f, o.Page)
					if fmt.Sprint(j, stripped(plan)) != fmt.Sprint(k, stripped(planned)) {
						t.Fatalf("%s: %v %v, not %v %v", o.Request.URL, k, planned, j, plan)
					}
				}
			}
		}
	}
}

// again returns a page read again: unprepared.
func again(p *orbweaver.Page) *orbweaver.Page {
	if p == nil {
		return nil
	}
	fresh := *p
	fresh.Findings = nil
	return &fresh
}

// TestStaleIsAll: a waiting request whose class changes has one of its keys declared stale.
func TestStaleIsAll(t *testing.T) {
	for _, order := range []HostOrder{HostsFound, HostsGreedy, HostsBandit} {
		staleIsAll(t, newFocus(t, func(o *Options) { o.Hosts = order }))
	}
}

func staleIsAll(t *testing.T, f *Focus) {
	var waiting []orbweaver.Proposal
	var before []float64
	raised, sunk := 0, 0
	for _, o := range walk(t, 3, 500, nil) {
		if o.Page != nil {
			_, plan := decide(t, f, o.Page)
			waiting = append(waiting, plan...)
		}
		for _, q := range waiting[len(before):] {
			before = append(before, q.Score)
		}
		stale := learn(t, f, o)
		for i, q := range waiting {
			now := f.Rerank(nil, q).Score
			switch {
			case now == before[i]:
				continue
			case now < before[i]:
				sunk++
			default:
				raised++
			}
			if !slices.Contains(stale, "*") && !slices.ContainsFunc(q.Keys, func(k string) bool { return slices.Contains(stale, k) }) {
				t.Fatalf("%s was %v and is %v; its keys %v, stale %v", q.URL, before[i], now, q.Keys, stale)
			}
			before[i] = now
		}
	}
	if raised == 0 || sunk == 0 {
		t.Errorf("%d raised, %d sunk", raised, sunk)
	}
}

// TestDamagedSnapshots: an invalid snapshot is rejected or harmless.
func TestDamagedSnapshots(t *testing.T) {
	f := newFocus(t, func(o *Options) { o.Method = DomainRanking })
	for _, o := range walk(t, 1, 60, nil) {
		learn(t, f, o)
	}
	good := snapshot(t, f)
	for n := range good {
		if err := f.Restore(bytes.NewReader(good[:n])); !errors.Is(err, orbweaver.ErrDamaged) {
			t.Fatalf("cut at %d of %d: %v", n, len(good), err)
		}
	}
	for name, bad := range map[string][]byte{
		"more behind it":  append(slices.Clone(good), 0),
		"another version": append([]byte{snapshotVersion + 1}, good[1:]...),
		"a list too long": {snapshotVersion, 0xff, 0xff, 0xff, 0xff, 0x0f},
		"a document twice": append(append([]byte{snapshotVersion, 2}, make([]byte, 32)...),
			0, 0, 0, 0, 0),
	} {
		if err := f.Restore(bytes.NewReader(bad)); !errors.Is(err, orbweaver.ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !bytes.Equal(snapshot(t, f), good) {
		t.Error("a bad snapshot changed the focus")
	}
	for i := range good { // any byte changed: no crash
		bad := slices.Clone(good)
		bad[i] ^= 0x41
		_ = newFocus(t, nil).Restore(bytes.NewReader(bad))
	}
}

func TestNotes(t *testing.T) {
	for _, n := range []note{{}, {fromHTML: true}, {vocabulary: true, allowance: 3}, {fromHTML: true, vocabulary: true, data: true, allowance: maxAllowance}} {
		if got, ok := readNote(n.bytes()); !ok || !reflect.DeepEqual(got, n) {
			t.Errorf("%+v: %+v, %v", n, got, ok)
		}
	}
	for _, bad := range [][]byte{nil, {1}, {8, 0}, {0, maxAllowance + 1}, {0, 0, 0}, {0, 0x80}} {
		if _, ok := readNote(bad); ok {
			t.Errorf("%v is a note", bad)
		}
	}
}

// TestBounds: a hostile site cannot exhaust memory.
func TestBounds(t *testing.T) {
	s := newSimilar()
	s.add("http://a.test/" + strings.Repeat("d/", maxPattern))
	if n := len(s.files.list) + len(s.folders.list); n > 0 {
		t.Errorf("%d patterns of a URL too long", n)
	}
	for i := range maxPatterns + 100 {
		s.add(fmt.Sprintf("http://a.test/%d/x", i))
	}
	if len(s.files.list) != maxPatterns {
		t.Errorf("%d patterns", len(s.files.list))
	}
	d := newDomains()
	if d.add(strings.Repeat("a", maxPattern+1), true, domain.share) || len(d.list) > 0 {
		t.Error("a domain too long")
	}
}

func FuzzLocate(f *testing.F) {
	for _, url := range []string{"http://a.test/", "http://u:p@a.test:8/a/b?c/d", "http://a.test", "", "://", "mailto:a@b/c", "http:///", "http://a?b/@/"} {
		f.Add(url)
	}
	focus := newFocus(f, nil)
	f.Fuzz(func(t *testing.T, url string) {
		at := locate(url)
		if at.above+at.last != strings.TrimSuffix(at.folders, "/") && at.above != "" {
			t.Errorf("%q: %+v", url, at)
		}
		focus.reader().relevancy(&orbweaver.Link{To: url, Anchor: url, Type: url}, false, false)
		namespace(url)
	})
}

// FuzzRestore: a restored state is encoded unchanged; everything else is rejected as damaged.
func FuzzRestore(f *testing.F) {
	learned := newFocus(f, func(o *Options) { o.Method = DomainRanking })
	for _, o := range walk(f, 1, 30, nil) {
		learn(f, learned, o)
	}
	f.Add(snapshot(f, learned))
	f.Add(snapshot(f, newFocus(f, nil)))
	f.Add([]byte{snapshotVersion})
	f.Fuzz(func(t *testing.T, b []byte) {
		focus := newFocus(t, nil)
		err := focus.Restore(bytes.NewReader(b))
		if err != nil && !errors.Is(err, orbweaver.ErrDamaged) {
			t.Error(err)
		}
		if got := snapshot(t, focus); err == nil && len(got) > len(b) { // numbers may have longer encodings than necessary
			t.Errorf("%d bytes became %d", len(b), len(got))
		}
	})
}
