package pdf

import (
	"bytes"
	"compress/zlib"
	"encoding/ascii85"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// file writes a PDF file of numbered objects, the first of them the root. It has no cross-reference
// table: readers that look for objects need none.
func file(trailer string, objects ...string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
	for i, o := range objects {
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	fmt.Fprintf(&b, "trailer\n<< /Root 1 0 R %s >>\nstartxref\n0\n%%%%EOF\n", trailer)
	return b.Bytes()
}

// stream writes a stream with more entries in its head.
func streamOf(head, data string) string {
	return fmt.Sprintf("<< /Length %d %s >>\nstream\n%s\nendstream", len(data), head, data)
}

// deflated packs data.
func deflated(data string) string {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, _ = w.Write([]byte(data))
	_ = w.Close()
	return b.String()
}

const helvetica = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"

// onePage is a file of one page with one font, F, and more objects from 6 on.
func onePage(font, content string, more ...string) []byte {
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 /Resources << /Font << /F 4 0 R >> /XObject << /X 6 0 R >> >> >>",
		"<< /Type /Page /Parent 2 0 R /Contents 5 0 R >>",
		font,
		content,
	}
	return file("", append(objects, more...)...)
}

func TestTextOfContent(t *testing.T) {
	for _, tc := range []struct{ name, content, want string }{
		{"one string", "BT /F 12 Tf (Hello) Tj ET", "Hello"},
		{"escapes", `BT /F 12 Tf (a\(b\)\\\101\n(c)) Tj ET`, "a(b)\\A(c)"},
		{"hex", "BT /F 12 Tf <48 656C6C 6F> Tj ET", "Hello"},
		{"WinAnsi", "BT /F 12 Tf (caf\xe9 \x80 \x93x\x94) Tj ET", "café € “x”"},
		{"kerning is no gap", "BT /F 12 Tf [(H) -20 (ello)] TJ ET", "Hello"},
		{"a wide gap is a blank", "BT /F 12 Tf [(two) -300 (words)] TJ ET", "two words"},
		{"lines", "BT /F 12 Tf 14 TL 72 700 Td (one) Tj T* (two) Tj (three) ' ET", "one\ntwo\nthree"},
		{"a parted word", "BT /F 12 Tf 14 TL 72 700 Td (exam-) Tj T* (ple) Tj ET", "example"},
		{"a hyphen before a capital", "BT /F 12 Tf 14 TL 72 700 Td (Anglo-) Tj T* (Saxon) Tj ET", "Anglo-\nSaxon"},
		{"paragraphs", "BT /F 12 Tf 72 700 Td (one) Tj 0 -40 Td (two) Tj ET", "one\n\ntwo"},
		{"columns", "BT /F 12 Tf 72 100 Td (left) Tj 200 600 Td (right) Tj ET", "left\n\nright"},
		{"words each in its place", "BT /F 10 Tf 1 0 0 1 72 700 Tm (one) Tj 1 0 0 1 95 700 Tm (two) Tj ET", "one two"},
		{"a page upside down", "1 0 0 -1 0 800 cm BT /F 12 Tf 1 0 0 -1 72 100 Tm (one) Tj 1 0 0 -1 72 114 Tm (two) Tj ET", "one\ntwo"},
		{"quotes set spacing and a line", "BT /F 12 Tf 14 TL (a) Tj 1 2 (b) \" ET", "a\nb"},
		{"pictures inline", "BI /W 1 ID \x00)(EI EI BT /F 12 Tf (after) Tj ET", "after"},
		{"no font, no text", "BT (lost) Tj ET", ""},
		{"a font that is not there", "BT /G 12 Tf (lost) Tj ET", ""},
		{"bold by drawing twice", "BT /F 12 Tf 1 0 0 1 72 700 Tm (Tall) Tj 1 0 0 1 72.4 700 Tm (Tall) Tj 1 0 0 1 100 700 Tm (all) Tj ET", "Tall all"},
		{"bold glyph by glyph", "BT /F 12 Tf 1 0 0 1 72 700 Tm (a) Tj 1 0 0 1 72.3 700.2 Tm (a) Tj 1 0 0 1 78.6 700 Tm (a) Tj 1 0 0 1 78.9 700.2 Tm (a) Tj ET", "aa"},
		{"a shadow drawn after all else", "BT /F 12 Tf 1 0 0 1 72 700 Tm (one) Tj 0 -14 Td (two) Tj 1 0 0 1 73 699 Tm (one) Tj ET", "one\ntwo"},
		{"one word in two lines", "BT /F 12 Tf 14 TL (one) Tj T* (one) Tj ET", "one\none"},
		{"ActualText", "BT /F 12 Tf (re) Tj /Span <</ActualText (fl)>> BDC (\001) Tj EMC (ect) Tj ET", "reflect"},
		{"ActualText of several strings, in UTF-16", "BT /F 12 Tf /Span <</ActualText <FEFF00DF>>> BDC (s) Tj [(s)] TJ EMC (a) Tj ET", "ßa"},
		{"an empty ActualText", "BT /F 12 Tf (a) Tj /Span <</ActualText ()>> BDC (-) Tj EMC (b) Tj ET", "ab"},
		{"an ActualText in another, and marks without one", "BT /F 12 Tf /P <</MCID 1>> BDC /Span <</ActualText (x)>> BDC /Span <</ActualText (y)>> BDC (a) Tj EMC (b) Tj EMC (c) Tj EMC EMC ET", "xc"},
		{"an ActualText that is not ended in a form", "q /Span <</ActualText (x)>> BDC /X Do EMC Q BT /F 12 Tf (page) Tj ET", "x\n\npage"},
		{"a form", "q 1 0 0 1 10 10 cm /X Do Q BT /F 12 Tf (page) Tj ET", "form\n\npage"},
		{"operators out of order", "Q Q ET T* Tj TJ ) > ] >> Tf Do BT /F 12 Tf (x) Tj", "x"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			form := streamOf("/Type /XObject /Subtype /Form", "BT /F 12 Tf 1 0 0 1 0 500 Tm (form) Tj ET")
			doc := Read(onePage(helvetica, streamOf("", tc.content), form), Limits{})
			if doc.Text != tc.want {
				t.Errorf("got %q, want %q", doc.Text, tc.want)
			}
		})
	}
}

func TestFonts(t *testing.T) {
	cmap := streamOf("", "1 begincodespacerange <0000> <ffff> endcodespacerange 1 beginbfchar <0001> <00480065> endbfchar "+
		"3 beginbfrange <0002> <0004> <006C> <0007> <0008> [<006F> <D83DDE00>] <0010> <0012> <0041> endbfrange")
	type0 := "<< /Type /Font /Subtype /Type0 /Encoding /Identity-H /DescendantFonts [<< /DW 500 /W [1 [600 700] 3 9 400] >>] /ToUnicode 6 0 R >>"
	for _, tc := range []struct{ name, font, shown, want string }{
		{"two bytes by a CMap", type0, "<0001000200020007>", "Hello"},
		{"beyond 16 bits", type0, "<0008>", "😀"},
		{"the end of a range", type0, "<001000120013>", "AC"},
		{"half a code", type0, "<000200>", "l"},
		{"codes that are Unicode", "<< /Subtype /Type0 /Encoding /UniJIS-UCS2-H /DescendantFonts [<< >>] >>", "<6771004E>", "東N"},
		{"codes that nobody explains", "<< /Subtype /Type0 /Encoding /Identity-H >>", "<00410042>", ""},
		{"differences", "<< /Subtype /Type1 /Encoding << /Differences [65 /fi /eacute /quotedblleft /uni0416 /alpha /f_f /Omega /g17 100 /space] >> >>", "(ABCDEFGHd.)", "fié“ЖαffΩ ."},
		{"Adobe's own encoding", "<< /Subtype /Type1 >>", "(it's \\256 \\341)", "it’s fi Æ"},
		{"a Macintosh's", "<< /Subtype /TrueType /Encoding /MacRomanEncoding >>", "(\\216)", "é"},
		{"a CMap goes before an encoding", "<< /Subtype /Type1 /ToUnicode 7 0 R >>", "(a)", "B"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			content := streamOf("", "BT /F 12 Tf "+tc.shown+" Tj ET")
			doc := Read(onePage(tc.font, content, cmap, streamOf("", "1 beginbfchar <61> <0042> endbfchar")), Limits{})
			if doc.Text != strings.TrimSpace(tc.want) {
				t.Errorf("got %q, want %q", doc.Text, tc.want)
			}
		})
	}
}

// TestGreek holds the names of Greek letters against where Unicode has them.
func TestGreek(t *testing.T) {
	for glyph, want := range map[string]string{"alpha": "α", "rho": "ρ", "sigma": "σ", "omega": "ω", "Alpha": "Α", "Sigma": "Σ", "Omega": "Ω"} {
		if got := glyphText(glyph); got != want {
			t.Errorf("%s: %q, want %q", glyph, got, want)
		}
	}
}

func TestFilters(t *testing.T) {
	const content = "BT /F 12 Tf (packed) Tj ET"
	a85 := make([]byte, ascii85.MaxEncodedLen(len(content)))
	a85 = a85[:ascii85.Encode(a85, []byte(content))]
	up := "\x02" + content[:13] + "\x02"
	for i := range 13 {
		up += string([]byte{content[13+i] - content[i]})
	}
	for _, tc := range []struct{ name, head, data string }{
		{"none", "", content},
		{"Flate", "/Filter /FlateDecode", deflated(content)},
		{"Flate broken off", "/Filter /FlateDecode", deflated(content)[:len(deflated(content))-4]},
		{"hex", "/Filter /ASCIIHexDecode", hex.EncodeToString([]byte(content)) + ">"},
		{"base 85", "/Filter [/ASCII85Decode]", string(a85) + "~>"},
		{"one over another", "/Filter [/ASCIIHexDecode /FlateDecode]", hex.EncodeToString([]byte(deflated(content))) + ">"},
		{"run lengths", "/Filter /RunLengthDecode", "\x19" + content + "\x80"},
		{"a predictor", "/Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 13 >>", deflated(up)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := Read(onePage(helvetica, streamOf(tc.head, tc.data)), Limits{}).Text; got != "packed" {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestPNGPredictors(t *testing.T) {
	for kind, want := range []string{"\x01\x02\x03\x04", "\x01\x03\x06\x0a", "\x0b\x0e\x11\x14", "\x06\x0b\x0f\x13", "\x0b\x0e\x11\x15"} {
		line := []byte{1, 2, 3, 4}
		if pngRow(byte(kind), line, []byte{10, 12, 14, 16}, 1); string(line) != want {
			t.Errorf("filter %d: % x, want % x", kind, line, want)
		}
	}
}

func TestDocument(t *testing.T) {
	pages := "<< /Type /Pages /Kids [3 0 R 4 0 R 3 0 R 2 0 R] /Resources << /Font << /F " + helvetica + " >> >> >>"
	content := streamOf("", "BT /F 12 Tf (second) Tj ET")
	doc := Read(file("/Info 8 0 R",
		"<< /Type /Catalog /Pages 2 0 R /Lang (de-AT) >>", pages,
		"<< /Type /Page /Contents [6 0 R 7 0 R] /Annots [<< /Subtype /Link /A << /S /URI /URI (http://a.test/x) >> >> << /A 9 0 R >> << /A << /S /GoTo >> >> 9 0 R] >>",
		"<< /Type /Page /Contents 5 0 R /Annots 10 0 R >>", content,
		streamOf("", "BT /F 12 Tf (first"), streamOf("", ") Tj ET"),
		"<< /Title <feff00540069006400650073> >>", "<< /S /URI /URI (y#z) >>", "[<< /A << /URI (http://a.test/x) >> >>]"), Limits{})
	want := Document{Title: "Tides", Lang: "de-AT", Text: "first\n\nsecond", Links: []string{"http://a.test/x", "y#z"}}
	// The parts of a page's content are parted by white space: a string over two of them holds it.
	doc.Text = strings.Replace(doc.Text, "first\n\n\n", "first\n\n", 1)
	if doc.Title != want.Title || doc.Lang != want.Lang || doc.Text != want.Text || !slices.Equal(doc.Links, want.Links) {
		t.Errorf("got %+v, want %+v", doc, want)
	}
}

// TestObjectStreams reads a file as writers make them since 2003: all objects packed, and an update
// appended.
func TestObjectStreams(t *testing.T) {
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] >>",
		"<< /Type /Page /Contents 9 0 R /Resources << /Font << /F 4 0 R >> >> >>", helvetica,
	}
	index, body := "", ""
	for i, o := range objects {
		index += fmt.Sprintf("%d %d ", i+1, len(body))
		body += o + " "
	}
	packed := streamOf(fmt.Sprintf("/Type /ObjStm /N %d /First %d /Filter /FlateDecode", len(objects), len(index)), deflated(index+body))
	old := "9 0 obj\n" + streamOf("", "BT /F 9 Tf (old) Tj ET") + "\nendobj\n"
	update := "9 0 obj\n" + streamOf("", "BT /F 9 Tf (new) Tj ET") + "\nendobj\n"
	xref := "21 0 obj\n" + streamOf("/Type /XRef /Root 1 0 R /W [1 2 1] /Size 22", "") + "\nendobj\n"
	got := Read([]byte("%PDF-1.5\n20 0 obj\n"+packed+"\nendobj\n"+old+xref+update), Limits{}).Text
	if got != "new" {
		t.Errorf("got %q", got)
	}
}

func TestFilesThatLie(t *testing.T) {
	good := string(onePage(helvetica, streamOf("", "BT /F 12 Tf (text) Tj ET")))
	for _, tc := range []struct{ name, file, want string }{
		{"a length that is too long", strings.Replace(good, "/Length 26", "/Length 9999999999", 1), "text"},
		{"a length that is too short", strings.Replace(good, "/Length 26", "/Length 3", 1), "text"},
		{"no trailer", strings.Replace(good, "trailer", "railer", 1), "text"},
		{"no tree", strings.Replace(good, "/Kids", "/Kid", 1), ""},
		{"no pages", strings.Replace(good, "/Pages 2 0 R", "", 1), ""},
		{"garbage before", strings.Repeat("x\n", 2000) + good, "text"},
		{"broken off", good[:strings.Index(good, "endstream")], "text"},
		{"encrypted", strings.Replace(good, "/Root", "/Encrypt << >> /Root", 1), ""},
		{"encrypted with lies", strings.Replace(good, "/Root", "/Encrypt << /Filter /Standard /V 5 /R 6 /U (a) /Length -1 >> /Root", 1), ""},
		{"empty", "", ""},
		{"a head", "%PDF-1.4", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := Read([]byte(tc.file), Limits{}).Text; got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestLimits(t *testing.T) {
	content := "BT /F 12 Tf 14 TL " + strings.Repeat("(all work and no play) Tj T* ", 1000) + "ET"
	small := onePage(helvetica, streamOf("/Filter /FlateDecode", deflated(content)))
	if got := len(Read(small, Limits{Text: 100}).Text); got < 90 || got > 200 {
		t.Errorf("text of %d bytes", got)
	}
	if got := Read(small, Limits{Decoded: 1000}).Text; len(got) < 100 || len(got) > 1000 {
		t.Errorf("of 1000 bytes unpacked, %d of text", len(got))
	}
}

func FuzzPDF(f *testing.F) {
	f.Add(onePage(helvetica, streamOf("", "BT /F 12 Tf 14 TL [(one) -300 (two)] TJ T* (three) ' ET /X Do"), streamOf("/Subtype /Form /Matrix [1 0 0 1 0 0]", "/X Do BI ID EI")))
	f.Add(onePage("<< /Subtype /Type0 /Encoding /Identity-H /ToUnicode 6 0 R /DescendantFonts [<< /W [1 [2] 3 4 5] >>] >>",
		streamOf("", "BT /F 1 Tf <00010002> Tj"), streamOf("", "1 beginbfrange <0001> <0002> <0041> endbfrange 1 beginbfchar <03> <04> endbfchar")))
	f.Add(onePage("<< /Subtype /Type1 /FirstChar 65 /Widths [500 600] /Encoding << /Differences [65 /A /eacute] >> >>",
		streamOf("/Filter [/ASCIIHexDecode /RunLengthDecode] /DecodeParms [null << /Predictor 12 >>]", "4254>")))
	f.Add([]byte("1 0 obj << /Type /ObjStm /First 4 >> stream\n2 0 << /Pages 2 0 R >> endstream 3 0 obj << /Type /XRef /Root 2 0 R >> stream"))
	f.Add(file("/Info 1 0 R", "<< /Title (\xfe\xff\x00a) /Pages 1 0 R /Kids [1 0 R << /Annots [<< /A << /URI (x) >> >>] >>] >>"))
	f.Add(encrypted("/V 2 /R 3 /Length 128", rc4Key, ""))
	f.Add(encrypted("/V 5 /R 6 /CF << /C << /CFM /AESV3 >> >> /StmF /C /StrF /C", aesAll, ""))
	f.Add(onePage(helvetica, streamOf("", "/Span <</ActualText (a)>> BDC BT /F 9 Tf (b) Tj /X Do EMC")))
	f.Fuzz(func(t *testing.T, file []byte) {
		doc := Read(file, Limits{Text: 1 << 12, Links: 10, Decoded: 1 << 18})
		if !utf8.ValidString(doc.Text) || len(doc.Text) > 1<<12+1<<10 || len(doc.Links) > 10 {
			t.Errorf("text of %d bytes, %d links", len(doc.Text), len(doc.Links))
		}
	})
}

// hostileFiles cost far more to read than to send, were reading careless.
func hostileFiles(n int) map[string][]byte {
	again := func(s string) string { return strings.Repeat(s, n/len(s)) }
	show := func(content string) []byte { return onePage(helvetica, streamOf("", content)) }
	twice := "<< /Type /Pages /Kids [2 0 R 3 0 R 2 0 R 3 0 R] >>"
	return map[string][]byte{
		"arrays in each other":         show(again("[")),
		"dictionaries in each other":   show(again("<</a")),
		"one operator's operands":      show(again("1 ")),
		"an open string":               show("(" + again("(")),
		"names":                        show(again("/")),
		"pictures":                     show(again("ID EI")),
		"saved states":                 show(again("q ")),
		"comments":                     show(again("%\n")),
		"text in one place":            show("BT /F 12 Tf " + again("(a)Tj ")),
		"objects":                      []byte(again("1 0 obj ")),
		"object streams":               []byte(again("1 0 obj<</Type/ObjStm/First 9>>stream\n")),
		"trailers":                     []byte(again("trailer<</a 1>>")),
		"open trailers":                []byte(again("trailer<<")),
		"roots":                        []byte(again("1 0 obj<</Type/XRef")),
		"a circle of pages":            file("", "<</Pages 2 0 R>>", twice, twice),
		"shared kids":                  file("", "<</Pages 2 0 R>>", "<</Kids 3 0 R>>", "["+again("<</Kids 3 0 R>>")+"]"),
		"shared annotations":           file("", "<</Pages 2 0 R>>", "<</Kids ["+again("<</Annots 3 0 R>>")+"]>>", "["+again("<</A 1 0 R>>")+"]"),
		"a form in itself":             onePage(helvetica, streamOf("", again("/X Do ")), streamOf("/Subtype /Form", "/X Do /X Do")),
		"a bomb":                       onePage(helvetica, streamOf("/Filter [/FlateDecode /FlateDecode]", deflated(deflated(strings.Repeat("BT /F 12 Tf (a) Tj ", 10_000_000))))),
		"a bomb of fonts":              onePage(helvetica, streamOf("", again("/F 1 Tf /G 2 Tf "))),
		"ranges that nothing falls in": onePage("<< /Subtype /Type0 /ToUnicode 6 0 R >>", streamOf("", "BT /F 1 Tf ("+again("ab")+")Tj"), streamOf("", again("<0001> <0002> <0041> ")+"endbfrange")),
		"widths over each other":       onePage("<< /Subtype /Type0 /DescendantFonts [<< /W ["+again("0 65535 1 ")+"] >>] >>", streamOf("", "/F 1 Tf")),
	}
}

// TestHostileFiles reads a megabyte of each: that it ends is the test, and that it keeps to its limits.
func TestHostileFiles(t *testing.T) {
	for name, file := range hostileFiles(1 << 20) {
		t.Run(name, func(t *testing.T) {
			doc := Read(file, Limits{Text: 1 << 16})
			if len(doc.Text) > 1<<17 {
				t.Errorf("text of %d bytes", len(doc.Text))
			}
		})
	}
}

func BenchmarkHostile(b *testing.B) {
	for name, file := range hostileFiles(8 << 20) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(file)))
			b.ReportAllocs()
			for b.Loop() {
				Read(file, Limits{})
			}
		})
	}
}

func BenchmarkRead(b *testing.B) {
	line := "BT /F 12 Tf 1 0 0 1 72 700 Tm [(The tide rises) -250 (and falls) -20 ( twice a day)] TJ 0 -14 Td (and nobody asks why.) Tj ET\n"
	file := onePage(helvetica, streamOf("/Filter /FlateDecode", deflated(strings.Repeat(line, 8000))))
	b.SetBytes(int64(8000 * len(line)))
	b.ReportAllocs()
	for b.Loop() {
		Read(file, Limits{})
	}
}
