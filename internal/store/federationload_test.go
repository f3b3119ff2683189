package store

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/services/contexts"
	"orbweaver/rdf"
	"orbweaver/rdf/sparql/algebra"
	"orbweaver/rdf/sparql/eval"
	"orbweaver/rdf/sparql/syntax"
	protocol "orbweaver/server/sparql"
)

// loads returns the error of loading a document.
func loads(l eval.Loader, iri string) error {
	_, err := triplesOf(l, iri)
	return err
}

// triplesOf returns the triples of a document, one per line, in order.
func triplesOf(l eval.Loader, iri string) (lines []string, err error) {
	for triple, err := range l.Load(context.Background(), iri) {
		if err != nil {
			return lines, err
		}
		lines = append(lines, fmt.Sprint(triple.S.Value, " ", triple.P.Value, " ", triple.O.Value))
	}
	return lines, nil
}

// zipped compresses a text with gzip.
func zipped(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, text)
	z.Close()
	return b.String()
}

// documents maps the paths that tests load to media type and text.
func documents(t *testing.T) (base string, seen func() []string) {
	const (
		lines = "<u:s> <u:p> <u:o> .\n"
		owl   = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:u="u:"><rdf:Description rdf:about="u:s"><u:p rdf:resource="u:o"/></rdf:Description></rdf:RDF>`
	)
	files := map[string][2]string{
		"/turtle":       {"text/turtle", "<u:s> <u:p> <u:o>, <#it> ."},
		"/xml":          {"application/rdf+xml", owl},
		"/xml-as-text":  {"text/plain", owl},
		"/lines":        {"application/octet-stream", lines},
		"/quads":        {"application/n-quads", "<u:s> <u:p> <u:o> <u:g> .\n<u:s> <u:p> <u:q> .\n"},
		"/trig":         {"application/trig", "<u:g> { <u:s> <u:p> <u:o> }"},
		"/a.ttl":        {"", "<u:s> <u:p> <u:o>."},
		"/a.nt.gz":      {"application/gzip", zipped(lines)},
		"/ld":           {"application/ld+json", `{"@context": "/context", "@id": "u:s", "p": {"@id": "u:o"}}`},
		"/ld-as-json":   {"application/json", `{"@id": "u:s", "u:p": {"@id": "u:o"}}`},
		"/ld-far":       {"application/ld+json", `{"@context": "http://169.254.169.254/context", "@id": "u:s"}`},
		"/context":      {"application/ld+json", `{"@context": {"p": "u:p"}}`},
		"/blank":        {"text/turtle", "_:a <u:p> _:b ."},
		"/page":         {"text/turtle", "<!DOCTYPE html><title>x</title>"},
		"/rss":          {"text/xml", `<?xml version="1.0"?><rss version="2.0"><channel/></rss>`},
		"/picture":      {"image/png", "\x89PNG\r\n\x1a\n\x00\x00"},
		"/nothing":      {"", ""},
		"/mistake":      {"text/turtle", "<u:s> <u:p> <u:o> . <u:s> <u:p"},
		"/zip":          {"application/zip", "PK\x03\x04"},
		"/long":         {"application/n-triples", strings.Repeat(lines, 2000)},
		"/long-xml":     {"application/rdf+xml", owl + strings.Repeat(" ", 40_000)},
		"/bomb.ttl.gz":  {"application/gzip", zipped(strings.Repeat("# bomb\n", 1<<20))},
		"/coded-bomb":   {"text/turtle", zipped(strings.Repeat("# bomb\n", 1<<20))},
		"/not-a-turtle": {"text/html", "hello"},
	}
	var paths []string
	base = handled(t, func(w http.ResponseWriter, r *http.Request) {
		paths = append(paths, r.URL.Path)
		if n, moved := strings.CutPrefix(r.URL.Path, "/moved/"); moved {
			to := "/turtle"
			if n != "1" {
				to = "/moved/" + string(rune(n[0]-1))
			}
			http.Redirect(w, r, to, http.StatusSeeOther)
			return
		}
		file, ok := files[r.URL.Path]
		switch {
		case r.URL.Path == "/astray":
			w.Header().Set("Location", "file:///etc/passwd")
			w.WriteHeader(http.StatusFound)
			return
		case !ok:
			http.NotFound(w, r)
			return
		case r.URL.Path == "/coded-bomb":
			w.Header().Set("Content-Encoding", "gzip")
		case !strings.Contains(r.Header.Get("Accept"), "application/ld+json"):
			t.Errorf("%s: Accept %s", r.URL.Path, r.Header.Get("Accept"))
		}
		w.Header()["Content-Type"] = []string{file[0]}
		io.WriteString(w, file[1])
	})
	return base, func() []string { return paths }
}

// TestLoad: the syntax of a document decides how it is read, not its URL.
func TestLoad(t *testing.T) {
	base, seen := documents(t)
	const one = "u:s u:p u:o"
	for _, tc := range []struct {
		path string
		want []string
	}{
		{"/turtle", []string{one, "u:s u:p " + base + "/turtle#it"}},
		{"/turtle#x", []string{one, "u:s u:p " + base + "/turtle#it"}},
		{"/moved/5", []string{one, "u:s u:p " + base + "/turtle#it"}},
		{"/xml", []string{one}}, {"/xml-as-text", []string{one}}, {"/lines", []string{one}},
		{"/quads", []string{one, "u:s u:p u:q"}}, {"/trig", []string{one}}, {"/a.ttl", []string{one}},
		{"/a.nt.gz", []string{one}}, {"/ld", []string{one}}, {"/ld-as-json", []string{one}},
	} {
		f := federation(t, FederationOptions{AllowPrivate: private(), MaxBytes: 20_000})
		if got, err := triplesOf(f, base+tc.path); err != nil || !slices.Equal(got, tc.want) {
			t.Errorf("%s: %q, %v", tc.path, got, err)
		}
	}
	if n := len(seen()); n != 12+5+1 {
		t.Errorf("%d requests: %q", n, seen())
	}
}

// TestLoadTroubles: errors of documents that cannot be loaded.
func TestLoadTroubles(t *testing.T) {
	base, _ := documents(t)
	f := federation(t, FederationOptions{AllowPrivate: private(), MaxBytes: 20_000, MaxRows: 100})
	for _, tc := range []struct {
		path string
		want orbweaver.Failure
		says string
	}{
		{"/page", orbweaver.ErrUnreadable, "not RDF"}, {"/rss", orbweaver.ErrUnreadable, "text/xml"},
		{"/picture", orbweaver.ErrUnreadable, "image/png"}, {"/nothing", orbweaver.ErrUnreadable, "not RDF"},
		{"/not-a-turtle", orbweaver.ErrUnreadable, "text/html"}, {"/zip", orbweaver.ErrUnreadable, "ZIP"},
		{"/mistake", "error", "/mistake:1"}, {"/absent", orbweaver.ErrStatus, "404"}, {"/astray", orbweaver.ErrBadTarget, "302"},
		{"/moved/6", orbweaver.ErrRedirects, "more than 5"}, {"/long", orbweaver.ErrTooLarge, "more than 20000 bytes"},
		{"/long-xml", orbweaver.ErrTooLarge, "bytes"}, {"/bomb.ttl.gz", orbweaver.ErrTooLarge, "too many bytes"},
		{"/coded-bomb", orbweaver.ErrTooLarge, "20000"},
	} {
		err := loads(f, base+tc.path)
		if orbweaver.FailureOf(err) != tc.want || !strings.Contains(err.Error(), tc.says) || !strings.Contains(err.Error(), base) {
			t.Errorf("%s: %v", tc.path, err)
		}
	}
	if err := loads(federation(t, FederationOptions{AllowPrivate: private(), MaxRows: 100}), base+"/long"); !errors.Is(err, orbweaver.ErrTooLarge) || !strings.Contains(err.Error(), "100 statements") {
		t.Errorf("many statements: %v", err)
	}
	guarded := federation(t, FederationOptions{AllowPrivate: loopback()})
	if err := loads(guarded, base+"/ld-far"); !errors.Is(err, orbweaver.ErrPrivate) {
		t.Errorf("a private context: %v", err)
	}
}

// updated runs an update over an empty store, and returns its quads, one per line.
func updated(t *testing.T, text string, l eval.Loader) (string, error) {
	t.Helper()
	tree, err := syntax.ParseUpdate(text, syntax.Options{Base: folderURL()})
	if err != nil {
		t.Fatal(err)
	}
	u, err := algebra.TranslateUpdate(tree)
	if err != nil {
		t.Fatal(err)
	}
	store := protocol.NewMemory(stored(t, ""))
	err = store.Update(t.Context(), func(s eval.Store) error {
		return eval.Update(t.Context(), s, u, eval.UpdateOptions{Loader: l})
	})
	if err != nil {
		return "", err
	}
	r, _, err := store.Snapshot()
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	err = writeQuads(t.Context(), &job.Job{Console: console.Console{Out: &out}}, r, "")
	return out.String(), err
}

// TestLoadUpdate: LOAD fills a graph, keeps the blank nodes of documents apart, and fails atomically, or
// silently with SILENT.
func TestLoadUpdate(t *testing.T) {
	base, _ := documents(t)
	f := federation(t, FederationOptions{AllowPrivate: private()})
	got, err := updated(t, "LOAD <"+base+"/lines> INTO GRAPH <u:g>; LOAD SILENT <"+base+"/mistake>; LOAD <"+base+"/xml>", f)
	if want := "<u:s> <u:p> <u:o> .\n<u:s> <u:p> <u:o> <u:g> .\n"; err != nil || got != want {
		t.Errorf("%q, %v", got, err)
	}
	got, err = updated(t, "LOAD <"+base+"/blank>; LOAD <"+base+"/blank>", f)
	if err != nil || strings.Count(got, "\n") != 2 {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := updated(t, "LOAD <"+base+"/page>", f); !errors.Is(err, orbweaver.ErrUnreadable) {
		t.Error(err)
	}
	labels := map[rdf.Term]bool{}
	for range 2 {
		for triple, err := range f.Load(t.Context(), base+"/blank") {
			if err != nil {
				t.Fatal(err)
			}
			labels[triple.S], labels[triple.O] = true, true
		}
	}
	if len(labels) != 4 {
		t.Errorf("labels %v", labels)
	}
}

// TestLoadFile: LOAD reads files of the folder and no others.
func TestLoadFile(t *testing.T) {
	outer := t.TempDir()
	dir := filepath.Join(outer, "in")
	const line = "<u:s> <u:p> <u:o> .\n"
	for name, text := range map[string]string{
		"in/a.nt": line, "in/sub/b c.ttl.gz": zipped(line), "in/page.html": "<html>", "in/ld.json": `{"@context": "http://a.test/c", "p": "1"}`,
		"secret.nt": line, "c.json": `{"@context": {"p": "u:p"}}`,
	} {
		file := filepath.Join(outer, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Symlink("../secret.nt", filepath.Join(dir, "out.nt")), os.Symlink("a.nt", filepath.Join(dir, "within.nt"))); err != nil {
		t.Skip(err)
	}
	t.Chdir(dir)
	remote, err := contexts.NewRemote(t.Context(), []string{"http://a.test/c=" + filepath.Join(outer, "c.json")})
	if err != nil {
		t.Fatal(err)
	}
	web := federation(t, FederationOptions{})
	l, err := newFolderLoader(".", remote, web)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, iri := range []string{"a.nt", "sub/b%20c.ttl.gz", "./within.nt", "sub/../a.nt", "ld.json", "file://localhost" + dir + "/a.nt"} {
		if got, err := updated(t, "LOAD <"+iri+">", l); err != nil || strings.Count(got, "\n") != 1 {
			t.Errorf("%s: %q, %v", iri, got, err)
		}
	}
	for _, iri := range []string{
		"../secret.nt", "..%2Fsecret.nt", "out.nt", "absent.nt", "page.html", "sub", "", "file:///etc/passwd", "file://a.test/etc/passwd",
		"file:a.nt", "FILE:///etc/passwd", "http://127.0.0.1:1/", "a%00.nt",
	} {
		if got, err := updated(t, "LOAD <"+iri+">", l); err == nil {
			t.Errorf("%s: %q", iri, got)
		}
	}
	alone, err := newFolderLoader(".", remote, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer alone.Close()
	if err := loads(alone, "http://a.test/"); !errors.Is(err, eval.ErrNoLoader) {
		t.Error(err)
	}
}
