package ledger_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/ledger"
	"orbweaver/rdf"
)

// open opens the ledger of a folder and closes it with the test.
func open(t testing.TB, dir string) *ledger.Ledger {
	t.Helper()
	l, err := ledger.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// closed closes a ledger.
func closed(t testing.TB, l *ledger.Ledger) {
	t.Helper()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}

// proposal returns a proposal with all fields set.
func proposal(url string) orbweaver.Proposal {
	return orbweaver.Proposal{
		Request: orbweaver.Request{
			URL: url, Accept: "text/turtle", Query: "ASK {}", State: "q1", Purpose: orbweaver.ForQuery,
			Parent: "http://a/", Depth: 3, Redirects: []string{"http://a/old"}, Note: []byte{0, 1, 255},
			Via: &orbweaver.Link{
				To: url, Rel: "next", Type: "text/html", Title: "t", Anchor: "a <b>", Context: "c",
				Origin: orbweaver.FromAnchor, Path: 7 << 24, Place: "list main",
			},
		},
		Judgement: orbweaver.Judgement{
			Score: 0.25, Accepted: true, Class: "R",
			Reasons: []orbweaver.Reason{{Rule: "anchor", Evidence: "é & <>", Weight: -1.5}},
		},
		Keys: []string{"host:a", "to:b"},
	}
}

// outcome returns an outcome with all stored fields set.
func outcome(r orbweaver.Request) *orbweaver.Outcome {
	at := time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
	return &orbweaver.Outcome{
		Request: r, Status: 200, At: at,
		Record:    orbweaver.Ref{File: "x.warc.gz", Offset: 17, Length: 4},
		Predicted: proposal("").Judgement, Actual: proposal("").Judgement,
		Page: &orbweaver.Page{
			Request: r, URL: r.URL, Canonical: "http://a/c", Status: 200, MediaType: "text/html",
			Title: "T", Lang: "de", Digest: "sha1:X", Size: 12, NoFollow: true, Fetched: at,
			Links: []orbweaver.Link{{To: "http://a/1"}, {To: "http://a/2"}, {To: "http://a/1"}},
			Text:  "kept nowhere",
		},
	}
}

// put commits a request and, unless o is nil, its outcome.
func put(t testing.TB, l *ledger.Ledger, p orbweaver.Proposal, o *orbweaver.Outcome) uint64 {
	t.Helper()
	id, fresh := l.Offer(p.Request)
	if !fresh {
		t.Fatalf("%s is known", p.URL)
	}
	if err := l.Commit(step.Batch{Waiting: []step.Waiting{{ID: id, Proposal: p}}}); err != nil {
		t.Fatal(err)
	}
	if o != nil {
		if err := l.Commit(step.Batch{Done: id, Outcome: o}); err != nil {
			t.Fatal(err)
		}
	}
	return id
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	p := proposal("http://a/x")
	id := put(t, l, p, nil)
	page := orbweaver.Request{URL: "http://a/page"}
	o := outcome(page)
	put(t, l, orbweaver.Proposal{Request: page}, o)
	fact := rdf.Quad{S: rdf.NewIRI("http://a/s"), P: rdf.NewIRI("http://a/p"), O: rdf.NewLang("x", "en"), G: rdf.NewIRI("urn:g")}
	progress := step.Progress{Requests: 1, Pages: 1, Rounds: 2, Active: time.Minute}
	err := l.Commit(step.Batch{
		Facts: []rdf.Quad{fact}, Model: []byte("model"), Round: []uint64{id, 300}, Progress: progress, Archive: []byte(`{"x":1}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	closed(t, l)

	l = open(t, dir)
	defer closed(t, l)
	w, err := l.Waiting(id)
	if want := (step.Waiting{ID: id, Proposal: p}); err != nil || !reflect.DeepEqual(w, want) {
		t.Errorf("waiting: %+v, %v\nwant %+v", w, err, want)
	}
	got, err := l.Outcome("http://a/page")
	o.Page.Links, o.Page.Text = nil, ""
	if err != nil || !reflect.DeepEqual(got, *o) {
		t.Errorf("outcome: %+v, %v\nwant %+v", got, err, *o)
	}
	if model, n, err := l.Model(); string(model) != "model" || n != 1 || err != nil {
		t.Errorf("model %q as of %d, %v", model, n, err)
	}
	if round, _, err := l.Round(); !slices.Equal(round, []uint64{id, 300}) || err != nil {
		t.Errorf("round %v, %v", round, err)
	}
	if l.Progress() != progress || string(l.Archive()) != `{"x":1}` {
		t.Errorf("progress %+v, archive %s", l.Progress(), l.Archive())
	}
	for q, err := range l.Quads(rdf.Term{}, rdf.Term{}, rdf.Term{}, rdf.NewIRI("urn:g")) {
		if q != fact || err != nil {
			t.Errorf("fact %v, %v", q, err)
		}
	}
	for range l.Quads(rdf.NewIRI("http://a/other"), rdf.Term{}, rdf.Term{}, rdf.Term{}) {
		t.Error("a fact about something else")
	}
	if got := slices.Collect(l.Outlinks("http://a/page")); !slices.Equal(got, []string{"http://a/1", "http://a/2"}) {
		t.Errorf("outlinks %v: each target once", got)
	}
	if got := slices.Collect(l.Inlinks("http://a/2")); !slices.Equal(got, []string{"http://a/page"}) {
		t.Errorf("inlinks %v", got)
	}
}

func TestIdentity(t *testing.T) {
	l := open(t, t.TempDir())
	defer closed(t, l)
	same := orbweaver.Request{URL: "http://a/", Accept: "x"}
	id, fresh := l.Offer(same)
	if !fresh {
		t.Fatal("the first request is known")
	}
	same.Parent, same.Depth, same.Note = "http://b/", 7, []byte("n")
	if again, fresh := l.Offer(same); fresh || again != id {
		t.Error("parent, depth and note made another request of it")
	}
	for _, other := range []orbweaver.Request{
		{URL: "http://a/"}, {URL: "http://a/", Query: "x"}, {URL: "http://a/", State: "x"}, {URL: "http://a/x"},
	} {
		if _, fresh := l.Offer(other); !fresh {
			t.Errorf("%+v was taken for another", other)
		}
	}
}

func TestFailuresAreKept(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	r := orbweaver.Request{URL: "http://a/gone"}
	put(t, l, orbweaver.Proposal{Request: r}, &orbweaver.Outcome{Request: r, Err: fmt.Errorf("fetch %s: %w", r.URL, orbweaver.ErrAbsent)})
	closed(t, l)
	l = open(t, dir)
	defer closed(t, l)
	o, err := l.Outcome(r.URL)
	if err != nil {
		t.Fatal(err)
	}
	if !errors.Is(o.Err, orbweaver.ErrAbsent) || o.Err.Error() != "fetch http://a/gone: absent" {
		t.Errorf("the error came back as %v", o.Err)
	}
}

// TestJournal checks a line of pages.jsonl: the keys and their order.
func TestJournal(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	r := orbweaver.Request{URL: "http://a/?x=1&y=2", Parent: "http://a/", Depth: 1}
	o := outcome(r)
	o.Actual = orbweaver.Judgement{Score: .5, Accepted: true, Class: "R", Reasons: []orbweaver.Reason{
		{Rule: "light", Weight: .1}, {Rule: "heavy", Evidence: "e", Weight: .4},
	}}
	put(t, l, orbweaver.Proposal{Request: r}, o)
	closed(t, l)
	got, err := os.ReadFile(filepath.Join(dir, ledger.JournalFile))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"n":1,"url":"http://a/?x=1&y=2","status":200,"type":"text/html","title":"T","snippet":"kept nowhere","digest":"sha1:X","bytes":12,` +
		`"depth":1,"parent":"http://a/","predicted":{"score":0.25,"class":"R","rules":["anchor"]},"score":0.5,"accepted":true,"class":"R",` +
		`"reasons":[{"rule":"heavy","evidence":"e","weight":0.4},{"rule":"light","weight":0.1}]}` + "\n"
	if string(got) != want {
		t.Errorf("got  %swant %s", got, want)
	}
}

// TestJournalIsCutAndRebuilt: pages.jsonl is truncated to the last batch, and missing lines are rebuilt.
func TestJournalIsCutAndRebuilt(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	for i := range 5 {
		r := orbweaver.Request{URL: fmt.Sprintf("http://a/%d", i)}
		put(t, l, orbweaver.Proposal{Request: r}, outcome(r))
	}
	closed(t, l)
	path := filepath.Join(dir, ledger.JournalFile)
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, found := range map[string]string{
		"a line and a half too much": string(want) + string(want[:100]),
		"a line too few":             string(want[:strings.LastIndexByte(string(want[:len(want)-1]), '\n')+1]),
		"nothing":                    "",
	} {
		if err := os.WriteFile(path, []byte(found), 0o666); err != nil {
			t.Fatal(err)
		}
		closed(t, open(t, dir))
		if got, err := os.ReadFile(path); err != nil || string(got) != string(want) {
			t.Errorf("%s: %d bytes after opening, want %d; %v", name, len(got), len(want), err)
		}
	}
}

func TestOneProcess(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	defer closed(t, l)
	if _, err := ledger.Open(dir); !errors.Is(err, orbweaver.ErrBusy) {
		t.Errorf("a second opening: %v", err)
	}
}

func TestDamage(t *testing.T) {
	dir := t.TempDir()
	closed(t, open(t, dir))
	entries, err := filepath.Glob(filepath.Join(dir, "ledger", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.Contains(e, "MANIFEST") {
			if err := os.WriteFile(e, []byte("garbage"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := ledger.Open(dir); !errors.Is(err, orbweaver.ErrDamaged) {
		t.Errorf("a damaged ledger: %v", err)
	}
}

// TestOtherFormats: the error for an unknown format names it, the supported formats, and the remedy.
func TestOtherFormats(t *testing.T) {
	for _, format := range []int{2, 5} {
		dir := t.TempDir()
		l := open(t, dir)
		l.SetFormat(format)
		if err := l.Commit(step.Batch{}); err != nil {
			t.Fatal(err)
		}
		closed(t, l)
		_, err := ledger.Open(dir)
		if !errors.Is(err, orbweaver.ErrInput) {
			t.Fatalf("format %d: %v", format, err)
		}
		for _, part := range []string{dir, fmt.Sprintf("format %d,", format), "formats 3 and 4", "use the version of orbweaver that wrote the folder"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%v: lacks %q", err, part)
			}
		}
	}
	dir := t.TempDir()
	closed(t, open(t, dir))
	entries, err := filepath.Glob(filepath.Join(dir, "ledger", "marker.format-version.*"))
	if err != nil || len(entries) != 1 {
		t.Fatal(entries, err)
	}
	if err := os.Rename(entries[0], filepath.Join(dir, "ledger", "marker.format-version.000099.099")); err != nil {
		t.Fatal(err)
	}
	if _, err := ledger.Open(dir); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "use the version of orbweaver") {
		t.Errorf("a database of a later format: %v", err)
	}
}

func TestLinesNameTheirPlace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pages.jsonl")
	if err := os.WriteFile(path, []byte("{\"n\":1,\"url\":\"x\"}\nnonsense\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	var last error
	for _, err := range ledger.Lines(path) {
		last = err
	}
	if !errors.Is(last, orbweaver.ErrInput) || !strings.Contains(last.Error(), path+":2:") {
		t.Errorf("got %v", last)
	}
}

func BenchmarkCommit(b *testing.B) {
	b.Run("lazy", func(b *testing.B) { benchmarkCommit(b, false) })
	b.Run("flushed", func(b *testing.B) { benchmarkCommit(b, true) })
}

func benchmarkCommit(b *testing.B, prompt bool) {
	l := open(b, b.TempDir())
	defer closed(b, l)
	next := 0
	for b.Loop() {
		var batch step.Batch
		for range 10 {
			p := proposal(fmt.Sprintf("http://a/%d", next))
			next++
			id, _ := l.Offer(p.Request)
			batch.Waiting = append(batch.Waiting, step.Waiting{ID: id, Proposal: p})
		}
		batch.Done, batch.Outcome = batch.Waiting[0].ID, outcome(batch.Waiting[0].Request)
		if err := l.Commit(batch); err != nil {
			b.Fatal(err)
		}
		if prompt {
			if err := l.Flush(); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkWaiting(b *testing.B) {
	l := open(b, b.TempDir())
	defer closed(b, l)
	id := put(b, l, proposal("http://a/x"), nil)
	for b.Loop() {
		if _, err := l.Waiting(id); err != nil {
			b.Fatal(err)
		}
	}
}

// TestWaitingIsTheNewest: a waiting request, cached or not, is as last written, and is gone once done.
func TestWaitingIsTheNewest(t *testing.T) {
	l := open(t, t.TempDir())
	defer closed(t, l)
	const n = 20_000 // more than the cache holds
	var batch step.Batch
	for i := range n {
		w := step.Waiting{}
		w.URL = fmt.Sprintf("http://a/%d", i)
		w.ID, _ = l.Offer(w.Request)
		batch.Waiting = append(batch.Waiting, w)
	}
	again := slices.Clone(batch.Waiting[:n/2])
	for i := range again {
		again[i].Score = float64(i + 1)
	}
	for _, b := range []step.Batch{batch, {Waiting: again}, {Done: again[0].ID, Outcome: outcome(again[0].Request)}} {
		if err := l.Commit(b); err != nil {
			t.Fatal(err)
		}
	}
	for i, w := range batch.Waiting[1:] {
		got, err := l.Waiting(w.ID)
		if want := float64(i + 2); err != nil || got.URL != w.URL || i+1 < n/2 && got.Score != want || i+1 >= n/2 && got.Score != 0 {
			t.Fatalf("request %d: %+v, %v", i+1, got, err)
		}
	}
	if _, err := l.Waiting(again[0].ID); err == nil {
		t.Error("what is done waits still")
	}
}

// TestDecisionsAreKept: decisions of every kind survive a reopening.
func TestDecisionsAreKept(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	statement := []rdf.Quad{{S: rdf.NewIRI("urn:s"), P: rdf.NewIRI("urn:p"), O: rdf.NewLang("word", "en")}}
	want := []orbweaver.Decision{
		{ID: "0a", Accepted: true, As: orbweaver.AsEntry, Text: "word", Entity: "urn:s", Added: statement},
		{ID: "0b", After: 1}, {Page: "http://a/", After: 2, Accepted: true}, {After: 3, Accepted: true, Removed: statement},
	}
	for _, d := range want {
		if err := l.Commit(step.Batch{Decision: &d}); err != nil {
			t.Fatal(err)
		}
	}
	closed(t, l)
	l = open(t, dir)
	defer closed(t, l)
	var got []orbweaver.Decision
	for d, err := range l.Decisions() {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, d)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
}
