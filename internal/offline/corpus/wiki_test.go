package corpus

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver"
	"orbweaver/fetch/client"
	"orbweaver/fetch/fetchtest"
	"orbweaver/fetch/mediawiki"
	"orbweaver/fetch/searxng"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/services/wire"
)

// testWiki is a wiki on a network in memory.
type testWiki struct {
	t        *testing.T
	network  *fetchtest.Network
	html     bool                                              // it returns no plain text
	instead  func(w http.ResponseWriter, r *http.Request) bool // answers in place of the wiki
	requests []string                                          // "category Types", "subjects 1|2", "page 1"
	last     time.Time
}

// testWikiPages are its pages. The first part of each is its title; the third part of a redirect is its
// target.
var testWikiPages = map[int][]string{
	1: {"Diabetes mellitus", "A disease.\n\n== Types ==\nTwo."},
	2: {"AC/DC: \"..\"", "A name that no file has."},
	3: {"Elliott Joslin", "A physician.", "", "1869 births"},
	4: {"DM", "", "Diabetes mellitus"},
	5: {"Nothing", ""},
	6: {"Pump", "", "Insulin pump"},
	7: {"Insulin pump", "A pump."},
}

func newTestWiki(t *testing.T) *testWiki {
	k := &testWiki{t: t, network: fetchtest.NewNetwork()}
	k.network.Serve("wiki.test", fetchtest.Address(0), k)
	t.Cleanup(k.network.Close)
	return k
}

func (k *testWiki) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if gap := time.Since(k.last); !k.last.IsZero() && gap < time.Second {
		k.t.Errorf("requested after %v", gap)
	}
	if agent := r.UserAgent(); agent != "orbweaver (+me@example.org)" {
		k.t.Errorf("User-Agent %q", agent)
	}
	defer func() { k.last = time.Now() }()
	q := r.URL.Query()
	switch {
	case q.Has("cmtitle"):
		k.requests = append(k.requests, q.Get("cmtitle"))
	case q.Has("cllimit"):
		k.requests = append(k.requests, "subjects "+q.Get("pageids"))
	default:
		k.requests = append(k.requests, "page "+q.Get("pageids")+q.Get("pageid"))
	}
	if k.instead != nil && k.instead(w, r) {
		return
	}
	w.Header().Set("Content-Type", "application/json")
	switch {
	case q.Get("cmtitle") == "Category:Diabetes":
		fmt.Fprint(w, `{"query":{"categorymembers":[{"pageid":1,"title":"Diabetes mellitus","type":"page"},{"pageid":2,"title":"AC/DC: \"..\"","type":"page"},
			{"pageid":3,"title":"Elliott Joslin","type":"page"},{"pageid":4,"title":"DM","type":"page"},{"pageid":9,"title":"Category:Types","ns":14,"type":"subcat"}]}}`)
	case q.Get("cmtitle") == "Category:Types":
		fmt.Fprint(w, `{"query":{"categorymembers":[{"pageid":5,"title":"Nothing","type":"page"},{"pageid":6,"title":"Pump","type":"page"},{"pageid":9,"title":"Category:Diabetes","ns":14,"type":"subcat"}]}}`)
	case q.Has("cmtitle"):
		fmt.Fprint(w, `{"query":{"categorymembers":[]}}`)
	case q.Get("action") == "parse":
		id, _ := strconv.Atoi(q.Get("pageid"))
		_ = json.NewEncoder(w).Encode(map[string]any{"parse": map[string]any{"text": "<p>" + testWikiPages[id][1] + "</p>"}})
	default:
		k.pages(w, strings.Split(q.Get("pageids"), "|"), q.Has("redirects"))
	}
}

func (k *testWiki) pages(w http.ResponseWriter, ids []string, resolve bool) {
	var pages, redirects []any
	for _, text := range ids {
		id, _ := strconv.Atoi(text)
		p := testWikiPages[id]
		if resolve && len(p) == 3 {
			to := p[2]
			redirects = append(redirects, map[string]any{"from": p[0], "to": to})
			for target, q := range testWikiPages {
				if q[0] == to {
					id, p = target, q
				}
			}
		}
		page := map[string]any{"pageid": id, "title": p[0], "canonicalurl": fmt.Sprintf("http://wiki.test/%d", id), "pagelanguage": "en"}
		if len(p) > 3 {
			page["categories"] = []any{map[string]any{"title": "Category:" + p[3]}}
		}
		if !k.html {
			page["extract"] = p[1]
		}
		if id == 1 {
			page["redirects"] = []any{map[string]any{"title": "DM"}}
		}
		pages = append(pages, page)
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"query": map[string]any{"pages": pages, "redirects": redirects}})
}

// corpus runs a job.
func (k *testWiki) corpus(ctx context.Context, job Job) (messages string, err error) {
	var out bytes.Buffer
	k.requests, k.last = nil, time.Time{}
	a := &console.Console{Out: &out, Err: &out}
	job.Wire = wire.Wire{Options: client.Options{Resolve: k.network.Resolve, Dial: k.network.Dial}}
	if job.Category == "" {
		job.Category = "Category:Diabetes"
	}
	job.API, job.AllowPrivate, job.Contact = "http://wiki.test/w/api.php", anyPrivate(), "me@example.org"
	err = Fetch(ctx, a, job)
	return out.String(), err
}

// titlesIn returns the titles of the documents in a folder.
func titlesIn(t *testing.T, dir string) (titles []string) {
	t.Helper()
	all, _, _, err := corpusRead(dir)
	if err != nil {
		t.Error(err)
	}
	for _, d := range all {
		titles = append(titles, d.Title)
	}
	return titles
}

// checkList compares lists.
func checkList(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

// TestCorpusOfWiki: a file per page, a line per member, without persons; existing pages are not requested
// again.
func TestCorpusOfWiki(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "corpus")
	synctest.Test(t, func(t *testing.T) {
		k := newTestWiki(t)
		messages, err := k.corpus(t.Context(), Job{Depth: 1, Out: dir})
		if err != nil || !strings.HasSuffix(messages, "corpus: 3 pages, 3 of them new; left out: 1 person; left out: 2 redirect; left out: 1 no-text\n") {
			t.Errorf("%v: %q", err, messages)
		}
		checkList(t, "asked", k.requests, "Category:Diabetes", "Category:Types", "subjects 1|2|3|4|5|6", "page 1", "page 2", "page 5", "page 7")
		checkList(t, "titles", titlesIn(t, dir), `AC/DC: ".."`, "Diabetes mellitus", "Insulin pump")
		index := string(must(os.ReadFile(filepath.Join(dir, corpusIndex))))
		if strings.Count(index, "\n") != 7 || !strings.Contains(index, `"redirects":["DM"]`) || !strings.Contains(index, `"left":"person","evidence":"1869 births"`) {
			t.Error(index)
		}
		var line corpusLine
		if err := json.Unmarshal([]byte(index[:strings.Index(index, "\n")]), &line); err != nil || line.URL != "http://wiki.test/1" {
			t.Errorf("%+v, %v", line, err)
		}
		if text := must(os.ReadFile(filepath.Join(dir, line.File))); string(text) != "Diabetes mellitus\n\nA disease.\n\nTypes\n\nTwo.\n" {
			t.Errorf("%q", text)
		}
		messages, err = k.corpus(t.Context(), Job{Depth: 1, Out: dir})
		if err != nil || !strings.Contains(messages, "3 pages, 0 of them new") {
			t.Errorf("%v: %q", err, messages)
		}
		checkList(t, "asked again", k.requests, "Category:Diabetes", "Category:Types")
		if after := must(os.ReadFile(filepath.Join(dir, corpusIndex))); string(after) != index {
			t.Errorf("%s", after)
		}
		if messages, err = k.corpus(t.Context(), Job{Out: dir, Persons: true}); err != nil || !strings.Contains(messages, "3 pages, 1 of them new") {
			t.Errorf("%v: %q", err, messages)
		}
		checkList(t, "persons", k.requests, "Category:Diabetes", "subjects 3", "page 3")
	})
}

// TestCorpusOfWikiLimits: the limit includes the pages of earlier runs.
func TestCorpusOfWikiLimits(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "corpus")
	synctest.Test(t, func(t *testing.T) {
		k := newTestWiki(t)
		for i, want := range []int{1, 1, 2, 2} {
			messages, err := k.corpus(t.Context(), Job{Out: dir, Limit: []int{1, 1, 2, 3}[i]})
			if err != nil || !strings.Contains(messages, fmt.Sprintf("%d pages", want)) || len(titlesIn(t, dir)) != want {
				t.Errorf("%d: %v: %q", i, err, messages)
			}
		}
	})
}

// TestCorpusOfWikiInHTML: a wiki that makes no plain text.
func TestCorpusOfWikiInHTML(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "corpus")
	synctest.Test(t, func(t *testing.T) {
		k := newTestWiki(t)
		k.html = true
		if messages, err := k.corpus(t.Context(), Job{Out: dir, Limit: 1}); err != nil {
			t.Errorf("%v: %q", err, messages)
		}
		all, _, _, _ := corpusRead(dir)
		if len(all) != 1 || all[0].Title != "Diabetes mellitus" || !strings.Contains(all[0].Text, "A disease.") || strings.Contains(all[0].Text, "<") {
			t.Errorf("%+v", all)
		}
	})
}

// TestCorpusOfWikiGoesOn: a run interrupted anywhere, with a torn line or without, continues to the same
// result.
func TestCorpusOfWikiGoesOn(t *testing.T) {
	whole := filepath.Join(t.TempDir(), "whole")
	synctest.Test(t, func(t *testing.T) {
		if _, err := newTestWiki(t).corpus(t.Context(), Job{Depth: 1, Out: whole}); err != nil {
			t.Fatal(err)
		}
	})
	want := treeOf(t, whole)
	for stop := range 7 {
		dir := filepath.Join(t.TempDir(), "part")
		synctest.Test(t, func(t *testing.T) {
			k := newTestWiki(t)
			k.instead = func(w http.ResponseWriter, r *http.Request) bool {
				if len(k.requests) > stop {
					http.Error(w, "enough", http.StatusForbidden)
				}
				return len(k.requests) > stop
			}
			messages, err := k.corpus(t.Context(), Job{Depth: 1, Out: dir})
			if !errors.Is(err, orbweaver.ErrStatus) || !strings.Contains(err.Error(), "403: enough") {
				t.Errorf("%v: %q", err, messages)
			}
			if f, err := os.OpenFile(filepath.Join(dir, corpusIndex), os.O_APPEND|os.O_WRONLY, 0); err == nil {
				fmt.Fprint(f, `{"api":"http://wiki.test/w/api.php","id":7,"title":"`, strings.Repeat("x", 5000))
				f.Close()
			}
			k.instead = nil
			if messages, err = k.corpus(t.Context(), Job{Depth: 1, Out: dir}); err != nil {
				t.Errorf("%v: %q", err, messages)
			}
		})
		if got := treeOf(t, dir); got != want {
			t.Errorf("stopped after %d:\n%s\nwant\n%s", stop, got, want)
		}
	}
}

// treeOf returns all files of a folder.
func treeOf(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	for _, e := range must(os.ReadDir(dir)) {
		fmt.Fprintf(&b, "%s:\n%s\n", e.Name(), must(os.ReadFile(filepath.Join(dir, e.Name()))))
	}
	return b.String()
}

// TestCorpusOfWikiErrors: an invalid job fails before anything is written.
func TestCorpusOfWikiErrors(t *testing.T) {
	foreign := folderOf(t, map[string]string{"mine.txt": "x"})
	broken := folderOf(t, map[string]string{corpusIndex: "{}\nno JSON\n"})
	synctest.Test(t, func(t *testing.T) {
		k := newTestWiki(t)
		for _, tc := range []struct {
			name string
			job  Job
			err  error
			says string
		}{
			{"another's folder", Job{Out: foreign}, orbweaver.ErrForeign, "choose another"},
			{"a broken index", Job{Out: broken}, orbweaver.ErrInput, "corpus.jsonl:2"},
			{"a file", Job{Out: filepath.Join(foreign, "mine.txt")}, orbweaver.ErrInput, "mine.txt"},
			{"all at once", Job{Category: "Category:", Depth: -1}, orbweaver.ErrInput, "name a category"},
			{"a language too", Job{Lang: "de", Out: "x"}, orbweaver.ErrInput, "language"},
			{"no such category", Job{Category: "Diabtes", Out: filepath.Join(foreign, "new")}, orbweaver.ErrInput, "check its name"},
		} {
			messages, err := k.corpus(t.Context(), tc.job)
			if !errors.Is(err, tc.err) || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("%s: %v, %q", tc.name, err, messages)
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), 2500*time.Millisecond)
		defer cancel()
		dir := filepath.Join(foreign, "stopped")
		if _, err := k.corpus(ctx, Job{Out: dir}); !errors.Is(err, console.ErrInterrupted) || len(titlesIn(t, dir)) != 1 {
			t.Error(err)
		}
		os.RemoveAll(dir)
		k.instead = func(w http.ResponseWriter, r *http.Request) bool {
			fmt.Fprint(w, `{"query":{"categorymembers":[{"pageid":3,"title":"x","type":"page"}],"pages":[{"pageid":3,"title":"x","categories":[{"title":"Category:Living people"}]}]}}`)
			return true
		}
		if _, err := k.corpus(t.Context(), Job{Out: dir}); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "1 person") {
			t.Error(err)
		}
	})
	if entries := must(os.ReadDir(foreign)); len(entries) != 2 { // the last one notes the person
		t.Errorf("%v", entries)
	}
}

// TestCorpusAPIs: the API address of a Wikipedia depends on its language.
func TestCorpusAPIs(t *testing.T) {
	for lang, want := range map[string]string{
		"": "https://en.wikipedia.org/w/api.php", "de": "https://de.wikipedia.org/w/api.php", "be-tarask": "https://be-tarask.wikipedia.org/w/api.php",
		"evil.test/": "", "a@b": "", "-": "", "EN": "", strings.Repeat("x", 99): "",
	} {
		api, err := Job{Category: "x", Out: "x", Lang: lang}.check()
		if api != want && want != "" || (err == nil) != (want != "") || err != nil && !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("%q: %q, %v", lang, api, err)
		}
	}
	if _, err := (Job{Category: "x", Out: "x", API: "ftp://x.test"}).check(); !errors.Is(err, orbweaver.ErrInput) {
		t.Error(err)
	}
}

// TestCorpusIsGuarded: a wiki at a private address is refused unless allowed.
func TestCorpusIsGuarded(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("unexpected request") }))
	defer s.Close()
	var out bytes.Buffer
	err := Fetch(t.Context(), &console.Console{Out: &out, Err: &out}, Job{Category: "x", Out: filepath.Join(t.TempDir(), "new"), API: s.URL})
	if !errors.Is(err, orbweaver.ErrPrivate) || !strings.Contains(out.String(), "no contact") {
		t.Errorf("%v: %q", err, &out)
	}
}

// TestCorpusNames: file names are portable, and unique per page.
func TestCorpusNames(t *testing.T) {
	safe := regexp.MustCompile(`^[\p{L}\p{Nd}][\p{L}\p{Nd}-]{0,120}-[0-9a-f]{8}\.txt$`)
	names := map[string]bool{}
	for i, title := range []string{"Diabetes", "diabetes", "../../etc/passwd", "con", "", "...", "a\x00b\xff", strings.Repeat("糖尿病", 200), "Ménière's disease", "-x-"} {
		name := corpusName(title, "http://a.test/", int64(i))
		if !safe.MatchString(name) || len(name) > 140 || names[strings.ToLower(name)] {
			t.Errorf("%q: %q", title, name)
		}
		names[strings.ToLower(name)] = true
	}
	if got := corpusName("Ménière's disease (ear)", "http://a.test/", 1); !strings.HasPrefix(got, "Ménière-s-disease-ear-") {
		t.Error(got)
	}
}

// TestGetterBounds: the limit of a compressed answer applies to its decompressed size.
func TestGetterBounds(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/big" {
			w.Write(make([]byte, 2000))
		}
		w.Write([]byte("ok"))
	}))
	defer s.Close()
	g := wire.NewGetter(wire.Wire{}, ownMachine(), "")
	g.Limit = 1000
	defer g.Close()
	if _, body, err := g.Get(t.Context(), s.URL+"/", ""); err != nil || string(body) != "ok" {
		t.Errorf("%q, %v", body, err)
	}
	if _, _, err := g.Get(t.Context(), s.URL+"/big", ""); !errors.Is(err, orbweaver.ErrTooLarge) {
		t.Error(err)
	}
}

var (
	_ mediawiki.Getter = (*wire.Getter)(nil)
	_ searxng.Getter   = (*wire.Getter)(nil)
)

// FuzzCorpusIndex: any index is read up to its last complete line, or refused.
func FuzzCorpusIndex(f *testing.F) {
	f.Add([]byte("{\"api\":\"a\",\"id\":1,\"left\":\"person\"}\r\n{}\n{\"id\""))
	f.Add([]byte("\n"))
	f.Add([]byte("[]\nnull\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		folder := &corpusFolder{dir: "d", api: "a", known: map[int64]corpusPage{}}
		err := folder.read(bytes.NewReader(text))
		whole := int64(bytes.LastIndexByte(text, '\n') + 1)
		if err == nil && folder.size != whole || err != nil && !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("%d of %d bytes, %v", folder.size, whole, err)
		}
	})
}

func anyPrivate() crawlfile.Private { return crawlfile.Private{All: true} }

func ownMachine() crawlfile.Private {
	return crawlfile.Private{Networks: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
}
