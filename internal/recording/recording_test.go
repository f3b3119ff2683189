package recording

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/services/contexts"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// aCrawl is one of the live Web, in a new folder.
func aCrawl(t *testing.T) *crawlfile.Crawl {
	t.Helper()
	c := &crawlfile.Crawl{Output: filepath.Join(t.TempDir(), "crawl")}
	c.Archive.Keep = "auto"
	return c
}

// opened is its archive, up to a mark.
func opened(t *testing.T, c *crawlfile.Crawl, mark []byte) *Recorder {
	t.Helper()
	r, err := Open(c, mark, new(step.Load))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// answer is a response for a purpose, its validators as in "ETag: x".
func answer(url string, purpose orbweaver.Purpose, header http.Header) *step.Response {
	if header == nil {
		header = http.Header{}
	}
	header.Set("Content-Type", "text/plain")
	return &step.Response{Request: orbweaver.Request{URL: url, Purpose: purpose}, Status: 200, Header: header, At: time.Unix(1e9, 0)}
}

// put archives a page.
func put(t *testing.T, r *Recorder, url, body string, header http.Header) orbweaver.Ref {
	t.Helper()
	response := answer(url, orbweaver.ForPage, header)
	packed, err := r.Pack(response, []byte(body))
	if err != nil || response.Digest == "" {
		t.Fatalf("digest %q, %v", response.Digest, err)
	}
	ref, err := r.Append(packed)
	if err != nil {
		t.Fatal(err)
	}
	return ref
}

// indexed is how often the index of the archive names a URL.
func indexed(t *testing.T, c *crawlfile.Crawl, url string) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(crawlfolder.Archive(c.Output), "index.cdxj.part"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(string(text), `"url":"`+url+`"`)
}

// TestKept: a crawl of the live Web keeps an archive unless it is told not to, one of an archive only where it is told to.
func TestKept(t *testing.T) {
	for _, tc := range []struct {
		keep       string
		live, over bool
	}{{"auto", true, false}, {"on", true, true}, {"off", false, false}} {
		c := &crawlfile.Crawl{}
		c.Archive.Keep = tc.keep
		live := Kept(c)
		c.Web = new(crawlfile.Web)
		if over := Kept(c); live != tc.live || over != tc.over {
			t.Errorf("%s: live %v, over an archive %v", tc.keep, live, over)
		}
	}
	c := aCrawl(t)
	c.Archive.Keep = "off"
	if r, err := Open(c, []byte("no mark"), nil); r != nil || err != nil {
		t.Errorf("%v, %v: an archive that is not kept was opened", r, err)
	}
}

// TestEffort: compression takes what time the crawl leaves, but over an archive always the same.
func TestEffort(t *testing.T) {
	heavy := int64(8*runtime.GOMAXPROCS(0) + 1)
	for _, tc := range []struct {
		compression string
		over        bool
		pages       int64
		want        archive.Effort
	}{
		{"fast", false, 0, archive.Thorough},
		{"fast", false, 1, archive.Thorough},
		{"fast", false, 2, archive.Usual},
		{"fast", false, heavy - 1, archive.Usual},
		{"fast", false, heavy, archive.Hasty},
		{"small", false, heavy, archive.Thorough},
		{"fast", true, 0, archive.Usual},
		{"fast", true, heavy, archive.Usual},
		{"small", true, 2, archive.Thorough},
	} {
		c, load := &crawlfile.Crawl{}, new(step.Load)
		if c.Archive.Compression = tc.compression; tc.over {
			c.Web = new(crawlfile.Web)
		}
		if load.Add(tc.pages); effort(c, load)() != tc.want {
			t.Errorf("%+v: %v", tc, effort(c, load)())
		}
	}
}

// TestAsides: robots.txt files and contexts are archived once, also by the session after; pages each time.
func TestAsides(t *testing.T) {
	c := aCrawl(t)
	r := opened(t, c, nil)
	const robots, context, page = "http://a.test/robots.txt", "http://a.test/context.json", "http://a.test/robots.txt.html"
	keep := func() {
		t.Helper()
		r.Keep(answer(robots, orbweaver.ForRobots, nil), []byte("User-agent: *"))
		ref, err := r.Append(&contexts.Aside{Response: answer(context, orbweaver.ForContext, nil), Payload: []byte("{}")})
		if err != nil || ref != (orbweaver.Ref{}) {
			t.Errorf("an aside has a place: %+v, %v", ref, err)
		}
		if ref := put(t, r, page, "a page", nil); ref.File == "" {
			t.Error("a page has no place")
		}
		if err := r.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	keep()
	keep()
	mark, err := r.Mark()
	if err = errors.Join(err, r.Close()); err != nil {
		t.Fatal(err)
	}
	r = opened(t, c, mark)
	if r.moved {
		t.Error("it moved before anything was added")
	}
	keep()
	if got := fmt.Sprint(indexed(t, c, robots), indexed(t, c, context), indexed(t, c, page)); got != "1 1 3" || r.moved {
		t.Errorf("in the index: %s, want 1 1 3; moved %v", got, r.moved)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

// TestOpenToAMark: what is behind the mark of the last batch is gone; a mark that can't be read is damage.
func TestOpenToAMark(t *testing.T) {
	c := aCrawl(t)
	r := opened(t, c, nil)
	put(t, r, "http://a.test/1", "one", nil)
	mark, err := r.Mark()
	if err != nil {
		t.Fatal(err)
	}
	put(t, r, "http://a.test/2", "two", nil)
	r.Keep(answer("http://a.test/robots.txt", orbweaver.ForRobots, nil), []byte("x"))
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	r = opened(t, c, mark)
	r.Keep(answer("http://a.test/robots.txt", orbweaver.ForRobots, nil), []byte("x"))
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(indexed(t, c, "http://a.test/1"), indexed(t, c, "http://a.test/2"), indexed(t, c, "http://a.test/robots.txt"))
	if got != "1 0 1" {
		t.Errorf("in the index: %s, want 1 0 1", got)
	}
	if _, err := Open(c, []byte("{"), nil); !errors.Is(err, orbweaver.ErrDamaged) {
		t.Errorf("of a mark that is none: %v", err)
	}
}

// TestBook: a batch has the archive's mark if an aside was added since the one before, and a failure to add one is the batch's.
func TestBook(t *testing.T) {
	c := aCrawl(t)
	r := opened(t, c, nil)
	l, err := ledger.Open(c.Output)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	book := Book{l, r}
	commit := func() string {
		t.Helper()
		if err := book.Commit(step.Batch{Progress: step.Progress{Requests: 1}}); err != nil {
			t.Fatal(err)
		}
		return string(l.Archive())
	}
	if mark := commit(); mark != "" {
		t.Errorf("a mark of nothing: %s", mark)
	}
	r.Keep(answer("http://a.test/robots.txt", orbweaver.ForRobots, nil), []byte("x"))
	want, err := r.Mark()
	if err != nil {
		t.Fatal(err)
	}
	if mark := commit(); mark != string(want) {
		t.Errorf("the mark %s, want %s", mark, want)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	away := aCrawl(t)
	r = opened(t, away, nil)
	book.Recorder = r
	if err := os.RemoveAll(crawlfolder.Archive(away.Output)); err != nil {
		t.Fatal(err)
	}
	r.Keep(answer("http://b.test/robots.txt", orbweaver.ForRobots, nil), []byte("x"))
	if err := book.Commit(step.Batch{}); err == nil || !strings.Contains(err.Error(), "archive http://b.test/robots.txt") {
		t.Errorf("after an aside that could not be added: %v", err)
	}
	r.Keep(answer("http://c.test/robots.txt", orbweaver.ForRobots, nil), []byte("x"))
	if _, err := r.Append(&contexts.Aside{Response: answer("http://d.test/c", orbweaver.ForContext, nil)}); err == nil || !strings.Contains(err.Error(), "b.test") {
		t.Errorf("the first failure is not told any more: %v", err)
	}
}

// TestSince: the validators of the archived version; none where it has none, or is not there.
func TestSince(t *testing.T) {
	r := opened(t, aCrawl(t), nil)
	defer r.Close()
	for name, tc := range map[string]struct {
		header http.Header
		want   *orbweaver.Version
	}{
		"none": {nil, nil},
		"tag":  {http.Header{"Etag": {`"x"`}}, &orbweaver.Version{ETag: `"x"`}},
		"date": {http.Header{"Last-Modified": {"yesterday"}}, &orbweaver.Version{LastModified: "yesterday"}},
		"both": {http.Header{"Etag": {"y"}, "Last-Modified": {"today"}}, &orbweaver.Version{ETag: "y", LastModified: "today"}},
	} {
		ref := put(t, r, "http://a.test/"+name, name, tc.header)
		if v := r.Since(orbweaver.Outcome{Record: ref}); (v == nil) != (tc.want == nil) || v != nil && *v != *tc.want {
			t.Errorf("%s: %+v, want %+v", name, v, tc.want)
		}
	}
	if v := r.Since(orbweaver.Outcome{Record: orbweaver.Ref{File: "gone.warc.gz", Length: 1}}); v != nil {
		t.Errorf("of a record that is gone: %+v", v)
	}
}

// TestPast: a page is read again by its record, or by its URL where none is known; without a recorder one is opened for a revisit alone.
func TestPast(t *testing.T) {
	c := aCrawl(t)
	r := opened(t, c, nil)
	first := put(t, r, "http://a.test/1", "the same", nil)
	second := put(t, r, "http://a.test/2", "the same", nil)
	if err := errors.Join(r.Sync(), r.Close()); err != nil {
		t.Fatal(err)
	}
	opens := 0
	p := &Past{Folder: crawlfolder.Archive(c.Output), Chooses: true, Open: func() (*Recorder, error) {
		opens++
		return nil, errors.New("must not be opened")
	}}
	defer p.Close()
	for url, ref := range map[string]orbweaver.Ref{"http://a.test/1": first, "http://a.test/2": second, "http://a.test/1#": {}} {
		o := orbweaver.Outcome{Request: orbweaver.Request{URL: strings.TrimSuffix(url, "#"), Depth: 3}, Record: ref}
		response, err := p.Again(t.Context(), o)
		if err != nil {
			t.Fatalf("%s: %v", url, err)
		}
		body, err := io.ReadAll(response.Body)
		if string(body) != "the same" || err != nil || ref.File != "" && (!response.Told || response.Request.Depth != 3) {
			t.Errorf("%s: %q, %v, %+v", url, body, err, response)
		}
		response.Body.Close()
	}
	if _, err := p.Again(t.Context(), orbweaver.Outcome{Request: orbweaver.Request{URL: "http://a.test/3"}}); !errors.Is(err, orbweaver.ErrAbsent) {
		t.Errorf("of a URL that it lacks: %v", err)
	}
	if opens > 0 {
		t.Error("a recorder was opened, though each record says where its body is")
	}
	none := new(Past)
	if _, err := none.Again(t.Context(), orbweaver.Outcome{Record: first}); !errors.Is(err, orbweaver.ErrAbsent) {
		t.Errorf("of no archive: %v", err)
	}
	missing := &Past{Folder: t.TempDir(), Gathered: true}
	if _, err := missing.Again(t.Context(), orbweaver.Outcome{}); err == nil {
		t.Error("a folder without an archive was read")
	}
	if err := errors.Join(none.Close(), missing.Close()); err != nil {
		t.Error(err)
	}
}

// TestKnown: a crawl does not take itself for another, and says what it could not read.
func TestKnown(t *testing.T) {
	c := aCrawl(t)
	r := opened(t, c, nil)
	put(t, r, "http://a.test/1", "one", nil)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	var said []string
	known := func(paths ...string) (*archive.Known, error) {
		c.Archive.Known = paths
		return Known(t.Context(), c, func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) })
	}
	if k, err := known(); k != nil || err != nil {
		t.Errorf("none is named: %v, %v", k, err)
	}
	for _, path := range []string{c.Output, crawlfolder.Archive(c.Output), filepath.Join(c.Output, "archive", ".")} {
		if _, err := known(path); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "the crawl itself") {
			t.Errorf("%s: %v", path, err)
		}
	}
	broken := filepath.Join(t.TempDir(), "broken.warc")
	if err := os.WriteFile(broken, []byte("not one"), 0o666); err != nil {
		t.Fatal(err)
	}
	k, err := known(broken)
	if err != nil || k == nil || len(said) == 0 || !strings.HasPrefix(said[0], "warning: archive.known: ") {
		t.Fatalf("%v, %v, said %q", k, err, said)
	}
	(*Recorder)(nil).Know(k)
	if err := k.Close(); err != nil {
		t.Error(err)
	}
	{
		c.Archive.Keep = "off"
		if k, err := known(broken); k != nil || err != nil {
			t.Errorf("a crawl that keeps no archive: %v, %v", k, err)
		}
	}
}

// TestSparedWords: how many answers, how much, and whose.
func TestSparedWords(t *testing.T) {
	for want, s := range map[string]step.Spared{
		"1 answer, 5 bytes, which a/b has": {Of: "a/b", Pages: 1, Bytes: 5},
		"2 answers, 10 bytes, which c has": {Of: "c", Pages: 2, Bytes: 10},
	} {
		if got := SparedWords(s); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		if facts := SparedFacts([]step.Spared{s, s}); len(facts) != 2 || facts[1].Name != "not stored again" || facts[1].Value != want {
			t.Errorf("%+v", facts)
		}
	}
}
