package jsonld_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/jsonld"
)

// A web serves contexts and counts requests.
type web struct {
	files map[string]string
	asked atomic.Int64
}

func (w *web) load(_ context.Context, url string) (io.ReadCloser, string, string, error) {
	w.asked.Add(1)
	text, ok := w.files[url]
	if !ok {
		return nil, "", "", errors.New("no such document")
	}
	if html, ok := strings.CutPrefix(text, "html:"); ok {
		return io.NopCloser(strings.NewReader(html)), "text/html", url, nil
	}
	if moved, ok := strings.CutPrefix(text, "moved:"); ok {
		return io.NopCloser(strings.NewReader(w.files[moved])), "application/ld+json; charset=utf-8", moved, nil
	}
	return io.NopCloser(strings.NewReader(text)), "application/ld+json", "", nil
}

const ctx = "http://c.org/"

// contexts returns a web of contexts with the given includes.
func contexts(includes map[string]string) *web {
	w := &web{files: map[string]string{}}
	for name, list := range includes {
		w.files[ctx+name] = `{"@context": [` + list + `]}`
	}
	return w
}

func TestContexts(t *testing.T) {
	const p = `{"p": "u:p"}`
	for _, tc := range []struct {
		name     string
		includes map[string]string
		in, want string // want: an error unless it starts with "_"
		asked    int64
	}{
		{"one", map[string]string{"a": p}, `"@context": "http://c.org/a", "p": "1"`, "_:genid1 <u:p> \"1\" .\n", 1},
		{"relative to the document", map[string]string{"a": p}, `"@context": "a", "p": "1"`, "_:genid1 <u:p> \"1\" .\n", 1},
		{"relative to a context", map[string]string{"x/a": `"../y/b"`, "y/b": p}, `"@context": "x/a", "p": "1"`, "_:genid1 <u:p> \"1\" .\n", 2},
		{"imported", map[string]string{"a": ``}, `"@context": {"@version": 1.1, "@import": "i"}, "p": "1"`, "_:genid1 <u:p> \"1\" .\n", 1},
		{"of a term, relative to its context", map[string]string{"x/a": `{"t": {"@id": "u:t", "@context": "b"}}`, "x/b": p}, `"@context": "x/a", "t": {"p": "1"}`,
			"_:genid2 <u:p> \"1\" .\n_:genid1 <u:t> _:genid2 .\n", 2},
		{"of a term, unused", map[string]string{"a": `{"p": "u:p", "t": {"@id": "u:t", "@context": "none"}}`}, `"@context": "a", "p": "1"`, "_:genid1 <u:p> \"1\" .\n", 1},
		{"of a term that includes itself where it is used", map[string]string{"a": `{"p": "u:p", "t": {"@id": "u:t", "@context": "a"}}`}, `"@context": "a", "t": {"t": {"p": "1"}}`,
			"_:genid3 <u:p> \"1\" .\n_:genid2 <u:t> _:genid3 .\n_:genid1 <u:t> _:genid2 .\n", 1},
		{"used twice", map[string]string{"a": p}, `"@context": ["a"], "u:q": {"@context": "a", "p": "1"}`, "_:genid2 <u:p> \"1\" .\n_:genid1 <u:q> _:genid2 .\n", 1},
		{"including itself", map[string]string{"a": `"a"`}, `"@context": "a"`, "context http://c.org/a includes itself", 1},
		{"including itself in a circle", map[string]string{"a": p + `, "b"`, "b": `"c"`, "c": `"b"`}, `"@context": "a"`, "context http://c.org/b includes itself", 3},
		{"importing itself", map[string]string{"a": `{"@import": "a"}`}, `"@context": "a"`, "context http://c.org/a includes itself", 1},
		{"missing", nil, `"@context": "a"`, "context http://c.org/a: no such document", 1},
		{"missing in another", map[string]string{"a": `"b"`}, `"@context": "a"`, "context http://c.org/b: no such document", 2},
		{"broken", map[string]string{"a": `{,}`}, `"@context": "a"`, "context http://c.org/a:1:16: a name in quotes", 1},
		{"none", nil, `"@context": "empty"`, "context http://c.org/empty: the document has no context", 1},
		{"a page", nil, `"@context": "page"`, `context http://c.org/page: "text/html" is no media type of JSON`, 1},
		{"moved", map[string]string{"x/b": `"c"`, "x/c": p}, `"@context": "moved", "p": "1"`, "_:genid1 <u:p> \"1\" .\n", 2},
		{"one inside another, too deep", deep(), `"@context": "d0"`, "contexts include contexts more than 3 deep", 3},
		{"too many", map[string]string{"a": p, "b": p, "c": p, "d": p, "e": p, "f": p}, `"@context": ["a", "b", "c", "d", "e", "f"]`, "needs more than 5 contexts", 5},
		{"too long", map[string]string{"a": `{"p": "u:` + strings.Repeat("p", 2000) + `"}`}, `"@context": "a"`, "context http://c.org/a: more than 2000 bytes", 1},
		{"too long together", map[string]string{"a": `{"p": "u:` + strings.Repeat("p", 1500) + `"}, "b"`, "b": `{"p": "u:` + strings.Repeat("p", 1500) + `"}`},
			`"@context": "a"`, "needs contexts of more than 2000 bytes", 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := contexts(tc.includes)
			w.files[ctx+"i"] = `{"@context": {"p": "u:p"}}`
			w.files[ctx+"empty"], w.files[ctx+"page"], w.files[ctx+"moved"] = `{}`, "html:{}", "moved:"+ctx+"x/b"
			opts := jsonld.Options{Options: syntax.Options{Base: ctx + "doc"}, Load: w.load, MaxContexts: 5, MaxContextBytes: 2000, MaxContextDepth: 3}
			quads, err := rdftest.All(jsonld.Read(strings.NewReader("{"+tc.in+"}"), opts))
			if good := strings.HasPrefix(tc.want, "_"); good && (err != nil || lines(quads) != tc.want) ||
				!good && (err == nil || !strings.Contains(err.Error(), tc.want)) {
				t.Errorf("got\n%s%v\nwant\n%s", lines(quads), err, tc.want)
			}
			if n := w.asked.Load(); n != tc.asked {
				t.Errorf("%d contexts asked for, want %d", n, tc.asked)
			}
		})
	}
}

// deep returns a chain of contexts, each including the next.
func deep() map[string]string {
	out := map[string]string{}
	for i := range 20 {
		out[fmt.Sprintf("d%d", i)] = fmt.Sprintf(`"d%d"`, i+1)
	}
	return out
}

// Contexts that include two others each exceed MaxWork; each is loaded once.
func TestDoubling(t *testing.T) {
	includes := map[string]string{}
	for i := range 20 {
		next := fmt.Sprintf(`{"p": "u:p"}, "d%d", "e%d"`, i+1, i+1)
		includes[fmt.Sprintf("d%d", i)], includes[fmt.Sprintf("e%d", i)] = next, next
	}
	includes["d20"], includes["e20"] = `{"p": "u:p"}`, `{"p": "u:p"}`
	w := contexts(includes)
	opts := jsonld.Options{Options: syntax.Options{Base: ctx}, Load: w.load, MaxContexts: 50, MaxContextDepth: 50}
	_, err := rdftest.All(jsonld.Read(strings.NewReader(`{"@context": "d0", "p": "1"}`), opts))
	if err == nil || !strings.Contains(err.Error(), "too much work") || w.asked.Load() != 41 {
		t.Errorf("%d contexts asked for, %v", w.asked.Load(), err)
	}
}

func TestNoLoad(t *testing.T) {
	in := `{"@context": "http://c.org/a", "p": "1", "u:q": "2"}`
	if _, err := rdftest.All(jsonld.Read(strings.NewReader(in), jsonld.Options{})); !errors.Is(err, jsonld.ErrNotLoaded) || !strings.Contains(err.Error(), "http://c.org/a") {
		t.Errorf("strict: %v", err)
	}
	out, reported, err := script(in, jsonld.Options{Options: syntax.Options{Lenient: true}})
	if err != nil || out != "_:genid1 <u:q> \"2\" .\n" || len(reported) != 1 || !strings.Contains(reported[0], "http://c.org/a") {
		t.Errorf("lenient: %q, %q, %v", out, reported, err)
	}
}

// An unavailable context is requested once per document.
func TestFailureOnce(t *testing.T) {
	w := contexts(nil)
	in := `[` + strings.Repeat(`{"@context": "http://c.org/a", "u:q": "2"},`, 500) + `{"@context": 1}]`
	out, reported, err := script(in, jsonld.Options{Options: syntax.Options{Lenient: true}, Load: w.load})
	if err == nil || out != "" || len(reported) != 1 || w.asked.Load() != 1 {
		t.Errorf("%q, %q, %v, asked %d", out, reported, err, w.asked.Load())
	}
}

// The JSON of a context is repaired as a document's is, cached or not, and a strict read fails at it.
func TestFlawedContext(t *testing.T) {
	w := &web{files: map[string]string{ctx + "a": `{"@context": {"p": "u:one", "p": "u:p",}}`}}
	in := `{"@context": "http://c.org/a", "p": "1"}`
	opts := jsonld.Options{Load: w.load, Contexts: jsonld.NewContexts(1 << 20)}
	for range 2 {
		opts.Lenient = true
		out, reported, err := script(in, opts)
		if err != nil || out != "_:genid1 <u:p> \"1\" .\n" || len(reported) != 1 || !strings.Contains(reported[0], `the name "p" comes twice`) {
			t.Errorf("lenient: %q, %q, %v", out, reported, err)
		}
		opts.Lenient = false
		if out, _, err := script(in, opts); err == nil || out != "" || !strings.Contains(err.Error(), `http://c.org/a:1:`) || !strings.Contains(err.Error(), "twice") {
			t.Errorf("strict: %q, %v", out, err)
		}
	}
	if w.asked.Load() != 1 {
		t.Errorf("asked %d", w.asked.Load())
	}
}

// Cached contexts are not loaded again, count against the limits, and are bounded.
func TestKept(t *testing.T) {
	w := contexts(map[string]string{"a": `{"p": "u:p"}`, "b": `{"q": "u:q"}`, "c": `{"r": "u:r"}`})
	size := len(w.files[ctx+"a"])
	opts := jsonld.Options{Load: w.load, Contexts: jsonld.NewContexts(2 * size), MaxContexts: 2}
	read := func(names ...string) error {
		in := `{"@context": ["` + ctx + strings.Join(names, `", "`+ctx) + `"], "p": "1"}`
		_, err := rdftest.All(jsonld.Read(strings.NewReader(in), opts))
		return err
	}
	for _, step := range []struct {
		names []string
		asked int64 // in total
	}{
		{[]string{"a"}, 1}, {[]string{"a"}, 1}, {[]string{"b", "a"}, 2}, {[]string{"c"}, 3},
		{[]string{"a", "c"}, 3}, {[]string{"b"}, 4}, {[]string{"c"}, 4}, {[]string{"a"}, 5},
	} {
		if err := read(step.names...); err != nil || w.asked.Load() != step.asked {
			t.Errorf("%v: asked %d, want %d, %v", step.names, w.asked.Load(), step.asked, err)
		}
	}
	opts.Contexts = jsonld.NewContexts(1 << 20)
	for range 2 { // loaded, then cached: the same result
		if err := read("a", "b", "c"); err == nil || !strings.Contains(err.Error(), "more than 2 contexts") {
			t.Error(err)
		}
	}
}

// Concurrent reads share a cache: cached contexts are never modified.
func TestShared(t *testing.T) {
	w := contexts(map[string]string{"a": `{"@version": 1.1, "p": {"@id": "u:p", "@context": {"q": "u:q"}}}`})
	w.files[ctx+"i"] = `{"@context": {"p": "u:p"}}`
	kept := jsonld.NewContexts(150)
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for j := range 20 {
				in := fmt.Sprintf(`{"@context": ["http://c.org/a", {"@version": 1.1, "@import": "http://c.org/i", "r%d": "u:r"}], "p": {"q": "1"}, "r%d": "2"}`, i, j)
				opts := jsonld.Options{Load: w.load, Contexts: kept}
				want := 1
				if i == j {
					want = 2
				}
				if quads, err := rdftest.All(jsonld.Read(strings.NewReader(in), opts)); err != nil || len(quads) != want {
					t.Errorf("%s: %v, %v", in, quads, err)
				}
			}
		})
	}
	group.Wait()
}
