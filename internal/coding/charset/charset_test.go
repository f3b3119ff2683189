package charset

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"golang.org/x/text/encoding/unicode"
)

// coded returns text in an encoding.
func coded(t testing.TB, name, text string) string {
	t.Helper()
	e := lookup(name)
	switch name {
	case "utf-16le":
		e = unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	case "utf-16be":
		e = unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	}
	out, err := e.NewEncoder().String(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return out
}

// A sentence of our own in several languages.
const (
	russian    = "Вода в гавани поднимается и опускается дважды в день, и рыбаки ждут её на берегу."
	ukrainian  = "Вода в гавані піднімається й опускається двічі на день, і рибалки чекають її на березі."
	bulgarian  = "Водата в пристанището се покачва и спада два пъти на ден, а рибарите чакат на брега."
	greekText  = "Το νερό στο λιμάνι ανεβαίνει και κατεβαίνει δύο φορές την ημέρα, και οι ψαράδες περιμένουν."
	hebrewText = "המים בנמל עולים ויורדים פעמיים ביום, והדייגים מחכים להם על החוף."
	arabicText = "يرتفع الماء في الميناء وينخفض مرتين في اليوم، وينتظر الصيادون على الشاطئ."
	thaiText   = "น้ำในท่าเรือขึ้นและลงวันละสองครั้ง และชาวประมงรออยู่ที่ชายหาด"
	czech      = "Voda v přístavu stoupá a klesá dvakrát denně a rybáři na ni čekají na břehu řeky."
	polish     = "Woda w porcie podnosi się i opada dwa razy dziennie, a rybacy czekają na nią na brzegu."
	hungarian  = "A kikötőben a víz naponta kétszer emelkedik és süllyed, a halászok pedig a parton várják."
	turkish    = "Limandaki su günde iki kez yükselip alçalır ve balıkçılar kıyıda onu beklerler, çünkü işleri budur."
	lithuania  = "Vanduo uoste du kartus per dieną pakyla ir nuslūgsta, o žvejai jo laukia ant kranto kiekvieną rytą."
	german     = "Das Wasser im Hafen steigt und fällt zweimal täglich, und die Fischer warten am Ufer darauf – früh und spät."
	french     = "L’eau du port monte et descend deux fois par jour, et les pêcheurs l’attendent à l’aube sur la grève."
	japanese   = "港の水は一日に二度上がったり下がったりして、漁師たちは岸でそれを待っている。"
	simple     = "港口的水每天涨落两次，渔民们在岸边等待着它，孩子们也在那里玩耍。"
	tradition  = "港口的水每天漲落兩次，漁民們在岸邊等待著它，孩子們也在那裡玩耍。"
	korean     = "항구의 물은 하루에 두 번 오르내리고 어부들은 바닷가에서 그것을 기다린다."
)

func TestUndeclaredEncodings(t *testing.T) {
	for _, tc := range []struct{ text, names string }{
		{russian, "windows-1251 koi8-r iso-8859-5 ibm866 utf-16le utf-16be"},
		{ukrainian, "windows-1251 koi8-u iso-8859-5"}, {bulgarian, "windows-1251 iso-8859-5"},
		{greekText, "windows-1253 iso-8859-7"}, {hebrewText, "windows-1255 iso-8859-8"}, {arabicText, "windows-1256 iso-8859-6"},
		{thaiText, "windows-874"}, {czech, "windows-1250 iso-8859-2"}, {polish, "windows-1250 iso-8859-2"},
		{hungarian, "windows-1250 iso-8859-2"}, {turkish, "windows-1254"}, {lithuania, "windows-1257 iso-8859-13"},
		{german, "windows-1252 windows-1250 utf-16le utf-16be"}, {french, "windows-1252"},
		{japanese, "shift_jis euc-jp iso-2022-jp utf-16le"}, {simple, "gb18030 utf-16be"}, {tradition, "big5 gb18030"},
		{korean, "euc-kr utf-16le"},
	} {
		for name := range strings.FieldsSeq(tc.names) {
			bytes := coded(t, name, tc.text)
			html := coded(t, name, "<!doctype html><title>x</title><script>var a = 1 < 2;</script><p>"+tc.text)
			for _, body := range []string{bytes, html} {
				if got, e := Text([]byte(body), ""); !strings.Contains(string(got), tc.text) {
					t.Errorf("%s of %.30q: %s, %.90q", name, tc.text, e.Name, got)
				}
			}
		}
	}
}

func TestDeclaredEncodings(t *testing.T) {
	style := "<style>" + strings.Repeat("p { margin: 0 } ", 200) + "</style>"
	for _, tc := range []struct {
		name, contentType, body string
		want                    string // contained in the text
		encoding                Encoding
	}{
		{"header", "text/html; charset=iso-8859-2", "<p>\xbe", "ž", Encoding{"iso-8859-2", Header}},
		{"meta", "text/html", "<meta charset=windows-1257><p>\xfe", "ž", Encoding{"windows-1257", Meta}},
		{"http-equiv", "", `<meta http-equiv=Content-Type content="text/html; charset='koi8-r'"><p>` + coded(t, "koi8-r", "да"), "да", Encoding{"koi8-r", Meta}},
		{"after byte 1024", "", "<html>" + style + "<meta charset=iso-8859-5><p>" + coded(t, "iso-8859-5", "да"), "да", Encoding{"iso-8859-5", Meta}},
		{"not in a comment", "", "<!-- <meta charset=iso-8859-5> --><p>" + coded(t, "windows-1251", russian), russian, Encoding{"windows-1251", Detected}},
		{"prolog", "application/xml", "<?xml version='1.0' encoding='windows-1250'?><a>\x9e</a>", "ž", Encoding{"windows-1250", Prolog}},
		{"prolog of XHTML as HTML", "text/html", `<?xml version="1.0" encoding="iso-8859-2"?><p>` + "\xbe", "ž", Encoding{"iso-8859-2", Prolog}},
		{"header before prolog", "text/xml; charset=windows-1251", `<?xml version="1.0" encoding="iso-8859-2"?><p>` + coded(t, "windows-1251", russian), russian, Encoding{"windows-1251", Header}},
		{"unknown label", "text/plain; charset=none", coded(t, "koi8-r", russian), russian, Encoding{"koi8-r", Detected}},
		{"an eighth bit that was lost", "text/html; charset=iso-8859-2", "<p>plain", "plain", Encoding{"utf-8", Valid}},
		{"Latin-1 said, Cyrillic sent", "text/html; charset=iso-8859-1", "<p>" + coded(t, "windows-1251", russian), russian, Encoding{"windows-1251", Detected}},
		{"UTF-8 said, Japanese sent", "text/html; charset=utf-8", "<p>" + coded(t, "shift_jis", japanese), japanese, Encoding{"shift_jis", Detected}},
		{"ISO-8859-2 said, Windows quotes sent", "text/html; charset=iso-8859-2", "<p>" + coded(t, "windows-1250", "„"+polish+"”"), polish + "”", Encoding{"windows-1250", Detected}},
		{"Big5 said, sent with one bad byte", "text/html; charset=big5", "<p>" + coded(t, "big5", tradition) + "\xff<p>" + coded(t, "big5", tradition), tradition, Encoding{"big5", Header}},
		{"a language that nobody knows", "text/html; charset=iso-8859-1", "<p>Tað var eitt sjónarringsljós í Føroyum, og har búði ein maður við síni konu og teirra børnum; \xf0\xf0", "", Encoding{"windows-1252", Header}},
		{"UTF-8 that nothing declares, late", "text/html", strings.Repeat(" ", 2000) + "é", "é", Encoding{"utf-8", Valid}},
		{"ISO-2022-JP, late", "text/html", "<p>" + strings.Repeat("x ", 2000) + coded(t, "iso-2022-jp", japanese), japanese, Encoding{"iso-2022-jp", Detected}},
		{"one byte", "", "\xe9", "é", Encoding{"windows-1252", Detected}},
		{"a word", "text/html", "<p>caf\xe9", "café", Encoding{"windows-1252", Detected}},
		{"mark against header", "text/plain; charset=koi8-r", "\xef\xbb\xbf" + russian, russian, Encoding{"utf-8", Mark}},
		{"UTF-16 with mark", "text/html; charset=utf-8", "\xff\xfe" + coded(t, "utf-16le", "<p>"+greekText), greekText, Encoding{"utf-16le", Mark}},
	} {
		body := tc.body
		if strings.HasPrefix(tc.name, "a language") {
			body = coded(t, "windows-1252", body[:strings.LastIndex(body, ";")])
		}
		got, e := Text([]byte(body), tc.contentType)
		if !strings.Contains(string(got), tc.want) || e != tc.encoding {
			t.Errorf("%s: %v, %.120q", tc.name, e, got)
		}
	}
}

func TestSomeBadBytesLeaveUTF8(t *testing.T) {
	for _, contentType := range []string{"", "text/html; charset=utf-8", "text/html; charset=windows-1252"} {
		got, e := Text([]byte("<p>"+russian+"\xff\xfe "+greekText+"\xc3"), contentType)
		if want := "<p>" + russian + "\ufffd " + greekText + "\ufffd"; string(got) != want || e.Name != "utf-8" {
			t.Errorf("%q: %v, %q", contentType, e, got)
		}
	}
}

func TestTextHasNoNUL(t *testing.T) {
	body := []byte("a\x00b")
	if got, _ := Text(body, ""); string(got) != "a b" || string(body) != "a\x00b" {
		t.Errorf("%q of %q", got, body)
	}
}

// What a user gives may be saved by any editor.
func TestReader(t *testing.T) {
	long := strings.Repeat(russian+"\n", 500)
	for name, body := range map[string]string{
		"UTF-8": long, "its mark": "\ufeff" + long, "windows-1251": coded(t, "windows-1251", long),
		"UTF-16 with its mark": "\xff\xfe" + coded(t, "utf-16le", long), "UTF-16": coded(t, "utf-16be", long),
	} {
		if got, err := io.ReadAll(NewReader(strings.NewReader(body))); string(got) != long || err != nil {
			t.Errorf("%s: %.90q, %v", name, got, err)
		}
	}
}

func TestNarrow(t *testing.T) {
	for name, tc := range map[string]struct{ body, want string }{
		"UTF-16":              {coded(t, "utf-16be", "{\"a\": 1}"), "{\"a\": 1}"},
		"its mark":            {"\xff\xfe" + coded(t, "utf-16le", japanese), japanese},
		"a picture":           {"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"},
		"numbers of 16 bits":  {"\x01\x00\x02\x00\x03\x00\x04\x00", "\x01\x00\x02\x00\x03\x00\x04\x00"},
		"a mark, then binary": {"\xff\xfe\x00\x00\x01\x00", "\xff\xfe\x00\x00\x01\x00"},
		"UTF-8":               {russian, russian},
	} {
		if got := string(Narrow([]byte(tc.body))); got != tc.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{russian, coded(f, "big5", tradition), "<meta charset=x", "<?xml encoding=\"", "\xff\xfe<", "\x1b$B\x1b"} {
		f.Add([]byte(s), "text/html; charset=big5")
	}
	f.Fuzz(func(t *testing.T, body []byte, contentType string) {
		before := bytes.Clone(body)
		text, _ := Text(body, contentType)
		if again, e := Text(text, contentType); e.Name != "utf-8" || !bytes.Equal(again, text) && !bytes.HasPrefix(text, []byte("\ufeff")) {
			t.Errorf("%q is no text: %v, %q", text, e, again)
		}
		if !bytes.Equal(body, before) {
			t.Error("the body was changed")
		}
	})
}

func BenchmarkUTF8(b *testing.B) {
	body := []byte(strings.Repeat("<p>"+german+" "+russian, 100))
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		Text(body, "text/html")
	}
}

func BenchmarkDetected(b *testing.B) {
	body := []byte(strings.Repeat("<p>"+coded(b, "windows-1252", german), 100))
	for b.Loop() {
		Text(body, "text/html")
	}
}

func BenchmarkDeclared(b *testing.B) {
	body := []byte(strings.Repeat("<p>"+coded(b, "windows-1251", russian), 100))
	for b.Loop() {
		Text(body, "text/html; charset=windows-1251")
	}
}
