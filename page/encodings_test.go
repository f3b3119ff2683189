package page

import (
	"context"
	"path"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"

	"orbweaver/internal/coding/charset"
	"orbweaver/internal/tier"
)

// writtenIn are the encodings in which texts of a language stand on the Web; "" is any language.
var writtenIn = map[string]string{
	"":   "windows-1252 iso-8859-15 windows-1250 iso-8859-2 windows-1254 windows-1257 utf-16le utf-16be",
	"ru": "windows-1251 koi8-r iso-8859-5 ibm866 utf-16le", "uk": "windows-1251 koi8-u iso-8859-5 utf-16le", "bg": "windows-1251 iso-8859-5 utf-16le",
	"el": "windows-1253 iso-8859-7 utf-16le", "he": "windows-1255 iso-8859-8 utf-16le", "ar": "windows-1256 iso-8859-6 utf-16le",
	"ja": "shift_jis euc-jp iso-2022-jp utf-16le", "zh": "gb18030 big5 utf-16le utf-16be", "ko": "euc-kr utf-16le", "th": "windows-874 utf-16le",
	"vi": "windows-1258",
}

// codedText returns the start of a text in an encoding, of a size in bytes, and the same as it must be read; none if it
// has a character that the encoding lacks, or nothing beyond ASCII.
func codedText(name, text string, size int) (coded, want string) {
	var e encoding.Encoding
	switch name {
	case "utf-16le":
		e = unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	case "utf-16be":
		e = unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	default:
		e, _ = htmlindex.Get(name)
	}
	end, beyond := 0, 0
	for i, r := range text {
		if r >= utf8.RuneSelf {
			beyond++
		}
		out, err := e.NewEncoder().String(text[:i])
		if err != nil {
			return "", ""
		}
		if end = i; len(out) >= size {
			break
		}
	}
	if coded, _ = e.NewEncoder().String(text[:end]); beyond == 0 || len(coded) < size {
		return "", ""
	}
	return coded, text[:end]
}

// TestEncodingsOfRealTexts measures how many texts of 200 bytes are read rightly that nothing declares, each in all
// encodings that have its characters.
func TestEncodingsOfRealTexts(t *testing.T) {
	reader := NewReader(Options{})
	type tally struct{ right, all int }
	var sum tally
	by := map[string]*tally{}
	for i, p := range goldPages(t) {
		if i%tier.Of(6, 1) != 0 {
			continue
		}
		page, err := reader.Read(context.Background(), response("http://a.test/"+path.Base(p.File), "Content-Type", "text/html"), p.body)
		if err != nil || len(page.Text) < 1000 || strings.ContainsRune(page.Text, '\ufffd') {
			continue
		}
		names := writtenIn[Language("", page.Text)]
		if names == "" {
			names = writtenIn[""]
		}
		for _, from := range []int{0, len(page.Text) / 3, len(page.Text) / 2} {
			_, text, _ := strings.Cut(page.Text[from:], " ")
			for name := range strings.FieldsSeq(names) {
				coded, want := codedText(name, text[:min(len(text), 700)], 200)
				if coded == "" {
					continue
				}
				if by[name] == nil {
					by[name] = new(tally)
				}
				by[name].all++
				sum.all++
				if got, e := charset.Text([]byte(coded), "text/plain"); string(got) == want {
					by[name].right++
					sum.right++
				} else if testing.Verbose() {
					t.Logf("%s as %s: %.200q", name, e.Name, want)
				}
			}
		}
	}
	for name, n := range by {
		t.Logf("%-14s %d of %d", name, n.right, n.all)
	}
	if share := float64(sum.right) / float64(sum.all); share < 0.98 {
		t.Errorf("%.4f of %d texts are read rightly", share, sum.all)
	} else {
		t.Logf("%.4f of %d texts are read rightly", share, sum.all)
	}
}

// TestEveryTextIsDecoded: what is no HTML may lack a declaration too.
func TestEveryTextIsDecoded(t *testing.T) {
	const words = "Вода в гавани поднимается и опускается дважды в день."
	encoded := func(name, text string) string {
		e, _ := htmlindex.Get(name)
		out, err := e.NewEncoder().String(text)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	feed := `<rss version="2.0"><channel><title>` + words + `</title><item><title>x</title><link>http://b.test/</link></item></channel></rss>`
	for _, tc := range []struct{ name, contentType, body string }{
		{"CSV", "text/csv", encoded("koi8-r", "слово,ещё\n"+words+",да\n")},
		{"text", "text/plain", encoded("windows-1251", words)},
		{"text in UTF-16", "text/plain", encoded("utf-16be", words)},
		{"Markdown", "text/markdown", encoded("iso-8859-5", "# "+words)},
		{"feed", "application/rss+xml", encoded("windows-1251", feed)},
		{"feed in UTF-16", "text/xml", encoded("utf-16le", `<?xml version="1.0" encoding="utf-16"?>`+feed)},
		{"feed with a prolog", "text/xml", encoded("koi8-r", `<?xml version="1.0" encoding="koi8-r"?>`+feed)},
		{"HTML in UTF-16", "text/html", encoded("utf-16le", "<!doctype html><title>"+words+"</title><p>"+words)},
		{"JSON Feed in UTF-16", "application/feed+json", encoded("utf-16le", `{"version": "https://jsonfeed.org/version/1.1", "title": "`+words+`", "items": []}`)},
		{"Turtle in UTF-16", "text/turtle", encoded("utf-16le", `<http://a.test/> <http://purl.org/dc/terms/title> "`+words+`" .`)},
	} {
		page := read(t, tc.body, "Content-Type", tc.contentType)
		if !strings.Contains(page.Title+page.Text, words) {
			t.Errorf("%s: %s, title %q, text %q", tc.name, page.MediaType, page.Title, page.Text)
		}
	}
}
