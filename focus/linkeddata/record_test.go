package linkeddata

import (
	"fmt"
	"testing"

	"orbweaver"
)

// ask learns the outcome of an HTML page's link that is taken for RDF: a page of a media type, or an error.
func ask(t *testing.T, f *Focus, url, mediaType string, err error) (stale []string) {
	t.Helper()
	q := follow(t, f, page("http://b.test/p", url), url)
	o := answer(q.Request, mediaType)
	if err != nil {
		o = orbweaver.Outcome{Request: q.Request, Err: err}
	}
	o.Request.Parent, o.Predicted = "", q.Judgement
	return learn(t, f, o)
}

// TestPatternRecord: links of a pattern with eight failures go after all pages, until RDF arrives.
func TestPatternRecord(t *testing.T) {
	gone := fmt.Errorf("get it: %w", orbweaver.ErrStatus)
	for _, tc := range []struct {
		name   string
		format string // of URLs, by number
		n      int
		other  string // one more
		err    error
		want   string // class and evidence
	}{
		{"eight files", "http://a.test/t/x/%d.ttl", 8, "http://a.test/t/x/9.ttl", gone, "H a.test/t/x/*"},
		{"seven files", "http://a.test/t/x/%d.ttl", 7, "http://a.test/t/x/9.ttl", gone, "R"},
		{"a file of another directory", "http://a.test/t/x/%d.ttl", 8, "http://a.test/t/y/9.ttl", gone, "R"},
		{"a file of another host", "http://a.test/t/x/%d.ttl", 8, "http://c.test/t/x/9.ttl", gone, "R"},
		{"eight directories", "http://a.test/t/%d/m.ttl", 8, "http://a.test/t/9/m.ttl", gone, "H a.test/t/*/"},
		{"seven directories", "http://a.test/t/%d/m.ttl", 7, "http://a.test/t/9/m.ttl", gone, "R"},
		{"files of a host", "http://a.test/%d.ttl", 8, "http://a.test/9.ttl", gone, "H a.test/*"},
		{"absent from an archive", "http://a.test/t/x/%d.ttl", 8, "http://a.test/t/x/9.ttl", orbweaver.ErrAbsent, "H a.test/t/x/*"},
		{"a host that does not answer tells nothing of its pages", "http://a.test/t/x/%d.ttl", 8, "http://a.test/t/x/9.ttl", orbweaver.ErrTimeout, "R"},
		{"HTML is there", "http://a.test/t/x/%d.ttl", 8, "http://a.test/t/x/9.ttl", nil, "R"},
		{"what looks like HTML tells nothing of RDF", "http://a.test/t/x/%d.html", 8, "http://a.test/t/x/9.ttl", gone, "R"},
	} {
		f := newFocus(t, nil)
		waiting := follow(t, f, page("http://b.test/p", tc.other), tc.other)
		isStale := false
		for i := range tc.n {
			for _, key := range ask(t, f, fmt.Sprintf(tc.format, i), "text/html", tc.err) {
				for _, own := range waiting.Keys {
					isStale = isStale || key == own
				}
			}
		}
		j := f.Rerank(nil, waiting)
		got, score := j.Class, scoreR
		if got == ClassH {
			score, got = scoreFailed, got+" "+j.Reasons[0].Evidence
		}
		if got != tc.want || j.Score != score || weight(j.Reasons) != score || isStale != (j.Class == ClassH) {
			t.Errorf("%s: %s, want %s; %v, stale %v", tc.name, got, tc.want, j, isStale)
		}
		if j.Class != ClassH {
			continue
		}
		if j.Reasons[0].Rule != RulePatternRecord || j.Reasons[1].Rule != RuleExtension {
			t.Errorf("%s: %v", tc.name, j.Reasons)
		}
		stale := ask(t, f, tc.other, "text/turtle", nil)
		if now := f.Rerank(nil, waiting); len(stale) == 0 || now.Class != ClassR || now.Score != scoreR {
			t.Errorf("%s, and RDF: %v, stale %v", tc.name, now, stale)
		}
	}
}

// TestRecordOfRedirects: a failure after redirects counts against the URL in the link, and RDF after
// redirects for it.
func TestRecordOfRedirects(t *testing.T) {
	f := newFocus(t, nil)
	waiting := follow(t, f, page("http://b.test/p", "http://a.test/id/x.ttl"), "http://a.test/id/x.ttl")
	redirected := func(i int, err error) {
		q := follow(t, f, page("http://b.test/p", fmt.Sprintf("http://a.test/id/%d.ttl", i)), fmt.Sprintf("http://a.test/id/%d.ttl", i))
		r := orbweaver.Request{URL: fmt.Sprintf("http://c.test/%d", i), Redirects: []string{q.URL}, Note: q.Note, Via: q.Via}
		o := answer(r, "text/turtle")
		if err != nil {
			o = orbweaver.Outcome{Request: r, Err: err}
		}
		o.Predicted = orbweaver.Judgement{Class: ClassR}
		learn(t, f, o)
	}
	for i := range maxFailed {
		redirected(i, orbweaver.ErrStatus)
	}
	if j := f.Rerank(nil, waiting); j.Class != ClassH {
		t.Errorf("%v", j)
	}
	redirected(maxFailed, nil)
	if j := f.Rerank(nil, waiting); j.Class != ClassR {
		t.Errorf("%v", j)
	}
}

// TestRecordsAreOfTheFocusedMethod: the comparison methods keep no records.
func TestRecordsAreOfTheFocusedMethod(t *testing.T) {
	f := newFocus(t, func(o *Options) { o.Method = NonFocused })
	for i := range maxFailed {
		ask(t, f, fmt.Sprintf("http://a.test/%d.ttl", i), "", orbweaver.ErrAbsent)
	}
	if len(f.records.list) > 0 {
		t.Error("a record was kept")
	}
}
