package page

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"strings"
	"testing"

	"orbweaver"
)

// statement is a document of one.
const statement = "<http://a.test/x> <http://b.test/p> <http://a.test/y> .\n"

// Of bzip2 there is no writer: these are the statement, the statement 100 000 times, and words.
const (
	bzipped     = "QlpoOTFBWSZTWcrhSggAAApZgAAQQAGAFTJATGAgADFMABNCPVNDEGmisXiEcck6adKvTDHSwslHjBRlPi7kinChIZXClBA="
	bzippedBomb = "QlpoOTFBWSZTWb0Qw8gCc8ZZgAAQQAGAFTJATGAwARACmAAmgmqoR5IxPUKYACabiogwklQXAqIORUQcwqIMpJUFlJKgvEkqC7iSoL5FRBmFRBtoVEHAqINCogwklQWEkqC7iSoLaJKgtxUQeJJUFpJKgvySVBeokqC1ElQXuFRB/MUFZJlNZDtdZuAI1ANmAABBAAYAVMkBMYDABEAKYACaCaqRDyhk9QpgAJpwKiD0klQXIqIM6FRBiFRBmJKgsxJUF2klQXQqINYhUQexUQahUQbFRByKiDYqIMxJUFlJKgukkqCwklQXAqIO0kqC2klQXxJKgvCSVBbSSoLzCog/mKCskyms1oVxEQLho2zAAAggAMAKmSAmMBgAiAFMABNBNVRqPRGJ6hTAATTcVEGUkqCwKiDkVEHMKiDhJKguEkqC8iSoLtJKgvgqIOIVEGhUQYFRBoVEGUkqCzElQXaSVBbJJUFuKiDyJKgtRJUF+hUQY2FRB6SSoLSSVBYhUQfzFBWSZTWZBTi5UGnv9ZgAAQQAGAFTJATGAwARACmAAmgmqqZNkjE9QpgAJpsKiDESVBbiog5FRBzCogyklQWUkqC8SSoLtJKgvgqIMhUQaFRBuKiDVSiDCSVBYSSoLuJKgvSSVBbCog8SSoLSSVBfkkqC9pJUFqJKguIVEH8xQVkmU1lz2/WjBn+cWYAAEEABgBUyQExgMAEwAUwAE0E1UiPRGJ6hTAATTYVEGUkqC3FRByKiDmFRBxElQXCSVBeCogxiFRB3ElQXwVEHEKiDQqINxUQaFRBlJKgspJUF2klQWIkqC2FRB4klQWkkqC/JJUF6iSoLUKiD3gVEGIVEH8xQVkmU1kusGvUA45GWYAAEEABgBUyQExgMAEQApgAJoJqqj0m0QzQpgAJp7FRBuklQWBUQcVKIOIVEGUkqCyklQXSSVBf0kqC5FRBmFRBoVEGBUQaFRBuklQWsxJUF0klQXpJKgsCog7iSoLZJKgu4kqC2SSoLSSVBfIVEHhigrJMprO5NftqAkpFswAAIIADACpkgJjAYAHhkUwAE0E1VRk8iNNoFKoAAPcQJhVBS2iBOEgTgkCZqoKWaqCl/VQUuqqClykCZJAmogTaIE0kCYqoKWKqqidgqiYAqiYqVUvAVRN/gVRPQVRNAVKWqqClgkCeC7kinChIQT4jnAA=="
	bzippedText = "QlpoOTFBWSZTWcW5apcAAAHVgAAQQAEAEAQAnoAgACIAMQgGmmiQKCJWpeLuSKcKEhi3LVLg"
)

// unbase64 decodes what was packed by hand.
func unbase64(t testing.TB, s string) []byte {
	t.Helper()
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// zipped returns a ZIP file of names and texts in turns.
func zipped(t testing.TB, members ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i+1 < len(members); i += 2 {
		header := &zip.FileHeader{Name: members[i], Method: zip.Deflate}
		if members[i] == "mimetype" { // as office documents have it
			header.Method = zip.Store
		}
		w, err := z.CreateHeader(header)
		if err == nil {
			_, err = io.WriteString(w, members[i+1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// tarred returns a tar file of one member.
func tarred(t testing.TB, name, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(text))})
	if err == nil {
		_, err = io.WriteString(w, text)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestPackedDocumentsOfRDF(t *testing.T) {
	const turtle, xml = "# a dump\n<x> <http://b.test/p> <y> .", "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:b='http://b.test/'><rdf:Description rdf:about='http://a.test/x'><b:p rdf:resource='http://a.test/y'/></rdf:Description></rdf:RDF>"
	const gz, octets = "application/gzip", "application/octet-stream"
	nothing := zipped(t, "readme.txt", "Just words", "a/", "")
	for _, tc := range []struct {
		name, url, header string
		body              []byte
		want              string
	}{
		{"by its bytes", "http://a.test/get?id=1", gz, packed(t, "gzip", statement), typeNTriples},
		{"by its name", "http://a.test/d.ttl.gz", octets, packed(t, "gzip", turtle), typeTurtle},
		{"by its name, with a query", "http://a.test/d.TTL.GZ?v=1", octets, packed(t, "gzip", turtle), typeTurtle},
		{"by its header, which tells what is inside", "http://a.test/d", "text/turtle", packed(t, "gzip", turtle), typeTurtle},
		{"XML", "http://a.test/d", gz, packed(t, "gzip", xml), typeRDFXML},
		{"quads", "http://a.test/d.nq.gz", gz, packed(t, "gzip", strings.Replace(statement, " .", " <http://g.test/> .", 1)), typeNQuads},
		{"JSON-LD", "http://a.test/d.jsonld.gz", gz, packed(t, "gzip", `{"@id": "http://a.test/x", "http://b.test/p": {"@id": "http://a.test/y"}}`), typeLDJSON},
		{"bzip2", "http://a.test/d.nt.bz2", "application/x-bzip2", unbase64(t, bzipped), typeNTriples},
		{"ZIP, by name", "http://a.test/d.rdf.zip", "application/zip", zipped(t, "readme.txt", "Just words", "d.ttl", turtle), typeTurtle},
		{"ZIP, by bytes", "http://a.test/d", "", zipped(t, "readme.txt", "Just words", "d", statement), typeNTriples},
		{"ZIP, the first", "http://a.test/d", "", zipped(t, "b.rdf", xml, "a.ttl", turtle), typeRDFXML},
		{"broken off", "http://a.test/d", gz, packed(t, "gzip", statement)[:60], typeNTriples},
		{"words", "http://a.test/d.gz", gz, packed(t, "gzip", "Just words"), gz},
		{"words called RDF are RDF of nothing", "http://a.test/d.nt.gz", gz, packed(t, "gzip", "Just words"), typeNTriples},
		{"a page called RDF", "http://a.test/d.nt.gz", gz, packed(t, "gzip", "<!DOCTYPE html><p>Not found"), gz},
		{"words in bzip2", "http://a.test/d.bz2", "application/x-bzip2", unbase64(t, bzippedText), "application/x-bzip2"},
		{"a tar file", "http://a.test/d.tar.gz", gz, packed(t, "gzip", tarred(t, "d.nt", statement)), gz},
		{"a tar file called RDF", "http://a.test/d.ttl.gz", gz, packed(t, "gzip", tarred(t, "d.nt", statement)), gz},
		{"a ZIP file of other things", "http://a.test/d.zip", "application/zip", nothing, "application/zip"},
		{"an office document", "http://a.test/d.odt", "", zipped(t, "mimetype", "application/vnd.oasis.opendocument.text", "manifest.rdf", xml), "application/vnd.oasis.opendocument.text"},
		{"half a ZIP file", "http://a.test/d.rdf.zip", "application/zip", nothing[:len(nothing)/2], "application/zip"},
	} {
		p, err := NewReader(Options{}).Read(t.Context(), response(tc.url, "Content-Type", tc.header), tc.body)
		if err != nil || p.MediaType != tc.want || p.Size != int64(len(tc.body)) {
			t.Errorf("%s: %v, %+v, want %s", tc.name, err, p, tc.want)
			continue
		}
		if err := NewReader(Options{}).Data(t.Context(), p, DataOptions{}); err != nil {
			t.Error(err)
		}
		if quads, _ := told(p); isRDF(tc.want) != (len(quads) == 1) && !strings.Contains(tc.name, "nothing") && tc.name != "broken off" {
			t.Errorf("%s: %q", tc.name, quads)
		}
	}
}

func TestPackedBombsEnd(t *testing.T) {
	bomb := strings.Repeat(statement, 100_000)
	for name, body := range map[string][]byte{
		"gzip": packed(t, "gzip", bomb), "bzip2": unbase64(t, bzippedBomb), "ZIP": zipped(t, "d.nt", bomb),
	} {
		_, err := NewReader(Options{MaxBody: 1 << 20}).Read(t.Context(), response("http://a.test/d.nt"), body)
		if !errors.Is(err, orbweaver.ErrTooLarge) || !strings.Contains(err.Error(), "http://a.test/d.nt") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, body := range map[string][]byte{
		"zeros in gzip": packed(t, "gzip", strings.Repeat("\x00", 1<<22)), "words in ZIP": zipped(t, "a", strings.Repeat("a", 1<<22)),
	} {
		if _, err := NewReader(Options{MaxBody: 1 << 20}).Read(t.Context(), response("http://a.test/d"), body); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestManyFilesInZIP(t *testing.T) {
	var members []string
	for range 3000 {
		members = append(members, "a.txt", "Just words")
	}
	p, err := NewReader(Options{}).Read(t.Context(), response("http://a.test/d"), zipped(t, append(members, "d.nt", statement)...))
	if err != nil || p.MediaType != "application/zip" {
		t.Errorf("%v, %+v", err, p)
	}
}

// TestSemanticSitemaps: what data sets name comes first, under their names.
func TestSemanticSitemaps(t *testing.T) {
	const sitemap = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:sc="http://sw.deri.org/2007/07/sitemapextension/scschema.xsd">
 <url><loc>/page</loc></url>
 <url><loc>/sample</loc></url>
 <sc:dataset>
  <sc:sampleURI>/sample</sc:sampleURI>
  <sc:datasetLabel> Tides &amp;
   harbours </sc:datasetLabel>
  <sc:datasetURI>http://a.test/catalogue#this</sc:datasetURI>
  <sc:linkedDataPrefix slicing="subject-object">http://a.test/products/</sc:linkedDataPrefix>
  <sc:sparqlEndpointLocation slicing="subject-object">http://a.test/sparql</sc:sparqlEndpointLocation>
  <sc:dataDumpLocation>http://a.test/dump.nt.gz</sc:dataDumpLocation>
  <sc:dataDumpLocation>http://[/</sc:dataDumpLocation>
  <changefreq>weekly</changefreq><lastmod>2024-01-01</lastmod>
 </sc:dataset>
 <sc:dataset><sc:dataDumpLocation>/other.rdf</sc:dataDumpLocation>
 <url><loc>/last</loc></url>
 <sc:dataset><sc:datasetLabel>Open</sc:datasetLabel><sc:sampleURI>/open</sc:sampleURI>`
	const want = `http://a.test/sample|Tides & harbours||sc:sampleuri|sitemap
http://a.test/catalogue|Tides & harbours||sc:dataseturi|sitemap
http://a.test/sparql|Tides & harbours||sc:sparqlendpoint|sitemap
http://a.test/dump.nt.gz|Tides & harbours||sc:datadump|sitemap
http://a.test/other.rdf|||sc:datadump|sitemap
http://a.test/open|Open||sc:sampleuri|sitemap
http://a.test/page||||sitemap
http://a.test/last||||sitemap`
	if got := shown(read(t, sitemap, "Content-Type", "application/xml").Links); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
