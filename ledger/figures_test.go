package ledger_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/ledger"
	"orbweaver/weburl"
)

// TestFigures: figures are those counted by going through all that waits and all outcomes, after commits and refreshes, and a second
// look at a folder at rest takes them from the state.
func TestFigures(t *testing.T) {
	dir, draw := t.TempDir(), rand.New(rand.NewPCG(7, 1))
	l := open(t, dir)
	for stage := range 3 {
		commitPages(t, l, draw, 150, 0)
		for i := range 40 {
			r := orbweaver.Request{URL: "http://waits.example/" + string(rune('a'+i)) + string(rune('a'+stage))}
			id, _ := l.Offer(r)
			p := orbweaver.Proposal{Request: r, Judgement: orbweaver.Judgement{Score: float64(draw.IntN(8)) / 8, Reasons: []orbweaver.Reason{{Rule: "x", Evidence: "y", Weight: 1}}}}
			if i%2 == 0 {
				p.Request.Via = &orbweaver.Link{To: r.URL, Anchor: "an anchor", Context: "its context"}
			}
			batch := step.Batch{Waiting: []step.Waiting{{ID: id, Proposal: p, Ahead: i%7 == 0}}}
			if i%3 == 0 {
				batch.Opinions = []step.Opinion{{ID: id, Score: float64(draw.IntN(8)) / 8}}
			}
			if err := l.Commit(batch); err != nil {
				t.Fatal(err)
			}
		}
		want := countedFigures(t, l)
		for range 2 {
			got, err := l.Figures(t.Context())
			if err != nil || !reflect.DeepEqual(got, want) || got.Waiting == 0 || got.Failures.Total() == 0 {
				t.Errorf("stage %d: %+v, %v; want %+v", stage, got, err, want)
			}
			placed(t, l)
			closed(t, l)
			l = openLooks(t, dir)
		}
		closed(t, l)
		l = open(t, dir)
	}
	closed(t, l)
}

// countedFigures counts figures from all waiting requests, accounts and outcomes.
func countedFigures(t *testing.T, l *ledger.Ledger) (f ledger.Figures) {
	t.Helper()
	hosts := map[string]bool{}
	for w, err := range l.AllWaiting() {
		if err != nil {
			t.Fatal(err)
		}
		f.Waiting++
		hosts[weburl.Host(w.URL)] = true
	}
	for a, err := range l.Accounts() {
		if err != nil {
			t.Fatal(err)
		}
		hosts[a.Host] = true
		f.Busiest = step.Busiest(f.Busiest, a)
	}
	f.Hosts = len(hosts)
	for o, err := range l.Outcomes(0) {
		if err != nil {
			t.Fatal(err)
		}
		if o.Err != nil {
			f.Failures.Add(orbweaver.FailureOf(o.Err), o.Status)
		}
	}
	return f
}

// TestFailuresOfOlderFolders: a folder of a version that counted no statuses has them counted at the first look.
func TestFailuresOfOlderFolders(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	for i, status := range []int{404, 503, 404} {
		r := orbweaver.Request{URL: "http://a.example/" + string(rune('a'+i))}
		put(t, l, orbweaver.Proposal{Request: r}, &orbweaver.Outcome{Request: r, Status: status, Err: fmt.Errorf("fetch %s: %w", r.URL, orbweaver.ErrStatus)})
	}
	for range 2 {
		if f, err := l.Figures(t.Context()); err != nil || f.Failures.Text(9) != "3: 2 answered 404, 1 answered 503" {
			t.Errorf("%s, %v", f.Failures.Text(9), err)
		}
		l.ForgetStatuses()
		closed(t, l)
		l = openLooks(t, dir)
	}
	closed(t, l)
}

// placed compares the place of each waiting request with that among all.
func placed(t *testing.T, l *ledger.Ledger) {
	t.Helper()
	var all []step.Waiting
	for w, err := range l.AllWaiting() {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, w)
	}
	for i, w := range all[:min(len(all), 30)] {
		before := func(q ledger.Queued) bool { return q.Ahead && !w.Ahead || q.Ahead == w.Ahead && q.Score > w.Score }
		first, here := 0, 0
		for _, other := range all {
			if before(ledger.Queued{ID: other.ID, Score: other.Score, Ahead: other.Ahead}) {
				if first++; weburl.Host(other.URL) == "http://waits.example" {
					here++
				}
			}
		}
		of, gotFirst, gotHere, err := l.Place(t.Context(), "http://waits.example", before)
		if err != nil || of != len(all) || gotFirst != first || gotHere != here {
			t.Errorf("request %d: %d of %d, %d here, %v; want %d of %d, %d here", i, gotFirst, of, gotHere, err, first, len(all), here)
		}
	}
}

// openLooks opens a ledger for looks.
func openLooks(t *testing.T, dir string) *ledger.Ledger {
	t.Helper()
	l, err := ledger.OpenForLooks(dir)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestPagesSaying: lists of pages that say something are those found by going through all lines, by whatever is asked for, and count them.
func TestPagesSaying(t *testing.T) {
	dir, draw := t.TempDir(), rand.New(rand.NewPCG(9, 9))
	l := open(t, dir)
	defer func() { closed(t, l) }()
	commitPages(t, l, draw, 300, 0)
	var lines []ledger.Line
	for line, err := range l.Pages(ledger.PageQuery{}) {
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
	some := lines[len(lines)/2]
	for _, q := range []ledger.PageQuery{
		{Text: some.URL[len(some.URL)-3:]}, {Text: "EXAMPLE/"}, {Text: "nowhere said"}, {Type: some.Type}, {Type: "text"}, {Type: "tex"}, {Lang: "xx"}, {Lang: some.Lang, Text: "e"}, {Entity: "none"},
	} {
		q.Sort = ledger.SortURL
		want, got := map[int64]bool{}, map[int64]bool{}
		for _, line := range lines {
			if q.Holds(line) {
				want[line.N] = true
			}
		}
		for line, err := range l.Pages(q) {
			if err != nil {
				t.Fatal(err)
			}
			got[line.N] = true
		}
		if n, err := l.Count(q); !reflect.DeepEqual(got, want) || n != int64(len(want)) || err != nil {
			t.Errorf("%+v: %d pages, counted %d, %v; want %d", q, len(got), n, err, len(want))
		}
	}
}
