package inspect

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/frontier"
	"orbweaver/internal/step"
	"orbweaver/internal/teach"
	"orbweaver/ledger"
)

// TestOrderOfWaiting: targets of redirects first, then the best, and of equals the first that was found.
func TestOrderOfWaiting(t *testing.T) {
	waiting := func(id uint64, score float64, ahead bool) step.Waiting {
		return step.Waiting{ID: id, Ahead: ahead, Proposal: orbweaver.Proposal{Judgement: orbweaver.Judgement{Score: score}}}
	}
	all := []step.Waiting{waiting(3, .5, false), waiting(1, .2, true), waiting(4, .9, false), waiting(2, .5, false), waiting(5, .3, true), waiting(6, .1, false)}
	for most, want := range map[int]string{0: "", 1: "5", 4: "5 1 4 2", 6: "5 1 4 2 3 6", 9: "5 1 4 2 3 6"} {
		var got []string
		for _, w := range bestWaiting(slices.Clone(all), most) {
			got = append(got, fmt.Sprint(w.ID))
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("the first %d: %s, want %s", most, s, want)
		}
	}
	if one := queued(all[0]); goesBefore(one, one) {
		t.Error("a request goes before itself")
	}
}

// TestStateOfHost: of several conditions the one that lasts longest is told.
func TestStateOfHost(t *testing.T) {
	at := time.Unix(1e9, 0)
	for _, tc := range []struct {
		s     frontier.Standing
		want  string
		until bool
	}{
		{frontier.Standing{}, hostReady, false},
		{frontier.Standing{Busy: true}, hostBusy, false},
		{frontier.Standing{Busy: true, Robots: true}, hostRobots, false},
		{frontier.Standing{Robots: true, Address: true}, hostAddress, false},
		{frontier.Standing{Address: true, Until: at}, hostResting, true},
		{frontier.Standing{Until: at, Outside: true}, hostOutside, false},
		{frontier.Standing{Outside: true, Spent: true}, hostSpent, false},
		{frontier.Standing{Spent: true, Down: orbweaver.ErrTimeout, Until: at}, hostDown, true},
	} {
		if state, until := stateOfHost(tc.s); state != tc.want || until.IsZero() == tc.until {
			t.Errorf("%+v: %s until %v, want %s", tc.s, state, until, tc.want)
		}
	}
}

// TestKindOfRefusedLinks: the check that stopped the most successful link is told.
func TestKindOfRefusedLinks(t *testing.T) {
	for name, tc := range map[string]struct {
		x    Explanation
		want string
	}{
		"no link":                              {Explanation{}, kindNotTaken},
		"all nofollow":                         {Explanation{Links: &LinksView{Pages: 2, NoFollow: 2}}, KindNoFollow},
		"one too deep":                         {Explanation{Links: &LinksView{Pages: 2, NoFollow: 1, Deep: 1}}, KindDeep},
		"one open":                             {Explanation{Links: &LinksView{Pages: 2, Deep: 1, Open: 1}}, KindDropped},
		"one that can't be read":               {Explanation{Links: &LinksView{Pages: 1, Open: 1}, Note: "?"}, kindNotTaken},
		"the only one, a known nofollow":       {Explanation{Links: &LinksView{Pages: 1, Open: 1}, Note: "?", unfollowed: true}, KindNoFollow},
		"one of two, a known nofollow":         {Explanation{Links: &LinksView{Pages: 2, Open: 2}, Note: "?", unfollowed: true}, kindNotTaken},
		"one that can't be read, one nofollow": {Explanation{Links: &LinksView{Pages: 2, Open: 1, NoFollow: 1}, Note: "?", unfollowed: true}, kindNotTaken},
		"dropped, by the ledger":               {Explanation{Links: &LinksView{Pages: 1, NoFollow: 1}, wasDropped: true, dropped: step.Refusal{Rule: "far"}}, KindDropped},
	} {
		if got := kindOf(&tc.x); got != tc.want {
			t.Errorf("%s: %s, want %s", name, got, tc.want)
		}
	}
	x := Explanation{Links: &LinksView{Pages: 1, Open: 1}, Note: "?", unfollowed: true}
	if kindOf(&x); x.Note != "" || x.Links.Open != 0 || x.Links.NoFollow != 1 {
		t.Errorf("a nofollow that is known still counts as unknown: %+v, %q", x.Links, x.Note)
	}
}

// TestSentences: what a person reads of a URL that was not asked for, or not yet.
func TestSentences(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.Local)
	waits := func(h HostView) Explanation {
		return Explanation{Kind: KindWaiting, Waiting: new(WaitingView), Host: &h}
	}
	unfollowed := func(failure orbweaver.Failure, rule string) Explanation {
		o := &OutcomeView{N: 4, Status: 302, Redirect: "http://b/", Error: failure, Message: "a logout: bye"}
		return Explanation{Kind: KindUnfollowed, Rule: rule, Outcome: o}
	}
	const leads = "It was asked for, as request 4, and leads to http://b/ (302), which was not followed: "
	for _, tc := range []struct {
		x    Explanation
		want string
	}{
		{Explanation{Kind: KindRemoved},
			"A person had it removed from the crawl: nothing is kept of it, and it is not asked for again."},
		{Explanation{Kind: kindInFlight}, "It is being asked for."},
		{Explanation{Kind: KindSource, Outcome: &OutcomeView{N: 3, Message: "a list"}},
			"It was fetched, as request 3, for its links alone: a list."},
		{Explanation{Kind: KindPage, Outcome: &OutcomeView{N: 3, Status: 204, Bytes: 7}},
			"It was fetched, as request 3: 204."},
		{Explanation{Kind: KindPage, Outcome: &OutcomeView{N: 3, Status: 200, Type: "a/b", Digest: "x", Bytes: 7}},
			"It was fetched, as request 3: 200, a/b, 7 bytes."},
		{unfollowed(orbweaver.ErrScope, "b"), leads + "the crawl file's scope excludes it by b."},
		{unfollowed(orbweaver.ErrScope,
			""), leads + "it is out of the crawl file's scope, or forbidden by robots.txt."},
		{unfollowed(step.ErrLogsOut, ""), leads + "a logout: bye."},
		{unfollowed(orbweaver.ErrRedirects, ""), leads + "it is one redirect too many, or leads back."},
		{unfollowed(orbweaver.ErrTrap, ""), leads + "" + string(orbweaver.ErrTrap) + "."},
		{waits(HostView{State: hostReady}), "It waits."},
		{waits(HostView{State: hostDown, Account: &step.Account{Down: orbweaver.ErrTimeout}, Until: at}),
			"It waits; its host is down (timeout), and is asked again at 03:04:05."},
		{waits(HostView{State: hostDown}), "It waits; its host is down."},
		{waits(HostView{State: hostSpent}), "It waits; its host has given as many pages as limits.per_host allows."},
		{waits(HostView{State: hostUnlisted}), "It waits; a refresh asks for accepted pages alone."},
		{waits(HostView{State: hostIdle}), "It waits; no process runs the crawl."},
		{Explanation{Kind: KindWaiting, ended: "limit of pages", Waiting: &WaitingView{Rank: 3, Of: 9, Here: 2}, Host: &HostView{State: hostIdle}},
			"It waits, at rank 3 of 9 (2 of its host); the crawl ended before: limit of pages."},
		{Explanation{Kind: KindWaiting, Waiting: &WaitingView{Rank: 3, Of: 9, Here: 3}, Host: &HostView{State: hostBusy}},
			"It waits, at rank 3 of 9; its host has as many requests in flight as it may have."},
		{Explanation{Kind: KindScope, Seed: true},
			"It is a seed, but no pattern of the crawl file's scope covers it."},
		{Explanation{Kind: KindScope, Links: &LinksView{Pages: 2}, Rule: "b"},
			"2 pages link to it, but the crawl file's scope excludes it by b."},
		{Explanation{Kind: KindRobots, Rule: "Disallow: /"}, "It was found, but robots.txt forbids it: Disallow: /."},
		{Explanation{Kind: KindDeep, Links: &LinksView{Pages: 500, More: true}},
			"More than 500 pages link to it, but only from pages 4 links from a seed: limits.depth is 4."},
		{Explanation{Kind: KindNoFollow, Links: &LinksView{Pages: 1}},
			"A page links to it, but asks that the link be not followed (nofollow)."},
		{Explanation{Kind: KindNoFollow, Links: &LinksView{Pages: 2}},
			"2 pages link to it, but each asks that the link be not followed (nofollow)."},
		{Explanation{Kind: KindDropped, Links: &LinksView{Pages: 1}, Rule: "far"},
			"A page links to it, but the focus dropped it: far."},
		{Explanation{Kind: KindDropped, Links: &LinksView{Pages: 1}, wasDropped: true, dropped: step.Refusal{Parent: "http://a/"}},
			"A page links to it, but the focus followed no link of http://a/."},
		{Explanation{Kind: KindDropped, Links: &LinksView{Pages: 1}},
			"A page links to it, but the focus did not follow it."},
		{Explanation{Kind: kindNotTaken, Links: &LinksView{Pages: 1}},
			"A page links to it, but it was not taken: by wish of the page (nofollow), or by the focus."},
		{Explanation{Kind: KindUnlinked}, "No page that was fetched links to it."},
		{Explanation{Kind: KindUnlinked, outside: true, Redirected: []earlier{{URL: "http://r/", Error: orbweaver.ErrScope}}},
			"No page that was fetched links to it; http://r/ redirects to it, and was not followed: out-of-scope; and no pattern of the crawl file's scope covers it."},
	} {
		if got := tc.x.sentence(4); got != tc.want {
			t.Errorf("%s: %s\nwant %s", tc.x.Kind, got, tc.want)
		}
	}
}

// TestViewOfAnOutcome: a threshold of now gives a verdict of now, to a page alone.
func TestViewOfAnOutcome(t *testing.T) {
	o := orbweaver.Outcome{N: 2, Status: 200, Actual: orbweaver.Judgement{Score: .4, Accepted: true}}
	for threshold, accepted := range map[float64]bool{.39: true, .4: true, .41: false} {
		if v := viewOutcome(o, threshold); v.Now == nil || v.Now.Accepted != accepted || v.Now.Threshold != threshold || !v.Accepted {
			t.Errorf("at %g: %+v", threshold, v.Now)
		}
	}
	if v := viewOutcome(o, 0); v.Now != nil || v.Message != "" || v.Error != "" {
		t.Errorf("without a threshold: %+v", v)
	}
	o.Err = fmt.Errorf("fetch http://a/: %w", orbweaver.ErrTimeout)
	if v := viewOutcome(o, .1); v.Now != nil || v.Error != orbweaver.ErrTimeout || v.Message != o.Err.Error() {
		t.Errorf("without a page: %+v", v)
	}
}

// TestPastSearch: lines of pages.jsonl that are about a URL, share its bytes, or redirect to it; nothing that only looks so.
func TestPastSearch(t *testing.T) {
	lines := []string{
		`{"n":1,"url":"http://a/?x=<1>&y","status":200,"digest":"d1"}`,
		`{"n":2,"url":"http://a/old","status":301,"redirect":"http://a/?x=<1>&y","error":"redirects"}`,
		`{"n":3,"url":"http://a/other","status":200,"digest":"d1"}`,
		`{"n":4,"url":"http://a/third","status":200,"digest":"d1"}`,
		`{"n":5,"url":"http://a/?x=<1>&y","status":404,"error":"status"}`,
		`{"n":6,"url":"http://a/says","title":"\"url\":\"http://a/?x=<1>&y\" and \"digest\":\"d1\""}`,
		`{"n":7,"url":"http://a/?x=<1>&y2","status":200}`,
		`{"n":8,"url":"http://a/?x=<1>&y","status":`,
	}
	search := func(x *Explanation) *Explanation {
		t.Helper()
		x.URL = "http://a/?x=<1>&y"
		s, err := searchFor(x)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range lines {
			s.line([]byte(line))
		}
		return x
	}
	x := search(&Explanation{Outcome: &OutcomeView{Digest: "d1", Bytes: 9}})
	if len(x.History) != 2 || x.History[0].N != 1 || x.History[1].N != 5 || x.SameBytes == nil || x.SameBytes.N != 3 || x.Redirected != nil {
		t.Errorf("of a page: %+v, %+v, %+v", x.History, x.SameBytes, x.Redirected)
	}
	if x := search(&Explanation{Outcome: &OutcomeView{Digest: "d1"}}); x.SameBytes != nil {
		t.Errorf("an empty page is the same as %+v", x.SameBytes)
	}
	x = search(&Explanation{})
	if x.SameBytes != nil || len(x.Redirected) != 1 || x.Redirected[0].N != 2 || x.Redirected[0].Error != orbweaver.ErrRedirects {
		t.Errorf("of a URL without an outcome: %+v, %+v", x.SameBytes, x.Redirected)
	}
	lines = slices.Repeat([]string{lines[0]}, maxHistory+1)
	if x := search(new(Explanation)); len(x.History) != maxHistory {
		t.Errorf("%d outcomes, at most %d", len(x.History), maxHistory)
	}
}

// TestShallowest: of the pages that link to a URL the one nearest to a seed; of equals the first.
func TestShallowest(t *testing.T) {
	page := func(n int64, depth int) orbweaver.Outcome {
		return orbweaver.Outcome{N: n, Request: orbweaver.Request{Depth: depth}}
	}
	if o, ok := shallowest([]orbweaver.Outcome{page(1, 3), page(2, 1), page(3, 2), page(4, 1)}); !ok || o.N != 2 {
		t.Errorf("%d, %v", o.N, ok)
	}
	if _, ok := shallowest(nil); ok {
		t.Error("one of none")
	}
}

// TestPageVerdict: what a person may say of a page, and what it decides.
func TestPageVerdict(t *testing.T) {
	for _, tc := range []struct {
		v              PageVerdict
		bad            bool
		accepted, part bool
	}{
		{v: PageVerdict{}},
		{v: PageVerdict{Relevant: true}, accepted: true},
		{v: PageVerdict{Said: teach.SaidAbout}, accepted: true},
		{v: PageVerdict{Said: teach.SaidPart}, accepted: true, part: true},
		{v: PageVerdict{Said: teach.SaidNot}},
		{v: PageVerdict{Said: teach.SaidNot, Relevant: true}, bad: true},
		{v: PageVerdict{Said: "maybe"}, bad: true},
		{v: PageVerdict{Said: teach.SaidPart, Withdrawn: true}},
		{v: PageVerdict{Relevant: true, Withdrawn: true}},
	} {
		tc.v.URL = "A.test"
		v, err := tc.v.checked()
		if (err != nil) != tc.bad || tc.bad && !errors.Is(err, orbweaver.ErrInput) || v.URL != "http://a.test/" {
			t.Errorf("%+v: %+v, %v", tc.v, v, err)
		}
		if d := v.decision(7); !tc.bad && (d.Accepted != tc.accepted || d.Part != tc.part || d.Withdrawn != tc.v.Withdrawn || d.Page != v.URL || d.After != 7) {
			t.Errorf("%+v decides %+v", tc.v, d)
		}
	}
	if _, err := (PageVerdict{URL: "http://"}).checked(); !errors.Is(err, orbweaver.ErrInput) {
		t.Error(err)
	}
}

// TestLimitsOnto: a limit that is not given stays, also where 0 is given for another.
func TestLimitsOnto(t *testing.T) {
	given := engine.Limits{Requests: 1, Pages: 2, Bytes: 3, Time: 4, Depth: 5}
	none := given
	if (Limits{}).Onto(&none); none != given {
		t.Errorf("no limit changes %+v", none)
	}
	n, d, deep := int64(0), time.Duration(9), 8
	for name, tc := range map[string]struct {
		l    Limits
		want engine.Limits
	}{
		"requests": {Limits{Requests: &n}, engine.Limits{Requests: 0, Pages: 2, Bytes: 3, Time: 4, Depth: 5}},
		"pages":    {Limits{Pages: &n}, engine.Limits{Requests: 1, Pages: 0, Bytes: 3, Time: 4, Depth: 5}},
		"bytes":    {Limits{Bytes: &n}, engine.Limits{Requests: 1, Pages: 2, Bytes: 0, Time: 4, Depth: 5}},
		"time":     {Limits{Time: &d}, engine.Limits{Requests: 1, Pages: 2, Bytes: 3, Time: 9, Depth: 5}},
		"depth":    {Limits{Depth: &deep}, engine.Limits{Requests: 1, Pages: 2, Bytes: 3, Time: 4, Depth: 8}},
	} {
		got := given
		if tc.l.Onto(&got); got != tc.want {
			t.Errorf("%s: %+v, want %+v", name, got, tc.want)
		}
	}
}

// TestTallies: the most frequent values first, of equals by name, and no more than are shown.
func TestTallies(t *testing.T) {
	counts := map[string]int{"b": 2, "a": 2, "z": 9}
	if got := fmt.Sprint(most(counts)); got != "[{z 9} {a 2} {b 2}]" {
		t.Error(got)
	}
	for i := range 20 {
		counts[fmt.Sprintf("rare%02d", i)] = 1
	}
	if got := most(counts); len(got) != shownFacets || got[3].Value != "rare00" {
		t.Errorf("%d: %v", len(got), got)
	}
	var all tallies
	all.add(ledger.Line{URL: "http://a.test:8080/x", Class: "c", Reasons: []orbweaver.Reason{{Rule: "entity", Evidence: "plane ×2", Weight: 1}}})
	all.add(ledger.Line{URL: "http://a.test/", Type: "text/html", Lang: "en"})
	f := all.facets(2)
	if got := fmt.Sprint(f.Of, f.Hosts, f.Classes, f.Types, f.Langs); got != "2 [{a.test 2}] [{c 1}] [{text/html 1}] [{en 1}]" {
		t.Error(got)
	}
}

// TestRows: an answer has at most so many rows as asked for, and never more than MostRows.
func TestRows(t *testing.T) {
	for wanted, want := range map[int]int{-5: MostRows, 0: MostRows, 1: 1, MostRows - 1: MostRows - 1, MostRows: MostRows, MostRows + 1: MostRows} {
		if got := rows(wanted); got != want {
			t.Errorf("%d: %d, want %d", wanted, got, want)
		}
	}
}

// TestFailureQuery: sources of links are told by their name alone.
func TestFailureQuery(t *testing.T) {
	outcome := func(err error) *orbweaver.Outcome { return &orbweaver.Outcome{Err: err} }
	wrapped := fmt.Errorf("fetch: %w", orbweaver.ErrTimeout)
	for _, tc := range []struct {
		failure orbweaver.Failure
		err     error
		want    bool
	}{
		{"", nil, false},
		{"", wrapped, true},
		{"", step.ErrSource, false},
		{step.ErrSource, step.ErrSource, true},
		{orbweaver.ErrTimeout, wrapped, true},
		{orbweaver.ErrScope, wrapped, false},
		{orbweaver.ErrTimeout, nil, false},
	} {
		if got := (FailureQuery{Failure: tc.failure}).has(outcome(tc.err)); got != tc.want {
			t.Errorf("%q of %v: %v", tc.failure, tc.err, got)
		}
	}
}

// TestAnswers: how many, and how long, answers about classes may be. Longer ones are not passed on.
func TestAnswers(t *testing.T) {
	h := &Handle{Dir: t.TempDir()}
	long := func(n int) string { return strings.Repeat("x", n) }
	for name, all := range map[string][]ClassAnswer{
		"none":          nil,
		"too many":      make([]ClassAnswer, maxClassAnswers+1),
		"a long IRI":    {{Class: long(maxClassIRI + 1)}},
		"a long name":   {{Class: "urn:a", By: long(maxAnswerer + 1)}},
		"two lines":     {{Class: "urn:a", By: "a\nb"}},
		"the second":    {{Class: "urn:a"}, {Class: long(maxClassIRI + 1)}},
		"no such crawl": {{Class: long(maxClassIRI), By: long(maxAnswerer)}},
	} {
		_, err := h.Answer(t.Context(), all)
		if passed := err == nil || !strings.HasPrefix(err.Error(), "answer"); passed != (name == "no such crawl") || !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
