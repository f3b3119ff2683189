package office

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// packed returns a ZIP file of parts: name, content.
func packed(parts ...string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(parts); i += 2 {
		w, _ := z.Create(parts[i])
		w.Write([]byte(parts[i+1]))
	}
	z.Close()
	return b.Bytes()
}

const wordTypes = `<Types><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`

// word returns a DOCX file with a body, and other parts.
func word(body string, parts ...string) []byte {
	return packed(append([]string{"[Content_Types].xml", wordTypes, "word/document.xml",
		`<?xml version="1.0"?><w:document xmlns:w="w" xmlns:r="r" xmlns:mc="mc"><w:body>` + body + `</w:body></w:document>`}, parts...)...)
}

// open returns an ODT file with a text.
func openText(body string, parts ...string) []byte {
	return packed(append([]string{"mimetype", ODT, "content.xml",
		`<office:document-content xmlns:office="o" xmlns:text="t" xmlns:table="b" xmlns:xlink="x"><office:body><office:text>` + body + `</office:text></office:body></office:document-content>`}, parts...)...)
}

// book returns an EPUB file with chapters.
func book(metadata string, chapters ...string) []byte {
	parts := []string{"mimetype", EPUB, "META-INF/container.xml", `<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>`}
	manifest, spine := `<item id="toc" href="toc.xhtml" media-type="application/xhtml+xml" properties="nav"/>`, `<itemref idref="toc"/>`
	for i, chapter := range chapters {
		parts = append(parts, fmt.Sprintf("OEBPS/text/c %d.xhtml", i), chapter)
		manifest += fmt.Sprintf(`<item id="c%d" href="text/c%%20%d.xhtml" media-type="application/xhtml+xml"/>`, i, i)
		spine = fmt.Sprintf(`<itemref idref="c%d"/>`, i) + spine // last chapter first
	}
	return packed(append(parts, "OEBPS/toc.xhtml", `<html><body><p>contents</p></body></html>`,
		"OEBPS/book.opf", `<package><metadata xmlns:dc="d">`+metadata+`</metadata><manifest>`+manifest+`</manifest><spine>`+spine+`</spine></package>`)...)
}

// body is what a document has between <body> and the end.
func body(file []byte) string {
	_, rest, _ := strings.Cut(string(HTML(file, Limits{})), "<body>")
	return rest
}

func TestBodies(t *testing.T) {
	styles := `<w:styles xmlns:w="w"><w:style w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style><w:style w:styleId="Own"><w:basedOn w:val="berschrift2"/></w:style></w:styles>`
	rels := `<Relationships><Relationship Id="r1" TargetMode="External" Target="https://a.test/?b=1&amp;c=2"/><Relationship Id="r2" Target="media/i.png"/></Relationships>`
	run := func(text string) string { return `<w:r><w:t xml:space="preserve">` + text + `</w:t></w:r>` }
	for _, tc := range []struct {
		name string
		file []byte
		want string
	}{
		{"a paragraph of two runs", word(`<w:p>` + run("One ") + run("&lt;two&gt;") + `</w:p>`), "<p>One &lt;two&gt;</p>"},
		{"a heading by the name of its style", word(`<w:p><w:pPr><w:pStyle w:val="berschrift2"/></w:pPr>`+run("A")+`</w:p>`, "word/styles.xml", styles), "<h2>A</h2>"},
		{"a heading by the style that its style is based on", word(`<w:p><w:pPr><w:pStyle w:val="Own"/></w:pPr>`+run("A")+`</w:p>`, "word/styles.xml", styles), "<h2>A</h2>"},
		{"a heading by its outline", word(`<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr>` + run("A") + `</w:p>`), "<h1>A</h1>"},
		{"an item", word(`<w:p><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>` + run("A") + `</w:p>`), "<li>A</li>"},
		{"cells", word(`<w:tbl><w:tr><w:tc><w:p>` + run("A") + `</w:p></w:tc><w:tc><w:p>` + run("B") + `</w:p><w:p>` + run("C") + `</w:p></w:tc></w:tr></w:tbl>`), "<table><tr><td>A </td><td>B C </td></tr></table>"},
		{"a link by relationship", word(`<w:p><w:hyperlink r:id="r1">`+run("A")+`</w:hyperlink></w:p>`, "word/_rels/document.xml.rels", rels), `<p><a href="https://a.test/?b=1&amp;c=2">A</a></p>`},
		{"a link within the document", word(`<w:p><w:hyperlink r:id="r2" w:anchor="b">`+run("A")+`</w:hyperlink></w:p>`, "word/_rels/document.xml.rels", rels), `<p>A</p>`},
		{"a link by field", word(`<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> HYPERLINK "http://a.test/" \o "x"</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>` +
			run("A") + `<w:r><w:fldChar w:fldCharType="end"/></w:r>` + run("B") + `</w:p>`), `<p><a href="http://a.test/">A</a>B</p>`},
		{"a simple field", word(`<w:p><w:fldSimple w:instr="HYPERLINK http://a.test/ ">` + run("A") + `</w:fldSimple></w:p>`), `<p><a href="http://a.test/">A</a></p>`},
		{"deleted text, and what older programs show", word(`<w:p><w:del>` + run("gone") + `</w:del>` + run("A") + `<mc:AlternateContent><mc:Fallback>` + run("old") + `</mc:Fallback></mc:AlternateContent></w:p>`), "<p>A</p>"},
		{"notes behind the text", word(`<w:p>`+run("A")+`</w:p>`, "word/footnotes.xml", `<w:footnotes xmlns:w="w"><w:footnote><w:p>`+run("N")+`</w:p></w:footnote></w:footnotes>`), "<p>A</p><p>N</p>"},
		{"an address of no page", word(`<w:p><w:fldSimple w:instr="HYPERLINK &quot;javascript:x&quot;">` + run("A") + `</w:fldSimple></w:p>`), `<p>A</p>`},

		{"headings, paragraphs, spaces", openText(`<text:h text:outline-level="3">A</text:h><text:p>b<text:s/>c<text:tab/>d</text:p>`), "<h3>A</h3><p>b c d</p>"},
		{"items and cells of OpenDocument", openText(`<text:list><text:list-item><text:p>A</text:p></text:list-item></text:list><table:table><table:table-row><table:table-cell><text:p>B</text:p></table:table-cell></table:table-row></table:table>`),
			"<li>A</li><table><tr><td>B </td></tr></table>"},
		{"a link of OpenDocument", openText(`<text:p><text:a xlink:href="http://a.test/">A</text:a> <text:a xlink:href="#b">b</text:a></text:p>`), `<p><a href="http://a.test/">A</a> b</p>`},
		{"what was deleted, remarks, contents", openText(`<text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:table-of-content><text:p>A 1</text:p></text:table-of-content><text:p>A<office:annotation><text:p>hm</text:p></office:annotation></text:p>`), "<p>A</p>"},

		{"chapters in the order of the spine", book("", `<html><head><title>x</title></head><body><h1>Two&nbsp;b</h1></body></html>`, `<html><body class="x"><section><p>One <a href="http://a.test/">A</a> <a href="c0.xhtml">c</a></p></section></body></html>`),
			"<div><p>One <a href=\"http://a.test/\">A</a> c</p></div><h1>Two\u00a0b</h1>"},
		{"a chapter that breaks off", book("", `<html><body><p>Two</p></body></html>`, `<html><body><p>One</p><p a=<`), "<p>One</p><p>Two</p>"},
	} {
		if got := body(tc.file); got != tc.want {
			t.Errorf("%s:\n%s\nwant\n%s", tc.name, got, tc.want)
		}
	}
}

func TestHeads(t *testing.T) {
	const want = `<!doctype html><html lang="de"><head><meta charset="utf-8"><title>A &amp; B</title>`
	for _, tc := range []struct {
		name  string
		file  []byte
		metas string
	}{
		{"core.xml", word("", "docProps/core.xml", `<cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t"><dc:title>A &amp; B</dc:title><dc:creator>Ada</dc:creator><dc:language>de</dc:language><dcterms:created>2024-01-02T00:00:00Z</dcterms:created><dcterms:modified>2025-01-01</dcterms:modified></cp:coreProperties>`),
			`<meta name="dcterms.creator" content="Ada"><meta name="dcterms.language" content="de"><meta name="dcterms.created" content="2024-01-02T00:00:00Z">`},
		{"meta.xml", openText("", "meta.xml", `<office:document-meta xmlns:office="o" xmlns:dc="d" xmlns:meta="m"><office:meta><dc:title>A &amp; B</dc:title><meta:initial-creator>Ada</meta:initial-creator><dc:creator>Bo</dc:creator><dc:date>2025</dc:date><dc:language>de</dc:language></office:meta></office:document-meta>`),
			`<meta name="dcterms.creator" content="Ada"><meta name="dcterms.language" content="de"><meta name="dcterms.created" content="2025">`},
		{"the package of an EPUB", book(`<dc:title>A &amp; B</dc:title><dc:creator>Ada</dc:creator><dc:creator>Bo</dc:creator><dc:language>de</dc:language><dc:rights>CC &lt;BY&gt;</dc:rights>`, "<html/>"),
			`<meta name="dcterms.creator" content="Ada"><meta name="dcterms.creator" content="Bo"><meta name="dcterms.language" content="de"><meta name="dcterms.rights" content="CC &lt;BY&gt;">`},
	} {
		got, _, _ := strings.Cut(string(HTML(tc.file, Limits{})), "</head>")
		if got != want+tc.metas {
			t.Errorf("%s:\n%s\nwant\n%s", tc.name, got, want+tc.metas)
		}
	}
}

func TestTypes(t *testing.T) {
	for _, tc := range []struct {
		name string
		file []byte
		want string
	}{
		{"DOCX", word(""), DOCX},
		{"DOCX whose types come last", packed("word/document.xml", "<a/>", "[Content_Types].xml", wordTypes), DOCX},
		{"a spreadsheet", packed("[Content_Types].xml", strings.ReplaceAll(wordTypes, "wordprocessingml.document", "spreadsheetml.sheet")), ""},
		{"ODT", openText(""), ODT},
		{"a template", packed("mimetype", ODT+"-template\n"), ODT},
		{"a spreadsheet of OpenDocument", packed("mimetype", "application/vnd.oasis.opendocument.spreadsheet"), ""},
		{"EPUB", book("", "<html/>"), EPUB},
		{"another ZIP", packed("a.ttl", "<a> <b> <c> ."), ""},
		{"no ZIP", []byte("PK\x03\x04 and so on"), ""},
		{"nothing", nil, ""},
	} {
		if got := TypeOf(tc.file); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
		if tc.want == "" && HTML(tc.file, Limits{}) != nil {
			t.Errorf("%s: it is HTML", tc.name)
		}
	}
}

// TestHostile reads files that are written to be large or slow: what comes out keeps to the limits.
func TestHostile(t *testing.T) {
	var entries bytes.Buffer
	z := zip.NewWriter(&entries)
	for i := range maxEntries + 1 {
		name := "mimetype"
		if i > 0 {
			name = fmt.Sprint(i)
		}
		w, _ := z.CreateHeader(&zip.FileHeader{Name: name})
		if i == 0 {
			w.Write([]byte(ODT))
		}
	}
	z.Close()
	paragraph := `<w:p><w:r><w:t>word</w:t></w:r></w:p>`
	for _, tc := range []struct {
		name string
		file []byte
		most int // bytes of HTML
	}{
		{"entries without number", entries.Bytes(), 0},
		{"1 MB of blanks", openText("<text:p>a" + strings.Repeat(" ", 1<<20) + "</text:p>"), 1 << 20},
		{"1 MB of paragraphs", word(strings.Repeat(paragraph, 1<<20/len(paragraph))), 1 << 20},
		{"an attribute of 1 MB", openText(`<text:a href="http://a.test/` + strings.Repeat("a", 1<<20) + `"/>`), 1 << 20},
		{"elements 100 000 deep", openText(strings.Repeat("<text:p>a", 100_000)), 20_000},
		{"styles in a ring", word(`<w:p><w:pPr><w:pStyle w:val="a"/></w:pPr><w:r><w:t>A</w:t></w:r></w:p>`, "word/styles.xml",
			`<w:styles xmlns:w="w"><w:style w:styleId="a"><w:basedOn w:val="b"/></w:style><w:style w:styleId="b"><w:basedOn w:val="a"/></w:style></w:styles>`), 1000},
		{"a chapter a thousand times", packed("mimetype", EPUB, "META-INF/container.xml", `<rootfile full-path="o"/>`, "o",
			`<package><item id="a" href="c" media-type="text/html"/>`+strings.Repeat(`<itemref idref="a"/>`, 1000)+`</package>`, "c", "<body>chapter</body>"), 1000},
		{"entities of entities", openText(`<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;">]><text:p>&c;</text:p>`), 1000},
	} {
		if got := HTML(tc.file, Limits{Unpacked: 1 << 19, HTML: 1 << 19}); len(got) > tc.most {
			t.Errorf("%s: %d bytes of HTML", tc.name, len(got))
		}
	}
	if got := body(openText(strings.Repeat("<text:p>a", maxDepth+1))); !strings.HasPrefix(got, "<p>a<p>a") {
		t.Errorf("what stands above the depth is lost: %.20q", got)
	}
	var bomb bytes.Buffer
	z = zip.NewWriter(&bomb)
	w, _ := z.Create("mimetype")
	w.Write([]byte(ODT))
	w, _ = z.Create("content.xml")
	w.Write([]byte("<body><p>"))
	for range 30 {
		w.Write(bytes.Repeat([]byte("a"), 1<<20))
	}
	z.Close()
	if got, most := len(HTML(bomb.Bytes(), Limits{Unpacked: 1 << 30, HTML: 1 << 30})), ratioFree+maxRatio*bomb.Len()+200; got > most {
		t.Errorf("%d bytes of HTML of %d bytes", got, bomb.Len())
	}
}

func FuzzHTML(f *testing.F) {
	for _, seed := range [][]byte{
		word(`<w:p><w:r><w:t>a</w:t></w:r></w:p>`), openText(`<text:p>a</text:p>`), book(`<dc:title>a</dc:title>`, `<html><body><p>a</p></body></html>`), []byte("PK\x03\x04"),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		if got := HTML(file, Limits{Unpacked: 1 << 16, HTML: 1 << 16}); len(got) > 1<<18 {
			t.Fatalf("%d bytes", len(got))
		}
	})
}

// FuzzParts reads any XML as each of the formats.
func FuzzParts(f *testing.F) {
	f.Add(`<w:p><w:pPr><w:numPr/></w:pPr><w:hyperlink><w:r><w:t>a</w:t></w:r></w:hyperlink></w:p><w:tbl><w:tc/></w:tbl>`)
	f.Add(`<text:list><text:list-item><text:p>A<text:note><text:p>b</text:p></text:note></text:p></text:list-item></text:list>`)
	f.Add(`<body><p>a<br/><a href="http://a.test/">b</a></p></body>`)
	f.Fuzz(func(t *testing.T, xml string) {
		HTML(word(xml, "word/styles.xml", xml, "docProps/core.xml", xml, "word/_rels/document.xml.rels", xml), Limits{})
		HTML(openText(xml, "meta.xml", xml), Limits{})
		HTML(book(xml, xml), Limits{})
	})
}
