package page

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"orbweaver"
	"orbweaver/rdf"
)

// The statement in xz, and the same with a window of 256 MB; of xz there is no writer here.
const (
	xzed     = "/Td6WFoAAATm1rRGAgAhAQAAAAA3J5fW4AA3ACNdAB4aCphwHQSp5Et05qb5rsR9e5cQNzbSUFpGErqhhsD3egAAAAAb1FhPy14HuAABPziJJ1pQH7bzfQEAAAAABFla"
	xzedWide = "/Td6WFoAAATm1rRGAgAhASAAAAAJiKV24AA3ACNdAB4aCphwHQSp5Et05qb5rsR9e5cQNzbSUFpGErqhhsD3egAAAAAb1FhPy14HuAABPziJJ1pQH7bzfQEAAAAABFla"
)

// tarOf returns a tar file of names and texts in turns.
func tarOf(t testing.TB, members ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := 0; i+1 < len(members); i += 2 {
		err := w.WriteHeader(&tar.Header{Name: members[i], Mode: 0o644, Size: int64(len(members[i+1]))})
		if err == nil {
			_, err = io.WriteString(w, members[i+1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// zstded returns a text in zstd.
func zstded(t testing.TB, text string) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return w.EncodeAll([]byte(text), nil)
}

// TestDumps: every document of RDF in an archive is read, by its own name.
func TestDumps(t *testing.T) {
	const turtle, quad = "@prefix b: <http://b.test/> .\n<x> b:p [ b:q 1 ] .", "<http://a.test/q> <http://b.test/p> \"4\" <http://g.test/> .\n"
	const json = `{"@id": "http://a.test/j", "http://b.test/p": {"@id": "http://a.test/y"}}`
	const remote = `{"@context": "http://far.test/", "name": "x"}`
	three := []string{"README", "Just words", "d/one.ttl", turtle, "d/two.ttl", turtle, "d/three.nq", quad, "four.jsonld", json, "five.jsonld", remote}
	for _, tc := range []struct {
		name, url string
		body      []byte
		want      string // media type and statements
	}{
		{"ZIP", "http://a.test/1.zip", zipped(t, three...), "text/turtle 6"},
		{"tar", "http://a.test/1.tar", []byte(tarOf(t, three...)), "text/turtle 6"},
		{"tar.gz", "http://a.test/1.tar.gz", packed(t, "gzip", tarOf(t, three...)), "text/turtle 6"},
		{"tar in zstd", "http://a.test/1", zstded(t, tarOf(t, three...)), "text/turtle 6"},
		{"compressed files in an archive", "http://a.test/1.tgz", packed(t, "gzip", tarOf(t, "1.nt.gz", string(packed(t, "gzip", statement)), "2.nq", quad)), "application/n-triples 2"},
		{"compressed files in ZIP", "http://a.test/1.zip", zipped(t, "1.nt.bz2", string(unbase64(t, bzipped)), "2.nt.xz", string(unbase64(t, xzed))), "application/n-triples 2"},
		{"ZIP of one", "http://a.test/1.nt.zip", zipped(t, "1.nt", statement), "application/n-triples 1"},
		{"xz", "http://a.test/1.nt.xz", unbase64(t, xzed), "application/n-triples 1"},
		{"xz with a window of 256 MB", "http://a.test/1.nt.xz", unbase64(t, xzedWide), "application/x-xz 0"},
		{"zstd", "http://a.test/1.nt.zst", zstded(t, statement), "application/n-triples 1"},
		{"gzip", "http://a.test/1.nt.gz", packed(t, "gzip", statement), "application/n-triples 1"},
		{"JSON-LD in gzip keeps its way", "http://a.test/1.jsonld.gz", packed(t, "gzip", json), "application/ld+json 1"},
		{"JSON-LD in zstd", "http://a.test/1.jsonld.zst", zstded(t, json), "application/n-quads 1"},
		{"half a tar file", "http://a.test/1.tar", []byte(tarOf(t, three...)[:4*512]), "text/turtle 2"},
		{"half a tar.gz", "http://a.test/1.tar.gz", packed(t, "gzip", tarOf(t, three...))[:120], "application/gzip 0"},
		{"words", "http://a.test/1.zip", zipped(t, "a.txt", "Just words"), "application/zip 0"},
		{"ZIP in ZIP", "http://a.test/1.zip", zipped(t, "1.zip", string(zipped(t, "1.nt", statement))), "application/zip 0"},
		{"an office document", "http://a.test/d.odt", zipped(t, "mimetype", "application/vnd.oasis.opendocument.text", "manifest.nt", statement), "application/vnd.oasis.opendocument.text 0"},
	} {
		p, err := NewReader(Options{MaxDump: 1 << 20}).Read(t.Context(), response(tc.url, "Content-Type", "application/octet-stream"), tc.body)
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		if err := NewReader(Options{}).Data(t.Context(), p, DataOptions{}); err != nil {
			t.Error(err)
		}
		quads, _ := told(p)
		if got := fmt.Sprintf("%s %d", p.MediaType, len(quads)); got != tc.want {
			t.Errorf("%s: got %s, want %s: %q", tc.name, got, tc.want, quads)
		}
		if counted, documents := inAll(p); counted != int64(len(quads)) || documents != 0 && p.Data[0].In != rdf.InArchive {
			t.Errorf("%s: %d statements counted in %d documents: %+v", tc.name, counted, documents, p.Data)
		}
	}
}

// inAll is the number of statements that were counted of a page, and of the documents of an archive.
func inAll(p *orbweaver.Page) (statements, documents int64) {
	for _, c := range p.Data {
		statements, documents = statements+c.Triples, documents+c.Documents
	}
	return statements, documents
}

// TestDumpsKeepNodesApart: blank nodes of two members are two, whatever their labels.
func TestDumpsKeepNodesApart(t *testing.T) {
	body := zipped(t, "1.nt", "_:b <http://b.test/p> \"1\" .\n", "2.nt", "_:b <http://b.test/p> \"2\" .\n")
	p, err := NewReader(Options{MaxDump: 1 << 20}).Read(t.Context(), response("http://a.test/1.zip"), body)
	if err != nil {
		t.Fatal(err)
	}
	nodes := map[string]bool{}
	for q, err := range p.Quads {
		if err != nil {
			t.Fatal(err)
		}
		nodes[q.S.Value] = true
	}
	if len(nodes) != 2 {
		t.Errorf("%v", nodes)
	}
}

// TestDumpBombs: a dump that unpacks to more than is allowed fails with its reason; one nobody reads does not.
func TestDumpBombs(t *testing.T) {
	bomb := strings.Repeat(statement, 2_000_000) // 110 MB
	for name, body := range map[string][]byte{
		"zstd": zstded(t, bomb), "tar.gz": packed(t, "gzip", tarOf(t, "d.nt", bomb)),
		"in pieces": zipped(t, "1.nt", bomb[:40<<20], "2.nt", bomb[:40<<20]),
	} {
		_, err := NewReader(Options{MaxDump: 10 << 20}).Read(t.Context(), response("http://a.test/d.nt"), body)
		if !errors.Is(err, orbweaver.ErrTooLarge) || !strings.Contains(err.Error(), "http://a.test/d.nt: ") || !strings.Contains(err.Error(), " bytes unpacks to more than ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	zeros := packed(t, "gzip", strings.Repeat("\x00", 80<<20))
	if p, err := NewReader(Options{MaxDump: 10 << 20}).Read(t.Context(), response("http://a.test/d"), zeros); err != nil || p.Quads != nil {
		t.Errorf("zeros: %v", err)
	}
}

// TestLargeDocuments: MaxDump is for RDF that is read as a stream, MaxBody for all else.
func TestLargeDocuments(t *testing.T) {
	long := strings.Repeat(statement, 2000)
	for _, tc := range []struct {
		name, url, header, body string
		large                   bool
	}{
		{"RDF", "http://a.test/d.nt", "", long, false},
		{"RDF by its header", "http://a.test/d", "application/n-triples", long, false},
		{"RDF, too large even so", "http://a.test/d.nt", "", strings.Repeat(long, 12), true},
		{"words called RDF", "http://a.test/d.nt", "", strings.Repeat("<p>words", 20_000), true},
		{"JSON-LD", "http://a.test/d.jsonld", "application/ld+json", `{"@id": "` + long + `"}`, true},
		{"RDF of no name", "http://a.test/d", "text/html", long, true},
	} {
		_, err := NewReader(Options{MaxBody: 10_000, MaxDump: 1 << 20}).Read(t.Context(), response(tc.url, "Content-Type", tc.header), []byte(tc.body))
		if errors.Is(err, orbweaver.ErrTooLarge) != tc.large || err != nil && !tc.large {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
}

// FuzzDumps: no file breaks the reader, and what it says twice is the same.
func FuzzDumps(f *testing.F) {
	f.Add(zipped(f, "1.nt", statement, "2.ttl", "<x> <y> _:b ."), "http://a.test/1.zip")
	f.Add([]byte(tarOf(f, "1.nt", statement)), "http://a.test/1.tar")
	f.Add(unbase64(f, xzed), "http://a.test/1.nt.xz")
	f.Add(zstded(f, tarOf(f, "1.nq", statement)), "http://a.test/1.tar.zst")
	f.Add(unbase64(f, bzipped), "http://a.test/1.nt.bz2")
	f.Fuzz(func(t *testing.T, body []byte, url string) {
		p, err := NewReader(Options{MaxBody: 1 << 20, MaxDump: 1 << 20}).Read(t.Context(), response(url), body)
		if err != nil || p.Quads == nil {
			return
		}
		count := func() (n int) {
			for range p.Quads {
				n++
			}
			return n
		}
		if once, twice := count(), count(); once != twice {
			t.Errorf("%d statements, then %d", once, twice)
		}
	})
}
