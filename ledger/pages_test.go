package ledger_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/internal/tier"
	"orbweaver/ledger"
	"orbweaver/weburl"
)

// listedPage returns an outcome with random values for filters and sorting.
func listedPage(r orbweaver.Request, draw *rand.Rand, threshold float64) *orbweaver.Outcome {
	o := &orbweaver.Outcome{Request: r, Status: 200}
	switch draw.IntN(8) {
	case 0:
		o.Status, o.Err = 404, orbweaver.ErrStatus
		return o
	case 1:
		o.Status, o.Redirect = 301, r.URL+"/elsewhere"
		return o
	}
	o.Page = &orbweaver.Page{Request: r, URL: r.URL, Title: "title", Size: int64(draw.IntN(5)) * 1000}
	o.Page.Digest = fmt.Sprint("sha1:", o.Page.Size)
	o.Actual = orbweaver.Judgement{Score: float64(draw.IntN(21)) / 20, Class: []string{"", "A", "B"}[draw.IntN(3)]}
	o.Actual.Accepted = o.Actual.Score >= max(threshold, 0.3)
	if threshold > 0 {
		o.Actual.Reasons = append(o.Actual.Reasons, orbweaver.Reason{Rule: orbweaver.RuleThreshold, Weight: threshold})
	}
	if draw.IntN(10) == 0 {
		o.Actual.Accepted = false
		o.Actual.Reasons = append(o.Actual.Reasons, orbweaver.Reason{Rule: orbweaver.RuleNoIndex})
	}
	return o
}

// listedHosts are hosts, some with subdomains, some with similar names.
var listedHosts = []string{"a.test", "b.a.test", "c.b.a.test", "xa.test", "a-b.test", "test", "other.example", "127.0.0.1"}

// commitPages commits outcomes of n requests, some repeatedly, as by a refresh.
func commitPages(t testing.TB, l *ledger.Ledger, draw *rand.Rand, n int, threshold float64) {
	t.Helper()
	for range n {
		r := orbweaver.Request{
			URL:    fmt.Sprintf("http://%s/%d", listedHosts[draw.IntN(len(listedHosts))], draw.IntN(150)),
			Accept: []string{"", "text/turtle"}[draw.IntN(2)], State: []string{"", "1"}[draw.IntN(2)], Depth: draw.IntN(4),
		}
		id, fresh := l.Offer(r)
		o := listedPage(r, draw, threshold)
		b := step.Batch{Done: id, Outcome: o}
		if fresh {
			b.Waiting = []step.Waiting{{ID: id, Proposal: orbweaver.Proposal{Request: r}}}
			if err := l.Commit(step.Batch{Waiting: b.Waiting}); err != nil {
				t.Fatal(err)
			}
			b.Waiting = nil
		} else {
			o.Change = orbweaver.Changed
		}
		if err := l.Commit(b); err != nil {
			t.Fatal(err)
		}
	}
}

// naivePages answers a query from pages.jsonl.
func naivePages(t *testing.T, dir string, q ledger.PageQuery) []ledger.Line {
	t.Helper()
	latest := map[[3]string]ledger.Line{}
	for line, err := range ledger.Committed(filepath.Join(dir, ledger.JournalFile)) {
		if err != nil {
			t.Fatal(err)
		}
		latest[[3]string{line.URL, line.Accept, line.Query}] = line
	}
	var all []ledger.Line
	for _, l := range latest {
		host, failed := weburl.Hostname(l.URL), l.Error != "" || l.Redirect != ""
		if (!q.Accepted || l.Accepted) && (!failed || q.Failed && !q.Accepted) && l.Score >= q.MinScore &&
			(q.Class == "" || q.Class == l.Class) && (q.Host == "" || host == q.Host || strings.HasSuffix(host, "."+q.Host)) {
			all = append(all, l)
		}
	}
	slices.SortFunc(all, func(a, b ledger.Line) int {
		by := 0
		switch q.Sort {
		case ledger.SortScore:
			by = cmp.Compare(b.Score, a.Score)
		case ledger.SortURL:
			by = cmp.Compare(a.URL, b.URL)
		case ledger.SortBytes:
			by = cmp.Compare(b.Bytes, a.Bytes)
		case ledger.SortDepth:
			by = cmp.Compare(a.Depth, b.Depth)
		}
		return cmp.Or(by, cmp.Compare(a.N, b.N))
	})
	return all
}

// asJSON encodes lines for comparison.
func asJSON(t *testing.T, lines []ledger.Line) string {
	t.Helper()
	b, err := json.Marshal(lines)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// listedLines returns the lines of a query, and checks that each cursor leads to the rest.
func listedLines(t testing.TB, l *ledger.Ledger, q ledger.PageQuery) (all []ledger.Line) {
	t.Helper()
	for line, err := range l.Pages(q) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, line)
	}
	return all
}

// aQuery returns a random query.
func aQuery(draw *rand.Rand) ledger.PageQuery {
	q := ledger.PageQuery{Accepted: draw.IntN(2) == 0, Failed: draw.IntN(2) == 0, Sort: append(ledger.PageSorts(), "")[draw.IntN(6)]}
	if draw.IntN(2) == 0 {
		q.Host = append(listedHosts, "example", "nowhere.test")[draw.IntN(len(listedHosts)+2)]
	}
	if draw.IntN(2) == 0 {
		q.MinScore = float64(draw.IntN(11)) / 10
	}
	if draw.IntN(3) == 0 {
		q.Class = "A"
	}
	return q
}

// TestPages compares the index with pages.jsonl, during a crawl, refreshes, threshold changes, reopening, and
// commits by a version without the index.
func TestPages(t *testing.T) {
	dir, draw := t.TempDir(), rand.New(rand.NewPCG(1, 2))
	l := open(t, dir)
	for stage, threshold := range []float64{0, 0, 0.4, 0.75, 0.5, 0.55} {
		commitPages(t, l, draw, 400, threshold)
		switch stage {
		case 1:
			if err := l.List(17); err != nil || l.Unlisted() == 0 {
				t.Fatal(l.Unlisted(), err)
			}
		case 3:
			closed(t, l)
			l = open(t, dir)
		case 4:
			l.Unlist()
			commitPages(t, l, draw, 100, threshold)
		}
		if err := l.Flush(); err != nil {
			t.Fatal(err)
		}
		for range 40 {
			q := aQuery(draw)
			want := naivePages(t, dir, q)
			if got := listedLines(t, l, q); asJSON(t, got) != asJSON(t, want) {
				t.Fatalf("stage %d, %+v: %d pages, want %d", stage, q, len(got), len(want))
			}
			if n, err := l.Count(q); err != nil || n != int64(len(want)) {
				t.Fatalf("stage %d, %+v: counts %d, want %d; %v", stage, q, n, len(want), err)
			}
			part := q
			part.Offset, part.Limit = draw.IntN(4), 1+draw.IntN(7)
			rest := want[min(part.Offset, len(want)):]
			got := listedLines(t, l, part)
			if asJSON(t, got) != asJSON(t, slices.Clip(rest[:min(part.Limit, len(rest))])) && len(rest) > 0 {
				t.Fatalf("%+v: not the part asked for", part)
			}
			if len(got) > 0 {
				q.After = q.Cursor(got[len(got)-1])
				if rest = rest[len(got):]; asJSON(t, listedLines(t, l, q)) != asJSON(t, slices.Clone(rest)) && len(rest) > 0 {
					t.Fatalf("%+v: not what follows the part before", q)
				}
			}
		}
	}
	closed(t, l)
}

// TestPagesOfManyHosts: all pages of a domain with more than maxHosts subdomains are found.
func TestPagesOfManyHosts(t *testing.T) {
	dir, draw := t.TempDir(), rand.New(rand.NewPCG(3, 4))
	l := open(t, dir)
	defer closed(t, l)
	for i := range 300 {
		r := orbweaver.Request{URL: fmt.Sprintf("http://h%d.%s.test/", i, []string{"many", "few"}[min(i%10, 1)])}
		put(t, l, orbweaver.Proposal{Request: r}, listedPage(r, draw, 0))
	}
	if err := l.Flush(); err != nil {
		t.Fatal(err)
	}
	for _, host := range []string{"many.test", "few.test", "test", "h10.many.test"} {
		q := ledger.PageQuery{Host: host, Sort: ledger.SortScore}
		if want := naivePages(t, dir, q); len(want) == 0 && host != "h10.many.test" || asJSON(t, listedLines(t, l, q)) != asJSON(t, want) {
			t.Errorf("%s: not its %d pages", host, len(want))
		}
	}
}

// TestPagesRefusesWrongQueries: the error names every mistake.
func TestPagesRefusesWrongQueries(t *testing.T) {
	l := open(t, t.TempDir())
	defer closed(t, l)
	byURL := ledger.PageQuery{Sort: ledger.SortURL}
	for _, tc := range []struct {
		q    ledger.PageQuery
		want string
	}{
		{ledger.PageQuery{Sort: "size", Limit: -1, Offset: -2}, `sort "size".*limit -1`},
		{ledger.PageQuery{After: "zz"}, `cursor "zz"`},
		{ledger.PageQuery{After: byURL.Cursor(ledger.Line{N: 1, URL: "http://a/"})}, "not of a list sorted by n"},
	} {
		var problem error
		for _, err := range l.Pages(tc.q) {
			problem = err
		}
		for _, part := range strings.Split(tc.want, ".*") {
			if !errors.Is(problem, orbweaver.ErrInput) || !strings.Contains(problem.Error(), part) {
				t.Errorf("%+v: %v lacks %q", tc.q, problem, part)
			}
		}
	}
}

// manyPages returns a ledger of n pages on a tenth as many hosts.
func manyPages(t testing.TB, dir string, n int) *ledger.Ledger {
	t.Helper()
	l, draw := open(t, dir), rand.New(rand.NewPCG(5, 6))
	for i := range n {
		r := orbweaver.Request{URL: fmt.Sprintf("http://www.host%d.example/page/%d", draw.IntN(n/10), i)}
		id, _ := l.Offer(r)
		o := &orbweaver.Outcome{Request: r, Status: 200, Page: &orbweaver.Page{Request: r, URL: r.URL, Size: int64(draw.IntN(100_000))}}
		o.Actual = orbweaver.Judgement{Score: draw.Float64(), Reasons: []orbweaver.Reason{{Rule: orbweaver.RuleThreshold, Weight: 0.5}}}
		if err := l.Commit(step.Batch{Done: id, Outcome: o, Waiting: nil}); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

// TestPagesReadsWhatItReturns: the first fifty of 300 000 pages by score, by number, or of one host, read
// only about as many rows.
func TestPagesReadsWhatItReturns(t *testing.T) {
	n := 300_000
	if !tier.Whole {
		n = 30_000
	}
	l := manyPages(t, t.TempDir(), n)
	defer closed(t, l)
	if err := l.List(l.Unlisted()); err != nil {
		t.Fatal(err)
	}
	cursor := ""
	for _, q := range []ledger.PageQuery{
		{Sort: ledger.SortScore, Accepted: true, Limit: 50}, {Sort: ledger.SortScore, Limit: 50}, {Limit: 50}, {Sort: ledger.SortBytes, Limit: 50},
		{Sort: ledger.SortURL, Limit: 50}, {Sort: ledger.SortScore, Host: "host7.example", MinScore: 0.1, Limit: 50},
		{Sort: ledger.SortScore, Accepted: true, Limit: 50, After: "the last"},
	} {
		if q.After != "" {
			q.After = cursor
		}
		before := l.RowsRead()
		got := listedLines(t, l, q)
		if read := l.RowsRead() - before; len(got) == 0 || read > int64(len(got))+3 {
			t.Errorf("%+v: %d pages from %d rows", q, len(got), read)
		}
		if q.Sort == ledger.SortScore && q.Host == "" {
			cursor = q.Cursor(got[len(got)-1])
		}
	}
}

// BenchmarkPages lists 50 of 300 000 pages, or counts them; BenchmarkPages/list builds the index.
func BenchmarkPages(b *testing.B) {
	const n = 300_000
	l := manyPages(b, b.TempDir(), n)
	defer closed(b, l)
	b.Run("list", func(b *testing.B) {
		for b.Loop() {
			l.Unlist()
			if err := l.List(l.Unlisted()); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/page")
	})
	for name, q := range map[string]ledger.PageQuery{
		"score": {Sort: ledger.SortScore, Accepted: true, Limit: 50},
		"host":  {Sort: ledger.SortScore, Host: "host7.example", Limit: 50},
		"all":   {Sort: ledger.SortScore, Class: "none", Limit: 50},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				listedLines(b, l, q)
			}
		})
	}
	b.Run("count", func(b *testing.B) {
		for b.Loop() {
			if _, err := l.Count(ledger.PageQuery{Accepted: true}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// TestDistinct: of pages with the same content the first that is in the result is listed, whatever the order, and none is lost.
func TestDistinct(t *testing.T) {
	l := open(t, t.TempDir())
	defer closed(t, l)
	draw := rand.New(rand.NewPCG(3, 9))
	for i := range 60 {
		r := orbweaver.Request{URL: fmt.Sprintf("http://h%d.test/%d", i%3, i)}
		o := listedPage(r, draw, 0)
		for o.Page == nil {
			o = listedPage(r, draw, 0)
		}
		o.Page.Title = fmt.Sprint("page ", i%7)
		if i >= 7 {
			o.Duplicate = orbweaver.Duplicate{URL: fmt.Sprintf("http://h%d.test/%d", i%7%3, i%7), Near: i%2 == 0}
		}
		put(t, l, orbweaver.Proposal{Request: r}, o)
	}
	for _, q := range []ledger.PageQuery{{}, {Sort: ledger.SortURL}, {Sort: ledger.SortScore, Limit: 3}, {Text: "page 5"}, {Host: "h1.test"}} {
		all, folded := q, q
		all.Limit, folded.Distinct = 0, true
		var want []string
		listed := map[string]bool{}
		for _, line := range listedLines(t, l, all) {
			listed[line.URL] = true
		}
		for _, line := range listedLines(t, l, all) {
			var n int
			if _, err := fmt.Sscanf(line.URL[strings.LastIndexByte(line.URL, '/'):], "/%d", &n); err != nil {
				t.Fatal(err)
			}
			if n < 7 || !listed[fmt.Sprintf("http://h%d.test/%d", n%7%3, n%7)] {
				want = append(want, line.URL)
			}
		}
		if q.Limit > 0 {
			want = want[:min(len(want), q.Limit)]
		}
		var got []string
		for _, line := range listedLines(t, l, folded) {
			got = append(got, line.URL)
		}
		if len(got) == 0 || !slices.Equal(got, want) {
			t.Errorf("%+v: %v, want %v", q, got, want)
		}
	}
}
