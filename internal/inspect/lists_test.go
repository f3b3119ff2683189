package inspect_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/inspect"
	"orbweaver/ledger"
)

// short is a URL without what those of a.test have in common.
func short(url string) string { return strings.TrimPrefix(url, "http://a.test") }

// urls are those of lines, short.
func urls(lines []ledger.Line) string {
	var all []string
	for _, l := range lines {
		all = append(all, short(l.URL))
	}
	return strings.Join(all, " ")
}

// TestPages: each filter and each order, alone and together, and how many there are of all.
func TestPages(t *testing.T) {
	h := rested(t, whole)
	for name, tc := range map[string]struct {
		q     ledger.PageQuery
		want  string
		total int64
		more  bool
	}{
		"all":                {ledger.PageQuery{}, "/ /one /two http://b.test/ /note.txt /copy /one/deep http://c.b.test/", 8, false},
		"accepted":           {ledger.PageQuery{Accepted: true}, "/ /two /note.txt /copy /one/deep http://c.b.test/", 6, false},
		"failures too":       {ledger.PageQuery{Failed: true, Offset: 3, Limit: 4}, "/old /away /missing /gone", 12, true},
		"host and below":     {ledger.PageQuery{Host: "b.test"}, "http://b.test/ http://c.b.test/", 2, false},
		"a host below":       {ledger.PageQuery{Host: "c.b.test"}, "http://c.b.test/", 1, false},
		"no such host":       {ledger.PageQuery{Host: "test.b"}, "", 0, false},
		"from a score":       {ledger.PageQuery{MinScore: 0.6, Sort: ledger.SortScore}, "/ /one/deep /note.txt http://c.b.test/", 4, false},
		"by score":           {ledger.PageQuery{Sort: ledger.SortScore, Limit: 3}, "/ /one/deep /note.txt", 8, true},
		"by URL":             {ledger.PageQuery{Sort: ledger.SortURL, Host: "a.test", Limit: 2}, "/ /copy", 6, true},
		"by depth":           {ledger.PageQuery{Sort: ledger.SortDepth, Offset: 6}, "/one/deep http://c.b.test/", 8, false},
		"text of a title":    {ledger.PageQuery{Text: "gLIDERS"}, "/", 1, false},
		"a type":             {ledger.PageQuery{Type: "text/plain"}, "/note.txt", 1, false},
		"a kind of type":     {ledger.PageQuery{Type: "text", Limit: 1}, "/", 8, true},
		"a language":         {ledger.PageQuery{Lang: "de"}, "", 0, false},
		"exactly a full one": {ledger.PageQuery{Host: "b.test", Limit: 2}, "http://b.test/ http://c.b.test/", 2, true},
	} {
		list, err := h.Pages(t.Context(), tc.q)
		if err != nil || urls(list.Pages) != tc.want || list.Total != tc.total || (list.Next != "") != tc.more {
			t.Errorf("%s: %s, %d of all, next %q, %v; want %s, %d of all, more %v",
				name, urls(list.Pages), list.Total, list.Next, err, tc.want, tc.total, tc.more)
		}
	}
}

// TestPagesPartByPart: the parts of a list are together the list, of any size, and only the first says how many there are.
func TestPagesPartByPart(t *testing.T) {
	h := rested(t, whole)
	for _, sort := range ledger.PageSorts() {
		q := ledger.PageQuery{Sort: sort, Failed: true}
		all, err := h.Pages(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, q.Limit = range []int{4, 5} { // of 12: the last part is full, or not
			var parts []ledger.Line
			for q.After = ""; ; {
				part, err := h.Pages(t.Context(), q)
				if err != nil || len(part.Pages) > q.Limit || (part.Total == 12) != (q.After == "") {
					t.Fatalf("by %s, %d at once after %q: %d, %d of all, %v", sort, q.Limit, q.After, len(part.Pages), part.Total, err)
				}
				parts = append(parts, part.Pages...)
				if q.After = part.Next; q.After == "" {
					break
				}
			}
			if urls(parts) != urls(all.Pages) {
				t.Errorf("by %s, %d at once: %s, want %s", sort, q.Limit, urls(parts), urls(all.Pages))
			}
		}
	}
}

// TestAllPages: it ends at the limit, where nobody wants more, and with the first error.
func TestAllPages(t *testing.T) {
	h := rested(t, whole)
	all := func(ctx context.Context, q ledger.PageQuery, most int) (lines []ledger.Line, err error) {
		for line, err := range h.AllPages(ctx, q) {
			if err != nil {
				return lines, err
			}
			if lines = append(lines, line); len(lines) == most {
				break
			}
		}
		return lines, nil
	}
	if lines, err := all(t.Context(), ledger.PageQuery{Offset: 1, Limit: 3}, 0); err != nil || urls(lines) != "/one /two http://b.test/" {
		t.Errorf("3 after the first: %s, %v", urls(lines), err)
	}
	if lines, err := all(t.Context(), ledger.PageQuery{}, 2); err != nil || urls(lines) != "/ /one" {
		t.Errorf("until nobody wants more: %s, %v", urls(lines), err)
	}
	if lines, err := all(t.Context(), ledger.PageQuery{Limit: -1}, 0); !errors.Is(err, orbweaver.ErrInput) || len(lines) > 0 {
		t.Errorf("less than none: %s, %v", urls(lines), err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if lines, err := all(ctx, ledger.PageQuery{}, 0); !errors.Is(err, context.Canceled) || len(lines) > 0 {
		t.Errorf("of a call that was stopped: %s, %v", urls(lines), err)
	}
}

// TestFailures: what gave no page, in the order of requests, and by name.
func TestFailures(t *testing.T) {
	h := rested(t, whole)
	for _, tc := range []struct {
		q    inspect.FailureQuery
		want string
	}{
		{inspect.FailureQuery{}, "5 /away out-of-scope 302, 6 /missing absent 0, 7 /gone status 404"},
		{inspect.FailureQuery{Failure: orbweaver.ErrAbsent}, "6 /missing absent 0"},
		{inspect.FailureQuery{Failure: orbweaver.ErrTimeout}, ""},
		{inspect.FailureQuery{After: 5, Limit: 1}, "6 /missing absent 0"},
		{inspect.FailureQuery{After: 7}, ""},
		{inspect.FailureQuery{Limit: 2}, "5 /away out-of-scope 302, 6 /missing absent 0"},
	} {
		list, err := h.Failures(t.Context(), tc.q)
		var got []string
		for _, f := range list {
			got = append(got, fmt.Sprint(f.N, " ", short(f.URL), " ", f.Failure, " ", f.Status))
			if f.Message == "" {
				t.Errorf("%s: no message", f.URL)
			}
		}
		if s := strings.Join(got, ", "); err != nil || s != tc.want || list == nil {
			t.Errorf("%+v: %s, %v; want %s", tc.q, s, err, tc.want)
		}
	}
}

// TestWaiting: the best first, of equals the first found.
func TestWaiting(t *testing.T) {
	h := rested(t, cut)
	for _, tc := range []struct {
		q    inspect.WaitingQuery
		want string
	}{
		{inspect.WaitingQuery{}, "/old /away /missing /gone http://b.test/ /note.txt /copy /one/deep"},
		{inspect.WaitingQuery{Limit: 1}, "/old"},
		{inspect.WaitingQuery{Limit: 3}, "/old /away /missing"},
		{inspect.WaitingQuery{Host: "http://b.test"}, "http://b.test/"},
		{inspect.WaitingQuery{Host: "http://a.test", Limit: 6}, "/old /away /missing /gone /note.txt /copy"},
		{inspect.WaitingQuery{Host: "b.test"}, ""},
	} {
		list, err := h.Waiting(t.Context(), tc.q)
		var got []string
		for _, w := range list {
			got = append(got, short(w.URL))
		}
		if s := strings.Join(got, " "); err != nil || s != tc.want || list == nil {
			t.Errorf("%+v: %s, %v; want %s", tc.q, s, err, tc.want)
		}
	}
	if list, err := rested(t, whole).Waiting(t.Context(), inspect.WaitingQuery{}); err != nil || list == nil || len(list) > 0 {
		t.Errorf("of a crawl that is over: %v, %v", list, err)
	}
}

// TestMapOfHosts: those with the most pages first, and the links between those shown alone.
func TestMapOfHosts(t *testing.T) {
	h := rested(t, whole)
	for limit, want := range map[int]string{
		0:  "a.test 6/5, b.test 1/0, c.b.test 1/1; a.test>b.test 1, b.test>a.test 1, b.test>c.b.test 1",
		-1: "a.test 6/5, b.test 1/0, c.b.test 1/1; a.test>b.test 1, b.test>a.test 1, b.test>c.b.test 1",
		2:  "a.test 6/5, b.test 1/0; a.test>b.test 1, b.test>a.test 1",
		1:  "a.test 6/5; ",
	} {
		m, err := h.Map(t.Context(), inspect.MapQuery{Limit: limit})
		if got := mapped(m); err != nil || got != want || m.Total != 3 {
			t.Errorf("%d hosts: %s, %d of all, %v; want %s", limit, got, m.Total, err, want)
		}
	}
}

// mapped is a map on a line.
func mapped(m inspect.Map) string {
	var nodes, edges []string
	for _, n := range m.Nodes {
		nodes = append(nodes, fmt.Sprintf("%s %d/%d", short(n.ID), n.Pages, n.Accepted))
	}
	for _, e := range m.Edges {
		edges = append(edges, fmt.Sprintf("%s>%s %d", short(e.From), short(e.To), e.Links))
	}
	return strings.Join(nodes, ", ") + "; " + strings.Join(edges, ", ")
}

// TestMapAroundAPage: the page, what was fetched beside it, the best first, and then what was not.
func TestMapAroundAPage(t *testing.T) {
	h := rested(t, whole)
	const all = "/one 0/0, / 0/1, /one/deep 0/1, /no 0/0; />/no 1, />/one 1, /one>/no 1, /one>/one/deep 1, /one/deep>/ 1"
	for limit, want := range map[int]string{
		0: all,
		4: all,
		2: "/one 0/0, / 0/1; />/one 1",
		1: "/one 0/0; ",
	} {
		m, err := h.Map(t.Context(), inspect.MapQuery{Around: "a.test/one", Limit: limit})
		if got := mapped(m); err != nil || got != want || m.Total != 4 {
			t.Errorf("%d pages: %s, %d of all, %v; want %s", limit, got, m.Total, err, want)
		}
		if err == nil && len(m.Nodes) == 4 && (!m.Nodes[2].Known || m.Nodes[3].Known || m.Nodes[0].Title != "One") {
			t.Errorf("%+v", m.Nodes)
		}
	}
	for url, want := range map[string]error{"http://a.test/no": orbweaver.ErrUnknown, "http://": orbweaver.ErrBadURL, "ftp://a.test/": orbweaver.ErrBadURL} {
		if _, err := h.Map(t.Context(), inspect.MapQuery{Around: url}); !errors.Is(err, want) {
			t.Errorf("around %s: %v, want %v", url, err, want)
		}
	}
}

// TestFacets: what pages have in common, of those that a query selects; where a list begins and ends does not matter.
func TestFacets(t *testing.T) {
	h := rested(t, whole)
	for name, tc := range map[string]struct {
		q    ledger.PageQuery
		want string
	}{
		"all": {ledger.PageQuery{}, "8 hosts [{a.test 6} {b.test 1} {c.b.test 1}] types [{text/html 7} {text/plain 1}] langs [{en 7}]"},
		"a part is the whole": {ledger.PageQuery{Offset: 7, Limit: 1},
			"8 hosts [{a.test 6} {b.test 1} {c.b.test 1}] types [{text/html 7} {text/plain 1}] langs [{en 7}]"},
		"accepted": {ledger.PageQuery{Accepted: true}, "6 hosts [{a.test 5} {c.b.test 1}] types [{text/html 5} {text/plain 1}] langs [{en 5}]"},
		"none":     {ledger.PageQuery{Host: "x.test"}, "0 hosts [] types [] langs []"},
	} {
		f, err := h.Facets(t.Context(), tc.q)
		if got := fmt.Sprint(f.Of, " hosts ", f.Hosts, " types ", f.Types, " langs ", f.Langs); err != nil || got != tc.want {
			t.Errorf("%s: %s, %v; want %s", name, got, err, tc.want)
		}
	}
}

// TestScores: pages by score, in as many bins as are possible.
func TestScores(t *testing.T) {
	h := rested(t, whole)
	s, err := h.Scores(t.Context(), 4)
	if got := fmt.Sprint(s.Accepted, s.Rejected); err != nil || got != "[0 0 5 1] [1 1 0 0]" {
		t.Errorf("%s, %v", got, err)
	}
	for n, possible := range map[int]bool{-1: false, 0: false, 1: true, 1000: true, 1001: false} {
		s, err := h.Scores(t.Context(), n)
		if possible != (err == nil) || !possible && !errors.Is(err, orbweaver.ErrInput) || possible && len(s.Accepted) != n {
			t.Errorf("%d bins: %d, %v", n, len(s.Accepted), err)
		}
	}
}

// TestAWrongQuery: whoever asks what can't be answered is told so, by each list.
func TestAWrongQuery(t *testing.T) {
	h := rested(t, whole)
	for _, q := range []ledger.PageQuery{{Sort: "size"}, {Offset: -1}, {After: "zz"}} {
		_, err := h.Pages(t.Context(), q)
		if !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("pages %+v: %v", q, err)
		}
	}
	if _, err := h.Facets(t.Context(), ledger.PageQuery{Sort: "size"}); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("facets: %v", err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	_, facets := h.Facets(ctx, ledger.PageQuery{})
	_, scores := h.Scores(ctx, 3)
	_, hosts := h.Map(ctx, inspect.MapQuery{})
	_, failures := h.Failures(ctx, inspect.FailureQuery{})
	_, waiting := rested(t, cut).Waiting(ctx, inspect.WaitingQuery{})
	_, pages := h.Pages(ctx, ledger.PageQuery{})
	for i, err := range []error{facets, scores, hosts, failures, waiting, pages} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("list %d of a call that was stopped: %v", i, err)
		}
	}
}
