package page

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"orbweaver"
)

// packed returns text under a content coding.
func packed(t *testing.T, coding, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser
	switch coding {
	case "gzip":
		w = gzip.NewWriter(&b)
	case "zlib":
		w = zlib.NewWriter(&b)
	case "flate":
		w, _ = flate.NewWriter(&b, 6)
	case "br":
		w = brotli.NewWriter(&b)
	case "zstd":
		w, _ = zstd.NewWriter(&b)
	}
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestCodingsAndHeadersThatLie(t *testing.T) {
	const text = "Plain words, and enough of them."
	for _, tc := range []struct {
		name, encoding, transfer string
		payload                  []byte
	}{
		{"none", "", "", []byte(text)},
		{"gzip", "gzip", "", packed(t, "gzip", text)},
		{"deflate as zlib", "deflate", "", packed(t, "zlib", text)},
		{"deflate as some servers have it", "deflate", "", packed(t, "flate", text)},
		{"Brotli", "br", "", packed(t, "br", text)},
		{"zstd", "zstd", "", packed(t, "zstd", text)},
		{"one over another", "gzip, br", "", packed(t, "br", string(packed(t, "gzip", text)))},
		{"gzip that is not there", "gzip", "", []byte(text)},
		{"Brotli that is not there", "br", "", []byte(text)},
		{"deflate that is not there", "deflate", "", []byte(text)},
		{"chunks", "", "chunked", []byte("6\r\nPlain \r\n1a;x=y\r\nwords, and enough of them.\r\n0\r\n\r\n")},
		{"chunks that are not there", "", "chunked", []byte(text)},
	} {
		page := read(t, string(tc.payload), "Content-Type", "text/plain", "Content-Encoding", tc.encoding, "Transfer-Encoding", tc.transfer)
		if page.Text != text || page.Size != int64(len(tc.payload)) {
			t.Errorf("%s: %q, size %d", tc.name, page.Text, page.Size)
		}
	}
}

// A sender that does not know how much will come asks for a window of megabytes, whatever comes.
func TestZstdWindowIsNoSize(t *testing.T) {
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b, zstd.WithWindowSize(8<<20))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"a page", " of words"} {
		if _, err := io.WriteString(w, part); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	header := http.Header{"Content-Encoding": {"zstd"}}
	if got, err := Decode(header, b.Bytes(), 15); err != nil || string(got) != "a page of words" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := Decode(header, b.Bytes(), 14); !errors.Is(err, orbweaver.ErrTooLarge) {
		t.Errorf("%v, want too large", err)
	}
}

func TestBodiesThatCannotBe(t *testing.T) {
	long := strings.Repeat("x", 2000)
	gz := packed(t, "gzip", long)
	for _, tc := range []struct {
		name, url, coding string
		payload           []byte
		want              orbweaver.Failure
	}{
		{"too large", "http://a.test/", "", []byte(long), orbweaver.ErrTooLarge},
		{"too large when expanded", "http://a.test/", "gzip", gz, orbweaver.ErrTooLarge},
		{"zstd, too large", "http://a.test/", "zstd", packed(t, "zstd", long), orbweaver.ErrTooLarge},
		{"Brotli, too large", "http://a.test/", "br", packed(t, "br", long), orbweaver.ErrTooLarge},
		{"cut off", "http://a.test/", "gzip", packed(t, "gzip", prose)[:40], orbweaver.ErrMalformed},
		{"no address", "a.test", "", nil, orbweaver.ErrBadURL},
	} {
		_, err := NewReader(Options{MaxBody: 1000}).Read(context.Background(), response(tc.url, "Content-Encoding", tc.coding), tc.payload)
		if !errors.Is(err, tc.want) || !strings.Contains(err.Error(), "a.test") {
			t.Errorf("%s: %v, want %v", tc.name, err, tc.want)
		}
	}
}

func TestDigest(t *testing.T) {
	if got := read(t, "").Digest; got != "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ" { // SHA-1 of nothing
		t.Error(got)
	}
}

func TestMediaTypeByHeaderAndBytes(t *testing.T) {
	const rdfXML = `<?xml version="1.0"?><!-- c --><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/>`
	for _, tc := range []struct{ header, body, want string }{
		{"text/html", "<!DOCTYPE html><p>", typeHTML},
		{"text/plain", "\n<HTML><p>", typeHTML},
		{"", "<div>a", typeHTML},
		{"application/xhtml+xml", "<?xml version='1.0'?><html/>", typeXHTML},
		{"text/html", "@prefix a: <b:c> .", typeTurtle},
		{"text/plain", "# c\nPREFIX a: <b:c>", typeTurtle},
		{"text/html", "<http://a/> <http://b/> <http://c/> .\n", typeNTriples},
		{"text/turtle", "<http://a/> <http://b/> <http://c/> .\n", typeTurtle},
		{"", "<http://a/> <http://b/> <http://c/> <http://d/> .\n", typeNQuads},
		{"", "<http://a/> a <http://b/> ;\n", typeTurtle},
		{"text/html", rdfXML, typeRDFXML},
		{"", "<?xml version='1.0'?><!DOCTYPE rdf:RDF [" + strings.Repeat("<!ENTITY e 'http://e.example/'>", 200) + "]><rdf:RDF", typeRDFXML},
		{"text/xml", "<!DOCTYPE rss PUBLIC 'x' [" + strings.Repeat("<!ENTITY e 'http://e.example/'>", 200) + "]><rss", typeRSS},
		{"application/rdf+xml", `<?xml version="1.0"?><rss version="2.0"/>`, typeRSS},
		{"text/xml", `<feed xmlns="http://www.w3.org/2005/Atom"/>`, typeAtom},
		{"text/xml", "<urlset xmlns='x'/>", typeXML},
		{"application/json", `{"@context": "x"}`, typeLDJSON},
		{"", `{"a": 1}`, typeJSON},
		{"text/turtle", "[ <a:b> 1 ] .", typeTurtle},
		{"text/html", "%PDF-1.4\n", typePDF},
		{"text/html", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "image/png"},
		{"", "Just words", typePlain},
		{"Text/Plain; charset=utf-8", "Just words", typePlain},
		{"text/html", "", typeHTML},
	} {
		if got := mediaType([]byte(tc.body), tc.header); got != tc.want {
			t.Errorf("%q, %.40q: %s, want %s", tc.header, tc.body, got, tc.want)
		}
	}
}

func TestCharsets(t *testing.T) {
	for _, tc := range []struct{ name, header, body string }{
		{"UTF-8 that is said to be Latin-1", "text/html; charset=iso-8859-1", "<p>Bücher</p>"},
		{"Latin-1 by header", "text/html; charset=iso-8859-1", "<p>B\xfccher</p>"},
		{"Latin-1 by meta", "text/html", "<meta charset=windows-1252><p>B\xfccher</p>"},
		{"Latin-1 by nothing", "text/html", "<p>B\xfccher</p>"},
		{"Latin-1 that is said to be UTF-8", "text/html; charset=utf-8", "<p>B\xfccher</p>"},
		{"UTF-8 with its mark", "text/html; charset=koi8-r", "\xef\xbb\xbf<p>Bücher</p>"},
		{"UTF-16 with its mark", "text/html", "\xff\xfe<\x00p\x00>\x00B\x00\xfc\x00c\x00h\x00e\x00r\x00"},
	} {
		if got := read(t, tc.body, "Content-Type", tc.header).Text; got != "Bücher" {
			t.Errorf("%s: %q", tc.name, got)
		}
	}
}

func TestLanguage(t *testing.T) {
	for _, tc := range []struct{ declared, text, want string }{
		{"en-GB", "", "en"}, {"DE_at", "", "de"}, {"fr, en", "", "fr"}, {"und", "", ""}, {"x", "", ""}, {"english", "", ""},
		{"", prose + " " + prose, "en"},
		{"", "Die Flut steigt und fällt hier zweimal am Tag, und niemand, der am Hafen wohnt, fragt jemals, warum sie das tut.", "de"},
		{"", "Вода в гавани поднимается и опускается дважды в день. Рыбаки выходят в море рано утром, когда ещё темно, и возвращаются домой только к вечеру, если погода позволяет. Дети ждут их на берегу.", "ru"},
		{"", "short", ""},
		{"en", "Die Dächer der Stadt liegen im Schatten. Wer früh aufsteht, sieht die Sonne über dem Fluss, und das ist nicht wenig für einen Morgen.", "de"},
		{"de", "The roofs of the town are in the shade. Whoever rises early sees the sun on the river, and that is not little for a morning.", "en"},
		{"en-US", "Les toits de la ville sont dans l'ombre. Qui se lève tôt voit le soleil sur le fleuve, et ce n'est pas peu pour un matin.", "fr"},
		{"en", "Dachy miasta są w cieniu. Kto wstaje wcześnie, widzi słońce nad rzeką, i to nie jest mało jak na jeden poranek, bo się nie śpi.", "pl"},
		{"en", "Крыши города лежат в тени. Кто рано встаёт, тот видит солнце над рекой, и это не так мало для одного утра.", "ru"},
		{"fr", "屋根は影の中にある。早く起きる人は川の上に太陽を見る。それは朝にとって小さなことではない。", "ja"},
		{"ja", "城市的屋顶在阴影里。早起的人看见河上的太阳，这对一个早晨来说不算少，人们都知道这件事，也都喜欢它。", "zh"},
		{"ru", "The roofs of the town are in the shade. Whoever rises early sees the sun on the river, and that is not little for a morning.", "en"},
		// What proves nothing leaves the declared one.
		{"en", "Müller, Schmidt, Schneider, Fischer, Weber, Meyer, Wagner, Becker, Schulz, Hoffmann, Schäfer, Koch, Bauer, Richter, Klein, Wolf", "en"},
		{"de", "func main() { for i := range list { if list[i] == nil { return } } } var err error; os.Exit(1); fmt.Println(err); type T struct{}", "de"},
		{"en", "Bayern München, Borussia Dortmund, Real Madrid, Juventus Torino, Paris Saint-Germain, Olympique de Marseille, Boca Juniors de La Plata", "en"},
		{"en", "Calle de la Rosa, Plaza del Sol, Avenida de los Reyes, Paseo de la Castellana, Puerta del Sol, Calle de Alcalá, Calle de las Huertas", "en"},
		{"nn", "Husa i byen ligg i skuggen. Den som står opp tidleg, ser sola over elva, og det er ikkje lite for ein morgon som er kald.", "nn"},
		{"gl", "Os tellados da cidade están na sombra. Quen se levanta cedo ve o sol sobre o río, e iso non é pouco para unha mañá.", "gl"},
		{"bs", "Krovovi grada su u sjeni. Ko rano ustane, vidi sunce nad rijekom, i to nije malo za jedno jutro, kao što se zna.", "bs"},
		{"en", "He said: «Die Dächer der Stadt liegen im Schatten, und das ist nicht wenig.» She was not sure that it was the right thing for her to do.", "en"},
	} {
		if got := language(tc.declared, tc.text); got != tc.want {
			t.Errorf("%q, %.20q: %q, want %q", tc.declared, tc.text, got, tc.want)
		}
	}
}

func TestDocumentsOfRDF(t *testing.T) {
	page := read(t, `<http://a.test/x> <http://www.w3.org/2000/01/rdf-schema#label> "An x"@en .
<http://a.test/d/p> <http://purl.org/dc/terms/title> "All x" .
<http://a.test/d/p> <http://b.test/has> <http://a.test/x> .
<http://a.test/x> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://c.test/Class> .
<http://a.test/x> <http://b.test/size> "5"^^<http://www.w3.org/2001/XMLSchema#integer> .
`, "Content-Type", "application/n-triples")
	if page.Title != "All x" || page.Text != "An x\n\nAll x" || page.Lang != "en" || page.Body == nil {
		t.Errorf("title %q, text %q, language %q", page.Title, page.Text, page.Lang)
	}
	if got := shown(page.Links); got != "http://a.test/x|An x||http://b.test/has|triple" {
		t.Errorf("links %s", got)
	}
	for range 2 {
		n := 0
		for _, err := range page.Quads {
			if err != nil {
				t.Fatal(err)
			}
			n++
		}
		if n != 5 {
			t.Errorf("%d quads, want 5", n)
		}
	}
}
