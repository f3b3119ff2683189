package linkeddata

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"orbweaver"
)

// TestAbove: once RDF was found in a directory, a link to it goes before other pages, with and without a slash at its end; and what waits is
// ranked anew.
func TestAbove(t *testing.T) {
	for _, classifier := range []Classifier{Rules, Online} {
		f := newFocus(t, func(o *Options) { o.Classifier = classifier })
		urls := []string{"http://a.test/x/data", "http://a.test/x/data/", "http://a.test/x/other", "http://a.test/x/data?page=2", "http://a.test/x/"}
		var waiting []orbweaver.Proposal
		for _, url := range urls {
			waiting = append(waiting, follow(t, f, page("http://a.test/", urls...), url))
		}
		got := follow(t, f, page("http://b.test/", "http://a.test/x/data/one.ttl"), "http://a.test/x/data/one.ttl")
		stale := learn(t, f, answer(got.Request, "text/turtle"))
		for i, p := range waiting {
			j, above := f.Rerank(nil, p), i < 2
			if named := slices.ContainsFunc(j.Reasons, func(r orbweaver.Reason) bool { return r.Rule == RuleAbove }); named != above || above != (j.Score >= scoreAbove) {
				t.Errorf("classifier %v: %s: %+v", classifier, p.URL, j)
			}
			if d := weight(j.Reasons) - j.Score; d > 1e-9 || d < -1e-9 {
				t.Errorf("classifier %v: %s: reasons add up to %g, the score is %g", classifier, p.URL, weight(j.Reasons), j.Score)
			}
			if above && !slices.ContainsFunc(p.Keys, func(key string) bool { return slices.Contains(stale, key) }) {
				t.Errorf("classifier %v: %s is not ranked anew: keys %v, stale %v", classifier, p.URL, p.Keys, stale)
			}
		}
	}
	f := newFocus(t, func(o *Options) { o.Beyond.Directories = false })
	learn(t, f, answer(orbweaver.Request{URL: "http://a.test/x/data/one.ttl"}, "text/turtle"))
	if p := follow(t, f, page("http://a.test/", "http://a.test/x/data/"), "http://a.test/x/data/"); p.Score != scoreH {
		t.Errorf("directories are off: %+v", p)
	}
}

// TestDescriptions: hosts are asked to describe their data as early as those asked before did.
func TestDescriptions(t *testing.T) {
	for _, classifier := range []Classifier{Rules, Online} {
		f := newFocus(t, func(o *Options) { o.Classifier = classifier })
		var waiting []orbweaver.Proposal
		for i := range 6 {
			host := fmt.Sprintf("http://h%d.test", i)
			waiting = append(waiting, follow(t, f, page(host+"/"), host+wellKnown))
		}
		before := f.Rerank(nil, waiting[5])
		if before.Score < 0.6 {
			t.Errorf("classifier %v: first %+v", classifier, before)
		}
		for _, p := range waiting[:3] {
			stale := learn(t, f, orbweaver.Outcome{Request: p.Request, Err: orbweaver.ErrAbsent})
			if !slices.Contains(stale, describedKey) || !slices.Contains(waiting[5].Keys, describedKey) {
				t.Errorf("classifier %v: not ranked anew: %v, keys %v", classifier, stale, waiting[5].Keys)
			}
		}
		after := f.Rerank(nil, waiting[5])
		if after.Class != ClassH || after.Score > before.Score/3 || after.Drop {
			t.Errorf("classifier %v: after three failures %+v", classifier, after)
		}
		for _, p := range waiting[3:5] {
			learn(t, f, answer(p.Request, "text/turtle"))
		}
		if again := f.Rerank(nil, waiting[5]); again.Score <= after.Score {
			t.Errorf("classifier %v: two hosts had one: %g, before %g", classifier, again.Score, after.Score)
		}
	}
}

// TestYield: pages that link to what is known, or only have data of their own, lower what links of class HR on their host are worth, and pages
// that lead to new RDF raise it.
func TestYield(t *testing.T) {
	f := newFocus(t, nil)
	learn(t, f, answer(orbweaver.Request{URL: "http://b.test/known.ttl"}, "text/turtle"))
	for i := range 8 {
		learn(t, f, answer(orbweaver.Request{URL: fmt.Sprintf("http://a.test/d/%d", i)}, "text/html", "http://b.test/known.ttl"))
	}
	of := func() orbweaver.Proposal {
		return follow(t, f, page("http://c.test/", "http://a.test/d/99"), "http://a.test/d/99")
	}
	low := of()
	if low.Class != ClassHR || low.Score > scoreH+0.1 || low.Score < scoreH || !strings.Contains(rules(low.Reasons), RuleYield) {
		t.Fatalf("%+v", low)
	}
	for i := range 8 {
		from := fmt.Sprintf("http://a.test/d/%d", i)
		to := fmt.Sprintf("http://b.test/new/%d.ttl", i)
		learn(t, f, answer(follow(t, f, page(from, to), to).Request, "text/turtle"))
	}
	if high := of(); high.Score < scoreHR-0.1 {
		t.Errorf("%+v, before %+v", high, low)
	}
}

// TestUnsettled: the classifier learns a page's class from what its links lead to, not from what was known when it arrived.
func TestUnsettled(t *testing.T) {
	teach := func(media string) *Focus {
		f := newFocus(t, func(o *Options) { o.Classifier = Online })
		for i := range 12 {
			from, to := fmt.Sprintf("http://a%d.test/usr/lib/one/", i), fmt.Sprintf("http://b%d.test/d/x.ttl", i)
			list := follow(t, f, page(fmt.Sprintf("http://a%d.test/", i), from), from)
			learn(t, f, answer(list.Request, "text/html", to))
			learn(t, f, answer(follow(t, f, page(from, to), to).Request, media))
		}
		return f
	}
	value := func(f *Focus) float64 {
		return follow(t, f, page("http://z.test/", "http://z.test/usr/lib/one/"), "http://z.test/usr/lib/one/").Score
	}
	led, not := teach("text/turtle"), teach("text/html")
	if value(led) <= value(not) {
		t.Errorf("%g where such pages led to RDF, %g where they did not", value(led), value(not))
	}
	if n := len(not.unsettled.list); n == 0 || len(led.unsettled.list) >= n {
		t.Errorf("%d pages are not settled where all led to RDF, %d where none did", len(led.unsettled.list), n)
	}
	restoredFocus(t, newFocus(t, func(o *Options) { o.Classifier = Online }), not)
}

// TestUnsettledBound: the oldest of too many pages is learned as HTML.
func TestUnsettledBound(t *testing.T) {
	u := newUnsettled()
	for i := range uint64(maxUnsettled) {
		if _, full := u.add(i, pending{learned: i > 0}); full {
			t.Fatalf("full at %d", i)
		}
	}
	if displaced, full := u.add(maxUnsettled, pending{}); !full || displaced.learned || len(u.list) != maxUnsettled || len(u.of) != maxUnsettled {
		t.Errorf("%+v, %v, %d", displaced, full, len(u.list))
	}
}
