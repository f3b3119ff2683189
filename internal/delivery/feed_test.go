package delivery

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"math/rand/v2"
	"net/http"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/internal/takedown"
	"orbweaver/sink"
)

// A book is a ledger in memory.
type book struct {
	outcomes  []orbweaver.Outcome
	decisions []orbweaver.Decision
	progress  step.Progress
	synced    int
}

func (b *book) Outcomes(after int64) iter.Seq2[orbweaver.Outcome, error] {
	return func(yield func(orbweaver.Outcome, error) bool) {
		for _, o := range b.outcomes[after:] {
			if !yield(o, nil) {
				return
			}
		}
	}
}

func (b *book) Decisions() iter.Seq2[orbweaver.Decision, error] {
	return func(yield func(orbweaver.Decision, error) bool) {
		for _, d := range b.decisions {
			if !yield(d, nil) {
				return
			}
		}
	}
}

func (b *book) Outcome(url string) (last orbweaver.Outcome, err error) {
	err = orbweaver.ErrUnknown
	for _, o := range b.outcomes {
		if o.Request.URL == url {
			last, err = o, nil
		}
	}
	return last, err
}

func (b *book) Progress() step.Progress { return b.progress }

func (b *book) Sync() error { b.synced++; return nil }

// add commits an outcome: of a page with a score, or, without one, of a status alone.
func (b *book) add(url string, status int, score float64) orbweaver.Outcome {
	o := orbweaver.Outcome{N: int64(len(b.outcomes) + 1), Request: orbweaver.Request{URL: url}, Status: status, At: time.Unix(int64(len(b.outcomes)), 0)}
	switch {
	case score >= 0:
		o.Page = &orbweaver.Page{Title: url, MediaType: "text/html"}
		o.Actual = orbweaver.Judgement{Score: score, Accepted: score >= cmp.Or(b.progress.Threshold, 0.5)}
	case status == http.StatusMovedPermanently:
		o.Redirect = "http://else.test/"
	default:
		o.Err = errors.New("status")
	}
	b.outcomes = append(b.outcomes, o)
	b.progress.Requests++
	return o
}

func (b *book) decide(url string, relevant, withdrawn bool) {
	b.decisions = append(b.decisions, orbweaver.Decision{Page: url, Accepted: relevant, Withdrawn: withdrawn, After: b.progress.Requests})
}

// all reads a feed from a position to its end, some events at a time.
func all(t *testing.T, b *book, at Position, held *urls, most int) (items []sink.Item, to Position) {
	t.Helper()
	f := &feed{crawl: "c", ledger: b}
	for {
		events, next, err := f.next(at, held, most)
		if err != nil {
			t.Fatal(err)
		}
		if next == at {
			return items, at
		}
		for _, e := range events {
			items = append(items, e.Item)
		}
		at = next
	}
}

// state returns the pages that a sink has after items, by URL, and fails if one comes out of order.
func state(t *testing.T, items []sink.Item) map[string]int64 {
	t.Helper()
	has, last := map[string]int64{}, map[string]int64{}
	for _, i := range items {
		if i.URL != "" && i.N < last[i.URL] && i.Kind != sink.Verdict {
			t.Errorf("%s: outcome %d after %d", i.URL, i.N, last[i.URL])
		}
		switch i.Kind {
		case sink.Accepted:
			has[i.URL] = i.N
		case sink.Withdrawn:
			delete(has, i.URL)
		default:
			continue
		}
		last[i.URL] = i.N
	}
	return has
}

func kinds(items []sink.Item) (words []string) {
	for _, i := range items {
		words = append(words, string(i.Kind)+" "+i.URL+" "+i.Why)
	}
	return words
}

// TestFeed: what outcomes, decisions and thresholds give, in order.
func TestFeed(t *testing.T) {
	b := &book{progress: step.Progress{Threshold: 0.5}}
	b.add("http://a.test/", 200, 0.9)
	b.add("http://b.test/", 200, 0.1)
	b.add("http://c.test/", 404, -1)
	b.decide("http://b.test/", true, false)
	b.decide("http://never.test/", true, false)
	b.add("http://d.test/", 200, 0.6)
	b.add("http://e.test/", 200, 0.4)
	b.decide("http://b.test/", false, true)
	b.decide("http://a.test/", false, false)
	b.progress.Threshold, b.progress.Ended = 0.3, "over"
	want := []string{
		"accepted http://a.test/ ",
		"verdict http://b.test/ ", "accepted http://b.test/ ", "verdict http://never.test/ ",
		"accepted http://d.test/ ",
		"verdict http://b.test/ ", "withdrawn http://b.test/ verdict", "verdict http://a.test/ ", "withdrawn http://a.test/ verdict",
		"accepted http://e.test/ ", "end  over",
	}
	for _, most := range []int{1, 2, 100} {
		items, to := all(t, b, Position{}, &urls{}, most)
		if got := kinds(items); !equal(got, want) {
			t.Errorf("%d at a time:\n%q\nwant\n%q", most, got, want)
		}
		if again, _ := all(t, b, to, nil, most); len(again) != 0 {
			t.Errorf("again: %q", kinds(again))
		}
	}
}

// TestFeedOfVisits: pages that are asked again, from any position.
func TestFeedOfVisits(t *testing.T) {
	b := &book{progress: step.Progress{Threshold: 0.5}}
	b.add("http://a.test/", 200, 0.9)
	b.add("http://b.test/", 200, 0.9)
	b.add("http://c.test/", 200, 0.1)
	b.add("http://a.test/", 304, 0.9)
	b.add("http://b.test/", 200, 0.2)
	b.add("http://c.test/", 410, -1)
	b.add("http://a.test/", 503, -1)
	b.add("http://a.test/", 404, -1)
	b.add("http://b.test/", 200, 0.8)
	b.add("http://b.test/", 301, -1)
	want := []string{
		"accepted http://a.test/ ", "accepted http://b.test/ ", "withdrawn http://b.test/ changed", "withdrawn http://a.test/ gone",
		"accepted http://b.test/ ", "withdrawn http://b.test/ moved",
	}
	if items, _ := all(t, b, Position{}, &urls{}, 3); !equal(kinds(items), want) {
		t.Errorf("%q, want %q", kinds(items), want)
	}
	for from := range int64(10) {
		whole, _ := all(t, b, Position{}, &urls{}, 100)
		at := Position{Outcomes: from}
		_, held, err := (&feed{ledger: b}).survey(context.Background(), at, true)
		if err != nil {
			t.Fatal(err)
		}
		rest, _ := all(t, b, at, held, 100)
		for len(whole) > 0 && whole[0].N <= from {
			whole = whole[1:]
		}
		if !equal(kinds(whole), kinds(rest)) {
			t.Errorf("after %d: %q, want %q", from, kinds(rest), kinds(whole))
		}
	}
}

// TestFeedConverges: whatever happens, a sink that has read all has the pages that are accepted in the end, each as of its last outcome; an item
// has the same ID whenever and from wherever it is read.
func TestFeedConverges(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		b := &book{progress: step.Progress{Threshold: 0.5}}
		var items []sink.Item
		at, held := Position{}, &urls{}
		ids := map[string]string{}
		for range 5 {
			b.progress.Ended = ""
			for range r.IntN(40) {
				url := "http://" + string(rune('a'+r.IntN(12))) + ".test/"
				switch r.IntN(8) {
				case 0:
					b.add(url, []int{404, 503, 301}[r.IntN(3)], -1)
				case 1:
					if last, err := b.Outcome(url); err == nil && isPage(&last) {
						b.decide(url, r.IntN(2) == 0, r.IntN(3) == 0)
					}
				default:
					b.add(url, 200, float64(r.IntN(100))/100)
				}
			}
			b.progress.Threshold, b.progress.Ended = 0.3+float64(r.IntN(5))/10, "over"
			more, to := all(t, b, at, held, 1+r.IntN(20))
			items, at = append(items, more...), to
			for _, i := range more {
				if of := ids[i.ID]; of != "" {
					t.Fatalf("seed %d: one ID for %s and %s", seed, of, i.URL)
				}
				ids[i.ID] = i.URL + string(i.Kind)
			}
		}
		last := reading{feed: &feed{ledger: b}, stand: map[string]bool{}, to: Position{Settled: at.Settled, Threshold: at.Threshold}}
		for _, d := range b.decisions {
			last.hold(d)
		}
		has := state(t, items)
		for c := 'a'; c < 'a'+12; c++ {
			url := "http://" + string(c) + ".test/"
			o, err := b.Outcome(url)
			if err != nil || o.Status == 503 {
				continue // a page that does not answer stays as it was
			}
			if _, is := has[url]; is != last.accepted(&o) {
				t.Fatalf("seed %d: %s is delivered: %v, accepted: %v", seed, url, is, last.accepted(&o))
			}
		}
	}
}

func equal(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// TestFeedOfRemovals: pages that were removed from the crawl are withdrawn, in their place, however much the sink has and however it reads; and it is
// told of the end again.
func TestFeedOfRemovals(t *testing.T) {
	for _, has := range []int{0, 1, 2, 3} { // outcomes that the sink has when pages are removed
		b := &book{}
		for _, url := range []string{"http://a.test/", "http://b.test/", "http://c.test/"} {
			b.add(url, 200, 0.9)
		}
		b.progress.Ended = "over"
		at := Position{Outcomes: int64(has)}
		if has == 3 {
			_, at = all(t, b, Position{}, &urls{}, 100)
		}
		b.outcomes[1].Request.URL, b.outcomes[1].Page, b.outcomes[1].Err = "about:removed", nil, orbweaver.ErrRemoved
		b.outcomes[0].Request.URL, b.outcomes[0].Page, b.outcomes[0].Err = "about:removed", nil, orbweaver.ErrRemoved
		var want []string
		if has < 3 {
			want = []string{"accepted http://c.test/ "}
		}
		want = append(want, "withdrawn http://a.test/ removed", "withdrawn http://b.test/ removed", "end  over")
		var ids []string
		for _, most := range []int{1, 2, 100} {
			f := &feed{crawl: "c", ledger: b}
			f.remove([]takedown.Withdrawal{{Removal: 1, N: 3, URLs: []string{"http://a.test/", "http://b.test/"}}})
			var items []sink.Item
			for from := at; ; {
				events, to, err := f.next(from, &urls{}, most)
				if err != nil {
					t.Fatal(err)
				}
				if to == from {
					break
				}
				for _, e := range events {
					items = append(items, e.Item)
				}
				from = to
			}
			if got := kinds(items); !equal(got, want) {
				t.Errorf("%d at a time, with %d: %q, want %q", most, has, got, want)
			}
			var own []string
			for _, i := range items {
				own = append(own, i.ID)
			}
			if ids != nil && !equal(ids, own) {
				t.Errorf("IDs %q, want %q", own, ids)
			}
			ids = own
		}
	}
}

// TestUnverdict: verdicts that a removal removed are not counted among those that a sink has, once.
func TestUnverdict(t *testing.T) {
	k := kept{Position: Position{Decisions: 5}}
	gone := []takedown.Withdrawal{{Removal: 1, Decisions: 2}, {Removal: 2, Decisions: 1}}
	for range 2 {
		if k.unverdict(gone); k.Decisions != 2 || k.Removal != 2 {
			t.Errorf("%+v", k)
		}
	}
}
